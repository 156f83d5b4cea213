"""Players find pits, kazans and buttons where the board is wired and they are seated."""

from __future__ import annotations

from firmware_bridge.emulator.actions import Reach
from firmware_bridge.layout import PLACES, Seating, Wiring


def test_who_begins_on_the_other_side_finds_the_other_row_kazan_and_button() -> None:
    """Bastaushy's come first, whatever side of the board that is."""
    seating = Seating(Wiring(), "b")
    reach = Reach.of(seating.channel_of_place, seating)
    assert reach.pits == (*range(9, 18), *range(9))
    assert reach.kazans == (19, 18)
    assert reach.buttons == (1, 0)
    assert tuple(map(reach.channel, range(PLACES))) == seating.channel_of_place
