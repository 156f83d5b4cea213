"""A board that runs is asked over its socket, and its port is left to it."""

from __future__ import annotations

import time
from pathlib import Path

from firmware_bridge.commands.processes import Crew
from firmware_bridge.doctor.device import DeviceFacts
from firmware_bridge.doctor.findings import Check
from tests.firmware_bridge.doctor.device import Build, WrongDevice
from tests.firmware_bridge.doctor.patient import OF_DEVICE, Patient, accused
from tests.house.lone_board import PATIENCE_S

DUE = {"channel_dead", "channels_doubled"}


def test_a_running_board_is_asked_and_keeps_its_port(tmp_path: Path) -> None:
    """Its broken cell is named, its whole ones are not, and it goes on as before."""

    def watch(*_: object) -> DeviceFacts:
        raise AssertionError("the port of a running board was opened")

    patient = Patient(tmp_path)
    patient.config()
    build = Build(status={3: 1}, copies={8: 7}, pace=1)
    with WrongDevice(tmp_path / "board-1.tty", build), Crew(tmp_path) as crew:
        board = crew.start("board", tmp_path / "board.toml")
        deadline = time.monotonic() + PATIENCE_S
        while patient.findings(Check.BOARD, Check.PORT):
            assert time.monotonic() < deadline, board.last_words()
            time.sleep(0.1)
        patient.watch = watch
        while (found := accused(patient.findings(*OF_DEVICE))).keys() != DUE:
            assert time.monotonic() < deadline, (found, board.last_words())
            time.sleep(0.1)
        board.check()
        assert "in use by another program" not in board.log_path.read_text(encoding="utf-8")
