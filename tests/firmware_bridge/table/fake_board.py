"""A board's end of the socket that says what a test wants, and a table page's program that listens to it."""

from __future__ import annotations

import asyncio
import socket
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, Self

from firmware_bridge.table.server import run_table
from firmware_bridge.table.settings import TableSettings
from firmware_bridge.wire.parts import ClockPart
from firmware_bridge.wire.table_view import AlertPart, CarryPart, TableLine, TableView

CLOCK = ClockPart(
    running="bastaushy",
    remaining_ms=(3_599_000, 3_540_000),
    rate=1.0,
    base_ms=3_600_000,
    increment_ms=0,
    flagged=(False, False),
)

PLAYING = TableView(
    board="board-1",
    phase="playing",
    names=("Айдос Серікұлы", "Әсел Нұрланқызы"),
    starter_seat="a",
    to_move="bastaushy",
    ply=4,
    last="4:4",
    ready=(True, True),
    clock=CLOCK,
    result=None,
    confirmed=(False, False),
    pause=None,
    sensed="matches",
    draw=None,
    alerts=(),
)
"""A game under way, in which all is well."""

WAY = (
    CarryPart(source=14, target=18, stones=10),
    CarryPart(source=6, target=7, stones=1),
    CarryPart(source=2, target=3, stones=2),
    CarryPart(source="hand", target=9, stones=1),
)
INFRACTION = AlertPart(
    kind="infraction",
    side="bastaushy",
    faults=("capture_not_taken",),
    goal="due",
    move="7:6",
    way=WAY,
)


def playing(**changes: Any) -> TableView:
    """Return the game under way with something changed."""
    return PLAYING.model_copy(update=changes)


class FakeBoard:
    """Listens on a socket as a board does, and says lines to whoever watches; a context manager.

    Attributes:
        heard: What was asked, one line for each talk.
    """

    def __init__(self, path: Path) -> None:
        """Do not listen yet."""
        self.path = path
        self.heard: list[bytes] = []
        self._talks: list[socket.socket] = []
        self._listener: socket.socket | None = None
        self._line = b""

    def __enter__(self) -> Self:
        """Begin to listen."""
        self.start()
        return self

    def __exit__(self, *_error: object) -> None:
        """Hang up."""
        self.stop()

    def start(self) -> None:
        """Listen, also again after `stop`."""
        self.path.unlink(missing_ok=True)
        self._listener = socket.socket(socket.AF_UNIX)
        self._listener.bind(str(self.path))
        self._listener.listen()
        self._thread = threading.Thread(target=self._accept, args=(self._listener,), daemon=True)
        self._thread.start()

    def _accept(self, listener: socket.socket) -> None:
        while True:
            try:
                talk, _ = listener.accept()
            except OSError:
                return
            self._talks.append(talk)
            talk.settimeout(5)
            try:
                self.heard.append(talk.recv(100))
                if self._line:
                    talk.sendall(self._line)
            except OSError:
                continue  # he has gone already; `stop` closes what is left of him

    def say(self, view: TableView, age_ms: int = 0) -> None:
        """Say a view to everybody, and to whoever comes later."""
        self.raw(TableLine(age_ms=age_ms, view=view).model_dump_json().encode() + b"\n")

    def raw(self, line: bytes) -> None:
        """Say any bytes; who has gone is forgotten."""
        self._line = line
        for talk in list(self._talks):
            try:
                talk.sendall(line)
            except OSError:
                self._talks.remove(talk)
                talk.close()

    def stop(self) -> None:
        """Hang up on everybody, as a killed program does."""
        if self._listener is not None:
            self._listener.shutdown(socket.SHUT_RDWR)
            self._thread.join()
            self._listener.close()
            self._listener = None
        for talk in self._talks:
            talk.close()
        self._talks.clear()


@contextmanager
def serving(settings: TableSettings) -> Iterator[str]:
    """Serve the page while this lasts; gives its address."""
    loop = asyncio.new_event_loop()
    bound = threading.Event()
    where: list[str] = []

    def said(host: str, port: int) -> None:
        where.append(f"http://{host}:{port}")
        bound.set()

    task = loop.create_task(run_table(settings, said))

    def run() -> None:
        asyncio.set_event_loop(loop)
        try:
            loop.run_until_complete(task)
        except asyncio.CancelledError:
            pass
        finally:
            loop.close()

    thread = threading.Thread(target=run)
    thread.start()
    assert bound.wait(20)
    try:
        yield where[0]
    finally:
        loop.call_soon_threadsafe(task.cancel)
        thread.join(20)
        assert not thread.is_alive()
