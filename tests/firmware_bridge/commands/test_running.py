"""How a program finds its broker, runs and stops."""

from __future__ import annotations

import asyncio
import os
import signal
import time
from pathlib import Path
from typing import cast

import pytest

from firmware_bridge.commands import running
from firmware_bridge.commands.running import broker_at_hand, run_until_stopped, showing_life
from firmware_bridge.config import BrokerTable
from firmware_bridge.notify import ServiceManager
from firmware_bridge.watchdog import Watchdog
from firmware_bridge.wire.broker import BrokerError, start_broker


def test_a_configured_broker_is_taken_at_its_word(tmp_path: Path) -> None:
    """Nothing is looked for, nothing started."""

    async def scene() -> None:
        table = BrokerTable(host="192.0.2.1", port=8883, username="u", password="p")  # noqa: S106 - nobody's
        async with broker_at_hand(table, tmp_path, "c") as settings:
            assert (settings.where, settings.username, settings.client_id) == ("192.0.2.1:8883", "u", "c")

    asyncio.run(scene())
    assert list(tmp_path.iterdir()) == []


def test_the_broker_of_another_program_is_shared(tmp_path: Path) -> None:
    """One folder, one broker."""

    async def scene() -> None:
        async with await start_broker(tmp_path, "amqtt") as first:
            async with broker_at_hand(BrokerTable(own="amqtt"), tmp_path, "c") as settings:
                assert settings.port == first.port
            assert first.pid is not None

    asyncio.run(scene())


def test_a_broker_that_cannot_be_started_is_told_at_once(tmp_path: Path) -> None:
    """Waiting is for one that somebody else is starting."""
    (tmp_path / "file").write_text("x")

    async def scene() -> None:
        async with broker_at_hand(BrokerTable(), tmp_path / "file", "c"):
            pass

    began = time.monotonic()
    with pytest.raises(BrokerError, match=r"cannot be kept in .*file: .*another `board\.state_dir`"):
        asyncio.run(scene())
    assert time.monotonic() - began < running.FIND_TRIES * 0.25 / 2


def test_an_error_of_the_work_comes_out() -> None:
    """It is not lost between two tasks."""

    async def work() -> None:
        raise BrokerError("gone")

    with pytest.raises(BrokerError, match="gone"):
        asyncio.run(run_until_stopped(work(), "work"))


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_a_signal_ends_the_work_in_good_order(number: signal.Signals) -> None:
    """It may tidy up, and the program ends without an error."""
    tidied = []

    async def work() -> None:
        await asyncio.sleep(0)  # until the signals are listened for
        os.kill(os.getpid(), number)
        try:
            await asyncio.sleep(60)
        finally:
            tidied.append(number)

    asyncio.run(run_until_stopped(work(), "work"))
    assert tidied == [number]


class Manager:
    """Counts signs of life."""

    def __init__(self, limit_s: float | None) -> None:
        """Be owed one every half of `limit_s`."""
        self.watchdog = Watchdog(limit_s)
        self.signs = 0

    def alive(self) -> None:
        """Count."""
        self.signs += 1


def test_a_program_shows_life_only_while_it_works(monkeypatch: pytest.MonkeyPatch) -> None:
    """Asked again soon when it does not: what was down for a moment must not be killed for it."""
    monkeypatch.setattr(running, "ASK_AGAIN_S", 0.0)
    manager, asked = Manager(1e-9), asyncio.Queue[bool]()

    async def scene() -> None:
        async with showing_life(cast("ServiceManager", manager), asked.get):
            for works, signs in ((False, 0), (False, 0), (True, 1), (False, 1), (True, 2)):
                asked.put_nowait(works)
                for _ in range(9):  # turns of the loop, more than it takes
                    await asyncio.sleep(0)
                assert manager.signs == signs

    asyncio.run(scene())


def test_a_program_that_nobody_watches_is_not_asked() -> None:
    """Typed at a prompt, it keeps no task for it."""

    async def scene() -> None:
        async with showing_life(cast("ServiceManager", Manager(None))):
            assert len(asyncio.all_tasks()) == 1

    asyncio.run(scene())
