"""Where the hall's messages come from: the broker, or whatever a test puts in its place."""

import uuid
from collections.abc import AsyncIterator
from contextlib import AbstractAsyncContextManager, asynccontextmanager
from dataclasses import replace
from typing import Protocol

from firmware_bridge.wire.mqtt import Event, MqttClient
from firmware_bridge.wire.settings import BrokerSettings
from firmware_bridge.wire.topics import boards_filter, records_filter


class Feed(Protocol):
    """A source of connection events and messages."""

    def open(self) -> AbstractAsyncContextManager[AsyncIterator[Event]]:
        """Begin; the iterator goes on until the context is left."""
        ...


class MqttFeed:
    """All that the boards of one event publish.

    Args:
        broker: Where; an empty client id is replaced by a random one, because a broker throws the
            older of two equal ones out.
        event: Id of the event.
        filters: What to listen to, as pairs of filter and QoS; None: all that is published.
    """

    def __init__(
        self, broker: BrokerSettings, event: str, filters: tuple[tuple[str, int], ...] | None = None
    ) -> None:
        client_id = broker.client_id or f"hall-{uuid.uuid4().hex[:12]}"
        self._broker = replace(broker, client_id=client_id)
        self._filters = filters or ((boards_filter(event), 1), (records_filter(event), 1))

    @asynccontextmanager
    async def open(self) -> AsyncIterator[AsyncIterator[Event]]:
        """Connect, and stay connected until left."""
        async with MqttClient(self._broker, None, self._filters) as client:
            yield client.events()
