"""The players' buttons that are no clock's: calls of the arbiter, draws offered and agreed to."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from firmware_bridge.board.counting.lots import stones_due
from firmware_bridge.board.incident_inputs import AnswerCall, AnswerDraw, Close, Rule
from firmware_bridge.board.inputs import Acknowledge, ButtonPressed, End, Step, Suspend
from firmware_bridge.layout import Seat, Wiring
from rules.conduct.options import CLASSICAL, Conduct
from rules.game import (
    ArbiterCalled,
    DrawAnswered,
    DrawOffered,
    GameEnded,
    InfractionSeen,
    Phase,
    PressId,
    event_from_json,
    event_to_json,
    fold,
)
from rules.notation.moves import MoveText
from rules.position import START, Side
from rules.record.of_game import record_of
from rules.record.text import format_record, parse_record
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


def offered(conduct: Conduct = CLASSICAL) -> PaperBoard:
    """Return a board on which bastaushy has moved and offered a draw, and has not pressed yet."""
    board = playing(wiring=BUTTONS, conduct=conduct)
    board.play(7, press=False)
    hit(board, DRAW_A)
    return board


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
    assert (board.session.game.phase, board.session.game.caller) == (Phase.SUSPENDED, side)
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
    board.take(End(board.now_us, "1/2-1/2", "agreement"))
    assert phase(board) is Phase.ENDED
    assert len(hit(board, CALL_B).events) == 1


def test_a_draw_is_offered_on_the_own_turn_and_agreed_to_by_the_other_button() -> None:
    """2.6.8 and 2.6.6: the answer ends the game."""
    board = playing(wiring=BUTTONS)
    board.play(7, press=False)
    hit(board, DRAW_A)
    assert board.session.game.draw_open is B
    board.press(B)
    board.wait(0.5)
    assert board.session.game.draw_open is B
    hit(board, DRAW_B)
    events = [event for event in board.events if isinstance(event, DrawOffered | DrawAnswered | GameEnded)]
    assert [type(event) for event in events] == [DrawOffered, DrawAnswered, GameEnded]
    assert (board.session.game.result, board.session.game.result_reason) == ("1/2-1/2", "agreement")
    assert fold(board.events) == board.session.game


def test_the_press_that_agrees_confirms_no_result() -> None:
    """A clock pressed right behind it, from habit, is no confirmation either."""
    board = offered()
    hit(board, DRAW_B)
    board.press(B)
    assert board.session.game.confirmed == (False, False)


def test_an_offer_that_waits_is_not_made_twice_by_a_second_press() -> None:
    """A nervous finger disturbs nobody."""
    board = offered()
    assert hit(board, DRAW_A).events == ()
    assert board.session.game.draw_offers == (1, 0)


def test_requirement_16_one_offer_more_asks_nothing_and_is_a_disturbance() -> None:
    """2.6.9: the first was declined by a move; the next waits for the arbiter as an infraction (2.3.9)."""
    board = offered()
    board.press(B)
    board.wait(0.5)
    board.play(9)
    assert board.session.game.draw_open is None
    board.play(5, press=False)
    hit(board, DRAW_A)
    game = board.session.game
    assert (game.draw_offers, game.draw_open) == ((2, 0), None)
    assert [each.faults for each in game.open_incidents] == [("repeated_draw_offer",)]
    (seen,) = [event for event in board.events if isinstance(event, InfractionSeen)]
    evidence: Any = seen.evidence
    (fault,) = evidence["faults"]
    assert (fault["fault"], fault["articles"]) == ("repeated_draw_offer", ["2.6.9", "2.3.9"])
    (proposed,) = [each for each in board.session.advice(board.now_us) if each.about == "infraction"]
    assert (proposed.proposal.warns, proposed.proposal.articles) == ((B,), ("2.6.9", "2.3.9", "2.4.6"))
    board.press(B)
    board.wait(1)
    assert board.session.game.open_incidents == game.open_incidents, "no stones put it right"
    assert fold(board.events) == board.session.game


def test_a_finger_that_insists_on_a_draw_is_one_disturbance_until_it_is_decided() -> None:
    """Every offer is counted; what else waits for the arbiter is not crowded out of the state."""
    board = offered()
    board.press(B)
    board.wait(0.5)
    board.play(9)
    board.play(5, press=False)
    for _ in range(20):
        hit(board, DRAW_A)
    game = board.session.game
    assert (game.draw_offers, len(game.incidents)) == ((21, 0), 1)
    board.take(Close(at_us=board.now_us, infraction=1, closing="warned", by="Сәуле", reason=""))
    hit(board, DRAW_A)
    assert len(board.session.game.incidents) == 2


@pytest.mark.parametrize("button", [DRAW_A, DRAW_B])
def test_requirement_15_an_offer_before_the_move_or_in_the_others_time_is_void(button: int) -> None:
    """2.6.8: it is not used up, and neither silent: the player and the arbiter are told for ten seconds."""
    board = playing(wiring=BUTTONS)
    side = B if button == DRAW_A else Q
    assert hit(board, button).events == ()
    assert board.session.game.draw_offers == (0, 0)
    assert board.session.misplaced(board.now_us) is side
    (proposed,) = board.session.advice(board.now_us)
    assert (proposed.about, proposed.proposal.code.value) == ("draw", "draw_offer_misplaced")
    board.wait(11)
    assert board.session.misplaced(board.now_us) is None
    assert board.session.advice(board.now_us) == ()


@pytest.mark.parametrize("button", [DRAW_A, DRAW_B])
def test_requirement_15_an_event_may_let_such_an_offer_stand(button: int) -> None:
    """`misplaced_offer`."""
    board = playing(wiring=BUTTONS, conduct=replace(CLASSICAL, misplaced_offer="stands"))
    hit(board, button)
    assert board.session.game.draw_open is (B if button == DRAW_A else Q)


def test_an_offer_with_stones_in_hand_is_in_doubt_at_its_moment() -> None:
    """Law 6: only a board that lies as before the move says that none was made."""
    board = playing(wiring=BUTTONS)
    stones = list(stones_due(START))
    stones[6] = 1
    board.put(stones)
    board.wait(0.3)
    hit(board, DRAW_A)
    assert board.session.game.draw_open is B


def test_requirement_16_an_event_may_let_an_offer_last_until_it_is_refused() -> None:
    """The fold knows it from the game's own first event, so that hall and record agree."""
    board = offered(replace(CLASSICAL, draw_offer_lasts="until_refused"))
    board.press(B)
    board.wait(0.5)
    board.play(9)
    assert board.session.game.draw_open is B
    assert fold(map(event_from_json, map(event_to_json, board.events))) == board.session.game
    hit(board, DRAW_B)
    assert phase(board) is Phase.ENDED


def test_requirement_15_an_offer_is_marked_behind_its_move_in_the_record() -> None:
    """1.6.5, 2.6.8: `=`, in the text and in the JSON; not behind a move that was taken back."""
    board = offered()
    board.press(B)
    board.wait(0.5)
    board.play(9)
    record = record_of(board.events)
    assert [ply.move.draw_offered for ply in record.plies if isinstance(ply.move, MoveText)] == [True, False]
    assert "7:6=" in format_record(record)
    assert parse_record(format_record(record)) == record
    board.take(Rule(at_us=board.now_us, decision="taken_back", take_back=2))
    board.show(START)
    board.play(7)
    assert "=" not in format_record(record_of(board.events)).rpartition("1. ")[2]


def test_an_offer_is_declined_in_words_and_not_by_a_button() -> None:
    """After a refusal the button agrees to nothing: it is an offer of one's own."""
    board = offered()
    board.take(AnswerDraw(at_us=board.now_us, side=Q, accepted=False))
    board.press(B)
    board.wait(0.5)
    board.play(9, press=False)
    hit(board, DRAW_B)
    assert phase(board) is Phase.PLAYING
    assert board.session.game.draw_open is Q


def test_a_press_told_late_is_taken_as_of_the_clock() -> None:
    """A press before the clock ran as it does now must still end the game it agrees to end."""
    board = playing(wiring=BUTTONS)
    board.play(7)
    board.play(9, press=False)
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
