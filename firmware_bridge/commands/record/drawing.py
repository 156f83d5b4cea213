"""The board drawn with characters, for a terminal or a text file.

Pure: a position and words in, lines of pieces out; a piece is a text and what it shows, so that whoever
prints it can choose colours. Widths are counted in columns of a terminal, for a letter may take two of them
or none.

As on a printed diagram each kazan is drawn on its owner's side, whatever half of a real board it lies in
(1.1.2). With the last move its way is drawn beside the pits: where it began, what fell into each pit, where
the last stone fell and what was taken there.
"""

from __future__ import annotations

import unicodedata
from collections import Counter
from dataclasses import dataclass
from enum import Enum

from rich.cells import cell_len, set_cell_size

from rules.position import Position, Side, Sowing, pit_index, tuzdyk_owner

NARROWEST = 40
"""Columns that the smallest drawing takes; less is treated as this."""

PIT_COLUMNS = (3, 6)
"""The fewest and the most columns of a pit without its name in it."""

_INDENT = "  "


class Ink(Enum):
    """What a piece of a drawing shows."""

    PLAIN = "plain"
    """Words and blanks."""
    FRAME = "frame"
    """The wood of the board."""
    NUMBER = "number"
    """The number or the name of a pit."""
    PLAYER = "player"
    """Who sits there."""
    STONES = "stones"
    """Stones of a pit."""
    EMPTY = "empty"
    """A pit without stones."""
    TUZDYK = "tuzdyk"
    """A tuzdyk."""
    KAZAN = "kazan"
    """Stones of a kazan."""
    ORIGIN = "origin"
    """The pit where the last move began."""
    WAY = "way"
    """A pit that the last move passed."""
    LAST = "last"
    """The pit where its last stone fell."""


Piece = tuple[str, Ink]
Line = tuple[Piece, ...]


@dataclass(frozen=True, slots=True)
class Signs:
    """The characters of a drawing.

    Attributes:
        corners: Left, middle and right of the top border, the two inner ones and the bottom border.
        across: A stretch of border.
        upright: A wall.
        origin: Marks the pit where a move began.
        last: Marks the pit where its last stone fell.
        taken: Stands before the number of stones taken there.
        cut: Stands for what was left out of a text.
    """

    corners: tuple[str, str, str, str]
    across: str
    upright: str
    origin: str
    last: str
    taken: str
    cut: str


UNICODE = Signs(("┌┬┐", "├┴┤", "├┬┤", "└┴┘"), "─", "│", "○", "●", "−", "…")
ASCII = Signs(("+++", "+++", "+++", "+++"), "-", "|", "o", "*", "-", "~")


@dataclass(frozen=True, slots=True, kw_only=True)
class Labels:
    """The words of a drawing.

    Attributes:
        players: What stands beside the row of [bastaushy, qostaushy].
        kazans: What stands in the kazan of [bastaushy, qostaushy].
        to_move: What stands beside the player whose turn it is; empty: nothing.
        pits: The names of the pits 1..9; (): they are not shown.
    """

    players: tuple[str, str]
    kazans: tuple[str, str]
    to_move: str = ""
    pits: tuple[str, ...] = ()


def draw(
    position: Position,
    labels: Labels,
    *,
    width: int = 80,
    bottom: Side = Side.BASTAUSHY,
    last: Sowing | None = None,
    signs: Signs = UNICODE,
) -> tuple[Line, ...]:
    """Return the board as lines, none of them wider than `width` columns.

    Args:
        position: What lies on it.
        labels: The words.
        width: Columns there are, `NARROWEST` at least. Names of pits stand in the row where they fit, else
            in a list below the board.
        bottom: Who sits below.
        last: The move that led to the position; None: no way is drawn.
        signs: The characters to draw with.
    """
    pen = _Pen(max(width, NARROWEST), labels, signs)
    ways = {} if last is None else _ways(last, signs)
    top = bottom.opponent
    return (
        pen.player(top, position),
        *pen.numbers(top, bottom),
        pen.border(0),
        *pen.row(top, bottom, position, ways),
        pen.border(1),
        pen.kazan(top, position),
        pen.kazan(bottom, position),
        pen.border(2),
        *pen.row(bottom, bottom, position, ways),
        pen.border(3),
        *pen.numbers(bottom, bottom),
        pen.player(bottom, position),
        *pen.legend(),
    )


def plain(lines: tuple[Line, ...]) -> str:
    """Return the lines as a text without colours, each with its end and without blanks before it."""
    return "".join("".join(text for text, _ in line).rstrip() + "\n" for line in lines)


def printable(text: str) -> str:
    """Return a text without characters that move or hide others: directions, controls, line ends."""
    return "".join(" " if _unseen(letter) else letter for letter in text)


def _unseen(letter: str) -> bool:
    kind = unicodedata.category(letter)
    return kind[0] == "C" or kind in ("Zl", "Zp")


def fitted(text: str, columns: int, cut: str = "…") -> str:
    """Return a text of exactly so many columns: filled with blanks, or cut with a sign at its end."""
    if cell_len(text) <= columns:
        return set_cell_size(text, columns)
    return set_cell_size(text, max(columns - 1, 0)) + cut[: max(columns, 0)]


def right(text: str, columns: int) -> str:
    """Return a text filled with blanks on its left to so many columns; a wider one as it is."""
    return " " * (columns - cell_len(text)) + text


class _Pen:
    """Knows the measures of one drawing."""

    def __init__(self, width: int, labels: Labels, signs: Signs) -> None:
        least, most = PIT_COLUMNS
        room = (width - len(_INDENT) - 1) // 9 - 1
        widest = max(map(cell_len, labels.pits), default=0)
        self._named = bool(labels.pits) and widest <= room
        self._pit = max(least, min(most, room), widest if self._named else 0)
        self._board = 9 * (self._pit + 1) + 1
        self._width, self._labels, self._signs = width, labels, signs

    def border(self, which: int) -> Line:
        """Return the border of that number from the top."""
        corners = self._signs.corners[which]
        stretch = self._signs.across * self._pit
        return ((_INDENT + corners[0] + corners[1].join([stretch] * 9) + corners[2], Ink.FRAME),)

    def numbers(self, side: Side, bottom: Side) -> tuple[Line, ...]:
        """Return the numbers of a row's pits and, where they fit, the names."""
        order = _order(side, bottom)
        numbers = " ".join(_centred(str(number), self._pit) for number in order)
        lines: list[Line] = [((f"{_INDENT} {numbers}", Ink.NUMBER),)]
        if self._named:
            names = " ".join(_centred(self._labels.pits[number - 1], self._pit) for number in order)
            lines.append(((f"{_INDENT} {names}", Ink.NUMBER),))
        return tuple(lines if side is bottom else lines[::-1])

    def player(self, side: Side, position: Position) -> Line:
        """Return the line of a player's name, with whose turn it is at its end."""
        turn = self._labels.to_move if position.to_move is side else ""
        room = self._board - (cell_len(turn) + 2 if turn else 0)
        name = fitted(self._labels.players[side.index], room, self._signs.cut)
        return ((_INDENT, Ink.PLAIN), (name, Ink.PLAYER), (f"  {turn}" if turn else "", Ink.WAY))

    def kazan(self, side: Side, position: Position) -> Line:
        """Return the line of a player's kazan."""
        wall = self._signs.upright
        room = self._board - 2 - 7
        what = fitted(self._labels.kazans[side.index], room, self._signs.cut)
        return (
            (_INDENT + wall, Ink.FRAME),
            (f" {what}", Ink.PLAIN),
            (f"{position.kazans[side.index]:>4}", Ink.KAZAN),
            ("  ", Ink.PLAIN),
            (wall, Ink.FRAME),
        )

    def row(
        self, side: Side, bottom: Side, position: Position, ways: dict[int, tuple[str, Ink]]
    ) -> tuple[Line, ...]:
        """Return the lines of a row of pits; the way of the move lies on the outer side."""
        indexes = [pit_index(side, number) for number in _order(side, bottom)]
        stones = self._cells([_stones(index, position, ways) for index in indexes])
        if not ways:
            return (stones,)
        way = self._cells([ways.get(index, ("", Ink.PLAIN)) for index in indexes])
        return (stones, way) if side is bottom else (way, stones)

    def legend(self) -> tuple[Line, ...]:
        """Return the list of the pits' names, where they do not stand in the rows."""
        if self._named or not self._labels.pits:
            return ()
        lines = [""]
        for number, name in enumerate(self._labels.pits, 1):
            item = f"{number} {name}"
            if lines[-1] and cell_len(_INDENT + lines[-1] + "  " + item) > self._width:
                lines.append("")
            lines[-1] += f"  {item}" if lines[-1] else fitted(item, min(cell_len(item), self._width - 2))
        return tuple(((_INDENT + line, Ink.NUMBER),) for line in lines)

    def _cells(self, cells: list[Piece]) -> Line:
        wall = self._signs.upright
        pieces: list[Piece] = [(_INDENT + wall, Ink.FRAME)]
        for text, ink in cells:
            pieces += [(_centred(text, self._pit), ink), (wall, Ink.FRAME)]
        return tuple(pieces)


def _order(side: Side, bottom: Side) -> range:
    """Return the numbers of a row's pits from left to right as drawn."""
    return range(1, 10) if side is bottom else range(9, 0, -1)


def _centred(text: str, columns: int) -> str:
    """Return a text in the middle of so many columns; numbers of one and two digits end under each other."""
    text = right(text, min(2, columns)) if len(text) == 1 else text
    free = columns - cell_len(text)
    return " " * (free // 2) + text + " " * (free - free // 2)


def _stones(index: int, position: Position, ways: dict[int, tuple[str, Ink]]) -> Piece:
    if tuzdyk_owner(index, position.tuzdyks) is not None:
        return "x", Ink.TUZDYK
    stones = position.pits[index]
    if index in ways and ways[index][1] is not Ink.WAY:
        return str(stones), ways[index][1]
    return str(stones), Ink.STONES if stones else Ink.EMPTY


def _ways(last: Sowing, signs: Signs) -> dict[int, tuple[str, Ink]]:
    """Return what is written beside each pit that a move touched, by index."""
    fallen = Counter(last.path)
    origin = pit_index(last.side, last.number)
    ways = {index: (f"+{stones}", Ink.WAY) for index, stones in fallen.items()}
    again = fallen[origin] - 1  # beyond the first stone, which goes back where it came from
    ways[origin] = (signs.origin + (f"+{again}" if again > 0 else ""), Ink.ORIGIN)
    taken = f"{signs.taken}{last.captured}" if last.captured else ""
    end = last.last_index
    ways[end] = ((signs.origin if end == origin else "") + signs.last + taken, Ink.LAST)
    return ways
