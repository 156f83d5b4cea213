"""Quiet or moving: which channels can be believed now, and since when.

Samples are gathered into blocks of about 50 ms (one sample each on a slow device), which takes the
edge off noise. A channel is quiet when its block means have stayed within `spread_g` of each other for
`window_us`, over at least four blocks. Its load is then the mean of the last half second at most, so a
slow drift is followed and stays quiet, while a step of half a stone always leaves the spread.

A stretch of quiet ends with the block that leaves the spread, at once with a single sample that is
further off than twice the spread, with a fault, or with a gap longer than the window. All times are
device time. The cost per sample does not depend on how long a stretch has lasted.
"""

from collections import deque
from collections.abc import Sequence
from dataclasses import dataclass
from enum import Enum

from sensors.samples import Fault, FaultKind, Load

WINDOW_US = 300_000
"""Default length of quiet: about three conversions at 10 samples a second, 24 at 80."""
MEAN_US = 500_000
"""Default length over which the load is averaged and the spread is watched."""
BLOCK_US = 50_000
"""The filter of a converter spreads a step over four samples: one block at 80 a second."""
MIN_BLOCKS = 4
"""Blocks a quiet stretch has at least: the step response of a slow device."""
KEPT_BLOCKS = 6
"""Blocks kept at least, so that a slow device's step response is seen whole."""

_LEAST_SPREAD, _MOST_SPREAD = 0.30, 0.42
"""Of a stone's mass. Below a half, so that half a stone breaks the stretch whatever the noise."""
_NOISE_SPREAD = 3.0
"""Standard deviations of single samples, so 6 of a block mean of 4: ten of these lie further apart
about once in ten thousand times (range of ten normal values)."""
_PASSING = (FaultKind.NOT_READY, FaultKind.READ_ERROR)
"""Faults that mean no more than a missing sample, as long as they do not last."""


class ReadingState(Enum):
    """What can be said of a channel."""

    QUIET = "quiet"
    MOVING = "moving"
    FAULT = "fault"


@dataclass(frozen=True, slots=True)
class ChannelReading:
    """One channel, judged.

    Attributes:
        state: quiet, moving or fault.
        load_g: mean load of the quiet stretch; None unless quiet.
        since_us: device time at which the quiet stretch began; None unless quiet.
        reason: why it is not quiet, for people; empty when quiet.
    """

    state: ReadingState
    load_g: float | None
    since_us: int | None
    reason: str


def spread_for(unit_g: float, noise_g: float = 0.0) -> float:
    """Return the spread to tolerate for stones of this mass.

    Args:
        unit_g: mass of a stone in grams.
        noise_g: standard deviation of single samples in grams at 80 a second, 0 if unknown. A slower
            device averages fewer of them: give 1.4 times the value at 40, twice the value at 10.

    Returns:
        Grams: 0.30 of a stone, more on a noisy board, never more than 0.42.
    """
    return min(max(_NOISE_SPREAD * noise_g, _LEAST_SPREAD * unit_g), _MOST_SPREAD * unit_g)


class Settler:
    """Judges all channels of one board, sample after sample.

    Args:
        spread_g: how far block means may lie apart in quiet; see `spread_for`.
        window_us: how long the load must have been quiet.
        mean_us: over how much of the quiet stretch, at most, the load is averaged.
    """

    def __init__(self, *, spread_g: float, window_us: int = WINDOW_US, mean_us: int = MEAN_US) -> None:
        if min(spread_g, window_us, mean_us) <= 0:
            raise ValueError(
                f"spread {spread_g} g, window {window_us} us, mean {mean_us} us: all must be positive"
            )
        self._limits = _Limits(spread_g, window_us, mean_us)
        self._channels: list[_Channel] = []
        self._readings: tuple[ChannelReading, ...] = ()
        self._last_us = 0
        self._block_us = 0

    def update(self, time_us: int, loads: Sequence[Load]) -> tuple[ChannelReading, ...]:
        """Take one sample and return what can be said of each channel after it.

        Args:
            time_us: device time of the sample.
            loads: grams per channel, or why there are none. Another number of channels than before
                begins everything anew.
        """
        step_us = time_us - self._last_us
        self._last_us = time_us
        changed = False
        if len(loads) != len(self._channels):
            self._channels = [_Channel(self._limits) for _ in loads]
            self._block_us = time_us
            changed, step_us = True, 0
        elif step_us <= 0 or step_us > self._limits.window_us:
            self._break_all(time_us, step_us)
            changed, step_us = True, 0
        for channel, load in zip(self._channels, loads, strict=True):
            changed |= channel.take(time_us, load)
        if time_us + step_us - self._block_us >= BLOCK_US:
            for channel in self._channels:
                channel.close_block(time_us, time_us + step_us)
            self._block_us = time_us + step_us
            changed = True
        if changed:
            self._readings = tuple([channel.reading for channel in self._channels])
        return self._readings

    def _break_all(self, time_us: int, step_us: int) -> None:
        """Begin every stretch anew after a hole in the samples."""
        if step_us > 0:
            reason = f"no samples for {step_us / 1e6:.1f} s"
        else:
            reason = "device time did not go forward"
        for channel in self._channels:
            channel.restart(reason)
        self._block_us = time_us


@dataclass(frozen=True, slots=True)
class _Limits:
    """What quiet means; see `Settler`."""

    spread_g: float
    window_us: int
    mean_us: int


_FIRST = ChannelReading(ReadingState.MOVING, None, None, "first samples")


class _Channel:
    """One channel: the open block, and the closed blocks of the present stretch.

    Attributes:
        reading: what can be said now.
    """

    __slots__ = ("_blocks", "_count", "_limits", "_missing_us", "_since_us", "_start_us", "_sum_g", "reading")

    def __init__(self, limits: _Limits) -> None:
        self.reading = _FIRST
        self._limits = limits
        self._blocks: deque[tuple[int, float, int, float]] = deque()  # start, sum, samples, mean
        self._since_us = 0
        self._start_us = 0
        self._sum_g = 0.0
        self._count = 0
        self._missing_us: int | None = None

    def take(self, time_us: int, load: Load) -> bool:
        """Add one sample to the open block; return whether the reading changed by it."""
        if isinstance(load, Fault):
            return self._take_fault(time_us, load)
        self._missing_us = None
        before = self.reading
        if before.state is ReadingState.FAULT:
            self.restart(_FIRST.reason)
        elif before.load_g is not None and abs(load - before.load_g) > 2 * self._limits.spread_g:
            self.restart(f"the load changed by {load - before.load_g:+.2f} g")
            return True
        if not self._count:
            self._start_us = time_us
        self._sum_g += load
        self._count += 1
        return self.reading is not before

    def close_block(self, time_us: int, end_us: int) -> None:
        """Judge the samples since the last call; `end_us` is where the next block begins."""
        if not self._count:
            return
        mean_g = self._sum_g / self._count
        blocks = self._blocks
        while len(blocks) >= KEPT_BLOCKS and blocks[0][0] < time_us - self._limits.mean_us:
            blocks.popleft()
        means = [block[3] for block in blocks]
        means.append(mean_g)
        spread_g = max(means) - min(means)
        if spread_g > self._limits.spread_g:
            self.restart(f"the load changed by {spread_g:.2f} g")  # without this block: the change is in it
            return
        if not blocks:
            self._since_us = self._start_us
        blocks.append((self._start_us, self._sum_g, self._count, mean_g))
        self._sum_g = 0.0
        self._count = 0
        if len(blocks) >= MIN_BLOCKS and end_us - self._since_us >= self._limits.window_us:
            load_g = sum([block[1] for block in blocks]) / sum([block[2] for block in blocks])
            self.reading = ChannelReading(ReadingState.QUIET, load_g, self._since_us, "")

    def restart(self, reason: str) -> None:
        """Forget the stretch and the open block."""
        self._blocks.clear()
        self._sum_g = 0.0
        self._count = 0
        self.reading = ChannelReading(ReadingState.MOVING, None, None, reason)

    def _take_fault(self, time_us: int, fault: Fault) -> bool:
        """Let a passing fault pass; say any other."""
        before = self.reading
        if fault.kind in _PASSING and before.state is not ReadingState.FAULT:
            if self._missing_us is None:
                self._missing_us = time_us
            if time_us - self._missing_us <= self._limits.window_us:
                return False
        if before.state is not ReadingState.FAULT or before.reason != fault.detail:
            self.restart(fault.detail)
            self.reading = ChannelReading(ReadingState.FAULT, None, None, fault.detail)
        return self.reading is not before
