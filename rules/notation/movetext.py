"""Moves of a game as text: words, moves, and numbered lines of them.

`scan` takes a text apart without a board, `read_move` reads one of its moves on the board, `parse_moves` a
whole text without gaps. `format_moves` writes what `parse_moves` reads, in one canonical text.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from rules.errors import Due, IllegalMoveError, RecordError, RulesError, due
from rules.notation.moves import MoveText, Notation, format_move_text, parse_move
from rules.notation.words import Word, WordKind, parse_result, scan
from rules.position import START, Position, Side

__all__ = ["Word", "WordKind", "format_moves", "parse_moves", "parse_result", "read_move", "scan"]

_PASSED_OVER = (WordKind.NUMBER, WordKind.COMMENT)
_BEGINNING = (WordKind.MOVE, WordKind.MISSING)


def read_move(words: Sequence[Word], position: Position) -> MoveText:
    """Return the move that a move's word and the words of its marks mean in the position.

    Args:
        words: A `MOVE`, then the `KAZAN`, `JUDGEMENT` and `DRAW` that belong to it, in any order.
        position: Where it is played.

    Raises:
        RecordError: It is no move, not legal or ambiguous, or a mark is wrong; the cause tells which.
    """
    try:
        return parse_move("".join(word.text for word in words), position)
    except RulesError as error:
        raise _misread(words, position, error) from error


def parse_moves(text: str, position: Position = START) -> tuple[MoveText, ...]:
    """Return the moves of a text, in any notation, from a position on.

    Numbers may be missing; where they stand they must fit. From another position than the start the first
    number is free. A result may stand at the end, comments anywhere.

    Raises:
        RecordError: Something is no move, not legal, ambiguous or missing; names line, column and word.
    """
    moves: list[MoveText] = []
    group: list[Word] = []
    result: Word | None = None
    ply = first = 1 + position.to_move.index
    for word in scan(text.split("\n"), first_ply=first):
        if result is not None and word.kind is not WordKind.COMMENT:
            raise RecordError(word.line, word.column, word.text, nothing_behind(result))
        if word.kind is WordKind.RESULT:
            result = word
        elif word.kind in _BEGINNING:
            position = _taken(group, moves, position)
            ply = _checked(word, ply, free=not moves and position != START)
            group = [word]
        elif word.kind not in _PASSED_OVER:
            group.append(word)
    _taken(group, moves, position)
    return tuple(moves)


def format_moves(
    moves: Iterable[MoveText], notation: Notation = Notation.SHORT, *, first: int = 1, width: int = 100
) -> str:
    """Return the moves as numbered lines, such as `1. 7:6(10) 9-8 2. 6-6 8:7`; "" for none.

    Args:
        moves: The moves, one after the other.
        notation: How to write them.
        first: The number of the first, 1 or more.
        width: Characters of a line at most, unless a single move is longer. A number stands beside its move.
    """
    lines: list[str] = []
    number = first
    for place, move in enumerate(moves):
        text = format_move_text(move, notation)
        if move.sowing.side is Side.BASTAUSHY:
            text = f"{number}. {text}"
        else:
            text = text if place else f"{number}... {text}"
            number += 1
        if lines and len(lines[-1]) + 1 + len(text) <= width:
            lines[-1] += f" {text}"
        else:
            lines.append(text)
    return "\n".join(lines)


def nothing_behind(result: Word) -> Due:
    """Return what is expected behind a result."""
    return due("nothing_behind", f"nothing behind the result {result.text}", result=result.text)


def _taken(group: Sequence[Word], moves: list[MoveText], position: Position) -> Position:
    """Append the move of a group of words, if there is one; return the position after it."""
    if not group:
        return position
    moves.append(read_move(group, position))
    return moves[-1].sowing.after


def _checked(word: Word, ply: int, *, free: bool) -> int:
    """Return the ply due after a move that comes at its place.

    Raises:
        RecordError: Moves are missing before it, or it was not written down itself.
    """
    assert word.ply is not None
    if word.ply != ply and not (free and word.ply % 2 == ply % 2):
        side, number = "bastaushy" if ply % 2 else "qostaushy", (ply + 1) // 2
        expected = due("move_of", f"move {number} of {side} before it", number=number, side=side)
        raise RecordError(word.line, word.column, word.text, expected)
    if word.kind is WordKind.MISSING:
        raise RecordError(word.line, word.column, word.text, due("behind", "a move that was written down"))
    return word.ply + 1


def _misread(words: Sequence[Word], position: Position, error: RulesError) -> RecordError:
    """Return the error of a move at the word to blame: a wrong kazan behind a sound move, else the move."""
    blamed = words[0]
    kazans = [word for word in words if word.kind is WordKind.KAZAN]
    if isinstance(error, IllegalMoveError) and kazans:
        try:
            sowing = parse_move(blamed.text, position).sowing
        except RulesError:
            pass
        else:
            holds = sowing.after.kazans[sowing.side.index]
            return RecordError(kazans[0].line, kazans[0].column, kazans[0].text, f"({holds})", error)
    side = position.to_move.value
    expected = due("legal", f"a move that {side} can play", side=side)
    return RecordError(blamed.line, blamed.column, blamed.text, expected, error)
