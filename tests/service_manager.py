"""A service manager that only listens: what programs tell systemd, in order, and by whom it was told."""

from __future__ import annotations

import socket
import struct
import time
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Self

_CREDENTIALS = struct.Struct("3i")  # struct ucred: pid, uid, gid


@dataclass(frozen=True, slots=True)
class Told:
    """One datagram.

    Attributes:
        pid: Who sent it.
        lines: What stood in it.
    """

    pid: int
    lines: tuple[str, ...]


class ListeningManager:
    """A datagram socket as systemd's; a context manager.

    Args:
        address: A path, or with a leading `@` an abstract name.

    Attributes:
        told: Everything heard so far.
    """

    def __init__(self, address: Path | str) -> None:
        self.address = str(address)
        self.told: list[Told] = []
        self._socket = socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM)
        self._socket.setsockopt(socket.SOL_SOCKET, socket.SO_PASSCRED, 1)
        self._socket.bind("\0" + self.address[1:] if self.address[0] == "@" else self.address)

    def __enter__(self) -> Self:
        """Listen."""
        return self

    def __exit__(self, *_: object) -> None:
        """Listen no longer."""
        self._socket.close()

    def environment(self, watchdog_s: float | None = None) -> dict[str, str]:
        """Return what a program started by this manager finds in its environment."""
        found = {"NOTIFY_SOCKET": self.address}
        if watchdog_s is not None:
            found["WATCHDOG_USEC"] = str(round(watchdog_s * 1_000_000))
        return found

    def hear(self, timeout_s: float = 0.0) -> bool:
        """Take one datagram, if one comes in time; tell whether one did."""
        self._socket.settimeout(timeout_s)
        try:
            data, more, _, _ = self._socket.recvmsg(4096, socket.CMSG_SPACE(_CREDENTIALS.size))
        except (TimeoutError, BlockingIOError):
            return False
        (pid, _, _) = _CREDENTIALS.unpack(more[0][2][: _CREDENTIALS.size])
        self.told.append(Told(pid, tuple(data.decode().split("\n"))))
        return True

    def until(self, true: Callable[[list[Told]], bool], timeout_s: float = 60.0) -> None:
        """Listen until something holds for all that was told."""
        deadline = time.monotonic() + timeout_s
        while not true(self.told):
            if not self.hear(max(0.0, deadline - time.monotonic())) and time.monotonic() >= deadline:
                raise AssertionError(f"not within {timeout_s:g} s; told: {self.told}")

    def rest(self) -> None:
        """Take what has been told already."""
        while self.hear():
            pass

    def lines(self, pid: int | None = None) -> list[str]:
        """Return all lines, or those of one process, in order."""
        return [line for told in self.told if pid in (None, told.pid) for line in told.lines]
