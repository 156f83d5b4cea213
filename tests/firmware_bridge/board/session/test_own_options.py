"""What an event has chosen for one kind of game does not hold for another."""

from __future__ import annotations

from firmware_bridge.board.inputs import Assign, DeviceArrived
from firmware_bridge.board.session.session import Session
from firmware_bridge.layout import Wiring
from rules.conduct.options import BLITZ, CLASSICAL, RAPID, Conducts
from rules.control_text import parse_control
from rules.game import Phase
from rules.position import Side
from tests.firmware_bridge.board.paper import UNITS, PaperBoard


def test_a_game_is_played_by_the_options_of_its_own_control() -> None:
    """A hall assigns blitz to a board that was configured for classical games."""
    session = Session(wiring=Wiring(), units=UNITS, conducts=Conducts())
    board = PaperBoard(session, "a")
    board.take(DeviceArrived(0, restarted=False))
    for control, options in (("7m", BLITZ), ("120m", CLASSICAL), ("20m", RAPID)):
        board.take(
            Assign(
                at_us=board.now_us, game_id=control, names=("", ""), starter_seat="a",
                control=parse_control(control),
            )
        )  # fmt: skip
        assert session.conduct == options
    board.wait(0.5)
    board.press(Side.BASTAUSHY)
    board.press(Side.QOSTAUSHY)
    assert session.game.phase is Phase.PLAYING  # rapid clocks start when both are ready (2.9.4)
