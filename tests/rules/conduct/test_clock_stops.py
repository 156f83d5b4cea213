"""A clock that was stopped, and one that is set down late."""

from dataclasses import replace

import pytest

from rules import ConductError, Side
from rules.conduct.clock_stops import set_down_late, stop_judged, stopped_by_mistake, stopped_for_arbiter
from rules.conduct.codes import Code
from rules.conduct.options import CLASSICAL
from rules.conduct.proposal import ClockAction, Decider

B, Q = Side.BASTAUSHY, Side.QOSTAUSHY
MINUTE_US = 60_000_000
DIALS = (10 * MINUTE_US, 10 * MINUTE_US)


def test_requirement_31_a_player_may_stop_the_clock_to_call_the_arbiter() -> None:
    """2.7.15: nothing follows yet."""
    found = stopped_for_arbiter(B)
    assert (found.code, found.articles, found.clock) == (Code.ARBITER_CALLED, ("2.7.15",), ClockAction.STOP)
    assert (found.side, found.warns) == (B, ())


def test_requirement_31_with_a_ground_the_game_goes_on() -> None:
    """For whose dial had run."""
    found = stop_judged(CLASSICAL, B, Q, DIALS, groundless=False)
    assert (found.code, found.clock, found.runs) == (Code.STOP_GROUNDED, ClockAction.RUN, Q)
    assert (found.warns, found.adds_us) == ((), (0, 0))


def test_requirement_31_without_one_a_penalty_follows() -> None:
    """Its kind is not said: a warning, unless the event chose time or nothing."""
    warning = stop_judged(CLASSICAL, B, B, DIALS, groundless=True)
    assert (warning.code, warning.articles) == (Code.STOP_GROUNDLESS, ("2.7.15", "2.4.6"))
    assert (warning.warns, warning.clock, warning.runs) == ((B,), ClockAction.RUN, B)
    by_time = replace(CLASSICAL, groundless_stop="time", penalty_takes_ms=60_000, penalty_gives_ms=0)
    time = stop_judged(by_time, B, B, DIALS, groundless=True)
    assert (time.code, time.articles) == (Code.STOP_GROUNDLESS, ("2.7.15", "2.4.8"))
    assert (time.adds_us, time.warns, time.runs) == ((-MINUTE_US, 0), (), B)
    assert time.decider is Decider.ARBITER_WITH_CHIEF
    none = stop_judged(replace(CLASSICAL, groundless_stop="none"), B, B, DIALS, groundless=True)
    assert (none.code, none.warns, none.adds_us) == (Code.STOP_GROUNDLESS, (), (0, 0))


def test_requirement_32_after_a_mistake_of_the_arbiter_the_game_goes_on() -> None:
    """2.7.18."""
    found = stopped_by_mistake(Q)
    assert (found.code, found.articles) == (Code.STOPPED_BY_MISTAKE, ("2.7.18",))
    assert (found.clock, found.runs, found.side) == (ClockAction.RUN, Q, None)


@pytest.mark.parametrize(
    ("left_minutes", "code", "each_minutes"),
    [
        (60, Code.LATE_CLOCK_HALVES, 30),
        (30, Code.LATE_CLOCK_HALVES, 15),
        (29, Code.LATE_CLOCK_LEAST, 15),
        (0, Code.LATE_CLOCK_LEAST, 15),
    ],
)
def test_requirement_27_a_clock_set_down_late_halves_what_is_left(
    left_minutes: int, code: Code, each_minutes: int
) -> None:
    """2.7.11: equally, and near the end not under fifteen minutes each."""
    found = set_down_late(left_minutes * MINUTE_US)
    assert (found.code, found.articles) == (code, ("2.7.11",))
    assert found.dials_us == (each_minutes * MINUTE_US, each_minutes * MINUTE_US)


def test_a_session_is_not_left_with_less_than_nothing() -> None:
    """A mistake of the caller."""
    with pytest.raises(ConductError, match=r"^-1 us cannot be left of a session: 0 or more$"):
        set_down_late(-1)
