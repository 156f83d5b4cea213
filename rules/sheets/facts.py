"""What can be said about a board or an end on a sheet, and what two who say it have in common.

Everything here is a claim: it `fits` a packed position or not, and two of them `join` to one that says both,
or contradict each other.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum
from typing import Generic, TypeAlias, TypeVar

from rules.packed import kazans, pits, unpack
from rules.position import Result, outcome
from rules.sheets.sheet import TUZDYK_CELL, SheetDiagram
from rules.sheets.written import Claim, counts_of

_T = TypeVar("_T")

Counts: TypeAlias = frozenset[int] | None
"""Which numbers a written one can be; None: any."""

IS_TUZDYK = -1
"""What stands for a tuzdyk among the numbers a cell can hold."""


class Subject(Enum):
    """What part of a sheet is spoken of."""

    MOVE = "move"
    KAZAN = "kazan"
    DIAGRAM = "diagram"
    RESULT = "result"


@dataclass(frozen=True, slots=True)
class Place:
    """Something that stands on a sheet.

    Attributes:
        sheet: Which of the sheets, from 0.
        text: What was written.
        line: Where, from 1; 0: nowhere.
        column: Ditto.
    """

    sheet: int
    text: str
    line: int = 0
    column: int = 0

    def __str__(self) -> str:
        where = f", line {self.line}" if self.line else ""
        return f"{self.text} (sheet {self.sheet + 1}{where})"


@dataclass(frozen=True, slots=True)
class Option(Generic[_T]):
    """One version of a fact.

    Attributes:
        places: Who says so and where.
        value: What they say together.
    """

    places: tuple[Place, ...]
    value: _T


@dataclass(frozen=True, slots=True)
class Drawn:
    """A diagram as a claim about the board.

    Attributes:
        cells: For each pit by index 0..17 the numbers it can hold, `IS_TUZDYK` among them.
        kazans: For [bastaushy, qostaushy] the numbers their kazans can hold.
    """

    cells: tuple[Counts, ...]
    kazans: tuple[Counts, Counts]

    def wrong_cells(self, packed: int) -> list[int]:
        """Return where a packed position differs: indexes 0..17 of pits, 18 and 19 for the kazans."""
        held = (*cells_of(packed), *kazans(packed))
        allowed = (*self.cells, *self.kazans)
        return [
            index for index, counts in enumerate(allowed) if counts is not None and held[index] not in counts
        ]

    def fits(self, packed: int) -> bool:
        """Return whether a packed position is the board drawn."""
        return not self.wrong_cells(packed)

    def join(self, other: Drawn) -> Drawn | None:
        """Return the diagram that says both; None if no board can be both."""
        joined = [
            both(own, their)
            for own, their in zip((*self.cells, *self.kazans), (*other.cells, *other.kazans), strict=True)
        ]
        if frozenset() in joined:
            return None
        return Drawn(tuple(joined[:18]), (joined[18], joined[19]))


@dataclass(frozen=True, slots=True)
class Final:
    """What is said about the end of the game.

    Attributes:
        result: The score; None: not said. While stones could still be played it is anybody's: players resign.
        kazans: For [bastaushy, qostaushy] the numbers their kazans can hold.
    """

    result: Result | None
    kazans: tuple[Counts, Counts]

    def fits(self, packed: int) -> bool:
        """Return whether the game can have ended like this in a packed position."""
        end = outcome(unpack(packed))
        if end is not None and self.result not in (None, end.score):
            return False
        ways = [kazans(packed)] if end is None else [kazans(packed), end.kazans]
        return any(
            all(counts is None or held in counts for counts, held in zip(self.kazans, way, strict=True))
            for way in ways
        )

    def join(self, other: Final) -> Final | None:
        """Return the end that says both; None if they contradict each other."""
        first, second = (both(own, their) for own, their in zip(self.kazans, other.kazans, strict=True))
        if frozenset() in (first, second):
            return None
        if self.result is not None and other.result not in (None, self.result):
            return None
        return Final(self.result or other.result, (first, second))


def both(own: Counts, their: Counts) -> Counts:
    """Return the numbers that two statements leave open."""
    if own is None or their is None:
        return their if own is None else own
    return own & their


def cells_of(packed: int) -> list[int]:
    """Return what a diagram of a packed position shows in the pits, `IS_TUZDYK` for a tuzdyk."""
    held = list(pits(packed))
    for owner, number in enumerate(tuzdyks_of(packed)):
        if number:
            held[(1 - owner) * 9 + number - 1] = IS_TUZDYK
    return held


def tuzdyks_of(packed: int) -> tuple[int, int]:
    """Return the tuzdyk numbers of (bastaushy, qostaushy) in a packed position, 0 for none."""
    state = packed >> 161
    return state % 9, state // 9


def drawn_of(diagram: SheetDiagram) -> Drawn:
    """Return what a diagram says about the board."""
    cells = tuple(
        frozenset((IS_TUZDYK,)) if cell == TUZDYK_CELL else counts_of(cell) for cell in diagram.cells
    )
    first, second = diagram.kazans
    return Drawn(cells, (counts_of(first), counts_of(second)))


def tuzdyks_drawn(drawn: Drawn, owner: int) -> int:
    """Return a bit for each tuzdyk that a drawn board leaves open to a player, the lowest for none."""
    row = drawn.cells[(1 - owner) * 9 : (1 - owner) * 9 + 8]
    certain = [counts == frozenset((IS_TUZDYK,)) for counts in row]
    if any(certain):
        return 2 << certain.index(True)
    return 1 + sum(2 << place for place, counts in enumerate(row) if counts is None or IS_TUZDYK in counts)


Value: TypeAlias = Claim | frozenset[int] | Drawn | Final
"""What a version of a fact says."""
