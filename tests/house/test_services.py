"""What the programs tell the service manager that starts them: real programs, a manager that only listens."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from dataclasses import dataclass
from pathlib import Path
from typing import Self

import pytest

from firmware_bridge.board.control import ask
from firmware_bridge.commands.emulate import settings_of
from firmware_bridge.config import load_config
from firmware_bridge.emulator.emulator import measure
from sensors.calibration_file import save_calibration
from tests.service_manager import ListeningManager

PROGRAMS = ("broker", "board", "table", "hall")

LIMIT_S = 0.6
"""After which silence a service manager would kill: signs come every half of it."""

CONFIG = """\
[board]
id = "b"
event = "test"
state_dir = "state"
[device]
port = "b.tty"
[calibration]
file = "calibration.json"
[hall]
port = 0
[table]
port = 0
[emulator]
hands = "told"
profile = "clean"
samples_per_second = 10
"""

BLOCKABLE = """
import asyncio, signal
from firmware_bridge.board import runtime, vigil
vigil.DEVICE_PATIENCE_S = 0.5
blocked = []
signal.signal(signal.SIGUSR1, lambda *_: blocked.append(True))
sample = runtime.Board._sample
async def look(board, raw):
    if blocked:
        await asyncio.Event().wait()
    await sample(board, raw)
runtime.Board._sample = look
from firmware_bridge.__main__ import main
main()
"""
"""`togyz`, whose board waits for its device only briefly, and whose samples get stuck at SIGUSR1."""


class Services:
    """The programs of one table, started as services; a context manager.

    Attributes:
        manager: Hears what they tell.
        socket: The board's control socket.
    """

    def __init__(self, folder: Path) -> None:
        """Write a configuration and a calibration; nothing is started."""
        self.folder = folder
        self.config = folder / "b.toml"
        self.config.write_text(CONFIG, encoding="utf-8")
        loaded = load_config(self.config)
        save_calibration(loaded.calibration.file, measure(settings_of(loaded)))
        self.manager = ListeningManager(folder / "notify")
        self.socket = folder / "state" / "b" / "control.sock"
        self._programs: dict[str, subprocess.Popen[bytes]] = {}

    def __enter__(self) -> Self:
        """Start all but the device."""
        for name in PROGRAMS:
            self.start(name)
        return self

    def __exit__(self, *_: object) -> None:
        """Kill what still runs."""
        for program in self._programs.values():
            program.kill()
            program.wait()
        self.manager.__exit__()

    def start(self, name: str) -> None:
        """Start one program, the way its unit does."""
        program = ["-c", BLOCKABLE] if name == "board" else ["-m", "firmware_bridge"]
        with (self.folder / f"{name}.log").open("wb") as log:
            self._programs[name] = subprocess.Popen(
                [sys.executable, *program, name, str(self.config)],
                stdin=subprocess.DEVNULL,
                stdout=log,
                stderr=log,
                env={**os.environ, **self.manager.environment(LIMIT_S)},
            )

    def pid(self, name: str) -> int:
        """Return a program's process id."""
        return self._programs[name].pid

    def lines(self, name: str) -> list[str]:
        """Return what a program has told so far."""
        return self.manager.lines(self.pid(name))

    def until(self, name: str, line: str, times: int = 1) -> None:
        """Listen until a program has told a line so often."""
        self.manager.until(lambda _: self.lines(name).count(line) >= times)

    def until_again(self, name: str, line: str) -> None:
        """Listen until a program tells a line once more."""
        self.manager.rest()
        self.until(name, line, self.lines(name).count(line) + 1)

    def signs(self, name: str) -> int:
        """Return how many signs of life a program has given."""
        return self.lines(name).count("WATCHDOG=1")

    def passes(self, seconds: float) -> None:
        """Listen for so long."""
        until_s = time.monotonic() + seconds
        while (left_s := until_s - time.monotonic()) > 0:
            self.manager.hear(left_s)
        self.manager.rest()

    def end(self, name: str) -> int:
        """Ask a program to end, and go on listening; return its exit code."""
        program, deadline = self._programs[name], time.monotonic() + 30
        program.terminate()
        # Ten datagrams that nobody takes fill the socket, and the others would wait for their turn.
        while (code := program.poll()) is None:
            assert time.monotonic() < deadline, f"{name} does not end"
            self.manager.hear(0.05)
        return code


@dataclass(frozen=True, slots=True)
class Heard:
    """What was told while a table was started, lost its broker and got stuck, and was stopped.

    Attributes:
        folder: Where its files were.
        programs: The process id of each program.
        told: The lines of each program, in order.
        everybody: The process ids of all that spoke.
        answered: Whether the board without its device answered on its control socket.
        silent: How many signs of life broker and board gave while they hung.
        codes: How each program ended.
    """

    folder: Path
    programs: dict[str, int]
    told: dict[str, list[str]]
    everybody: set[int]
    answered: bool
    silent: dict[str, int]
    codes: dict[str, int]


@pytest.fixture(scope="module")
def heard(tmp_path_factory: pytest.TempPathFactory) -> Heard:
    """The whole story, told once: programs take longer to start than to be asked."""
    folder = tmp_path_factory.mktemp("services")
    with Services(folder) as services:
        for name in PROGRAMS:
            services.until(name, "READY=1")
            services.until(name, "WATCHDOG=1", 2)
        answered = bool(ask(services.socket, {"do": "status"})["ok"])
        services.start("emulate")
        services.until("board", f"STATUS=the device at {folder}/b.tty is read")
        services.until_again("board", "WATCHDOG=1")
        broker = json.loads((folder / "state" / "broker.json").read_text("utf-8"))["pid"]
        os.kill(broker, signal.SIGSTOP)
        os.kill(services.pid("board"), signal.SIGUSR1)
        try:
            services.passes(LIMIT_S)  # what was handled and answered before
            silent = {name: -services.signs(name) for name in PROGRAMS}
            services.passes(2 * LIMIT_S)
            silent = {name: silent[name] + services.signs(name) for name in PROGRAMS}
        finally:
            os.kill(broker, signal.SIGCONT)
        services.until_again("broker", "WATCHDOG=1")
        codes = {name: services.end(name) for name in reversed(PROGRAMS)}
        services.passes(0)
        told = {name: services.lines(name) for name in PROGRAMS}
        pids = {name: services.pid(name) for name in PROGRAMS}
        everybody = {each.pid for each in services.manager.told}
    return Heard(folder, pids, told, everybody, answered, silent, codes)


@pytest.mark.parametrize(
    ("name", "status"),
    [
        ("broker", " listens on 127.0.0.1:"),
        ("hall", "the pages are at http://127.0.0.1:"),
        ("table", "the pages are at http://127.0.0.1:"),
    ],
)
def test_a_program_is_ready_when_it_listens_then_lives_then_stops(
    heard: Heard, name: str, status: str
) -> None:
    """In this order, each but the signs of life once, and it says where it listens."""
    told = heard.told[name]
    assert told[0] == "READY=1"
    assert told[1].startswith("STATUS=")
    assert status in told[1]
    assert set(told[2:-1]) == {"WATCHDOG=1"}
    assert (told[-1], heard.codes[name]) == ("STOPPING=1", 0)


def test_a_board_without_its_device_is_ready_degraded_and_can_be_commanded(heard: Heard) -> None:
    """Before that it has asked for the time that its journal may take; later its device arrives."""
    told, folder = heard.told["board"], heard.folder
    assert told[:3] == [
        f"STATUS=reading {folder}/state/b/journal.jsonl",
        "EXTEND_TIMEOUT_USEC=60000000",
        "READY=1",
    ]
    gone = f"STATUS=degraded: no device at {folder}/b.tty: {folder}/b.tty is not there"
    assert told[3].startswith(gone)
    assert told[4] == "WATCHDOG=1"
    later = [line for line in told[4:] if line != "WATCHDOG=1"]
    assert later[-2:] == [f"STATUS=the device at {folder}/b.tty is read", "STOPPING=1"]
    assert (heard.answered, heard.codes["board"]) == (True, 0)


def test_a_board_whose_inbox_stands_still_shows_no_life_though_its_loop_turns(heard: Heard) -> None:
    """A sample never came to its end, and every tick behind it waits; the hall lives meanwhile."""
    assert heard.silent["board"] == 0
    assert heard.silent["hall"] > 0


def test_a_broker_that_hangs_shows_no_life(heard: Heard) -> None:
    """The program around it runs on; what is asked is whether the broker answers."""
    assert heard.silent["broker"] == 0
    assert heard.silent["table"] > 0


def test_nobody_speaks_for_a_program(heard: Heard) -> None:
    """A mosquitto below the broker knows sd_notify too, and must not say READY=1 for it."""
    assert heard.everybody == set(heard.programs.values())
