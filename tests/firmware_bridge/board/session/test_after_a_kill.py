"""A program that was killed and started again: what is open stays open, what was pressed is judged."""

from __future__ import annotations

from dataclasses import replace

import pytest

from firmware_bridge.board.incident_inputs import Close, OfferDraw, Rule
from firmware_bridge.board.inputs import DeviceArrived, Enter
from firmware_bridge.board.session.session import Session
from firmware_bridge.layout import Wiring
from rules.conduct.options import Conducts
from rules.game import InfractionSeen, event_from_json, event_to_json, fold
from rules.position import START, Position, Side, play
from tests.firmware_bridge.board.paper import UNITS, PaperBoard, moves, playing, sensed

B, Q = Side.BASTAUSHY, Side.QOSTAUSHY


def killed(board: PaperBoard, events: int | None = None) -> PaperBoard:
    """Return the same table and stones watched by a program started now, from what its journal holds.

    Args:
        board: The table before.
        events: How many of its events had reached the disk; None: all.
    """
    kept = board.events[:events]
    game = fold(map(event_from_json, map(event_to_json, kept)))
    session = Session(
        wiring=Wiring(),
        units=UNITS,
        game=game,
        belief=board.session.belief,
        conducts=Conducts.alike(board.session.conduct),
    )
    again = replace(board, session=session, events=list(kept))
    again.take(DeviceArrived(board.now_us, restarted=False))
    return again


def skipped() -> Position:
    """Return what lies there after pit 7 with a stone in the wrong pit."""
    after = play(START, 7).after
    pits = list(after.pits)
    pits[10], pits[11] = pits[10] + 1, pits[11] - 1
    return replace(after, pits=tuple(pits))


def told(board: PaperBoard) -> list[tuple[int, Side]]:
    """Return what was named so far, with whose it was."""
    return [(each.infraction, each.side) for each in board.events if isinstance(each, InfractionSeen)]


def pressed_wrong() -> PaperBoard:
    """Return a board on which a wrong sowing was pressed, and nobody has judged it yet."""
    board = playing()
    board.show(skipped())
    board.wait(1)
    board.press(B)
    board.wait(1)
    assert told(board) == []
    return board


def test_a_wrong_sowing_that_was_pressed_before_the_kill_is_named_after_it() -> None:
    """The press stands in the journal."""
    again = killed(pressed_wrong())
    again.wait(6)
    assert told(again) == [(1, B)]
    again.show(play(START, 7).after)
    again.wait(2)
    assert moves(again) == ["7:6"]
    assert again.session.game.open_incidents == ()


def test_what_was_named_before_the_kill_is_not_named_again() -> None:
    """It is still open, and closed when it is put right."""
    board = pressed_wrong()
    board.wait(5)
    again = killed(board)
    again.wait(20)
    assert told(again) == [(1, B)]
    again.show(play(START, 7).after)
    again.wait(2)
    assert again.session.game.incidents[0].settled == "put_right"


def test_what_the_arbiter_has_dismissed_is_not_named_again_after_the_kill() -> None:
    """He has looked at these stones already."""
    board = pressed_wrong()
    board.wait(5)
    board.take(Close(at_us=board.now_us, infraction=1, closing="dismissed", by="Сәуле", reason=""))
    again = killed(board)
    again.wait(20)
    assert told(again) == [(1, B)]


def test_stones_on_their_way_back_after_a_ruling_are_no_second_offence_after_the_kill() -> None:
    """No press waits for them."""
    board = pressed_wrong()
    board.wait(5)
    board.take(Rule(at_us=board.now_us, decision="restored", infraction=1, by="Сәуле"))
    again = killed(board)
    again.wait(20)
    again.show(START)
    again.wait(1)
    assert (told(again), sensed(again)) == ([(1, B)], "matches")
    again.show(skipped())
    again.wait(1)
    again.press(B)
    again.wait(5)
    assert told(again) == [(1, B), (2, B)]


def test_a_draw_agreed_to_and_torn_from_its_end_is_agreed_to_by_the_same_press() -> None:
    """The player who agreed has offered nothing."""
    board = playing()
    board.show(play(START, 7).after)
    board.wait(1)
    board.take(OfferDraw(at_us=board.now_us, side=B))
    board.press(B)
    board.wait(1)
    board.take(OfferDraw(at_us=board.now_us, side=Q))
    assert [event.kind for event in board.events[-2:]] == ["draw_answered", "game_ended"]
    again = killed(board, len(board.events) - 1)
    again.take(OfferDraw(at_us=again.now_us, side=Q))
    assert again.session.game.result_reason == "agreement"
    assert again.session.game.draw_offers == (1, 0)


@pytest.mark.parametrize("waits", [0, 6])
def test_entering_no_moves_is_no_command(waits: int) -> None:
    """Nothing is entered, and what was pressed is judged as ever."""
    board = pressed_wrong()
    board.wait(waits)
    step = board.take(Enter(board.now_us, ()))
    assert (step.refused, step.events) == ("illegal", ())
    assert "write one" in step.refusal
    board.wait(6)
    assert told(board) == [(1, B)]
