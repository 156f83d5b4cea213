"""Every fault by one exact example: named, with article, offender, place and the way back."""

import pytest

from rules import apply
from rules.infractions.corrections import apply_carries
from rules.infractions.diagnose import diagnose
from rules.infractions.kinds import Fault
from rules.position import board_of
from tests.rules.infractions.cases import Case, turned_evidence
from tests.rules.infractions.examples_acting import ACTING
from tests.rules.infractions.examples_sowing import SOWING
from tests.rules.infractions.examples_taking import TAKING

CASES = (*SOWING, *TAKING, *ACTING)

_BY_THE_OPPONENT = {
    Fault.OUT_OF_TURN,
    Fault.ADJUSTED_OUT_OF_TURN,
    Fault.PRESSED_OUT_OF_TURN,
    Fault.BOTH_PRESSED,
    Fault.MOVED_BEFORE_PRESS,
}


def _id(case: Case) -> str:
    return case.fault.value


def test_every_fault_has_an_example() -> None:
    """Only a move after the end is shown elsewhere: there nothing else is asked."""
    assert {case.fault for case in CASES} == set(Fault) - {Fault.MOVED_AFTER_END}


@pytest.mark.parametrize("case", CASES, ids=_id)
def test_the_example_is_named_first(case: Case) -> None:
    """The fault, its articles, its place, how many stones and whose it was."""
    best = diagnose(case.evidence)[0]
    assert [one.fault for one in best.faults] == [case.fault]
    said = best.faults[0]
    assert " ".join(said.articles) == case.articles
    assert (said.pit, said.stones) == (case.pit, case.stones)
    mover = case.before.to_move
    if case.fault is not Fault.SWEPT_WITHOUT_RIGHT:
        assert said.offender is (mover.opponent if case.fault in _BY_THE_OPPONENT else mover)


@pytest.mark.parametrize("case", CASES, ids=_id)
def test_the_example_leads_to_the_position_due(case: Case) -> None:
    """The lists lead to the position before and to the one due."""
    best = diagnose(case.evidence)[0]
    due = case.before if case.due is None else apply(case.before, case.due).after
    assert (None if best.due is None else best.due.number) == case.due
    seen = [stones or 0 for stones in case.evidence.seen]
    assert apply_carries(seen, best.to_before) == board_of(case.before)
    assert apply_carries(seen, best.to_due) == board_of(due)


@pytest.mark.parametrize("case", CASES, ids=_id)
def test_the_example_is_the_same_with_the_players_changed_over(case: Case) -> None:
    """No player is judged otherwise than the other."""
    first = diagnose(case.evidence)[0]
    second = diagnose(turned_evidence(case.evidence))[0]
    assert [one.fault for one in second.faults] == [one.fault for one in first.faults]
    assert [one.offender.opponent for one in second.faults] == [one.offender for one in first.faults]
