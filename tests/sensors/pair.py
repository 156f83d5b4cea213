"""A host's link and a device on one line, in a time that only the test moves."""

import random
from collections.abc import Callable, Iterable
from typing import TypeVar

from sensors.link import Link, LinkEvent
from tests.sensors.reference_device import ReferenceDevice

MS = 1000
SECOND = 1_000_000
STEP = 10 * MS

Kind = TypeVar("Kind")


class Wire:
    """One direction of a line. The base class brings everything whole and at once."""

    def __init__(self, seed: int) -> None:
        self.rng = random.Random(seed)

    def carry(self, data: bytes, now: int) -> Iterable[bytes]:  # noqa: ARG002 - the signature of all wires
        """Take what was written; return what arrives now, in pieces."""
        return [data] if data else []


class ByteByByte(Wire):
    """Everything arrives, one byte at a time."""

    def carry(self, data: bytes, now: int) -> Iterable[bytes]:  # noqa: ARG002 - the signature of all wires
        """Take what was written; return what arrives now, in pieces."""
        return [bytes([byte]) for byte in data]


class Lossy(Wire):
    """Of all pieces some vanish, some are cut short, some have a wrong byte, some have noise in front."""

    def carry(self, data: bytes, now: int) -> Iterable[bytes]:  # noqa: ARG002 - the signature of all wires
        """Take what was written; return what arrives now, in pieces."""
        if not data:
            return []
        fate = self.rng.random()
        if fate < 0.04:
            return []
        if fate < 0.07:
            return [data[: self.rng.randrange(len(data))]]
        if fate < 0.10:
            at = self.rng.randrange(len(data))
            return [data[:at] + bytes([self.rng.randrange(256)]) + data[at + 1 :]]
        if fate < 0.12:
            return [self.rng.randbytes(30), data]
        return [data]


class Shuffled(Wire):
    """Pieces are delayed by up to 40 ms each, so that they overtake each other; some come twice."""

    def __init__(self, seed: int) -> None:
        super().__init__(seed)
        self.under_way: list[tuple[int, bytes]] = []

    def carry(self, data: bytes, now: int) -> Iterable[bytes]:
        """Take what was written; return what arrives now, in pieces."""
        if data:
            self.under_way.append((now + self.rng.randrange(40 * MS), data))
            if self.rng.random() < 0.05:
                self.under_way.append((now + self.rng.randrange(200 * MS), data))
        due = sorted(item for item in self.under_way if item[0] <= now)
        self.under_way = [item for item in self.under_way if item[0] > now]
        return [data for _, data in due]


class Pair:
    """A link and a device, joined.

    Attributes:
        events: everything the link has reported, in order.
        now: host and wall time, microseconds.
        plugged: False while the cable is out (the port is closed then).
    """

    def __init__(
        self,
        link: Link | None = None,
        device: ReferenceDevice | None = None,
        wire: Callable[[int], Wire] = Wire,
        *,
        now: int = 5 * SECOND,
    ) -> None:
        self.now = now
        self.link = link or Link()
        self.device = device or ReferenceDevice()
        self.up, self.down = wire(1), wire(2)
        self.events: list[LinkEvent] = []
        self.plugged = True
        self.link.connected(now)

    def step(self) -> list[LinkEvent]:
        """Let 10 ms pass; return what the link reports in them."""
        self.now += STEP
        self.device.run(self.now)
        found: list[LinkEvent] = []
        sent = self.device.take()
        if self.plugged:
            for piece in self.up.carry(sent, self.now):
                found += self.link.receive(piece, self.now)
        found += self.link.poll(self.now)
        self.deliver()
        self.events += found
        return found

    def deliver(self) -> None:
        """Carry what the link wants to say to the device."""
        sent = self.link.data_to_send()
        if self.plugged:
            for piece in self.down.carry(sent, self.now):
                self.device.receive(piece)

    def run(self, duration: int) -> list[LinkEvent]:
        """Let this time pass; return what the link reports in it."""
        found: list[LinkEvent] = []
        for _ in range(duration // STEP):
            found += self.step()
        return found

    def unplug(self, reason: str = "the port is closed") -> None:
        """Pull the cable."""
        self.plugged = False
        self.link.disconnected(self.now, reason)

    def plug(self) -> None:
        """Put the cable back."""
        self.plugged = True
        self.link.connected(self.now)


def of(kind: type[Kind], events: Iterable[object]) -> list[Kind]:
    """Return the events of one kind."""
    return [event for event in events if isinstance(event, kind)]
