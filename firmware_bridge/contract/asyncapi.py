"""The AsyncAPI 3.0 document: where what is said, how it is kept, and in which order it counts. Pure."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Final

from firmware_bridge.contract.described import Schema, summary_of
from firmware_bridge.contract.schemas import ON_THE_BROKER, ON_THE_SOCKET, SIGNED, WHOLE, definitions_of
from firmware_bridge.wire.version import CONTRACT_VERSION

_REF: Final = "#/components/schemas/{model}/schema"
_FORMAT: Final = "application/schema+json;version=draft-2020-12"
_BINDING: Final = "0.2.0"
_KEEP_ALIVE_S: Final = 10
_WILL_TOPIC: Final = "tk/1/{event}/board/{board}/avail"

RULES: Final = """\
What a Togyz Bridge board publishes over MQTT 3.1.1, and what the hall tells its viewers.

**Envelope**: every payload on the broker is one JSON object in UTF-8 with `v`, `event`, `board`, `game`,
`boot`, `seq`, `ply`, `ts` and `kind`. `event` and `board` are those of the topic, else the payload is void.

**Order**: compare (`boot`, `seq`, `n`) within a topic and keep the greatest; `n` counts the states of one
boot and is 0 elsewhere. `ts` is a label and orders nothing. Any message may come
twice; drop what is not newer.

**Reconnect**: subscribe again with a clean session. The retained state comes first and is the whole truth;
then apply the events with a higher `seq`. A gap in `seq` costs history, never the picture.

**Availability**: `avail` is retained and is also the board's last will. An `online` false with a lower `boot`
than the last `online` true is void. A board that lost its memory begins again at boot 1: believe a lower boot
in an `online` true or in a state, if it comes live and with a later `ts` than all before.

**Records**: a game that has ended is also told whole, in parts of at most 4 KiB. Put those of one `sha256`
together in order of `part` when all `parts` have come; the greater (`boot`, `seq`) is the newer record. An
empty message clears a part. The text is JSON as `game_record.schema.json` describes.

**Commands** are signed: HMAC-SHA-256, with a key that board and hall share, over the fields as netstrings. A
command names `boot_id` and `nonce` of the board's `meta` and a `seq` greater than any before; it is never
retained. The board answers on `ack`, signed likewise. A command that comes twice is done once.

**Versions**: newer minor versions only add fields, kinds of events and codes. Skip what you do not know.

The page CONTRACT.md, shipped beside this document, tells the same at length.
"""


@dataclass(frozen=True, slots=True)
class _Channel:
    """How one kind of message travels, and whether the board says it or takes it."""

    address: str
    summary: str
    qos: int
    retain: bool
    taken: bool = False


_CHANNELS: Final[Mapping[str, _Channel]] = {
    "avail": _Channel(_WILL_TOPIC, "Whether the board's program is there.", 1, retain=True),
    "meta": _Channel("tk/1/{event}/board/{board}/meta", "Who is talking.", 1, retain=True),
    "state": _Channel(
        "tk/1/{event}/board/{board}/state",
        "The whole table; at least every 2 s, and at once when a move, a press or a ruling changed it.",
        1,
        retain=True,
    ),
    "ev": _Channel(
        "tk/1/{event}/board/{board}/ev", "What happened, one journal row each, in order.", 1, retain=False
    ),
    "diag": _Channel("tk/1/{event}/board/{board}/diag", "Numbers for the technician.", 0, retain=False),
    "record": _Channel(
        "tk/1/{event}/board/{board}/record/{game}/{part}",
        "One part of the record of a game that has ended, made anew each time a player confirms.",
        1,
        retain=True,
    ),
    "cmd": _Channel("tk/1/{event}/board/{board}/cmd", "A command, signed.", 1, retain=False, taken=True),
    "ack": _Channel("tk/1/{event}/board/{board}/ack", "What came of a command, signed.", 1, retain=False),
}

_PARAMETERS: Final[Mapping[str, str]] = {
    "event": "Id of the event: 1 to 32 of a-z, 0-9 and '-'.",
    "board": "Id of the board: 1 to 32 of a-z, 0-9 and '-'.",
    "game": (
        "Id of the game if it is 1 to 64 of a-z, 0-9 and '-'; else `game-` and the first 24 hexadecimal "
        "digits of the SHA-256 of the id in UTF-8."
    ),
    "part": "Number of the part, 1 to 256.",
}
_EXAMPLES: Final[Mapping[str, str]] = {"event": "almaty-2026", "board": "b01", "game": "b01-3", "part": "1"}
_SOCKET: Final = "/ws/boards/{board}"


def asyncapi_document() -> Schema:
    """Return the document as JSON values."""
    channels = {kind: _broker_channel(kind, channel) for kind, channel in _CHANNELS.items()}
    operations = {
        f"{_action(channel)}_{kind}": _broker_operation(kind, channel) for kind, channel in _CHANNELS.items()
    }
    models = {**ON_THE_BROKER, **SIGNED, **ON_THE_SOCKET}
    definitions = definitions_of([*models.values(), *WHOLE.values()], _REF)
    return {
        "asyncapi": "3.0.0",
        "id": "urn:togyz-bridge:contract:1",
        "info": {
            "title": "Togyz Bridge",
            "version": CONTRACT_VERSION,
            "description": RULES,
            "license": {"name": "MIT"},
        },
        "defaultContentType": "application/json",
        "servers": _servers(),
        "channels": {**channels, "hall": _hall_channel()},
        "operations": {**operations, "send_to_viewer": _hall_operation()},
        "components": {
            "messages": {kind: _message(kind, models[kind]) for kind in models},
            "schemas": {
                name: {"schemaFormat": _FORMAT, "schema": schema} for name, schema in definitions.items()
            },
        },
    }


def _servers() -> Schema:
    will = {"event": "almaty-2026", "board": "b01", "boot": 7, "online": False}
    mqtt = {
        "clientId": "b01",
        "cleanSession": True,
        "keepAlive": _KEEP_ALIVE_S,
        "lastWill": {
            "topic": "tk/1/almaty-2026/board/b01/avail",
            "qos": 1,
            "retain": True,
            "message": json.dumps(
                {"v": 1, **will, "game": None, "seq": 0, "ply": 0, "ts": 1795000000000, "kind": "avail"}
            ),
        },
        "bindingVersion": _BINDING,
    }
    return {
        "broker": {
            "host": "broker.hall.example:1883",
            "protocol": "mqtt",
            "protocolVersion": "3.1.1",
            "description": (
                "The event's broker. A board's client id is its board id, its will is its `avail` with "
                "`online` false. A reader takes a client id of its own: of two equal ones the older is "
                "thrown out."
            ),
            "bindings": {"mqtt": mqtt},
        },
        "hall": {
            "host": "hall.example:8080",
            "protocol": "ws",
            "description": "The hall's door for browsers; its HTTP side is described in openapi.json.",
        },
    }


def _parameters(address: str) -> Schema:
    return {
        name: {"description": text, "examples": [_EXAMPLES[name]]}
        for name, text in _PARAMETERS.items()
        if f"{{{name}}}" in address
    }


def _broker_channel(kind: str, channel: _Channel) -> Schema:
    return {
        "address": channel.address,
        "summary": channel.summary,
        "servers": [{"$ref": "#/servers/broker"}],
        "parameters": _parameters(channel.address),
        "messages": {kind: {"$ref": f"#/components/messages/{kind}"}},
    }


def _action(channel: _Channel) -> str:
    return "receive" if channel.taken else "send"


def _broker_operation(kind: str, channel: _Channel) -> Schema:
    return {
        "action": _action(channel),
        "channel": {"$ref": f"#/channels/{kind}"},
        "summary": f"The board {'takes' if channel.taken else 'says'}: {channel.summary}",
        "messages": [{"$ref": f"#/channels/{kind}/messages/{kind}"}],
        "bindings": {"mqtt": {"qos": channel.qos, "retain": channel.retain, "bindingVersion": _BINDING}},
    }


def _hall_channel() -> Schema:
    return {
        "address": _SOCKET,
        "summary": "One board: a snapshot at once and on each change, a beat while nothing changes.",
        "description": (
            "The viewer says nothing. A snapshot is whole: show it and forget the one before. A viewer that "
            "has heard nothing for 12 s gives up and connects anew. Close code 1013: too many viewers, come "
            "back; 4404: that is no board's id."
        ),
        "servers": [{"$ref": "#/servers/hall"}],
        "parameters": _parameters(_SOCKET),
        "messages": {kind: {"$ref": f"#/components/messages/{kind}"} for kind in ON_THE_SOCKET},
        "bindings": {"ws": {"method": "GET", "bindingVersion": "0.1.0"}},
    }


def _hall_operation() -> Schema:
    return {
        "action": "send",
        "channel": {"$ref": "#/channels/hall"},
        "summary": "The hall shows a viewer one board.",
        "messages": [{"$ref": f"#/channels/hall/messages/{kind}"} for kind in ON_THE_SOCKET],
    }


def _message(kind: str, model: type[Any]) -> Schema:
    return {
        "name": kind,
        "title": model.__name__,
        "summary": summary_of(model),
        "contentType": "application/json",
        "payload": {"$ref": f"#/components/schemas/{model.__name__}"},
    }
