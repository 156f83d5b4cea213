"""When the scales cannot tell whether nine stones lie in each pit, the players' word does (pure).

A heap of nine unequal stones can weigh half a stone too much, before any stone of the set has been weighed
alone. Then the board names the pits and asks that they be counted; both players press when they have done so,
as they would to confirm a set-up that the board had seen by itself (2.7.5). A board on which a whole stone is
seen to lie elsewhere is not vouched for by anybody.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

from firmware_bridge.board.watching.look import Look
from firmware_bridge.board.watching.reconciler import Unsure
from rules.position import Side


@dataclass(frozen=True, slots=True)
class Vouched:
    """A set-up that waits for the players' word.

    Attributes:
        look: The latest look that is not sure; None while there is none.
        by: Who has given his word since it became so.
    """

    look: Look | None = None
    by: frozenset[Side] = frozenset()

    def seen(self, look: Look) -> Vouched:
        """Return what stands after one more look: nobody's word outlasts another board."""
        return replace(self, look=look) if isinstance(look.verdict, Unsure) else Vouched()

    def said(self, side: Side) -> Vouched:
        """Return what stands after a player has pressed."""
        return self if self.look is None else replace(self, by=self.by | {side})

    @property
    def all_said(self) -> bool:
        """Whether both have given their word."""
        return len(self.by) == len(Side)
