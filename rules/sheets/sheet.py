"""A score sheet as it was written: moves, kazan totals and diagrams, each with what can be read of it.

Nothing here is checked against the rules of the game; that is what `restore` does. Texts are kept as they
stand, `_` for a character nobody can read, so that an answer can point at them. `rules.sheets.text` reads
one.
"""

from __future__ import annotations

from dataclasses import dataclass

from rules.position import Result

TUZDYK_CELL = "x"
"""How a diagram shows a pit that is a tuzdyk."""


@dataclass(frozen=True, slots=True)
class Entry:
    """What was written for one ply.

    Attributes:
        ply: Which ply by the numbers on the sheet, from 1.
        text: The move alone, in any notation; "" or nothing but `_`: missing.
        kazan: The mover's kazan as written behind the move, such as `10` or `1_`; "": not written.
        line: Where it stands, from 1; 0: nowhere.
        column: Ditto.
    """

    ply: int
    text: str
    kazan: str = ""
    line: int = 0
    column: int = 0


@dataclass(frozen=True, slots=True)
class SheetDiagram:
    """A board drawn on the sheet.

    Attributes:
        ply: After which ply by the numbers on the sheet; 0: at the start.
        cells: What stands in the pits of index 0..17: a number, `x` for a tuzdyk, with `_` for each character
            that cannot be read; `_` alone or "" is anything at all.
        kazans: Ditto for the kazans of [bastaushy, qostaushy].
        line: Where it begins, from 1; 0: nowhere.
    """

    ply: int
    cells: tuple[str, ...]
    kazans: tuple[str, str] = ("", "")
    line: int = 0


@dataclass(frozen=True, slots=True)
class Sheet:
    """One score sheet.

    Attributes:
        entries: In the order they were written. Plies without an entry are missing; two entries of one ply
            contradict each other.
        diagrams: The boards drawn between the moves.
        result: The score written at the end; None: none.
        kazans: The final kazans written at the end, before or after the stones left were added; "" is none.
        result_line: Where the result stands, from 1; 0: nowhere.
    """

    entries: tuple[Entry, ...]
    diagrams: tuple[SheetDiagram, ...] = ()
    result: Result | None = None
    kazans: tuple[str, str] = ("", "")
    result_line: int = 0

    @property
    def plies(self) -> int:
        """The last ply the sheet tells of."""
        entered = [entry.ply for entry in self.entries]
        return max(entered + [diagram.ply for diagram in self.diagrams], default=0)
