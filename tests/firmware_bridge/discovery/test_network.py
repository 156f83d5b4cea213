"""A hall that is announced is heard, and a hall that has gone is not: real multicast DNS on loopback."""

from __future__ import annotations

import asyncio
import errno
import socket
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace

import pytest
import zeroconf

from firmware_bridge.discovery import network
from firmware_bridge.discovery.network import NetworkError, announced, heard_halls
from firmware_bridge.discovery.notices import HallNotice, chosen
from firmware_bridge.wire.broker_files import free_port

pytestmark = pytest.mark.usefixtures("multicast")

LOOPBACK = ("127.0.0.1",)
LOOK_S = 1.3
"""Longer than the second within which an answer may not be multicast again (RFC 6762, section 6)."""


@contextmanager
def a_listener() -> Iterator[int]:
    """Listen where a broker would, and give the port."""
    with socket.create_server(("127.0.0.1", 0)) as server:
        yield server.getsockname()[1]


def hall(event: str, port: int, broker_port: int) -> HallNotice:
    """Return a hall on loopback."""
    return HallNotice(
        name=f"{event} on test",
        event=event,
        contract="1.3.0",
        software="togyz-bridge 0.1.0",
        host="127.0.0.1",
        port=port,
        broker_host="127.0.0.1",
        broker_port=broker_port,
    )


async def heard_until(prefix: str, count: int) -> tuple[HallNotice, ...]:
    """Listen until so many halls are heard whose events begin like this, and return them."""
    found: tuple[HallNotice, ...] = ()
    for _ in range(20):
        heard = await asyncio.to_thread(heard_halls, LOOK_S, LOOPBACK)
        found = tuple(each for each in heard if each.event.startswith(prefix))
        if len(found) == count:
            return found
    raise AssertionError(f"{count} halls of {prefix} were not heard, but {found}")


@pytest.mark.asyncio
async def test_halls_are_heard_with_all_they_say_and_then_no_more() -> None:
    """Two events in one house; a board follows its own, and a hall that ends says goodbye."""
    event = f"cup-{free_port()}"  # other tests may be announcing, too
    with a_listener() as broker:
        ours, theirs = hall(event, 8123, broker), hall(f"{event}-b", 8124, broker)
        async with announced(ours), announced(theirs):
            heard = await heard_until(event, 2)
            assert set(heard) == {ours, theirs}
            choice = chosen(heard, event)
            assert (choice.hall, choice.others) == (ours, (f"{event}-b",))
        assert await heard_until(event, 0) == ()


@pytest.mark.asyncio
async def test_a_broker_that_listens_for_nobody_else_is_not_told() -> None:
    """Boards would knock at a door that is not there."""
    alone = hall(f"cup-{free_port()}", 8125, free_port())
    async with announced(alone):
        assert await heard_until(alone.event, 1) == (replace(alone, broker_host="", broker_port=1883),)


@pytest.mark.asyncio
async def test_a_hall_without_a_network_serves_and_is_announced_when_there_is_one(
    monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    """A Pi boots before its network does; that is said once."""
    monkeypatch.setattr(network, "ADDRESSES_EVERY_S", 0.05)
    addresses: list[tuple[str, ...]] = [()]
    monkeypatch.setattr(network, "_addresses", lambda _host: addresses[0])
    with a_listener() as broker:
        late = hall(f"cup-{free_port()}", 8126, broker)
        async with announced(late):
            async with asyncio.timeout(20):
                while "no address yet" not in caplog.text:  # noqa: ASYNC110 - a log sets no event
                    await asyncio.sleep(0.01)
            await asyncio.sleep(0.2)
            assert caplog.text.count("no address yet") == 1
            addresses[0] = LOOPBACK
            assert await heard_until(late.event, 1) == (late,)


def test_without_a_network_that_is_said(monkeypatch: pytest.MonkeyPatch) -> None:
    """Not raised as whatever the library raises."""

    def unplugged(**_: object) -> None:
        raise OSError(errno.ENETUNREACH, "Network is unreachable")

    monkeypatch.setattr(zeroconf, "Zeroconf", unplugged)
    with pytest.raises(NetworkError, match=r"no network to look for halls on: .*Network is unreachable"):
        heard_halls(0.1)
