"""A real hall on a real port, in a thread of its own, for tests that look from outside."""

import asyncio
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any

from firmware_bridge.hall.feed import Feed
from firmware_bridge.hall.gateway import run_hall
from firmware_bridge.hall.settings import HallSettings
from firmware_bridge.wire.settings import BrokerSettings
from tests.firmware_bridge.hall.plays import EVENT

_PATIENCE_S = 20.0


def settings(**more: Any) -> HallSettings:
    """Return settings whose broker nobody will ask; `more` replaces or adds fields."""
    facts: dict[str, Any] = {"event_id": EVENT, "broker": BrokerSettings("127.0.0.1", 1), "beat_s": 0.3}
    return HallSettings(**{**facts, **more})


@dataclass
class Served:
    """Where a hall answers."""

    host: str
    port: int

    @property
    def url(self) -> str:
        """The address of its first page."""
        return f"http://{self.host}:{self.port}"


@contextmanager
def serving(feed: Feed, hall: HallSettings, heard: Feed | None = None) -> Iterator[Served]:
    """Run a hall until left; its port is kept for a second one when `hall.port` names it.

    Its console, if it has one, hears the boards' games from `heard`.
    """
    bound: list[Served] = []
    failed: list[BaseException] = []
    loop = asyncio.new_event_loop()
    ready = threading.Event()

    def tell(host: str, port: int) -> None:
        bound.append(Served(host, port))
        ready.set()

    def run() -> None:
        try:
            with asyncio.Runner(loop_factory=lambda: loop) as runner:
                runner.run(_until_cancelled(hall, tell, feed, heard))
        except BaseException as error:  # noqa: BLE001 - told to the test below
            failed.append(error)
        finally:
            ready.set()

    thread = threading.Thread(target=run, name="hall under test")
    thread.start()
    try:
        assert ready.wait(_PATIENCE_S), "the hall did not start"
        if failed:
            raise failed[0]
        yield bound[0]
    finally:
        if thread.is_alive():
            loop.call_soon_threadsafe(_cancel_all, loop)
        thread.join(_PATIENCE_S)
        assert not thread.is_alive(), "the hall did not stop"


async def _until_cancelled(hall: HallSettings, tell: Any, feed: Feed, heard: Feed | None) -> None:
    task = asyncio.current_task()
    assert task is not None
    task.set_name("hall main")
    try:
        await run_hall(hall, tell, feed, heard)
    except asyncio.CancelledError:
        task.uncancel()


def _cancel_all(loop: asyncio.AbstractEventLoop) -> None:
    for task in asyncio.all_tasks(loop):
        if task.get_name() == "hall main":
            task.cancel()


def until(condition: Any, what: str, patience_s: float = _PATIENCE_S) -> Any:
    """Ask again and again until the answer is true; return it."""
    ends = time.monotonic() + patience_s
    while True:
        if found := condition():
            return found
        assert time.monotonic() < ends, f"still not so: {what}"
        time.sleep(0.02)
