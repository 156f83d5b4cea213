"""A watcher that collects what a broker publishes, and waiting without clocks."""

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from dataclasses import dataclass, field

from firmware_bridge.wire.mqtt import Connected, MqttClient, Received
from firmware_bridge.wire.settings import BrokerSettings

PATIENCE_S = 60
"""Never reached unless something is broken; the machine may be busy."""


@dataclass
class Watcher:
    """A client that keeps everything it receives.

    Attributes:
        client: The client.
        got: The messages, in order.
    """

    client: MqttClient
    got: list[Received] = field(default_factory=list)
    _news: asyncio.Event = field(default_factory=asyncio.Event)

    async def collect(self) -> None:
        """Collect until the client is closed."""
        async for event in self.client.events():
            if isinstance(event, Received):
                self.got.append(event)
            self._news.set()

    async def until(self, enough: Callable[[], object]) -> None:
        """Wait until a condition on what was received holds."""
        async with asyncio.timeout(PATIENCE_S):
            while not enough():
                self._news.clear()
                await self._news.wait()

    def on(self, leaf: str) -> list[bytes]:
        """Return the payloads of the topics ending in this leaf."""
        return [message.payload for message in self.got if message.topic.endswith("/" + leaf)]


@asynccontextmanager
async def watching(settings: BrokerSettings, *filters: str) -> AsyncIterator[Watcher]:
    """Subscribe, and collect until the end of the block."""
    async with MqttClient(settings, subscriptions=tuple((each, 1) for each in filters)) as client:
        watcher = Watcher(client)
        collecting = asyncio.create_task(watcher.collect())
        await watcher.until(lambda: client.connected)
        yield watcher
    await collecting


async def connected(client: MqttClient) -> int:
    """Wait for the first connection. Returns its generation."""
    async with asyncio.timeout(PATIENCE_S):
        async for event in client.events():
            if isinstance(event, Connected):
                return event.generation
    raise AssertionError("the client was closed")


async def eventually(holds: Callable[[], Awaitable[bool]]) -> None:
    """Wait until something of another process holds."""
    async with asyncio.timeout(PATIENCE_S):
        while not await holds():  # noqa: ASYNC110 - another process sets no event of ours
            await asyncio.sleep(0.02)
