"""A device on a real pseudo-terminal that is built or wired wrongly in one way or another."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from random import Random
from types import TracebackType
from typing import Any, Self

from sensors import frames
from tests.house.lone_board import NINE_EACH, RAW_PER_G, STONE_G, ByteDevice

NOISE_RAW = 40.0
"""That of a good board."""


@dataclass(kw_only=True)
class Build:
    """How a device is built.

    Attributes:
        hello: What it says of itself, where that differs.
        stones: How many stones lie on each channel.
        rate_hz: How often it samples, whatever it says.
        status: Channels that have another status than "ok".
        raw: Channels whose value is another: a function of the value that they would have.
        copies: Channels that say what another one says.
        lose: Every so many frames one is not sent; 0: none.
        spoil: Every so many frames one is sent damaged; 0: none.
        dropped: DATA frames it says it dropped, each time it is asked.
        presses: Buttons that are pressed, one after the other, as soon as a host is there.
        reboots: Whether it starts anew after a while.
        silent: Whether it says nothing at all.
        still: Whether it says hello and no sample.
        pace: Device seconds in a second of the wall. Device time is told by the samples, not by the wall: a
            machine that is busy elsewhere must not look like a device that samples late.
    """

    hello: Mapping[str, Any] = field(default_factory=dict)
    stones: Sequence[float] = NINE_EACH
    rate_hz: float = 80.0
    status: Mapping[int, int] = field(default_factory=dict)
    raw: Mapping[int, Callable[[int, Random], int]] = field(default_factory=dict)
    copies: Mapping[int, int] = field(default_factory=dict)
    lose: int = 0
    spoil: int = 0
    dropped: int = 0
    presses: Sequence[int] = ()
    reboots: bool = False
    silent: bool = False
    still: bool = False
    pace: float = 4.0


class WrongDevice(ByteDevice):
    """A device that runs in a thread of its own until the block is left.

    Attributes:
        heard: Everything that the host has said.
    """

    def __init__(self, link: Path, build: Build) -> None:
        """Make a terminal behind `link`; nothing is said before the block is entered."""
        super().__init__(link)
        self._build = build
        self._random = Random(7)
        self._over = threading.Event()
        self.heard = b""
        self._dropped = 0
        self._framed = 0
        self._sampled = 1
        self._thread = threading.Thread(target=self._run, name="wrong device")

    def __enter__(self) -> Self:
        """Start it."""
        self._thread.start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        """Take it away."""
        self._over.set()
        self._thread.join()
        self.unplug()

    @property
    def now_us(self) -> int:
        """Device time."""
        return round(1e6 * self._sampled / self._build.rate_hz)

    def _run(self) -> None:
        """Answer whoever opens the port."""
        build, listened, next_s = self._build, 0, time.monotonic()
        while not self._over.is_set():
            said = self.drain()
            self.heard += said
            if build.silent:
                time.sleep(0.02)
                continue
            if said and frames.HELLO_REQUEST in said:
                self._say(self.hello(rate_centihz=8000, minor=frames.MINOR, **build.hello))
                self._press(build.presses)
            if not build.still:
                self._say(self._sample())
            listened += bool(self.heard)  # counted from when there is a host
            if self._sampled % 4 == 0:
                self._dropped += build.dropped
                self._say(
                    self.frame(frames.BEAT, frames.pack_beat(frames.Beat(self.now_us, self._dropped, 0, 0)))
                )
            if build.reboots and listened == 40:
                self.boot_id += 1
                self._seq, self._sampled = 0, 1
                self._say(self.hello(rate_centihz=8000, minor=frames.MINOR, **build.hello))
            self._sampled += 1
            next_s = max(next_s + 1 / build.rate_hz / build.pace, time.monotonic() - 0.5)
            self._over.wait(max(0.0, next_s - time.monotonic()))

    def _press(self, buttons: Sequence[int]) -> None:
        if not self.presses:
            for button in buttons:
                self.raw(self.press(button))
                time.sleep(0.01)

    def _say(self, data: bytes) -> None:
        """Send a frame, or lose it, or send it damaged."""
        self._framed += 1
        if self._build.lose and self._framed % self._build.lose == 0:
            return
        if self._build.spoil and self._framed % self._build.spoil == 0:
            data = bytes((*data[:5], data[5] ^ 0x10 or 1, *data[6:]))
        self.raw(data)

    def _sample(self) -> bytes:
        build = self._build
        raw = [round(n * STONE_G * RAW_PER_G + self._random.gauss(0, NOISE_RAW)) for n in build.stones]
        for channel, wrong in build.raw.items():
            raw[channel] = wrong(raw[channel], self._random)
        for channel, source in build.copies.items():
            raw[channel] = raw[source]
        status = [build.status.get(channel, 0) for channel in range(len(raw))]
        for channel in build.status:
            raw[channel] = 0x7FFFFF if status[channel] == frames.STATUS_SATURATED else 0
        return self.frame(
            frames.DATA, frames.pack_data(frames.Data(self.now_us % 2**32, tuple(status), tuple(raw)))
        )
