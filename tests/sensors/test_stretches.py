"""What a decision rests on: which samples, how noisy, what lay there before and when that ended."""

import math
from collections.abc import Sequence

import pytest

from sensors.samples import Fault, FaultKind, Load
from sensors.settle import ChannelReading, Settler
from tests.sensors.settling import MOVING, MS, QUIET, RATES, SECOND, Bench, broken, states


class Kept(Settler):
    """A settler that keeps the loads of the first channel that it was given, with their times."""

    def update(self, time_us: int, loads: Sequence[Load]) -> tuple[ChannelReading, ...]:
        """Keep and go on."""
        self.given: list[tuple[int, Load]]
        self.given = [*getattr(self, "given", []), (time_us, loads[0])]
        return super().update(time_us, loads)


@pytest.mark.parametrize("rate", [10, 11.7, 64, 80, 93])
def test_the_mean_is_of_the_samples_it_names(rate: float) -> None:
    """Whatever the noise: the samples from `from_us` on, all of the stretch and none older than allowed."""
    settler = Kept(spread_g=0.3, rate_hz=rate)
    bench = Bench(rate, noise_g=0.05, seed=2, settler=settler)
    seen = 0
    for _ in range(round(4 * rate)):
        (reading,) = bench.put(9.0 if bench.now < 9 * SECOND else 10.0)
        if reading.state is QUIET and reading.level_g is not None:
            assert reading.from_us is not None
            assert reading.since_us is not None
            assert reading.since_us < reading.from_us
            newer = [load for time, load in settler.given if time >= reading.from_us]
            behind = [load for load in newer[: reading.samples] if not isinstance(load, Fault)]
            assert reading.load_g == pytest.approx(sum(behind) / len(behind), abs=1e-9)
            assert bench.now - reading.from_us <= (300 if rate > 40 else 500) * MS + 4 * bench.period
            seen += 1
    assert seen > rate


def test_noise_is_measured_whatever_the_drift() -> None:
    """The standard deviation of single samples, within the luck of 24; drift and an outlier change little."""
    for noise_g in (0.02, 0.1):
        bench = Bench(noise_g=noise_g, seed=5)
        readings = list(bench.run(60 * SECOND, lambda seconds: 9.0 + 0.05 * seconds))[80::24]
        assert sum(reading.noise_g for reading in readings) / len(readings) == pytest.approx(
            noise_g, rel=0.08
        )
        assert all(0.4 * noise_g < reading.noise_g < 1.9 * noise_g for reading in readings)
        bench.put(14.0)
        assert bench.hold(SECOND // 8, 12.0)[-1].noise_g < 2 * noise_g


@pytest.mark.parametrize(("rate", "hertz"), [(80, 4), (80, 9), (80, 11), (10, 4)])
def test_a_trembling_hand_is_noisier_than_a_stone(rate: int, hertz: int) -> None:
    """A steady hand's tremor of a tenth of a stone is quiet, and shows as noise of about its own size."""
    bench = Bench(rate, noise_g=0.01)
    usual = bench.hold(2 * SECOND, 9.0)[-1].noise_g
    readings = list(bench.run(3 * SECOND, lambda s: 9.0 + 0.1 * math.sin(2 * math.pi * hertz * s)))
    assert readings[-1].state is QUIET
    assert usual < 0.03
    assert 0.04 < readings[-1].noise_g < 0.14


@pytest.mark.parametrize("rate", RATES)
@pytest.mark.parametrize("size", [0.5, 1.0, -5.0, 300.0])
@pytest.mark.parametrize("phase", range(4))
def test_one_outlying_sample_ends_nothing(rate: float, size: float, phase: int) -> None:
    """Wherever in its block it lies; the load stays where it was."""
    bench = Bench(rate, noise_g=0.01)
    before = bench.hold(3 * SECOND + phase * bench.period, 9.0)[-1]
    readings = [*bench.hold(bench.period, 9.0 + size), *bench.hold(2 * SECOND, 9.0)]
    assert states(readings) == {QUIET}
    assert {reading.since_us for reading in readings} == {before.since_us}
    assert all(reading.load_g == pytest.approx(9.0, abs=0.05) for reading in readings)


@pytest.mark.parametrize("rate", RATES)
def test_two_outlying_samples_in_a_row_end_the_stretch(rate: float) -> None:
    """Nobody is so unlucky; something has moved, and it is quiet again as soon as can be."""
    bench = Bench(rate, noise_g=0.01)
    bench.hold(3 * SECOND, 9.0)
    begin_us = bench.now + bench.period
    assert bench.hold(2 * bench.period, 12.0)[-1].state is MOVING
    last = bench.hold(2 * SECOND, 9.0)[-1]
    assert (last.state, last.past[-1].until_us) == (QUIET, begin_us)
    assert last.load_g == pytest.approx(9.0, abs=0.01)


@pytest.mark.parametrize("rate", [10, 80])
def test_what_lay_there_before_stays_known(rate: int) -> None:
    """Ten stones, half a second each apart: the last six stretches, none with a part of the next in it."""
    bench = Bench(rate, noise_g=0.01)
    first_us = bench.now + bench.period
    moments = []
    for stones in range(10):
        bench.hold(SECOND, float(stones))
        moments.append(bench.now + bench.period)
    (last,) = bench.put(10.0)
    (last,) = bench.put(10.0)
    assert last.state is MOVING
    assert [past.load_g for past in last.past] == [pytest.approx(n, abs=0.02) for n in range(4, 10)]
    assert [past.until_us for past in last.past] == moments[4:]
    assert last.past[-1].until_us == moments[-1]
    assert all(past.since_us < past.until_us and past.samples >= 3 for past in last.past)
    assert last.past[0].since_us > first_us
    bench.now = 0
    (anew,) = bench.put(10.0)
    assert anew.past == ()


def test_the_level_is_told_while_it_moves() -> None:
    """Every 50 ms: a stone that falls 0.12 s after another shows as a level of its own."""
    bench = Bench()
    bench.hold(SECOND, 9.0)
    levels = [reading.level_g for reading in bench.hold(120 * MS, 10.0) + bench.hold(120 * MS, 11.0)]
    assert {9.0, 10.0, 11.0} <= set(levels)


@pytest.mark.parametrize("phase", range(8))
def test_stones_in_quick_succession_are_told_apart(phase: int) -> None:
    """0.12 s apart, each on another channel: each begins to move in its order, within two samples."""
    bench = Bench(noise_g=0.01, seed=phase)
    for _ in range(80 + phase):
        bench.put(*[9.0] * 9)
    begin, readings = bench.now, bench.put(*[9.0] * 9)
    for _ in range(120):
        gone = bench.now + bench.period - begin
        readings = bench.put(*[9.0 + (gone > 120 * MS * number) for number in range(1, 10)])
    assert states(list(readings)) == {QUIET}
    for number, reading in enumerate(readings, start=1):
        assert reading.load_g == pytest.approx(10.0, abs=0.02)
        assert reading.past[-1].until_us == pytest.approx(begin + 120 * MS * number, abs=2 * bench.period)


def test_the_end_of_a_motion_in_the_first_block_ends_no_stretch() -> None:
    """A quarter of a stone short, as a step response leaves it: the stretch begins after it then."""
    bench = Bench()
    bench.hold(SECOND, 9.0)
    bench.hold(4 * bench.period, 11.72)
    second_us = bench.now + bench.period
    readings = [*bench.hold(28 * bench.period, 12.0), *bench.hold(SECOND // 4, 12.04)]
    quiet = [reading.state for reading in readings].index(QUIET)
    assert states(readings[quiet:]) == {QUIET}
    assert {reading.load_g for reading in readings[quiet:28]} == {12.0}
    assert readings[-1].since_us == second_us


def test_what_lay_there_before_is_free_of_the_begin_of_a_motion() -> None:
    """A quarter of a stone in the last block is not enough to end the stretch, and too much for its mean."""
    bench = Bench()
    bench.hold(SECOND, 9.0)
    assert bench.hold(4 * bench.period, 9.25)[-1].state is QUIET
    (past,) = bench.hold(SECOND, 12.0)[-1].past
    assert past.load_g == pytest.approx(9.0)


def test_a_stretch_of_a_slow_device_begins_with_the_first_sample_of_it() -> None:
    """Although the stretch before ends only with the second: a tenth of a second earlier to be sure."""
    bench = Bench(10)
    bench.hold(3 * SECOND, 9.0)
    first_us = bench.now + bench.period
    readings = bench.hold(SECOND, 10.0)
    assert [reading.state for reading in readings[:6]] == [QUIET, *[MOVING] * 3, QUIET, QUIET]
    assert (readings[4].since_us, readings[4].from_us) == (first_us, first_us + bench.period)
    assert readings[4].past[-1].until_us == first_us


def test_a_missing_sample_between_two_outliers_makes_them_no_chance() -> None:
    """Two in a row of those that there are."""
    bench = Bench()
    bench.hold(SECOND, 9.0)
    for load in (12.0, broken(FaultKind.NOT_READY), 12.0):
        (reading,) = bench.put(load)
    assert reading.state is MOVING


def test_a_knock_on_the_table_is_over_when_it_is_over() -> None:
    """All channels jump for 0.1 s, and are quiet 0.4 s later."""
    bench = Bench(noise_g=0.02)
    for _ in range(80):
        bench.put(9.0, 2.0, 0.0)
    for k in range(8):
        readings = bench.put(*[load + (-1) ** k * 3.0 for load in (9.0, 2.0, 0.0)])
    assert states(list(readings)) == {MOVING}
    for _ in range(32):
        readings = bench.put(9.0, 2.0, 0.0)
    assert states(list(readings)) == {QUIET}
    assert [reading.load_g for reading in readings] == [pytest.approx(load, abs=0.02) for load in (9, 2, 0)]


def test_the_spread_follows_the_noise_where_it_is_asked_to() -> None:
    """A channel with a seventh of a stone of noise is let be; half a stone is seen all the same."""
    shares = []
    for unit_g in (None, 1.0):
        bench = Bench(noise_g=0.13, seed=8, settler=Settler(spread_g=0.3, unit_g=unit_g))
        readings = bench.hold(60 * SECOND, 9.0)[400:]
        shares.append(sum(reading.state is not QUIET for reading in readings) / len(readings))
    assert shares[0] > 0.02 > shares[1]
    assert MOVING in states(bench.hold(SECOND // 2, 9.5))
