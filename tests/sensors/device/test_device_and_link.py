"""The device and the real host link on one line: whole, byte by byte, with losses, with delays."""

from collections import deque
from collections.abc import Sequence
from itertools import pairwise
from random import Random

import pytest

from sensors.device.device import Device, DeviceConfig
from sensors.frames import RUNNING_A
from sensors.link import ClockView, DeviceHello, Link, LinkLost
from sensors.samples import Press, RawSample

STEP_US = 5_000
SECOND = 1_000_000


class Line:
    """A cable that carries bytes whole; its children do not.

    Args:
        rng: of whatever happens to the bytes.
    """

    def __init__(self, rng: Random) -> None:
        self.rng = rng
        self._waiting: deque[bytes] = deque()

    def put(self, data: bytes) -> None:
        """Bytes enter."""
        if data:
            self._waiting.append(data)

    def take(self) -> list[bytes]:
        """What comes out now, in the pieces in which it comes."""
        taken = list(self._waiting)
        self._waiting.clear()
        return taken


class ByteByByte(Line):
    """Each byte on its own."""

    def take(self) -> list[bytes]:
        """One piece a byte."""
        return [bytes([byte]) for data in super().take() for byte in data]


class Lossy(Line):
    """Every fifth piece is lost, every tenth damaged."""

    def take(self) -> list[bytes]:
        """What is left."""
        pieces = []
        for data in super().take():
            fate = self.rng.random()
            if fate < 0.1:
                at = self.rng.randrange(len(data))
                pieces.append(data[:at] + bytes([data[at] ^ 0x41]) + data[at + 1 :])
            elif fate >= 0.3:
                pieces.append(data)
        return pieces


class Late(Line):
    """Pieces are held up for a while, in order."""

    def take(self) -> list[bytes]:
        """Now and then everything so far."""
        return super().take() if self.rng.random() < 0.05 else []


class Pair:
    """Device and link with a line each way, in virtual time; device time is wall time."""

    def __init__(self, kind: type[Line]) -> None:
        rng = Random(11)
        self.device = Device(DeviceConfig(board_id="pair", channels=4), boot_id=99)
        self.link = Link()
        self.down, self.up = kind(rng), kind(rng)
        self.now_us = 0
        self.presses: list[Press] = []
        self.samples: list[RawSample] = []
        self.hellos: list[DeviceHello] = []
        self.lost: list[LinkLost] = []
        self.link.connected(0)

    def run(self, for_us: int) -> None:
        """Let time pass; a sample every third step."""
        for _ in range(for_us // STEP_US):
            self.now_us += STEP_US
            if self.now_us % (3 * STEP_US) == 0:
                self.device.sample(self.now_us, (1, -2, 3, self.now_us // 1000), (0, 0, 0, 0))
            self.device.poll(self.now_us, self.now_us)
            while (frame := self.device.next_frame()) is not None:
                self.up.put(frame)
            for piece in self.up.take():
                self._hear(self.link.receive(piece, self.now_us))
            self._hear(self.link.poll(self.now_us))
            self.down.put(self.link.data_to_send())
            for piece in self.down.take():
                self.device.receive(piece, self.now_us, self.now_us)

    def _hear(self, events: Sequence[object]) -> None:
        for event in events:
            match event:
                case Press():
                    self.presses.append(event)
                    self.link.acknowledge(event)
                case RawSample():
                    self.samples.append(event)
                case DeviceHello():
                    self.hellos.append(event)
                case LinkLost():
                    self.lost.append(event)
                case _:
                    pass


@pytest.mark.parametrize("kind", [Line, ByteByByte, Lossy, Late])
def test_every_press_arrives_once_in_order_with_its_time(kind: type[Line]) -> None:
    """Whatever the line does to the bytes."""
    pair = Pair(kind)
    pair.run(3 * SECOND)
    times = []
    for number in range(20):
        times.append(pair.now_us - 7)
        pair.device.press(number % 2, times[-1])
        pair.run(300_000)
    pair.run(3 * SECOND)
    assert [press.time_us for press in pair.presses] == times
    assert [press.number for press in pair.presses] == list(range(1, 21))
    assert pair.device.unacknowledged == 0


@pytest.mark.parametrize("kind", [Line, Lossy])
def test_the_dials_end_where_the_host_says(kind: type[Line]) -> None:
    """A lost CLOCK is sent again until the beat shows its revision."""
    pair = Pair(kind)
    pair.run(3 * SECOND)
    at_us = pair.now_us
    view = ClockView(0, at_us, RUNNING_A, armed=True, remaining_ms=(60_000, 60_000), increment_ms=(0, 0))
    pair.link.show_clock(view)
    pair.run(6 * SECOND)
    assert pair.device.dials.shown_us(0, at_us + 5 * SECOND) == 55 * SECOND
    assert pair.device.dials.running == RUNNING_A


def test_samples_come_through_a_whole_line_without_a_gap() -> None:
    """Values and times are those of the device."""
    pair = Pair(Line)
    pair.run(3 * SECOND)
    pair.samples.clear()
    pair.run(SECOND)
    assert len(pair.samples) in (66, 67)
    assert all(sample.raw == (1, -2, 3, sample.time_us // 1000) for sample in pair.samples)
    steps = {b.time_us - a.time_us for a, b in pairwise(pair.samples)}
    assert steps == {3 * STEP_US}


def test_the_link_notices_a_power_cycle() -> None:
    """A new boot is said to be one, and its presses count from 1 again."""
    pair = Pair(Line)
    pair.run(3 * SECOND)
    pair.device.press(0, pair.now_us)
    pair.run(SECOND)
    pair.device.power_cycle(100)
    pair.run(3 * SECOND)
    pair.device.press(1, pair.now_us)
    pair.run(SECOND)
    assert [hello.same_boot for hello in pair.hellos if hello.same_boot is not True] == [None, False]
    assert [(press.boot_id, press.number) for press in pair.presses] == [(99, 1), (100, 1)]


def test_a_device_of_a_foreign_version_is_not_acted_on() -> None:
    """Neither samples nor presses of it reach anyone."""
    pair = Pair(Line)
    pair.device = Device(DeviceConfig(board_id="new", channels=4, major=2), boot_id=99)
    pair.run(SECOND)
    pair.device.press(0, pair.now_us)
    pair.run(6 * SECOND)
    assert not pair.presses
    assert not pair.samples
