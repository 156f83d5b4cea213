"""What stands in `data` of an event message, a JSON Schema for each kind. Pure.

The rulebook checks its events by code (`rules.events_json`); here stands the same as a schema. A
kind or a field that the rulebook has and this file does not know stops the generator, and a test
tries values at every bound on both.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import fields
from typing import Any, Final, get_args

from firmware_bridge.contract.described import Schema, UndescribedError, fields_of, summary_of
from rules import events, incidents
from rules.clock import MAX_DIAL_US
from rules.events_json import EVENT_KINDS, MAX_FAULTS, MAX_INFRACTIONS, MAX_TEXT
from rules.position import STONES, Result, Side
from rules.time_control import MAX_BASE_MS, MAX_INCREMENT_MS, MAX_PERIODS, MAX_QUOTA, ClockMode

_MACHINE_INTEGER: Final = 2**63 - 1
_U32: Final = 2**32 - 1
_SIDE: Final[Schema] = {"type": "string", "enum": [side.value for side in Side]}
_AT_US: Final[Schema] = {"type": "integer", "minimum": 0, "maximum": _MACHINE_INTEGER}


def _text(least: int) -> Schema:
    return {"type": "string", "minLength": least, "maxLength": MAX_TEXT}


def _pair(least: int, most: int) -> Schema:
    number = {"type": "integer", "minimum": least, "maximum": most}
    return {"type": "array", "prefixItems": [number, number], "items": False, "minItems": 2, "maxItems": 2}


def _or_null(schema: Schema) -> Schema:
    return {"anyOf": [schema, {"type": "null"}]}


def _object(properties: Schema) -> Schema:
    return {"type": "object", "properties": properties, "required": list(properties)}


_PRESS: Final = _object(
    {
        "boot": {"type": "integer", "minimum": 1, "maximum": _U32},
        "number": {"type": "integer", "minimum": 1, "maximum": _U32},
    }
)

_BASE_MS: Final[Schema] = {"type": "integer", "minimum": 1, "maximum": MAX_BASE_MS}
_INCREMENT_MS: Final[Schema] = {"type": "integer", "minimum": 0, "maximum": MAX_INCREMENT_MS}
_PERIOD: Final = _object(
    {
        "time_ms": _BASE_MS,
        "moves": {"anyOf": [{"type": "integer", "minimum": 1, "maximum": MAX_QUOTA}, {"type": "null"}]},
        "increment_ms": _INCREMENT_MS,
        "delay_ms": _INCREMENT_MS,
    }
)
_SIMPLE_CONTROL: Final[Schema] = {
    "description": "One period on the board's own clock with neither delay nor limit: always in this form.",
    **_object({"base_ms": _BASE_MS, "increment_ms": _INCREMENT_MS}),
    "not": {"required": ["periods"]},
}
_CONTROL: Final[Schema] = {
    "description": "Any other control.",
    **_object(
        {
            "periods": {"type": "array", "items": _PERIOD, "maxItems": MAX_PERIODS},
            "mode": {"type": "string", "enum": [mode.value for mode in ClockMode]},
            "move_limit_ms": {"anyOf": [_BASE_MS, {"type": "null"}]},
        }
    ),
}


_PIT: Final[Schema] = {"type": "integer", "minimum": 1, "maximum": 9}
_STONES: Final[Schema] = {"type": "integer", "minimum": 0, "maximum": STONES}
_TUZDYK: Final = _or_null({"type": "integer", "minimum": 1, "maximum": 8})
_POSITION: Final = _object(
    {
        "pits": {"type": "array", "items": _STONES, "minItems": 18, "maxItems": 18},
        "kazans": _pair(0, STONES),
        "tuzdyks": {
            "type": "array",
            "prefixItems": [_TUZDYK, _TUZDYK],
            "items": False,
            "minItems": 2,
            "maxItems": 2,
        },
        "to_move": _SIDE,
    }
)
_INFRACTION: Final[Schema] = {"type": "integer", "minimum": 1, "maximum": MAX_INFRACTIONS}


FIELDS: Final[Mapping[str, Schema]] = {
    "at_us": _AT_US,
    "game_id": _text(1),
    "names": {
        "type": "array",
        "prefixItems": [_text(0), _text(0)],
        "items": False,
        "minItems": 2,
        "maxItems": 2,
    },
    "starter_seat": {"type": "string", "enum": list(get_args(events.Seat))},
    "control": {"anyOf": [_SIMPLE_CONTROL, _CONTROL]},
    "draw_lasts": {"type": "string", "enum": list(get_args(events.DrawLasts))},
    "side": _SIDE,
    "press": {"anyOf": [_PRESS, {"type": "null"}]},
    "number": _PIT,
    "text": _text(1),
    "confirmed_by": {"type": "string", "enum": list(get_args(events.Confirmation))},
    "evidence": {"type": "object"},
    "reason": _text(0),
    "running": _SIDE,
    "delta_us": _pair(-MAX_DIAL_US, MAX_DIAL_US),
    "remaining_us": _pair(0, MAX_DIAL_US),
    "result": {"type": "string", "enum": list(get_args(Result))},
    "by": _text(0),
    "infraction": _INFRACTION,
    "faults": {
        "type": "array",
        "items": {"type": "string", "pattern": "^[a-z][a-z0-9_]{0,39}$"},
        "minItems": 1,
        "maxItems": MAX_FAULTS,
    },
    "closing": {"type": "string", "enum": list(get_args(incidents.Closing))},
    "decision": {"type": "string", "enum": list(get_args(incidents.Decision))},
    "kept": {"type": "integer", "minimum": 0, "maximum": 2**31 - 1},
    "position": _POSITION,
    "level": {"type": "integer", "minimum": 1, "maximum": 5},
    "article": _text(0),
    "accepted": {"type": "boolean"},
    "groundless": {"type": "boolean"},
    "seal": {"type": "string", "pattern": "^[0-9a-f]{64}$"},
    "salt": {"type": "string", "pattern": "^([0-9a-f]{2}){0,64}$"},
}
"""A field means the same in every event that has it, but for `_VARIANTS`: its name is enough."""

_VARIANTS: Final[Mapping[tuple[str, str], Schema]] = {
    ("position_ruled", "infraction"): _or_null(_INFRACTION),
    ("position_ruled", "number"): _or_null(_PIT),
    ("seal_opened", "number"): _or_null(_PIT),
    ("arbiter_called", "side"): _or_null(_SIDE),
}
"""Where a field may also be unknown, by kind and field."""

_OWN: Final[Mapping[str, tuple[str, Mapping[str, tuple[str, Schema]]]]] = {
    "host_started": ("The board's program was started. It changes no game.", {}),
    "press_taken": (
        "A press that switched no clock: a confirmation, or one out of turn. It changes no game.",
        {
            "at_us": ("When, in table time, microseconds, 0 or more.", _AT_US),
            "button": ("Number of the button.", {"type": "integer", "minimum": 0, "maximum": 255}),
            "press": ("The device's name for the press.", _PRESS),
        },
    ),
    "time_mark": (
        "A moment written down while nothing happened and a clock ran. It changes no game.",
        {"at_us": ("When, in table time, microseconds, 0 or more.", _AT_US)},
    ),
}

BOARD_KINDS: Final = tuple(_OWN)
"""What a board writes down beside the events of a game."""

UNKNOWN: Final = "UnknownEvent"


def event_schemas(ref: str) -> dict[str, Schema]:
    """Return the schemas of all kinds by name, and `EventData`, which is any of them.

    Args:
        ref: How one refers to a definition, with `{model}` for its name.

    Raises:
        UndescribedError: The rulebook has a field that this file does not know.
    """
    kinds = {_name(kind): _of_rulebook(kind, cls) for kind, cls in EVENT_KINDS.items()}
    kinds |= {_name(kind): _of_board(kind) for kind in _OWN}
    known = [*EVENT_KINDS, *_OWN]
    kinds[UNKNOWN] = {
        "title": UNKNOWN,
        "description": "A kind that came later. Skip it: the position and the clocks beside it are right.",
        **_object({"kind": {"type": "string", "not": {"enum": known}}}),
    }
    kinds["EventData"] = {
        "title": "EventData",
        "description": "What happened.",
        "oneOf": [{"$ref": ref.format(model=name)} for name in kinds],
    }
    return kinds


def _of_rulebook(kind: str, cls: type[events.GameEvent]) -> Schema:
    words = fields_of(cls)
    properties: dict[str, Any] = {}
    for field in fields(cls):
        if field.name not in FIELDS or field.name not in words:
            raise UndescribedError(f"event {kind}: field {field.name} is not known to {__name__}")
        schema = _VARIANTS.get((kind, field.name), FIELDS[field.name])
        properties[field.name] = {**schema, "description": words[field.name]}
    optional = {field.name for field in fields(cls) if field.default == ""}
    return _event(kind, summary_of(cls), properties, optional)


def _of_board(kind: str) -> Schema:
    summary, parts = _OWN[kind]
    return _event(
        kind, summary, {name: {**schema, "description": text} for name, (text, schema) in parts.items()}
    )


def _event(kind: str, summary: str, properties: Schema, optional: Collection[str] = ()) -> Schema:
    """Return the schema of a kind; what is optional is written only when it says something."""
    kind_schema = {"const": kind, "type": "string", "description": "What kind of event this is."}
    whole = _object({"kind": kind_schema, **properties})
    whole["required"] = [name for name in whole["required"] if name not in optional]
    return {"title": _name(kind), "description": summary, **whole}


def _name(kind: str) -> str:
    """Return a kind as the name of a schema: `move_played` is `MovePlayedEvent`."""
    return "".join(word.capitalize() for word in kind.split("_")) + "Event"
