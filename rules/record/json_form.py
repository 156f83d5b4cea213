"""Game records as JSON objects and back, strictly: what is written can be read, and nothing else can.

An object has exactly these keys, in this order: `format` (1 or 2), `tags` (the fields of `Tags` that are
known, then `other`, a list of pairs), `start` (null for the usual one, else `position` and `number`), `plies`
(each with `move` in official short notation, `judgement`, `draw_offered`, `clock_ms`), `rulings` (`ply`,
`kind`, `side`, `text`), `comments` (`ply`, `text`), `result`, `reason`, `remaining_ms`, `recorder`, `signed`.

A message on the wire may carry fields that a reader does not know: he shows what he can, and the next message
comes soon. A record is kept for years and written again by whoever corrects it, so a field that was skipped
would be lost. That is why an unknown field is an error here, and every change of the form gets a new number.

Form 2 is written only for a game that form 1 cannot tell: one in which an illegal sowing stands (its `move`
is `7/` or `/`) or a position was set. Its keys are the same, but whoever plays the moves of form 1 one after
the other would go wrong in it. Every other game is the same text as ever.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from contextlib import suppress
from typing import NoReturn, cast, get_args

from rules.errors import PositionFormatError, RecordFormatError, RulesError, due
from rules.events import JSON
from rules.notation.forms import format_stood
from rules.notation.moves import Judgement, MoveText, format_short, parse_short
from rules.notation.parts import is_stood
from rules.position import START, Position, Result, Side, Sowing
from rules.position_json import position_from_json, position_to_json
from rules.record.check import check_record
from rules.record.model import (
    MAX_DIAL_MS,
    MAX_NOTES,
    MAX_NUMBER,
    MAX_PLIES,
    MAX_TAGS,
    POSITION_KINDS,
    TAG_NAMES,
    Comment,
    Dials,
    GameRecord,
    RecordPly,
    Ruling,
    Stood,
    Tags,
    placed,
)
from rules.strict import Strict, only_fields

RECORD_FORMAT = 1
"""The number of the form in which every position follows from the moves."""

RECORD_FORMAT_RULED = 2
"""The number of the form in which rulings place stones; a reader refuses any but these two."""

_FORMATS = (RECORD_FORMAT, RECORD_FORMAT_RULED)

MAX_JSON = 4_000_000
"""Longest JSON text in characters: 5000 plies with clocks and a page of comments to every tenth."""

_STRICT = Strict(RecordFormatError)
_KEYS = (
    "format",
    "tags",
    "start",
    "plies",
    "rulings",
    "comments",
    "result",
    "reason",
    "remaining_ms",
    "recorder",
    "signed",
)
_SIDES = tuple(side.value for side in Side)


def record_to_json(record: GameRecord) -> dict[str, JSON]:
    """Return the record as a JSON object of its own, its keys in their fixed order.

    Raises:
        RecordFormatError: The record cannot be; reading would refuse it.
    """
    check_record(record)
    tags: dict[str, JSON] = dict(record.tags.known())
    tags["other"] = [list(tag) for tag in record.tags.other]
    usual = record.start == START and record.start_number == 1
    return {
        "format": RECORD_FORMAT if record.follows_from_moves else RECORD_FORMAT_RULED,
        "tags": tags,
        "start": None
        if usual
        else {"position": position_to_json(record.start), "number": record.start_number},
        "plies": [_ply_to_json(ply) for ply in record.plies],
        "rulings": [
            {"ply": note.ply, "kind": note.kind, "side": _side_to_json(note.side), "text": note.text}
            for note in record.rulings
        ],
        "comments": [{"ply": note.ply, "text": note.text} for note in record.comments],
        "result": record.result,
        "reason": record.reason,
        "remaining_ms": _dials_to_json(record.remaining_ms),
        "recorder": record.recorder,
        "signed": list(record.signed),
    }


def record_from_json(data: object) -> GameRecord:
    """Return the record that a JSON object describes.

    Raises:
        RecordFormatError: It describes none; names the path to what is wrong, such as `record.plies[3].move`,
            and what was expected there.
    """
    number = _STRICT.mapping(data, "record", ("format",)).get("format")
    if number not in _FORMATS or type(number) is not int:
        raise RecordFormatError("record.format", number, f"{RECORD_FORMAT} or {RECORD_FORMAT_RULED}")
    found = _STRICT.exactly(data, "record", _KEYS)
    start, start_number = _start(found["start"])
    rulings = _rulings(found["rulings"])
    record = GameRecord(
        tags=_tags(found["tags"]),
        start=start,
        start_number=start_number,
        plies=_plies(found["plies"], start, _placings(rulings)),
        rulings=rulings,
        comments=_comments(found["comments"]),
        result=_result(found["result"]),
        reason=_text_or_none(found["reason"], "record.reason"),
        remaining_ms=_dials(found["remaining_ms"], "record.remaining_ms"),
        recorder=_text_or_none(found["recorder"], "record.recorder"),
        signed=_signed(found["signed"]),
    )
    try:
        check_record(record)
    except RecordFormatError as error:
        raise RecordFormatError(f"record.{error.where}", error.value, error.expected) from error
    if number == RECORD_FORMAT and not record.follows_from_moves:
        raise RecordFormatError("record.format", number, f"{RECORD_FORMAT_RULED}, since rulings place stones")
    return record


def format_record_json(record: GameRecord) -> str:
    """Return the record as JSON text in its one canonical form: no blanks, no line end, letters as they are.

    Raises:
        RecordFormatError: The record cannot be, or is longer than MAX_JSON.
    """
    text = json.dumps(record_to_json(record), ensure_ascii=False, separators=(",", ":"))
    _check_length(text)
    return text


def parse_record_json(text: str) -> GameRecord:
    """Return the record that a JSON text describes; blanks and the order of keys are free.

    Raises:
        RecordFormatError: It is too long, no JSON, has a key twice, or describes no record.
    """
    _check_length(text)
    try:
        data = json.loads(text, object_pairs_hook=_unique, parse_constant=_no_constant)
    except RecordFormatError:
        raise  # our own, from the hooks
    except (ValueError, RecursionError) as error:
        raise RecordFormatError("record", text, due("json", f"JSON ({error})")) from error
    return record_from_json(data)


def _check_length(text: str) -> None:
    if len(text) > MAX_JSON:
        raise RecordFormatError(
            "record", len(text), due("shorter", f"at most {MAX_JSON} characters", most=MAX_JSON)
        )


def _unique(pairs: list[tuple[str, object]]) -> dict[str, object]:
    found: dict[str, object] = {}
    for name, value in pairs:
        if name in found:
            raise RecordFormatError("record", name, due("once", "each key once"))
        found[name] = value
    return found


def _no_constant(name: str) -> NoReturn:
    raise RecordFormatError("record", name, "finite numbers")


def _ply_to_json(ply: RecordPly) -> JSON:
    move = ply.move
    return {
        "move": format_stood(move.number) if isinstance(move, Stood) else format_short(move.sowing),
        "judgement": move.judgement,
        "draw_offered": move.draw_offered,
        "clock_ms": _dials_to_json(ply.clock_ms),
    }


def _side_to_json(side: Side | None) -> JSON:
    return None if side is None else side.value


def _dials_to_json(dials: Dials | None) -> JSON:
    return None if dials is None else list(dials)


def _tags(value: object) -> Tags:
    where = "record.tags"
    names = (*TAG_NAMES, "other")
    found = _STRICT.mapping(value, where, ("other",))
    for name in found:
        if name not in names:
            raise RecordFormatError(where, name, only_fields(names))
    texts = {name: _STRICT.text(found[name], f"{where}.{name}") for name in TAG_NAMES if name in found}
    return Tags(**texts, other=_other_tags(found["other"]))


def _other_tags(value: object) -> tuple[tuple[str, str], ...]:
    tags = []
    for item, where in _STRICT.items(value, "record.tags.other", 0, MAX_TAGS):
        (name, at_name), (text, at_text) = _STRICT.items(item, where, 2, 2)
        tags.append((_STRICT.text(name, at_name), _STRICT.text(text, at_text)))
    return tuple(tags)


def _start(value: object) -> tuple[Position, int]:
    if value is None:
        return START, 1
    where = "record.start"
    found = _STRICT.exactly(value, where, ("position", "number"))
    number = _STRICT.integer(found["number"], f"{where}.number", 1, MAX_NUMBER)
    try:
        position = position_from_json(found["position"])
    except PositionFormatError as error:
        raise RecordFormatError(f"{where}.{error.where}", error.value, error.expected) from error
    if (position, number) == (START, 1):
        raise RecordFormatError(where, value, "null for the usual start")
    return position, number


def _placings(rulings: tuple[Ruling, ...]) -> dict[int, Position]:
    """Return where the stones lie behind the plies of rulings that say so; what is wrong is found later."""
    found = {}
    for ruling in rulings:
        if ruling.kind in POSITION_KINDS:
            with suppress(PositionFormatError):
                found[ruling.ply] = placed(ruling).position
    return found


def _plies(value: object, position: Position, placings: Mapping[int, Position]) -> tuple[RecordPly, ...]:
    plies: list[RecordPly] = []
    for item, where in _STRICT.items(value, "record.plies", 0, MAX_PLIES):
        found = _STRICT.exactly(item, where, ("move", "judgement", "draw_offered", "clock_ms"))
        position = placings.get(len(plies), position)
        text = _STRICT.text(found["move"], f"{where}.move")
        judgement = cast(
            "Judgement", _STRICT.choice(found["judgement"], f"{where}.judgement", get_args(Judgement))
        )
        offered = _STRICT.boolean(found["draw_offered"], f"{where}.draw_offered")
        clock_ms = _dials(found["clock_ms"], f"{where}.clock_ms")
        if is_stood(text):
            stood = Stood(position.to_move, int(text[:-1]) if text[:-1] else None, judgement, offered)
            plies.append(RecordPly(stood, clock_ms))
            continue
        sowing = _sowing(text, position, f"{where}.move")
        plies.append(RecordPly(MoveText(sowing, judgement, offered), clock_ms))
        position = sowing.after
    return tuple(plies)


def _sowing(text: str, position: Position, where: str) -> Sowing:
    try:
        sowing = parse_short(text, position)
    except RulesError as error:
        raise RecordFormatError(where, text, due("legal_here", f"a legal move ({error})")) from error
    if format_short(sowing) != text:
        raise RecordFormatError(where, text, repr(format_short(sowing)))
    return sowing


def _rulings(value: object) -> tuple[Ruling, ...]:
    rulings = []
    for item, where in _STRICT.items(value, "record.rulings", 0, MAX_NOTES):
        found = _STRICT.exactly(item, where, ("ply", "kind", "side", "text"))
        side = found["side"]
        rulings.append(
            Ruling(
                _STRICT.integer(found["ply"], f"{where}.ply", 0, MAX_PLIES),
                _STRICT.text(found["kind"], f"{where}.kind"),
                None if side is None else Side(_STRICT.choice(side, f"{where}.side", _SIDES)),
                _STRICT.text(found["text"], f"{where}.text"),
            )
        )
    return tuple(rulings)


def _comments(value: object) -> tuple[Comment, ...]:
    comments = []
    for item, where in _STRICT.items(value, "record.comments", 0, MAX_NOTES):
        found = _STRICT.exactly(item, where, ("ply", "text"))
        ply = _STRICT.integer(found["ply"], f"{where}.ply", 0, MAX_PLIES)
        comments.append(Comment(ply, _STRICT.text(found["text"], f"{where}.text")))
    return tuple(comments)


def _result(value: object) -> Result | None:
    if value is None:
        return None
    return cast("Result", _STRICT.choice(value, "record.result", get_args(Result)))


def _text_or_none(value: object, where: str) -> str | None:
    return None if value is None else _STRICT.text(value, where)


def _dials(value: object, where: str) -> Dials | None:
    if value is None:
        return None
    first, second = (
        None if item is None else _STRICT.integer(item, at, 0, MAX_DIAL_MS)
        for item, at in _STRICT.items(value, where, 2, 2)
    )
    return first, second


def _signed(value: object) -> tuple[bool, bool]:
    first, second = (_STRICT.boolean(item, at) for item, at in _STRICT.items(value, "record.signed", 2, 2))
    return first, second
