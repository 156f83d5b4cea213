"""The hall's word to the network, for as long as it serves."""

from __future__ import annotations

import asyncio
import contextlib
import socket
from collections.abc import AsyncIterator, Callable
from typing import Final

from firmware_bridge.config import Config
from firmware_bridge.discovery.network import announced
from firmware_bridge.discovery.notices import HallNotice, is_loopback
from firmware_bridge.wire.settings import BrokerSettings
from firmware_bridge.wire.version import CONTRACT_VERSION, SOFTWARE

MOST_NAME: Final = 60
"""A label of the network's names holds 63 bytes (RFC 1035, section 2.3.4)."""


def is_announced(config: Config) -> bool:
    """Tell whether a hall tells the network of itself: where others can reach it, unless it is said."""
    wanted = config.hall.announce
    return not is_loopback(config.hall.host) if wanted is None else wanted


@contextlib.asynccontextmanager
async def hall_announced(config: Config, broker: BrokerSettings) -> AsyncIterator[Callable[[str, int], None]]:
    """Give what is to be called with host and port once the hall answers; from then on it is announced."""
    bound: asyncio.Future[int] = asyncio.get_running_loop().create_future()

    def answers(_host: str, port: int) -> None:
        if not bound.done():
            bound.set_result(port)

    async def announce() -> None:
        async with announced(notice_of(config, await bound, broker)):
            await asyncio.get_running_loop().create_future()  # until cancelled

    telling = asyncio.create_task(announce(), name="announcing") if is_announced(config) else None
    try:
        yield answers
    finally:
        if telling is not None:
            telling.cancel()
            await asyncio.wait({telling})


def notice_of(config: Config, port: int, broker: BrokerSettings) -> HallNotice:
    """Return what a hall tells of itself."""
    event = config.board.event
    return HallNotice(
        name=f"{event} on {socket.gethostname().partition('.')[0]}"[:MOST_NAME],
        event=event,
        contract=CONTRACT_VERSION,
        software=SOFTWARE,
        host=config.hall.host,
        port=port,
        broker_host=broker.host,
        broker_port=broker.port,
    )
