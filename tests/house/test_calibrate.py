"""`togyz calibrate` as a club meets it: real processes, a serial line, hands that are told what to do."""

from __future__ import annotations

import json
import os
import signal
import time
from pathlib import Path
from typing import Any

import pytest

from firmware_bridge.board.control import ask
from firmware_bridge.calibrating.steps import Step
from firmware_bridge.commands.emulate import settings_of
from firmware_bridge.commands.processes import Crew, Member
from firmware_bridge.config import load_config
from firmware_bridge.emulator.emulator import measure
from sensors.calibration import Calibration
from sensors.calibration_file import load_calibration, previous_of
from tests.firmware_bridge.calibrating.told_hands import ToldHands

PATIENCE_S = 40.0

CONFIG = """\
[board]
id = "board-1"
state_dir = "state"
[device]
port = "device"
[calibration]
file = "calibration.json"
[broker]
host = "127.0.0.1"
port = 1
[table]
port = 0
[emulator]
hands = "told"
speed = 20
pace = "blitz"
"""


class Guided:
    """A calibration by `togyz calibrate --json`, with hands that do what it asks."""

    def __init__(self, crew: Crew, config: Path, emulator: Member) -> None:
        """Begin, where the board is or alone."""
        self._crew, self._config, self._emulator = crew, config, emulator
        self.hands = ToldHands()
        self._told = self._seen = 0
        self.program = crew.start("calibrate", config, "--json", obeys=True)

    def again(self) -> None:
        """Begin the program once more."""
        self.program = self._crew.start("calibrate", self._config, "--json", obeys=True)
        self._seen = 0

    def view(self, *words: str) -> dict[str, Any]:
        """Return the next view that says so, from the one on that was seen last."""
        ends = time.monotonic() + PATIENCE_S
        while time.monotonic() < ends:
            for line in self.program._lines[self._seen :]:
                if all(word in line for word in words):
                    view: dict[str, Any] = json.loads(line)
                    found: dict[str, Any] = view.get("calibration", view)
                    return found
                self._seen += 1
            self.program.check()
            time.sleep(0.02)
        raise AssertionError(f"not said: {words}; last: {self.program._lines[-3:]}")

    def do(self, step: Step) -> None:
        """Let the hands do what a step asks, and say so."""
        self.view(f'"step": "{step}"', '"state": "asking"')
        self._emulator.tell(self.hands.line(step))
        self._told += 1
        self._emulator.wait_for(f'"line": {self._told},', PATIENCE_S)
        if step is not Step.TOUCH:
            self.program.tell("next")

    def finish(self, first: Step = Step.EMPTY) -> None:
        """Do all steps from one on, and keep what comes of it."""
        for step in list(Step)[list(Step).index(first) :]:
            self.do(step)
        self.view('"state": "judged"')
        self.program.tell("next")
        assert self.view('"kept"')["kept"] == str(self._config.parent / "calibration.json")


def emulated(tmp_path: Path, crew: Crew, *more: str) -> tuple[Path, Member]:
    """Start an emulated board; return its configuration and its process."""
    config = tmp_path / "board.toml"
    config.write_text(CONFIG, encoding="utf-8")
    emulator = crew.start("emulate", config, "--commands", *more, obeys=True)
    emulator.wait_for('"ready"', PATIENCE_S)
    return config, emulator


def same(found: Calibration, ideal: Calibration) -> None:
    """Hold a made calibration to the emulator's own, as counting needs it: loads in stones."""
    assert found.board_id == ideal.board_id
    for mine, true in zip(found.channels, ideal.channels, strict=True):
        per_stone = mine.raw_per_g * found.unit_g, true.raw_per_g * ideal.unit_g
        assert per_stone[0] == pytest.approx(per_stone[1], rel=0.025)
        assert (mine.zero_raw - true.zero_raw) / per_stone[1] == pytest.approx(0.0, abs=0.3)
    assert found.mark_g / found.unit_g == pytest.approx(ideal.mark_g / ideal.unit_g, rel=0.1)


def test_a_board_without_a_calibration_gets_its_first_one_alone(tmp_path: Path) -> None:
    """From nothing, interrupted by Ctrl-C and by a kill in the middle; then the board starts with it."""
    with Crew(tmp_path) as crew:
        config, emulator = emulated(tmp_path, crew, "--no-calibrate")
        guided = Guided(crew, config, emulator)
        guided.program.tell("mass 186.3")
        for step in (Step.EMPTY, Step.TOUCH, Step.NINES):
            guided.do(step)
        guided.view('"step": "heaps"')
        guided.program.process.send_signal(signal.SIGINT)
        guided.program.process.wait(PATIENCE_S)
        guided.again()
        assert guided.view('"step"')["step"] == "heaps"
        guided.finish(Step.HEAPS)
        assert not (tmp_path / "state/board-1/calibrating.json").exists()
        made = load_calibration(tmp_path / "calibration.json")
        assert made.unit_g == pytest.approx(1.15)
        board = crew.start("board", config)
        board_answers(tmp_path / "state/board-1/control.sock")
        board.check()
    same(made, measure(settings_of(load_config(config))))


@pytest.mark.bench
def test_a_running_board_calibrates_itself_and_weighs_by_it_at_once(tmp_path: Path) -> None:
    """Killed in the middle it goes on at the same step; a game is refused meanwhile and afterwards set up."""
    with Crew(tmp_path) as crew:
        config, emulator = emulated(tmp_path, crew)
        first = load_calibration(tmp_path / "calibration.json")
        board = crew.start("board", config)
        socket = tmp_path / "state/board-1/control.sock"
        board_answers(socket)
        guided = Guided(crew, config, emulator)
        for step in (Step.EMPTY, Step.TOUCH):
            guided.do(step)
        guided.view('"step": "nines"')
        board.process.kill()
        board.process.wait()
        guided.program.process.kill()
        crew.start("board", config)
        board_answers(socket)
        guided.again()
        guided.finish(Step.NINES)
        made = load_calibration(tmp_path / "calibration.json")
        assert (made.unit_g, load_calibration(previous_of(tmp_path / "calibration.json"))) == (
            first.unit_g,
            first,
        )
        same(made, first)
        weighed = ask(socket, {"do": "survey", "seconds": 2})
        assert weighed["calibration"]["channels"][0]["zero_raw"] == made.channels[0].zero_raw
        assert ask(socket, {"do": "calibrate", "step": "state"}) == {"ok": True, "calibration": None}


def board_answers(socket: Path) -> None:
    """Wait until a board listens and hears its device."""
    ends = time.monotonic() + PATIENCE_S
    while time.monotonic() < ends:
        try:
            if ask(socket, {"do": "survey"})["survey"]["samples"] > 100:
                return
        except OSError:
            pass
        time.sleep(0.1)
    raise AssertionError(f"{socket}: no board with a device ({os.getpid()})")
