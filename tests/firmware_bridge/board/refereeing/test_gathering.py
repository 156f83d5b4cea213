"""What is evidence against a player, and what is not."""

from __future__ import annotations

from dataclasses import replace

import pytest

from firmware_bridge.board.hands.events import Amount, Captured, Fell, Seen, TakenUp, Turn
from firmware_bridge.board.refereeing.gathering import (
    EARLY_US,
    LATE_US,
    Answer,
    Marks,
    PressSeen,
    answer_of,
    early_of,
    gathered,
)
from rules.position import START, Position, board_of, play
from tests.firmware_bridge.board.refereeing.turns_seen import FIRST, SECOND, played, seen, turn, when

ONE = play(START, 1)
"""Nine stones along bastaushy's own row; nothing is won."""

REPLY = play(ONE.after, 5)

WON = play(START, 6)
"""Nine stones from pit 6; the last falls into qostaushy's fifth pit and wins ten."""

ONE_STONE = Amount(1, 1, 1)
SOWN = turn(FIRST, [(0, 0, 9)], [(200 * nth, nth, 1) for nth in range(9)])
ANSWERED = turn(SECOND, [(3000, 13, 9)], [(3200, 13, 1), (3400, 14, 1)], in_hand=7)


def test_an_answer_begins_with_a_pit_of_the_other_row() -> None:
    """The next player lifts his whole pit and sows it."""
    assert answer_of(START, seen(SOWN, ANSWERED)) == Answer(1, ANSWERED.lifted[0])


def test_who_puts_a_stone_right_in_the_other_row_does_not_answer() -> None:
    """A last stone that fell one pit too far is laid one pit back: hands that sow never go back."""
    overshot = turn(FIRST, [(0, 1, 9)], [(200 * nth, nth + 1, 1) for nth in range(8)] + [(1800, 10, 1)])
    bare = Position((9,) * 9 + (9, 0, *(9,) * 7), (9, 0), (None, None), FIRST)
    put_right = turn(SECOND, [(2400, 10, 1)], [(2700, 9, 1)])
    assert answer_of(bare, seen(overshot, put_right)) is None
    onwards = turn(SECOND, [(2400, 10, 1)], [(2700, 11, 1)])
    assert answer_of(bare, seen(overshot, onwards)) == Answer(1, onwards.lifted[0])


@pytest.mark.parametrize(
    "hands",
    [
        turn(SECOND, [(3000, 13, 5)], [(3200, 13, 1)], in_hand=4),
        turn(SECOND, [(3000, 13, 12)], [(3200, 13, 1)], in_hand=11),
        turn(SECOND, [(3000, 13, 9)], [(2800, 14, 1), (3200, 13, 1)], in_hand=8),
        turn(SECOND, [(3000, 13, 9)], [(3200, 13, 2)], in_hand=7),
        turn(SECOND, [(3000, 13, 9)], banked=[(3300, FIRST, 9)], in_hand=1),
    ],
    ids=["a part of the pit", "more than lay there", "fell before", "two at once", "carried to the other"],
)
def test_who_does_not_sow_a_whole_pit_stone_by_stone_does_not_answer(hands: Turn) -> None:
    """He takes up what he won, or puts right what lies wrong."""
    assert answer_of(START, seen(SOWN, hands)) is None


def test_a_capture_is_no_answer_where_the_ply_is_known() -> None:
    """What lies where the last stone fell is taken up by the player who won it, not by his opponent."""
    sown = turn(FIRST, [(0, 5, 9)], [(200 * nth, 5 + nth, 1) for nth in range(8)])
    taken = turn(SECOND, [(2000, 13, 9)], in_hand=9)
    assert answer_of(START, seen(sown, taken), [WON]) is None
    assert answer_of(START, seen(sown, taken)) is not None


def test_a_known_answer_begins_with_its_own_pit() -> None:
    """Whatever a turn has begun with: stones that were put right look like a turn of the other player."""
    mixed = turn(SECOND, [(1900, 9, 1), (2500, 13, 9)], [(2100, 8, 1)], in_hand=9)
    assert answer_of(START, seen(SOWN, mixed), [ONE, REPLY]) == Answer(1, mixed.lifted[1])
    unseen = turn(SECOND, [(1900, 9, 1)], [(2100, 8, 1)])
    assert answer_of(START, seen(SOWN, unseen), [ONE, REPLY]) is None


@pytest.mark.parametrize(
    ("ahead_ms", "early"), [(EARLY_US // 1000 + 71, True), (EARLY_US // 1000 + 69, False)]
)
def test_a_move_is_early_when_its_pit_was_surely_taken_up_well_before_the_press(
    ahead_ms: int, *, early: bool
) -> None:
    """By the latest moment at which it can have been."""
    presses = [PressSeen(FIRST, (3000 + ahead_ms) * 1000)]
    found = early_of(START, seen(SOWN, ANSWERED), presses)
    assert found is (SECOND if early else None)


def test_what_was_done_before_the_plys_own_lift_is_no_answer_to_it() -> None:
    """Hands that put the board right after the ply before are carried over with it."""
    mending = turn(SECOND, [(-3000, 13, 9)], [(-2800, 13, 1), (-2600, 14, 1)], in_hand=7)
    stale = turn(FIRST, [(-6000, 3, 2)], [(-5000, 4, 1)])
    assert answer_of(START, seen(stale, mending, SOWN), [ONE]) is None
    assert answer_of(START, seen(stale, mending, SOWN, ANSWERED), [ONE]) == Answer(3, ANSWERED.lifted[0])
    assert answer_of(START, seen(stale, mending), [ONE]) is None
    assert answer_of(START, seen(mending, SOWN, ANSWERED), [ONE, REPLY]) == Answer(2, ANSWERED.lifted[0])


def _late(fell_ms: int, *others: tuple[int, int, int]) -> Seen:
    falls = [(200 * nth, nth, 1) for nth in range(8)] + [(fell_ms, 8, 1)]
    mine = turn(FIRST, [(0, 0, 9)], falls)
    return seen(mine, turn(SECOND, list(others))) if others else seen(mine)


def _in_hand(watched: Seen, pressed_ms: int) -> tuple[int, int] | None:
    presses = [PressSeen(FIRST, pressed_ms * 1000)]
    return gathered(START, board_of(ONE.after), watched, presses, plies=[ONE]).in_hand


def test_a_stone_that_surely_fell_after_the_press_was_in_hand_at_it() -> None:
    """By the earliest moment at which it can have fallen; a cell that rings shows it late."""
    late_ms = LATE_US // 1000
    assert _in_hand(_late(2000 + late_ms + 71), 2000) == (1, 0)
    assert _in_hand(_late(2000 + late_ms + 69), 2000) == (0, 0)


def test_what_falls_when_the_other_hand_has_come_is_held_against_nobody() -> None:
    """It may be the other player's stone."""
    assert _in_hand(_late(2800, (2500, 13, 9)), 2000) == (0, 0)
    assert _in_hand(_late(2800, (3100, 13, 9)), 2000) == (1, 0)
    gone = turn(SECOND, [(-3000, 13, 1)], [(-2800, 13, 1)])
    assert _in_hand(seen(gone, *_late(2800).turns), 2000) == (1, 0)


def test_what_falls_where_the_ply_lays_no_stone_was_not_in_hand_for_it() -> None:
    """It is not known where it came from."""
    falls = [(200 * nth, nth, 1) for nth in range(9)]
    assert _in_hand(seen(turn(FIRST, [(0, 0, 9)], [*falls, (2800, 17, 1)])), 2000) == (0, 0)


def test_a_stone_taken_up_after_the_press_and_laid_down_again_was_not_in_hand_at_it() -> None:
    """Whether it was put right or looked like a capture."""
    whole = turn(FIRST, [(0, 0, 9)], [*((200 * nth, nth, 1) for nth in range(9)), (2900, 8, 1)])
    assert _in_hand(seen(replace(whole, captured=_taken(8, 2500))), 2000) == (0, 0)
    assert _in_hand(seen(replace(whole, taken_up=(TakenUp(when(2500), FIRST, 8, ONE_STONE),))), 2000) == (
        0,
        0,
    )
    assert _in_hand(seen(whole), 2000) == (1, 0)


@pytest.mark.parametrize("kept", [{"in_hand": 1}, {"carried": 1}])
def test_what_a_hand_holds_counts_only_where_a_stone_is_missing(kept: dict[str, int]) -> None:
    """Where none is, it was laid down unseen; for how long it is held nobody knows while it is."""
    holding = replace(turn(FIRST, [(0, 0, 9)], [(200 * nth, nth, 1) for nth in range(8)]), **kept)  # type: ignore[arg-type] # either
    stones = list(board_of(ONE.after))
    laid = gathered(START, stones, seen(holding), [PressSeen(FIRST, 2_000_000)], plies=[ONE])
    assert (laid.in_hand, laid.in_hand_us) == ((0, 0), 0)
    stones[8] -= 1
    held = gathered(START, stones, seen(holding), [PressSeen(FIRST, 2_000_000)], plies=[ONE])
    assert (held.in_hand, held.in_hand_us) == ((1, 0), None)


@pytest.mark.parametrize("place", [14, 10])
def test_an_answer_begun_as_the_press_falls_is_no_stone_in_hand(place: int) -> None:
    """Hands that reach in a moment too early are taken for a capture, and what they sow for the other's."""
    whole = played(WON, 0)
    row = [(2800 + 200 * nth, place + nth, 1) for nth in range(1, 4)]
    hasty = replace(whole, captured=(*whole.captured, *_taken(place, 2600)), fell=(*whole.fell, *_fell(row)))
    presses = [PressSeen(FIRST, 2_700_000)]
    assert gathered(START, board_of(WON.after), seen(hasty), presses, plies=[WON]).in_hand == (0, 0)
    late = turn(
        FIRST,
        [(0, 5, 9)],
        [(200 * nth, 5 + nth, 1) for nth in range(9)],
        [(2000, 13, 10)],
        [(3000, FIRST, 10)],
    )
    presses = [PressSeen(FIRST, 2_200_000)]
    assert gathered(START, board_of(WON.after), seen(late), presses, plies=[WON]).in_hand == (10, 0)


def _taken(place: int, at_ms: int) -> tuple[Captured, ...]:
    return turn(FIRST, captured=[(at_ms, place, 9)]).captured


def _fell(strokes: list[tuple[int, int, int]]) -> tuple[Fell, ...]:
    return turn(FIRST, fell=strokes).fell


def test_marks_are_not_counted_as_stones() -> None:
    """A mark that was laid where none was due weighs as some stones do."""
    stones = list(board_of(ONE.after))
    stones[12] += 3
    evidence = gathered(START, stones, seen(SOWN), [], Marks((12,), 3))
    assert evidence.seen == board_of(ONE.after)
    assert evidence.marks == (12,)


def test_a_mark_laid_anew_on_the_tuzdyk_it_was_due_on_is_taken_off_no_stones() -> None:
    """Its mass is known there, and has been taken off already."""
    won = replace(START, tuzdyks=(4, None))
    stones = list(board_of(ONE.after))
    assert gathered(won, stones, seen(SOWN), [], Marks((12,), 3)).seen == tuple(stones)


def test_where_hands_were_not_seen_everywhere_their_strokes_are_not_told() -> None:
    """What was done at that place is missing among them."""
    assert gathered(START, board_of(ONE.after), seen(SOWN), []).strokes is not None
    blind = replace(seen(SOWN), unseen=frozenset({3}))
    assert gathered(START, board_of(ONE.after), blind, []).strokes is None


def test_nobody_who_was_not_watched_is_accused() -> None:
    """Without hands there is neither haste nor a stone in hand."""
    evidence = gathered(START, board_of(ONE.after), None, [PressSeen(FIRST, 1)], plies=[ONE])
    assert (evidence.strokes, evidence.in_hand, evidence.early, evidence.marks) == (None, None, None, None)
