"""What a game record must be so that it can be written and read again without a difference."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import NamedTuple, get_args

from rules.errors import Due, IllegalMoveError, PositionFormatError, RecordFormatError, due
from rules.notation.moves import Judgement
from rules.position import EndReason, Position, Result, play
from rules.position_json import position_from_json, position_to_json
from rules.record.model import (
    ILLEGAL_STANDS,
    MAX_COMMENT,
    MAX_DIAL_MS,
    MAX_NOTES,
    MAX_NUMBER,
    MAX_PLIES,
    MAX_TAGS,
    MAX_TEXT,
    POSITION_KINDS,
    POSITION_SET,
    REASONS,
    RESERVED_TAGS,
    RULING_KIND,
    TAG_NAME,
    Comment,
    Dials,
    GameRecord,
    RecordPly,
    Ruling,
    Stood,
    Stop,
    Tags,
    placed,
)

UNPRINTABLE = re.compile("[\x00-\x1f\x7f-\x9f\u2028\u2029\ud800-\udfff]")
"""Control characters, separators of lines and halves of characters: none has a place in a line of text."""

_BY_STONES = frozenset(reason.value for reason in EndReason)


class Contradiction(NamedTuple):
    """Two things in a record that cannot both be.

    Attributes:
        field: Which field is wrong, `result` or `reason`.
        value: What it says.
        expected: What it would have to be, and why.
    """

    field: str
    value: str | None
    expected: Due


def contradiction(record: GameRecord) -> Contradiction | None:
    """Return how result, reason and stones contradict each other; None: they do not.

    The stones decide only where nothing else is said to have: a game may be resigned, forfeited or lost on
    time in any position (2.6.3).
    """
    ending = record.outcome
    result, reason = record.result, record.reason
    if reason in _BY_STONES and (ending is None or ending.reason.value != reason):
        did = "did not end the game" if ending is None else f"ended it by {ending.reason.value}"
        return Contradiction("reason", reason, due("other_reason", f"another reason, since the stones {did}"))
    allowed = REASONS.get(reason or "", get_args(Result))
    if result is not None and result not in allowed:
        told = f"{' or '.join(allowed)}, since the reason is {reason}"
        expected = due("by_reason", told, score=" / ".join(allowed), reason=str(reason))
        return Contradiction("result", result, expected)
    by_stones = reason is None or reason in _BY_STONES
    if by_stones and result is not None and ending is not None and result != ending.score:
        kazans = f"{ending.kazans[0]}:{ending.kazans[1]}"
        told = f"{ending.score}, since the stones ended the game {kazans}"
        return Contradiction("result", result, due("by_stones", told, score=ending.score, kazans=kazans))
    return None


def check_record(record: GameRecord) -> None:
    """Pass a record that can be written and read again.

    Raises:
        RecordFormatError: A value is out of its range, a move is not legal, or result, reason and stones
            contradict each other; names which, such as `plies[3].clock_ms[0]`.
    """
    _check_tags(record.tags)
    if record.recorder is not None:
        check_text(record.recorder, "recorder")
    _check_integer(record.start_number, "start_number", 1, MAX_NUMBER)
    try:
        position_from_json(position_to_json(record.start))
    except PositionFormatError as error:
        raise RecordFormatError(f"start, {error.where}", error.value, error.expected) from error
    if len(record.plies) > MAX_PLIES:
        raise RecordFormatError("plies", record.plies, due("at_most", f"at most {MAX_PLIES}"))
    _check_placings(record)
    stops = list(record.course())
    for place, (ply, before) in enumerate(zip(record.plies, stops, strict=False)):
        _check_ply(ply, before.after, f"plies[{place}]")
    _check_notes(record)
    _check_turns(record, stops)
    _check_dials(record.remaining_ms, "remaining_ms")
    if record.reason is not None:
        _check_words(record.reason, "reason", 1)
    found = contradiction(record)
    if found is not None:
        raise RecordFormatError(*found)


def check_text(value: str, where: str, most: int = MAX_TEXT) -> None:
    """Pass a text that fits on one line.

    Raises:
        RecordFormatError: It is longer than `most` characters, or one of them cannot be printed on a line.
    """
    if len(value) > most:
        raise RecordFormatError(
            where, value, due("shorter", f"a text of at most {most} characters", most=most)
        )
    found = UNPRINTABLE.search(value)
    if found is not None:
        told = f"no control character, such as that at character {found.start() + 1}"
        raise RecordFormatError(where, found[0], due("no_control", told))


def _check_words(value: str, where: str, least: int, most: int = MAX_TEXT) -> None:
    """Pass a text without blanks around it; those would be lost in a comment."""
    check_text(value, where, most)
    if value != value.strip() or len(value) < least:
        raise RecordFormatError(where, value, "a text without blanks around it" + ", not empty" * least)


def _check_tags(tags: Tags) -> None:
    for name, value in tags.known():
        check_text(value, f"tags.{name}")
    if len(tags.other) > MAX_TAGS:
        raise RecordFormatError("tags.other", tags.other, due("at_most", f"at most {MAX_TAGS}"))
    seen = set()
    for place, (name, value) in enumerate(tags.other):
        where = f"tags.other[{place}]"
        if TAG_NAME.fullmatch(name) is None:
            raise RecordFormatError(f"{where}[0]", name, "a name of 1 to 40 letters, digits and underscores")
        if name.casefold() in RESERVED_TAGS or name in seen:
            raise RecordFormatError(f"{where}[0]", name, "a name that no other tag has")
        seen.add(name)
        check_text(value, f"{where}[1]")


def _check_placings(record: GameRecord) -> None:
    """Pass rulings that say where the stones lie, one for each sowing that stands and none besides."""
    stood = {place for place, ply in enumerate(record.plies, 1) if ply.sowing is None}
    set_after: set[int] = set()
    for place, ruling in enumerate(record.rulings):
        if ruling.kind not in POSITION_KINDS:
            continue
        try:
            placed(ruling)
        except PositionFormatError as error:
            told = "a position as PlayStrategy writes it, then perhaps a colon, a blank and words"
            expected = due("fen", told)
            raise RecordFormatError(f"rulings[{place}].text", ruling.text, expected) from error
        if ruling.kind == POSITION_SET:
            set_after.add(ruling.ply)
        elif ruling.ply not in stood or ruling.ply in set_after:
            expected = due("stood", "a sowing that stands, such as 7/, directly before it")
            raise RecordFormatError(f"rulings[{place}].kind", ruling.kind, expected)
        else:
            stood.remove(ruling.ply)
    if stood:
        first = min(stood)
        move = record.plies[first - 1].move
        expected = due("stands", f"the ruling {ILLEGAL_STANDS} behind it")
        raise RecordFormatError(f"plies[{first - 1}].move", move, expected)


def _check_turns(record: GameRecord, stops: Sequence[Stop]) -> None:
    """Pass rulings whose positions have the turn and the number that follow from their places."""
    for place, ruling in enumerate(record.rulings):
        if ruling.kind not in POSITION_KINDS:
            continue
        position, number, _ = placed(ruling)
        stop, where = stops[ruling.ply], f"rulings[{place}].text"
        if ruling.kind == ILLEGAL_STANDS and position.to_move.index != stop.turn % 2:
            expected = due("other_turn", "a position in which the other player is to move")
            raise RecordFormatError(where, ruling.text, expected)
        follows = stop.number(position.to_move)
        if number != follows:
            expected = due("next_number", f"a position with the number {follows} at its end", n=follows)
            raise RecordFormatError(where, ruling.text, expected)


def _check_ply(ply: RecordPly, position: Position, where: str) -> None:
    move = ply.move
    if move.judgement not in get_args(Judgement):
        raise RecordFormatError(f"{where}.move.judgement", move.judgement, "a mark of judgement")
    _check_dials(ply.clock_ms, f"{where}.clock_ms")
    if isinstance(move, Stood):
        if move.side is not position.to_move:
            raise RecordFormatError(f"{where}.move", move, f"a sowing of {position.to_move.value}")
        if move.number is not None:
            _check_integer(move.number, f"{where}.move.number", 1, 9)
        return
    try:
        sowing = play(position, move.sowing.number)
    except IllegalMoveError as error:
        raise RecordFormatError(f"{where}.move", error.number, _legal(error)) from error
    if sowing != move.sowing:
        raise RecordFormatError(f"{where}.move", move.sowing, "a move from the position before it")
    if move.kazan is not None:
        raise RecordFormatError(f"{where}.move.kazan", move.kazan, "None: the kazan follows from the move")


def _legal(error: IllegalMoveError) -> Due:
    return due("legal_here", f"a legal move ({error.reason})")


def _check_notes(record: GameRecord) -> None:
    for name, notes in _notes(record):
        if len(notes) > MAX_NOTES:
            raise RecordFormatError(name, notes, due("at_most", f"at most {MAX_NOTES}"))
        ply = 0
        for place, note in enumerate(notes):
            _check_integer(note.ply, f"{name}[{place}].ply", ply, len(record.plies))
            ply = note.ply
    for place, ruling in enumerate(record.rulings):
        if RULING_KIND.fullmatch(ruling.kind) is None:
            expected = "a code of 1 to 40 small letters, digits and underscores"
            raise RecordFormatError(f"rulings[{place}].kind", ruling.kind, expected)
        _check_words(ruling.text, f"rulings[{place}].text", 0)
    for place, comment in enumerate(record.comments):
        where = f"comments[{place}].text"
        _check_words(comment.text.replace("\n", " "), where, 1, MAX_COMMENT)


def _notes(record: GameRecord) -> tuple[tuple[str, tuple[Ruling | Comment, ...]], ...]:
    return (("rulings", record.rulings), ("comments", record.comments))


def _check_dials(dials: Dials | None, where: str) -> None:
    if dials is None:
        return
    if dials == (None, None):
        raise RecordFormatError(where, dials, "None where neither dial is known")
    for place, shown_ms in enumerate(dials):
        if shown_ms is not None:
            _check_integer(shown_ms, f"{where}[{place}]", 0, MAX_DIAL_MS)


def _check_integer(value: int, where: str, low: int, high: int) -> None:
    if not low <= value <= high:
        raise RecordFormatError(where, value, f"an integer from {low} to {high}")
