"""What a diagnosis says, and when there is none."""

import doctest

import pytest

from rules import START, Position, Side, apply
from rules.infractions import diagnose as module
from rules.infractions.corrections import Carry, apply_carries
from rules.infractions.diagnose import diagnose
from rules.infractions.evidence import BLITZ, CLASSICAL, Evidence, Hand, Stroke, Watched
from rules.infractions.kinds import Fault
from rules.position import board_of
from tests.rules.boards import board
from tests.rules.infractions.cases import BAS, QOS, after, strokes_of

WON = Position(apply(START, 7).after.pits, (10, 0), (None, None), Side.QOSTAUSHY)
OVER = board("0 0 0 0 0 0 0 0 2", "2 0 0 0 0 0 0 0 1", (82, 75))
STARVED = board("0 0 0 0 0 0 0 0 0", "2 0 0 0 0 0 0 0 2", (80, 78))


def _changed(position: Position, **more: int) -> tuple[int, ...]:
    seen = list(board_of(position))
    for place, stones in more.items():
        seen[int(place[1:])] += stones
    return tuple(seen)


def test_the_session_in_the_module_s_docstring_runs() -> None:
    """What is shown is what happens."""
    outcome = doctest.testmod(module)
    assert (outcome.attempted, outcome.failed) == (7, 0)


def test_an_untouched_board_is_no_fault() -> None:
    """Nothing was done."""
    assert diagnose(Evidence(before=START, seen=board_of(START))) == ()


def test_the_same_stones_in_another_place_are_one_class() -> None:
    """A stone laid beside its pit and one pushed there later look alike from the end only."""
    seen = _changed(apply(START, 7).after, p8=-1, p9=1)
    found = diagnose(Evidence(before=START, seen=seen))[0]
    kinds = {one.fault for faults in (found.faults, *found.alike) for one in faults}
    assert {Fault.STONE_IN_NEIGHBOUR, Fault.STONES_DISPLACED} == kinds
    assert found.to_due == (Carry(9, 8, 1),)
    pushed = strokes_of("L6x9 6 7 8 9 10 11 12 13 14 T14x10 B18x10 T8 9")
    watched = diagnose(Evidence(before=START, seen=seen, strokes=pushed))[0]
    assert [one.fault for one in watched.faults] == [Fault.STONES_DISPLACED]
    assert watched.alike == ()
    assert watched.confidence > 0.5


def test_two_faults_at_once_are_told_together() -> None:
    """A pit passed over, and the capture not taken that was won in spite of it."""
    strokes = strokes_of("L6x9 6 7 9 10 11 12 13 14 15 T0 1")
    found = diagnose(Evidence(before=START, seen=after(START, strokes), strokes=strokes))[0]
    assert [(one.fault, one.pit) for one in found.faults] == [
        (Fault.STONE_SKIPPED, 8),
        (Fault.STONES_DISPLACED, 0),
    ]
    assert found.due == apply(START, 7)


def test_two_pits_passed_over_are_both_named() -> None:
    """No single fault explains it, so two on the way are looked for."""
    strokes = strokes_of("L6x9 6 7 9 10 12 13 14 15 16")
    found = diagnose(Evidence(before=START, seen=after(START, strokes), strokes=strokes))[0]
    assert [(one.fault, one.pit) for one in found.faults] == [
        (Fault.STONE_SKIPPED, 8),
        (Fault.STONE_SKIPPED, 11),
    ]


def test_what_has_no_name_is_told_as_stones_displaced() -> None:
    """From where to where: somebody has shuffled the board."""
    seen = _changed(START, p0=-5, p3=5, p12=-4, p16=4, p7=-2, p9=2)
    found = diagnose(Evidence(before=START, seen=seen))[0]
    assert {one.fault for one in found.faults} == {Fault.STONES_DISPLACED}
    assert apply_carries(seen, found.to_due) == board_of(START)
    assert found.due is None


def test_a_place_that_cannot_be_read_is_taken_as_explained() -> None:
    """A capture that was left is named though the kazan is dead."""
    seen: list[int | None] = list(_changed(apply(START, 7).after, p14=10, p18=-10))
    seen[18] = None
    found = diagnose(Evidence(before=START, seen=tuple(seen)))[0]
    assert [one.fault for one in found.faults] == [Fault.CAPTURE_NOT_TAKEN]
    assert found.to_due == (Carry(14, 18, 10),)


@pytest.mark.parametrize("position", [OVER, STARVED])
def test_after_the_end_a_board_that_stands_is_no_fault(position: Position) -> None:
    """The game is over, and nobody has touched it."""
    assert diagnose(Evidence(before=position, seen=board_of(position))) == ()


def test_the_sweep_at_atsyrau_is_no_fault() -> None:
    """The winner takes what lies on the board, after the game or at once after the move (1.5.1)."""
    swept = (0,) * 18 + (80, 82)
    assert diagnose(Evidence(before=STARVED, seen=swept)) == ()
    last = board("0 0 0 0 0 0 0 0 0", "4 0 0 0 0 0 0 0 2", (78, 78), to_move=QOS)
    assert diagnose(Evidence(before=last, seen=(0,) * 18 + (78, 84))) == ()


def test_the_sweep_of_the_wrong_player_is_one() -> None:
    """The stones left on the board are the other's (1.5.1)."""
    found = diagnose(Evidence(before=STARVED, seen=(0,) * 18 + (84, 78)))[0]
    assert [one.fault for one in found.faults] == [Fault.MOVED_AFTER_END]


@pytest.mark.parametrize(
    ("strokes", "offender", "pit"),
    [(None, BAS, None), ("L9x2 9 10", QOS, 9), ("L18 B19", BAS, 18)],
)
def test_a_move_after_the_end_is_named(strokes: str | None, offender: Side, pit: int | None) -> None:
    """Whatever is played then, the game has ended before (1.3.5)."""
    done = strokes_of("L9x2 9 10" if strokes is None else strokes)
    seen = after(OVER, done)
    found = diagnose(Evidence(before=OVER, seen=seen, strokes=None if strokes is None else done))
    assert [(one.fault, one.offender, one.pit) for one in found[0].faults] == [
        (Fault.MOVED_AFTER_END, offender, pit)
    ]
    assert found[0].due is None
    assert apply_carries(seen, found[0].to_before) == board_of(OVER)
    assert found[0].to_due == found[0].to_before


def test_what_is_in_hand_goes_back_from_the_hand() -> None:
    """The captured stones are in the hand that pressed, and are carried from there."""
    strokes = strokes_of("L6x9 6 7 8 9 10 11 12 13 14 T14x10")
    evidence = Evidence(
        before=START, seen=after(START, strokes), strokes=strokes, presses=(BAS,), in_hand=(10, 0)
    )
    found = diagnose(evidence)[0]
    assert [one.fault for one in found.faults] == [Fault.CAPTURE_KEPT]
    assert found.to_due == (Carry("hand", 18, 10),)


def _watched(before: Position, text: str, seen: tuple[int, ...] | None = None) -> list[Fault]:
    """Return the faults of the first explanation of what hands were seen to do, pressed for by the mover."""
    strokes = strokes_of(text)
    left = after(before, strokes) if seen is None else seen
    evidence = Evidence(
        before=before, seen=left, strokes=strokes, presses=(before.to_move,), in_hand=(0, 0), marks=()
    )
    return [one.fault for found in diagnose(evidence)[:1] for one in found.faults]


LAST_IN_OTHER_ROW = board("0 0 0 0 0 0 0 0 2", "3 0 0 0 0 2 0 2 0", (78, 75), (None, None))


def test_a_hand_that_takes_where_the_last_stone_falls_may_hide_its_fall() -> None:
    """One of four stones won is taken as the last one falls: the pit weighs what it weighed before."""
    assert _watched(LAST_IN_OTHER_ROW, "L8x2 8 B18") == [Fault.CAPTURED_TOO_FEW]


def test_a_hand_that_sweeps_the_board_may_begin_where_its_last_stone_falls() -> None:
    """Nor is the stone that fell there seen: what was sown is the pit that was taken up first."""
    before = board("0 0 2 0 3 0 1 1 2", "1 3 0 0 1 0 4 1 2", (63, 78), (3, 2), QOS)
    seen = (*(0,) * 18, 63, 99)
    swept = "L17x2 17 B19 T2x2 B19x2 T4x3 B19x3 T6 B19 T7 B19 T8x2 B19x2 T9 B19 T10x3 B19x3"
    strokes = strokes_of(f"{swept} T13 B19 T15x4 B19x4 T16 B19 T17 B19")
    told = diagnose(Evidence(before=before, seen=seen, strokes=strokes, presses=(QOS,)))[0]
    assert [one.fault for one in told.faults] == [Fault.SWEPT_WITHOUT_RIGHT]
    assert told.due is not None
    assert told.due.number == 9


@pytest.mark.parametrize(("handled", "due"), [(frozenset({3}), 4), (frozenset(), None)])
def test_where_a_hand_was_stones_may_have_gone_and_come_back_unseen(
    handled: frozenset[int], due: int | None
) -> None:
    """Two stones are sown from pit 4, and one from beside the board laid where they were taken up."""
    before = board("2 0 0 2 0 0 0 1 3", "1 0 2 6 1 2 26 2 6", (50, 58), (None, 3))
    seen = _changed(before, p4=1)
    evidence = Evidence(before=before, seen=seen, strokes=(), presses=(BAS,), in_hand=(0, 0), handled=handled)
    told = diagnose(evidence)[0]
    assert told.faults[0].fault is Fault.FOREIGN_OBJECT
    assert (None if told.due is None else told.due.number) == due


def test_stones_taken_out_of_a_kazan_at_once_may_be_those_that_were_banked() -> None:
    """Four stones are banked and go to the other kazan before the scales have come to rest."""
    strokes = strokes_of("L8x2 8 9 T9x4 B19x4")
    seen = after(LAST_IN_OTHER_ROW, strokes)
    told = diagnose(Evidence(before=LAST_IN_OTHER_ROW, seen=seen, strokes=strokes, presses=(BAS,)))[0]
    named = {tuple(one.fault for one in faults) for faults in (told.faults, *told.alike)}
    assert {(Fault.KAZAN_SHIFTED,), (Fault.CAPTURE_TO_OPPONENT,)} <= named


RELAID = board("0 1 0 0 0 0 0 2 0", "0 0 0 0 0 0 0 0 3", (78, 78))


def test_a_stone_relaid_in_the_course_of_a_sowing_is_no_pit_that_was_touched() -> None:
    """Touched is what was taken up before anything else (1.3.4)."""
    assert _watched(RELAID, "L7x2 7 T1 1 8") == []
    assert _watched(RELAID, "L1 1 L7x2 7 8") == [Fault.TOUCH_MOVE_BROKEN]


@pytest.mark.parametrize(("policy", "due"), [(CLASSICAL, 5), (BLITZ, 8)])
def test_of_two_pits_sown_together_the_one_taken_up_first_is_due_where_touching_obliges(
    policy: Watched, due: int
) -> None:
    """A single stone of pit 5 is taken up before pit 8 and sown along: 1.3.4 binds to the first."""
    pits = (0, 1, 24, 6, 1, 3, 2, 5, 0, 1, 8, 2, 2, 1, 0, 2, 2, 2)
    before = Position(pits, (62, 38), (6, None), Side.QOSTAUSHY)
    seen = (1, 1, 24, 6, 1, 3, 2, 5, 0, 1, 8, 2, 2, 0, 0, 2, 1, 3, 62, 38)
    hands = [(Hand.LIFT, 13, 1), (Hand.LIFT, 16, 2), *((Hand.FALL, place, 1) for place in (16, 17, 0))]
    strokes = tuple(Stroke(hand, place, n, n) for hand, place, n in hands)
    found = diagnose(Evidence(before=before, seen=seen, strokes=strokes), policy)[0]
    assert found.due is not None
    assert found.due.number == due
    assert apply_carries(seen, found.to_due) == board_of(found.due.after)
