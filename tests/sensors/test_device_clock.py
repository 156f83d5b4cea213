"""The time of a device, held against the host's clock."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sensors.device_clock import AHEAD_US, DeviceClock
from tests.sensors.pair import MS, SECOND

MINUTE = 60 * SECOND


def started(scale: int = 1) -> DeviceClock:
    """Return the clock of a device that says 100 s at host time 0."""
    clock = DeviceClock()
    clock.begin(100 * SECOND, scale, 0)
    return clock


@given(
    st.sampled_from([1, 20]),
    st.sampled_from([-40_000, 0, 40_000]),
    st.lists(st.tuples(st.integers(1, 2 * SECOND), st.integers(0, 800 * MS)), max_size=80),
)
def test_an_honest_clock_is_believed(scale: int, ppm: int, steps: list[tuple[int, int]]) -> None:
    """With a poor oscillator, at any pace of frames, each up to 0.8 s late."""
    clock, host = started(scale), 0
    for step, late in steps:
        host += step
        device = 100 * SECOND + scale * (host + host * ppm // 1_000_000)
        assert clock.follows(device, host + late) or clock.take(device, host + late) == ""


def test_an_honest_clock_is_believed_after_any_absence() -> None:
    """The cable was out for half an hour; device and host agree about it to within the drift."""
    assert started().take(100 * SECOND + 31 * MINUTE, 30 * MINUTE) == ""


def test_what_waited_while_the_host_stalled_is_believed() -> None:
    """A minute of frames arrives at once, then all goes on as before."""
    clock = started()
    for tick in range(600):
        assert clock.follows(100 * SECOND + tick * 100 * MS, MINUTE + tick)
    assert clock.follows(160 * SECOND, MINUTE + SECOND)


def test_one_leap_is_not_believed() -> None:
    """Forward beyond the tolerance, back beyond a late frame; both times stand in the words."""
    clock = started()
    why = clock.take(100 * SECOND + AHEAD_US + 2 * SECOND, SECOND)
    assert why.startswith(
        "device time went from 100.000 s to 112.000 s in the same boot, where 1.000 s should"
    )
    assert clock.take(99 * SECOND - 1, SECOND)
    assert clock.take(100 * SECOND + AHEAD_US + SECOND, SECOND) == ""


@pytest.mark.parametrize("leap", [4 * SECOND, 900 * MS, -900 * MS])
def test_many_small_leaps_are_not_believed(leap: int) -> None:
    """Each would pass alone; together they take no more than the tolerance."""
    clock, device, host = started(), 100 * SECOND, 0
    for _ in range(100):
        host += 10 * MS
        if clock.follows(device + leap, host):
            device += leap
    assert 99 * SECOND <= device <= 100 * SECOND + 2 * SECOND + AHEAD_US
    assert clock.newest_us >= 100 * SECOND


def test_the_tolerance_is_wall_time() -> None:
    """At twenty times the pace it is twenty times as much device time."""
    clock = started(20)
    assert clock.take(100 * SECOND + 20 * (AHEAD_US + SECOND), SECOND) == ""
    assert started(20).take(100 * SECOND + 20 * (AHEAD_US + 2 * SECOND), SECOND)


def test_the_time_of_now_is_known_between_two_frames() -> None:
    """A press may be two seconds later than that, no more."""
    clock = started(20)
    assert clock.expected_us(SECOND) == 120 * SECOND
    assert clock.latest_press_us(SECOND) == 160 * SECOND
