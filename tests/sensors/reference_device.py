"""A device written from PROTOCOL.md alone: its own framing, layouts and dials, none of `frames.py`.

It has no clock: `run(wall_us)` says what time it is. What it wants to send is fetched with `take`.
"""

import struct
import zlib
from dataclasses import dataclass

RING = 32
SECOND = 1_000_000


def encode(body: bytes) -> bytes:
    """COBS, as the pseudo code of the page says, and the closing zero."""
    out = bytearray()
    for run in body.split(b"\x00"):
        out.append(len(run) + 1)
        out += run
    return bytes(out) + b"\x00"


def decode(encoded: bytes) -> bytes | None:
    """Return the body of a piece between two zeros, None if it is no COBS."""
    out = bytearray()
    at = 0
    while at < len(encoded):
        code = encoded[at]
        if code in (0, 255) or at + code > len(encoded):
            return None
        if at > 0:
            out.append(0)
        out += encoded[at + 1 : at + code]
        at += code
    return bytes(out)


def build(kind: int, seq: int, payload: bytes) -> bytes:
    """Return a whole frame."""
    content = struct.pack("<BH", kind, seq) + payload
    return encode(content + struct.pack("<I", zlib.crc32(content)))


def cut(stream: bytes) -> tuple[list[tuple[int, int, bytes]], bytes]:
    """Return the valid frames of a stream and what is left behind the last zero."""
    *pieces, rest = stream.split(b"\x00")
    found = []
    for piece in pieces:
        body = decode(piece)
        if body is None or len(body) < 7 or zlib.crc32(body[:-4]) != int.from_bytes(body[-4:], "little"):
            continue
        found.append((body[0], int.from_bytes(body[1:3], "little"), body[3:-4]))
    return found, rest


@dataclass
class Event:
    """One press in the ring."""

    number: int
    time_us: int
    button: int
    switched: bool


class Dials:
    """Section 9 of the page."""

    def __init__(self) -> None:
        self.remaining = [0, 0]
        self.increment = [0, 0]
        self.running = 0
        self.armed = 0
        self.since = 0
        self.revision = 0

    def switch(self, event: Event) -> bool:
        """Switch on a press, if it is that side's turn."""
        if not self.armed or event.button > 1 or self.running != event.button + 1:
            return False
        self.remaining[event.button] -= event.time_us - self.since
        self.remaining[event.button] += self.increment[event.button]
        self.running = 2 - event.button
        self.since = event.time_us
        return True

    def adopt(self, payload: bytes, ring: list[Event]) -> None:
        """Take over a CLOCK and apply again what it has not seen."""
        fields = struct.unpack_from("<IIQBBiiII", payload)
        self.revision, events_seen, self.since, self.running, self.armed = fields[:5]
        self.remaining = [ms * 1000 for ms in fields[5:7]]
        self.increment = [ms * 1000 for ms in fields[7:9]]
        for event in ring:
            if event.number > events_seen and event.switched:
                self.switch(event)

    def shown(self, now: int) -> tuple[int, int]:
        """Return what the two dials show, in microseconds."""
        values = list(self.remaining)
        if self.running and now > self.since:
            values[self.running - 1] -= now - self.since
        return max(values[0], 0), max(values[1], 0)


class ReferenceDevice:
    """One microcontroller.

    Attributes:
        presses: every press of the present boot, for the test to compare with.
        samples: every DATA sent in the present boot, device time -> raw.
        lamps, sounds: what it was last told.
        major, channels_sent: to be changed by a test that wants a wrong device.
    """

    def __init__(
        self, *, boot_id: int = 0x1111, channels: int = 3, scale: int = 1, start_us: int = 0
    ) -> None:
        self.channels = self.channels_sent = channels
        self.scale = scale
        self.major = 1
        self.wall = 0
        self.boot(boot_id, start_us)

    def boot(self, boot_id: int, start_us: int = 0) -> None:
        """Start anew, as after a reset; `start_us` lets device time begin late."""
        self.boot_id = boot_id
        self.origin = self.wall - start_us // self.scale
        self.seq = 0
        self.out = b""
        self.tail = b""
        self.ring: list[Event] = []
        self.next_event = 1
        self.acked = 0
        self.heard: int | None = None
        self.dials = Dials()
        self.lamps = (0, 0)
        self.sounds: list[tuple[int, int]] = []
        self.bad = 0
        self.foreign = False
        self.presses: list[Event] = []
        self.samples: dict[int, tuple[int, ...]] = {}
        self.next_second = self.next_round = self.wall
        self.next_sample = self.time

    @property
    def time(self) -> int:
        """Device time now."""
        return (self.wall - self.origin) * self.scale

    @property
    def host_there(self) -> bool:
        """Whether a valid frame came within the last two seconds."""
        return self.heard is not None and self.wall - self.heard <= 2 * SECOND

    def send(self, kind: int, payload: bytes) -> None:
        """Queue a frame."""
        self.out += build(kind, self.seq, payload)
        self.seq = (self.seq + 1) & 0xFFFF

    def take(self) -> bytes:
        """Return what is to go over the line."""
        out, self.out = self.out, b""
        return out

    def hello(self) -> None:
        """Say who it is."""
        board, firmware = b"ref-1", b"reference"
        fields = (self.major, 0, 0b1111, self.boot_id, 1, self.time, self.scale, 8000, self.channels, 3)
        payload = b"TGZ1" + struct.pack("<BBIIBQHHBBI", *fields, self.next_event)
        self.send(1, payload + bytes([len(board)]) + board + bytes([len(firmware)]) + firmware)

    def press(self, button: int) -> Event:
        """Press a button now."""
        event = Event(self.next_event, self.time, button, switched=False)
        self.next_event += 1
        event.switched = self.dials.switch(event)
        self.ring = [*self.ring, event][-RING:]
        self.presses.append(event)
        if self.host_there:
            self.send_event(event)
        return event

    def send_event(self, event: Event) -> None:
        """Send one BUTTON."""
        self.send(3, struct.pack("<IQBB", event.number, event.time_us, event.button, 1))

    def resend(self) -> None:
        """Send all unacknowledged events, oldest first."""
        self.next_round = self.wall + SECOND // 5
        for event in self.ring:
            if event.number > self.acked:
                self.send_event(event)

    def sample(self) -> None:
        """Send one DATA whose values tell its number."""
        raw = tuple(len(self.samples) * 10 + channel for channel in range(self.channels_sent))
        self.samples[self.time] = raw
        codes = bytes((len(raw) + 1) // 2)
        self.send(
            2,
            struct.pack("<IB", self.time & 0xFFFFFFFF, len(raw)) + codes + struct.pack(f"<{len(raw)}i", *raw),
        )

    def receive(self, data: bytes) -> None:
        """Take bytes of the host."""
        found, self.tail = cut(self.tail + data)
        for kind, _seq, payload in found:
            was_there = self.host_there
            self.heard = self.wall
            if not was_there:
                self.resend()
            if kind == 0x81:
                self.foreign = payload[0] != self.major
                self.hello()
            elif not self.foreign:
                self.obey(kind, payload)

    def obey(self, kind: int, payload: bytes) -> None:
        """Do what one frame says."""
        if kind == 0x82:
            boot_id, number = struct.unpack_from("<II", payload)
            if boot_id == self.boot_id:
                self.acked = max(self.acked, number)
        elif kind == 0x84:
            self.dials.adopt(payload, self.ring)
        elif kind == 0x85:
            self.lamps = struct.unpack_from("<HH", payload)
        elif kind == 0x86:
            self.sounds.append(struct.unpack_from("<BH", payload))

    def run(self, wall_us: int) -> None:
        """Let the time be this, and do what is due."""
        self.wall = wall_us
        there = self.host_there and not self.foreign
        if there and self.time >= self.next_sample:
            self.next_sample = self.time + 12_500
            self.sample()
        if there and wall_us >= self.next_round:
            self.resend()
        if wall_us >= self.next_second:
            self.next_second = wall_us + SECOND
            if self.host_there:
                self.send(4, struct.pack("<QIII", self.time, 0, self.bad, self.dials.revision))
            else:
                self.hello()
