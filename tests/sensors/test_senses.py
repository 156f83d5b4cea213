"""Gate and settler together, and channels that count beside those that weigh."""

import random
from collections.abc import Sequence

import pytest

from sensors.calibration import COUNTER, Calibration, ChannelCalibration
from sensors.readings import ChannelReading, ReadingState
from sensors.samples import ChannelStatus, RawSample
from sensors.senses import Senses

QUIET, MOVING, FAULT = ReadingState.QUIET, ReadingState.MOVING, ReadingState.FAULT
OK = ChannelStatus.OK
CELL = ChannelCalibration(100_000.0, 15_000.0)
SECOND = 1_000_000
CELL_AT_NINE = 235_000


class Bench:
    """Senses with any channels; a stone of 1 g, and 120 units of noise."""

    def __init__(
        self, *rows: ChannelCalibration, rate: float = 80.0, declared: float | None = None, seed: int = 0
    ) -> None:
        self.rows = rows or (CELL,)
        self.senses = Senses(Calibration("b", 1.0, 3.0, self.rows), rate if declared is None else declared)
        self.period = round(SECOND / rate)
        self.rng = random.Random(seed)
        self.now = 0

    def raw(self, stones: float, sigma: float = 120.0) -> int:
        """Return what a cell gives."""
        return round(CELL.zero_raw + stones * CELL.raw_per_g + self.rng.gauss(0, sigma))

    def put(self, *raw: int, status: Sequence[ChannelStatus] = ()) -> tuple[ChannelReading, ...]:
        """Give one sample."""
        self.now += self.period
        return self.senses.update(self.now, RawSample(self.now, raw, tuple(status) or (OK,) * len(raw)))

    def hold(self, seconds: float, stones: float, sigma: float = 120.0) -> list[ChannelReading]:
        """Give the same load on the first channel, the only one, for this long."""
        count = round(seconds * SECOND / self.period)
        return [self.put(self.raw(stones, sigma))[0] for _ in range(count)]


@pytest.mark.parametrize("rate", [10.0, 80.0])
def test_one_bad_sample_in_a_hundred_ends_no_stretch(rate: float) -> None:
    """All kinds of them, for two minutes; the load never leaves the truth."""
    bench = Bench(rate=rate, seed=1)
    since = bench.hold(2, 9)[-1].since_us
    for _ in range(round(120 * rate)):
        raw = bench.raw(9)
        if bench.rng.random() < 0.01:
            raw = bench.rng.choice([-1, 4095, 2 * raw, raw // 2, raw // 4, -raw, raw ^ 0x7FFF, 8_388_607])
        (reading,) = bench.put(raw)
        assert (reading.state, reading.since_us) == (QUIET, since)
        assert reading.load_g == pytest.approx(9, abs=0.02)


def test_a_stuck_channel_is_said_with_its_reason() -> None:
    """And quiet is earned anew when it converts again; what it weighed before stays known."""
    bench = Bench()
    bench.hold(1, 9)
    readings = [bench.put(CELL_AT_NINE)[0] for _ in range(40)]
    assert readings[-1].state is FAULT
    assert "again and again" in str(readings[-1].reason)
    assert readings[-1].level_g is None
    last = bench.hold(1, 9)[-1]
    assert last.state is QUIET
    assert [past.load_g for past in last.past] == [pytest.approx(9, abs=0.01)]


def test_a_channel_read_badly_too_often_is_said_with_its_reason() -> None:
    """Although each of its faults alone would pass."""
    bench = Bench()
    bench.hold(1, 9)
    readings = [bench.put(-1 if k % 3 == 0 else bench.raw(9))[0] for k in range(160)]
    assert readings[0].state is QUIET
    assert readings[-1].state is FAULT
    assert "a fifth of its readings" in str(readings[-1].reason)


@pytest.mark.parametrize("declared", [10.0, 64.0, 80.0, 96.0, 0.0])
@pytest.mark.parametrize("rate", [10.0, 80.0])
def test_the_declared_rate_may_be_wrong(rate: float, declared: float) -> None:
    """After some seconds the measured one counts."""
    bench = Bench(rate=rate, declared=declared)
    last = bench.hold(5, 9)[-1]
    assert last.from_us is not None
    assert bench.now - last.from_us <= (300_000 if rate > 40 else 500_000)
    assert last.samples == (24 if rate > 40 else 6)


def test_a_noisy_channel_stays_quiet_and_shows_a_stone_all_the_same() -> None:
    """A tenth of a stone of noise: the spread and the gate follow it."""
    bench = Bench(seed=3)
    readings = bench.hold(60, 9, sigma=0.1 * CELL.raw_per_g)
    assert sum(reading.state is not QUIET for reading in readings[160:]) < 20
    assert readings[-1].noise_g == pytest.approx(0.1, rel=0.4)
    after = bench.hold(1, 10, sigma=0.1 * CELL.raw_per_g)
    assert {reading.state for reading in after[4:20]} == {MOVING}
    assert after[-1].load_g == pytest.approx(10, abs=0.1)


def test_a_counter_is_quiet_and_tells_its_pulses() -> None:
    """In its place among the others, with no load; the cells about it are judged as ever."""
    bench = Bench(CELL, COUNTER, CELL)
    for k in range(80):
        readings = bench.put(bench.raw(9), 8_388_600 + k // 10, bench.raw(2))
    assert [reading.state for reading in readings] == [QUIET] * 3
    assert [reading.load_g for reading in readings] == [
        pytest.approx(9, abs=0.01), None, pytest.approx(2, abs=0.01)
    ]  # fmt: skip
    assert [reading.pulses for reading in readings] == [None, 7, None]
    assert readings[1].since_us == bench.period
    readings = bench.put(bench.raw(9), 0, bench.raw(2))
    assert readings[1].pulses == 8
    same = bench.put(bench.raw(9), 0, bench.raw(2))
    assert same[1] is readings[1]


def test_a_counter_that_cannot_be_true_is_a_fault() -> None:
    """With its reason, as long as it lasts."""
    bench = Bench(CELL, COUNTER)
    for _ in range(40):
        bench.put(bench.raw(9), 50)
    _, fault = bench.put(bench.raw(9), 4_000_000)
    assert (fault.state, fault.load_g, fault.pulses) == (FAULT, None, None)
    assert "more than stones can make" in str(fault.reason)
    excluded = bench.put(bench.raw(9), 0, status=(OK, ChannelStatus.EXCLUDED))
    assert [reading.state for reading in excluded] == [QUIET, FAULT]
    _, well = bench.put(bench.raw(9), 51)
    assert (well.state, well.pulses, well.since_us) == (QUIET, 1, bench.now)


def test_another_number_of_channels_is_no_end() -> None:
    """Such a device is refused elsewhere; nothing breaks here."""
    bench = Bench(CELL, COUNTER)
    for _ in range(100):
        readings = bench.put(1, 2, 3)
    assert readings[2].state is FAULT
    assert bench.put() == ()


def test_the_same_samples_give_the_same_readings() -> None:
    """To the last bit: a replay takes every decision again."""
    one, other = Bench(seed=5), Bench(seed=5)
    assert one.hold(3, 9) == other.hold(3, 9)


def test_a_board_without_any_cell_is_read_too() -> None:
    """Count sensors alone: each gives its pulses since the first sample."""
    bench = Bench(COUNTER, COUNTER)
    bench.put(5, 100)
    readings = bench.put(7, 100)
    assert [(reading.state, reading.pulses) for reading in readings] == [(QUIET, 2), (QUIET, 0)]
