"""What a board tells the world, kept true through every outage.

After each connection: online, description, full state, the records of the last games, then every
journal row the broker has not acknowledged, in order. Between: the latest state (older ones not yet
sent are dropped) and new rows. When the program vanishes, the broker publishes the will, "offline"
with this boot.
"""

import asyncio
import contextlib
import logging
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final, Literal, TypeAlias

from firmware_bridge.wire import topics
from firmware_bridge.wire.cursor import load_cursor, save_cursor
from firmware_bridge.wire.mqtt import Connected, Disconnected, Event, Message, MqttClient, Published, Received
from firmware_bridge.wire.outbox import ACK_TIMEOUT_US, Outbox, RowSource
from firmware_bridge.wire.payloads import (
    MAX_PAYLOAD_BYTES,
    AvailPayload,
    DiagPayload,
    MetaPayload,
    PayloadError,
    StatePayload,
    decode_avail,
    encode,
)
from firmware_bridge.wire.records import RecordPayload
from firmware_bridge.wire.settings import BrokerSettings

__all__ = ["BoardPublisher", "PublisherStatus", "RowSource"]

_Kept: TypeAlias = Literal["avail", "meta", "state"]

_RETAINED_WINDOW: Final = 20
"""Retained messages that may be unacknowledged at once: records must not crowd the rows out."""
_TICK_S: Final = 1.0
_CURSOR_PAUSE_S: Final = 0.5  # an SD card lives longer when the cursor is not saved per row
_FAREWELL_S: Final = 2.0

_log = logging.getLogger(__name__)


def _wall_ms() -> int:
    return time.time_ns() // 1_000_000


def _monotonic_us() -> int:
    return time.monotonic_ns() // 1000


@dataclass(frozen=True, slots=True)
class PublisherStatus:
    """How the telling goes, for the table page and the doctor.

    Attributes:
        connected: Whether the broker has accepted us.
        reason: Why not, in words; empty when connected.
        confirmed: Journal number up to which the broker has every row.
        unacknowledged: Rows on their way.
    """

    connected: bool
    reason: str
    confirmed: int
    unacknowledged: int


@dataclass(slots=True)
class _Retained:
    """A retained payload: what stands there last, nothing to clear it, and whether the broker has it."""

    data: bytes = b""
    dirty: bool = False
    mid: int | None = None
    at_us: int = 0


class BoardPublisher:
    """Publishes one board; `run` it as a task, everything else returns at once.

    Args:
        settings: The broker and the board's identity there.
        event_id: Id of the event, `[a-z0-9-]{1,32}`.
        board_id: Id of the board, same alphabet.
        boot: How often the board's program has been started.
        source: The journal rows.
        cursor_path: File of the outbox's cursor; belongs to this journal, so keep it beside it.
        now_ms: Wall time, milliseconds since 1970 UTC, for the label `ts`.

    Raises:
        TopicError: An id cannot stand in a topic.
    """

    def __init__(  # noqa: PLR0913 - each is a fact of its own
        self,
        settings: BrokerSettings,
        event_id: str,
        board_id: str,
        boot: int,
        source: RowSource,
        cursor_path: Path,
        *,
        now_ms: Callable[[], int] = _wall_ms,
    ) -> None:
        self._topic = {leaf: topics.build(event_id, board_id, leaf) for leaf in topics.LEAVES}
        self._event_id, self._board_id, self._boot = event_id, board_id, boot
        self._now_ms = now_ms
        self._cursor_path = cursor_path
        self._saved = load_cursor(cursor_path, event_id, board_id)
        self._outbox = Outbox(source, self._saved)
        kept: tuple[_Kept, ...] = ("avail", "meta", "state")
        self._retained = {self._topic[leaf]: _Retained() for leaf in kept}  # by topic, in order of sending
        self._parts: dict[str, int] = {}  # of each game's record, by the game's key; 0: it is to be none
        self._about: tuple[str | None, int, int] = (None, 0, 0)  # game, seq and ply last told
        self._generation = 0  # the connection that has been started over on
        self._wake = asyncio.Event()
        self._finished = asyncio.Event()
        self._finished.set()
        self._leaving = False
        will = Message(self._topic["avail"], self._avail(online=False))
        own = ((self._topic["avail"], 1), (topics.records_filter(event_id, board_id), 1))
        self._client = MqttClient(settings, will, own)

    @property
    def status(self) -> PublisherStatus:
        """How the telling goes just now."""
        client, outbox = self._client, self._outbox
        return PublisherStatus(client.connected, client.reason, outbox.confirmed, outbox.unacknowledged)

    def set_state(self, state: StatePayload) -> None:
        """Publish this state as soon as possible, and after every reconnect until the next.

        Raises:
            PayloadError: It cannot be written.
        """
        self._about = (state.game, state.seq, state.ply)
        self._keep("state", encode(state))

    def set_meta(self, meta: MetaPayload) -> None:
        """Publish this description, and after every reconnect.

        Raises:
            PayloadError: It cannot be written.
        """
        self._keep("meta", encode(meta))

    def set_record(self, game: str, parts: Sequence[RecordPayload]) -> None:
        """Publish the record of a game in place of any before, and after every reconnect.

        Args:
            game: Id of the game.
            parts: All its parts; none at all means that the broker need not keep it any longer.

        Raises:
            PayloadError: A part cannot be written.
        """
        written = {part.topic: encode(part) for part in parts}
        key = topics.game_key(game)
        for number in range(len(parts) + 1, self._parts.get(key, 0) + 1):
            written[self._part_topic(key, number)] = b""
        self._parts[key] = len(parts)
        for topic, data in written.items():
            self._retain(topic, data)

    def notify_rows(self) -> None:
        """Say that the journal has grown."""
        self._wake.set()

    def send_diag(self, diag: DiagPayload) -> bool:
        """Publish a diagnosis now or never; tell whether it went out.

        Raises:
            PayloadError: It cannot be written.
        """
        return self._client.publish(self._topic["diag"], encode(diag)) is not None

    async def close(self) -> None:
        """Give what is pending a moment to go out, say "offline" and end `run`; idempotent."""
        self._leaving = True
        self._wake.set()
        await self._finished.wait()

    async def run(self) -> None:
        """Publish until `close` or cancellation; both end with "offline". Runs once.

        Never raises for a dead broker: see `status`.
        """
        self._finished.clear()
        ending = asyncio.Event()
        helpers: list[asyncio.Task[None]] = []
        try:
            async with self._client:
                helpers.append(asyncio.create_task(self._listen(), name=f"listen {self._board_id}"))
                helpers.append(
                    asyncio.create_task(self._save_cursor(ending), name=f"cursor {self._board_id}")
                )
                try:
                    await self._pump_until_closed()
                finally:
                    await self._farewell()
        finally:
            # The client is closed, so that its events end and the listener with them.
            ending.set()
            try:
                await asyncio.gather(*helpers)
            finally:
                self._finished.set()

    # --- sending -----------------------------------------------------------------------------

    async def _pump_until_closed(self) -> None:
        while not self._leaving:
            self._wake.clear()
            self._pump(_monotonic_us())
            with contextlib.suppress(TimeoutError):
                async with asyncio.timeout(_TICK_S):
                    await self._wake.wait()
        with contextlib.suppress(TimeoutError):
            async with asyncio.timeout(_FAREWELL_S):
                await self._drain()

    async def _drain(self) -> None:
        while self._client.connected and self._pump(_monotonic_us()):
            self._wake.clear()
            await self._wake.wait()

    def _pump(self, now_us: int) -> bool:
        """Send what can be sent; tell whether something still waits for the broker."""
        if not self._client.connected or self._client.generation != self._generation:
            return True
        if self._outbox.overdue(now_us) or any(_overdue(kept, now_us) for kept in self._retained.values()):
            self._client.drop(f"the broker acknowledged nothing for {ACK_TIMEOUT_US // 1_000_000} s")
            return True
        self._pump_retained(now_us)
        self._pump_rows(now_us)
        return bool(self._outbox.unacknowledged) or any(k.dirty or k.mid for k in self._retained.values())

    def _pump_retained(self, now_us: int) -> None:
        room = _RETAINED_WINDOW - sum(kept.mid is not None for kept in self._retained.values())
        for topic, kept in self._retained.items():
            if room > 0 and kept.dirty and kept.mid is None:
                kept.mid = self._client.publish(topic, kept.data, qos=1, retain=True)
                kept.at_us = now_us
                kept.dirty = kept.mid is None
                room -= 1

    def _pump_rows(self, now_us: int) -> None:
        while (row := self._outbox.next_to_send()) is not None:
            seq, data = row
            if len(data) > MAX_PAYLOAD_BYTES:
                _log.error("journal row %d has %d bytes, more than a broker takes: not sent", seq, len(data))
                self._outbox.skip()
                continue
            mid = self._client.publish(self._topic["ev"], data, qos=1)
            if mid is None:
                return
            self._outbox.sent(self._client.generation, mid, now_us)

    async def _farewell(self) -> None:
        """Say "offline" ourselves; without us the will would say it, but later."""
        kept = self._retained[self._topic["avail"]]
        kept.data = self._avail(online=False)
        self._leaving = True
        mid = self._client.publish(self._topic["avail"], kept.data, qos=1, retain=True)
        kept.mid = mid
        with contextlib.suppress(TimeoutError):
            async with asyncio.timeout(_FAREWELL_S / 2):
                while self._client.connected and mid is not None and kept.mid == mid:
                    self._wake.clear()
                    await self._wake.wait()

    # --- hearing -----------------------------------------------------------------------------

    async def _listen(self) -> None:
        async for event in self._client.events():
            self._handle(event)

    def _handle(self, event: Event) -> None:
        match event:
            case Connected(generation):
                self._start_over(generation)
            case Disconnected():
                pass  # the client tries again, and has told the log
            case Published(generation, mid):
                self._acknowledged(generation, mid)
            case Received(topic, payload) if topic == self._topic["avail"]:
                self._check_avail(payload)
            case Received(topic, payload) if payload:
                self._check_part(topic)
        self._wake.set()

    def _start_over(self, generation: int) -> None:
        self._generation = generation
        self._outbox.reconnected()
        self._retained[self._topic["avail"]].data = self._avail(online=True)
        for topic, kept in self._retained.items():
            clears = topics.is_record(topic) and not kept.data
            kept.mid, kept.dirty = None, bool(kept.data) or clears

    def _acknowledged(self, generation: int, mid: int) -> None:
        if generation != self._generation:
            return
        for topic, kept in self._retained.items():
            if kept.mid == mid:
                kept.mid = None
                if topics.is_record(topic) and not kept.data and not kept.dirty:
                    del self._retained[topic]  # cleared: nothing to remember
                return
        self._outbox.acked(generation, mid)

    def _check_avail(self, payload: bytes) -> None:
        """Correct the broker when it says we are offline.

        An earlier connection's will may be published after our "online": brokers differ in
        when they notice that the old connection is gone.
        """
        try:
            online = bool(payload) and decode_avail(payload).online
        except PayloadError:
            online = False
        if not online and not self._leaving:
            self._keep("avail", self._avail(online=True))

    def _check_part(self, topic: str) -> None:
        """Clear a part that the broker has kept of a longer record, or of one it need not keep any longer."""
        try:
            where = topics.parse_record(topic)
        except topics.TopicError:
            return
        if where.part > self._parts.get(where.game, topics.MAX_PARTS):
            self._retain(topic, b"")

    # --- keeping -----------------------------------------------------------------------------

    def _keep(self, leaf: _Kept, data: bytes) -> None:
        self._retain(self._topic[leaf], data)

    def _retain(self, topic: str, data: bytes) -> None:
        kept = self._retained.setdefault(topic, _Retained())
        kept.data, kept.dirty = data, True
        self._wake.set()

    def _part_topic(self, key: str, part: int) -> str:
        return str(topics.RecordTopic(self._event_id, self._board_id, key, part))

    def _avail(self, *, online: bool) -> bytes:
        game, seq, ply = self._about
        return encode(
            AvailPayload(
                event=self._event_id,
                board=self._board_id,
                game=game,
                boot=self._boot,
                seq=seq,
                ply=ply,
                ts=self._now_ms(),
                online=online,
            )
        )

    async def _save_cursor(self, ending: asyncio.Event) -> None:
        while not ending.is_set():
            with contextlib.suppress(TimeoutError):
                async with asyncio.timeout(_CURSOR_PAUSE_S):
                    await ending.wait()
            await self._save_once()

    async def _save_once(self) -> None:
        confirmed = self._outbox.confirmed
        if confirmed == self._saved:
            return
        try:
            await asyncio.to_thread(save_cursor, self._cursor_path, self._event_id, self._board_id, confirmed)
        except OSError as error:
            _log.warning("the outbox's cursor cannot be saved, rows will be repeated: %s", error)
        self._saved = confirmed


def _overdue(kept: _Retained, now_us: int) -> bool:
    return kept.mid is not None and now_us - kept.at_us >= ACK_TIMEOUT_US
