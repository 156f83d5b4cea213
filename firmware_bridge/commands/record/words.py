"""Errors of the rulebook in the language of the user.

The rulebook speaks to programs: its errors hold the offending word, its place and the position. What was
wrong with a move is worked out from those; what was expected carries a code (`rules.errors.Due`) and has a
text of its own here. What has none is shown as it is.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from firmware_bridge.commands.common import code_said, later, say, speech
from firmware_bridge.commands.record.drawing import printable
from firmware_bridge.commands.record.reading import Faulty
from rules.errors import (
    AmbiguousMoveError,
    Due,
    IllegalMoveError,
    NotationError,
    PositionFormatError,
    RecordError,
    RecordFormatError,
    RulesError,
)
from rules.notation.forms import format_short
from rules.position import STONES, Position, Side, apply, legal_moves, outcome, pit_index, tuzdyk_owner
from rules.problems import ProblemKind

LONGEST_WORD: Final = 40
"""Characters of a foreign word that a message quotes."""

_IMPOSSIBLE: Final = {
    ProblemKind.TOTAL.value: later("record.why.stones"),
    ProblemKind.PITS.value: later("record.why.pits"),
    ProblemKind.SAME_TUZDYKS.value: later("record.why.same_tuzdyks"),
    ProblemKind.TUZDYK_NUMBER.value: later("record.why.no_tuzdyk"),
}
"""What the rulebook finds wrong with a whole position."""


def place_of(faulty: Faulty) -> tuple[int, int | None]:
    """Return the line and column of what is wrong with a game; None: the whole line."""
    error = faulty.error
    if isinstance(error, RecordError):
        return error.line, error.column
    return faulty.line, None


def word_of(error: RulesError) -> str:
    """Return the word that is wrong, short enough for a message; empty: none."""
    value = error.word if isinstance(error, RecordError) else getattr(error, "value", "")
    text = printable(str(value)) if isinstance(value, str | int) else ""
    return text if len(text) <= LONGEST_WORD else text[: LONGEST_WORD - 1] + "…"


def fault_told(faulty: Faulty) -> str:
    """Return one line that says where a game is wrong and what was expected there."""
    line, column = place_of(faulty)
    where = f"{printable(faulty.source.name)}:{line}" + ("" if column is None else f":{column}")
    word = word_of(faulty.error)
    head = say("record.fault.game", where=where, n=faulty.number)
    if isinstance(faulty.error, RecordFormatError):
        word = f"{faulty.error.where} = {word}" if word else faulty.error.where
    return f"{head} {error_told(faulty.error, word)}"


def error_told(error: RulesError, word: str | None = None) -> str:
    """Return what is wrong with a word, what was expected, and why it was not good enough."""
    found = word_of(error) if word is None else word
    parts = [say("record.fault.word", word=found) if found else ""]
    expected = getattr(error, "expected", None)
    if isinstance(error, PositionFormatError):
        parts.append(say("record.fault.expected", expected=say("record.expected.fen")))
        parts.append(_impossible(error))
        return ": ".join(part for part in parts if part)
    if isinstance(expected, str) and not isinstance(error, NotationError):  # of its forms, only in English
        parts.append(say("record.fault.expected", expected=expected_said(expected)))
    parts.extend(_causes(error))
    return ": ".join(part for part in parts if part)


def expected_said(expected: str) -> str:
    """Return in words what the rulebook expected; what has no text of ours as the rulebook says it."""
    if not isinstance(expected, Due):
        return expected
    key, values = f"record.expected.{expected.code}", dict(expected.values)
    if not speech.texts.knows(key):
        return expected
    if "side" in values:
        values["side"] = code_said("side", str(values["side"]))
    return say(key, **values)


def _causes(error: RulesError) -> Iterator[str]:
    cause = error.cause if isinstance(error, RecordError) else error.__cause__
    if isinstance(error, IllegalMoveError | AmbiguousMoveError | NotationError):
        cause = error
    if isinstance(cause, IllegalMoveError):
        yield _illegal(cause)
    elif isinstance(cause, AmbiguousMoveError):
        yield say("record.why.ambiguous", moves=" ".join(cause.candidates))
    elif isinstance(cause, NotationError):
        yield say("record.why.no_move")
    elif not isinstance(error, RecordError | RecordFormatError):
        yield str(error)


def _impossible(error: PositionFormatError) -> str:
    """Return what is wrong with a position as a whole; empty: the word itself is wrong."""
    expected = error.expected
    if not isinstance(expected, Due) or expected.code not in _IMPOSSIBLE:
        return ""
    return say(_IMPOSSIBLE[expected.code], **expected.values, all=STONES)


def _illegal(error: IllegalMoveError) -> str:
    """Return why a move cannot be played, worked out from the position."""
    position, number = error.position, error.number
    if outcome(position) is not None:
        return say("record.why.over")
    legal = " ".join(legal_texts(position))
    side = code_said("side", position.to_move.value)
    if number is None or not 1 <= number <= 9:
        return say("record.why.none_fits", moves=legal)
    index = pit_index(position.to_move, number)
    owner: Side | None = tuzdyk_owner(index, position.tuzdyks)
    if owner is not None:
        return say("record.why.tuzdyk", n=number, owner=code_said("side", owner.value), moves=legal)
    if position.pits[index] == 0:
        return say("record.why.empty", n=number, side=side, moves=legal)
    sowing = apply(position, number)
    makes = format_short(sowing)
    kazan = sowing.after.kazans[sowing.side.index]
    return say("record.why.makes", n=number, stones=sowing.stones, move=makes, kazan=kazan)


def legal_texts(position: Position) -> list[str]:
    """Return the legal moves in official short notation."""
    return [format_short(apply(position, number)) for number in legal_moves(position)]
