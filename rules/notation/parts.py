"""What stands in the text of one move: its signs in one spelling, the move itself, the marks behind it.

Knows the forms of the notations and nothing of the board; what a text means there stands in
`rules.notation.moves`.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Literal, TypeAlias, cast

from rules.errors import NotationError
from rules.notation.forms import Notation

Judgement: TypeAlias = Literal["", "!", "!!", "?", "??", "?!"]
"""What the writer thinks of a move (1.6.3): strong, very strong, a mistake, a bad mistake, one to think
about."""

LONGEST = 100
"""Characters of the longest text that is read as one move. The longest honest one has about thirty."""

_DASHES = "‐‑‒–—―⁃−﹘﹣－"
_COLONS = "：∶﹕ː׃꞉"
_CROSSES = "XхХｘＸ×"
LIKE: dict[int, str] = {
    **dict.fromkeys(map(ord, _DASHES), "-"),
    **dict.fromkeys(map(ord, _COLONS), ":"),
    **dict.fromkeys(map(ord, _CROSSES), "x"),
    **dict(zip(map(ord, "！？＝（）．＿"), "!?=()._", strict=True)),
}
"""What keyboards and word processors write instead of a sign of ours, one character for one."""

_GLYPHS = {ord("…"): "...", ord("‼"): "!!", ord("⁇"): "??", ord("⁈"): "?!", ord("⁉"): "!?"}

_NUMBERED = re.compile(r"\A[0-9]{1,5}\.+(?=.)")
_MARK = re.compile(r"(?P<judgement>!!|\?\?|\?!|!\?|!|\?)|(?P<draw>=|\(=\))|\((?P<kazan>[0-9]{1,3})\)")
_BODY = re.compile(r"[1-9a-i:_-][0-9a-i:_-]*x?")
_STOOD = re.compile(r"[1-9]?/")
TOTAL_BEFORE_X = re.compile(r"([1-9_]{2})(\([0-9]{1,3}\))x")

FORMS: dict[Notation, tuple[re.Pattern[str], str]] = {
    Notation.SHORT: (
        re.compile(r"[1-9_](?:-[1-9_]|[:_][1-9_][x_]?)"),
        "pit, : or -, pit of the last stone, x for a tuzdyk, such as 7:6, 9-8 or 2:7x",
    ),
    Notation.FULL: (
        re.compile(r"[1-9_][0-9_]{1,3}(?:-[1-9_][0-9_]{1,3}|[:_][1-9_][0-9_]{1,3}[x_]?)"),
        "pit and its stones, : or -, pit of the last stone and its stones, x for a tuzdyk, such as 79:610",
    ),
    Notation.TWO_DIGIT: (
        re.compile(r"[1-9_][1-9_][x_]?"),
        "pit, pit of the last stone, and x for a tuzdyk, such as 76 or 24x",
    ),
    Notation.TOTAL: (
        re.compile(r"[1-9_][1-9_][x_]?"),
        "pit, pit of the last stone, X for a tuzdyk, (kazan) after a move that takes, such as 65(10) or 45X",
    ),
    Notation.PLAYSTRATEGY: (
        re.compile(r"[a-i_][12_][a-i_][12_]"),
        "letter a to i and row 1 or 2 of both pits, such as g1d2",
    ),
}
_RECOGNISED = (Notation.SHORT, Notation.FULL, Notation.TWO_DIGIT, Notation.PLAYSTRATEGY)
"""What a text may be in when nobody says. The move itself in TOTAL is two digits."""

_ANY = "a move such as 7:6, 9-8, 2:7x, 79:610, 76, 65(10) or g1d2"

_FRAGMENTS = (
    (re.compile(r"[:-][1-9_]x?"), Notation.SHORT, ("_{}",)),
    (re.compile(r"[1-9]:"), Notation.SHORT, ("{}_", "{}_x")),
    (re.compile(r"[1-9]-"), Notation.SHORT, ("{}_",)),
    (re.compile(r"[1-9]"), Notation.TWO_DIGIT, ("{}_", "{}_x", "_{}", "_{}x")),
)
"""A move with one pit not written, as moves with a pit that nobody can read. A lone digit may be either."""


@dataclass(frozen=True, slots=True)
class Said:
    """A text taken apart: `body` is the move itself without spaces, its signs in one spelling."""

    text: str
    body: str
    judgement: Judgement = ""
    draw_offered: bool = False
    kazan: int | None = None


def plain(text: str) -> str:
    """Return the text without spaces and with each sign in one spelling."""
    return "".join(text.translate(LIKE).translate(_GLYPHS).split()).lower()


def taken_apart(text: str, notation: Notation | None) -> Said:
    """Return the move of a text, and the marks behind it.

    Raises:
        NotationError: It has no move, or marks that are none or stand there twice.
    """
    expected = _ANY if notation is None else FORMS[notation][1]
    left = plain(text) if len(text) <= LONGEST else ""
    left = TOTAL_BEFORE_X.sub(r"\1x\2", _NUMBERED.sub("", left))
    return _with_marks(text, left, _BODY, expected)


def stood_taken_apart(text: str) -> Said:
    """Return an illegal sowing that stands (`format_stood`), and the marks behind it.

    Raises:
        NotationError: It is none, or has marks that are none or stand there twice.
    """
    return _with_marks(text, plain(text) if len(text) <= LONGEST else "", _STOOD, "a sowing such as 7/ or /")


def is_stood(text: str) -> bool:
    """Return whether a text without marks is an illegal sowing that stands; no notation reads one."""
    return _STOOD.fullmatch(text) is not None


def _with_marks(text: str, left: str, form: re.Pattern[str], expected: str) -> Said:
    body = form.match(left)
    if body is None:
        raise NotationError(text, expected)
    place = body.end()
    marks: dict[str, str] = {}
    while place < len(left):
        mark = _MARK.match(left, place)
        if mark is None or mark.lastgroup in marks:
            raise NotationError(text, f"{expected}, then at most one each of ! or ?, =, (kazan)")
        marks[str(mark.lastgroup)] = mark[str(mark.lastgroup)]
        place = mark.end()
    judgement = cast("Judgement", marks.get("judgement", "").replace("!?", "?!"))
    kazan = int(marks["kazan"]) if "kazan" in marks else None
    return Said(text, body[0], judgement, "draw" in marks, kazan)


def readings(said: Said, notation: Notation | None) -> list[tuple[Notation, str]]:
    """Return what the move of a text can be: in which notation, and spelt how. At least one thing.

    Raises:
        NotationError: Nothing at all.
    """
    among = _RECOGNISED if notation is None else (notation,)
    found = [(each, said.body) for each in among if FORMS[each][0].fullmatch(said.body)]
    for form, of, spellings in _FRAGMENTS:
        if of in among and form.fullmatch(said.body):
            found += [(of, spelling.format(said.body)) for spelling in spellings]
    if not found:
        raise NotationError(said.text, _ANY if notation is None else FORMS[notation][1])
    return found
