"""A press is judged by what lay there at that moment, whatever hands have done since."""

from __future__ import annotations

from firmware_bridge.board.belief import Belief
from firmware_bridge.board.lots import stones_due
from firmware_bridge.board.watcher import Watcher
from firmware_bridge.layout import Seating, Wiring
from rules.position import START, Side
from sensors.settle import ChannelReading, ReadingState
from tests.firmware_bridge.board.paper import UNITS

B, Q = Side.BASTAUSHY, Side.QOSTAUSHY
SECOND = 1_000_000


def watching(belief: Belief | None = None) -> Watcher:
    """Return the eye on a board on which the start was confirmed."""
    return Watcher(Seating(Wiring(), "a"), UNITS, belief or Belief.exactly(stones_due(START)))


def test_a_press_waits_while_no_place_at_all_can_be_read() -> None:
    """Every place moves for a moment when samples have been missing: no look at it may fail."""
    nothing = (ChannelReading(ReadingState.MOVING, None, None, "no samples for 0.5 s"),) * 20
    look = watching().look(2 * SECOND, nothing, START, (B,), (SECOND,))
    assert look.verdict is None
