"""A world feed: the emulator's physics and hands for a device that is a program of its own.

It plays what a board feels to any device that speaks the TOGYZ link (sensors/PROTOCOL.md), whatever it is
written in: `WorldFeed(settings, command)` starts the command with one more argument, the path of a terminal.

The device
- opens that terminal, which is raw already, and talks to the host over it as over any serial line;
- reads its world from standard input, one JSON object a line, in order of time:
    {"t": 123456, "raw": [..], "status": [..]}   a sample of all channels, taken at device time t
    {"t": 123456, "press": 0}                    button 0 goes down at t; nothing tells when it is let go
    {"t": 123456}                                time passes
  `t` is device time in microseconds: 0 at power-on, never going back. It is the device's clock: HELLO, BEAT,
  BUTTON and DATA say it. By the wall it runs `settings.speed` times as fast, which HELLO says as time_scale.
  `raw` and `status` are those of DATA: what the converters say. At least twenty lines a second come (wall);
- writes what the players see to standard output, one JSON object a line, at the start and at each change:
    {"host_lost": true, "running": 0}            whether no host is heard; which dial runs: 0 none, 1 A, 2 B
- ends when standard input ends.

HELLO is expected to say `settings.board_id`, `settings.speed`, twenty channels and three buttons.
"""

from __future__ import annotations

import contextlib
import json
import os
import subprocess
import threading
import time
import tty
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Self, cast

from firmware_bridge.emulator.actions import AllDone, Timed
from firmware_bridge.emulator.emulator import EmulatorSettings, build_hands, build_world
from firmware_bridge.emulator.pacing import LINE_FULL, LineGate, Pacer
from firmware_bridge.emulator.table import EmulatedTable
from sensors.device.device import Device
from sensors.device.port import Port

BATCH = 32
"""Most samples between two looks at the line."""
WAIT_S = 0.005
IDLE_S = 0.04
"""After so long without a sample the device is told that time stands; it has a line to look after."""
AHEAD_BYTES = 16_384
"""So much of the world may wait for the device: a slow one has a slow world."""
CHUNK = 4096


@dataclass
class _Seen:
    running: int = 0


class FedDevice:
    """The device's process; stands where the emulator has its `Device`."""

    def __init__(self, command: Sequence[str]) -> None:
        self.host_lost = True
        self.dials = _Seen()
        self.said: list[str] = []
        self._master, slave = os.openpty()
        tty.setraw(slave)
        self._slave = slave  # kept open: a device that starts anew finds the same line
        self._process = subprocess.Popen(
            [*command, os.ttyname(slave)], stdin=subprocess.PIPE, stdout=subprocess.PIPE
        )
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        self._stdin, self._stdout = self._process.stdin.fileno(), self._process.stdout.fileno()
        for descriptor in (self._master, self._stdin, self._stdout):
            os.set_blocking(descriptor, False)
        self._feed = b""
        self._down = b""
        self._heard = b""

    # -- what EmulatedTable asks of a device -------------------------------------------------------

    def sample(self, time_us: int, raw: tuple[int, ...], status: tuple[int, ...]) -> None:
        """Show it a sample."""
        self._line({"t": time_us, "raw": raw, "status": status})

    def press(self, button: int, at_us: int) -> None:
        """Press one of its buttons."""
        self._line({"t": at_us, "press": button})

    # -- the rest ----------------------------------------------------------------------------------

    def let_pass(self, time_us: int) -> None:
        """Tell it how late it is."""
        self._line({"t": time_us})

    @property
    def behind(self) -> bool:
        """Whether it has not taken all of its world yet."""
        return len(self._feed) > AHEAD_BYTES

    def hear(self, data: bytes) -> None:
        """Take what the host has sent."""
        self._down += data

    def next_chunk(self) -> bytes | None:
        """Return what it has sent, None when nothing."""
        try:
            return os.read(self._master, CHUNK) or None
        except (BlockingIOError, OSError):
            return None

    def serve(self) -> None:
        """Pass on what is on its way in and out.

        Raises:
            AssertionError: It has ended.
        """
        self._feed = _write(self._stdin, self._feed)
        self._down = _write(self._master, self._down)
        with contextlib.suppress(BlockingIOError):
            self._heard += os.read(self._stdout, CHUNK)
        *lines, self._heard = self._heard.split(b"\n")
        for line in lines:
            self._see(line.decode(errors="replace"))
        assert self._process.poll() is None, f"the device ended with {self._process.returncode}: {self.said}"

    def close(self) -> None:
        """Take its world away and wait for its end."""
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        self._process.stdin.close()
        try:
            self._process.wait(10)
        except subprocess.TimeoutExpired:
            self._process.kill()
            self._process.wait()
        self._process.stdout.close()
        os.close(self._master)
        os.close(self._slave)

    def _line(self, line: dict[str, object]) -> None:
        self._feed += json.dumps(line, separators=(",", ":")).encode() + b"\n"

    def _see(self, line: str) -> None:
        try:
            seen = json.loads(line)
            self.host_lost, self.dials.running = bool(seen["host_lost"]), int(seen["running"])
        except (ValueError, KeyError, TypeError):
            self.said.append(line)


class WorldFeed:
    """One table whose device is a process; a context manager with a thread of its own.

    Args:
        settings: the world, the hands and their record, and where the host finds the device.
        command: starts the device.

    Attributes:
        device: the process.
        finished: whether the record is played out.
        failure: what ended the feed before its time; None while all is well.
    """

    def __init__(self, settings: EmulatorSettings, command: Sequence[str]) -> None:
        self.finished = False
        self.failure: BaseException | None = None
        self._settings = settings
        self._command = command
        self._port = Port(settings.device_path)
        self._gate = LineGate(settings.speed)
        self._stop = threading.Event()
        self._thread = threading.Thread(target=self._run, name="world feed", daemon=True)
        self._line_full = False

    def __enter__(self) -> Self:
        self.device = FedDevice(self._command)
        world, hands = build_world(self._settings), build_hands(self._settings)
        self.table = EmulatedTable(world, hands, cast("Device", self.device), self._on_action)
        self._port.plug()
        self._thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._stop.set()
        self._thread.join()
        self.device.close()
        self._port.close()

    def _on_action(self, timed: Timed) -> None:
        if isinstance(timed.action, AllDone):
            self.finished = True

    def _run(self) -> None:
        try:
            self._loop(Pacer(self._settings.speed, self.table.world.period_us, _wall_us()))
        except BaseException as error:  # noqa: BLE001 - told by whoever waits for the game
            self.failure = error

    def _loop(self, pacer: Pacer) -> None:
        told_at = time.monotonic()
        while not self._stop.is_set():
            made = self._take_samples(min(pacer.due(_wall_us()), BATCH))
            pacer.made(made)
            if made:
                told_at = time.monotonic()
            elif time.monotonic() - told_at > IDLE_S:
                self.device.let_pass(self.table.device_us)
                told_at = time.monotonic()
            while data := self._port.read():
                self.device.hear(data)
            self.device.serve()
            self._line_full = not self._port.flush(self.device.next_chunk)
            self._port.wait(min(WAIT_S, max(0.0005, pacer.next_us(_wall_us()) / 1e6)))

    def _take_samples(self, due: int) -> int:
        for made in range(due):
            if self.device.behind or not self._gate.may_sample(
                LINE_FULL if self._line_full else 0,
                host_lost=self.device.host_lost,
                port_open=self._port.open,
                wall_us=_wall_us(),
                world_us=self.table.world_us,
            ):
                return made
            self.table.step()
        return due


def _write(descriptor: int, data: bytes) -> bytes:
    """Write what can be written now; return the rest."""
    try:
        return data[os.write(descriptor, data) :] if data else data
    except BlockingIOError:
        return data


def _wall_us() -> int:
    return time.monotonic_ns() // 1000
