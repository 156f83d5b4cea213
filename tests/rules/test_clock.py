"""The two dials."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rules import (
    ClockError,
    ClockState,
    Side,
    TimeControl,
    flagged,
    new_clock,
    press,
    remaining_us,
    resume,
    start,
    stop,
)

B, Q = Side.BASTAUSHY, Side.QOSTAUSHY
SECOND = 1_000_000
CONTROL = TimeControl.simple(60_000, 2_000)
NEW = new_clock(CONTROL)


def dials(state: ClockState, at_us: int) -> tuple[int, int]:
    """Return what both dials show."""
    return remaining_us(state, B, at_us), remaining_us(state, Q, at_us)


class TestDials:
    """Running, pressing and standing."""

    def test_a_new_clock_stands_with_the_full_time(self) -> None:
        """On both dials, for ever."""
        assert dials(NEW, 10**15) == (60 * SECOND, 60 * SECOND)
        assert (NEW.running, NEW.since_us) == (None, None)

    def test_only_the_running_dial_loses_time(self) -> None:
        """Microsecond by microsecond."""
        state = start(NEW, B, 5 * SECOND)
        assert dials(state, 5 * SECOND) == (60 * SECOND, 60 * SECOND)
        assert dials(state, 8 * SECOND + 1) == (57 * SECOND - 1, 60 * SECOND)

    def test_a_press_adds_the_increment_and_starts_the_other_dial(self) -> None:
        """At the same moment."""
        state = press(start(NEW, B, 0), B, 10 * SECOND)
        assert (state.running, state.since_us) == (Q, 10 * SECOND)
        assert dials(state, 10 * SECOND) == (52 * SECOND, 60 * SECOND)
        state = press(state, Q, 13 * SECOND)
        assert dials(state, 14 * SECOND) == (51 * SECOND, 59 * SECOND)

    def test_only_who_is_running_can_press(self) -> None:
        """The message says whose dial runs."""
        with pytest.raises(ClockError, match="qostaushy cannot press at 7 us: bastaushy's dial runs"):
            press(start(NEW, B, 0), Q, 7)
        with pytest.raises(ClockError, match="bastaushy cannot press at 7 us: both dials stand"):
            press(NEW, B, 7)

    def test_a_stopped_clock_keeps_its_times(self) -> None:
        """The time in between counts for nobody, and another side may go on."""
        state = stop(start(NEW, B, 0), 10 * SECOND)
        assert dials(state, 99 * SECOND) == (50 * SECOND, 60 * SECOND)
        state = resume(state, Q, 100 * SECOND)
        assert dials(state, 101 * SECOND) == (50 * SECOND, 59 * SECOND)

    def test_a_standing_clock_cannot_be_stopped(self) -> None:
        """Nor a running one be started."""
        with pytest.raises(ClockError, match="cannot stop the clock at 7 us: both dials stand"):
            stop(NEW, 7)
        with pytest.raises(ClockError, match="bastaushy's dial cannot start at 7 us: qostaushy's runs"):
            start(start(NEW, Q, 0), B, 7)
        with pytest.raises(ClockError, match="dial cannot start"):
            resume(start(NEW, B, 0), B, 7)

    def test_time_does_not_run_backwards(self) -> None:
        """Telling is refused; asking answers what stood there."""
        state = start(NEW, B, 100)
        with pytest.raises(ClockError, match="99 us lies before 100 us, when the dial began to run"):
            stop(state, 99)
        with pytest.raises(ClockError, match="99 us lies before 100 us"):
            press(state, B, 99)
        assert press(state, B, 100).remaining_us == (62 * SECOND, 60 * SECOND)
        assert dials(state, 99) == (60 * SECOND, 60 * SECOND)

    def test_a_dial_never_shows_less_than_zero(self) -> None:
        """And is flagged from the microsecond it shows zero."""
        state = start(NEW, Q, 0)
        assert not flagged(state, Q, 60 * SECOND - 1)
        assert flagged(state, Q, 60 * SECOND)
        assert flagged(state, Q, 10**15)
        assert remaining_us(state, Q, 10**15) == 0
        assert not flagged(state, B, 10**15)
        assert stop(state, 61 * SECOND).remaining_us == (60 * SECOND, 0)

    def test_a_press_after_the_flag_adds_to_zero(self) -> None:
        """What a fallen flag means is decided elsewhere."""
        assert press(start(NEW, B, 0), B, 70 * SECOND).remaining_us == (2 * SECOND, 60 * SECOND)

    @given(st.lists(st.integers(0, 2 * SECOND), max_size=20))
    def test_no_time_is_lost_between_the_dials(self, thinking_us: list[int]) -> None:
        """What has passed and what is left add up to what was given."""
        state, now_us = start(NEW, B, 0), 0
        for think_us in thinking_us:
            assert state.running is not None
            now_us += think_us
            state = press(state, state.running, now_us)
        given_us = 120 * SECOND + len(thinking_us) * 2 * SECOND
        assert sum(dials(state, now_us)) + now_us == given_us
