"""Quiet or moving: which channels can be believed now, since when, and what lay there before.

Samples are gathered into blocks of about 50 ms (one sample each on a slow device), which takes the
edge off noise. A channel is quiet when its block means have stayed within a spread of each other for
`window_us`, over at least five blocks. Its load is the mean of the last 300 ms at most (500 ms on a slow
device), so a slow drift is followed and stays quiet, while a step of half a stone always leaves the spread.
The first block of a stretch never counts for the load: the end of the converter's step response is in it.

A stretch ends with a block that leaves the spread, with two samples in a row that are further off than
twice the spread, with a fault, or with a gap longer than the window. One outlying sample ends nothing:
its block is averaged without it. What a stretch weighed stays known (`ChannelReading.past`), without
the blocks in which the motion began.

All times are device time. A sample that belongs to no disturbance costs a comparison; the rest is done
once a block, at a cost that does not depend on how long a stretch has lasted.
"""

from collections.abc import Sequence
from typing import cast

from sensors.period import SamplePeriod
from sensors.readings import ChannelReading, ReadingState, Stretch, spread_for
from sensors.samples import Fault, Load
from sensors.stretches import Channel, Limits

__all__ = ["ChannelReading", "ReadingState", "Settler", "Stretch", "spread_for"]

WINDOW_US = 300_000
"""Default length of quiet: about three conversions at 10 samples a second, 24 at 80."""
MEAN_US = 300_000
"""Default length over which the load is averaged: young enough to decide 0.3 s after a press."""
SLOW_MEAN_US = 500_000
"""The same on a slow device: five conversions at 10 a second."""
SLOW_PERIOD_US = 30_000
"""A device with a longer period than this is a slow one: a HX711 has 12.5 or 100 ms, give or take a fifth."""
BLOCK_US = 50_000
"""The filter of a converter spreads a step over four samples: one block at 80 a second."""
_PERIOD_SHARE = 0.1
"""Weight of a new interval in the measured period: the declared rate is forgotten within 20 samples."""

DEFAULT_RATE_HZ = 80.0
"""Of a device that does not declare its rate; it is measured anyway."""


class Settler:
    """Judges all channels of one board, sample after sample.

    Args:
        spread_g: how far block means may lie apart in quiet; see `spread_for`.
        window_us: how long the load must have been quiet.
        mean_us: over how much of the quiet stretch, at most, the load is averaged; None: what suits the
            rate, which is measured.
        rate_hz: samples a second as declared, until it is measured; 0 unknown.
        unit_g: mass of a stone, if the spread is to follow the noise of each channel; None: it stays.
    """

    def __init__(
        self,
        *,
        spread_g: float,
        window_us: int = WINDOW_US,
        mean_us: int | None = None,
        rate_hz: float = DEFAULT_RATE_HZ,
        unit_g: float | None = None,
    ) -> None:
        given_us = MEAN_US if mean_us is None else mean_us
        if min(spread_g, window_us, given_us) <= 0:
            raise ValueError(
                f"spread {spread_g} g, window {window_us} us, mean {given_us} us: all must be positive"
            )
        self._limits = Limits(spread_g, window_us, given_us, unit_g)
        self._mean_follows = mean_us is None
        period_us = 1e6 / rate_hz if rate_hz > 0 else float(SLOW_PERIOD_US)
        self._period = SamplePeriod(period_us, share=_PERIOD_SHARE, longest_us=window_us)
        self._channels: list[Channel] = []
        self._numbers = range(0)
        self._lows: list[float] = []
        self._highs: list[float] = []
        self._readings: tuple[ChannelReading, ...] = ()
        self._last_us = 0
        self._block_us = 0
        self._frame = 0
        self._times: list[int] = []
        self._rows: list[Sequence[Load]] = []

    def update(self, time_us: int, loads: Sequence[Load]) -> tuple[ChannelReading, ...]:
        """Take one sample and return what can be said of each channel after it.

        Args:
            time_us: device time of the sample.
            loads: grams per channel, or why there are none. Another number of channels than before
                begins everything anew.
        """
        step_us = time_us - self._last_us
        self._frame += 1
        changed = False
        if len(loads) != len(self._channels):
            self._make(len(loads), time_us)
            changed, step_us = True, round(self._period.us)
        elif step_us <= 0 or step_us > self._limits.window_us:
            self._break_all(time_us, step_us)
            changed, step_us = True, round(self._period.us)
        else:
            self._period.take(step_us)
        self._last_us = time_us
        self._times.append(time_us)
        self._rows.append(loads)
        changed |= self._look(time_us, loads)
        end_us = time_us + step_us
        if end_us - self._block_us >= BLOCK_US:
            self._close_blocks(end_us)
            changed = True
        if changed:
            self._publish()
        return self._readings

    def _look(self, time_us: int, loads: Sequence[Load]) -> bool:
        """Look for samples that are no more of the same; return whether a reading changed by one."""
        lows, highs = self._lows, self._highs
        try:
            columns = zip(self._numbers, cast("Sequence[float]", loads), lows, highs, strict=True)
            strays = [number for number, load, low, high in columns if not low <= load <= high]
        except TypeError:  # a fault is among them, and cannot be compared
            strays = [
                number
                for number, load in enumerate(loads)
                if isinstance(load, Fault) or not lows[number] <= load <= highs[number]
            ]
        changed = False
        for number in strays:
            load, channel = loads[number], self._channels[number]
            if isinstance(load, Fault):
                changed |= channel.miss(time_us, load, self._frame)
            else:
                changed |= channel.stray(time_us, load, self._frame, len(self._rows) - 1)
        return changed

    def _close_blocks(self, end_us: int) -> None:
        if self._mean_follows:
            self._limits.mean_us = MEAN_US if self._period.us < SLOW_PERIOD_US else SLOW_MEAN_US
        times = self._times
        for channel, column in zip(self._channels, zip(*self._rows, strict=True), strict=True):
            channel.close_block(times, column, end_us)
        self._open_block(end_us)

    def _open_block(self, start_us: int) -> None:
        self._block_us = start_us
        self._times, self._rows = [], []

    def _publish(self) -> None:
        channels = self._channels
        self._readings = tuple([channel.reading for channel in channels])
        self._lows = [channel.low_g for channel in channels]
        self._highs = [channel.high_g for channel in channels]

    def _make(self, how_many: int, time_us: int) -> None:
        self._channels = [Channel(self._limits) for _ in range(how_many)]
        self._numbers = range(how_many)
        self._open_block(time_us)
        self._publish()

    def _break_all(self, time_us: int, step_us: int) -> None:
        """Begin every stretch anew after a hole in the samples."""
        if step_us > 0:
            reason = f"no samples for {step_us / 1e6:.1f} s"
        else:
            reason = "device time did not go forward"
        for channel in self._channels:
            channel.restart(reason, self._last_us)
            if step_us <= 0:
                channel.forget()
        self._open_block(time_us)
        self._publish()
