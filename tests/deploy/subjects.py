"""The devices that must keep the same law behind one set of handles: the emulated one and the firmware."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol

from sensors import frames
from sensors.device.device import FEATURES, QUEUED_DATA, Device, DeviceConfig
from tests.deploy.pico.benched import Benched

CHANNELS = 20
OK = (0,) * CHANNELS
SAMPLE_EVERY_US = 12_000
SETTLE_US = 120_000
PRESS_LASTS_US = 60_000
FIRMWARE_QUEUED = 32


class Subject(Protocol):
    """One device that a test holds in its hand.

    Attributes:
        queued_data: how many DATA frames may wait for the line.
        name: what HELLO calls the firmware.
        features: what HELLO says it has.
        reset_reason: why it has started, as HELLO says.
    """

    queued_data: int
    name: str
    features: int
    reset_reason: int

    @property
    def now_us(self) -> int:
        """Device time, which is wall time here."""

    def run(self, us: int, hear: bytes = b"") -> bytes:
        """Let it hear bytes, then time pass; return what it has said."""

    def again(self) -> Subject:
        """Return the same device at its next power-up."""

    def sleep_until(self, us: int) -> None:
        """Let device time pass until then, without a host and without samples."""

    def press(self, button: int) -> int:
        """Press a button now, for 60 ms; return the time of the edge."""

    def show(self, raw: Sequence[int], status: Sequence[int] = OK) -> None:
        """Say what its channels have from now on; it samples them every 12 ms."""

    def block(self, *, blocked: bool) -> None:
        """Have the host read nothing, or read again."""

    def dials(self) -> tuple[int, int | None, int | None]:
        """Return which dial runs, and what both show in microseconds."""

    def lamps(self) -> tuple[int, int]:
        """Return which lamps burn and which blink."""

    def sounds_for_ms(self) -> tuple[int, int]:
        """Return pattern and length of the last sound asked for."""

    def counts(self) -> tuple[int, int]:
        """Return how many frames were skipped, and how many presses are not acknowledged."""

    def close(self) -> None:
        """Take its power away."""


class EmulatedSubject:
    """`sensors.device.device`."""

    queued_data = QUEUED_DATA
    name = "togyz-emulator 1"
    features = FEATURES
    reset_reason = frames.RESET_POWER_ON

    def __init__(self, boot_id: int = 7) -> None:
        self._now_us = 0
        self.device = Device(DeviceConfig(board_id="bench"), boot_id)
        self._blocked = False
        self._shown = ((0,) * CHANNELS, OK)

    @property
    def now_us(self) -> int:
        """Device time, which is wall time here."""
        return self._now_us

    def run(self, us: int, hear: bytes = b"") -> bytes:
        """Let it hear bytes, then time pass; return what it has said."""
        said = b""
        self.device.receive(hear, self.now_us, self.now_us)
        for _ in range(us // 2_000):
            self._now_us += 2_000
            if self.now_us % SAMPLE_EVERY_US == 0:
                self.device.sample(self.now_us, *self._shown)
            self.device.poll(self.now_us, self.now_us)
            said += self._said()
        return said

    def again(self) -> Subject:
        """Return the same device at its next power-up."""
        return EmulatedSubject(self.device.boot_id + 1)

    def sleep_until(self, us: int) -> None:
        """Let device time pass until then, without a host and without samples."""
        self._now_us = us // 12_000 * 12_000
        self.device.poll(self.now_us, self.now_us)
        self._said()

    def press(self, button: int) -> int:
        """Press a button now; return the time of the edge."""
        self.device.press(button, self.now_us)
        return self.now_us

    def show(self, raw: Sequence[int], status: Sequence[int] = OK) -> None:
        """Say what its channels have from now on; it samples them every 12 ms."""
        self._shown = tuple(raw), tuple(status)

    def block(self, *, blocked: bool) -> None:
        """Have the host read nothing, or read again."""
        self._blocked = blocked

    def dials(self) -> tuple[int, int | None, int | None]:
        """Return which dial runs, and what both show in microseconds."""
        dials = self.device.dials
        return dials.running, dials.shown_us(0, self.now_us), dials.shown_us(1, self.now_us)

    def lamps(self) -> tuple[int, int]:
        """Return which lamps burn and which blink."""
        return self.device.lit.on, self.device.lit.blink

    def sounds_for_ms(self) -> tuple[int, int]:
        """Return pattern and length of the last sound asked for."""
        last = self.device.sounds[-1]
        return last.pattern, last.duration_ms

    def counts(self) -> tuple[int, int]:
        """Return how many frames were skipped, and how many presses are not acknowledged."""
        return self.device.skipped, self.device.unacknowledged

    def close(self) -> None:
        """Take its power away."""

    def _said(self) -> bytes:
        said = b""
        while not self._blocked and (frame := self.device.next_frame()) is not None:
            said += frame
        return said


class FirmwareSubject:
    """`deploy/pico` under MicroPython, with its chips settled; it has not been heard yet."""

    queued_data = FIRMWARE_QUEUED
    name = "togyz-pico 1"
    features = FEATURES
    reset_reason = frames.RESET_POWER_ON

    def __init__(self) -> None:
        self.bench = Benched({"BOARD_ID": "bench"})
        self.bench.show([0] * CHANNELS)
        self._before = self.bench.run(SETTLE_US)
        self._releases: list[tuple[int, int]] = []

    @property
    def now_us(self) -> int:
        """Device time."""
        return self.bench.now_us

    def run(self, us: int, hear: bytes = b"") -> bytes:
        """Let it hear bytes, then time pass; return what it has said."""
        said, self._before = self._before, b""
        end_us = self.now_us + us
        while self._releases and self._releases[0][0] <= end_us:
            at_us, button = self._releases.pop(0)
            said += self.bench.run(max(0, at_us - self.now_us), hear=hear)
            hear = b""
            self.bench.press(button, closed=False)
        return said + self.bench.run(end_us - self.now_us, hear=hear)

    def again(self) -> Subject:
        """Return the same device at its next power-up."""
        return FirmwareSubject()

    def sleep_until(self, us: int) -> None:
        """Let device time pass until then, without a host and without samples."""
        while self.now_us < us:
            self.bench.run(min(600 * 1_000_000, us - self.now_us), step_us=60_000_000)

    def press(self, button: int) -> int:
        """Press a button now, for 60 ms; return the time of the edge."""
        self.bench.press(button)
        self._releases.append((self.now_us + PRESS_LASTS_US, button))
        return self.now_us

    def show(self, raw: Sequence[int], status: Sequence[int] = OK) -> None:
        """Say what its channels have from now on; it samples them every 12 ms."""
        self.bench.show(raw, status)

    def block(self, *, blocked: bool) -> None:
        """Have the host read nothing, or read again."""
        self.bench.line(free=not blocked)

    def dials(self) -> tuple[int, int | None, int | None]:
        """Return which dial runs, and what both show in microseconds."""
        shown = f"firmware.device.dials.shown_us(%d, {self.now_us})"
        return self.bench.ask("firmware.device.dials.running"), *map(self.bench.ask, (shown % 0, shown % 1))

    def lamps(self) -> tuple[int, int]:
        """Return which lamps burn and which blink."""
        on, blink = self.bench.ask("firmware.device.lamps")
        return on, blink

    def sounds_for_ms(self) -> tuple[int, int]:
        """Return pattern and length of the last sound asked for."""
        sound = "firmware.device.sound"
        return self.bench.ask(f"{sound}.pattern"), self.bench.ask(f"{sound}.lasts_us") // 1000

    def counts(self) -> tuple[int, int]:
        """Return how many frames were skipped, and how many presses are not acknowledged."""
        device = "firmware.device"
        return self.bench.ask(f"{device}.skipped"), self.bench.ask(f"{device}.unacknowledged")

    def close(self) -> None:
        """Take its power away."""
        self.bench.close()
