"""One trace on its way to the disk, written by a thread of its own: whoever fills it never waits.

A disk that is full, gone or too slow ends the trace and says why in `TraceFile.trouble`; nothing is raised.
"""

from __future__ import annotations

import logging
import queue
import re
import threading
from collections.abc import Callable
from contextlib import suppress
from os import stat_result
from pathlib import Path
from typing import BinaryIO, Self

from firmware_bridge.trace.header import TraceHeader
from firmware_bridge.trace.rows import Row
from firmware_bridge.trace.writer import TraceWriter

SUFFIX = ".trace"

_NUMBERED = re.compile(rf"(?P<board>.+)-\d+-\d+{re.escape(SUFFIX)}")
"""How traces are named that follow each other: the board, which start of its program, which of its files."""

MOST_WAITING = 64
"""Blocks that may wait for the disk, about a megabyte: then it is too slow, and the trace ends."""

log = logging.getLogger(__name__)


class TraceFile:
    """One trace being written by a thread of its own.

    Attributes:
        path: The file.
        size: Bytes written so far.
        trouble: Why it ended early; empty while all is well.
        opened: Set once the file is there, or cannot be.
    """

    def __init__(self, path: Path, keep_bytes: int | None = None) -> None:
        """Stand for a file that nobody writes yet; see `open`."""
        self.path = path
        self.size = 0
        self.trouble = ""
        self.opened = threading.Event()
        self._keep_bytes = keep_bytes
        self._orders: queue.Queue[Callable[[], None] | None] = queue.Queue()
        self._writer: TraceWriter | None = None
        self._thread = threading.Thread(target=self._work, name="trace", daemon=True)

    @classmethod
    def open(cls, path: Path, keep_bytes: int | None = None) -> Self:
        """Begin to write `path`, which must not be there yet; the caller does not wait.

        Args:
            path: The file.
            keep_bytes: It and the older traces of the same board beside it may have so many bytes together;
                while it grows, the oldest go. The folder is made.
                None: no limit, and the folder has to be there, since a person named it.
        """
        file = cls(path, keep_bytes)
        file._thread.start()
        return file

    def begin(self, header: TraceHeader) -> None:
        """Write the header; the caller does not wait."""
        self._orders.put(lambda: self._begin(header))

    def write(self, rows: list[Row]) -> None:
        """Write a block; the caller does not wait."""
        if self._orders.qsize() >= MOST_WAITING:
            self.trouble = self.trouble or f"{self.path}: the disk is too slow for a trace"
            return
        self._orders.put(lambda: self._write(rows))

    def end(self, why: str) -> None:
        """Close the file once all is written; the caller does not wait."""
        if why:
            self._orders.put(lambda: self._end(why))
        self._orders.put(None)

    @property
    def closed(self) -> bool:
        """Whether nothing is written any more."""
        return not self._thread.is_alive()

    def join(self) -> None:
        """Wait until the file is closed."""
        self._thread.join()

    def _work(self) -> None:
        try:
            if self._keep_bytes is not None:
                self.path.parent.mkdir(parents=True, exist_ok=True)
            with self.path.open("xb") as file:
                self._file: BinaryIO = file
                self.opened.set()
                while (order := self._orders.get()) is not None:
                    order()
        except FileExistsError:
            self.trouble = f"{self.path}: there is a file already; name another one"
        except OSError as error:
            self.trouble = f"{self.path}: the trace cannot be written: {error.strerror or error}"
        except ValueError as error:
            self.trouble = f"{self.path}: the trace cannot be written, please report it: {error}"
        else:
            if self._writer is None:
                self.path.unlink(missing_ok=True)  # given up before it began
        finally:
            self.opened.set()

    def _begin(self, header: TraceHeader) -> None:
        self._writer = TraceWriter.begin(self._file, header, self._make_room)
        self.size = self._writer.size

    def _write(self, rows: list[Row]) -> None:
        assert self._writer is not None, "a header comes first"
        self._writer.write(rows)
        self.size = self._writer.size

    def _end(self, why: str) -> None:
        if self._writer is not None:
            self._writer.end(why)
            self.size = self._writer.size

    def _make_room(self, size: int) -> None:
        """Remove the oldest traces of this board until the others and `size` bytes are as many as may be."""
        if self._keep_bytes is None:
            return
        others = [(told.st_mtime_ns, path, told.st_size) for path, told in _same_board(self.path)]
        left = size + sum(told for _, _, told in others)
        for _, path, told in sorted(others):
            if left <= self._keep_bytes:
                return
            path.unlink(missing_ok=True)
            left -= told
            log.info("%s: removed to make room for newer traces", path)


def _same_board(path: Path) -> list[tuple[Path, stat_result]]:
    """Return the other numbered traces of the same board in a trace's folder, with what is known of them."""
    ours = _NUMBERED.fullmatch(path.name)
    found = []
    for other in path.parent.glob(f"*{SUFFIX}"):
        theirs = _NUMBERED.fullmatch(other.name)
        if other != path and ours and theirs and ours["board"] == theirs["board"]:
            with suppress(FileNotFoundError):  # somebody tidies up beside us
                found.append((other, other.stat()))
    return found
