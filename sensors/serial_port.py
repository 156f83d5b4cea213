"""A serial port that takes care of itself: opened exclusively, opened again for ever, never in the way.

One thread per port reads, writes and reopens. Both callbacks are called in that thread; the caller
carries what they bring to where it belongs (`loop.call_soon_threadsafe`). An exception in a callback
ends the thread, with the port closed. This is the only file that imports `serial`; pyserial finds and
configures the port, the bytes go through the file descriptor, where nothing blocks.
"""

import contextlib
import errno
import grp
import os
import select
import termios
import threading
from collections import deque
from collections.abc import Callable
from enum import Enum
from pathlib import Path
from typing import Self

import serial

BAUDRATE = 921_600
"""Of a UART (PROTOCOL.md, section 2); USB and pseudo-terminals ignore it."""
FIRST_PAUSE_S = 0.2
"""Before the first attempt to open again."""
LONGEST_PAUSE_S = 2.0
"""Pauses double up to this; a board plugged in is found within it."""
MAX_QUEUED = 65_536
"""Bytes waiting to be written. The host sends less than 100 bytes a second: minutes of a stuck device."""
READ_SIZE = 16_384
"""Bytes taken at once; the kernel's own buffer holds 4096."""


class PortState(Enum):
    """What happened to the port."""

    OPEN = "open"
    LOST = "lost"


class SerialPort:
    """One serial port, by any path: /dev/serial/by-id/..., a pseudo-terminal, a symlink to either.

    Nothing is opened before `start`. Usable as a context manager: starts on entry, closes on exit.

    Args:
        path: followed anew at every opening, so a symlink may change its target meanwhile.
        on_bytes: called with what was read, never empty.
        on_state: called with OPEN and "", or LOST and the reason with what to do about it; LOST is
            repeated only when the reason changes.
        baudrate: in bits per second.

    Attributes:
        path: as given.
        dropped_bytes: bytes given to `write` that were never written.
    """

    def __init__(
        self,
        path: str,
        on_bytes: Callable[[bytes], None],
        on_state: Callable[[PortState, str], None],
        *,
        baudrate: int = BAUDRATE,
    ) -> None:
        self.path = path
        self.dropped_bytes = 0
        self._on_bytes = on_bytes
        self._on_state = on_state
        self._baudrate = baudrate
        self._lock = threading.Lock()
        self._queue: deque[bytes] = deque()
        self._queued = 0
        self._begun = 0  # bytes of the first chunk in the queue that are already written
        self._open = False
        self._closing = threading.Event()
        self._wake_read = self._wake_write = -1
        self._thread: threading.Thread | None = None

    def __repr__(self) -> str:
        state = "closed" if self._closing.is_set() else "open" if self._open else "not open"
        return f"SerialPort({self.path!r}, {state})"

    def __enter__(self) -> Self:
        self.start()
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def start(self) -> None:
        """Start opening the port, and go on until `close`. Returns at once.

        Raises:
            RuntimeError: if it was started before.
        """
        if self._thread is not None or self._closing.is_set():
            raise RuntimeError(f"{self!r} was started before")
        self._wake_read, self._wake_write = os.pipe2(os.O_NONBLOCK)
        self._thread = threading.Thread(target=self._run, name=f"serial {self.path}", daemon=True)
        self._thread.start()

    @property
    def lives(self) -> bool:
        """Whether the thread runs: one that has ended hears no device ever again."""
        return self._thread is not None and self._thread.is_alive()

    def write(self, data: bytes) -> None:
        """Give whole frames to the port; never blocks.

        While the port is not open they are dropped: after opening the two ends greet anew. When the
        device does not read, the oldest are dropped beyond `MAX_QUEUED` bytes, since what the host said
        later replaces what it said before. What has been written in part is always finished, and the
        newest is always kept.
        """
        if not data:
            return
        with self._lock:
            if not self._open:
                self.dropped_bytes += len(data)
                return
            self._queue.append(data)
            self._queued += len(data)
            begun = 1 if self._begun else 0
            while self._queued - self._begun > MAX_QUEUED and len(self._queue) > begun + 1:
                self._drop(begun)
        self._wake()

    def close(self) -> None:
        """Close the port and wait for the thread; no callback comes after that. Idempotent.

        Called from a callback, it does not wait.
        """
        self._closing.set()
        self._wake()
        thread = self._thread
        if thread is not None and thread is not threading.current_thread():
            thread.join()

    def _drop(self, index: int) -> None:
        """Drop a chunk that waits; the lock is held."""
        size = len(self._queue[index])
        del self._queue[index]
        self._queued -= size
        self.dropped_bytes += size

    def _wake(self) -> None:
        """End the thread's present wait; harmless at any time."""
        with self._lock, contextlib.suppress(BlockingIOError):
            if self._wake_write >= 0:
                os.write(self._wake_write, b"\x00")

    # ---- in the thread ---------------------------------------------------------------------------

    def _run(self) -> None:
        """Open, serve, explain, pause, again."""
        pause_s = FIRST_PAUSE_S
        said = ""
        try:
            while not self._closing.is_set():
                reason, heard = self._serve_once()
                if self._closing.is_set():
                    break
                if reason != said or heard is not None:
                    self._on_state(PortState.LOST, reason)
                said = reason
                if heard:
                    pause_s = FIRST_PAUSE_S
                self._wait(None, pause_s)
                pause_s = min(2 * pause_s, LONGEST_PAUSE_S)
        finally:
            with self._lock:
                wake_read, wake_write = self._wake_read, self._wake_write
                self._wake_read = self._wake_write = -1
            os.close(wake_read)
            os.close(wake_write)

    def _serve_once(self) -> tuple[str, bool | None]:
        """Open the port and serve it until it is lost.

        Returns:
            Why it was lost; whether anything was heard, None if it could not even be opened.
        """
        try:
            # "exclusive" is a lock on the file (flock) and goes when the file is closed. The terminal's own
            # mode, TIOCEXCL, stays on a pseudo-terminal and would shut out all but root the next time.
            port = serial.Serial(self.path, self._baudrate, timeout=0, write_timeout=0, exclusive=True)
        except (OSError, ValueError, termios.error) as error:
            return explain(error, self.path), None
        heard = False
        try:
            descriptor = port.fileno()
            with self._lock:
                self._open = True
            self._on_state(PortState.OPEN, "")
            while not self._closing.is_set():
                heard |= self._transfer(descriptor)
        except OSError as error:
            return explain(error, self.path), heard
        finally:
            self._abandon(port)
        return "", heard

    def _transfer(self, descriptor: int) -> bool:
        """Wait until something can be done and do it; return whether bytes came.

        Raises:
            OSError: if the port is gone.
        """
        events = self._wait(descriptor, None)
        if events & select.POLLOUT:
            self._write_some(descriptor)
        if not events & ~select.POLLOUT:
            return False
        try:
            data = os.read(descriptor, READ_SIZE)
        except BlockingIOError:
            return False
        if not data:
            raise OSError(errno.EIO, "end of file")
        self._on_bytes(data)
        return True

    def _wait(self, descriptor: int | None, timeout_s: float | None) -> int:
        """Wait for the port, a call of `_wake`, or the timeout; return the port's poll events."""
        poll = select.poll()
        poll.register(self._wake_read, select.POLLIN)
        if descriptor is not None:
            poll.register(descriptor, select.POLLIN | (select.POLLOUT if self._queue else 0))
        ready = dict(poll.poll(None if timeout_s is None else timeout_s * 1000))
        if ready.pop(self._wake_read, 0):
            with contextlib.suppress(BlockingIOError):
                os.read(self._wake_read, READ_SIZE)
        return next(iter(ready.values()), 0)

    def _write_some(self, descriptor: int) -> None:
        """Write as much of the queue as the port takes now."""
        with self._lock, contextlib.suppress(BlockingIOError):
            while self._queue:
                chunk = self._queue[0]
                self._begun += os.write(descriptor, chunk[self._begun :])
                if self._begun < len(chunk):
                    return
                self._queue.popleft()
                self._queued -= len(chunk)
                self._begun = 0

    def _abandon(self, port: serial.Serial) -> None:
        """Close a lost port and drop what waited for it."""
        with self._lock:
            self._open = False
            self.dropped_bytes += self._queued - self._begun
            self._queue.clear()
            self._queued = self._begun = 0
        with contextlib.suppress(OSError):
            port.close()


def explain(error: Exception, path: str) -> str:
    """Return what went wrong with the port and what to do about it, for people."""
    number = error.errno if isinstance(error, OSError) else None
    match number:
        case errno.ENOENT | errno.ENODEV | errno.ENXIO:
            return f"{path} is not there: is the board plugged in? `ls -l /dev/serial/by-id` shows what is"
        case errno.EACCES | errno.EPERM:
            return (
                f"no permission for {path}: `sudo usermod -aG {_group(path)} $USER`, then log in again "
                "(a service: SupplementaryGroups=)"
            )
        case errno.EAGAIN | errno.EBUSY:
            return (
                f"{path} is in use by another program: a second board process, a terminal (screen, minicom), "
                f"ModemManager? `fuser -v {path}` shows it"
            )
        case errno.EIO:
            return f"{path} hung up: the cable was pulled, or the board is restarting"
        case None | errno.ENOTTY | errno.EINVAL | errno.EISDIR:
            return f"{path} is no usable serial port: {error}"
    return f"{path}: {os.strerror(number or 0)}"


def _group(path: str) -> str:
    """Return the group that may use the port; dialout where that cannot be found out."""
    try:
        name = grp.getgrgid(Path(path).stat().st_gid).gr_name
    except (OSError, KeyError):
        name = "root"
    return "dialout" if name == "root" else name
