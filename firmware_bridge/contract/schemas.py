"""JSON Schemas (draft 2020-12) of everything on the wire, made from the models that read it. Pure.

A schema says what is written. It is open to what a later minor version may add: unknown fields are
allowed everywhere but in what is signed, and fields that came after version 1.0 are not required.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Final

from pydantic import BaseModel
from pydantic.json_schema import models_json_schema

from firmware_bridge.contract.described import Schema, describe
from firmware_bridge.contract.events import event_schemas
from firmware_bridge.hall.messages import Beat, Snapshot
from firmware_bridge.hall.record_view import GameRecordView
from firmware_bridge.wire.payloads import (
    AvailPayload,
    DiagPayload,
    EventPayload,
    MetaPayload,
    StatePayload,
)
from firmware_bridge.wire.records import RecordPayload
from firmware_bridge.wire.signing import Ack, SignedCommand

DIALECT: Final = "https://json-schema.org/draft/2020-12/schema"

ON_THE_BROKER: Final[Mapping[str, type[BaseModel]]] = {
    "avail": AvailPayload,
    "meta": MetaPayload,
    "state": StatePayload,
    "ev": EventPayload,
    "diag": DiagPayload,
    "record": RecordPayload,
}
"""What a board says, by kind."""

SIGNED: Final[Mapping[str, type[BaseModel]]] = {"cmd": SignedCommand, "ack": Ack}
"""What is said to a board, and what it answers, by kind; closed to fields that nobody would have signed."""

ON_THE_SOCKET: Final[Mapping[str, type[BaseModel]]] = {"snapshot": Snapshot, "beat": Beat}
"""What the hall says to a viewer, by kind."""

WHOLE: Final[Mapping[str, type[BaseModel]]] = {"game_record": GameRecordView}
"""What the parts of a record make together."""

_INSIDE: Final = "#/$defs/{model}"


def message_schemas() -> dict[str, Schema]:
    """Return a schema for each kind of message, complete in itself."""
    models = {**ON_THE_BROKER, **SIGNED, **ON_THE_SOCKET, **WHOLE}
    return {kind: schema_of(kind, model) for kind, model in models.items()}


def schema_of(kind: str, model: type[BaseModel]) -> Schema:
    """Return the schema of one kind of message."""
    definitions = definitions_of([model], _INSIDE)
    top = definitions.pop(model.__name__)
    schema = {"$schema": DIALECT, "$id": f"urn:togyz-bridge:contract:1:{kind}", **top}
    return {**schema, "$defs": definitions} if definitions else schema


def definitions_of(models: Iterable[type[BaseModel]], ref: str) -> dict[str, Schema]:
    """Return the schemas of models and of all they are made of, by name.

    Args:
        models: The models.
        ref: How a schema refers to another, with `{model}` for its name.
    """
    wanted = list(models)
    _, whole = models_json_schema([(model, "validation") for model in wanted], ref_template=ref)
    definitions: dict[str, Schema] = whole.get("$defs", {})
    for name, cls in _parts(wanted).items():
        _finish(definitions[name], cls)
    if "EventPayload" in definitions:
        data = definitions["EventPayload"]["properties"]["data"]
        words = data["description"]
        data.clear()
        data |= {"$ref": ref.format(model="EventData"), "description": words}
        definitions |= event_schemas(ref)
        definitions.pop("JsonValue", None)
    return definitions


def _finish(schema: Schema, cls: type[BaseModel]) -> None:
    """Give a schema its descriptions; constants are always written, so they are required."""
    describe(schema, cls)
    constants = [name for name, inner in schema["properties"].items() if "const" in inner]
    schema["required"] = [*constants, *(n for n in schema.get("required", []) if n not in constants)]
    for inner in schema["properties"].values():
        inner.pop("default", None)


def _parts(models: Iterable[type[BaseModel]]) -> dict[str, type[BaseModel]]:
    """Return the models and all models they are made of, by name."""
    found: dict[str, type[BaseModel]] = {}
    waiting: list[object] = list(models)
    while waiting:
        each = waiting.pop()
        if isinstance(each, type) and issubclass(each, BaseModel):
            if each.__name__ not in found:
                found[each.__name__] = each
                waiting += [field.annotation for field in each.model_fields.values()]
        else:
            waiting += getattr(each, "__args__", ())
    return found
