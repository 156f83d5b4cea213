"""A board without a microcontroller as its owner starts it: `togyz pins` and `togyz board`."""

from __future__ import annotations

import os
import subprocess
import sys
import time
from pathlib import Path

import pytest

from sensors.calibration import Calibration, ChannelCalibration
from sensors.calibration_file import save_calibration
from tests.house.committed import ROOT

CONFIG = """\
[board]
id = "pins-9"
event = "e"
state_dir = "state"
[device]
port = "dev/pins-9"
[calibration]
file = "calibration.json"
[pins]
clock = 24
data = [4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20, 21, 22, 23]
rate = 10
buttons = [2, 3, 27]
"""

STONE_G, RAW_PER_G = 5.0, 1000.0
PATIENCE_S = 120.0


@pytest.mark.bench
def test_a_board_reads_its_stones_from_header_pins(tmp_path: Path) -> None:
    """Nine in each pit, none in the kazans, from twenty converters on one clock; both end cleanly."""
    config = tmp_path / "board.toml"
    config.write_text(CONFIG, encoding="utf-8")
    channels = tuple(
        ChannelCalibration(100_000 + 1_111 * channel - load_g * RAW_PER_G, RAW_PER_G)
        for channel, load_g in enumerate([9 * STONE_G] * 18 + [0.0] * 2)
    )
    save_calibration(tmp_path / "calibration.json", Calibration("pins-9", STONE_G, 3.0, channels))
    surroundings = {
        **os.environ,
        "PYTHONPATH": f"{ROOT}{os.pathsep}{ROOT / 'tests' / 'sensors' / 'fake_rpi'}",
        "GPIOZERO_PIN_FACTORY": "mock",
        "FAKE_RPI_RATE": "10",
        "FAKE_RPI_NOISE": "25",
    }
    programs = [
        subprocess.Popen([sys.executable, "-m", "firmware_bridge", name, str(config)], env=surroundings)
        for name in ("pins", "board")
    ]
    try:
        until = time.monotonic() + PATIENCE_S
        said = ""
        while "as it should be" not in said and time.monotonic() < until:
            time.sleep(0.5)  # each question is a program of its own
            asked = [sys.executable, "-m", "firmware_bridge", "control", str(config), "status"]
            said = subprocess.run(asked, env=surroundings, check=False, capture_output=True, text=True).stdout
        assert "the board is: as it should be" in said
    finally:
        for program in reversed(programs):
            program.terminate()
        ended = [program.wait(30) for program in programs]
    assert ended == [0, 0]
