"""What is known of a turn that may have gone wrong, as plain values.

A board that was only seen at its end is evidence too: everything but the position before and the stones seen
may be unknown. What is unknown is None, and never taken for nothing.

Places are 0..17 for the pits by index, 18 for bastaushy's kazan and 19 for qostaushy's.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum

from rules.position import Position, Side

KAZANS = 18
"""The place of bastaushy's kazan; qostaushy's is the next."""

PLACES = 20
"""All places where stones lie: eighteen pits and two kazans."""


class Hand(Enum):
    """What a hand did to a place."""

    LIFT = "lift"
    """Took stones up to sow them."""
    FALL = "fall"
    """Let stones of a sowing fall."""
    TAKE = "take"
    """Took stones up for another reason: a capture, out of a tuzdyk, put right."""
    BANK = "bank"
    """Put stones into a kazan."""

    @property
    def takes(self) -> bool:
        """Whether the place has fewer stones afterwards."""
        return self in (Hand.LIFT, Hand.TAKE)


@dataclass(frozen=True, slots=True)
class Stroke:
    """One thing that a hand did, as far as the cells could tell.

    Attributes:
        hand: What.
        place: Where, 0..19.
        low: It was no fewer stones.
        high: It was no more.
    """

    hand: Hand
    place: int
    low: int
    high: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Evidence:
    """All that is known since the last position that stood.

    Attributes:
        before: That position.
        seen: Stones on the twenty places; None: the place cannot be read.
        strokes: What hands did since, in order. A first stone that was left lying need not be among them, nor
            stones that went straight into a kazan past a tuzdyk. None: nobody watched.
        presses: Who has pressed since, in order.
        in_hand: Stones that [bastaushy, qostaushy] held at the last press; None: unknown.
        in_hand_us: For how long after the press they were held; None: unknown, or still.
        marks: Pits on which the mark of a tuzdyk was laid since; None: marks are not seen.
        handled: Places at which hands were, that weigh what they weighed before: stones may have gone there
            and come back unseen.
        early: Who lifted stones before the other had pressed; None: nobody.
    """

    before: Position
    seen: tuple[int | None, ...]
    strokes: tuple[Stroke, ...] | None = None
    presses: tuple[Side, ...] = ()
    in_hand: tuple[int, int] | None = None
    in_hand_us: int | None = None
    marks: tuple[int, ...] | None = None
    handled: frozenset[int] = frozenset()
    early: Side | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Watched:
    """Which of the faults that leave the stones right are told.

    Attributes:
        touch_move: Stones lifted must be played (1.3.4); off in blitz and rapid (2.9.6).
        adjusting: Putting stones right by hand is a fault (1.3.4); off in blitz and rapid (2.9.6), but for
            doing so in the other's turn.
        grace_us: For so long after the press stones in hand are no fault.
    """

    touch_move: bool = True
    adjusting: bool = True
    grace_us: int = 0


CLASSICAL = Watched()
"""Everything is told."""

BLITZ = Watched(touch_move=False, adjusting=False)
"""Blitz and rapid: a player need not play what he touched, and puts stones right in his own time (2.9.6)."""


def kazan_of(side: Side) -> int:
    """Return the place of a player's kazan."""
    return KAZANS + side.index
