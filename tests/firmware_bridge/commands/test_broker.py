"""`togyz broker`: stopped at whatever moment, it takes its broker with it; as a service it waits its turn."""

from __future__ import annotations

import asyncio
import os
import subprocess
import sys
from pathlib import Path

import pytest

from firmware_bridge.commands import broker
from firmware_bridge.config import load_config
from firmware_bridge.notify import ServiceManager
from firmware_bridge.wire.broker import BrokerTakenError
from firmware_bridge.wire.rendezvous import Claim, find_broker
from tests.service_manager import ListeningManager

ROOT = Path(__file__).parents[3]

STOPPED = """
import os, signal
from firmware_bridge.__main__ import main
from firmware_bridge.commands import broker

def announced(line):
    print(line, flush=True)
    os.kill(os.getpid(), signal.SIGTERM)

broker.console.print = announced
main()
"""
"""A broker whose reader stops it the moment it says where it is, which no process outside could time."""


@pytest.mark.mosquitto
@pytest.mark.usefixtures("mosquitto")
def test_a_broker_stopped_as_soon_as_it_speaks_leaves_nothing_behind(tmp_path: Path) -> None:
    """It has listened since before it started anything: it ends in order, and not by the signal."""
    config = tmp_path / "board.toml"
    config.write_text(
        f"[board]\nid = 'b'\nstate_dir = '{tmp_path / 'state'}'\n"
        "[device]\nport = 'tty'\n[calibration]\nfile = 'c.json'\n[game]\nminutes = 5\n"
        "bastaushy = 'A'\nqostaushy = 'B'\n[broker]\nown = 'mosquitto'\n",
        encoding="utf-8",
    )
    done = subprocess.run(
        [sys.executable, "-c", STOPPED, "broker", str(config)],
        env={**os.environ, "PYTHONPATH": str(ROOT)},
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    )
    assert done.stdout.startswith("broker: mosquitto on "), done.stderr
    assert done.returncode == 0, done.stderr
    assert find_broker(tmp_path / "state") is None


CONFIG = "[board]\nid = 'b'\nstate_dir = 'state'\n[device]\nport = 'tty'\n[calibration]\nfile = 'c.json'\n"


def test_a_service_whose_place_is_taken_waits_for_its_turn(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A board that found no broker runs its own; when it ends, the others must not be left without one."""
    monkeypatch.setattr(broker, "TURN_S", 0.01)
    path = tmp_path / "b.toml"
    path.write_text(f"{CONFIG}[broker]\nown = 'amqtt'\n", encoding="utf-8")
    config = load_config(path)
    config.board.state_dir.mkdir()
    other = Claim(config.board.state_dir)

    async def scene(manager: ListeningManager) -> None:
        serving = asyncio.create_task(broker.serve(config, ServiceManager(manager.address)))
        await _heard(manager, 1)
        other.release()
        await _heard(manager, 2)
        serving.cancel()
        await asyncio.wait({serving})

    with ListeningManager(tmp_path / "notify") as manager:
        asyncio.run(scene(manager))
    waits, runs = (told.lines for told in manager.told)
    assert waits[0] == "READY=1"
    assert waits[1].startswith("STATUS=waiting for its turn: another program already runs the broker of ")
    assert len(runs) == 1
    assert runs[0].startswith("STATUS=amqtt listens on 127.0.0.1:")
    assert find_broker(config.board.state_dir) is None


async def _heard(manager: ListeningManager, count: int) -> None:
    """Return when so much was told."""
    for _ in range(4000):
        manager.hear()
        if len(manager.told) == count:
            return
        await asyncio.sleep(0.01)
    raise AssertionError(f"told: {manager.told}")


def test_a_broker_that_nobody_watches_over_does_not_wait(tmp_path: Path) -> None:
    """Whoever typed it is told at once."""
    path = tmp_path / "b.toml"
    path.write_text(CONFIG, encoding="utf-8")
    config = load_config(path)
    config.board.state_dir.mkdir()
    other = Claim(config.board.state_dir)
    try:
        with pytest.raises(BrokerTakenError, match="another program already runs the broker"):
            asyncio.run(broker.serve(config, ServiceManager()))
    finally:
        other.release()
