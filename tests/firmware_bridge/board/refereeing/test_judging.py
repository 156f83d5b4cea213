"""Two plies on one board, one of them against the rules: which, and what it was."""

from __future__ import annotations

from dataclasses import replace

from firmware_bridge.board.hands.events import Turn
from firmware_bridge.board.refereeing.answered import Scene, cut
from firmware_bridge.board.refereeing.gathering import PressSeen
from firmware_bridge.board.refereeing.judging import judged
from rules.infractions.corrections import apply_carries
from rules.infractions.evidence import Watched
from rules.infractions.kinds import Fault
from rules.position import START, Position, Sowing, board_of, play
from tests.firmware_bridge.board.refereeing.turns_seen import FIRST, SECOND, played, seen, turn

ALL = Watched()
ONE = play(START, 6)
"""Nine stones from pit 6; the last falls into qostaushy's fifth pit and wins ten."""

REPLY = play(ONE.after, 8)
BOTH = (PressSeen(FIRST, 3_000_000), PressSeen(SECOND, 9_000_000))


def _skipped(sowing: Sowing, at_ms: int, place: int) -> tuple[Turn, list[int]]:
    """Return a ply whose stone for one pit went into the next, as seen and as it lies."""
    stones = list(board_of(sowing.after))
    stones[place] -= 1
    stones[place + 1] += 1
    whole = played(sowing, at_ms)
    fell = tuple(replace(fall, place=place + 1) if fall.place == place else fall for fall in whole.fell)
    return replace(whole, fell=fell), stones


def _left(sowing: Sowing) -> Position:
    """Return the board on which what a ply won was left lying."""
    pits, kazans = list(sowing.after.pits), list(sowing.after.kazans)
    pits[sowing.last_index] += sowing.captured
    kazans[sowing.side.index] -= sowing.captured
    return replace(sowing.after, pits=tuple(pits), kazans=(kazans[0], kazans[1]))


def test_a_fault_on_top_of_a_ply_that_was_not_final_is_the_second_players() -> None:
    """The board never came to rest behind the first ply, which was played as it should be."""
    wrong, stones = _skipped(REPLY, 5000, 1)
    best = judged(Scene(START, tuple(stones), seen(played(ONE, 0), wrong), BOTH), ALL)
    assert best.behind == (ONE,)
    (fault,) = best.found[0].faults
    assert (fault.fault, fault.offender, fault.pit) == (Fault.STONE_IN_NEIGHBOUR, SECOND, 2)
    assert apply_carries(stones, best.found[0].to_due) == board_of(REPLY.after)
    assert apply_carries(stones, best.found[0].to_before) == board_of(ONE.after)


def test_a_fault_under_a_legal_answer_is_the_first_players() -> None:
    """What he won was left lying, and his opponent answered at once, upon the board as it lay."""
    reply = play(_left(ONE), 8)
    stones = board_of(reply.after)
    watched = seen(played(ONE, 0, taken=False), played(reply, 5000))
    best = judged(Scene(START, stones, watched, BOTH), ALL)
    assert best.behind == ()
    (fault,) = best.found[0].faults
    assert (fault.fault, fault.offender) == (Fault.CAPTURE_NOT_TAKEN, FIRST)
    assert apply_carries(stones, best.found[0].to_due) == board_of(ONE.after)
    assert apply_carries(stones, best.found[0].to_before) == board_of(START)
    assert best.evidence.seen == stones


def test_nobody_is_accused_where_all_plies_can_have_been_played_as_they_should() -> None:
    """The board asks then, for it could not tell them apart for itself."""
    third = play(REPLY.after, 1)
    watched = seen(played(ONE, 0), played(REPLY, 5000), played(third, 10_000))
    presses = (*BOTH, PressSeen(FIRST, 13_000_000))
    best = judged(Scene(START, board_of(third.after), watched, presses), ALL)
    assert (best.found, best.behind) == ((), ())


def test_a_capture_that_looked_like_the_others_turn_does_not_hide_the_answer() -> None:
    """The hand that took what it won came down with the last stone; the turn that begins so is of both."""
    wrong, stones = _skipped(REPLY, 5000, 1)
    whole = played(ONE, 0)
    first = replace(whole, fell=whole.fell[:-1], captured=(), banked=())
    mixed = turn(SECOND, [(1900, ONE.last_index, 9)], banked=[(2300, FIRST, 10)])
    mixed = replace(
        mixed,
        lifted=(*mixed.lifted, *wrong.lifted),
        fell=wrong.fell,
        banked=(*mixed.banked, *wrong.banked),
        captured=wrong.captured,
    )
    best = judged(Scene(START, tuple(stones), seen(first, mixed), BOTH), ALL)
    assert best.behind == (ONE,)
    assert [one.fault for one in best.found[0].faults] == [Fault.STONE_IN_NEIGHBOUR]


def test_the_mark_of_a_tuzdyk_won_behind_the_fault_is_no_stone() -> None:
    """It weighs as three stones, and lies where nobody saw it laid."""
    start = Position((2, 2, *(9,) * 7, 4, *(9,) * 7, 1), (14, 7), (None, None), SECOND)
    won = play(start, 9)
    assert won.tuzdyk == 1
    reply = play(won.after, 7)
    wrong, stones = _skipped(reply, 5000, 9)
    stones[won.last_index] += 3
    presses = (PressSeen(SECOND, 3_000_000), PressSeen(FIRST, 9_000_000))
    best = judged(Scene(start, tuple(stones), seen(played(won, 0), wrong), presses, (), 3), ALL)
    assert best.behind == (won,)
    assert [one.fault for one in best.found[0].faults] == [Fault.STONE_IN_NEIGHBOUR]
    seen_now = [there or 0 for there in best.evidence.seen]
    assert apply_carries(seen_now, best.found[0].to_due) == board_of(reply.after)


def test_one_turn_is_not_cut() -> None:
    """Nor where only one player has pressed."""
    wrong, stones = _skipped(ONE, 0, 7)
    scene = Scene(START, tuple(stones), seen(wrong), BOTH[:1])
    assert cut(scene) is None
    best = judged(scene, ALL)
    assert best.behind == ()
    assert [one.offender for one in best.found[0].faults] == [FIRST]
