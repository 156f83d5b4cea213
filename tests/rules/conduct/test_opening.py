"""The start of a game."""

import pytest

from rules import Side
from rules.conduct.codes import Code
from rules.conduct.opening import opened, setup_complaint
from rules.conduct.options import BLITZ, CLASSICAL, RAPID, Conduct
from rules.conduct.proposal import ClockAction

B, Q = Side.BASTAUSHY, Side.QOSTAUSHY


def test_requirement_23_classical_clocks_start_on_the_announcement() -> None:
    """2.7.5: for all at once, whoever is there."""
    waits = opened(CLASSICAL, announced=False, ready=(True, True), setup_ok=True)
    assert (waits.code, waits.articles) == (Code.START_WAITS_FOR_ANNOUNCEMENT, ("2.7.5",))
    found = opened(CLASSICAL, announced=True, ready=(False, False), setup_ok=True)
    assert (found.code, found.articles) == (Code.START_CLOCK, ("2.7.5",))
    assert (found.clock, found.runs) == (ClockAction.RUN, B)


@pytest.mark.parametrize("fast", [RAPID, BLITZ])
@pytest.mark.parametrize(
    ("ready", "code", "side"),
    [
        ((False, False), Code.START_WAITS_FOR_PLAYERS, None),
        ((True, False), Code.START_WAITS_FOR_PLAYERS, Q),
        ((False, True), Code.START_WAITS_FOR_PLAYERS, B),
        ((True, True), Code.START_CLOCK, None),
    ],
)
def test_requirement_40_each_board_starts_when_both_are_ready(
    fast: Conduct, ready: tuple[bool, bool], code: Code, side: Side | None
) -> None:
    """2.9.4, announced or not."""
    found = opened(fast, announced=False, ready=ready, setup_ok=True)
    assert (found.code, found.side, found.articles) == (code, side, ("2.9.4",))
    assert found.clock is (ClockAction.RUN if all(ready) else ClockAction.KEEP)


@pytest.mark.parametrize("conduct", [CLASSICAL, BLITZ])
def test_requirement_41_nothing_starts_on_a_board_that_is_not_set_up(conduct: Conduct) -> None:
    """The players check it before."""
    found = opened(conduct, announced=True, ready=(True, True), setup_ok=False)
    assert (found.code, found.articles) == (Code.START_WAITS_FOR_SETUP, ("1.1.3", "2.9.5"))


def test_requirement_41_no_complaint_about_the_set_up_after_the_start_of_blitz() -> None:
    """2.9.5; in a classical game it is heard, as nothing forbids it."""
    late = setup_complaint(BLITZ, Q, started=True)
    assert (late.code, late.articles, late.clock) == (Code.SETUP_COMPLAINT_LATE, ("2.9.5",), ClockAction.KEEP)
    heard = setup_complaint(CLASSICAL, Q, started=True)
    assert (heard.code, heard.clock, heard.side) == (Code.SETUP_COMPLAINT_HEARD, ClockAction.STOP, Q)
    assert setup_complaint(BLITZ, Q, started=False).code is Code.SETUP_TO_BE_PUT_RIGHT
