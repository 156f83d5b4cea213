"""Settling: quiet, moving, faults; with synthetic loads, in grams where a stone weighs 1 g."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sensors.samples import FaultKind
from sensors.settle import BLOCK_US, ChannelReading, Settler, spread_for
from tests.sensors.settling import FAULT, MOVING, MS, QUIET, RATES, SECOND, Bench, broken, states


@pytest.mark.parametrize("rate", RATES)
def test_a_steady_load_is_quiet_after_the_window(rate: float) -> None:
    """Not before 0.3 s and five samples, not much after; from its first sample on."""
    bench = Bench(rate)
    first_us = bench.now + bench.period
    readings = bench.hold(2 * SECOND, 9.0)
    quiet = [reading.state for reading in readings].index(QUIET)
    assert max(5, 0.3 * rate - 1) <= quiet + 1 <= max(5, 0.3 * rate + 0.05 * rate + 2)
    assert states(readings[quiet:]) == {QUIET}
    last = readings[-1]
    assert (last.load_g, last.since_us, last.reason, last.level_g) == (9.0, first_us, "", 9.0)
    assert (last.noise_g, last.past) == (0.0, ())
    assert (readings[0].state, readings[0].reason) == (MOVING, "first samples")


@pytest.mark.parametrize("rate", RATES)
@pytest.mark.parametrize("step", [0.5, -0.5, 1.0, 2.0, -9.0, 30.0])
@pytest.mark.parametrize("samples", [1, 4])
def test_half_a_stone_breaks_the_stretch(rate: float, step: float, samples: int) -> None:
    """At once or spread over four samples as a converter's filter does; then the new load is quiet."""
    bench = Bench(rate, noise_g=0.03, seed=int(step * 10))
    bench.hold(2 * SECOND, 9.0)
    change_us = bench.now + bench.period
    rise = samples / rate

    def load(seconds: float) -> float:
        return 9.0 + step * min(seconds / rise, 1.0)

    readings = list(bench.run(2 * SECOND, load))
    moving = [reading.state for reading in readings].index(MOVING)
    assert moving <= max(0.13 * rate, samples + 1)
    assert "the load changed by" in str(readings[moving].reason)
    last = readings[-1]
    assert last.state is QUIET
    assert last.load_g == pytest.approx(9.0 + step, abs=0.05)
    assert last.since_us is not None
    assert last.since_us > change_us
    wrong = [r for r in readings[moving:] if r.load_g is not None and abs(r.load_g - 9.0 - step) > 0.2]
    assert wrong == []


@pytest.mark.parametrize(
    ("rate", "noise_g"), [(80, 0.0), (80, 0.02), (80, 0.1), (80, 0.14), (40, 0.06), (10, 0.045)]
)
def test_noise_alone_breaks_nothing(rate: float, noise_g: float) -> None:
    """Five minutes of it, up to ten times that of the data sheet; half a stone is still seen."""
    bench = Bench(rate, noise_g=noise_g, seed=3)
    readings = bench.hold(300 * SECOND, 20.0)
    disturbed = sum(reading.state is not QUIET for reading in readings[2 * int(rate) :])
    assert disturbed < 0.002 * len(readings)
    worst = max(abs(r.load_g - 20.0) for r in readings if r.load_g is not None)
    assert worst < max(0.1, noise_g)  # 4.5 standard deviations of the mean of 20 samples
    assert MOVING in states(bench.hold(SECOND // 2, 20.5))


def test_a_whole_stone_is_seen_with_its_second_sample() -> None:
    """It leaves twice the spread, and is no outlier; half a stone takes until its block is full."""
    for step, samples in [(1.0, 2), (-1.0, 2), (0.5, 4)]:
        bench = Bench()
        bench.hold(1 * SECOND, 9.0)
        readings = bench.hold(SECOND // 2, 9.0 + step)
        assert [reading.state for reading in readings].index(MOVING) + 1 == samples


def test_the_first_blocks_are_whole() -> None:
    """24 samples at 80 a second, six blocks of four, from the first sample on."""
    bench = Bench()
    quiet = [reading.state for reading in bench.hold(SECOND // 4, 9.0)].count(QUIET)
    assert [block.samples for block in bench.settler._channels[0]._blocks] == [4] * 5
    assert quiet == 0
    assert [reading.state for reading in bench.hold(SECOND, 9.0)].index(QUIET) == 3


def test_a_slow_drift_stays_quiet_and_is_followed() -> None:
    """Creep, warming up, a draught: three stones in a minute, and the load is never far behind."""
    bench = Bench(noise_g=0.02)
    bench.hold(1 * SECOND, 9.0)
    since = bench.put(9.0)[0].since_us
    begin = bench.now
    for reading in bench.run(60 * SECOND, lambda seconds: 9.0 + 0.05 * seconds):
        assert reading.state is QUIET
        assert reading.since_us == since
        assert reading.load_g == pytest.approx(9.0 + 0.05 * (bench.now - begin) / SECOND, abs=0.06)


def test_a_leaning_hand_is_moving() -> None:
    """Half a newton coming and going within a second."""
    bench = Bench()
    bench.hold(1 * SECOND, 9.0)
    readings = list(bench.run(1 * SECOND, lambda seconds: 9.0 + 50 * seconds))
    assert states(readings[6:]) == {MOVING}


@pytest.mark.parametrize(
    ("rate", "mean_us"), [(80, 300 * MS), (93, 300 * MS), (64, 300 * MS), (10, 500 * MS)]
)
def test_the_load_is_the_mean_of_its_newest_part(rate: float, mean_us: int) -> None:
    """Of 0.3 s, half a second on a slow device, not of the whole stretch; and it says which part."""
    bench = Bench(rate)
    bench.hold(10 * SECOND, 9.0)
    change_us = bench.now
    readings = bench.hold(mean_us // 2, 9.2)
    assert readings[-1].state is QUIET
    assert readings[-1].load_g == pytest.approx(9.1, abs=0.05)
    last = bench.hold(mean_us // 2 + 60 * MS + bench.period, 9.2)[-1]
    assert last.load_g == pytest.approx(9.2, abs=0.005)
    assert last.from_us is not None
    assert change_us < last.from_us
    assert bench.now - mean_us - 60 * MS - bench.period <= last.from_us <= bench.now - mean_us // 2


@pytest.mark.parametrize("rate", [80, 10])
def test_the_measured_rate_counts_not_the_declared_one(rate: float) -> None:
    """A rate pin that is strapped low gives ten where eighty are declared, and the other way round."""
    bench = Bench(rate, settler=Settler(spread_g=0.3, rate_hz=90 - rate))
    last = bench.hold(10 * SECOND, 9.0)[-1]
    assert last.samples == {80: 24, 10: 6}[int(rate)]


def test_one_channel_does_not_disturb_another() -> None:
    """Each is judged by itself."""
    bench = Bench()
    for _ in range(80):
        bench.put(9.0, 1.0, broken())
    assert [reading.state for reading in bench.put(9.0, 1.0, broken())] == [QUIET, QUIET, FAULT]
    for _ in range(3):
        readings = bench.put(9.0, 3.0, broken())
    assert [reading.state for reading in readings] == [QUIET, MOVING, FAULT]


@pytest.mark.parametrize("kind", [FaultKind.SATURATED, FaultKind.EXCLUDED, FaultKind.UNCALIBRATED])
def test_a_fault_is_said_at_once_and_ends_the_stretch(kind: FaultKind) -> None:
    """With its reason; afterwards quiet must be earned anew."""
    bench = Bench()
    bench.hold(1 * SECOND, 9.0)
    reading = bench.put(broken(kind))[0]
    assert (reading.state, reading.reason) == (FAULT, broken(kind))
    assert (reading.load_g, reading.since_us, reading.level_g) == (None, None, None)
    assert bench.put(broken(kind))[0] is reading
    assert bench.put(broken(FaultKind.NOT_READY))[0].reason == broken(FaultKind.NOT_READY)
    back_us = bench.now + bench.period
    back = bench.put(9.0)[0]
    assert (back.state, back.reason) == (MOVING, "first samples")
    assert bench.hold(SECOND // 4, 9.0)[-1].state is MOVING
    last = bench.hold(SECOND // 4, 9.0)[-1]
    assert (last.state, last.load_g, last.since_us) == (QUIET, 9.0, back_us)


@pytest.mark.parametrize("kind", [FaultKind.NOT_READY, FaultKind.READ_ERROR])
def test_a_missing_conversion_is_no_fault_until_it_lasts(kind: FaultKind) -> None:
    """A converter slower than the frames misses one now and then."""
    bench = Bench()
    bench.hold(1 * SECOND, 9.0)
    for _ in range(20):
        assert bench.put(broken(kind))[0].state is QUIET
        assert bench.put(9.0)[0].state is QUIET
    readings = bench.hold(SECOND // 2, broken(kind))
    assert [reading.state for reading in readings].index(FAULT) == 25
    assert readings[-1].reason == broken(kind)


def test_a_channel_that_never_converts_is_a_fault() -> None:
    """From the beginning on, after the window."""
    bench = Bench()
    readings = bench.hold(SECOND, broken(FaultKind.NOT_READY))
    assert readings[0].state is MOVING
    assert readings[-1].state is FAULT


@pytest.mark.parametrize(("gap_us", "survives"), [(100 * MS, True), (300 * MS, True), (301 * MS, False)])
def test_a_gap_longer_than_the_window_ends_the_stretch(gap_us: int, survives: bool) -> None:  # noqa: FBT001 - a row of a table
    """Lost frames do not matter, an outage does: nobody watched."""
    bench = Bench()
    before = bench.hold(1 * SECOND, 9.0)[-1]
    bench.now += gap_us - bench.period
    after = bench.put(9.0)[0]
    assert (after.since_us == before.since_us) is survives
    if not survives:
        assert (after.state, after.reason) == (MOVING, "no samples for 0.3 s")
        restart_us = bench.now
        assert bench.hold(SECOND, 9.0)[-1].since_us == restart_us


def test_time_that_stands_or_goes_back_ends_the_stretch() -> None:
    """A new boot of the device, or a repeated sample."""
    bench = Bench()
    bench.hold(1 * SECOND, 9.0)
    assert bench.settler.update(bench.now, [9.0])[0].reason == "device time did not go forward"
    bench.hold(1 * SECOND, 9.0)
    bench.now = 5 * MS
    assert bench.put(9.0)[0].state is MOVING
    assert bench.hold(1 * SECOND, 9.0)[-1].state is QUIET


def test_another_number_of_channels_begins_anew() -> None:
    """As after another device was plugged in."""
    bench = Bench()
    bench.hold(1 * SECOND, 9.0)
    assert bench.put(9.0, 9.0) == (ChannelReading(MOVING, None, None, "first samples"),) * 2
    assert bench.put() == ()


def test_slow_samples_are_never_quiet() -> None:
    """Three a second leave too much time unwatched; the reason says so."""
    bench = Bench(rate=3)
    readings = bench.hold(10 * SECOND, 9.0)
    assert states(readings) == {MOVING}
    assert readings[-1].reason == "no samples for 0.3 s"


def test_scaled_device_time_changes_nothing() -> None:
    """Only device time is looked at: the same samples give the same readings later."""
    one, other = Bench(noise_g=0.05, seed=1), Bench(noise_g=0.05, seed=1)
    other.now += 1 << 40
    for first, second in zip(one.hold(3 * SECOND, 9.0), other.hold(3 * SECOND, 9.0), strict=True):
        assert (first.state, first.load_g) == (second.state, second.load_g)
        assert first.since_us is None or second.since_us == first.since_us + (1 << 40)


@given(
    st.lists(st.tuples(st.integers(1, 400 * MS), st.floats(-50, 50)), min_size=1, max_size=150),
)
def test_quiet_is_only_said_of_loads_that_were_close(samples: list[tuple[int, float]]) -> None:
    """Whatever comes: a quiet load lies among the samples of its own stretch, which lasts long enough."""
    settler = Settler(spread_g=0.3)
    history: list[tuple[int, float]] = []
    now = 0
    for pause, load in samples:
        now += pause
        history.append((now, load))
        (reading,) = settler.update(now, [load])
        if reading.state is QUIET:
            assert reading.load_g is not None
            assert reading.since_us is not None
            stretch = [value for time, value in history if time >= reading.since_us]
            assert min(stretch) - 1e-6 <= reading.load_g <= max(stretch) + 1e-6
            assert len(stretch) >= 4
            assert now + pause - reading.since_us >= 300 * MS
        else:
            assert (reading.load_g, reading.since_us) == (None, None)
            assert reading.reason


def test_the_kept_blocks_are_bounded() -> None:
    """An hour of quiet costs no more than a second of it."""
    bench = Bench()
    for _ in range(3600 * 8):
        bench.settler.update(bench.now, [9.0])
        bench.now += 12_500
    assert len(bench.settler._channels[0]._blocks) <= SECOND // BLOCK_US


@pytest.mark.parametrize(
    ("unit_g", "noise_g", "spread_g"),
    [(1.0, 0.0, 0.30), (1.0, 0.12, 0.36), (1.0, 0.5, 0.42), (5.0, 0.02, 1.5)],
)
def test_the_spread_follows_stone_and_noise(unit_g: float, noise_g: float, spread_g: float) -> None:
    """Never so wide that half a stone could hide."""
    assert spread_for(unit_g, noise_g) == pytest.approx(spread_g)


@pytest.mark.parametrize(("spread_g", "window_us", "mean_us"), [(0.0, 1, 1), (0.3, 0, 1), (0.3, 1, -1)])
def test_limits_must_be_positive(spread_g: float, window_us: int, mean_us: int) -> None:
    """All three."""
    with pytest.raises(ValueError, match="all must be positive"):
        Settler(spread_g=spread_g, window_us=window_us, mean_us=mean_us)
