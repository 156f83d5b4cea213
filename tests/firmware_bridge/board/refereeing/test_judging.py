"""Two plies on one board, one of them against the rules: which, and what it was."""

from __future__ import annotations

from dataclasses import replace

import pytest

from firmware_bridge.board.hands.events import Turn
from firmware_bridge.board.refereeing.answered import Scene, cut, on_top_of_plies, under_an_answer
from firmware_bridge.board.refereeing.gathering import PressSeen
from firmware_bridge.board.refereeing.judging import judged
from rules.infractions.corrections import apply_carries
from rules.infractions.evidence import Watched
from rules.infractions.kinds import Fault
from rules.position import START, Position, Sowing, board_of, play
from tests.firmware_bridge.board.refereeing.turns_seen import FIRST, SECOND, TUZDYK, played, seen, turn

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
    pressed_first = (PressSeen(FIRST, 1_500_000), BOTH[1])
    parts = cut(Scene(START, tuple(stones), seen(first, mixed), pressed_first))
    assert parts is not None
    assert parts.answer == wrong.lifted[0]


def test_turns_are_cut_where_the_answer_was_begun_before_the_press() -> None:
    """It is the press that came late; what was taken up then is the answer all the same."""
    answer = played(REPLY, 5000)
    presses = (PressSeen(FIRST, 6_000_000), BOTH[1])
    parts = cut(Scene(START, board_of(REPLY.after), seen(played(ONE, 0), answer), presses))
    assert parts is not None
    assert parts.answer == answer.lifted[0]


def test_no_fault_lies_on_top_of_a_ply_that_was_not_played_as_it_should_be() -> None:
    """A stone fell elsewhere, stones fell in another order, or what it won is not in the kazan."""
    wrong, stones = _skipped(REPLY, 5000, 1)
    scene = Scene(START, tuple(stones), seen(played(ONE, 0), wrong), BOTH)
    assert [each.plies for each in on_top_of_plies(scene)] == [(ONE,)]
    elsewhere, _ = _skipped(ONE, 0, 7)
    whole = played(ONE, 0)
    moments = [fall.when for fall in reversed(whole.fell)]
    falls = tuple(replace(fall, when=at) for fall, at in zip(whole.fell, moments, strict=True))
    backwards = replace(whole, fell=falls)
    for first in (elsewhere, backwards):
        assert list(on_top_of_plies(replace(scene, seen=seen(first, wrong)))) == []
    robbed = [*stones]
    robbed[18] -= 10
    robbed[13] += 10
    assert list(on_top_of_plies(replace(scene, stones=tuple(robbed)))) == []


def test_no_more_than_one_answer_is_taken_back() -> None:
    """Somebody has pressed once more: what lies there is not the answer alone."""
    reply = play(_left(ONE), 8)
    watched = seen(played(ONE, 0, taken=False), played(reply, 5000))
    scene = Scene(START, board_of(reply.after), watched, BOTH)
    assert list(under_an_answer(scene))
    assert list(under_an_answer(replace(scene, presses=(*BOTH, PressSeen(FIRST, 12_000_000))))) == []


def test_the_mark_of_a_tuzdyk_won_behind_the_fault_is_no_stone() -> None:
    """It weighs as three stones, and lies where nobody saw it laid."""
    start, won = TUZDYK.before, TUZDYK
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
    answered = replace(scene, seen=seen(wrong, played(REPLY, 5000)))
    assert cut(answered) is None
    assert cut(replace(answered, presses=BOTH)) is not None
    best = judged(scene, ALL)
    assert best.behind == ()
    assert [one.offender for one in best.found[0].faults] == [FIRST]


def test_a_ply_with_a_fault_of_its_own_is_not_made_final_by_the_fault_on_top_of_it() -> None:
    """Both have offended: what the first player won never came into his kazan."""
    wrong, stones = _skipped(play(_left(ONE), 8), 5000, 1)
    best = judged(Scene(START, tuple(stones), seen(played(ONE, 0, taken=False), wrong), BOTH), ALL)
    assert best.behind == ()
    assert best.found


def test_a_ply_that_was_not_seen_whole_is_not_made_final_by_two_faults_on_top_of_it() -> None:
    """The stone that nobody saw fall lies in the wrong pit: one of the two faults is the first player's."""
    _, lies = _skipped(ONE, 0, 7)
    whole = played(ONE, 0)
    first = replace(whole, fell=tuple(fall for fall in whole.fell if fall.place != 7))
    position = replace(ONE.after, pits=tuple(lies[:18]))
    wrong, stones = _skipped(play(position, 8), 5000, 1)
    best = judged(Scene(START, tuple(stones), seen(first, wrong), BOTH), ALL)
    assert best.behind == ()


@pytest.mark.parametrize("place", [15, 0, 3])
def test_a_stone_of_the_answer_that_nobody_saw_fall_is_not_laid_at_the_first_players_door(place: int) -> None:
    """His own stones were all seen to fall where they had to."""
    first = play(START, 9)
    reply = play(first.after, 6)
    _, stones = _skipped(reply, 5000, place)
    whole = played(reply, 5000)
    unseen = replace(whole, fell=tuple(fall for fall in whole.fell if fall.place != place))
    best = judged(Scene(START, tuple(stones), seen(played(first, 0), unseen), BOTH), ALL)
    assert [(one.fault, one.offender) for one in best.found[0].faults] == [(Fault.STONE_IN_NEIGHBOUR, SECOND)]
    assert best.behind == (first,)


def test_a_capture_left_lying_by_the_answer_is_not_the_first_players_fault() -> None:
    """Another answer to a wrong ply would have left the same stones: hands have seen that there was none."""
    pits = (5, 8, 2, 9, 3, 18, 7, 10, 11, 0, 9, 20, 3, 4, 9, 4, 1, 1)
    start = Position(pits, (18, 20), (1, None), FIRST)
    first = play(start, 5)
    reply = play(first.after, 6)
    watched = seen(played(first, 0), played(reply, 5000, taken=False))
    best = judged(Scene(start, board_of(_left(reply)), watched, BOTH), ALL)
    assert [(one.fault, one.offender) for one in best.found[0].faults] == [(Fault.CAPTURE_NOT_TAKEN, SECOND)]
    assert best.behind == (first,)
