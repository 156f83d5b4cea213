"""Faults that leave the stones right: of the clock, of hands that touched, of a tuzdyk's mark."""

from dataclasses import replace

import pytest

from rules import START, Position, Side, apply
from rules.infractions.diagnose import diagnose
from rules.infractions.evidence import BLITZ, CLASSICAL, Evidence, Watched
from rules.infractions.kinds import Fault
from rules.position import board_of
from tests.rules.boards import board
from tests.rules.infractions.cases import BAS, QOS, after, strokes_of

PLAYED = Evidence(before=START, seen=board_of(apply(START, 7).after), presses=(BAS,))
"""A legal move, pressed."""

UNPLAYED = Evidence(before=START, seen=board_of(START))


def told(evidence: Evidence, policy: Watched = CLASSICAL) -> list[tuple[Fault, Side]]:
    """Return the faults of the first diagnosis, each with its offender; [] where nothing is told."""
    found = diagnose(evidence, policy)
    return [(one.fault, one.offender) for one in found[0].faults] if found else []


@pytest.mark.parametrize(
    ("presses", "fault", "offender"),
    [
        ((BAS,), None, None),
        ((BAS, BAS), None, None),
        ((QOS,), Fault.PRESSED_OUT_OF_TURN, QOS),
        ((QOS, BAS), Fault.BOTH_PRESSED, QOS),
        ((BAS, QOS), Fault.PRESSED_WITHOUT_MOVE, QOS),
    ],
)
def test_after_a_move_its_player_presses(
    presses: tuple[Side, ...], fault: Fault | None, offender: Side | None
) -> None:
    """One press of the player who moved is right, and bouncing is one press (2.7.7, 2.7.9)."""
    assert told(replace(PLAYED, presses=presses)) == ([] if fault is None else [(fault, offender)])


@pytest.mark.parametrize(
    ("presses", "fault", "offender"),
    [
        ((BAS,), Fault.PRESSED_WITHOUT_MOVE, BAS),
        ((QOS,), Fault.PRESSED_OUT_OF_TURN, QOS),
        ((BAS, QOS), Fault.BOTH_PRESSED, BAS),
    ],
)
def test_before_a_move_nobody_presses(presses: tuple[Side, ...], fault: Fault, offender: Side) -> None:
    """A press without a move is a fault, whoever's it is (2.7.7, 2.7.9)."""
    assert told(replace(UNPLAYED, presses=presses)) == [(fault, offender)]


def test_the_player_who_moved_out_of_turn_may_press() -> None:
    """His press is no second fault, and tells that the move was his (1.3.5)."""
    strokes = strokes_of("L9x9 9 10 11 12 13 14 15 16 17")
    evidence = Evidence(before=START, seen=after(START, strokes), strokes=strokes, presses=(QOS,))
    assert told(evidence) == [(Fault.OUT_OF_TURN, QOS)]
    assert told(replace(evidence, presses=(BAS,))) == [(Fault.OPPONENTS_PIT, BAS)]


def test_stones_laid_within_the_grace_are_no_fault() -> None:
    """So long after the press a hand may still be at the kazan (2.7.7)."""
    late = replace(PLAYED, in_hand=(10, 0), in_hand_us=300_000)
    assert told(late) == [(Fault.STONES_IN_HAND, BAS)]
    assert told(late, Watched(grace_us=300_000)) == []
    assert told(late, Watched(grace_us=299_999)) == [(Fault.STONES_IN_HAND, BAS)]
    assert told(replace(late, in_hand_us=None), Watched(grace_us=300_000)) == [(Fault.STONES_IN_HAND, BAS)]


def test_a_move_begun_before_the_press_is_told_of_either_player() -> None:
    """Who lifts before the other has pressed moves too early (2.7.17)."""
    assert told(replace(PLAYED, early=BAS)) == [(Fault.MOVED_BEFORE_PRESS, BAS)]
    assert told(replace(PLAYED, early=QOS)) == [(Fault.MOVED_BEFORE_PRESS, QOS)]


def test_a_whole_reply_before_the_press_is_one_fault() -> None:
    """Both moves are legal; the second one came too early (2.7.17)."""
    first = apply(START, 7)
    second = apply(first.after, 8)
    early = Evidence(before=START, seen=board_of(second.after), early=QOS)
    found = diagnose(early)[0]
    assert [one.fault for one in found.faults] == [Fault.MOVED_BEFORE_PRESS]
    assert found.due == first


def test_a_pit_put_back_obliges_in_classical_play_only() -> None:
    """Blitz and rapid know no touch-move (1.3.4, 2.9.6)."""
    strokes = strokes_of("L0x9 0x9 L6x9 6 7 8 9 10 11 12 13 14 T14x10 B18x10")
    evidence = replace(PLAYED, strokes=strokes)
    found = diagnose(evidence)[0]
    assert [one.fault for one in found.faults] == [Fault.TOUCH_MOVE_BROKEN]
    assert found.due == apply(START, 1)
    assert told(evidence, BLITZ) == []


def test_a_pit_put_back_and_played_after_all_is_no_fault() -> None:
    """He plays what he touched."""
    strokes = strokes_of("L6x9 6x9 L6x9 6 7 8 9 10 11 12 13 14 T14x10 B18x10")
    assert told(replace(PLAYED, strokes=strokes)) == []


def test_a_part_of_a_pit_put_back_is_adjusting() -> None:
    """Two stones taken up and laid down again are put right by hand (1.3.4)."""
    strokes = strokes_of("L0x2 0x2 L6x9 6 7 8 9 10 11 12 13 14 T14x10 B18x10")
    evidence = replace(PLAYED, strokes=strokes)
    assert told(evidence) == [(Fault.ADJUSTED_BY_HAND, BAS)]
    assert told(evidence, BLITZ) == []


def test_stones_of_a_kazan_that_were_put_back_are_not_told() -> None:
    """Whoever counts his kazan puts nothing right."""
    strokes = strokes_of("L6x9 6 7 8 9 10 11 12 13 14 T14x10 B18x10 L18x3 B18x3")
    assert told(replace(PLAYED, strokes=strokes)) == []


@pytest.mark.parametrize(
    ("pit", "policy", "readings"),
    [
        (3, CLASSICAL, [Fault.ADJUSTED_BY_HAND, Fault.ADJUSTED_OUT_OF_TURN]),
        (16, CLASSICAL, [Fault.ADJUSTED_OUT_OF_TURN, Fault.ADJUSTED_BY_HAND]),
        (16, BLITZ, [Fault.ADJUSTED_OUT_OF_TURN]),
    ],
)
def test_whose_hand_touched_nobody_knows(pit: int, policy: Watched, readings: list[Fault]) -> None:
    """Both readings are told as one class, the owner of the row first; kazans are not put right (1.3.4)."""
    strokes = strokes_of(f"T{pit}x1 {pit} L6x9 6 7 8 9 10 11 12 13 14 T14x10 B18x10")
    found = diagnose(replace(PLAYED, strokes=strokes), policy)
    lists = [found[0].faults, *found[0].alike] if found else []
    assert [one.fault for faults in lists for one in faults] == readings


WINS = board("0 0 0 0 0 0 0 0 2", "2 1 3 0 0 0 0 0 0", (77, 77))
"""Bastaushy's pit 9 ends in qostaushy's pit 1 with three stones: a tuzdyk."""

NINTH = board("0 0 0 0 0 0 0 0 10", "2 1 3 1 1 1 1 1 2", (70, 69))
"""Bastaushy's pit 9 ends in qostaushy's pit 9 with three stones: none."""


def _marked(position: Position, number: int, *marks: int) -> Evidence:
    return Evidence(before=position, seen=board_of(apply(position, number).after), marks=marks)


def test_a_tuzdyk_is_marked() -> None:
    """A tuzdyk that was won has its mark; where marks are not asked for, none is missed (1.4.2)."""
    assert told(_marked(WINS, 9, 9)) == []
    assert told(_marked(WINS, 9)) == [(Fault.TUZDYK_NOT_MARKED, BAS)]


def test_a_mark_lies_on_a_tuzdyk_only() -> None:
    """One laid elsewhere claims what was not won (1.4.1)."""
    assert told(_marked(WINS, 9, 9, 11)) == [(Fault.TUZDYK_MARK_WRONG, BAS)]


def test_a_mark_may_be_laid_anew_on_a_tuzdyk_that_stands() -> None:
    """It fell off and is put back."""
    standing = board("1 0 0 0 0 0 0 0 2", "0 1 3 0 0 0 0 0 0", (78, 77), (4, None))
    assert told(_marked(standing, 1, 12)) == []


def test_a_mark_alone_claims_a_tuzdyk_on_the_ninth_pit() -> None:
    """The three stones were left where they lie, and the mark laid beside them (1.4.3)."""
    assert told(_marked(NINTH, 9, 17)) == [(Fault.TUZDYK_ON_NINE, BAS)]


def test_a_mark_tells_a_claim_from_an_odd_capture() -> None:
    """Three stones taken with a mark are a claim; without one they may be either (1.4.3, 1.3.2)."""
    seen = list(board_of(apply(NINTH, 9).after))
    seen[17], seen[18] = 0, seen[18] + 3
    claimed = diagnose(Evidence(before=NINTH, seen=tuple(seen), marks=(17,)))[0]
    assert [one.fault for one in claimed.faults] == [Fault.TUZDYK_ON_NINE]
    assert all(Fault.CAPTURED_ODD not in [one.fault for one in faults] for faults in claimed.alike)
    either = diagnose(Evidence(before=NINTH, seen=tuple(seen), marks=()))[0]
    kinds = {one.fault for faults in (either.faults, *either.alike) for one in faults}
    assert {Fault.TUZDYK_ON_NINE, Fault.CAPTURED_ODD} <= kinds
