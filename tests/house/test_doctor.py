"""The doctor as a user starts it, at an emulated board of ordinary cells: healthy, then with broken ones."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from firmware_bridge.commands.processes import Crew
from firmware_bridge.doctor.looking import watch

pytestmark = pytest.mark.bench

PATIENCE_S = 60.0

CONFIG = """\
[board]
id = "board-1"
state_dir = "state"
[device]
port = "board-1.tty"
[calibration]
file = "calibration.json"
[emulator]
hands = "told"
profile = "nominal"
"""

OF_THE_BOARD = ("port", "board", "device", "link", "channels", "buttons", "disk", "broker")
"""What does not depend on the machine that runs the test."""


def examined(config: Path) -> tuple[int, dict[str, Any]]:
    """Return exit code and findings of the doctor."""
    only = [word for check in OF_THE_BOARD for word in ("--only", check)]
    command = [sys.executable, "-m", "firmware_bridge", "doctor", str(config), "--json", *only]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    return done.returncode, json.loads(done.stdout)


def test_a_device_that_speaks_at_once_is_watched_for_less_than_ten_seconds() -> None:
    """With all that is waited for; what else is looked at is looked at meanwhile."""
    assert watch.SETTLE_S + watch.SAMPLE_S < 5
    assert watch.HELLO_S + watch.SETTLE_S + watch.SAMPLE_S < 10


def test_a_healthy_board_is_called_so_and_a_broken_cell_is_named(tmp_path: Path) -> None:
    """Within ten seconds, by the doctor's own clock."""
    config = tmp_path / "board.toml"
    config.write_text(CONFIG, encoding="utf-8")
    with Crew(tmp_path) as crew:
        emulator = crew.start("emulate", config, "--commands", obeys=True)
        emulator.wait_for('"ready"', PATIENCE_S)
        code, told = examined(config)
        assert (code, told["healthy"]) == (0, True)
        assert {each["severity"] for each in told["findings"]} == {"note"}
        assert told["seconds"] < 10
        for line in ("break 3 saturated", "break 5 not_ready", "break 11 dead"):
            emulator.tell(line)
        code, told = examined(config)
        assert (code, told["healthy"]) == (1, False)
        named = {
            each["code"]: each["values"]["channel"] for each in told["findings"] if each["severity"] != "note"
        }
        assert named == {"channel_saturated": 3, "channel_dead": 5, "channel_weighs_wrong": 11}
