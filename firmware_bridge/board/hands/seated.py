"""The eye on the hands of a seated board: what `session.py` asks of `hand_watch.py` (pure)."""

from __future__ import annotations

from collections.abc import Sequence

from firmware_bridge.board.counting.belief import Units
from firmware_bridge.board.hands.events import Held, SowingEvent
from firmware_bridge.board.hands.hand_watch import HandWatch
from firmware_bridge.board.inputs import Looked
from firmware_bridge.layout import Seating
from rules.position import Position, Sowing


class SeatedHands:
    """Follows the hands at one table; wants every sample, and to hear of presses and confirmations.

    Attributes:
        watching: What sees; its `pressed`, `confirm`, `seen` and `follows` are for the session.
        held: What is in hands now; as of the last sample.
    """

    def __init__(
        self,
        seating: Seating,
        units: Units,
        position: Position,
        at_us: int = 0,
        marked: frozenset[int] = frozenset(),
    ) -> None:
        """Begin at a board that is seated so and shows `position`, with marks on the places `marked`."""
        self._channels = seating.channel_of_place
        self._weighs = seating.wiring.weighs
        self.watching = HandWatch(units, position, at_us, marked)
        self.held: tuple[Held, ...] = ()

    def look(self, event: Looked) -> tuple[SowingEvent, ...]:
        """Take one sample of all channels; return what hands did. Without cells nothing of it is seen."""
        if not self._weighs:
            return ()
        channels = event.channels
        events = self.watching.update(event.at_us, [channels[channel] for channel in self._channels])
        if events:
            self.held = self.watching.seen.held
        return events

    def followed(self, lines: Sequence[tuple[Sowing, ...]]) -> tuple[Sowing, ...] | None:
        """Return the one line whose first ply hands were seen to play; None: none was, or several.

        Only to be asked where the lines end on the same board, so that no weight can tell them apart.
        """
        if not self._weighs:
            return None
        played = [line for line in lines if self.watching.follows(line[0]).agrees]
        return played[0] if len(played) == 1 else None

    def confirm(self, position: Position, at_us: int, plies: int) -> None:
        """Begin anew from `position`; see `HandWatch.confirm`."""
        self.watching.confirm(position, at_us, plies)
        self.held = self.watching.seen.held
