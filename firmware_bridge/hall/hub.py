"""Joins the feed to the viewers: one registry, and for each viewer a flag that says "look again".

A viewer is never sent a queue. When something has changed it is sent what is true at that
moment, so a slow one misses pictures but costs no memory and is never behind by more than one.
"""

import asyncio
import json
import logging
import time
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any, Final

from firmware_bridge.hall.boards import BoardRegistry
from firmware_bridge.hall.feed import Feed
from firmware_bridge.hall.settings import HallSettings
from firmware_bridge.wire.mqtt import Connected, Disconnected, Event, Received
from firmware_bridge.wire.topics import command_topic

_RETRY_S: Final = 1.0

_log = logging.getLogger(__name__)


class Hub:
    """What all connections share."""

    def __init__(self, settings: HallSettings, assets: str) -> None:
        self.registry = BoardRegistry(settings.event_id, stale_after_s=settings.stale_after_s)
        self.settings = settings
        self._assets = assets
        self._watched: dict[str, set[asyncio.Event]] = {}
        self._everything: set[asyncio.Event] = set()
        self.viewers = 0

    async def run(self, feed: Feed) -> None:
        """Take everything from the feed, for ever; a failing feed is opened again."""
        while True:
            try:
                async with feed.open() as events:
                    async for event in events:
                        self.take(event)
            except Exception:  # noqa: BLE001 - whatever it is, the hall has to go on
                _log.exception("the feed failed; opening it again")
                self.take(Disconnected("the feed failed"))
                await asyncio.sleep(_RETRY_S)
            else:
                return

    def take(self, event: Event) -> None:
        """Take one event of the feed and tell the viewers whom it concerns."""
        now_s = time.monotonic()
        match event:
            case Received(topic) if command_topic(topic) is not None:
                pass  # commands and their answers: not for viewers
            case Received(topic, payload, retained):
                wall_ms = time.time_ns() // 1_000_000
                problems = self.registry.problems
                board = self.registry.receive(topic, payload, retained=retained, now_s=now_s, wall_ms=wall_ms)
                if self.registry.problems > problems:
                    _log.warning("message skipped: %s", self.registry.last_problem)
                for changed in (*self._watched.get(board, ()), *self._everything) if board else ():
                    changed.set()
            case Connected() | Disconnected():
                self.registry.link(up=isinstance(event, Connected), now_s=now_s)
                if isinstance(event, Disconnected):
                    _log.warning("%s", event.reason)
                for watching in (*self._watched.values(), self._everything):
                    for changed in watching:
                        changed.set()

    @contextmanager
    def watching_all(self) -> Iterator[asyncio.Event]:
        """Give somebody who watches all boards his flag for as long as he does; he is no viewer."""
        changed = asyncio.Event()
        self._everything.add(changed)
        try:
            yield changed
        finally:
            self._everything.discard(changed)

    @contextmanager
    def watching(self, board: str) -> Iterator[asyncio.Event]:
        """Give a viewer its flag for as long as it watches a board."""
        changed = asyncio.Event()
        self._watched.setdefault(board, set()).add(changed)
        self.viewers += 1
        try:
            yield changed
        finally:
            self.viewers -= 1
            watching = self._watched[board]
            watching.discard(changed)
            if not watching:
                del self._watched[board]

    def snapshot(self, board: str) -> dict[str, Any]:
        """Return the snapshot of a board as of now."""
        sent = {"kind": "snapshot", "sent_ms": time.time_ns() // 1_000_000, "assets": self._assets}
        return {**sent, **self.registry.snapshot(board, time.monotonic())}

    def snapshot_text(self, board: str) -> str:
        """Return the snapshot of a board as of now, written."""
        return _written(self.snapshot(board))

    def beat_text(self, board: str) -> str:
        """Return the sign of life a viewer gets while nothing changes, written."""
        now_s = time.monotonic()
        return _written(
            {
                "kind": "beat",
                "sent_ms": time.time_ns() // 1_000_000,
                "board": board,
                "presence": self.registry.presence(board, now_s).as_json(),
                "clock": self.registry.clock(board, now_s),
            }
        )


def _written(message: dict[str, Any]) -> str:
    return json.dumps(message, ensure_ascii=False, separators=(",", ":"))
