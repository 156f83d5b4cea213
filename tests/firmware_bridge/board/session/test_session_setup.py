"""The life of a table before its game: set up, confirmed, started, given up."""

from __future__ import annotations

import pytest

from firmware_bridge.board.counting.lots import stones_due
from firmware_bridge.board.inputs import (
    Acknowledge,
    Assign,
    DeviceGone,
    Release,
    Start,
)
from rules.game import (
    Phase,
    PressId,
    SetupLost,
    fold,
)
from rules.position import START, Side
from tests.firmware_bridge.board.paper import CONTROL, UNITS, PaperBoard, assigned, notes, phase, playing

B, Q = Side.BASTAUSHY, Side.QOSTAUSHY


def test_a_board_set_up_and_two_presses_start_the_game() -> None:
    """9 x 18 is checked, each player confirms with his own button, bastaushy's clock runs."""
    board = playing()
    assert phase(board) is Phase.PLAYING
    assert board.session.game.clock is not None
    assert board.session.game.clock.running is B
    assert board.session.watch.sensed == "matches"


def test_a_board_not_set_up_is_told_pit_by_pit_and_does_not_start() -> None:
    """Each wrong pit is named with what lies there and what is due."""
    board = assigned()
    stones = list(stones_due(START))
    stones[6], stones[12] = 8, 10
    board.put(stones)
    board.wait(0.5)
    board.press(B)
    board.press(Q)
    assert phase(board) is Phase.SETTING_UP
    assert notes(board) == [("not_set_up", 6), ("not_set_up", 12)]
    assert [note.detail for note in board.session.watch.notes] == [
        "bastaushy 7: 8 stones, due 9",
        "qostaushy 4: 10 stones, due 9",
    ]
    board.show(START)
    board.wait(0.5)
    board.press(B)
    board.press(Q)
    assert phase(board) is Phase.PLAYING


def test_a_set_up_that_is_undone_must_be_confirmed_anew() -> None:
    """After one player's press the stones are moved: both must confirm again."""
    board = assigned()
    board.wait(0.5)
    board.press(B)
    stones = list(stones_due(START))
    stones[0], stones[1] = 10, 8
    board.put(stones)
    board.wait(0.5)
    assert any(isinstance(event, SetupLost) for event in board.events)
    board.press(Q)
    board.show(START)
    board.wait(0.5)
    board.press(Q)
    assert phase(board) is Phase.SETTING_UP
    assert board.session.game.ready == (False, True)


def test_a_hand_over_the_board_does_not_undo_the_set_up() -> None:
    """Movement is no other board."""
    board = assigned()
    board.wait(0.5)
    board.press(B)
    board.moving = {3, 4}
    board.wait(1)
    assert board.session.watch.sensed == "moving"
    board.press(Q)
    assert phase(board) is Phase.READY
    board.moving = set()
    board.wait(0.2)
    assert phase(board) is Phase.PLAYING


@pytest.mark.parametrize("wrong", ["missing", "over", "unread", "unplugged"])
def test_no_game_starts_on_a_board_that_is_not_seen_set_up(wrong: str) -> None:
    """Checked, and then disturbed in whatever way before the second press: both must confirm anew."""
    board = assigned()
    board.wait(0.5)
    board.press(B)
    match wrong:
        case "missing":
            board.put([7.0, *stones_due(START)[1:]])
        case "over":
            board.add(5, 3 * UNITS.stone_g)
        case "unread":
            board.broken = {4: "saturated"}
        case _:
            board.take(DeviceGone("cable"))
    if wrong != "unplugged":
        board.wait(0.5)
    board.press(Q)
    assert phase(board) is not Phase.PLAYING
    assert board.session.game.clock is not None
    assert board.session.game.clock.running is None


def test_the_arbiter_cannot_start_what_is_not_seen_set_up_either() -> None:
    """Refused in words, and changed nothing."""
    board = assigned(start_when_ready=False)
    board.wait(0.5)
    board.press(Q)
    board.press(B)
    board.moving = {3}
    board.wait(0.5)
    step = board.take(Start(board.now_us))
    assert "nine stones are not seen in each pit now (moving)" in step.refusal
    assert step.refused == "not_set_up"
    assert phase(board) is Phase.READY


def test_requirement_23_the_announcement_starts_the_clock_of_a_player_who_is_not_there() -> None:
    """His time runs (2.7.5, 2.7.6); a board that is not set up is not started."""
    board = assigned(start_when_ready=False)
    assert board.take(Start(board.now_us)).refused == "not_set_up"
    board.wait(0.5)
    board.press(Q)
    board.take(Start(board.now_us))
    assert phase(board) is Phase.PLAYING
    assert board.session.game.clock is not None
    assert board.session.game.clock.running is B
    assert fold(board.events) == board.session.game


def test_where_the_arbiter_starts_the_clocks_presses_alone_do_not() -> None:
    """Both are ready; the clock waits for the announcement (2.7.5)."""
    board = assigned(start_when_ready=False)
    board.wait(0.5)
    board.press(Q)
    board.press(B)
    assert phase(board) is Phase.READY
    board.take(Start(board.now_us))
    assert phase(board) is Phase.PLAYING


def test_the_arbiters_button_and_a_second_press_change_nothing() -> None:
    """They are acknowledged, so that the device can forget them."""
    board = assigned()
    board.wait(0.5)
    board.press(B)
    step = board.press(B)
    assert step.events == ()
    assert step.effects == (Acknowledge(PressId(1, 2)),)


def test_a_game_not_begun_may_be_released() -> None:
    """Wrong names are found before the first move."""
    board = assigned()
    assert board.take(Release(0)).refusal == ""
    assert phase(board) is Phase.RELEASED


def flipped(board: PaperBoard) -> Assign:
    """Return the command that lets the other player begin, on the same chairs."""
    names = board.session.game.names
    return Assign(
        at_us=board.now_us,
        game_id="r1-b1",
        names=(names[1], names[0]),
        starter_seat="b" if board.session.game.starter_seat == "a" else "a",
        control=CONTROL,
    )


def test_seats_are_flipped_before_the_first_move_and_both_confirm_anew() -> None:
    """The stones lie as they lay; who was ready has to say so again, for it is another game."""
    board = assigned()
    board.wait(0.5)
    board.press(B)
    assert board.session.game.ready == (True, False)
    names = board.session.game.names
    step = board.take(flipped(board))
    board.seat = "b"
    assert step.refusal == ""
    assert board.session.game.names == (names[1], names[0])
    assert (board.session.game.game_id, board.session.game.starter_seat) == ("r1-b1", "b")
    assert board.session.game.ready == (False, False)
    board.wait(0.5)
    board.press(B)
    board.press(Q)
    assert phase(board) is Phase.PLAYING


def test_no_game_is_assigned_over_one_that_is_played() -> None:
    """A hand on the wrong button of the hall must not end a game."""
    board = playing()
    step = board.take(flipped(board))
    assert (step.events, step.refused) == ((), "phase")
    assert phase(board) is Phase.PLAYING
