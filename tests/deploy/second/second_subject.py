"""The second device in a time that the test moves: its program as it is, on a held clock and a held line."""

from __future__ import annotations

import argparse
import contextlib
import os
import socket
from collections.abc import Iterator, Sequence
from types import SimpleNamespace

import pytest

from tests.deploy.second import second_device
from tests.deploy.subjects import CHANNELS, OK, SAMPLE_EVERY_US, Subject

STEP_US = 4_000


class HeldLine(second_device.Line):
    """Its line, a socket instead of a terminal: what is written can be read in the same moment."""

    def __init__(self) -> None:
        ours, self.host = socket.socketpair()
        self.host.settimeout(0)
        ours.settimeout(0)
        self.master = ours.detach()
        self.plugged, self.rest, self.seq = False, b"", 0
        self.blocked = False

    def ready(self) -> bool:
        """Whether a frame may be begun."""
        return not self.blocked and super().ready()


class SecondSubject:
    """`second_device.Device`, whose loop never waits."""

    queued_data = 32
    name = second_device.FIRMWARE.decode()
    features = 0b1011111
    reset_reason = 1

    def __init__(self) -> None:
        self._now_us = 0
        self._shown = ((0,) * CHANNELS, OK)
        self._sound_ends = 0.0
        self._sound_ms = 0
        options = argparse.Namespace(
            board_id=b"bench", channels=CHANNELS, rate_hz=80.0, time_scale=1, buttons=3
        )
        self._line = HeldLine()
        with self._held():
            self.device = second_device.Device(options, self._line)
        self.device.world.open = False  # nothing comes on standard input: the test is its world

    @property
    def now_us(self) -> int:
        """Device time, which is wall time here."""
        return self._now_us

    def run(self, us: int, hear: bytes = b"") -> bytes:
        """Let it hear bytes, then time pass; return what it has said."""
        if hear:
            self._line.host.sendall(hear)
        said = b""
        for _ in range(us // STEP_US):
            self._now_us += STEP_US
            if self.now_us % SAMPLE_EVERY_US == 0:
                raw, status = self._shown
                self._happen({"t": self.now_us, "raw": raw, "status": list(status)})
            self._step()
            said += self._said()
        return said

    def again(self) -> Subject:
        """Return the same device at its next power-up."""
        return SecondSubject()

    def sleep_until(self, us: int) -> None:
        """Let device time pass until then, without a host and without samples."""
        self._now_us = us // SAMPLE_EVERY_US * SAMPLE_EVERY_US
        self._step()
        self._said()

    def press(self, button: int) -> int:
        """Press a button now; return the time of the edge."""
        self._happen({"t": self.now_us, "press": button})
        return self.now_us

    def show(self, raw: Sequence[int], status: Sequence[int] = OK) -> None:
        """Say what its channels have from now on; it samples them every 12 ms."""
        self._shown = tuple(raw), tuple(status)

    def block(self, *, blocked: bool) -> None:
        """Have the host read nothing, or read again."""
        self._line.blocked = blocked

    def dials(self) -> tuple[int, int | None, int | None]:
        """Return which dial runs, and what both show in microseconds."""
        first, second = self.device.dials.shown(self.now_us).replace("*", "").split()
        return self.device.dials.running, _microseconds(first), _microseconds(second)

    def lamps(self) -> tuple[int, int]:
        """Return which lamps burn and which blink."""
        with self._held():
            words = self.device.summary().split()
        last = dict(word.split("=", 1) for word in words if "=" in word)
        return int(last["on"]), int(last["blink"])

    def sounds_for_ms(self) -> tuple[int, int]:
        """Return pattern and length of the last sound asked for."""
        return self.device.sound, self._sound_ms

    def counts(self) -> tuple[int, int]:
        """Return how many frames were skipped, and how many presses are not acknowledged."""
        count = self.device.count
        waiting = sum(event.number > self.device.acked for event in self.device.ring)
        return count["unknown"] + count["ignored"], waiting

    def close(self) -> None:
        """Take its power away."""
        self._line.host.close()
        os.close(self._line.master)

    @contextlib.contextmanager
    def _held(self) -> Iterator[None]:
        """Let the program see the test's clock, and wait for nothing."""
        with pytest.MonkeyPatch.context() as patch:
            patch.setattr(second_device, "time", SimpleNamespace(monotonic=lambda: self.now_us / 1e6))
            patch.setattr(second_device, "TICK", 0)
            yield

    def _happen(self, line: dict[str, object]) -> None:
        self.device.world._take(line)

    def _step(self) -> None:
        with self._held():
            self.device.step()
        if self.device.sound_ends != self._sound_ends:
            self._sound_ends = self.device.sound_ends
            self._sound_ms = round((self._sound_ends - self.now_us / 1e6) * 1000)

    def _said(self) -> bytes:
        try:
            return self._line.host.recv(1 << 20)
        except BlockingIOError:
            return b""


def _microseconds(shown: str) -> int | None:
    return None if shown == "--:--" else int(shown) * 1000
