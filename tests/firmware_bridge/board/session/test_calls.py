"""Calls of the arbiter, and how play goes on behind one: which dial, with which stones on the board."""

from __future__ import annotations

from dataclasses import replace

import pytest

from firmware_bridge.board.incident_inputs import Adjourn, AnswerCall, Call, Unseal
from firmware_bridge.board.inputs import Resume, Suspend
from rules.clock import remaining_us
from rules.conduct.options import BLITZ, CLASSICAL, RAPID, Conduct
from rules.conduct.sealing import seal
from rules.game import Phase
from rules.position import START, Side
from tests.firmware_bridge.board.paper import PaperBoard, phase, playing

B, Q = Side.BASTAUSHY, Side.QOSTAUSHY


def called(conduct: Conduct = CLASSICAL) -> PaperBoard:
    """Return a board on which qostaushy has called while bastaushy's dial ran."""
    board = playing(conduct=conduct)
    board.wait(5)
    board.take(Call(at_us=board.now_us, side=Q))
    return board


@pytest.mark.parametrize("conduct", [RAPID, BLITZ])
@pytest.mark.parametrize("answered", [True, False])
def test_spilled_stones_are_put_right_while_the_dial_runs_where_the_event_says_so(
    conduct: Conduct, *, answered: bool
) -> None:
    """2.9.7: in one's own time. The arbiter has come, the stones still lie beside their pits."""
    board = called(replace(conduct, start="both_ready"))
    board.put([0, 18, *board.stones[2:]])
    board.wait(2)
    if answered:
        step = board.take(AnswerCall(at_us=board.now_us, by="Сәуле"))
    else:
        step = board.take(Resume(board.now_us, by="Сәуле"))
    assert step.refusal == ""
    assert [event.kind for event in step.events] == ["call_answered", "game_resumed"]
    left_us = remaining_us(board.session.game.clock, B, board.now_us)  # type: ignore[arg-type] # it runs
    board.wait(3)
    assert remaining_us(board.session.game.clock, B, board.now_us) < left_us  # type: ignore[arg-type] # too
    board.show(START)
    board.wait(1)
    board.play(7)
    assert [ply.text for ply in board.session.game.plies] == ["7:6"]
    assert board.session.game.incidents == ()


def test_stones_are_put_right_first_behind_any_other_rest_whatever_the_event_says() -> None:
    """The arbiter's own stop, and a game that was adjourned behind a call (2.8.4)."""
    board = playing(conduct=BLITZ)
    board.wait(1)
    board.take(Suspend(board.now_us, "arbiter"))
    board.put([0, 18, *board.stones[2:]])
    board.wait(2)
    assert board.take(Resume(board.now_us)).refused == "not_matching"
    board = called(BLITZ)
    board.take(Adjourn(at_us=board.now_us, seal=seal("9:9", bytes(16)), by="Сәуле", reason="2.8.1"))
    assert board.session.game.suspended_reason == "adjourned"
    board.put([0, 18, *board.stones[2:]])
    board.take(Unseal(at_us=board.now_us, text="9:9", salt=bytes(16).hex(), by="Сәуле"))
    board.wait(2)
    board.take(AnswerCall(at_us=board.now_us, by="Сәуле"))
    assert phase(board) is Phase.SUSPENDED
    assert board.take(Resume(board.now_us)).refused == "not_matching"


def test_who_calls_behind_another_has_stopped_no_clock() -> None:
    """A groundless call is the offence of the player who made it stop (2.7.15)."""
    board = called()
    board.take(Call(at_us=board.now_us, side=B))
    assert board.session.game.caller is Q
    board.wait(1)
    board.take(AnswerCall(at_us=board.now_us, by="Сәуле", groundless=True))
    (named,) = board.session.game.open_incidents
    assert (named.side, named.faults) == (Q, ("stopped_clock_groundlessly",))
