"""A feed that says what a test tells it to, and keeps what is retained as a broker does."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

from firmware_bridge.wire.mqtt import Connected, Disconnected, Event, Received
from firmware_bridge.wire.payloads import AvailPayload, DiagPayload, MetaPayload, StatePayload
from tests.firmware_bridge.hall.plays import message


class FakeFeed:
    """Give it to an application; call `say` and `link` from any thread.

    A hall that opens it anew is first told what is retained.
    """

    def __init__(self) -> None:
        self._queue: asyncio.Queue[Event] | None = None
        self._loop: asyncio.AbstractEventLoop | None = None
        self._retained: dict[str, bytes] = {}
        self._up = True

    @asynccontextmanager
    async def open(self) -> AsyncIterator[AsyncIterator[Event]]:
        """Begin, as the hall does."""
        self._loop, self._queue = asyncio.get_running_loop(), asyncio.Queue()
        if self._up:
            self._queue.put_nowait(Connected(1))
        for topic, data in self._retained.items():
            self._queue.put_nowait(Received(topic, data, retained=True))
        try:
            yield self._events(self._queue)
        finally:
            self._queue = self._loop = None

    async def _events(self, queue: "asyncio.Queue[Event]") -> AsyncIterator[Event]:
        while True:
            yield await queue.get()

    def say(self, payload: AvailPayload | DiagPayload | MetaPayload | StatePayload) -> None:
        """Publish a payload."""
        topic, data = message(payload)
        self.say_bytes(topic, data)

    def say_bytes(self, topic: str, data: bytes) -> None:
        """Publish any bytes on any topic."""
        if not topic.endswith(("/ev", "/diag")):
            self._retained[topic] = data
        self._put(Received(topic, data, retained=False))

    def link(self, *, up: bool) -> None:
        """Lose or find the broker."""
        self._up = up
        self._put(Connected(2) if up else Disconnected("the test took the broker away"))

    def _put(self, event: Event) -> None:
        if self._loop is not None and self._queue is not None:
            self._loop.call_soon_threadsafe(self._queue.put_nowait, event)
