"""What a table says goes against the rules, and when it is put right."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import pytest

from firmware_bridge.board.counting.lots import stones_due
from firmware_bridge.board.incident_inputs import Rule
from firmware_bridge.layout import PITS
from rules.game import InfractionClosed, InfractionSeen, fold
from rules.position import START, Side, Sowing, pit_index, play
from tests.firmware_bridge.board.paper import PaperBoard, moves, playing

B, Q = Side.BASTAUSHY, Side.QOSTAUSHY


def seen(board: PaperBoard) -> list[InfractionSeen]:
    """Return what the table has said."""
    return [event for event in board.events if isinstance(event, InfractionSeen)]


def lie(board: PaperBoard, change: Mapping[int, int], number: int = 7) -> None:
    """Play a pit with stones more or less at some places, and press."""
    stones = list(stones_due(play(board.session.game.position, number).after))
    for place, more in change.items():
        stones[place] += more
    board.put(stones)
    board.wait(1)
    board.press(board.session.game.position.to_move)
    board.wait(5)


def test_a_capture_left_lying_is_named_with_the_way_back() -> None:
    """Who, what, the article, and which stones go where."""
    board = playing()
    lie(board, {14: 10, 18: -10})
    (told,) = seen(board)
    assert (told.infraction, told.side, told.faults) == (1, B, ("capture_not_taken",))
    assert told.evidence["due"] == "7:6"
    assert told.evidence["to_due"] == [[14, 18, 10]]
    assert moves(board) == []
    assert board.session.game.open_incidents[0].number == 1


def test_it_is_told_once_and_closed_when_put_right() -> None:
    """The board sees it itself; the move is final then."""
    board = playing()
    lie(board, {14: 10, 18: -10})
    board.wait(20)
    assert len(seen(board)) == 1
    board.show(play(START, 7).after)
    board.wait(2)
    assert moves(board) == ["7:6"]
    assert board.session.game.open_incidents == ()
    closed = [event for event in board.events if isinstance(event, InfractionClosed)]
    assert [event.closing for event in closed] == ["put_right"]
    assert fold(board.events) == board.session.game


def test_nothing_is_said_before_the_press() -> None:
    """Captures come in handfuls, stones are put right (house law 5)."""
    board = playing()
    stones = list(stones_due(play(START, 7).after))
    stones[14], stones[18] = 10, 0
    board.put(stones)
    board.wait(30)
    assert seen(board) == []


def test_nothing_is_said_while_hands_are_still_at_it() -> None:
    """A capture carried off within the time of grace is a move like any other."""
    board = playing()
    stones = list(stones_due(play(START, 7).after))
    stones[14], stones[18] = 10, 0
    board.put(stones)
    board.wait(0.5)
    board.press(B)
    board.wait(2)
    board.show(play(START, 7).after)
    board.wait(2)
    assert (seen(board), moves(board)) == ([], ["7:6"])


def test_a_press_without_a_move_is_named() -> None:
    """2.7.9."""
    board = playing()
    board.press(B)
    board.wait(5)
    (told,) = seen(board)
    assert (told.side, told.faults) == (B, ("pressed_without_move",))


@pytest.mark.parametrize("seat", ["a", "b"])
def test_wherever_bastaushy_sits(seat: str) -> None:
    """Places are told as pits of the position, not of the table."""
    board = playing(seat)  # type: ignore[arg-type] # a parameter is a plain text
    lie(board, {14: 10, 18: -10})
    assert seen(board)[0].evidence["to_due"] == [[14, 18, 10]]


def test_after_a_ruling_the_board_is_put_right_and_not_judged() -> None:
    """The stones on their way back are no second offence."""
    board = playing()
    lie(board, {14: 10, 18: -10})
    board.take(Rule(at_us=board.now_us, decision="restored", infraction=1, by="Сәуле"))
    board.wait(10)
    board.show(START)
    board.wait(1)
    assert len(seen(board)) == 1
    lie(board, {14: 10, 18: -10})
    assert [event.infraction for event in seen(board)] == [1, 2]


def test_a_stone_that_is_still_missing_after_the_press_is_asked_for() -> None:
    """There are 162: it is in a hand, and belongs where it was due."""
    board = playing()
    lie(board, {3: -1})
    (told,) = seen(board)
    assert told.faults == ("stones_in_hand",)
    assert told.evidence["to_due"] == [["hand", 3, 1]]


def test_a_press_by_the_player_whose_dial_does_not_run_is_named() -> None:
    """2.7.7: the move lies there, and the other one has pressed."""
    board = playing()
    lie(board, {})
    board.show(play(board.session.game.position, 1).after)
    board.wait(2)
    board.press(B)
    board.wait(5)
    (told,) = seen(board)
    assert (told.side, told.faults, told.evidence["to_due"]) == (B, ("pressed_out_of_turn",), [])
    board.press(Q)
    board.wait(2)
    assert len(moves(board)) == 2
    assert len(seen(board)) == 1


def test_two_presses_where_one_was_due_are_named_with_the_move() -> None:
    """The other one first: the move is final all the same."""
    board = playing()
    lie(board, {})
    board.show(play(board.session.game.position, 1).after)
    board.wait(2)
    board.press(B)
    board.wait(0.5)
    board.press(Q)
    board.wait(3)
    (told,) = seen(board)
    assert (told.side, told.faults) == (B, ("both_pressed",))
    assert len(moves(board)) == 2


def test_a_clock_that_is_hit_twice_in_haste_is_no_fault() -> None:
    """The second hit changes nothing."""
    board = playing()
    board.show(play(START, 7).after)
    board.wait(1)
    board.press(B)
    board.wait(0.3)
    board.press(B)
    board.wait(6)
    assert (seen(board), moves(board)) == ([], ["7:6"])


def test_before_the_first_move_the_clock_may_be_tried() -> None:
    """Players who get ready press more often than they need."""
    board = playing()
    board.press(Q)
    board.wait(6)
    assert seen(board) == []


def sow(board: PaperBoard, sowing: Sowing, path: Sequence[int] = ()) -> None:
    """Play a ply stone by stone, along another path than its own if one is given, and press at once."""
    stones = list(stones_due(sowing.before))
    stones[pit_index(sowing.side, sowing.number)] = 0
    board.put(stones)
    board.wait(0.4)
    for place in path or sowing.path:
        stones[place] += 1
        board.put(stones)
        board.wait(0.3)
    if sowing.captured:
        stones[sowing.last_index] -= sowing.captured
        board.put(stones)
        board.wait(0.4)
        stones[PITS + sowing.side.index] += sowing.captured
        board.put(stones)
        board.wait(0.3)
    board.press(sowing.side)


def test_a_fault_on_top_of_a_ply_that_never_lay_quiet_is_told_as_the_answers() -> None:
    """The ply behind it is final with it, so that a ruling begins from the right position."""
    board = playing()
    one = play(START, 6)
    reply = play(one.after, 8)
    sow(board, one)
    sow(board, reply, (16, 17, 0, 2, 2, 3, 4, 5, 6))
    board.wait(14)
    (told,) = seen(board)
    assert (told.side, told.faults) == (Q, ("stone_in_neighbour",))
    assert moves(board) == ["6:5"]
    assert board.session.game.open_incidents[0].ply == 1
    assert fold(board.events) == board.session.game
    board.show(reply.after)
    board.wait(3)
    assert moves(board) == ["6:5", "8-7"]
