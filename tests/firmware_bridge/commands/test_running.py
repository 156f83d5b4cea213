"""How a program finds its broker, runs and stops."""

from __future__ import annotations

import asyncio
import os
import signal
import time
from pathlib import Path

import pytest

from firmware_bridge.commands import running
from firmware_bridge.commands.running import broker_at_hand, run_until_stopped
from firmware_bridge.config import BrokerTable
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
