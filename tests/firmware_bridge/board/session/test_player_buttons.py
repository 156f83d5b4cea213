"""The players' buttons that are no clock's: calls of the arbiter, draws offered and agreed to."""

from __future__ import annotations

import pytest

from firmware_bridge.board.incident_inputs import AnswerCall, AnswerDraw
from firmware_bridge.board.inputs import Acknowledge, ButtonPressed, Step, Suspend
from firmware_bridge.layout import Seat, Wiring
from rules.game import ArbiterCalled, DrawAnswered, DrawOffered, GameEnded, Phase, PressId, fold
from rules.position import Side
from tests.firmware_bridge.board.paper import PaperBoard, assigned, phase, playing

B, Q = Side.BASTAUSHY, Side.QOSTAUSHY
BUTTONS = Wiring(button_call_a=3, button_call_b=4, button_draw_a=5, button_draw_b=6)
SHARED, CALL_A, CALL_B, DRAW_A, DRAW_B, NOBODYS = 2, 3, 4, 5, 6, 7


def hit(board: PaperBoard, button: int) -> Step:
    """Press a button; whatever comes of it, the device may forget it, and nothing is refused."""
    board.presses += 1
    press = PressId(1, board.presses)
    step = board.take(ButtonPressed(board.now_us, button, press))
    assert Acknowledge(press) in step.effects
    assert step.refusal == ""
    return step


@pytest.mark.parametrize(
    ("button", "seat", "side"),
    [(SHARED, "a", None), (CALL_A, "a", B), (CALL_B, "a", Q), (CALL_A, "b", Q), (CALL_B, "b", B)],
)
def test_a_call_names_who_called_and_his_press(button: int, seat: Seat, side: Side | None) -> None:
    """The seat's player, whoever begins; of the button that both share nobody knows."""
    board = playing(seat, BUTTONS)
    hit(board, button)
    (called,) = [event for event in board.events if isinstance(event, ArbiterCalled)]
    assert (called.side, called.press) == (side, PressId(1, board.presses))
    assert board.session.game.called
    assert board.session.game.phase is Phase.PLAYING
    assert fold(board.events) == board.session.game


def test_every_call_is_an_event_and_the_arbiter_ends_them_together() -> None:
    """A player who calls again is heard again."""
    board = playing(wiring=BUTTONS)
    for button in (CALL_A, CALL_A, CALL_B):
        hit(board, button)
    assert len([event for event in board.events if isinstance(event, ArbiterCalled)]) == 3
    board.take(AnswerCall(at_us=board.now_us))
    assert not board.session.game.called


def test_a_player_may_call_before_the_game_in_a_rest_and_after_it() -> None:
    """Wherever a game is assigned; without one a press is only acknowledged."""
    board = assigned(wiring=BUTTONS)
    board.wait(0.5)
    assert len(hit(board, CALL_B).events) == 1
    board = playing(wiring=BUTTONS)
    board.take(Suspend(board.now_us, "arbiter"))
    assert len(hit(board, CALL_A).events) == 1
    hit(board, DRAW_A)
    hit(board, DRAW_B)
    assert phase(board) is Phase.ENDED
    assert len(hit(board, CALL_B).events) == 1


def test_a_draw_is_offered_on_the_own_turn_and_agreed_to_by_the_other_button() -> None:
    """2.6.8 and 2.6.6: the answer ends the game."""
    board = playing(wiring=BUTTONS)
    hit(board, DRAW_A)
    assert board.session.game.draw_open is B
    board.play(7)
    assert board.session.game.draw_open is B
    hit(board, DRAW_B)
    events = [event for event in board.events if isinstance(event, DrawOffered | DrawAnswered | GameEnded)]
    assert [type(event) for event in events] == [DrawOffered, DrawAnswered, GameEnded]
    assert (board.session.game.result, board.session.game.result_reason) == ("1/2-1/2", "agreement")
    assert fold(board.events) == board.session.game


def test_the_press_that_agrees_confirms_no_result() -> None:
    """A clock pressed right behind it, from habit, is no confirmation either."""
    board = playing(wiring=BUTTONS)
    hit(board, DRAW_A)
    hit(board, DRAW_B)
    board.press(B)
    assert board.session.game.confirmed == (False, False)


def test_an_offer_that_waits_is_not_made_twice_by_a_second_press() -> None:
    """A nervous finger disturbs nobody."""
    board = playing(wiring=BUTTONS)
    hit(board, DRAW_A)
    assert hit(board, DRAW_A).events == ()
    assert board.session.game.draw_offers == (1, 0)


def test_one_offer_more_is_counted_and_asks_nothing() -> None:
    """2.6.9: the first was declined by a move; the next is for the arbiter to judge (2.3.9)."""
    board = playing(wiring=BUTTONS)
    hit(board, DRAW_A)
    board.play(7)
    board.play(9)
    assert board.session.game.draw_open is None
    hit(board, DRAW_A)
    assert board.session.game.draw_offers == (2, 0)
    assert board.session.game.draw_open is None


def test_an_offer_while_the_opponents_dial_runs_is_void_and_not_used_up() -> None:
    """2.6.8: after the move and before the press; what was pressed is written down as a press."""
    board = playing(wiring=BUTTONS)
    assert hit(board, DRAW_B).events == ()
    assert board.session.game.draw_offers == (0, 0)
    board.play(7)
    hit(board, DRAW_B)
    assert board.session.game.draw_open is Q


def test_an_offer_is_declined_in_words_and_not_by_a_button() -> None:
    """After a refusal the button agrees to nothing: it is an offer of one's own."""
    board = playing(wiring=BUTTONS)
    hit(board, DRAW_A)
    board.take(AnswerDraw(at_us=board.now_us, side=Q, accepted=False))
    board.play(7)
    hit(board, DRAW_B)
    assert phase(board) is Phase.PLAYING
    assert board.session.game.draw_open is Q


def test_a_press_told_late_is_taken_as_of_the_clock() -> None:
    """A press before the clock ran as it does now must still end the game it agrees to end."""
    board = playing(wiring=BUTTONS)
    board.play(7)
    hit(board, DRAW_B)
    board.presses += 1
    board.take(ButtonPressed(1, DRAW_A, PressId(1, board.presses)))
    assert phase(board) is Phase.ENDED


@pytest.mark.parametrize("button", [DRAW_A, DRAW_B, NOBODYS])
def test_a_button_that_means_nothing_now_is_acknowledged(button: int) -> None:
    """Before the game no draw can be offered; a button that is not wired is nobody's."""
    board = assigned(wiring=BUTTONS)
    board.wait(0.5)
    before = board.session.game
    assert hit(board, button).events == ()
    assert board.session.game == before
