"""The session follows the hands of the game it plays."""

from __future__ import annotations

from firmware_bridge.board.hands.events import Held
from firmware_bridge.board.hands.seated import SeatedHands
from firmware_bridge.board.inputs import Looked
from firmware_bridge.layout import Seating, Wiring
from rules.position import START, Side
from sensors.settle import ChannelReading, ReadingState
from tests.firmware_bridge.board.paper import UNITS, playing


def quiet(stones: float) -> ChannelReading:
    """Return a reading of so many stones at rest."""
    grams = stones * UNITS.stone_g
    return ChannelReading(ReadingState.QUIET, grams, 0, "", level_g=grams)


def test_channels_are_read_as_the_players_are_seated() -> None:
    """With bastaushy at `b` the pit of channel 12 is his fourth."""
    eye = SeatedHands(Seating(Wiring(), "b"), UNITS, START)
    for tenth in range(40):
        loads = [9.0] * 18 + [0.0, 0.0]
        loads[12] = 9.0 if tenth < 20 else 1.0
        eye.look(Looked(tenth * 100_000, [quiet(load) for load in loads]))
    (held,) = eye.held
    assert held == Held(Side.BASTAUSHY, 3, 8, 0)
    eye.confirm(START, 4_000_000, 0)
    assert not eye.held


def test_a_session_knows_what_is_in_hand_until_the_ply_is_final() -> None:
    """Eight stones up, eight in hand; sown, pressed and confirmed, none."""
    board = playing()
    assert not board.session.held
    board.put([9.0 if place != 3 else 1.0 for place in range(18)] + [0.0, 0.0])
    board.wait(1.0)
    (held,) = board.session.held
    assert held == Held(Side.BASTAUSHY, 3, 8, 0)
    board.play(4)
    assert not board.session.held
    assert board.session.game.position.kazans == (10, 0)
