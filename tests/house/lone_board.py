"""One `togyz board` process, and a device made of bytes that a test holds in its hand.

For what no honest device would send. The board is asked through its control socket, as an arbiter asks.
"""

from __future__ import annotations

import json
import os
import re
import threading
import time
import tty
from collections.abc import Callable, Sequence
from pathlib import Path
from types import TracebackType
from typing import Any, Self

from firmware_bridge.board.control import ControlError, ask
from firmware_bridge.commands.processes import Crew, Member
from sensors import frames
from sensors.calibration import Calibration, ChannelCalibration
from sensors.calibration_file import save_calibration
from sensors.frames import Hello

PATIENCE_S = 40.0
RAW_PER_G = 1000.0
STONE_G = 1.0
NINE_EACH = (9,) * 18 + (0, 0)

CONFIG = """\
[board]
id = "board-1"
state_dir = "state"
[device]
port = "board-1.tty"
[calibration]
file = "calibration.json"
[conduct]
start = "both_ready"
"""


class ByteDevice:
    """The device's end of a pseudo terminal; says only what it is told to say."""

    def __init__(self, link: Path, boot_id: int = 0xB0A7) -> None:
        """Make a terminal behind `link`."""
        self.boot_id = boot_id
        self.presses = 0
        self.began = time.monotonic()
        self._link = link
        self._seq = 0
        self._samples = 0
        self._lock = threading.Lock()
        self.plug()

    def plug(self) -> None:
        """Put the cable in: a new terminal behind the same name."""
        self._master, slave = os.openpty()
        tty.setraw(slave)
        name = os.ttyname(slave)
        os.set_blocking(self._master, False)
        draft = self._link.with_suffix(".new")
        draft.symlink_to(name)
        draft.replace(self._link)
        os.close(slave)

    def unplug(self) -> None:
        """Pull the cable."""
        os.close(self._master)

    @property
    def now_us(self) -> int:
        """Device time."""
        return round((time.monotonic() - self.began) * 1e6)

    def raw(self, data: bytes) -> None:
        """Say these bytes; what the board does not read in time is lost, as on a real line."""
        view = memoryview(data)
        deadline = time.monotonic() + PATIENCE_S
        while view and time.monotonic() < deadline:
            try:
                view = view[os.write(self._master, view[:2048]) :]
            except BlockingIOError:
                time.sleep(0.001)

    def drain(self) -> bytes:
        """Return what the board has said since the last time."""
        said = b""
        while True:
            try:
                data = os.read(self._master, 65536)
            except OSError:
                return said
            said += data

    def frame(self, kind: int, payload: bytes) -> bytes:
        """Return one frame with the next sequence number."""
        with self._lock:
            data = frames.encode_frame(kind, self._seq, payload)
            self._seq = (self._seq + 1) % 65536
        return data

    def hello(self, **changes: Any) -> bytes:
        """Return a HELLO, with any field changed."""
        fields = {
            "major": 1,
            "minor": 0,
            "features": 0b111,
            "boot_id": self.boot_id,
            "reset_reason": 1,
            "uptime_us": self.now_us,
            "time_scale": 1,
            "rate_centihz": 4000,
            "channels": 20,
            "buttons": 3,
            "next_event": self.presses + 1,
            "board_id": "board-1",
            "firmware": "bytes",
        }
        return self.frame(frames.HELLO, frames.pack_hello(Hello(**{**fields, **changes})))

    def data(
        self, stones: Sequence[float], status: Sequence[int] = (0,) * 20, at_us: int | None = None
    ) -> bytes:
        """Return a DATA frame with so many stones on each channel; a converter never reads the same twice."""
        self._samples += 1
        noise = self._samples % 2
        raw = tuple(round(n * STONE_G * RAW_PER_G) + noise for n in stones)
        time_low = (self.now_us if at_us is None else at_us) % 2**32
        return self.frame(frames.DATA, frames.pack_data(frames.Data(time_low, tuple(status), raw)))

    def press(self, button: int, number: int | None = None) -> bytes:
        """Return a BUTTON frame; the next press, or one with another number."""
        if number is None:
            self.presses += 1
            number = self.presses
        return self.frame(frames.BUTTON, frames.pack_button(frames.Button(number, self.now_us, button, 1)))

    def show(self, stones: Sequence[float], seconds: float = 0.8, status: Sequence[int] = (0,) * 20) -> None:
        """Let these stones lie there for a while, sampled forty times a second, with a BEAT now and then."""
        end = time.monotonic() + seconds
        while time.monotonic() < end:
            self.raw(self.data(stones, status))
            self.raw(self.frame(frames.BEAT, frames.pack_beat(frames.Beat(self.now_us, 0, 0, 0))))
            self.drain()
            time.sleep(0.025)


class LoneBoard:
    """A board's process with a `ByteDevice`; a context manager."""

    def __init__(self, folder: Path, config: str = CONFIG) -> None:
        """Write configuration and calibration into `folder`."""
        self.folder = folder
        found = re.search('^id = "(.+)"$', config, re.MULTILINE)
        assert found is not None, "the configuration names no board"
        self.board = found[1]
        self.config = folder / "board.toml"
        self.config.write_text(config, encoding="utf-8")
        channels = (ChannelCalibration(zero_raw=0.0, raw_per_g=RAW_PER_G),) * 20
        save_calibration(folder / "calibration.json", Calibration("board-1", STONE_G, 3.0, channels))
        self.device = ByteDevice(folder / "board-1.tty")
        self._crew = Crew(folder)
        self.process: Member

    def __enter__(self) -> Self:
        """Start the board and wait until it answers."""
        self.process = self._crew.start("board", self.config)
        self.until("an answer", lambda: bool(self.state()))
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        """End the board."""
        self._crew.__exit__(kind, error, trace)

    def state(self) -> dict[str, Any]:
        """Return the table as the board has it; empty while it does not answer."""
        try:
            answer = self.tell({"do": "status"})
        except ControlError:
            return {}
        state: dict[str, Any] = answer.get("state", {})
        return state

    def tell(self, request: dict[str, Any]) -> dict[str, Any]:
        """Ask the board something over its socket, as whoever stands beside it may; return its answer."""
        return ask(self.folder / "state" / self.board / "control.sock", request)

    def log(self) -> str:
        """Return everything the board has logged."""
        return self.process.log_path.read_text(encoding="utf-8")

    def events(self) -> list[dict[str, Any]]:
        """Return the journal's events."""
        path = self.folder / "state" / self.board / "journal.jsonl"
        return [json.loads(line)["event"] for line in path.read_text(encoding="utf-8").splitlines()]

    def until(self, what: str, true: Callable[[], bool]) -> None:
        """Wait until something is so."""
        deadline = time.monotonic() + PATIENCE_S
        while not true():
            self.process.check()
            if time.monotonic() > deadline:
                raise AssertionError(
                    f"not in time: {what}; the board: {self.state()}; log: {self.log()[-2000:]}"
                )
            time.sleep(0.02)

    def sensed(self, word: str) -> bool:
        """Whether the board senses this."""
        state = self.state()
        return bool(state) and state["watch"]["sensed"] == word

    def restart(self) -> None:
        """End the board as `kill -9` does, and start it again."""
        self.process.process.kill()
        self.process.process.wait()
        self.process = self._crew.start("board", self.config)
        self.until("an answer", lambda: bool(self.state()))

    def greet(self) -> None:
        """Say hello with nine stones in each pit until the board has understood."""
        self.greet_with(NINE_EACH)

    def greet_with(self, stones: Sequence[float]) -> None:
        """Say hello until the board has understood, with these stones lying there."""

        def understood() -> bool:
            self.device.raw(self.device.hello())
            self.device.show(stones, 0.1)
            return bool(self.state()) and not self.sensed("no_device")

        self.until("the device is known", understood)

    def start_game(self) -> None:
        """Set the stones up, confirm for both, and see the clock start."""
        self.greet()

        def ready() -> bool:
            self.device.show(NINE_EACH, 0.3)
            return self.sensed("matches")

        self.until("the board is set up", ready)
        self.device.raw(self.device.press(0) + self.device.press(1))
        self.until("the game has started", lambda: self.state()["phase"] == "playing")
