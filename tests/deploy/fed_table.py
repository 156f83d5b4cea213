"""A real `togyz board` at a table whose device is a program of its own, fed by `world_feed.py`."""

from __future__ import annotations

import json
import time
from collections.abc import Callable, Sequence
from dataclasses import replace
from pathlib import Path
from types import TracebackType
from typing import Any, Self

from firmware_bridge.commands.emulate import settings_of
from firmware_bridge.commands.processes import Crew
from firmware_bridge.config import load_config
from firmware_bridge.emulator.emulator import EmulatorSettings, measure
from rules.notation.moves import format_short
from sensors.calibration_file import save_calibration
from tests.deploy.world_feed import CabledDevice, Plug, WorldFeed

PATIENCE_S = 120.0

CONFIG = """\
[board]
id = "board-1"
event = "test"
state_dir = "state"
[device]
port = "board-1.tty"
[calibration]
file = "calibration.json"
[game]
control = "2h+5s"
start = "both_ready"
[emulator]
seed = {seed}
speed = {speed}
pace = "{pace}"
samples_per_second = {rate}
"""


class FedTable:
    """One table; a context manager.

    Args:
        folder: where everything is kept.
        command: makes the command that starts the device, from what it is to be.
        plies: of the demo's record that are played; None: all.
        plug: how the device comes to its line.
    """

    def __init__(
        self,
        folder: Path,
        command: Callable[[EmulatorSettings], Sequence[str]],
        *,
        plies: int | None = None,
        speed: int = 20,
        rate: int = 20,
        pace: str = "brisk",
        seed: int = 1,
        plug: Plug = CabledDevice,
    ) -> None:
        self.folder = folder
        self.config = folder / "board.toml"
        self.config.write_text(CONFIG.format(seed=seed, speed=speed, pace=pace, rate=rate), encoding="utf-8")
        loaded = load_config(self.config)
        settings = settings_of(loaded)
        self.settings = replace(settings, stop_after=plies)
        save_calibration(loaded.calibration.file, measure(self.settings))
        self.feed = WorldFeed(self.settings, command(self.settings), plug)
        self._crew = Crew(folder)

    def __enter__(self) -> Self:
        """Give the device power, start the board."""
        self.feed.__enter__()
        try:
            self._crew.__enter__()
            self.start_board()
        except BaseException:
            self.feed.__exit__(None, None, None)
            raise
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        """End both; show what was said if something went wrong."""
        self.feed.__exit__(kind, error, trace)
        self._crew.__exit__(kind, error, trace)
        if error is not None:
            print(self.board.last_words(), self.feed.device.said)  # noqa: T201 - for who reads the failure

    def start_board(self) -> None:
        """Start the board, for the first time or anew."""
        self.board = self._crew.start("board", self.config)

    @property
    def due(self) -> list[str]:
        """The moves of the record in the official short notation."""
        return [format_short(sowing) for sowing in self.settings.record.sowings[: self.settings.stop_after]]

    def journal(self) -> list[dict[str, Any]]:
        """Return the events of the journal."""
        path = self.folder / "state" / "board-1" / "journal.jsonl"
        if not path.exists():
            return []
        return [json.loads(line)["event"] for line in path.read_text(encoding="utf-8").splitlines()]

    def moves(self) -> list[str]:
        """Return the moves in the journal."""
        return [str(event["text"]) for event in self.journal() if event["kind"] == "move_played"]

    def until_played(self, timeout_s: float = PATIENCE_S) -> None:
        """Wait until the board has read as many plies as were played."""
        deadline = time.monotonic() + timeout_s
        while len(self.moves()) < len(self.due):
            assert self.feed.failure is None, self.feed.failure
            self.board.check()
            assert time.monotonic() < deadline, f"{len(self.moves())} of {len(self.due)}: {self.moves()}"
            time.sleep(0.1)
