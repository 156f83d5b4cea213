"""How a program of ours runs and stops, and how it finds its broker."""

from __future__ import annotations

import asyncio
import logging
import signal
from collections.abc import AsyncIterator, Awaitable, Callable, Coroutine
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import typer

from firmware_bridge.commands.hall_found import broker_of_hall
from firmware_bridge.config import BrokerTable
from firmware_bridge.discovery.notices import AUTO
from firmware_bridge.notify import ServiceManager
from firmware_bridge.wire.broker import BrokerTakenError, start_broker
from firmware_bridge.wire.rendezvous import find_broker
from firmware_bridge.wire.settings import BrokerSettings

log = logging.getLogger(__name__)

FIND_TRIES = 40
"""How often a broker that another program is just starting is looked for, every quarter of a second."""

ASK_AGAIN_S = 1.0
"""How soon a program that does not work at the moment is asked again whether it does."""


async def until_stopped() -> None:
    """Return when the program is asked to stop (SIGINT, SIGTERM)."""
    loop = asyncio.get_running_loop()
    stopped = asyncio.Event()
    for number in (signal.SIGINT, signal.SIGTERM):
        loop.add_signal_handler(number, stopped.set)
    try:
        await stopped.wait()
    finally:
        for number in (signal.SIGINT, signal.SIGTERM):
            loop.remove_signal_handler(number)


async def run_until_stopped(
    work: Coroutine[Any, Any, None], name: str, manager: ServiceManager | None = None
) -> None:
    """Run `work` until it ends or the program is asked to stop; errors of `work` come out here.

    `manager` hears when that begins to end.
    """
    working = asyncio.create_task(work, name=name)
    stopping = asyncio.create_task(until_stopped(), name="until stopped")
    try:
        await asyncio.wait({working, stopping}, return_when=asyncio.FIRST_COMPLETED)
    finally:
        if manager is not None:
            manager.stopping()
        for task in (working, stopping):
            if not task.done():
                task.cancel()
        await asyncio.gather(working, stopping, return_exceptions=True)
    if not working.cancelled():
        working.result()


@asynccontextmanager
async def showing_life(
    manager: ServiceManager, works: Callable[[], Awaitable[bool]] | None = None
) -> AsyncIterator[None]:
    """Give the service manager a sign of life from this very loop whenever one is due.

    For programs whose loop serves pages or a broker; a board's signs are given where it takes its samples.

    Args:
        manager: Who is told.
        works: Asked before each sign; while it says no, none is given, and it is asked again soon.
    """

    async def show() -> None:
        watchdog = manager.watchdog
        assert watchdog.every_s is not None
        while True:
            if works is None or await works():
                manager.alive()
                await asyncio.sleep(watchdog.every_s)
            else:
                await asyncio.sleep(min(ASK_AGAIN_S, watchdog.every_s))

    if manager.watchdog.every_s is None:
        yield
        return
    showing = asyncio.create_task(show(), name="signs of life")
    try:
        yield
    finally:
        showing.cancel()
        await asyncio.gather(showing, return_exceptions=True)


@asynccontextmanager
async def broker_at_hand(
    table: BrokerTable, state_dir: Path, client_id: str, event: str = ""
) -> AsyncIterator[BrokerSettings]:
    """Give the configured broker, or that of the event's hall, or one that the programs here share.

    Args:
        table: What is configured.
        state_dir: Where the programs of this machine look for the broker they share.
        client_id: As whom the program speaks there; empty for one that may run more than once.
        event: Whose hall is looked for where the broker's host is `auto`.

    Raises:
        BrokerError: None is configured, none is found and none can be started.
    """
    if table.host == AUTO:
        yield await broker_of_hall(table, state_dir, client_id, event)
        return
    if table.host is not None:
        yield BrokerSettings(
            table.host, table.port, username=table.username, password=table.password, client_id=client_id
        )
        return
    for tries_left in reversed(range(FIND_TRIES)):
        found = find_broker(state_dir)
        if found is not None:
            log.info("broker: %s on %s:%s, run by another program", found.kind, found.host, found.port)
            yield BrokerSettings(found.host, found.port, client_id=client_id)
            return
        try:
            own = await start_broker(state_dir, table.own)
        except BrokerTakenError:
            # That program may have been a moment faster: then its address appears soon.
            if not tries_left:
                raise
            await asyncio.sleep(0.25)
            continue
        async with own:
            log.info("broker: %s on %s:%s, our own", own.kind, own.host, own.port)
            yield own.settings(client_id)
        return


def address_said(program: str, manager: ServiceManager | None = None) -> Callable[[str, int], None]:
    """Return what prints where a program's pages are, as an address that can be clicked.

    A service manager hears that the program is ready then.
    """

    def say_where(host: str, port: int) -> None:
        name = f"[{host}]" if ":" in host else host
        if manager is not None:
            manager.ready(f"the pages are at http://{name}:{port}")
        try:
            typer.echo(f"{program}: http://{name}:{port}")
        except OSError as error:
            log.warning(
                "standard output is gone (%s); the %s is at http://%s:%s", error.strerror, program, name, port
            )

    return say_where
