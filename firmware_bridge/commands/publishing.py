"""A board's words to the world, when the world may not be there yet.

A board referees whether or not there is a broker. What it has to say is kept here, the latest only,
until a broker is found or started, and is then handed over; the rows wait in the journal anyway.
"""

from __future__ import annotations

import asyncio
import logging
import re
from collections.abc import Sequence
from pathlib import Path

from firmware_bridge.board.memory.telling import Identity
from firmware_bridge.commands.hall_found import HallSeeker
from firmware_bridge.commands.running import broker_at_hand
from firmware_bridge.config import BrokerTable
from firmware_bridge.discovery.notices import AUTO
from firmware_bridge.wire.broker import BrokerError
from firmware_bridge.wire.command_line import CommandLine
from firmware_bridge.wire.outbox import RowSource
from firmware_bridge.wire.payloads import DiagPayload, MetaPayload, StatePayload
from firmware_bridge.wire.publisher import BoardPublisher
from firmware_bridge.wire.records import RecordPayload
from firmware_bridge.wire.settings import BrokerSettings

RETRY_S = 5.0
"""How often a broker that could not be started is tried again."""

MOVED_S = 15.0
"""How often a board that followed a hall, and has lost its broker, looks whether it is elsewhere."""

log = logging.getLogger(__name__)


class PatientPublisher:
    """The board's publisher: looks for a broker for as long as it takes; `run` it as a task.

    Args:
        table: What is configured.
        shared_dir: Where the programs of this machine look for the broker they share.
        who: Event, board and boot; the board's id is also its client id at the broker.
        source: The journal rows.
        cursor_path: File of the outbox's cursor.
        line: On which the board is commanded at the same broker; None: it is not.
    """

    def __init__(
        self,
        table: BrokerTable,
        shared_dir: Path,
        who: Identity,
        source: RowSource,
        cursor_path: Path,
        line: CommandLine | None = None,
    ) -> None:
        self._table, self._shared_dir, self._who = table, shared_dir, who
        self._source, self._cursor_path = source, cursor_path
        self._line = line
        self._state: StatePayload | None = None
        self._meta: MetaPayload | None = None
        self._records: dict[str, Sequence[RecordPayload]] = {}
        self._publisher: BoardPublisher | None = None
        self._task: asyncio.Task[None] | None = None

    def set_state(self, state: StatePayload) -> None:
        """Take the newest state; only the latest counts."""
        self._state = state
        if self._publisher is not None:
            self._publisher.set_state(state)

    def set_meta(self, meta: MetaPayload) -> None:
        """Take the newest facts about software and device."""
        self._meta = meta
        if self._publisher is not None:
            self._publisher.set_meta(meta)

    def set_record(self, game: str, parts: Sequence[RecordPayload]) -> None:
        """Take the record of a game that has ended; without parts it need be told no longer."""
        self._records[game] = parts
        if self._publisher is not None:
            self._publisher.set_record(game, parts)

    def notify_rows(self) -> None:
        """Hear that the journal has grown."""
        if self._publisher is not None:
            self._publisher.notify_rows()

    def send_diag(self, diag: DiagPayload) -> bool:
        """Tell a diagnosis now or never; tell whether it went out."""
        return self._publisher is not None and self._publisher.send_diag(diag)

    def start(self) -> None:
        """Begin to look for a broker; returns at once."""
        self._task = asyncio.create_task(self._run(), name="publisher")

    async def close(self) -> None:
        """Let what is pending go out, say "offline", and end a broker of our own; idempotent."""
        if self._task is None:
            return
        if self._publisher is None:
            self._task.cancel()
        else:
            await self._publisher.close()
        await asyncio.gather(self._task, return_exceptions=True)

    async def _run(self) -> None:
        told: set[str] = set()
        while True:
            try:
                async with broker_at_hand(
                    self._table, self._shared_dir, self._who.board, self._who.event
                ) as broker:
                    if await self._publish(broker):
                        return
                continue  # the hall has moved
            except (BrokerError, OSError) as error:
                reason = re.sub(r"\d+", "0", str(error))  # ports and processes differ from try to try
                if reason not in told:
                    told.add(reason)
                    log.warning("no broker yet, the board goes on without: %s", error)
            await asyncio.sleep(RETRY_S)

    async def _publish(self, broker: BrokerSettings) -> bool:
        """Publish until closed; False: the hall is to be looked for again, since it is somewhere else."""
        who = self._who
        publisher = BoardPublisher(broker, who.event, who.board, who.boot, self._source, self._cursor_path)
        if self._meta is not None:
            publisher.set_meta(self._meta)
        if self._state is not None:
            publisher.set_state(self._state)
        for game, parts in self._records.items():
            publisher.set_record(game, parts)
        self._publisher = publisher
        listening = None
        if self._line is not None:
            listening = asyncio.create_task(self._line.run(broker), name="command line")
        running = asyncio.create_task(publisher.run(), name="publishing")
        moving = asyncio.create_task(self._until_moved(publisher, broker), name="hall moves")
        try:
            await asyncio.wait({running, moving}, return_when=asyncio.FIRST_COMPLETED)
            moved = not running.done()
            if moved:
                await publisher.close()
            await running
            return not moved
        finally:
            self._publisher = None
            for task in (running, moving):
                task.cancel()
            await asyncio.gather(running, moving, return_exceptions=True)
            if listening is not None:
                listening.cancel()
                await asyncio.gather(listening, return_exceptions=True)

    async def _until_moved(self, publisher: BoardPublisher, broker: BrokerSettings) -> None:
        """Return when the hall's broker has another address; of a broker that is configured, never."""
        away, seeker = False, HallSeeker(self._shared_dir, self._who.event)
        while True:
            await asyncio.sleep(MOVED_S)
            was_away, away = away, not publisher.status.connected
            if self._table.host != AUTO or not (away and was_away):
                continue
            found = await seeker.look()
            if found is not None and (found.host, found.port) != (broker.host, broker.port):
                return
