"""Calibrating a simulated board as one calibrates a real one: empty, with test weights, with all stones.

Nothing here looks at hidden constants. The result carries the errors of honest work: noise averaged over
two seconds, a bow and a play of the cells, a zero that will have moved by the time of the game.
"""

from collections.abc import Mapping
from statistics import fmean

from sensors.calibration import Calibration, ChannelCalibration
from sensors.simulator.world import CellWorld

REFERENCE_G = 50.0
"""The test weight: a class M1 weight of 50 g is right within 3 mg, which is nothing here."""

REST_US = 1_000_000
MEASURE_US = 2_000_000
"""How long the hands are off before a reading, and how long it is averaged."""


class _Bench:
    """A copy of the world in which one may lay weights."""

    def __init__(self, world: CellWorld, seed: int) -> None:
        self.world = world.copy(seed)
        self.channels = range(len(world.cells))
        self._samples = 0
        self._start_us = world.time_us

    def mean_raw(self) -> list[float]:
        """Return the average reading of each channel after a rest."""
        self._read(REST_US)
        return [fmean(values) for values in zip(*self._read(MEASURE_US), strict=True)]

    def lay(self, stones: Mapping[int, int], marked: int | None = None) -> list[float]:
        """Lay out stones and perhaps one mark, and read."""
        self.world.lay_out(stones, () if marked is None else (marked,))
        return self.mean_raw()

    def weigh_reference(self) -> list[float]:
        """Lay the test weight on every channel, read, and take it off again."""
        for channel in self.channels:
            self.world.add_weight(channel, REFERENCE_G, self.now_us)
        loaded = self.mean_raw()
        for channel in self.channels:
            self.world.add_weight(channel, -REFERENCE_G, self.now_us)
        return loaded

    @property
    def now_us(self) -> int:
        """Time of the last reading."""
        return self._start_us + round(self._samples * self.world.period_us)

    def _read(self, for_us: int) -> list[tuple[int, ...]]:
        readings = []
        for _ in range(round(for_us / self.world.period_us)):
            self._samples += 1
            readings.append(self.world.read(self.now_us).raw)
        return readings


def measure_calibration(world: CellWorld, board_id: str, seed: int = 0) -> Calibration:
    """Return the calibration a careful person would get on this board today.

    Args:
        world: the board; it is copied and stays as it is.
        board_id: of the device, written into the calibration.
        seed: of the noise met while measuring.

    Returns:
        Zero and sensitivity of each channel, the mean mass of all stones and that of the marks.
    """
    bench = _Bench(world, seed)
    zero_raw = bench.lay({})
    loaded_raw = bench.weigh_reference()
    raw_per_g = [(loaded - zero) / REFERENCE_G for loaded, zero in zip(loaded_raw, zero_raw, strict=True)]

    def loads_g(raw: list[float]) -> list[float]:
        return [(value - zero) / slope for value, zero, slope in zip(raw, zero_raw, raw_per_g, strict=True)]

    stones = sum(world.stones(channel) for channel in bench.channels) + world.boxed
    spread = {c: stones // len(bench.channels) for c in bench.channels}
    spread[0] += stones % len(bench.channels)
    unit_g = sum(loads_g(bench.lay(spread))) / stones
    mark_g = fmean(loads_g(bench.lay({}, marked=channel))[channel] for channel in (0, 1))
    channels = [ChannelCalibration(zero, slope) for zero, slope in zip(zero_raw, raw_per_g, strict=True)]
    return Calibration(board_id, unit_g, mark_g, tuple(channels))
