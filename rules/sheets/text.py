"""A score sheet typed off, hole by hole.

The moves are a list of moves like any other (`rules.notation.words`): numbers decide the ply, so whatever is
not there is missing, and `..` says so in so many words. `_` is a character nobody can read, a kazan total too
may hold some: `7:_ (1_)`. What only a sheet has stands on lines of its own:

    [Diagram 10]                after both have played move 10; `[Diagram 10.]`: after bastaushy's tenth
    55
    2 1 1 2 2 x _ 4 0
    0 3 1 1 2 1 x 1_ 1
    54

    [Diagram 10 qostaushy]      the same as qostaushy draws it, himself below (sources 000)
    [Kazans 82:71]              the final kazans

A diagram has the upper row from its player's ninth pit to his first, the lower row from the first to the
ninth, and above and below them the kazans or nothing. `x` is a tuzdyk, a cell of nothing but `_` may be
anything. Without a line above it, as printed in books, a diagram stands after the move before it; it needs
its kazans then, and a cell of one character in each row, or nobody could tell it from moves. The
`{%diagram ...}` of a game record is read as well. Tags such as `[Event "..."]` are passed over, and so are
lines above the moves such as `Бастаушы: NAME`, as books have them; `with_tags` makes tags of the players.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, replace

from rules.errors import NotationError, RecordError
from rules.notation.parts import LIKE, taken_apart
from rules.notation.words import Word, WordKind, parse_result, scan
from rules.position import Result, Side
from rules.sheets.sheet import Entry, Sheet, SheetDiagram
from rules.sheets.written import claim_of

_HEADER = re.compile(
    r"\[\s*diagram\s+(?P<number>[0-9]{1,4})(?P<dot>\.)?(?:\s+(?P<below>bastaushy|qostaushy))?\s*\]",
    re.IGNORECASE,
)
_KAZANS = re.compile(r"\[\s*kazans?\s+([0-9_]{1,3})\s*[:-]\s*([0-9_]{1,3})\s*\]", re.IGNORECASE)
_TAG = re.compile(r"\[\s*\w+\s+\".*\"\s*\]")
_HEAD = re.compile(r"\s*(?P<what>[^\W\d_]{2,}(?: [^\W\d_]+){0,3})\s*[:—–-]\s+(?P<value>\S.*?)\s*")
_PLAYERS = {
    **dict.fromkeys(("бастаушы", "bastaushy", "ақ", "white"), "Bastaushy"),
    **dict.fromkeys(("қостаушы", "костаушы", "qostaushy", "қара", "black"), "Qostaushy"),
}
_ROW = re.compile(r"(?:[0-9_]{1,3}|x)(?:\s+(?:[0-9_]{1,3}|x)){8}")
_TOTAL = re.compile(r"[0-9_]{1,3}")
_HALF_READ_TOTAL = re.compile(r"[(（]\s*[0-9_＿]{1,3}\s*[)）]")
_SIGNS = LIKE | {ord("|"): " ", ord(","): " ", ord("?"): "_"}

_ROWS = "two rows of nine cells, the kazans above and below them or neither"


@dataclass(frozen=True, slots=True)
class _Block:
    """Two rows and two kazans, or none, as they were found.

    Attributes:
        line: Where it begins, from 1.
        cells: Eighteen cells from the upper row's left.
        kazans: Those of the player above and of the player below.
        ply: After which ply; None: after the move before it.
        below: Who sits below.
    """

    line: int
    cells: tuple[str, ...]
    kazans: tuple[str, str]
    ply: int | None = None
    below: Side = Side.BASTAUSHY

    def diagram(self, ply: int) -> SheetDiagram:
        """Return the diagram, for a block whose ply is not said."""
        rows = (self.cells[9:], self.cells[8::-1])
        own, other = rows if self.below is Side.BASTAUSHY else rows[::-1]
        above, below = self.kazans
        kazans = (below, above) if self.below is Side.BASTAUSHY else (above, below)
        return SheetDiagram(ply if self.ply is None else self.ply, own + other, kazans, self.line)


class _Reader:
    """What a sheet has told up to a line."""

    def __init__(self, lines: list[str]) -> None:
        self.lines = lines
        self.blocks: list[_Block] = []
        self.kazans = ("", "")
        self.result: Result | None = None
        self.result_line = 0
        self.entries: dict[int, Entry] = {}

    def moves(self) -> list[str]:
        """Return the lines with nothing left but moves; keeps the rest."""
        left: list[str] = []
        inside = False
        while len(left) < len(self.lines):
            place = len(left)
            line = self.lines[place]
            taken = 0 if inside else self._taken(place)
            if taken:
                left += [""] * taken
                continue
            left.append(line)
            # A comment may hold lines that look like a diagram's; its own is read from the comment's text.
            inside = _comment_open(line, inside=inside)
        return left

    def _taken(self, place: int) -> int:
        """Return how many lines from a place on are no moves; 0: the line is for the list of moves."""
        line = self.lines[place].strip()
        header, kazans = _HEADER.fullmatch(line), _KAZANS.fullmatch(line.translate(LIKE))
        if header is not None:
            found = _block(self.lines, place + 1)
            if found is None:
                raise RecordError(place + 1, 1, line, f"{_ROWS} on the lines after it")
            block, end = found
            ply = 2 * int(header["number"]) - (header["dot"] is not None)
            below = Side((header["below"] or "bastaushy").lower())
            self.blocks.append(replace(block, line=place + 1, ply=max(ply, 0), below=below))
            return end - place
        if kazans is not None:
            self.kazans = (kazans[1], kazans[2])
            self.result_line = self.result_line or place + 1
            return 1
        if _TAG.fullmatch(line):
            return 1
        found = _block(self.lines, place)
        if found is None or not found[0].kazans[0] or not _drawn_plainly(found[0].cells):
            return 0
        self.blocks.append(found[0])
        return found[1] - place

    def read(self, word: Word) -> None:
        """Take in one word of the list of moves."""
        if word.kind in (WordKind.MOVE, WordKind.MISSING) and word.ply is not None:
            text, total = self._said(word) if word.kind is WordKind.MOVE else ("", "")
            self.entries[word.ply] = Entry(word.ply, text, total, word.line, word.column)
        elif word.kind is WordKind.KAZAN and word.ply is not None:
            self.entries[word.ply] = replace(self.entries[word.ply], kazan=self._total(word))
        elif word.kind is WordKind.RESULT:
            self.result = parse_result(word.text)
            self.result_line = word.line
        elif word.kind is WordKind.COMMENT and word.text.startswith("%diagram"):
            found = _block(word.text.split("\n"), 1)
            if found is None:
                raise RecordError(word.line, word.column, word.text, f"%diagram and {_ROWS}")
            self.blocks.append(replace(found[0], line=word.line, ply=word.ply or 0))

    def _said(self, word: Word) -> tuple[str, str]:
        """Return a move and the kazan that stands inside it, as in `45(10)X`; "" for none.

        Raises:
            RecordError: It is a move in no notation.
        """
        try:
            said = taken_apart(word.text, None)
            text = word.text if said.kazan is None else said.body
            claim_of(text)
        except NotationError as error:
            raise RecordError(word.line, word.column, word.text, error.expected, error) from error
        return text, "" if said.kazan is None else self._total(word)

    def _total(self, word: Word) -> str:
        """Return what stands between the brackets of a word.

        What cannot be read was hidden from the list of moves, and stands in the line itself.
        """
        start = word.column - 1
        written = "".join(self.lines[word.line - 1][start : start + len(word.text)].translate(LIKE).split())
        return written[written.index("(") + 1 : written.index(")")]

    def diagrams(self) -> Iterator[SheetDiagram]:
        """Yield the diagrams; one that does not say its ply stands after the move before it."""
        for block in self.blocks:
            before = [entry.ply for entry in self.entries.values() if entry.line < block.line]
            yield block.diagram(max(before, default=0))


def read_sheet(text: str) -> Sheet:
    """Return the sheet that a text tells of; the grammar stands above.

    Raises:
        RecordError: Something stands there that is none of this; says where and what was expected.
    """
    reader = _Reader(with_tags(text).split("\n"))
    hidden = [_HALF_READ_TOTAL.sub(_readable, line) for line in reader.moves()]
    for word in scan(hidden):
        reader.read(word)
    return Sheet(
        tuple(reader.entries.values()),
        tuple(reader.diagrams()),
        reader.result,
        reader.kazans,
        reader.result_line,
    )


def with_tags(text: str) -> str:
    """Return a sheet in which lines above its moves, such as `Қостаушы: NAME`, are tags on the same lines.

    Those that name no player are left empty.
    """
    lines = text.split("\n")
    for place, line in enumerate(lines):
        head = _HEAD.fullmatch(line.removesuffix("\r"))
        if head is None:
            if line.strip() and not _TAG.fullmatch(line.strip()):
                break
            continue
        name = _PLAYERS.get(head["what"].casefold())
        value = head["value"].replace("\\", "\\\\").replace('"', '\\"')
        lines[place] = "" if name is None else f'[{name} "{value}"]'
    return "\n".join(lines)


def _readable(total: re.Match[str]) -> str:
    return total[0].translate(LIKE).replace("_", "0")


def _comment_open(line: str, *, inside: bool) -> bool:
    """Return whether a comment in braces is open at the end of a line."""
    while True:
        place = line.find("}" if inside else "{")
        if place < 0:
            return inside
        if not inside and re.search("[;#]", line[:place]):
            return False
        line = line[place + 1 :]
        inside = not inside


def _block(lines: list[str], place: int) -> tuple[_Block, int] | None:
    """Return the diagram that begins at a place of the lines, and where it ends; None: none does."""
    rows = [line.translate(_SIGNS).strip() for line in lines[place : place + 4]]
    rows += [""] * (4 - len(rows))
    framed = bool(_TOTAL.fullmatch(rows[0]) and _TOTAL.fullmatch(rows[3]))
    upper, lower = rows[1:3] if framed else rows[:2]
    if not (_ROW.fullmatch(upper) and _ROW.fullmatch(lower)):
        return None
    kazans = (rows[0], rows[3]) if framed else ("", "")
    cells = (*upper.split(), *lower.split())
    return _Block(place + 1, cells, kazans), place + (4 if framed else 2)


def _drawn_plainly(cells: tuple[str, ...]) -> bool:
    """Return whether both rows have a cell that no move is: one of a single character."""
    return all(any(len(cell) == 1 for cell in row) for row in (cells[:9], cells[9:]))
