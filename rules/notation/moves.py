"""One move as text. For every form a pair: format_x writes it, parse_x reads it back.

A notation names the move twice, by the pit it starts from and by what it does, so reading needs the position.
Three things can be wrong with a text, and they are three errors: it is no move (`NotationError`), its move is
not legal or does something else (`IllegalMoveError`), it fits several legal moves (`AmbiguousMoveError`).

SHORT (1.6.3): pit, mark, pit of the last stone: `7:6` takes, `9-8` is quiet, `2:7x` wins a tuzdyk.
FULL (1.6.3): each pit with its stones, `79:610`: pit 7 with 9 stones, the last into pit 6 that then holds 10.
    A pit is one digit, so its stones are all digits that follow. The first number is counted before the move,
    the second when the last stone has fallen and nothing is taken yet. A single stone walks like any other
    move: `41-51`. In a tuzdyk no stone rests, so its number is 0, `926-70`; a 1 is read as well.
TWO_DIGIT (tournament archives): `76`, `98`, `27x`; taking is not marked.
TOTAL (PlayOK): two digits, for a move that takes with the mover's kazan after it, `65(10)`; a tuzdyk: `45X`.
PLAYSTRATEGY: file letter and row of both pits as drawn with bastaushy below, `g1d2`. Row 1 is bastaushy's
    pits 1 to 9 as a to i, row 2 qostaushy's from his pit 9, a, to his pit 1, i. No mark is written.

Written is one canonical text with a Latin x. Read is what people write: the x Latin or Cyrillic and of either
case, spaces anywhere, any dash and colon a word processor makes. `parse_move` also reads what stands around a
move on a sheet: its number, a judgement, the offer of a draw and the mover's kazan, `12. 7:6!=(10)`.
"""

from __future__ import annotations

from dataclasses import dataclass

from rules.errors import AmbiguousMoveError, IllegalMoveError, NotationError
from rules.notation.forms import (
    Notation,
    format_full,
    format_move,
    format_playstrategy,
    format_short,
    format_total,
    format_two_digit,
    full_forms,
)
from rules.notation.parts import FORMS, TOTAL_BEFORE_X, Judgement, Said, plain, readings, taken_apart
from rules.position import Position, Side, Sowing, apply, legal_moves, play

__all__ = [
    "Judgement",
    "MoveText",
    "Notation",
    "format_full",
    "format_move",
    "format_move_text",
    "format_playstrategy",
    "format_short",
    "format_total",
    "format_two_digit",
    "parse_full",
    "parse_move",
    "parse_playstrategy",
    "parse_short",
    "parse_total",
    "parse_two_digit",
]


@dataclass(frozen=True, slots=True)
class MoveText:
    """A move with what was written behind it.

    Attributes:
        sowing: The move.
        judgement: What the writer thought of it; empty for most moves.
        draw_offered: Whether a draw was offered with it (1.6.5, 2.6.8).
        kazan: The mover's kazan after the move, if it was written behind it; it is the right one. None: it
            was not written.
    """

    sowing: Sowing
    judgement: Judgement = ""
    draw_offered: bool = False
    kazan: int | None = None


def parse_short(text: str, position: Position) -> Sowing:
    """Return the move that a text in official short notation means in the position.

    Raises:
        NotationError: The text is no move in this notation.
        IllegalMoveError: The move is not legal here, or does not do what the text says.
    """
    return _parse_bare(text, position, Notation.SHORT)


def parse_full(text: str, position: Position) -> Sowing:
    """Return the move that a text in official full notation means in the position.

    Raises:
        NotationError: The text is no move in this notation.
        IllegalMoveError: The move is not legal here, or does not do what the text says.
    """
    return _parse_bare(text, position, Notation.FULL)


def parse_two_digit(text: str, position: Position) -> Sowing:
    """Return the move that a text in two-digit notation means in the position.

    Raises:
        NotationError: The text is no move in this notation.
        IllegalMoveError: The move is not legal here, or does not do what the text says.
    """
    return _parse_bare(text, position, Notation.TWO_DIGIT)


def parse_total(text: str, position: Position) -> Sowing:
    """Return the move that a text in two digits with the kazan means in the position.

    A move that takes must say the kazan; any other may, and a tuzdyk on either side of its X.

    Raises:
        NotationError: The text is no move in this notation.
        IllegalMoveError: The move is not legal here, or does not do what the text says.
    """
    return _parse_bare(text, position, Notation.TOTAL)


def parse_playstrategy(text: str, position: Position) -> Sowing:
    """Return the move that a text in PlayStrategy's notation means in the position.

    Raises:
        NotationError: The text is no move in this notation.
        IllegalMoveError: The move is not legal here, or does not do what the text says.
    """
    return _parse_bare(text, position, Notation.PLAYSTRATEGY)


def format_move_text(move: MoveText, notation: Notation, *, with_kazan: bool = False) -> str:
    """Return the move with what stands behind it: move, judgement, `=`, kazan, such as `7:6!=(10)`.

    Args:
        move: The move.
        notation: How to write it.
        with_kazan: True: behind every move; False: behind those where it was written.
    """
    text = format_move(move.sowing, notation)
    kazan = move.sowing.after.kazans[move.sowing.side.index] if with_kazan else move.kazan
    if kazan is None or text.endswith(")"):
        return f"{text}{move.judgement}{'=' if move.draw_offered else ''}"
    return f"{text}{move.judgement}{'=' if move.draw_offered else ''}({kazan})"


def parse_move(text: str, position: Position, notation: Notation | None = None) -> MoveText:
    """Return the move that a text means in the position, with what was written around it.

    A `_` stands for one character that nobody can read, and a pit may be missing (`:6`, `7:`); such a move is
    found by what is legal. The number before the move is passed over.

    Args:
        text: One move, such as `12. 7 : 6 ! (10)`.
        position: Where it is played.
        notation: The only one to read; None: whichever it is.

    Raises:
        NotationError: The text is no move.
        IllegalMoveError: The move is not legal here, or does not do what the text says.
        AmbiguousMoveError: The text fits several legal moves.
    """
    said = taken_apart(text, notation)
    found = readings(said, notation)
    if len(found) == 1 and "_" not in found[0][1]:
        sowing = _stated(said, *found[0], position)
    else:
        sowing = _guessed(said, found, position, notation)
    return MoveText(sowing, said.judgement, said.draw_offered, said.kazan)


def _parse_bare(text: str, position: Position, notation: Notation) -> Sowing:
    """Return the move of a text that says one move, whole, and nothing else."""
    said = taken_apart(text, notation)
    form, expected = FORMS[notation]
    total = f"({said.kazan})" if notation is Notation.TOTAL and said.kazan is not None else ""
    bare = TOTAL_BEFORE_X.sub(r"\1x\2", plain(text)) == said.body + total
    if not bare or "_" in said.body or not form.fullmatch(said.body):
        raise NotationError(text, expected)
    return _stated(said, notation, said.body, position)


def _stated(said: Said, notation: Notation, body: str, position: Position) -> Sowing:
    """Return the move of a text that names its pit.

    Raises:
        IllegalMoveError: It is not legal here, or does not do what the text says.
    """
    number = _origin(body, notation, position)
    try:
        sowing = play(position, number)
    except IllegalMoveError as error:
        raise IllegalMoveError(number, error.reason + _ends_so(body, notation, position), position) from None
    texts = _texts(sowing, notation)
    if body not in texts:
        raise IllegalMoveError(number, _contradiction(body, texts[0], notation, sowing), position)
    if (reason := _other_total(said, sowing, notation)) is not None:
        raise IllegalMoveError(number, reason, position)
    return sowing


def _guessed(
    said: Said, found: list[tuple[Notation, str]], position: Position, notation: Notation | None
) -> Sowing:
    """Return the only legal move that a text with something missing fits.

    Raises:
        IllegalMoveError: None does.
        AmbiguousMoveError: Several do.
    """
    legal = [apply(position, number) for number in legal_moves(position)]
    fitting = [
        sowing
        for sowing in legal
        if any(_fits(body, text) for form, body in found for text in _texts(sowing, form))
        and _other_total(said, sowing, notation) is None
    ]
    if len(fitting) == 1:
        return fitting[0]
    if fitting:
        raise AmbiguousMoveError(said.text, tuple(map(format_short, fitting)), position)
    if not legal:
        raise IllegalMoveError(None, "the game is over", position)
    totals = ["" if said.kazan is None else f"({_kazan(sowing)})" for sowing in legal]
    there = ", ".join(format_short(sowing) + total for sowing, total in zip(legal, totals, strict=True))
    told = said.body + ("" if said.kazan is None else f"({said.kazan})")
    raise IllegalMoveError(None, f"the text says {told}, but the legal moves are {there}", position)


def _other_total(said: Said, sowing: Sowing, notation: Notation | None) -> str | None:
    """Return what is wrong with the kazan that the text gives the mover; None: nothing."""
    holds = _kazan(sowing)
    if said.kazan not in (None, holds):
        return f"the text says that the kazan holds {said.kazan} after it, but it holds {holds}"
    if notation is Notation.TOTAL and said.kazan is None and sowing.mark == ":":
        return f"the text says {said.body}, but it makes {format_total(sowing)}"
    return None


def _kazan(sowing: Sowing) -> int:
    return sowing.after.kazans[sowing.side.index]


def _texts(sowing: Sowing, notation: Notation) -> tuple[str, ...]:
    """Return the bodies that mean the move, the canonical one first."""
    if notation is Notation.TOTAL:
        return (format_two_digit(sowing),)
    return full_forms(sowing) if notation is Notation.FULL else (format_move(sowing, notation),)


def _fits(body: str, text: str) -> bool:
    return len(body) == len(text) and all(said in ("_", done) for said, done in zip(body, text, strict=True))


def _origin(body: str, notation: Notation, position: Position) -> int:
    """Return the number of the pit that the text plays.

    Raises:
        IllegalMoveError: It lies in the other player's row.
    """
    if notation is not Notation.PLAYSTRATEGY:
        return int(body[0])
    number = "abcdefghi".index(body[0]) + 1
    side = Side.BASTAUSHY if body[1] == "1" else Side.QOSTAUSHY
    number = number if side is Side.BASTAUSHY else 10 - number
    if side is not position.to_move:
        reason = f"{body[:2]} is {side.value}'s and {position.to_move.value} is to move"
        raise IllegalMoveError(number, reason, position)
    return number


def _end(body: str, notation: Notation) -> str:
    """Return the part of a text that says what the move does."""
    if notation is Notation.FULL:
        return body[body.index("-" if "-" in body else ":") :]
    return body[2 if notation is Notation.PLAYSTRATEGY else 1 :]


def _ends_so(body: str, notation: Notation, position: Position) -> str:
    """Return which legal moves do what the text says, for an error message."""
    moves = [
        text
        for number in legal_moves(position)
        for text in _texts(apply(position, number), notation)[:1]
        if _end(text, notation) == _end(body, notation)
    ]
    if not legal_moves(position):
        return ""
    return f"; {' and '.join(moves) or 'no move'} {'end' if len(moves) > 1 else 'ends'} so"


def _contradiction(body: str, done: str, notation: Notation, sowing: Sowing) -> str:
    """Return what a text says and what its move does instead."""
    held = f"pit {sowing.number} holds {sowing.stones} and " if notation is Notation.FULL else ""
    told = f"the text says {body}, but {held}it makes {done}"
    if _end(body, notation) == _end(done, notation):
        return told
    return told + _ends_so(body, notation, sowing.before)
