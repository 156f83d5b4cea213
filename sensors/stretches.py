"""One channel of `settle.py`: its blocks, its present stretch of quiet, and those that are over."""

from collections.abc import Sequence
from dataclasses import dataclass
from math import inf
from typing import NamedTuple

from sensors.readings import MAX_PAST, ChannelReading, ReadingState, Stretch, spread_for
from sensors.samples import Fault, FaultKind, Load

WATCH_US = 500_000
"""Over which block means must agree, and which a stretch that is over is averaged over, at most."""
KEPT_BLOCKS = 6
"""Blocks kept at least, so that a slow device's step response is seen whole."""
MIN_BLOCKS = 5
"""Blocks a quiet stretch has at least: four, which is the step response of a slow device, behind the
first one, which may still hold the end of it and is not averaged."""

_FIRST_REASON = "first samples"
_PASSING = (
    FaultKind.NOT_READY,
    FaultKind.READ_ERROR,
    FaultKind.SPIKE,
    FaultKind.UNCONFIRMED,
    FaultKind.RESTLESS,
)
"""Faults that mean no more than a missing sample, as long as they do not last."""
_OFF = 2.0
"""Spreads by which single samples may differ: 0.6 of a stone, or 6 standard deviations and more."""
_ABSOLUTE_DIFFERENCE = 1.1284
"""Mean absolute difference of two normal values in standard deviations: 2 / sqrt(pi)."""
_USUAL_SHARE = 0.02
"""Weight of a new block in what is usual for the channel: some seconds of quiet."""


@dataclass(slots=True)
class Limits:
    """What quiet means, for all channels.

    Attributes:
        spread_g: how far block means may lie apart.
        window_us: how long they must have been close.
        mean_us: over how much of it, at most, the load is averaged.
        unit_g: mass of a stone, if the spread is to follow the noise of each channel; else None.
    """

    spread_g: float
    window_us: int
    mean_us: int
    unit_g: float | None


class Block(NamedTuple):
    """Some samples in a row.

    Attributes:
        start_us: time of the first.
        total_g: their sum.
        samples: how many there are.
        mean_g: their mean.
        spans_g: sum of the absolute differences to the samples of the block before, one by one.
        spans: how many differences these are.
    """

    start_us: int
    total_g: float
    samples: int
    mean_g: float
    spans_g: float
    spans: int


class Channel:
    """One channel.

    Attributes:
        reading: what can be said now.
        low_g: a sample below it is handed to `stray`.
        high_g: a sample above it is, too.
        first_row: samples of the open block that are not of this channel's stretch.
    """

    __slots__ = (
        "_before",
        "_blocks",
        "_last_missing",
        "_last_stray",
        "_level_g",
        "_limits",
        "_lone",
        "_missing_us",
        "_noise_g",
        "_past",
        "_since_us",
        "_spread_g",
        "_stray_g",
        "_stray_us",
        "_usual_g",
        "first_row",
        "high_g",
        "low_g",
        "reading",
    )

    def __init__(self, limits: Limits) -> None:
        self._limits = limits
        self._spread_g = limits.spread_g
        self._blocks: list[Block] = []
        self._before: Sequence[float] = ()
        self._lone: Block | None = None
        self._since_us = 0
        self._last_missing = self._last_stray = -2
        self._missing_us = self._stray_us = 0
        self._stray_g = self._noise_g = self._usual_g = 0.0
        self._level_g: float | None = None
        self._past: tuple[Stretch, ...] = ()
        self.first_row = 0
        self.reading = ChannelReading(ReadingState.MOVING, None, None, _FIRST_REASON)
        self.low_g, self.high_g = -inf, inf

    # --- single samples ---------------------------------------------------------------------------

    def stray(self, time_us: int, load_g: float, frame: int, row: int) -> bool:
        """Take a sample outside `low_g` .. `high_g`; return whether the reading changed by it.

        Args:
            time_us: device time.
            load_g: grams.
            frame: number of the sample among all.
            row: number of the sample in the open block.
        """
        quiet_g = self.reading.load_g
        if quiet_g is None:
            self._begin(_FIRST_REASON, row)  # the end of a fault
            return True
        if self._last_stray == frame - 1:
            self.end_stretch(self._stray_us)
            together = abs(load_g - self._stray_g) <= self._spread_g
            self._begin(
                f"the load changed by {load_g - quiet_g:+.2f} g", max(0, row - 1) if together else row
            )
            if together and not row:
                self._add_lone(Block(self._stray_us, self._stray_g, 1, self._stray_g, 0.0, 0))
            return True
        self._last_stray = frame
        self._stray_us, self._stray_g = time_us, load_g
        return False

    def miss(self, time_us: int, fault: Fault, frame: int) -> bool:
        """Take a fault in place of a sample: let a passing one pass, say any other."""
        before = self.reading
        if fault.kind in _PASSING and before.state is not ReadingState.FAULT:
            if self._last_missing != frame - 1:
                self._missing_us = time_us
            self._last_missing = frame
            if self._last_stray == frame - 1:
                self._last_stray = frame
            if time_us - self._missing_us <= self._limits.window_us:
                return False
        if before.state is ReadingState.FAULT and before.reason == fault:
            return False
        self.end_stretch(time_us)
        self._level_g = None
        self._begin("", 0)
        self._say(ReadingState.FAULT, fault)
        self.low_g, self.high_g = inf, -inf
        return True

    # --- blocks -----------------------------------------------------------------------------------

    def close_block(self, times: Sequence[int], column: Sequence[Load], end_us: int) -> None:
        """Judge the samples since the last call.

        Args:
            times: device times of the open block's samples.
            column: this channel's loads at these times.
            end_us: where the next block begins.
        """
        first, self.first_row = self.first_row, 0
        start_us = times[min(first, len(times) - 1)]
        values = [load for load in column[first:] if not isinstance(load, Fault)]
        if not values:
            return
        if len(values) < len(column) - first:
            start_us = next(t for t, load in zip(times, column, strict=True) if load is values[0])
        self._judge(start_us, values, times[-1], end_us)

    def _judge(self, start_us: int, values: list[float], time_us: int, end_us: int) -> None:
        """Add the block to the stretch, or end the stretch with it."""
        limit_g = self._spread_g
        range_g = max(values) - min(values)
        whole = range_g <= _OFF * limit_g
        if not whole and len(values) > 2:
            values = _without_outlier(values)
            range_g = max(values) - min(values)
            whole = range_g <= _OFF * limit_g
        total_g, samples, before = sum(values), len(values), self._before
        spans = min(samples, len(before))
        spans_g = (
            sum([min(abs(a - b), limit_g) for a, b in zip(values, before, strict=False)]) if spans else 0.0
        )
        self._before = values
        mean_g = self._level_g = total_g / samples
        block = Block(start_us, total_g, samples, mean_g, spans_g, spans)
        blocks = self._blocks
        while len(blocks) >= KEPT_BLOCKS and blocks[0].start_us < time_us - WATCH_US:
            del blocks[0]
        means = [known.mean_g for known in blocks]
        means.append(mean_g)
        spread_g = max(means) - min(means)
        if spread_g > limit_g and len(blocks) > 1 and blocks[0].start_us == self._since_us:
            rest_g = max(means[1:]) - min(means[1:])
            if rest_g <= limit_g:  # the end of the motion was in the first block, and nothing else has moved
                del blocks[0]
                self._since_us, spread_g = blocks[0].start_us, rest_g
        if spread_g <= limit_g and whole:
            if not blocks:
                self._since_us = start_us
            blocks.append(block)
            self._lone = None
            self._settle(time_us, end_us)
        else:
            self._leave(block, f"the load changed by {max(spread_g, range_g):.2f} g", range_g)

    def _leave(self, block: Block, reason: str, range_g: float) -> None:
        """Take a block that is not of the stretch: the stretch is over, unless it is one lone sample."""
        lone, limit_g = self._lone, self._spread_g
        if block.samples <= 2 and (block.samples == 1 or range_g > limit_g) and lone is None and self._blocks:
            self._lone = block
            self._resay()
            return
        self.end_stretch(block.start_us if lone is None else lone.start_us)
        self._begin(reason, 0)
        if range_g > limit_g:
            return  # the change is in it
        self._blocks.append(block._replace(spans_g=0.0, spans=0))
        self._since_us = block.start_us
        if lone is not None and lone.samples == 1 and abs(lone.mean_g - block.mean_g) <= limit_g:
            self._add_lone(lone)

    def _add_lone(self, block: Block) -> None:
        """Let the stretch begin with this sample, which came before what is in it."""
        self._blocks.insert(0, block._replace(spans_g=0.0, spans=0))
        self._since_us = block.start_us

    def _settle(self, time_us: int, end_us: int) -> None:
        """Say what the blocks of the stretch mean together."""
        blocks, limits = self._blocks, self._limits
        if len(blocks) < MIN_BLOCKS or end_us - self._since_us < limits.window_us:
            self._resay()
            return
        earliest_us = time_us - limits.mean_us
        first = len(blocks) - (MIN_BLOCKS - 1)
        while first > 0 and blocks[first - 1].start_us >= earliest_us:
            first -= 1
        if blocks[first].start_us == self._since_us:
            first += 1
        mean_g, noise_g, samples = _pooled(blocks[first:])
        self._noise_g = noise_g
        if limits.unit_g is not None:
            self._follow_noise(limits.unit_g, samples / (len(blocks) - first))
        reach_g = _OFF * self._spread_g
        self.low_g, self.high_g = mean_g - reach_g, mean_g + reach_g
        self.reading = ChannelReading(
            ReadingState.QUIET,
            mean_g,
            self._since_us,
            "",
            noise_g,
            samples,
            blocks[first].start_us,
            self._level_g,
            self._past,
        )

    def _follow_noise(self, unit_g: float, samples: float) -> None:
        """Let the spread follow what is usual; `samples` of them make a block."""
        usual_g = self._usual_g
        self._usual_g = usual_g + (self._noise_g - usual_g) * _USUAL_SHARE if usual_g else self._noise_g
        self._spread_g = spread_for(unit_g, self._usual_g * float((4.0 / samples) ** 0.5))

    # --- the end of a stretch ------------------------------------------------------------------------

    def end_stretch(self, until_us: int) -> None:
        """Keep what the stretch weighed, if it was one, and when the motion began."""
        if self.reading.state is not ReadingState.QUIET:
            return
        blocks = self._blocks
        if len(blocks) >= MIN_BLOCKS:
            blocks = blocks[:-1]  # what broke it may have begun in the last one, too little to be seen
        if blocks[0].start_us == self._since_us and len(blocks) > 1:
            blocks = blocks[1:]
        load_g, noise_g, samples = _pooled(blocks)
        past = Stretch(self._since_us, until_us, load_g, noise_g, samples)
        self._past = (*self._past[1 - MAX_PAST :], past)

    def restart(self, reason: str, until_us: int) -> None:
        """End the stretch at this time and begin anew."""
        self.end_stretch(until_us)
        self._begin(reason, 0)

    def forget(self) -> None:
        """Forget the stretches that are over: they are of another time."""
        self._past = ()
        self._resay()

    def _begin(self, reason: str, row: int) -> None:
        """Begin a stretch anew with this sample of the open block."""
        self._blocks = []
        self._before = ()
        self._lone = None
        self.first_row = row
        self._last_stray = -2
        self._say(ReadingState.MOVING, reason)

    def _say(self, state: ReadingState, reason: Fault | str) -> None:
        self.reading = ChannelReading(
            state, None, None, reason, self._noise_g, 0, None, self._level_g, self._past
        )
        self.low_g, self.high_g = -inf, inf

    def _resay(self) -> None:
        """Say again that it moves, with the newest level."""
        if self.reading.state is ReadingState.MOVING:
            self._say(ReadingState.MOVING, self.reading.reason)


def _without_outlier(values: list[float]) -> list[float]:
    """Return the samples, sorted, without the one that lies furthest from their middle."""
    ordered = sorted(values)
    middle = ordered[len(ordered) // 2]
    return ordered[1:] if middle - ordered[0] > ordered[-1] - middle else ordered[:-1]


def _pooled(blocks: Sequence[Block]) -> tuple[float, float, int]:
    """Return mean, noise of single samples, and number of samples of these blocks."""
    samples = sum([block.samples for block in blocks])
    spans = sum([block.spans for block in blocks])
    noise_g = sum([block.spans_g for block in blocks]) / (spans * _ABSOLUTE_DIFFERENCE) if spans else 0.0
    return sum([block.total_g for block in blocks]) / samples, noise_g, samples
