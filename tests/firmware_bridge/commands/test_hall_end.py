"""The hall as a program."""

from __future__ import annotations

import signal
import subprocess
import sys
from pathlib import Path

import pytest

CONFIG = """
[board]
id = "board-1"
state_dir = "state"
[device]
port = "board.tty"
[calibration]
file = "calibration.json"
[broker]
own = "amqtt"
[hall]
port = 0
"""


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_a_signal_ends_the_hall_and_its_broker_in_good_order(tmp_path: Path, number: signal.Signals) -> None:
    """Exit code 0, and the broker's address is withdrawn."""
    config = tmp_path / "hall.toml"
    config.write_text(CONFIG, encoding="utf-8")
    command = [sys.executable, "-m", "firmware_bridge", "hall", str(config)]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True) as process:
        assert process.stdout is not None
        assert process.stdout.readline().startswith("hall: http://127.0.0.1:")
        assert (tmp_path / "state" / "broker.json").exists()
        process.send_signal(number)
        assert process.wait(60) == 0
    assert not (tmp_path / "state" / "broker.json").exists()
