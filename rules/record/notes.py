r"""What stands in the comments of a record: words of people, and three things that begin with a percent sign.

    %clock 1:29:58 1:30:00.500      both dials after the move before it; a dash for a dial nobody knows
    %ruling warning bastaushy: left the table
    %diagram                        as a sheet prints it, on the lines below

In words a backslash stands before what would be misunderstood: `\\` is a backslash, `\(` and `\)` are braces,
`\[` is a bracket at the beginning of a line, `\%` a percent sign at the beginning of a comment. Any other
backslash is one. The whole grammar is in RECORD.md.
"""

from __future__ import annotations

import re

from rules.position import Side
from rules.record.model import Dials, Ruling

COMMAND = re.compile("%([a-z]+)")
"""The beginning of a comment that is not people's words."""

_DIAL = re.compile(r"([0-9]{1,4}):([0-5][0-9]):([0-5][0-9])(?:\.([0-9]{1,3}))?", re.ASCII)
_RULING = re.compile(r"%ruling ([^\s:]+)(?: (bastaushy|qostaushy))?(?::\s?(.*))?", re.DOTALL)
_ESCAPED = re.compile(r"\\([\\()\[%])")
_SIGNS = {"\\": "\\", "(": "{", ")": "}", "[": "[", "%": "%"}
_TROUBLE = re.compile(r"[\\{}]|^%|^\[", re.MULTILINE)
_LETTERS = {"\\": "\\\\", "{": "\\(", "}": "\\)", "[": "\\[", "%": "\\%"}


def format_words(text: str) -> str:
    """Return the inside of a comment that says the words."""
    return _TROUBLE.sub(lambda found: _LETTERS[found[0]], text)


def parse_words(text: str) -> str:
    """Return the words that the inside of a comment says; any text says some."""
    return _ESCAPED.sub(lambda found: _SIGNS[found[1]], text)


def format_dial(shown_ms: int | None) -> str:
    """Return what a dial shows, such as `1:29:58` or `0:00:09.700`; a dash for None."""
    if shown_ms is None:
        return "-"
    seconds, thousandths = divmod(shown_ms, 1000)
    whole = f"{seconds // 3600}:{seconds // 60 % 60:02}:{seconds % 60:02}"
    return f"{whole}.{thousandths:03}" if thousandths else whole


def format_dials(dials: Dials) -> str:
    """Return what both dials show, such as `1:29:58 -`."""
    return " ".join(map(format_dial, dials))


def parse_dials(text: str) -> Dials:
    """Return what both dials show, milliseconds; may be more than a record can hold.

    Raises:
        ValueError: The text does not say it.
    """
    first, second = map(_parse_dial, text.split())
    return first, second


def _parse_dial(text: str) -> int | None:
    if text == "-":
        return None
    found = _DIAL.fullmatch(text)
    if found is None:
        raise ValueError(text)
    seconds = int(found[1]) * 3600 + int(found[2]) * 60 + int(found[3])
    return seconds * 1000 + int((found[4] or "0").ljust(3, "0"))


def format_ruling(ruling: Ruling) -> str:
    """Return the inside of the comment that holds a ruling."""
    side = "" if ruling.side is None else f" {ruling.side.value}"
    words = f": {format_words(ruling.text)}" if ruling.text else ""
    return f"%ruling {ruling.kind}{side}{words}"


def parse_ruling(text: str, ply: int) -> Ruling:
    """Return the ruling of a comment that begins with `%ruling`; its code may be none.

    Raises:
        ValueError: It is none.
    """
    found = _RULING.fullmatch(text)
    if found is None:
        raise ValueError(text)
    side = None if found[2] is None else Side(found[2])
    words = " ".join((found[3] or "").split("\n"))
    return Ruling(ply, found[1], side, parse_words(words).strip())
