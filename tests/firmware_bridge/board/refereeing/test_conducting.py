"""Faults told of a ply whose stones lie right, and hands that are not to be blamed."""

from __future__ import annotations

from dataclasses import replace

from firmware_bridge.board.hands.events import Amount, TakenUp, Turn
from firmware_bridge.board.refereeing.conducting import conducted, unmarked
from firmware_bridge.board.refereeing.gathering import PressSeen
from rules.infractions.evidence import Watched
from rules.infractions.kinds import Fault
from rules.position import START, play
from tests.firmware_bridge.board.refereeing.turns_seen import FIRST, SECOND, TUZDYK, played, seen, turn, when

ALL = Watched()
ONE = play(START, 1)
REPLY = play(ONE.after, 5)
SOWN = turn(FIRST, [(0, 0, 9)], [(200 * nth, nth, 1) for nth in range(9)])
PRESSED = [PressSeen(FIRST, 2_000_000)]


def _relaid(place: int, first_fall: int | None) -> Turn:
    """Return the answer, in which a stone is taken up and laid back, and which may begin with a fall."""
    falls = [(3200 + 100 * nth, 13 + nth, 1) for nth in range(5)] + [(5000, place, 1)]
    if first_fall is not None:
        falls.insert(0, (2500, first_fall, 1))
    answer = turn(SECOND, [(3000, 13, 9)], falls, in_hand=3)
    return replace(answer, taken_up=(TakenUp(when(4500), SECOND, place, Amount(1, 1, 1)),))


def test_a_ply_by_the_book_is_told_nothing_of() -> None:
    """Nor when the answer is known already."""
    assert conducted([ONE], seen(SOWN), PRESSED, ALL) is None
    answer = turn(SECOND, [(3000, 13, 9)], [(3200 + 100 * nth, 13 + nth, 1) for nth in range(5)], in_hand=4)
    assert conducted([ONE, REPLY], seen(SOWN, answer), PRESSED, ALL) is None


def test_the_answers_own_putting_right_is_not_held_against_the_ply_before_it() -> None:
    """Both became final together, and the answer's turn begins with a stone that was the first player's."""
    for first_fall in (None, 8):
        found = conducted([ONE, REPLY], seen(SOWN, _relaid(16, first_fall)), PRESSED, ALL)
        assert found is None, first_fall


def test_what_the_other_presses_is_told() -> None:
    """The dial of the player who moved was stopped by his opponent (2.7.7)."""
    found = conducted([ONE], seen(SOWN), [PressSeen(SECOND, 1_900_000), *PRESSED], ALL)
    assert found is not None
    assert found[1][0].faults[0].fault is Fault.BOTH_PRESSED


def test_what_is_pressed_behind_the_players_own_press_is_not_held_against_his_ply() -> None:
    """It belongs to the answer: nothing is told for it, nor anything else than without it."""
    behind = PressSeen(SECOND, 2_500_000)
    assert conducted([ONE], seen(SOWN), [*PRESSED, behind], ALL) is None
    presses = [PressSeen(SECOND, 1_900_000), *PRESSED]
    assert conducted([ONE], seen(SOWN), [*presses, behind], ALL) == conducted([ONE], seen(SOWN), presses, ALL)


def test_a_mark_is_not_missed_before_the_opponent_has_answered() -> None:
    """It may be laid behind the press (1.4.2); once he has, its place is looked at."""
    presses = [PressSeen(FIRST, 3_900_000), PressSeen(SECOND, 4_000_000)]
    found = conducted([TUZDYK], seen(played(TUZDYK, 0)), presses, ALL)
    assert found is not None
    assert [one.fault for one in found[1][0].faults] == [Fault.BOTH_PRESSED]
    missing = unmarked(TUZDYK, frozenset(), ALL)
    assert missing is not None
    assert [(one.fault, one.offender) for one in missing[1][0].faults] == [(Fault.TUZDYK_NOT_MARKED, SECOND)]
    assert unmarked(TUZDYK, frozenset({TUZDYK.last_index}), ALL) is None


def test_an_answer_begun_well_before_the_press_is_told() -> None:
    """2.7.17: one moves only after the opponent has pressed."""
    answer = turn(SECOND, [(3000, 13, 9)], [(3200, 13, 1), (3400, 14, 1)], in_hand=7)
    found = conducted([ONE], seen(SOWN, answer), [PressSeen(FIRST, 4_000_000)], ALL)
    assert found is not None
    assert (found[1][0].faults[0].fault, found[1][0].faults[0].offender) == (Fault.MOVED_BEFORE_PRESS, SECOND)


def test_what_was_put_right_after_the_ply_before_is_not_told_again() -> None:
    """Its hands are carried over; what a player does between the two moves is his own."""
    lifted, fell = [(-900, 12, 2)], [(-500, 12, 2)]
    mended = turn(FIRST, [*lifted, (0, 0, 9)], [*fell, *((200 * nth, nth, 1) for nth in range(9))])
    assert conducted([ONE], replace(seen(mended), since_us=-100_000), PRESSED, ALL) is None
    assert conducted([ONE], seen(mended), PRESSED, ALL) is not None


def test_nothing_is_told_of_hands_where_those_of_both_players_cannot_be_kept_apart() -> None:
    """Either ply's own lift was not seen, or the turn with the answer has begun with something else."""
    lifted, fell = [(-900, 12, 2), (0, 0, 9)], [(-500, 12, 2), *((200 * nth, nth, 1) for nth in range(9))]
    adjusted = turn(FIRST, lifted, fell)
    answer = turn(SECOND, [(3000, 13, 9)], [(3200, 13, 1)], in_hand=8)
    found = conducted([ONE, REPLY], seen(adjusted, answer), PRESSED, ALL)
    assert found is not None
    assert found[1][0].faults[0].fault in (Fault.ADJUSTED_BY_HAND, Fault.ADJUSTED_OUT_OF_TURN)
    assert conducted([ONE, REPLY], seen(adjusted), PRESSED, ALL) is None
    assert conducted([ONE], seen(replace(adjusted, lifted=adjusted.lifted[:1])), PRESSED, ALL) is None
    mixed = turn(SECOND, [(1900, 9, 1), (3000, 13, 9)], [(3200, 13, 1)], in_hand=8)
    assert conducted([ONE, REPLY], seen(adjusted, mixed), PRESSED, ALL) is None
