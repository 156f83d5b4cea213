"""Whoever answers for a hall may be anybody: looking at it ends in time."""

from __future__ import annotations

import contextlib
import socket
import threading
from collections.abc import Iterator

import pytest

from firmware_bridge.doctor.looking import network
from firmware_bridge.doctor.network import HallFacts

HEAD = b"HTTP/1.1 200 OK\r\nContent-Length: 1000000\r\n\r\n"


@pytest.fixture(params=[HEAD, b"HTTP/1.1 200 OK\r\nX: "], ids=["body", "header"])
def dripping(request: pytest.FixtureRequest) -> Iterator[int]:
    """Answer with a beginning and then a byte at a time; give the port."""
    over = threading.Event()
    with socket.create_server(("127.0.0.1", 0)) as server:

        def drip() -> None:
            talk, _ = server.accept()
            with talk, contextlib.suppress(OSError):
                talk.recv(4096)
                talk.sendall(request.param)
                while not over.wait(0.02):
                    talk.sendall(b"[")

        thread = threading.Thread(target=drip, daemon=True)
        thread.start()
        yield server.getsockname()[1]
        over.set()
        thread.join(5)


def test_a_hall_that_sends_a_byte_at_a_time_is_given_up(
    dripping: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It is told that it does not answer as a hall does."""
    monkeypatch.setattr(network, "WHOLE_S", 0.2)
    done: list[HallFacts] = []
    asking = threading.Thread(
        target=lambda: done.append(network.look_at_hall("127.0.0.1", dripping)), daemon=True
    )
    asking.start()
    asking.join(5)
    assert done, "it still reads"
    assert done[0].why
