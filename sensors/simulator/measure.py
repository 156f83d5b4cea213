"""Calibrating a simulated board as one calibrates a real one: empty, with test weights, with all stones.

Nothing here looks at hidden constants. The board is warm, and nobody else is at the table; the result carries
the errors of honest work all the same: noise averaged over two seconds, a bow and a play of the cells, what
comes through the plate, a zero that will have moved by the time of the game.
"""

from collections.abc import Mapping
from statistics import fmean

from sensors.calibration import Calibration, ChannelCalibration
from sensors.frames import STATUS_OK
from sensors.simulator.world import CellWorld

SMALL_REFERENCE_G = 50.0
LARGE_REFERENCE_G = 200.0
"""The test weights, the larger one for cells of 400 g and more: class M1 weights are right within 3 and
10 mg, which is nothing here."""
LARGE_FROM_G = 400.0

WARM_UP_S = 1800.0
"""How long the board is on before it is calibrated: two time constants of its warm-up."""

REST_US = 1_000_000
MEASURE_US = 2_000_000
"""How long the hands are off before a reading, and how long it is averaged."""


class _Bench:
    """A copy of the world in which one may lay weights."""

    def __init__(self, world: CellWorld, seed: int) -> None:
        self.world = world.copy(seed)
        self.world.calm()
        self.world.lapse(WARM_UP_S)
        self.channels = range(len(world.cells))
        self.stones = sum(world.stones(channel) for channel in self.channels) + world.boxed
        small_g = min(cell.kind.capacity_g for cell in world.cells)
        # every second one: what comes through the plate falls on empty cups and is not counted
        self.heaps = [c for c in self.channels if world.cells[c].kind.capacity_g == small_g][::2]
        self._time_us = float(world.time_us)

    def mean_raw(self) -> list[float]:
        """Return the average reading of each channel after a rest."""
        self._read(REST_US)
        readings = self._read(MEASURE_US)
        return [_typical([row[channel] for row in readings]) for channel in self.channels]

    def lay(self, stones: Mapping[int, int], marked: int | None = None) -> list[float]:
        """Lay out stones and perhaps one mark, and read."""
        self.world.lay_out(stones, () if marked is None else (marked,))
        return self.mean_raw()

    def lay_heaps(self) -> list[float]:
        """Lay out all stones in heaps as equal as they can be in every second pit, and read them."""
        each, over = divmod(self.stones, len(self.heaps))
        raw = self.lay({c: each + (index < over) for index, c in enumerate(self.heaps)})
        return [raw[channel] for channel in self.heaps]

    def raw_per_g(self, channel: int, empty_raw: float) -> float:
        """Lay a test weight on a channel, read, take it off again; return the channel's sensitivity."""
        large = self.world.cells[channel].kind.capacity_g >= LARGE_FROM_G
        reference_g = LARGE_REFERENCE_G if large else SMALL_REFERENCE_G
        self.world.add_weight(channel, reference_g, self.now_us)
        loaded_raw = self.mean_raw()[channel]
        self.world.add_weight(channel, -reference_g, self.now_us)
        return (loaded_raw - empty_raw) / reference_g

    @property
    def now_us(self) -> int:
        """Time of the last reading."""
        return round(self._time_us)

    def _read(self, for_us: int) -> list[list[int | None]]:
        """Read for a while; None stands where there was no good reading."""
        rows: list[list[int | None]] = []
        for _ in range(round(for_us / self.world.period_us)):
            self._time_us += self.world.period_us
            reading = self.world.read(self.now_us)
            good = [status == STATUS_OK for status in reading.status]
            rows.append([raw if ok else None for raw, ok in zip(reading.raw, good, strict=True)])
        return rows


def _typical(values: list[int | None]) -> float:
    """Return the mean of the middle half: bad samples do not count; 0 if there is none."""
    good = sorted([value for value in values if value is not None])
    quarter = len(good) // 4
    middle = good[quarter : len(good) - quarter]
    return fmean(middle) if middle else 0.0


def measure_calibration(world: CellWorld, board_id: str, seed: int = 0) -> Calibration:
    """Return the calibration a careful person would get on this board today.

    Args:
        world: the board; it is copied and stays as it is.
        board_id: of the device, written into the calibration.
        seed: of the noise met while measuring.

    Returns:
        Zero and sensitivity of each channel, the mean mass of all stones and that of the marks.
    """
    bench, channels = _calibrated(world, seed)
    heaps = [channels[channel] for channel in bench.heaps]
    unit_g = sum(_loads_g(bench.lay_heaps(), heaps)) / bench.stones
    zero_raw = bench.lay({})
    marked_g = []
    for channel in (0, 1):
        marked_raw = bench.lay({}, marked=channel)[channel]
        marked_g.append((marked_raw - zero_raw[channel]) / channels[channel].raw_per_g)
    return Calibration(board_id, unit_g, fmean(marked_g), tuple(channels))


def _calibrated(world: CellWorld, seed: int) -> tuple[_Bench, list[ChannelCalibration]]:
    """Return a bench and what its channels were found to be, each with a weight of its own at a time."""
    bench = _Bench(world, seed)
    zero_raw = bench.lay({})
    slopes = [bench.raw_per_g(channel, zero_raw[channel]) for channel in bench.channels]
    return bench, [ChannelCalibration(zero, slope) for zero, slope in zip(zero_raw, slopes, strict=True)]


def _loads_g(raw: list[float], channels: list[ChannelCalibration]) -> list[float]:
    return [(value - c.zero_raw) / c.raw_per_g for value, c in zip(raw, channels, strict=True)]
