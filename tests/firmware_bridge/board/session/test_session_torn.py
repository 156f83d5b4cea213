"""A table whose journal was torn, whose press came early, whose game never began."""

from __future__ import annotations

import pytest

from firmware_bridge.board.inputs import DeviceArrived, Release
from firmware_bridge.board.session.session import Session
from firmware_bridge.layout import Wiring
from rules.game import Phase, fold
from rules.position import Position, Side, play
from tests.firmware_bridge.board.paper import UNITS, PaperBoard, assigned, playing

B, Q = Side.BASTAUSHY, Side.QOSTAUSHY


def test_a_press_on_its_way_does_not_disturb_the_end() -> None:
    """Its frame overtakes the sample taken before it, and the game ends at the later of the two moments."""
    board = playing()
    nearly = Position((*(0,) * 7, 2, *(0,) * 10), (80, 80), (None, None), B)
    board.stand(nearly)
    board.show(nearly)
    board.wait(0.5)
    board.show(play(nearly, 8).after)
    board.wait(1.4)
    board.press(B, at_us=board.now_us + 150_000)
    board.wait(0.1)
    assert board.session.game.phase is Phase.ENDED
    assert board.events[-1].at_us == board.now_us + 50_000


@pytest.mark.parametrize("told", [1, 2, 3, 5])
def test_a_game_that_has_not_begun_can_be_released(told: int) -> None:
    """Somebody may have assigned the wrong one."""
    whole = assigned(start_when_ready=False)
    whole.wait(0.5)
    whole.press(B)
    whole.press(Q)
    session = Session(wiring=Wiring(), units=UNITS, game=fold(whole.events[:told]))
    assert PaperBoard(session).take(Release(whole.now_us)).refusal == ""
    assert session.game.phase is Phase.RELEASED


def test_a_journal_torn_behind_the_assignment_loses_no_game() -> None:
    """The next look goes on where the lost record would have."""
    whole = assigned()
    board = PaperBoard(Session(wiring=Wiring(), units=UNITS, game=fold(whole.events[:1])))
    board.take(DeviceArrived(0, restarted=False))
    assert not board.session.game.setup_ok
    board.wait(0.5)
    board.press(B)
    board.press(Q)
    assert board.session.game.phase is Phase.PLAYING
