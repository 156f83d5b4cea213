"""The console put together: ledger, desk and door, the line on which boards are heard and commanded."""

from __future__ import annotations

import asyncio
import contextlib
import logging
from collections.abc import AsyncIterator
from dataclasses import dataclass, replace
from typing import Final

from firmware_bridge.hall.commanding import Commander
from firmware_bridge.hall.console.desk import Desk
from firmware_bridge.hall.console.guard import Guard
from firmware_bridge.hall.feed import Feed, MqttFeed
from firmware_bridge.hall.hub import Hub
from firmware_bridge.hall.ledger.store import Ledger, LedgerError
from firmware_bridge.hall.settings import ConsoleSettings, HallSettings
from firmware_bridge.wire.mqtt import Event
from firmware_bridge.wire.topics import boards_filter

_RETRY_S: Final = 1.0

_log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class Console:
    """The parts of a console.

    Attributes:
        desk: What arbiters share.
        guard: Who comes in.
    """

    desk: Desk
    guard: Guard
    _heard: Feed
    _commander: Commander | None

    @contextlib.asynccontextmanager
    async def running(self) -> AsyncIterator[None]:
        """Hear and command boards until left, then close the ledger."""
        async with contextlib.AsyncExitStack() as stack:
            stack.callback(self.desk.ledger.close)
            if self._commander is not None:
                await stack.enter_async_context(self._commander)
            await self.desk.open()
            tasks = {
                asyncio.create_task(self._hear(), name="console feed"),
                asyncio.create_task(self._learn(), name="console records"),
            }
            try:
                yield
            finally:
                for task in tasks:
                    task.cancel()
                await asyncio.wait(tasks)

    async def _hear(self) -> None:
        """Take what the boards tell of their games, for ever; a failing feed is opened again."""
        while True:
            try:
                async with self._heard.open() as events:
                    async for event in events:
                        await self._take(event)
            except Exception:  # noqa: BLE001 - whatever it is, the console has to go on
                _log.exception("the console's feed failed; opening it again")
                await asyncio.sleep(_RETRY_S)
            else:
                return

    async def _learn(self) -> None:
        """Look at the records of games whenever something has changed, for ever."""
        with self.desk.hub.watching_all() as changed:
            while True:
                await changed.wait()
                changed.clear()
                try:
                    await self.desk.learn()
                except LedgerError as error:
                    _log.error("%s", error)
                await asyncio.sleep(_RETRY_S)

    async def _take(self, event: Event) -> None:
        """Take one event, however long the card refuses it: what is not written down is not shown."""
        while True:
            try:
                await self.desk.take(event)
            except LedgerError as error:
                _log.error("%s", error)
                await asyncio.sleep(_RETRY_S)
            else:
                return


def open_console(
    settings: HallSettings, wanted: ConsoleSettings, hub: Hub, heard: Feed | None = None
) -> Console:
    """Open the ledger and put a console together.

    Args:
        settings: The hall's settings.
        wanted: Those of the console.
        hub: The hall's boards.
        heard: Where the boards' events come from; None for the broker of the settings.

    Raises:
        LedgerError: The ledger cannot be opened, or another hall has it.
    """
    ledger = Ledger(wanted.ledger, settings.event_id)
    ledger.hold()
    broker = settings.broker
    commander = None
    if wanted.keys is not None:
        commander = Commander(replace(broker, client_id=""), settings.event_id, wanted.keys)
    if heard is None:
        # What the boards tell while the hall is away, the broker keeps for this ledger.
        kept = replace(broker, client_id=ledger.client, kept=True)
        heard = MqttFeed(kept, settings.event_id, ((boards_filter(settings.event_id, "ev"), 1),))
    desk = Desk(
        hub, ledger, commander, conduct=wanted.conduct, control=wanted.control, tournament=wanted.tournament
    )
    return Console(desk, Guard(ledger), heard, commander)
