"""`togyz broker` as a process: stopped at whatever moment, it takes its broker with it."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from firmware_bridge.wire.rendezvous import find_broker

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
