"""Texts of many games, cut into one game after the other without ever holding more than one.

A game begins at the first line that is not blank, and another one begins
- at a tag line after moves or a result; after a blank line also at one whose tag the game has already, and
  even inside a comment, which then was never closed;
- at anything but comments on a line after that of the result, and at a comment after a blank line there;
- at a line with the number `1.` after a blank line, when the game before has moves and no result.
A result is seen only at the end of its line. What is too long is refused by name and not kept;
after it everything is passed over up to the next tag line below a blank line or below moves.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from rules.errors import Due, RecordError, due
from rules.notation.movetext import parse_result
from rules.record.tags import TAG_LINE, canonical_name

MAX_LINE = 65_536
"""Longest line in characters: whole games on one line fit, ten times over."""

MAX_GAME = 1_000_000
"""Longest text of one game in characters; honest ones have some thousand, with diagrams and clocks."""

_FIRST_NUMBER = re.compile(r"\s*1\s*\.(?!\.)")
_CODE = re.compile(r"[^{;#]*")


@dataclass(frozen=True, slots=True)
class GameLines:
    """The lines of one game.

    Attributes:
        first_line: The number of the first in its file, from 1.
        lines: The lines without their ends; of a game that is too long those that were kept.
        tags: Which of the lines are tags, counted from 0.
        only_remarks: True if there is nothing in them but comments.
        error: What is too long; None: nothing.
    """

    first_line: int
    lines: tuple[str, ...]
    tags: tuple[int, ...]
    only_remarks: bool
    error: RecordError | None = None


def lines_of(chunks: Iterable[str]) -> Iterator[str]:
    r"""Yield the lines of a text that comes in pieces of any length, without their ends.

    A line longer than MAX_LINE is cut off behind its next character, so that whoever reads refuses it and
    nobody holds the rest: a file without a single `\n` costs no memory.
    """
    kept = ""
    for chunk in chunks:
        *ended, rest = chunk.split("\n")
        for part in ended:
            yield (kept + part)[: MAX_LINE + 1]
            kept = ""
        kept = (kept + rest)[: MAX_LINE + 1]
    if kept:
        yield kept


def split_games(lines: Iterable[str]) -> Iterator[GameLines]:
    """Yield the lines of each game, reading no further than its end; blank lines around games are left out.

    Args:
        lines: The lines, with or without their ends.
    """
    game = _Game(1)
    for number, raw in enumerate(lines, 1):
        line = raw.rstrip("\r\n")
        if number == 1:
            line = line.removeprefix("\ufeff")
        if game.ends_before(line):
            yield game.found()
            game = _Game(number)
        game.take(line, number)
    if game.content:
        yield game.found()


class _Game:
    """One game while its lines come in."""

    def __init__(self, first_line: int) -> None:
        self.content = False
        self._first_line = first_line
        self._lines: list[str] = []
        self._size = 0
        self._error: RecordError | None = None
        self._tags: set[str] = set()
        self._tag_lines: list[int] = []
        self._open = False  # a comment
        self._moves = self._done = self._blank = False

    def found(self) -> GameLines:
        remarks = not (self._tag_lines or self._moves or self._error or self._open)
        return GameLines(self._first_line, tuple(self._lines), tuple(self._tag_lines), remarks, self._error)

    def ends_before(self, line: str) -> bool:
        """Return whether the line belongs to the next game."""
        if not self.content or not line.strip():
            return False
        tag = TAG_LINE.fullmatch(line)
        if self._error is not None:
            return tag is not None and (self._blank or self._moves)
        if self._open:
            return tag is not None and self._blank and line.startswith("[")
        if tag is not None:
            again = self._blank and canonical_name(tag[1]) in self._tags
            return self._moves or again
        if self._done:
            return self._blank or bool(_code(line)[0].strip())
        return self._moves and self._blank and _FIRST_NUMBER.match(line) is not None

    def take(self, line: str, number: int) -> None:
        """Take the next line."""
        blank = not line.strip()
        if not self.content:
            if blank:
                return
            self._first_line, self.content = number, True
        self._keep(line, number)
        tag = None if self._error is None and self._open else TAG_LINE.fullmatch(line[:MAX_LINE])
        if tag is not None and self._error is None:
            self._tags.add(canonical_name(tag[1]))
            self._tag_lines.append(len(self._lines) - 1)
        elif self._error is not None:
            self._moves = self._moves or not (blank or line.startswith("["))
        else:
            code, self._open = _code(line, inside=self._open)
            words = code.split()
            self._moves = self._moves or bool(words)
            self._done = self._done or _ends_with_result(words)
        self._blank = blank

    def _keep(self, line: str, number: int) -> None:
        if self._error is not None:
            return
        self._size += len(line) + 1
        if len(line) > MAX_LINE:
            self._error = RecordError(number, 1, line[:80], _shorter("line", MAX_LINE))
        elif self._size > MAX_GAME:
            self._error = RecordError(number, 1, line[:80], _shorter("game", MAX_GAME))
        else:
            self._lines.append(line)


def _code(line: str, *, inside: bool = False) -> tuple[str, bool]:
    """Return a line without its comments, and whether the last of them goes on below it."""
    code: list[str] = []
    place = 0
    while place < len(line):
        if inside:
            close = line.find("}", place)
            if close < 0:
                return " ".join(code), True
            place, inside = close + 1, False
        found = _CODE.match(line, place)
        assert found is not None, "nothing at all fits as well"
        code.append(found[0])
        place = found.end()
        if line[place : place + 1] != "{":
            break
        place, inside = place + 1, True
    return " ".join(code), inside


def _ends_with_result(words: list[str]) -> bool:
    """Return whether a line ends with a result, which may have blanks around its dash."""
    return any(_is_result("".join(words[-parts:])) for parts in range(1, min(len(words), 3) + 1))


def _is_result(word: str) -> bool:
    try:
        parse_result(word)
    except ValueError:
        return False
    return True


def _shorter(what: str, most: int) -> Due:
    return due("shorter", f"a {what} of at most {most} characters", most=most)
