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

A device that offers a terminal of its own by a symlink, as section 2 of the page asks of emulated ones, is
fed likewise by `WorldFeed(settings, command, NamedDevice)`: the argument is the symlink's path, and the host
opens what the device has put there. It
- need not know lines that hold a time alone;
- writes two things more, since it alone knows how it stands with its line:
    {.., "port_open": true, "line_full": false}  whether a host has it open; whether DATA waits for it
- ends on SIGTERM, and takes its symlink away.

HELLO is expected to say `settings.board_id`, `settings.speed`, twenty channels and three buttons.
"""

from __future__ import annotations

import contextlib
import json
import os
import select
import subprocess
import threading
import time
import tty
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
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
    """The device's process; stands where the emulator has its `Device`.

    Attributes:
        host_lost: what the players see of its lamp.
        dials: and of its dials.
        port_open: whether a host has the port open.
        line_full: whether the line takes no more at the moment.
        said: what else it has written.
    """

    def __init__(self, command: Sequence[str], path: Path | str) -> None:
        self.host_lost = True
        self.dials = _Seen()
        self.port_open = self.line_full = False
        self.said: list[str] = []
        self._process = subprocess.Popen([*command, str(path)], stdin=subprocess.PIPE, stdout=subprocess.PIPE)
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        self._stdin, self._stdout = self._process.stdin.fileno(), self._process.stdout.fileno()
        for descriptor in (self._stdin, self._stdout):
            os.set_blocking(descriptor, False)
        self._feed = b""
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

    def wait(self, timeout_s: float) -> None:
        """Sleep until it says something, or the time is over."""
        select.select([self._stdout], [], [], timeout_s)

    def serve(self) -> None:
        """Pass on what is on its way in and out.

        Raises:
            AssertionError: It has ended.
        """
        self._feed = _write(self._stdin, self._feed)
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

    def _line(self, line: dict[str, object]) -> None:
        self._feed += json.dumps(line, separators=(",", ":")).encode() + b"\n"

    def _see(self, line: str) -> None:
        try:
            seen = json.loads(line)
            self.host_lost, self.dials.running = bool(seen["host_lost"]), int(seen["running"])
            self._see_line(seen)
        except (ValueError, KeyError, TypeError):
            self.said.append(line)

    def _see_line(self, seen: dict[str, object]) -> None:
        """Take what it says of its line."""


class CabledDevice(FedDevice):
    """A device that opens the terminal it is given, at the end of a cable of ours."""

    def __init__(self, command: Sequence[str], path: Path) -> None:
        self._port = Port(path)
        self._port.plug()
        self._master, self._slave = os.openpty()  # both kept: a device that starts anew finds the same line
        tty.setraw(self._slave)
        os.set_blocking(self._master, False)
        self._down = b""
        super().__init__(command, os.ttyname(self._slave))

    def wait(self, timeout_s: float) -> None:
        """Sleep until the host says something, or the time is over."""
        self._port.wait(timeout_s)

    def serve(self) -> None:
        """Pass on what is on its way in and out.

        Raises:
            AssertionError: It has ended.
        """
        while data := self._port.read():
            self._down += data
        self._down = _write(self._master, self._down)
        super().serve()
        self.line_full = not self._port.flush(self._next_chunk)
        self.port_open = self._port.open

    def close(self) -> None:
        """Take its world and its line away, and wait for its end."""
        super().close()
        os.close(self._master)
        os.close(self._slave)
        self._port.close()

    def _next_chunk(self) -> bytes | None:
        try:
            return os.read(self._master, CHUNK) or None
        except (BlockingIOError, OSError):
            return None


class NamedDevice(FedDevice):
    """A device that makes its own terminal and puts the symlink where the host looks for it."""

    def let_pass(self, time_us: int) -> None:
        """Tell it nothing: its time runs by itself."""

    def close(self) -> None:
        """End it politely."""
        self._process.terminate()
        super().close()

    def _see_line(self, seen: dict[str, object]) -> None:
        self.port_open, self.line_full = bool(seen["port_open"]), bool(seen["line_full"])


Plug = Callable[[Sequence[str], Path], FedDevice]
"""From the command that starts a device, and the path where a host looks for it."""


class WorldFeed:
    """One table whose device is a process; a context manager with a thread of its own.

    Args:
        settings: the world, the hands and their record, and where the host finds the device.
        command: starts the device.
        plug: how the device comes to its line.

    Attributes:
        device: the process.
        finished: whether the record is played out.
        failure: what ended the feed before its time; None while all is well.
        watch: called in the feed's thread with every action of the hands; the world waits for it.
    """

    def __init__(
        self,
        settings: EmulatorSettings,
        command: Sequence[str],
        plug: Plug = CabledDevice,
    ) -> None:
        self.finished = False
        self.failure: BaseException | None = None
        self.watch: Callable[[Timed], None] | None = None
        self._settings = settings
        self._command = command
        self._plug = plug
        self._gate = LineGate(settings.speed)
        self._stop = threading.Event()
        self._thread = threading.Thread(target=self._run, name="world feed", daemon=True)

    def __enter__(self) -> Self:
        self.device = self._plug(self._command, self._settings.device_path)
        world, hands = build_world(self._settings), build_hands(self._settings)
        self.table = EmulatedTable(world, hands, cast("Device", self.device), self._on_action)
        self._thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._stop.set()
        self._thread.join()
        self.device.close()

    def _on_action(self, timed: Timed) -> None:
        if self.watch is not None:
            self.watch(timed)
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
            self.device.serve()
            self.device.wait(min(WAIT_S, max(0.0005, pacer.next_us(_wall_us()) / 1e6)))

    def _take_samples(self, due: int) -> int:
        for made in range(due):
            if self.device.behind or not self._gate.may_sample(
                LINE_FULL if self.device.line_full else 0,
                host_lost=self.device.host_lost,
                port_open=self.device.port_open,
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
