"""A board that knows only its event finds hall and broker on the network; real programs, real multicast."""

from __future__ import annotations

import json
import subprocess
import sys
import time
import urllib.request
from pathlib import Path
from typing import Any

import pytest

from firmware_bridge.commands.processes import Crew
from firmware_bridge.wire.broker_files import free_port
from sensors.calibration import Calibration, ChannelCalibration
from sensors.calibration_file import save_calibration
from tests.firmware_bridge.discovery.conftest import _MISSING

pytestmark = [pytest.mark.bench, pytest.mark.skipif(bool(_MISSING), reason=_MISSING or "multicast")]

PATIENCE_S = 60.0

CONFIG = """\
[board]
id = "{board}"
event = "{event}"
state_dir = "{board}"
[device]
port = "nowhere.tty"
[calibration]
file = "calibration.json"
"""

HALL = """\
[hall]
host = "127.0.0.1"
port = 0
announce = true
"""

AUTO = '[broker]\nhost = "auto"\n'


def boards_of(url: str) -> list[str]:
    """Return the boards that a hall has heard of."""
    with urllib.request.urlopen(f"{url}/api/boards", timeout=5) as answer:  # noqa: S310 - our own hall
        return [each["board"] for each in json.loads(answer.read())["boards"]]


def said_by(*words: str) -> Any:
    """Return what a command of ours says as JSON."""
    command = [sys.executable, "-m", "firmware_bridge", *words, "--json"]
    return json.loads(subprocess.run(command, capture_output=True, text=True, check=False).stdout)


def test_a_board_finds_the_hall_of_its_event_and_no_other(tmp_path: Path) -> None:
    """And the doctor finds it, too; a board of another event is told which events are there."""
    event = f"cup-{free_port()}"
    channels = (ChannelCalibration(0.0, 1000.0),) * 20
    save_calibration(tmp_path / "calibration.json", Calibration("b1", 1.0, 3.0, channels))
    files = {name: tmp_path / f"{name}.toml" for name in ("hall", "b1", "b2")}
    files["hall"].write_text(CONFIG.format(board="hall", event=event) + HALL, encoding="utf-8")
    files["b1"].write_text(CONFIG.format(board="b1", event=event) + AUTO, encoding="utf-8")
    files["b2"].write_text(CONFIG.format(board="b2", event="another") + AUTO, encoding="utf-8")
    with Crew(tmp_path) as crew:
        hall = crew.start("hall", files["hall"])
        url = hall.wait_for("hall: ", PATIENCE_S).removeprefix("hall: ").strip()
        board = crew.start("board", files["b1"])
        deadline = time.monotonic() + PATIENCE_S
        while "b1" not in boards_of(url):
            board.check()
            assert time.monotonic() < deadline, (hall.last_words(), board.last_words())
            time.sleep(0.1)
        assert (tmp_path / "b1" / "hall.json").exists()
        (heard,) = said_by("find", "--event", event)["halls"]
        assert heard["url"] == f"{url}/"
        found = said_by("doctor", str(files["b1"]), "--only", "broker", "--only", "hall")
        assert found["findings"] == []
        found = said_by("doctor", str(files["b2"]), "--only", "broker")
        (finding,) = found["findings"]
        assert finding["code"] == "broker_not_found"
        assert event in finding["values"]["heard"]
