"""Moves as text. For every form a pair: format_x writes it, parse_x reads it back.

A notation names the move twice, by the pit it starts from and by what it does, so reading needs the position;
text that fits no position (`NotationError`) and text that does not fit this one (`IllegalMoveError`) are told
apart.

Official short (1.6.3): `7:6` takes in pit 6, `9-8` is quiet, `2:7x` wins a tuzdyk.
Two digits (tournament archives): `76`, `98`, `27x`; taking is not marked.
The x is written in Latin; in reading it may be Cyrillic and of either case.
"""

import re

from rules.errors import IllegalMoveError, NotationError
from rules.position import Position, Sowing, play

_SHORT = re.compile("([1-9])(?:(-)([1-9])|(:)([1-9])([xXхХ])?)")
_TWO_DIGIT = re.compile("([1-9])([1-9])([xXхХ])?")


def format_short(sowing: Sowing) -> str:
    """Return the move in the official short notation, such as `7:6`, `9-8` or `2:7x`."""
    sign = "-" if sowing.mark == "-" else ":"
    return f"{sowing.number}{sign}{sowing.last_number}{'x' if sowing.mark == 'x' else ''}"


def parse_short(text: str, position: Position) -> Sowing:
    """Return the move that a text in official short notation means in the position.

    Raises:
        NotationError: The text is no move in this notation.
        IllegalMoveError: The move is not legal here, or does not do what the text says.
    """
    found = _SHORT.fullmatch(text)
    if found is None:
        raise NotationError(
            text, "pit, : or -, pit of the last stone, x for a tuzdyk, such as 7:6, 9-8 or 2:7x"
        )
    sowing = play(position, int(found[1]))
    said = f"{found[1]}{found[2] or found[4]}{found[3] or found[5]}{'x' if found[6] else ''}"
    return _agreed(sowing, said, format_short(sowing))


def format_two_digit(sowing: Sowing) -> str:
    """Return the move in the two-digit notation, such as `76` or `24x`."""
    return f"{sowing.number}{sowing.last_number}{'x' if sowing.mark == 'x' else ''}"


def parse_two_digit(text: str, position: Position) -> Sowing:
    """Return the move that a text in two-digit notation means in the position.

    Raises:
        NotationError: The text is no move in this notation.
        IllegalMoveError: The move is not legal here, or does not do what the text says.
    """
    found = _TWO_DIGIT.fullmatch(text)
    if found is None:
        raise NotationError(text, "pit, pit of the last stone, and x for a tuzdyk, such as 76 or 24x")
    sowing = play(position, int(found[1]))
    return _agreed(sowing, f"{found[1]}{found[2]}{'x' if found[3] else ''}", format_two_digit(sowing))


def _agreed(sowing: Sowing, said: str, done: str) -> Sowing:
    """Return the sowing when its own notation is what was said."""
    if said != done:
        raise IllegalMoveError(sowing.number, f"the text says {said}, but it makes {done}", sowing.before)
    return sowing
