"""Events as JSON objects and back, strictly: what is written can be read, and nothing else can.

An object has the key `kind`, the key `at_us` and exactly the fields of its event's class: sides by their
value, pairs as lists. Every value is checked for type and range; the first that is wrong is named.

A time control has two forms. The simple one, `{"base_ms", "increment_ms"}`, is the one of the first journals:
it is written whenever a control is one period on our own clock with neither delay nor limit, so that such
games read the same in every version. Any other control is `{"periods", "mode", "move_limit_ms"}`; a program
that does not know this form refuses it instead of running a wrong clock.

`by` and whatever else came later stand there only when they say something, so that what the first versions
wrote reads the same in all.
"""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Mapping
from dataclasses import fields
from typing import Any, NamedTuple, get_args

from rules import events, incidents
from rules.clock import MAX_DIAL_US
from rules.errors import ClockError, EventFormatError, PositionFormatError, shown
from rules.events import JSON, GameEvent, PressId
from rules.position import Position, Result, Side
from rules.position_json import position_from_json, position_to_json
from rules.strict import Strict
from rules.time_control import (
    MAX_BASE_MS,
    MAX_INCREMENT_MS,
    MAX_PERIODS,
    MAX_QUOTA,
    ClockMode,
    Period,
    TimeControl,
)

MAX_TEXT = 500
"""Longest text of a field in characters: a sentence of an arbiter fits, a flood does not."""

MAX_DEPTH = 16
"""Deepest nesting of evidence; far below what would exhaust the interpreter's stack."""

MAX_FAULTS = 8
"""Most faults of one infraction: what needs more is a board that was knocked over."""

MAX_INFRACTIONS = 10_000
"""Highest number of an infraction in one game."""

_STRICT = Strict(EventFormatError)

_CODE = re.compile("[a-z][a-z0-9_]{0,39}")

SEAL = re.compile("[0-9a-f]{64}")
"""What commits to a sealed move; see `rules.conduct.sealing.seal`."""

SALT = re.compile("(?:[0-9a-f]{2}){0,64}")
"""What the commitment was made with beside the move; empty where it is not told."""

EVENT_KINDS: Mapping[str, type[GameEvent]] = {
    event.kind: event
    for event in (
        events.GameAssigned,
        events.SetupStarted,
        events.SetupChecked,
        events.SetupLost,
        events.PlayerReady,
        events.GameStarted,
        events.ClockPressed,
        events.MovePlayed,
        events.FlagFell,
        events.ClockAdjusted,
        events.ClockSet,
        events.GameSuspended,
        events.GameResumed,
        events.GameEnded,
        events.ResultConfirmed,
        events.GameReleased,
        incidents.InfractionSeen,
        incidents.InfractionClosed,
        incidents.PositionRuled,
        incidents.PlayerWarned,
        incidents.DrawOffered,
        incidents.DrawAnswered,
        incidents.ArbiterCalled,
        incidents.CallAnswered,
        incidents.FlagCalled,
        incidents.GameAdjourned,
        incidents.SealOpened,
    )
}
"""Every kind of event by its name in JSON."""


def event_to_json(event: GameEvent) -> dict[str, JSON]:
    """Return the event as a JSON object of its own, sharing nothing with the event.

    Raises:
        EventFormatError: It is of no known kind, or a value of it is out of range: reading would refuse it.
    """
    if type(event) not in EVENT_KINDS.values():
        raise EventFormatError("event", event, "one of the kinds " + ", ".join(EVENT_KINDS))
    written: dict[str, JSON] = {"kind": event.kind}
    for name in _names_of(type(event)):
        value = getattr(event, name)
        if value or name not in _optional_of(type(event)):
            written[name] = _field_of(type(event), name).write(value)
    event_from_json(written)
    return written


def event_from_json(data: object) -> GameEvent:
    """Return the event that a JSON object describes.

    Raises:
        EventFormatError: It is no object, its kind is unknown, a field is missing, unknown, of the wrong type
            or out of its range; names which, and what was expected.
    """
    found = _STRICT.mapping(data, "event", ("kind",))
    kind = _STRICT.choice(found["kind"], "event.kind", tuple(EVENT_KINDS))
    event = EVENT_KINDS[kind]
    names = [name for name in _names_of(event) if name in found or name not in _optional_of(event)]
    _STRICT.exactly(found, kind, ("kind", *names))
    return event(**{name: _field_of(event, name).read(found[name], f"{kind}.{name}") for name in names})


def copy_json(value: object, where: str, depth: int = 0) -> JSON:
    """Return a deep copy of a value that is plain JSON; `where` names it in errors.

    Raises:
        EventFormatError: Something in it is no JSON, is not finite, or lies deeper than MAX_DEPTH.
    """
    if depth > MAX_DEPTH:
        raise EventFormatError(where, value, f"nesting of at most {MAX_DEPTH} levels")
    if value is None or isinstance(value, bool) or (isinstance(value, float) and math.isfinite(value)):
        return value
    if isinstance(value, str):
        return _unicode(value, where)
    if isinstance(value, int):
        return _MACHINE_INTEGER(value, where)
    if isinstance(value, list):
        return [copy_json(item, f"{where}[{place}]", depth + 1) for place, item in enumerate(value)]
    if isinstance(value, Mapping):
        return {
            _unicode(key, f"a key of {where}"): copy_json(item, f"{where}[{shown(key)}]", depth + 1)
            for key, item in value.items()
        }
    raise EventFormatError(where, value, "a value of JSON")


def _names_of(event: type[GameEvent]) -> tuple[str, ...]:
    return tuple(field.name for field in fields(event))


def _optional_of(event: type[GameEvent]) -> tuple[str, ...]:
    """Return the fields that are written only when they say something."""
    return tuple(field.name for field in fields(event) if field.default == "")


def _integer(low: int, high: int) -> Callable[[object, str], int]:
    return lambda value, where: _STRICT.integer(value, where, low, high)


def _unicode(value: object, where: str) -> str:
    """Return a text that can be stored: JSON lets half a character through, UTF-8 does not."""
    if not isinstance(value, str) or any("\ud800" <= character <= "\udfff" for character in value):
        raise EventFormatError(where, value, "a text of whole characters")
    return value


def _text(least: int) -> Callable[[object, str], str]:
    def read(value: object, where: str) -> str:
        if not isinstance(value, str) or not least <= len(value) <= MAX_TEXT:
            raise EventFormatError(where, value, f"a text of {least} to {MAX_TEXT} characters")
        return _unicode(value, where)

    return read


def _choice(alternatives: tuple[str, ...]) -> Callable[[object, str], str]:
    return lambda value, where: _STRICT.choice(value, where, alternatives)


_U32 = _integer(1, 2**32 - 1)
_MACHINE_INTEGER = _integer(-(2**63), 2**63 - 1)
_BASE_MS = _integer(1, MAX_BASE_MS)
_INCREMENT_MS = _integer(0, MAX_INCREMENT_MS)
_QUOTA = _integer(1, MAX_QUOTA)
_MODE = _choice(tuple(mode.value for mode in ClockMode))
_DIAL_US = _integer(0, MAX_DIAL_US)
_DELTA_US = _integer(-MAX_DIAL_US, MAX_DIAL_US)
_SIDE_VALUE = _choice(tuple(side.value for side in Side))
_NAME = _text(0)


def _side(value: object, where: str) -> Side:
    return Side(_SIDE_VALUE(value, where))


def _names(value: object, where: str) -> tuple[str, str]:
    first, second = (_NAME(item, at) for item, at in _STRICT.items(value, where, 2, 2))
    return first, second


def _control(value: object, where: str) -> TimeControl:
    if not isinstance(value, Mapping) or "periods" not in value:
        found = _STRICT.exactly(value, where, ("base_ms", "increment_ms"))
        return TimeControl.simple(
            _BASE_MS(found["base_ms"], f"{where}.base_ms"),
            _INCREMENT_MS(found["increment_ms"], f"{where}.increment_ms"),
        )
    found = _STRICT.exactly(value, where, ("periods", "mode", "move_limit_ms"))
    limit_ms = found["move_limit_ms"]
    periods = _STRICT.items(found["periods"], f"{where}.periods", 0, MAX_PERIODS)
    read = tuple(_period(period, at) for period, at in periods)
    mode = ClockMode(_MODE(found["mode"], f"{where}.mode"))
    try:
        return TimeControl(
            read, mode, None if limit_ms is None else _BASE_MS(limit_ms, f"{where}.move_limit_ms")
        )
    except ClockError as error:
        raise EventFormatError(where, value, f"a time control ({error})") from error


def _period(value: object, where: str) -> Period:
    found = _STRICT.exactly(value, where, ("time_ms", "moves", "increment_ms", "delay_ms"))
    moves = found["moves"]
    return Period(
        _BASE_MS(found["time_ms"], f"{where}.time_ms"),
        None if moves is None else _QUOTA(moves, f"{where}.moves"),
        _INCREMENT_MS(found["increment_ms"], f"{where}.increment_ms"),
        _INCREMENT_MS(found["delay_ms"], f"{where}.delay_ms"),
    )


def _pair(read: Callable[[object, str], int]) -> Callable[[object, str], tuple[int, int]]:
    def read_pair(value: object, where: str) -> tuple[int, int]:
        first, second = (read(item, at) for item, at in _STRICT.items(value, where, 2, 2))
        return first, second

    return read_pair


def _press(value: object, where: str) -> PressId | None:
    if value is None:
        return None
    found = _STRICT.exactly(value, where, ("boot", "number"))
    return PressId(_U32(found["boot"], f"{where}.boot"), _U32(found["number"], f"{where}.number"))


def _evidence(value: object, where: str) -> JSON:
    if not isinstance(value, Mapping):
        raise EventFormatError(where, value, "an object")
    return copy_json(value, where)


def _boolean(value: object, where: str) -> bool:
    return _STRICT.boolean(value, where)


def _faults(value: object, where: str) -> tuple[str, ...]:
    found = _STRICT.items(value, where, 1, MAX_FAULTS)
    for item, at in found:
        if not isinstance(item, str) or not _CODE.fullmatch(item):
            raise EventFormatError(at, item, "a code of small letters, digits and `_`")
    return tuple(str(item) for item, _ in found)


def _hexadecimal(value: object, where: str) -> str:
    if not isinstance(value, str) or not SEAL.fullmatch(value):
        raise EventFormatError(where, value, "64 hexadecimal digits")
    return value


def _salt(value: object, where: str) -> str:
    if not isinstance(value, str) or not SALT.fullmatch(value):
        raise EventFormatError(where, value, "pairs of hexadecimal digits")
    return value


def _position(value: object, where: str) -> Position:
    try:
        return position_from_json(value)
    except PositionFormatError as error:
        raise EventFormatError(where, value, f"a position ({error})") from error


def _or_none(read: Callable[[object, str], Any]) -> Callable[[object, str], Any]:
    return lambda value, where: None if value is None else read(value, where)


class _Field(NamedTuple):
    """How a field goes into JSON and how it is checked on the way back."""

    write: Callable[[Any], JSON]
    read: Callable[[object, str], Any]


def _as_is(value: JSON) -> JSON:
    return value


def _write_side(side: Side) -> JSON:
    return side.value


def _write_control(control: TimeControl) -> JSON:
    if control.is_simple:
        return {"base_ms": control.base_ms, "increment_ms": control.increment_ms}
    periods: list[JSON] = [
        {
            "time_ms": period.time_ms,
            "moves": period.moves,
            "increment_ms": period.increment_ms,
            "delay_ms": period.delay_ms,
        }
        for period in control.periods
    ]
    return {"periods": periods, "mode": control.mode.value, "move_limit_ms": control.move_limit_ms}


def _write_press(press: PressId | None) -> JSON:
    return None if press is None else {"boot": press.boot, "number": press.number}


_FIELDS: Mapping[str, _Field] = {
    "at_us": _Field(_as_is, _integer(0, 2**63 - 1)),
    "game_id": _Field(_as_is, _text(1)),
    "names": _Field(list, _names),
    "starter_seat": _Field(_as_is, _choice(get_args(events.Seat))),
    "control": _Field(_write_control, _control),
    "draw_lasts": _Field(_as_is, _choice(get_args(events.DrawLasts))),
    "side": _Field(_write_side, _side),
    "press": _Field(_write_press, _press),
    "number": _Field(_as_is, _integer(1, 9)),
    "text": _Field(_as_is, _text(1)),
    "confirmed_by": _Field(_as_is, _choice(get_args(events.Confirmation))),
    "evidence": _Field(lambda value: copy_json(value, "evidence"), _evidence),
    "reason": _Field(_as_is, _text(0)),
    "running": _Field(_write_side, _side),
    "delta_us": _Field(list, _pair(_DELTA_US)),
    "remaining_us": _Field(list, _pair(_DIAL_US)),
    "result": _Field(_as_is, _choice(get_args(Result))),
    "by": _Field(_as_is, _text(0)),
    "infraction": _Field(_as_is, _integer(1, MAX_INFRACTIONS)),
    "faults": _Field(list, _faults),
    "closing": _Field(_as_is, _choice(get_args(incidents.Closing))),
    "decision": _Field(_as_is, _choice(get_args(incidents.Decision))),
    "kept": _Field(_as_is, _integer(0, 2**31 - 1)),
    "position": _Field(position_to_json, _position),
    "level": _Field(_as_is, _integer(1, 5)),
    "article": _Field(_as_is, _text(0)),
    "accepted": _Field(_as_is, _boolean),
    "groundless": _Field(_as_is, _boolean),
    "seal": _Field(_as_is, _hexadecimal),
    "salt": _Field(_as_is, _salt),
}
"""A field means the same in every event that has it, but for `_VARIANTS`: its name is enough."""

_SIDE_OR_NONE = _Field(lambda side: None if side is None else side.value, _or_none(_side))
_NUMBER_OR_NONE = _Field(_as_is, _or_none(_integer(1, 9)))

_VARIANTS: Mapping[tuple[type[GameEvent], str], _Field] = {
    (incidents.PositionRuled, "infraction"): _Field(_as_is, _or_none(_integer(1, MAX_INFRACTIONS))),
    (incidents.PositionRuled, "number"): _NUMBER_OR_NONE,
    (incidents.SealOpened, "number"): _NUMBER_OR_NONE,
    (incidents.ArbiterCalled, "side"): _SIDE_OR_NONE,
}
"""Where a field may also be unknown."""


def _field_of(event: type[GameEvent], name: str) -> _Field:
    return _VARIANTS.get((event, name)) or _FIELDS[name]
