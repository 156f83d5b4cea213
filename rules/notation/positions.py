"""Positions as text: PlayStrategy's one-line form, and the diagrams that are printed and drawn on sheets.

PlayStrategy writes a FEN, `11S,1S,7S,t,6S,4S,2S,4S,3S/2S,6S,19S,t,1S,3S,1S,3S,3S 57 29 N 10`: as drawn with
bastaushy below, qostaushy's row from pit 9 to 1, bastaushy's from 1 to 9, the kazans of bastaushy and
qostaushy, who moves (S for south is bastaushy, N qostaushy) and the number of his move. `11S` is a pit of
eleven stones, a bare digit so many empty pits, `t` a tuzdyk. Read is `0S` for an empty pit as well.

A diagram has four lines: a kazan, the upper row, the lower row, a kazan.

    55
    2 1 1 2 2 x 13 4 0
    0 3 1 1 2 1 x 19 1
    54

The player below sees his pits 1 to 9 from left to right, his opponent's from 9 to 1; each kazan stands on its
owner's side. That is how the printed game of 2009 counts, whatever half of a real board the kazans lie in
(1.1.2). The x, a tuzdyk, belongs to the player of the other row. Each player draws himself below, so a
diagram does not tell who that is; who reads it must.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from itertools import groupby

from rules.errors import Due, PositionFormatError, due
from rules.notation.parts import LIKE
from rules.position import STONES, Position, Side, pit_name
from rules.position_json import position_from_json

LONGEST = 2000
"""Characters of the longest text that is read; the longest honest one has about two hundred."""

_FEN = "two rows of cells, both kazans, S or N and the number of the move, such as 9S,.../9S,... 0 0 S 1"
_CELL = re.compile(r"(?P<stones>[0-9]{1,3})[sS]|(?P<empty>[1-9])|(?P<tuzdyk>[tT])")
_NUMBER = re.compile(r"[0-9]{1,5}")
_STONES = re.compile(r"[0-9]{1,3}")
_UNREAD = re.compile(r"[0-9]{0,2}[_?][0-9_?]{0,2}")
_SPACES = str.maketrans("|,;", "   ")


@dataclass(frozen=True, slots=True)
class Diagram:
    """A drawn position, as far as it can be read; what was drawn may be wrong.

    Attributes:
        pits: Stones by index 0..17, 0 for a tuzdyk; None: nobody can read it, and it may be a tuzdyk.
        kazans: Stones of [bastaushy, qostaushy]; None: nobody can read it.
        tuzdyks: The number of the pit in the other row that [bastaushy, qostaushy] owns; None: none is drawn.
    """

    pits: tuple[int | None, ...]
    kazans: tuple[int | None, int | None]
    tuzdyks: tuple[int | None, int | None]

    @property
    def complete(self) -> bool:
        """True when every pit and kazan can be read."""
        return None not in self.pits and None not in self.kazans

    @property
    def stones(self) -> int:
        """All stones that can be read."""
        return sum(stones for stones in (*self.pits, *self.kazans) if stones is not None)

    @property
    def wrong_total(self) -> str | None:
        """What is wrong with the number of all stones, in words; None: nothing."""
        if self.complete and self.stones != STONES:
            return f"{self.stones} stones instead of {STONES}"
        if self.stones > STONES:
            return f"{self.stones} stones and more instead of {STONES}"
        return None

    def contradictions(self, position: Position) -> tuple[str, ...]:
        """Return where the diagram and a position differ, in words; () when it may be what was drawn."""
        found = []
        for index, (drawn, there) in enumerate(zip(self.pits, position.pits, strict=True)):
            if drawn not in (None, there):
                found.append(f"{pit_name(index)} is drawn with {drawn} and holds {there}")
        for side, drawn, there in zip(Side, self.kazans, position.kazans, strict=True):
            if drawn not in (None, there):
                found.append(f"the kazan of {side.value} is drawn with {drawn} and holds {there}")
        for side, own, owned in zip(Side, self.tuzdyks, position.tuzdyks, strict=True):
            hidden = own is None and owned is not None and self._unread(side.opponent, owned)
            if own != owned and not hidden:
                names = ["no tuzdyk" if it is None else f"a tuzdyk on {it}" for it in (own, owned)]
                found.append(f"{side.value} is drawn with {names[0]} and has {names[1]}")
        return tuple(found)

    def position(self, to_move: Side) -> Position:
        """Return the position that was drawn; a sound one.

        Raises:
            PositionFormatError: Part of it cannot be read, or there is no such position.
        """
        if not self.complete:
            raise PositionFormatError("diagram", self.pits, "a number or an x in every place")
        return _sound(self.pits, self.kazans, self.tuzdyks, to_move)

    def _unread(self, side: Side, number: int) -> bool:
        return self.pits[side.index * 9 + number - 1] is None


def format_fen(position: Position, full_move: int = 1) -> str:
    """Return the position in PlayStrategy's form.

    Args:
        position: The position.
        full_move: The number of the next move, 1 or more.
    """
    rows = "/".join(_fen_row(cells) for cells in _rows(position, Side.BASTAUSHY))
    side = "S" if position.to_move is Side.BASTAUSHY else "N"
    return f"{rows} {position.kazans[0]} {position.kazans[1]} {side} {full_move}"


def parse_fen(text: str) -> tuple[Position, int]:
    """Return the position that a text in PlayStrategy's form describes, and the number of the next move.

    Raises:
        PositionFormatError: It is none, or no position can be so; names the place.
    """
    fields = text.split() if len(text) <= LONGEST else []
    rows = fields[0].split("/") if fields else []
    if len(fields) != 5 or len(rows) != 2:
        raise PositionFormatError("FEN", text, _FEN)
    upper, lower = (_fen_cells(row, where) for row, where in zip(rows, ("upper", "lower"), strict=True))
    kazans = [_fen_number(fields[place], f"FEN, kazan of {side.value}") for place, side in enumerate(Side, 1)]
    if fields[3].upper() not in ("S", "N"):
        raise PositionFormatError("FEN, side to move", fields[3], "S or N")
    full_move = _fen_number(fields[4], "FEN, number of the move")
    if full_move < 1:
        raise PositionFormatError("FEN, number of the move", full_move, "1 or more")
    pits, tuzdyks = _put_together(upper, lower, Side.BASTAUSHY, "FEN")
    to_move = Side.BASTAUSHY if fields[3].upper() == "S" else Side.QOSTAUSHY
    return _sound(pits, (kazans[0], kazans[1]), tuzdyks, to_move), full_move


def format_diagram(drawn: Position | Diagram, bottom: Side = Side.BASTAUSHY) -> str:
    """Return the four lines of a printed diagram, with tabs, `x` for a tuzdyk and `_` for the unread.

    Args:
        drawn: What to draw.
        bottom: Who sits below.
    """
    upper, lower = ("\t".join(row) for row in _rows(drawn, bottom))
    above, below = (_drawn(drawn.kazans[side.index]) for side in (bottom.opponent, bottom))
    return f"\t\t\t\t{above}\n{upper}\n{lower}\n\t\t\t\t{below}"


def parse_diagram(text: str, bottom: Side = Side.BASTAUSHY) -> Diagram:
    """Return what a diagram shows.

    Cells stand apart by spaces, tabs, bars or commas; a `_` or `?` in one makes it unread. Empty lines are
    passed over.

    Args:
        text: The four lines.
        bottom: Who sits below.

    Raises:
        PositionFormatError: It is no diagram; names line and cell. A diagram with a wrong number of stones is
            one: see `Diagram.wrong_total`.
    """
    lines = text.split("\n") if len(text) <= LONGEST else []
    found = [line.translate(LIKE).translate(_SPACES).split() for line in lines]
    above, upper, lower, below = _four([cells for cells in found if cells], text)
    read = [_cells(cells, f"diagram, {row} row") for cells, row in ((upper, "upper"), (lower, "lower"))]
    kazans = [
        _kazan(cells, f"diagram, kazan {where}") for cells, where in ((below, "below"), (above, "above"))
    ]
    pits, tuzdyks = _put_together(read[0], read[1], bottom, "diagram")
    first, second = kazans if bottom is Side.BASTAUSHY else reversed(kazans)
    return Diagram(pits, (first, second), tuzdyks)


_Cell = int | None | str
"""Stones of a pit, None for one that nobody can read, "x" for a tuzdyk."""


def _drawn(stones: int | None) -> str:
    return "_" if stones is None else str(stones)


def _rows(drawn: Position | Diagram, bottom: Side) -> tuple[list[str], list[str]]:
    """Return the cells of the upper and the lower row, each from left to right."""
    cells = [_drawn(stones) for stones in drawn.pits]
    for side in Side:
        number = drawn.tuzdyks[side.index]
        if number is not None:
            cells[side.opponent.index * 9 + number - 1] = "x"
    own = cells[bottom.index * 9 :][:9]
    return cells[bottom.opponent.index * 9 :][:9][::-1], own


def _put_together(
    upper: list[_Cell], lower: list[_Cell], bottom: Side, what: str
) -> tuple[tuple[int | None, ...], tuple[int | None, int | None]]:
    """Return pits by index and tuzdyks from two rows of cells, each from left to right.

    Raises:
        PositionFormatError: A row has two tuzdyks.
    """
    rows = {bottom: lower, bottom.opponent: upper[::-1]}
    tuzdyks = []
    for side in Side:
        row = rows[side.opponent]
        if row.count("x") > 1:
            raise PositionFormatError(
                f"{what}, row of {side.opponent.value}",
                " ".join(map(str, row)),
                due("tuzdyk_number", "one tuzdyk"),
            )
        tuzdyks.append(row.index("x") + 1 if "x" in row else None)
    cells = rows[Side.BASTAUSHY] + rows[Side.QOSTAUSHY]
    return tuple(0 if isinstance(cell, str) else cell for cell in cells), (tuzdyks[0], tuzdyks[1])


def _sound(
    pits: tuple[int | None, ...],
    kazans: tuple[int | None, int | None],
    tuzdyks: tuple[int | None, int | None],
    to_move: Side,
) -> Position:
    """Return the position of these values, checked like any that comes from outside."""
    return position_from_json(
        {"pits": list(pits), "kazans": list(kazans), "tuzdyks": list(tuzdyks), "to_move": to_move.value}
    )


def _fen_row(cells: list[str]) -> str:
    """Return a row of a FEN; empty pits beside each other are one number."""
    parts: list[str] = []
    for cell, same in groupby(cells):
        alike = len(list(same))
        parts += [str(alike)] if cell == "0" else ["t"] if cell == "x" else [f"{cell}S"] * alike
    return ",".join(parts)


def _fen_cells(row: str, where: str) -> list[_Cell]:
    """Return the nine cells of a row of a FEN, from left to right."""
    cells: list[_Cell] = []
    for place, part in enumerate(row.split(","), 1):
        cell = _CELL.fullmatch(part)
        if cell is None:
            expected = "stones such as 11S, a number of empty pits or t"
            raise PositionFormatError(f"FEN, {where} row, cell {place}", part, expected)
        if cell["tuzdyk"]:
            cells.append("x")
        else:
            cells += [0] * int(cell["empty"]) if cell["empty"] else [int(cell["stones"])]
    if len(cells) != 9:
        raise PositionFormatError(f"FEN, {where} row", row, _nine(cells))
    return cells


def _nine(cells: list[_Cell] | list[str]) -> Due:
    """Return what is expected of a row of more or fewer pits."""
    return due("pits", f"nine pits instead of {len(cells)}", n=len(cells))


def _fen_number(text: str, where: str) -> int:
    if not _NUMBER.fullmatch(text):
        raise PositionFormatError(where, text, "a number")
    return int(text)


def _four(lines: list[list[str]], text: str) -> list[list[str]]:
    """Return the four lines of a diagram."""
    if len(lines) != 4:
        raise PositionFormatError(
            "diagram", text, f"four lines instead of {len(lines)}: kazan, two rows, kazan"
        )
    return lines


def _cells(cells: list[str], where: str) -> list[_Cell]:
    """Return the nine cells of a drawn row, from left to right."""
    if len(cells) != 9:
        raise PositionFormatError(where, " ".join(cells), _nine(cells))
    return ["x" if cell == "x" else _stones(cell, f"{where}, cell {n}") for n, cell in enumerate(cells, 1)]


def _kazan(cells: list[str], where: str) -> int | None:
    if len(cells) != 1:
        raise PositionFormatError(where, " ".join(cells), "one number")
    return _stones(cells[0], where)


def _stones(cell: str, where: str) -> int | None:
    """Return the stones of a drawn cell; None: nobody can read them."""
    if _UNREAD.fullmatch(cell):
        return None
    if not _STONES.fullmatch(cell):
        raise PositionFormatError(
            where, cell, "a number of stones, x for a tuzdyk, _ for what nobody can read"
        )
    return int(cell)
