"""Errors of the rulebook in the language of the user.

The rulebook speaks to programs: its errors hold the offending word, its place and the position. What was
wrong with a move is worked out from those; what was expected is one of few English phrases, each with a text
of its own here. A phrase that is not known is shown as it is.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final

from firmware_bridge.commands.common import code_said, later, say
from firmware_bridge.commands.record.drawing import printable
from firmware_bridge.commands.record.reading import Faulty
from rules.errors import (
    AmbiguousMoveError,
    IllegalMoveError,
    NotationError,
    PositionFormatError,
    RecordError,
    RecordFormatError,
    RulesError,
)
from rules.notation.forms import format_short
from rules.position import Position, Side, apply, legal_moves, outcome, pit_index, tuzdyk_owner

LONGEST_WORD: Final = 40
"""Characters of a foreign word that a message quotes."""

_EXPECTED: Final = tuple(
    (re.compile(pattern, re.DOTALL), key)
    for pattern, key in (
        (r"a move that (?P<side>\w+) can play", later("record.expected.legal")),
        (r"a move, a number such as .*", later("record.expected.word")),
        (r"the number (?P<number>\S+) or a higher one up to .*", later("record.expected.number")),
        (
            r"the move (?P<number>[0-9.]+)( before it)?\W+a sheet with .*",
            later("record.expected.move"),
        ),
        (r"move (?P<number>\d+) of (?P<side>\w+) before it", later("record.expected.move_of")),
        (r"a move (directly )?before it|its move directly before it", later("record.expected.before")),
        (r"a move behind the number|a move that was written down", later("record.expected.behind")),
        (r"one of ! !! \? \?\? \?!", later("record.expected.judgement")),
        (r"a } that closes the comment", later("record.expected.brace")),
        (r"nothing behind the result (?P<result>\S+)", later("record.expected.nothing_behind")),
        (r"a tag such as .*", later("record.expected.tag")),
        (r"each (tag|key) once", later("record.expected.once")),
        (r"no control character.*", later("record.expected.no_control")),
        (r"(%ruling \w+ and )?a position as PlayStrategy writes it.*", later("record.expected.fen")),
        (r"(a legal move, or )?the ruling illegal_stands behind it", later("record.expected.stands")),
        (r"a sowing (that stands, )?such as 7/.*", later("record.expected.stood")),
        (r"a position in which the other player is to move", later("record.expected.other_turn")),
        (r"a position with the number (?P<n>\d+) at its end", later("record.expected.next_number")),
        (r"no kazan behind a sowing that stands", later("record.expected.no_kazan")),
        (r"only legal moves: (?P<target>\w+) .*", later("record.expected.legal_only")),
        (r"a ruling such as .*", later("record.expected.ruling")),
        (r"(one clock behind each move|both dials, such as .*)", later("record.expected.clock")),
        (r"%clock, %ruling or %diagram; .*", later("record.expected.command")),
        (r"%diagram, who sits below .*|a diagram as printed", later("record.expected.diagram")),
        (r"the position after (?P<n>\d+) plies, but .*", later("record.expected.position")),
        (
            r"(?P<score>1-0|0-1|1/2-1/2), since the stones ended the game (?P<kazans>\S+)",
            later("record.expected.by_stones"),
        ),
        (r"(?P<score>\S+), as the tag Result says", later("record.expected.as_tag")),
        (r"another reason, since the stones .*", later("record.expected.other_reason")),
        (r"(?P<score>.+), since the reason is (?P<reason>.*)", later("record.expected.by_reason")),
        (r"1-0, 0-1, 1/2-1/2 or \*", later("record.expected.result")),
        (r"at most (?P<most>\d+) .*|at most (?P<n>\d+)", later("record.expected.at_most")),
        (r"a (?:line|game|text) of at most (?P<most>\d+) characters", later("record.expected.shorter")),
        (r"a game: a tag, a move or a result", later("record.expected.game")),
        (r"one game and no other; .*", later("record.expected.one_game")),
        (r"JSON \(.*", later("record.expected.json")),
        (r"a legal move \(.*", later("record.expected.legal_here")),
        (r"only the fields (?P<names>.*)", later("record.expected.fields")),
        (r"the field (?P<name>.*)", later("record.expected.field")),
        (r"an object", later("record.expected.object")),
    )
)

_IMPOSSIBLE: Final = (
    (re.compile(r"\((?P<n>\d+) stones instead of (?P<all>\d+)"), later("record.why.stones")),
    (re.compile(r"nine pits instead of (?P<n>\d+)"), later("record.why.pits")),
    (re.compile(r"both tuzdyks have the number (?P<n>\d+)"), later("record.why.same_tuzdyks")),
    (re.compile(r"one tuzdyk|an integer from 1 to 8"), later("record.why.no_tuzdyk")),
)
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
    if isinstance(expected, str):
        parts.append(say("record.fault.expected", expected=expected_said(expected)))
    parts.extend(_causes(error))
    return ": ".join(part for part in parts if part)


def expected_said(expected: str) -> str:
    """Return in words what the rulebook expected."""
    for pattern, key in _EXPECTED:
        found = pattern.fullmatch(expected)
        if found is not None:
            values = {name: value for name, value in found.groupdict().items() if value is not None}
            if "side" in values:
                values["side"] = code_said("side", values["side"])
            return say(key, **values)
    return expected


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
    for pattern, key in _IMPOSSIBLE:
        found = pattern.search(error.expected)
        if found is not None:
            return say(key, **found.groupdict())
    return ""


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
