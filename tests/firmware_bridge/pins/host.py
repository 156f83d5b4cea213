"""A host on a real line: the link of the board, with a port that is just a file."""

from __future__ import annotations

import os
import select
import time
from collections.abc import Callable
from pathlib import Path
from types import TracebackType
from typing import Self, TypeVar

from sensors.link import Link, LinkEvent
from sensors.samples import Press

PATIENCE_S = 30.0  # only ever waited for in full when a test fails

Kind = TypeVar("Kind")


class LineHost:
    """Opens a device by its name and acknowledges every press.

    Attributes:
        link: the board's end.
        events: all it has told.
    """

    def __init__(self, path: Path) -> None:
        self._path = path
        self._fd = -1
        self.link = Link()
        self.events: list[LinkEvent] = []

    def __enter__(self) -> Self:
        until = time.monotonic() + PATIENCE_S
        while not self._path.exists() and time.monotonic() < until:
            time.sleep(0.01)  # for a name there is nothing to wait on
        self._fd = os.open(self._path, os.O_RDWR | os.O_NOCTTY | os.O_NONBLOCK)
        self.link.connected(_now_us())
        return self

    def __exit__(self, kind: type[BaseException] | None, error: object, trace: TracebackType | None) -> None:
        os.close(self._fd)

    def until(self, done: Callable[[], bool], patience_s: float = PATIENCE_S) -> None:
        """Serve the line until something is so.

        Raises:
            TimeoutError: it never was.
        """
        until = time.monotonic() + patience_s
        while not done():
            if time.monotonic() > until:
                raise TimeoutError(f"never came; heard {self.events[-5:]}")
            self._serve()

    def of(self, kind: type[Kind]) -> list[Kind]:
        """Return all events of a kind so far."""
        return [event for event in self.events if isinstance(event, kind)]

    def _serve(self) -> None:
        ready, _, _ = select.select([self._fd], [], [], 0.01)
        data = os.read(self._fd, 4096) if ready else b""
        for event in [*self.link.receive(data, _now_us()), *self.link.poll(_now_us())]:
            self.events.append(event)
            if isinstance(event, Press):
                self.link.acknowledge(event)
        if waiting := self.link.data_to_send():
            os.write(self._fd, waiting)


def _now_us() -> int:
    return time.monotonic_ns() // 1000
