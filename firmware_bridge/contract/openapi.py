"""The hall's OpenAPI 3.1 document: what FastAPI makes of its routes, with our words on every field."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import AbstractAsyncContextManager

from firmware_bridge.contract.described import Schema
from firmware_bridge.contract.schemas import definitions_of
from firmware_bridge.hall.gateway import create_app
from firmware_bridge.hall.messages import ANSWERS
from firmware_bridge.hall.settings import HallSettings
from firmware_bridge.wire.mqtt import Event
from firmware_bridge.wire.settings import BrokerSettings


class _Silence:
    """A feed that is never opened: the routes are asked what they are, not what they know."""

    def open(self) -> AbstractAsyncContextManager[AsyncIterator[Event]]:
        raise NotImplementedError


def openapi_document() -> Schema:
    """Return the document as JSON values."""
    settings = HallSettings(event_id="event", broker=BrokerSettings("broker.hall.example", 1883))
    document: Schema = create_app(settings, _Silence()).openapi()
    for path in document["paths"].values():
        for operation in path.values():
            operation["responses"].pop("422", None)  # FastAPI's own: any text is well-formed in our paths
    document["components"] = {"schemas": definitions_of(ANSWERS, "#/components/schemas/{model}")}
    return document
