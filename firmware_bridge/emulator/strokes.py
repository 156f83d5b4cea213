"""Lifts and drops on twenty places as pure values, with the board they make.

Places are those of `firmware_bridge.layout`. Nothing here knows of cells, channels or time. Stones are never
made: the places, the hands and what lies beside the board always hold 162.
"""

from collections import Counter
from dataclasses import dataclass
from enum import Enum

from firmware_bridge.layout import PITS
from rules.position import Position, Side, Sowing, board_of, pit_index, tuzdyk_owner

KAZANS = PITS
"""The place of the first kazan; the other follows."""


class Hold(Enum):
    """Which hand does something."""

    SOWING = "sowing"
    """The hand that gathered and sows."""
    OTHER = "other"
    """The same player's other hand."""
    BESIDE = "beside"
    """The table beside the board: what comes from there or goes there."""


class Gap(Enum):
    """What a stroke waits for; the pace knows how long that is."""

    LIFT = "lift"
    STONE = "stone"
    CARRY = "carry"
    LATER = "later"


@dataclass(frozen=True, slots=True)
class Stroke:
    """Stones laid down or taken up at one place.

    Attributes:
        place: 0..19.
        change: stones laid; negative: stones lifted.
        hold: by which hand.
        gap: what goes before.
        by: whose hand; None: the player's whose ply is due.
    """

    place: int
    change: int
    hold: Hold
    gap: Gap
    by: Side | None = None


@dataclass(frozen=True, slots=True)
class Aside:
    """Something done between two strokes that moves no stone.

    Attributes:
        after: the strokes done before it.
        press: who hits his clock; None: a mark is laid.
        mark: the pit that a mark is laid on; None: the clock is hit.
    """

    after: int
    press: Side | None = None
    mark: int | None = None


def marked_pits(position: Position) -> frozenset[int]:
    """Return the pits that carry a mark: the tuzdyks."""
    return frozenset(index for index in range(PITS) if tuzdyk_owner(index, position.tuzdyks) is not None)


class Work:
    """Stones under the hands of a plan in the making.

    Args:
        sowing: the ply that is due.

    Attributes:
        due: the stones of the twenty places as they should end.
        stones: as they are now.
        strokes: what has been done.
        held: stones in each hand and beside the board, negative: taken from there.
        marked: True if the mark of a tuzdyk won is laid.
        due_after: after so many strokes the board stood as due, the hands empty; None: it never did.
        feasible: False if stones were to be lifted that did not lie there.
        asides: presses and marks on the way, in order; where there is a press, none follows by itself.
    """

    def __init__(self, sowing: Sowing) -> None:
        self.sowing = sowing
        self.due = board_of(sowing.after)
        self.stones = list(board_of(sowing.before))
        self.strokes: list[Stroke] = []
        self.held: Counter[Hold] = Counter()
        self.own_kazan = KAZANS + sowing.side.index
        self.other_kazan = KAZANS + 1 - sowing.side.index
        self.marked = sowing.tuzdyk is not None
        self.due_after: int | None = None
        self.feasible = True
        self.asides: list[Aside] = []

    def take(
        self,
        place: int,
        stones: int,
        hold: Hold = Hold.SOWING,
        gap: Gap = Gap.LIFT,
        *,
        by: Side | None = None,
    ) -> None:
        """Lift stones; more than lie there makes the plan infeasible."""
        self.feasible = self.feasible and self.stones[place] >= stones
        self._stroke(Stroke(place, -stones, hold, gap, by))

    def lay(
        self,
        place: int,
        stones: int = 1,
        hold: Hold = Hold.SOWING,
        gap: Gap = Gap.STONE,
        *,
        by: Side | None = None,
    ) -> None:
        """Lay stones down."""
        self._stroke(Stroke(place, stones, hold, gap, by))

    def press(self, side: Side) -> None:
        """Let a player hit his clock now."""
        self.asides.append(Aside(len(self.strokes), press=side))

    def lay_mark(self, pit: int) -> None:
        """Lay a mark on a pit now."""
        self.asides.append(Aside(len(self.strokes), mark=pit))

    def mark_now(self) -> None:
        """Lay the mark of a tuzdyk won now, where there is one, instead of at the end."""
        if self.marked:
            self.lay_mark(self.sowing.last_index)
        self.marked = False

    def _stroke(self, stroke: Stroke) -> None:
        self.stones[stroke.place] += stroke.change
        self.held[stroke.hold] -= stroke.change
        self.strokes.append(stroke)
        if tuple(self.stones) == self.due and not (self.held[Hold.SOWING] or self.held[Hold.OTHER]):
            self.due_after = len(self.strokes)

    def gather(self) -> None:
        """Take up the stones of the ply."""
        self.take(pit_index(self.sowing.side, self.sowing.number), self.sowing.stones)

    def sow(self, way: tuple[int, ...]) -> None:
        """Gather, and lay a stone for each pit of a way; a tuzdyk's goes to its owner's kazan."""
        self.gather()
        for index in way:
            self.lay(self.home(index))

    def home(self, index: int) -> int:
        """Return the place where a stone that falls into a pit comes to lie."""
        owner = tuzdyk_owner(index, self.sowing.before.tuzdyks)
        return index if owner is None else KAZANS + owner.index

    def carry(self, place: int, stones: int, to: int, hold: Hold = Hold.SOWING) -> None:
        """Take stones from a place to another."""
        self.take(place, stones, hold, Gap.CARRY)
        self.lay(to, stones, hold, Gap.CARRY)

    def capture(self) -> None:
        """Take what the ply wins."""
        if self.sowing.captured:
            self.carry(self.sowing.last_index, self.sowing.captured, self.own_kazan)

    def play(self) -> None:
        """Play the ply as it is due."""
        self.sow(self.sowing.path)
        self.capture()
