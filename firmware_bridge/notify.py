"""How a program of ours tells the service manager that started it how it stands (sd_notify(3)).

A datagram of lines such as `READY=1` goes to the socket that NOTIFY_SOCKET names. Where there is no such
variable nobody listens, and every method does nothing: a program typed at a prompt behaves the same.
"""

from __future__ import annotations

import logging
import os
import socket
from collections.abc import MutableMapping
from typing import Final

from firmware_bridge.watchdog import Watchdog

log = logging.getLogger(__name__)

PATIENCE_S: Final = 1.0
"""A service manager whose queue is full is waited for no longer: a board has a game to referee."""

_ADDRESS, _LIMIT, _WATCHED = "NOTIFY_SOCKET", "WATCHDOG_USEC", "WATCHDOG_PID"


class ServiceManager:
    """Whoever started this program and wants to know how it stands.

    Args:
        address: Path of a datagram socket, or with a leading `@` its abstract name; empty: nobody listens.
        watchdog: When the next sign of life is due.

    Attributes:
        watchdog: As given; for those who keep it themselves, it is a value.
    """

    def __init__(self, address: str = "", watchdog: Watchdog | None = None) -> None:
        self._address = address
        self.watchdog = watchdog or Watchdog()
        self._serves = self._refused = False

    def __bool__(self) -> bool:
        """Whether anybody listens."""
        return bool(self._address)

    def ready(self, status: str) -> None:
        """Tell that the program does now what it is for, and in one line how it stands."""
        self._serves = True
        self.tell(f"READY=1\nSTATUS={_line(status)}")

    def status(self, status: str) -> None:
        """Tell in one line, in English, how the program stands: `systemctl status` shows it."""
        self.tell(f"STATUS={_line(status)}")

    def alive(self) -> None:
        """Give a sign of life; only for a loop that does what the program is for.

        None is given before the program is ready, when nobody watches yet, or when it is about to end.
        """
        if self._serves:
            self.tell("WATCHDOG=1")

    def extend(self, seconds: float) -> None:
        """Ask for at least so many seconds more before a start counts as failed."""
        self.tell(f"EXTEND_TIMEOUT_USEC={round(seconds * 1_000_000)}")

    def stopping(self) -> None:
        """Tell that the program is about to end."""
        self._serves = False
        self.tell("STOPPING=1")

    def tell(self, lines: str) -> None:
        """Send lines of `NAME=value`; what cannot be sent is dropped, and said once in the log."""
        if not self._address:
            return
        try:
            with socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM | socket.SOCK_CLOEXEC) as out:
                out.settimeout(PATIENCE_S)
                out.sendto(lines.encode(), _at(self._address))
        except OSError as error:
            if not self._refused:
                log.warning(
                    "the service manager at %s does not hear %r (%s): is this program started by it?",
                    self._address,
                    lines.partition("\n")[0],
                    error,
                )
            self._refused = True
        else:
            self._refused = False


def service_manager(environ: MutableMapping[str, str] = os.environ) -> ServiceManager:
    """Return the service manager that started this process, and forget its address.

    The variables are taken out of the environment, since a broker that we start and that knows them too
    would speak for us.

    Returns:
        One that nobody listens to where the environment names none.
    """
    address, limit, watched = (environ.pop(name, "") for name in (_ADDRESS, _LIMIT, _WATCHED))
    if address and address[0] not in "/@":
        log.warning(
            "%s=%s is no path and no abstract name: nobody is told how this program stands", _ADDRESS, address
        )
        return ServiceManager()
    if watched and watched != str(os.getpid()):
        limit = ""  # meant for another process of the same service (sd_watchdog_enabled(3))
    return ServiceManager(address, Watchdog(_seconds(limit)))


def _seconds(limit: str) -> float | None:
    """Return the watchdog's time, given in microseconds; None: there is none."""
    if not limit:
        return None
    if limit.isascii() and limit.isdecimal() and int(limit) > 0:
        return int(limit) / 1_000_000
    log.warning("%s=%s is no number of microseconds: no signs of life are given", _LIMIT, limit)
    return None


def _at(address: str) -> bytes:
    """Return a socket's address as the kernel wants it: an abstract name begins with a zero byte."""
    name = os.fsencode(address)
    return b"\0" + name[1:] if name.startswith(b"@") else name


def _line(text: str) -> str:
    return " ".join(text.split())
