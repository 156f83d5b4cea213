"""The cable: a real pseudo terminal behind a symlink, so that a host opens it like any serial device.

The slave side is the host's; this side never keeps it open, so that it notices when the host closes it. What
is written while nobody has the port open is lost, as on a USB serial line. `pull` is the cable being pulled:
an open host gets a hang-up, and the device's name disappears, as udev would remove it.
"""

import contextlib
import errno
import fcntl
import os
import select
import termios
import tty
from collections.abc import Callable, Sequence
from pathlib import Path

READ_BYTES = 4096

BATCH_BYTES = 2048
"""Frames are joined up to so many bytes for one write."""


class DevicePathError(OSError):
    """Raised when the configured path cannot become the device's name."""


class Port:
    """A pseudo terminal at a path.

    Args:
        path: the symlink's place; its folder must exist or be creatable.

    Attributes:
        dropped_bytes: what was written while no host had the port open.
    """

    def __init__(self, path: Path) -> None:
        self._path = path
        self._claim: int | None = None
        self._master: int | None = None
        self._target = ""
        self._rest = b""
        self._had_reader = False
        self.dropped_bytes = 0

    @property
    def plugged(self) -> bool:
        """True while the device is on the cable."""
        return self._master is not None

    @property
    def open(self) -> bool:
        """True when a host had the port open at the last `flush`."""
        return self.plugged and self._had_reader

    @property
    def target(self) -> str:
        """The pseudo terminal's own name, such as /dev/pts/3; empty while unplugged."""
        return self._target

    def plug(self) -> None:
        """Make a new pseudo terminal and put its name at the path.

        Raises:
            DevicePathError: something that is no symlink stands there, the place is not writable, or another
                program offers its device under this name.
        """
        if self.plugged:
            return
        self._claim_name()
        master, slave = os.openpty()
        try:
            tty.setraw(slave, termios.TCSANOW)
            os.set_blocking(master, False)
            self._target = os.ttyname(slave)
            self._link()
        except BaseException:
            os.close(master)
            self._target = ""
            raise
        finally:
            os.close(slave)
        self._master = master
        self._rest = b""
        self._had_reader = False

    def pull(self) -> None:
        """Pull the cable: the name goes, an open host is hung up. Harmless when already pulled."""
        if self._master is None:
            return
        with contextlib.suppress(OSError):
            if str(self._path.readlink()) == self._target:
                self._path.unlink()
        os.close(self._master)
        self._master = None
        self._target = ""

    def close(self) -> None:
        """Pull the cable for good and give the name up; may be called twice."""
        self.pull()
        if self._claim is not None:
            os.close(self._claim)
            self._claim = None  # the file stays: taking it away would race with the next claim

    def _claim_name(self) -> None:
        """Hold the name, cable or no cable: a second board under it would take the first one's host away."""
        if self._claim is not None:
            return
        try:
            self._path.parent.mkdir(parents=True, exist_ok=True)
            lock = self._path.with_name(self._path.name + ".lock")
            claim = os.open(lock, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o644)
        except OSError as error:
            raise DevicePathError(f"cannot put the device at {self._path}: {error.strerror}") from error
        try:
            fcntl.flock(claim, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError as error:
            os.close(claim)
            raise DevicePathError(
                f"{self._path}: another program offers its device under this name; "
                "stop it or change `device.port`"
            ) from error
        self._claim = claim

    def wait(self, timeout_s: float, also: Sequence[int] = ()) -> None:
        """Sleep until the host sends something, a file of `also` is readable, or the time is over."""
        ours = [] if self._master is None or not self._had_reader else [self._master]
        select.select([*ours, *also], [], [], timeout_s)

    def read(self) -> bytes:
        """Return what the host has sent; b"" when nothing, or nobody is there."""
        if self._master is None:
            return b""
        try:
            return os.read(self._master, READ_BYTES)
        except OSError as error:
            if error.errno in (errno.EIO, errno.EAGAIN):
                return b""
            raise

    def flush(self, next_frame: Callable[[], bytes | None]) -> bool:
        """Write frames until there are none or the line is full; return whether all went out.

        A frame that fits only in part is finished the next time, so frames never break.
        """
        reader = self._check_reader()
        while True:
            if not self._rest:
                self._rest = _batch(next_frame)
                if not self._rest:
                    return True
            if not reader:
                self.dropped_bytes += len(self._rest)
                self._rest = b""
                continue
            assert self._master is not None
            try:
                written = os.write(self._master, self._rest)
            except BlockingIOError:
                return False
            self._rest = self._rest[written:]

    def _check_reader(self) -> bool:
        """Return whether a host has the port open; a new one finds an empty line and a 0x00."""
        if self._master is None:
            return False
        poller = select.poll()
        poller.register(self._master, select.POLLIN)
        events = dict(poller.poll(0)).get(self._master, 0)
        reader = not events & select.POLLHUP
        if self._had_reader and not reader:
            self._clear_line()
        if self._had_reader != reader:
            self._rest = b"\x00" if reader else b""
        self._had_reader = reader
        return reader

    def _clear_line(self) -> None:
        """Clear the line of a host that has gone: of what it had not read, of its settings and its lock.

        A terminal in exclusive mode, as some terminal programs leave it, stays shut to all but root for as
        long as this side has it open: then a new one takes its place.
        """
        try:
            slave = os.open(self._target, os.O_RDWR | os.O_NOCTTY | os.O_NONBLOCK)
        except OSError as error:
            if error.errno == errno.EBUSY:
                self.pull()
                self.plug()
            return
        with contextlib.suppress(OSError, termios.error):
            fcntl.ioctl(slave, termios.TIOCNXCL)
            tty.setraw(slave, termios.TCSANOW)
            termios.tcflush(slave, termios.TCIOFLUSH)
        os.close(slave)

    def _link(self) -> None:
        if self._path.exists() and not self._path.is_symlink():
            raise DevicePathError(f"{self._path} exists and is no symlink: it is left alone")
        fresh = self._path.with_name(f".{self._path.name}.{os.getpid()}")
        try:
            self._path.parent.mkdir(parents=True, exist_ok=True)
            fresh.unlink(missing_ok=True)
            fresh.symlink_to(self._target)
            fresh.replace(self._path)
        except OSError as error:
            raise DevicePathError(f"cannot put the device at {self._path}: {error.strerror}") from error


def _batch(next_frame: Callable[[], bytes | None]) -> bytes:
    """Return frames joined for one write; b"" when there are none."""
    parts = []
    size = 0
    while size < BATCH_BYTES and (frame := next_frame()) is not None:
        parts.append(frame)
        size += len(frame)
    return b"".join(parts)
