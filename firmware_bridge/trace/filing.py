"""One trace on its way to the disk, written by a thread of its own: whoever fills it never waits.

A disk that is full, gone or too slow ends the trace and says why in `TraceFile.trouble`; nothing is raised.
"""

from __future__ import annotations

import logging
import queue
import threading
from collections.abc import Callable
from pathlib import Path
from typing import BinaryIO

from firmware_bridge.trace.header import TraceHeader
from firmware_bridge.trace.rows import Row
from firmware_bridge.trace.writer import TraceWriter

SUFFIX = ".trace"

MOST_WAITING = 64
"""Blocks that may wait for the disk, about a megabyte: then it is too slow, and the trace ends."""

log = logging.getLogger(__name__)


class TraceFile:
    """One trace being written by a thread of its own.

    Attributes:
        path: The file.
        size: Bytes written so far.
        trouble: Why it ended early; empty while all is well.
    """

    def __init__(self, path: Path, keep_bytes: int | None = None) -> None:
        """Begin to write `path`, which must not be there yet.

        Args:
            path: The file.
            keep_bytes: All traces beside it may have so many bytes together; the oldest go; the folder is
                made. None: no limit, and the folder has to be there, since a person named it.
        """
        self.path = path
        self.size = 0
        self.trouble = ""
        self.opened = threading.Event()
        self._keep_bytes = keep_bytes
        self._orders: queue.Queue[Callable[[], None] | None] = queue.Queue()
        self._writer: TraceWriter | None = None
        self._thread = threading.Thread(target=self._work, name="trace", daemon=True)
        self._thread.start()

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
                _make_room(self.path.parent, self._keep_bytes)
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
        self._writer = TraceWriter(self._file, header)
        self.size = self._writer.size

    def _write(self, rows: list[Row]) -> None:
        assert self._writer is not None, "a header comes first"
        self._writer.write(rows)
        self.size = self._writer.size

    def _end(self, why: str) -> None:
        if self._writer is not None:
            self._writer.end(why)
            self.size = self._writer.size


def _make_room(folder: Path, keep_bytes: int) -> None:
    """Remove the oldest traces of a folder until those that stay have at most `keep_bytes`."""
    there = sorted(folder.glob(f"*{SUFFIX}"))
    sizes = {path: path.stat().st_size for path in there}
    left = sum(sizes.values())
    for path in there:
        if left <= keep_bytes:
            return
        path.unlink()
        left -= sizes[path]
        log.info("%s: removed to make room for newer traces", path)
