"""How a move is written: the five notations, each with its one canonical text.

What they mean, and how they are read, is told in `rules.notation.moves`.
"""

from __future__ import annotations

from enum import Enum

from rules.position import Sowing, tuzdyk_owner


class Notation(Enum):
    """A way to write a move."""

    SHORT = "short"
    """`7:6`, official (1.6.3)."""
    FULL = "full"
    """`79:610`, official (1.6.3)."""
    TWO_DIGIT = "two-digit"
    """`76`."""
    TOTAL = "total"
    """`76(10)`."""
    PLAYSTRATEGY = "playstrategy"
    """`g1d2`."""


def format_short(sowing: Sowing) -> str:
    """Return the move in the official short notation, such as `7:6`, `9-8` or `2:7x`."""
    sign = "-" if sowing.mark == "-" else ":"
    return f"{sowing.number}{sign}{sowing.last_number}{'x' if sowing.mark == 'x' else ''}"


def format_stood(number: int | None) -> str:
    """Return how a sowing that is none, and stands by an arbiter's ruling, is written: `7/`, `/`.

    What it left on the board no notation can say; the position stands beside it.

    Args:
        number: The pit 1..9 it was played from; None: nobody knows.
    """
    return f"{number or ''}/"


def format_full(sowing: Sowing) -> str:
    """Return the move in the official full notation, such as `79:610`, `510-511` or `92:13x`."""
    sign = "-" if sowing.mark == "-" else ":"
    fallen = sowing.after.pits[sowing.last_index] + sowing.captured
    cross = "x" if sowing.mark == "x" else ""
    return f"{sowing.number}{sowing.stones}{sign}{sowing.last_number}{fallen}{cross}"


def full_forms(sowing: Sowing) -> tuple[str, ...]:
    """Return the move in the official full notation as it may be written, the canonical text first.

    A stone that has just fallen into a tuzdyk is counted by some.
    """
    text = format_full(sowing)
    passed = tuzdyk_owner(sowing.last_index, sowing.before.tuzdyks) is not None
    return (text, text[:-1] + "1") if passed else (text,)


def format_two_digit(sowing: Sowing) -> str:
    """Return the move in the two-digit notation, such as `76` or `24x`."""
    return f"{sowing.number}{sowing.last_number}{'x' if sowing.mark == 'x' else ''}"


def format_total(sowing: Sowing) -> str:
    """Return the move in two digits with the kazan where it takes, such as `98`, `65(10)` or `45X`."""
    after = {"-": "", "x": "X", ":": f"({sowing.after.kazans[sowing.side.index]})"}[sowing.mark]
    return f"{sowing.number}{sowing.last_number}{after}"


def format_playstrategy(sowing: Sowing) -> str:
    """Return the move as PlayStrategy writes it, such as `g1d2`."""
    origin = sowing.side.index * 9 + sowing.number - 1
    return _square(origin) + _square(sowing.last_index)


_WRITERS = {
    Notation.SHORT: format_short,
    Notation.FULL: format_full,
    Notation.TWO_DIGIT: format_two_digit,
    Notation.TOTAL: format_total,
    Notation.PLAYSTRATEGY: format_playstrategy,
}


def format_move(sowing: Sowing, notation: Notation) -> str:
    """Return the move in a notation, in its one canonical text."""
    return _WRITERS[notation](sowing)


def _square(index: int) -> str:
    """Return file letter and row of a pit, drawn with bastaushy's row below."""
    return f"{'abcdefghi'[index]}1" if index < 9 else f"{'ihgfedcba'[index - 9]}2"
