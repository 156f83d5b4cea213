"""The words of a list of moves, before anybody plays them.

`scan` is lexical: it knows what moves, numbers, totals and results look like and which ply each belongs to,
and nothing of the board. So it reads sheets with gaps, illegible and impossible moves alike.

A number decides which ply comes next: `12.` is followed by bastaushy's twelfth move, `12...` or `12. ...` by
qostaushy's. A gap in the numbering is a jump of `Word.ply`; a number that goes back is an error. Without
numbers plies follow each other. A move that was not written down is `MISSING`: dashes, dots, an ellipsis or
underscores. A `_` inside a move stands for a character that nobody can read.

Marks behind a move belong to it, glued or not: `7:6!=(10)`, `1. 7:6 (10) 9-8` (1.6.3). Three dots glued
behind a move, `8:7...`, only say that the game went on. A comment is `{...}` over any number of lines,
without braces inside, or goes from `;` or `#` to the end of the line.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from enum import Enum

from rules.errors import RecordError, due, shown
from rules.notation.parts import LIKE
from rules.position import Result


class WordKind(Enum):
    """What a word of a list of moves is."""

    MOVE = "move"
    """A move in any notation, whole or not; TOTAL gives two words, `65` and `(10)`."""
    NUMBER = "number"
    """The number of the next move."""
    KAZAN = "kazan"
    """The mover's kazan after his move, in brackets."""
    JUDGEMENT = "judgement"
    """What the writer thought of the move."""
    DRAW = "draw"
    """The offer of a draw (1.6.5)."""
    RESULT = "result"
    """The result of the game, or `*` for none."""
    COMMENT = "comment"
    """A remark; the text is what stands inside."""
    MISSING = "missing"
    """A move that was not written down."""


@dataclass(frozen=True, slots=True)
class Word:
    """One word of a list of moves.

    Attributes:
        kind: What it is.
        text: As it was written; of a comment only the inside, without spaces around it.
        line: The line where it begins, counted from the caller's first.
        column: The character where it begins, counted from 1.
        ply: Of a move or missing move: which it is, 1 for bastaushy's first. Of a number: of the move it
            announces. Of marks and comments: of the move they stand behind. None: no move stands before it,
            or it is a result.
    """

    kind: WordKind
    text: str
    line: int
    column: int
    ply: int | None


LARGEST_NUMBER = 9999
"""Highest number of a move; no game has a thousand."""

_EXPECTED = due("word", "a move, a number such as 12., (kazan), a judgement, =, a result or {a comment}")

_DIGIT, _STONES, _GAP = "[1-9_]", "[0-9_]{1,3}", r"\s{0,8}"
_CROSS = rf"(?:{_GAP}x)?"
_NO_NUMBER = r"(?![0-9]+[.…])"
# A long dash with spaces around it is a move that was not written down, not the sign of a full move.
_MOVES = (
    rf"{_DIGIT}{_STONES}(?:[:—_-]|{_GAP}[:-]{_GAP}{_NO_NUMBER}){_DIGIT}{_STONES}{_CROSS}",
    rf"{_DIGIT}(?:{_GAP}[:—-]{_GAP}|_){_DIGIT}{_CROSS}",
    rf"{_DIGIT}{_DIGIT}(?:\([0-9]{{1,3}}\){_GAP}x)",
    rf"{_DIGIT}{_DIGIT}{_CROSS}",
    rf"{_DIGIT}{_DIGIT}_",
    rf"[a-iA-I_][12_]{_GAP}[a-iA-I_][12_]",
    rf"{_DIGIT}[:-]",
    rf"[:-]{_DIGIT}{_CROSS}",
    r"[1-9]?/(?!/)",  # a sowing that stands by a ruling: a word like any other, and a move in records only
)
_END = r"(?![\w:—-])"
_TOKEN = re.compile(
    rf"""
    (?P<result>(?:1/2{_GAP}[—-]{_GAP}1/2|½{_GAP}[—-]{_GAP}½|0[.,]5{_GAP}[—-]{_GAP}0[.,]5
        |1{_GAP}[:—-]{_GAP}0|0{_GAP}[:—-]{_GAP}[01]|\*){_END})
    |(?P<missing>(?:-+|—+|\.{{2,}}|…+|_+(?!{_GAP}:|{_GAP}-{_GAP}[1-9_]{_END})){_END})
    |(?P<number>[0-9]{{1,5}}(?P<dots>[.…]+)(?:\s{_GAP}(?P<more>\.{{3,}}|…))?)
    |(?P<kazan>\({_GAP}[0-9]{{1,3}}{_GAP}\))
    |(?P<draw>=|\(=\))
    |(?P<judgement>[!?]+|[‼⁇⁈⁉])
    |(?P<move>(?:{"|".join(_MOVES)}){_END})
    """,
    re.VERBOSE,
)
_AND_SO_ON = re.compile(r"\.{3,}|…")
_SPACE = re.compile(r"\s*")
_WORD = re.compile(r"\S{1,80}")
_KEPT = {key: sign for key, sign in LIKE.items() if chr(key) not in "—―"} | {ord("―"): "—"}
_JUDGEMENTS = frozenset({"!", "!!", "?", "??", "?!", "!?", "‼", "⁇", "⁈", "⁉"})
_MARKS = (WordKind.KAZAN, WordKind.JUDGEMENT, WordKind.DRAW)
_KINDS = {kind.value: kind for kind in WordKind}

_RESULTS: dict[str, Result | None] = {
    "1-0": "1-0",
    "1:0": "1-0",
    "0-1": "0-1",
    "0:1": "0-1",
    "0-0": "0-0",
    "0:0": "0-0",
    "1/2-1/2": "1/2-1/2",
    "½-½": "1/2-1/2",
    "0.5-0.5": "1/2-1/2",
    "0,5-0,5": "1/2-1/2",
    "*": None,
}


def parse_result(text: str) -> Result | None:
    """Return the score that a result says, in any of its spellings; None for `*`, a game without one.

    Raises:
        ValueError: It is no result.
    """
    spelt = "".join(text.translate(LIKE).split())
    if spelt not in _RESULTS:
        raise ValueError(f"{shown(text)} is no result: expected 1-0, 0-1, 1/2-1/2, 0-0 or *")
    return _RESULTS[spelt]


def scan(lines: Iterable[str], first_line: int = 1, *, first_ply: int = 1) -> Iterator[Word]:
    """Yield the words of a list of moves; keeps nothing but the comment that is open.

    Args:
        lines: The lines, with or without their ends.
        first_line: The number of the first.
        first_ply: The ply of the first move when no number says it: 2 when qostaushy begins.

    Raises:
        RecordError: Something stands there that is none of this.
    """
    scanner = _Scanner(first_ply)
    number = first_line
    for number, line in enumerate(lines, first_line):
        yield from scanner.line(line, number)
    scanner.end()


class _Scanner:
    """What a list of moves has told up to a place."""

    def __init__(self, first_ply: int) -> None:
        self._next = first_ply
        self._last: int | None = None
        self._comment: tuple[int, int, list[str]] | None = None
        self._dotted: Word | None = None

    def line(self, line: str, number: int) -> Iterator[Word]:
        """Yield the words of one line."""
        read = line.translate(_KEPT)
        place = 0
        while True:
            if self._comment is not None:
                close = line.find("}", place)
                self._comment[2].append(line[place:] if close < 0 else line[place:close])
                if close < 0:
                    return
                place = close + 1
                yield self._closed()
            place = _SPACE.match(read, place).end()  # type: ignore[union-attr] # matches anything
            if place == len(read):
                return
            if read[place] == "{":
                self._comment = (number, place + 1, [])
                place += 1
            elif read[place] in ";#":
                text = line[place + 1 :].strip()
                yield Word(WordKind.COMMENT, text, number, place + 1, self._last)
                return
            else:
                token = _TOKEN.match(read, place)
                if token is None:
                    raise _bad(line, number, place, _EXPECTED)
                yield self._word(token, line, number)
                place = token.end()
                if token.lastgroup == "move" and (more := _AND_SO_ON.match(read, place)):
                    place = more.end()

    def end(self) -> None:
        """Tell that no line follows.

        Raises:
            RecordError: Something is still open.
        """
        if self._comment is not None:
            line, column, _ = self._comment
            raise RecordError(line, column, "{", due("brace", "a } that closes the comment"))
        if self._dotted is not None:
            # `87...` may be a number or a move and "so on": without a move behind it nobody can tell.
            word = self._dotted
            raise RecordError(word.line, word.column, word.text, due("behind", "a move behind the number"))

    def _closed(self) -> Word:
        """Return the comment that ends here."""
        assert self._comment is not None
        line, column, parts = self._comment
        self._comment = None
        text = "\n".join(part.rstrip("\r\n") for part in parts).strip()
        return Word(WordKind.COMMENT, text, line, column, self._last)

    def _word(self, token: re.Match[str], line: str, number: int) -> Word:
        """Return the word of a token; tells which ply it belongs to."""
        kind = _KINDS[str(token.lastgroup)]
        if kind is WordKind.NUMBER:
            ply: int | None = self._announced(token, line, number)
        elif kind in (WordKind.MOVE, WordKind.MISSING):
            ply = self._last = self._next
            self._next += 1
        else:
            ply = None if kind is WordKind.RESULT else self._last
        if kind in _MARKS and ply is None:
            raise _bad(line, number, token.start(), due("before", "a move before it"))
        if kind is WordKind.JUDGEMENT and token[0] not in _JUDGEMENTS:
            raise _bad(line, number, token.start(), due("judgement", "one of ! !! ? ?? ?!"))
        word = Word(kind, line[token.start() : token.end()], number, token.start() + 1, ply)
        glued = kind is WordKind.NUMBER and token["dots"] != "."
        if glued or kind in (WordKind.NUMBER, WordKind.MOVE, WordKind.MISSING):
            self._dotted = word if glued else None
        return word

    def _announced(self, token: re.Match[str], line: str, number: int) -> int:
        """Return the ply that a number announces."""
        said = int(token[0][: token.start("dots") - token.start()])
        qostaushy = token["dots"] != "." or token["more"] is not None
        ply = 2 * said if qostaushy else 2 * said - 1
        if ply < self._next or said > LARGEST_NUMBER:
            least = f"{(self._next + 1) // 2}{'.' if self._next % 2 else '...'}"
            expected = f"the number {least} or a higher one up to {LARGEST_NUMBER}"
            raise _bad(line, number, token.start(), due("number", expected, number=least))
        self._next = ply
        return ply


def _bad(line: str, number: int, place: int, expected: str) -> RecordError:
    """Return the error of a word that has no place where it stands."""
    word = _WORD.match(line, place)
    return RecordError(number, place + 1, word[0] if word else line[place], expected)
