"""Real multicast on this machine's loopback; skipped by name where the system carries none."""

from __future__ import annotations

import contextlib
import socket

import pytest

GROUP, PORT = "224.0.0.251", 5353


def _multicast() -> str:
    """Return why nothing that is sent to the group of multicast DNS on loopback comes back; "" if it does."""
    with contextlib.ExitStack() as stack:
        sockets = [stack.enter_context(socket.socket(socket.AF_INET, socket.SOCK_DGRAM)) for _ in range(2)]
        hears, says = sockets
        try:
            hears.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
            hears.bind(("", 0))
            membership = socket.inet_aton(GROUP) + socket.inet_aton("127.0.0.1")
            hears.setsockopt(socket.IPPROTO_IP, socket.IP_ADD_MEMBERSHIP, membership)
            says.setsockopt(socket.IPPROTO_IP, socket.IP_MULTICAST_IF, socket.inet_aton("127.0.0.1"))
            hears.settimeout(1.0)
            says.sendto(b"x", (GROUP, hears.getsockname()[1]))
            hears.recv(1)
        except OSError as error:
            return f"multicast on loopback: {error}"
    return ""


_MISSING = _multicast()


@pytest.fixture
def multicast() -> None:
    """Multicast on loopback."""
    if _MISSING:
        pytest.skip(_MISSING)
