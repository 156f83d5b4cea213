"""Device time: 32 bits extended to 64 across the wrap, in either direction."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sensors.device_time import HALF_TURN_US, extend_time, is_plausible_step

TURN = 1 << 32
times = st.integers(0, (1 << 64) - 1) | st.integers(0, 5).map(lambda turns: turns * TURN)


@given(times, st.integers(-HALF_TURN_US, HALF_TURN_US - 1))
def test_the_nearest_time_is_found(known: int, difference: int) -> None:
    """Any time less than half a turn away, before or behind."""
    full = known + difference
    assert extend_time(full % TURN, known) == full


@given(
    st.integers(0, 1 << 40),
    st.lists(st.tuples(st.integers(1, 2_000_000_000), st.integers(-5000, 5000)), min_size=1, max_size=60),
)
def test_a_stream_keeps_its_times_for_days(start: int, steps: list[tuple[int, int]]) -> None:
    """Long steps over many wraps, samples a few milliseconds out of order, nothing but 32 bits each."""
    known, time = start, start
    for step, jitter in steps:
        time += step
        sample = max(time + jitter, 0)
        assert extend_time(sample % TURN, known) == sample
        known = max(known, sample)


def test_a_time_before_the_boot_is_negative() -> None:
    """Ten microseconds after the boot there is no fifteen microseconds ago."""
    assert extend_time(TURN - 5, 10) == -5


@pytest.mark.parametrize(
    ("step", "scale", "plausible"),
    [
        (0, 1, True),
        (5_000_000, 1, True),
        (5_000_001, 1, False),
        (-1_000_000, 1, True),
        (-1_000_001, 1, False),
        (100_000_000, 20, True),
        (-20_000_001, 20, False),
    ],
)
def test_a_step_is_plausible_within_the_silence_a_link_survives(
    step: int,
    scale: int,
    plausible: bool,  # noqa: FBT001 - a row of a table
) -> None:
    """Limits are wall time, so they grow with the scale."""
    assert is_plausible_step(7_000_000_000, 7_000_000_000 + step, scale) is plausible
