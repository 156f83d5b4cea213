"""An emulated device for the TOGYZ link, version 1.1, written from PROTOCOL.md alone.

    python second_device.py LINK --board-id NAME [--channels 20] [--rate-hz 80] [--time-scale 1] [--buttons 3]

It offers a raw pseudo-terminal by the symlink LINK. Its world comes on stdin as JSON lines in order of device
time: {"t": microseconds, "raw": [..], "status": [..]} is a sample (without "status" all channels are ok) and
{"t": microseconds, "press": number} is a debounced press. SIGTERM or SIGINT ends it.
"section n" in a comment is section n of PROTOCOL.md.
"""

# fmt: off
import argparse
import json
import logging
import os
import select
import signal
import struct
import time
import tty
from collections import deque
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Any
from zlib import crc32

HELLO, DATA, BUTTON, BEAT = 1, 2, 3, 4
HELLO_REQUEST, BUTTON_ACK, HOST_BEAT, CLOCK, LAMPS, BUZZER = 0x81, 0x82, 0x83, 0x84, 0x85, 0x86
PAYLOAD = {HELLO_REQUEST: "<BB", BUTTON_ACK: "<II", HOST_BEAT: "<", CLOCK: "<IIQBBiiII",
           LAMPS: "<HH", BUZZER: "<BH"}
MAJOR, MINOR, FIRMWARE = 1, 1, b"second-device 1.0"
ATTENTION, ALL_LAMPS = 0x04, 0x0F
MAX_TIME, RING = 1 << 60, 32
TICK = 0.02       # all these are wall seconds; a tick is a tenth of the shortest interval, a fifth is allowed
MAX_AHEAD = 0.8   # a host takes times at most 1 s older than one it knows
MAX_LEAD = 1.0    # a host refuses times 10 s ahead of its own clock
DATA_AGE = 0.4    # older samples are not worth sending


def encode(kind: int, seq: int, payload: bytes) -> bytes:
    """The bytes of one frame on the wire, with the closing 0x00."""
    body = struct.pack("<BH", kind, seq) + payload
    body += struct.pack("<I", crc32(body))
    return b"".join(bytes([len(run) + 1]) + run for run in body.split(b"\0")) + b"\0"


def decode(encoded: bytes) -> tuple[int, int, bytes] | None:
    """Type, sequence number and payload of what stood between two 0x00; None if it was no frame."""
    runs, at = [], 0
    while at < len(encoded):
        code = encoded[at]
        if code == 255 or at + code > len(encoded):
            return None
        runs.append(encoded[at + 1:at + code])
        at += code
    body = b"\0".join(runs)
    if len(body) < 7 or struct.unpack("<I", body[-4:])[0] != crc32(body[:-4]):
        return None
    return body[0], body[1] | body[2] << 8, body[3:-4]


class Receiver:
    """Cuts the host's stream into frames."""

    def __init__(self) -> None:
        self.rest, self.synced, self.bad = b"", False, 0

    def feed(self, data: bytes) -> Iterator[tuple[int, int, bytes]]:
        """The valid frames that end in `data`."""
        *pieces, rest = (self.rest + data).split(b"\0")
        self.rest = rest[:252]   # one byte too long for a frame tells as much as ten thousand
        for piece in pieces:
            frame = decode(piece) if len(piece) < 252 else None
            if frame:
                self.synced = True
                yield frame
            elif self.synced and piece:
                self.bad += 1


@dataclass
class Event:
    """A press, kept in the ring. This device sends no releases."""

    number: int
    time_us: int
    button: int
    switched: bool = False


class Dials:
    """The last CLOCK, counted down and switched by presses (section 9). All times in device microseconds."""

    def __init__(self) -> None:
        self.remaining, self.increment = [0, 0], [0, 0]
        self.running = self.armed = self.since = self.revision = 0

    def switch(self, event: Event) -> bool:
        """Let a press act on the dials; true if they switched."""
        side = event.button
        if not self.armed or side > 1 or self.running != side + 1:
            return False
        self.remaining[side] += self.increment[side] - (event.time_us - self.since)
        self.running, self.since = 2 - side, event.time_us
        return True

    def adopt(self, clock: tuple[int, ...], ring: Iterable[Event]) -> bool:
        """Take a CLOCK over and apply the presses it did not know; false if a value has no meaning."""
        revision, seen, at_us, running, armed, *milliseconds = clock
        if revision == 0 or at_us >= MAX_TIME or running > 2 or armed > 1:
            return False
        self.revision, self.running, self.armed, self.since = revision, running, armed, at_us
        microseconds = [value * 1000 for value in milliseconds]
        self.remaining, self.increment = microseconds[:2], microseconds[2:]
        for event in ring:
            if event.number > seen and event.switched:
                self.switch(event)
        return True

    def shown(self, now: int) -> str:
        """Both dials in milliseconds and a star at the running one."""
        if not self.revision:
            return "--:-- --:--"
        values = list(self.remaining)
        if self.running and now > self.since:
            values[self.running - 1] -= now - self.since
        return " ".join(f"{max(values[at], 0) // 1000}{'*' * (self.running == at + 1)}" for at in (0, 1))


class DeviceTime:
    """Device time: what the last line of the world said, and from there by the wall, times time_scale."""

    def __init__(self, scale: int, wall: float) -> None:
        self.rate = scale * 1_000_000
        self.line_t, self.line_wall, self.latest, self.ended = 0, wall, 0, False
        self.origin: float | None = None   # device time less wall time, at the first line

    def now(self, wall: float) -> int:
        """Device time. It waits for a line that is late, or a host would find that line in its past."""
        passed = wall - self.line_wall
        passed = passed if self.ended else min(passed, MAX_AHEAD)
        self.latest = max(self.latest, self.line_t + int(passed * self.rate))
        return self.latest

    def due(self, t: int, wall: float) -> bool:
        """Whether a line may happen now: a world told too fast is held, or its time would jump."""
        return self.origin is None or t <= self.origin + (wall + MAX_LEAD) * self.rate

    def line(self, t: int, wall: float) -> None:
        """A line of the world happens."""
        if self.origin is None:
            self.origin = t - wall * self.rate
        self.line_t, self.line_wall = t, wall

    def end(self, wall: float) -> None:
        """No more lines: time runs on freely, without a leap over what it waited."""
        self.line_t, self.line_wall, self.ended = self.now(wall), wall, True


class World:
    """The lines on stdin. While one is held back, no more are read."""

    def __init__(self, channels: int, buttons: int) -> None:
        self.channels, self.buttons = channels, buttons
        self.lines: deque[dict[str, Any]] = deque()
        self.rest, self.last_t, self.bad, self.open = b"", 0, 0, True

    def read(self) -> None:
        """Take what stdin has; to be called when it is readable, then it does not block."""
        data = os.read(0, 1 << 16)
        *texts, self.rest = (self.rest + (data or b"\n")).split(b"\n")
        self.rest = self.rest[:1 << 16]   # so long a line is bad whatever follows
        self.open = bool(data)
        for text in filter(bytes.strip, texts):
            try:
                self._take(json.loads(text))
            except (ValueError, TypeError, KeyError, AttributeError, RecursionError):
                self.bad += 1

    def _take(self, line: dict[str, Any]) -> None:
        def check(values: list[Any], count: int, low: int, high: int) -> None:
            if len(values) != count or not all(type(v) is int and low <= v <= high for v in values):
                raise ValueError
        check([line["t"]], 1, self.last_t, MAX_TIME - 1)
        if "press" in line:
            check([line["press"]], 1, 0, self.buttons - 1)
        else:
            check(line["raw"], self.channels, -1 << 31, (1 << 31) - 1)
            check(line.setdefault("status", [0] * self.channels), self.channels, 0, 4)
        self.last_t = line["t"]
        self.lines.append(line)


class Line:
    """The pseudo-terminal. Sequence numbers are given on writing, so a dropped frame takes none."""

    def __init__(self, link: str) -> None:
        self.master, slave = os.openpty()
        tty.setraw(slave)
        self.link, self.name = link, os.ttyname(slave)
        os.close(slave)
        os.set_blocking(self.master, False)
        if os.path.islink(link):
            os.unlink(link)   # left over from a device that was killed
        os.symlink(self.name, link)
        self.plugged, self.rest, self.seq = False, b"", 0

    def read(self) -> bytes:
        """What the host has sent; notices whether anyone has the port open."""
        poll = select.poll()
        poll.register(self.master, select.POLLIN)
        events = dict(poll.poll(0)).get(self.master, 0)
        self.plugged = not events & select.POLLHUP
        if not self.plugged:
            self.rest = b"\0"   # the next who opens gets no end of a frame, but this (section 3)
        try:
            return os.read(self.master, 4096) if events & select.POLLIN else b""
        except OSError:
            return b""   # the host flushed it this moment

    def ready(self) -> bool:
        """Whether a frame may be begun: someone has the port open and the frame before is out."""
        if self.plugged and self.rest:
            try:
                self.rest = self.rest[os.write(self.master, self.rest):]
            except OSError:
                pass   # full, or closed this moment
        return self.plugged and not self.rest

    def send(self, kind: int, payload: bytes) -> None:
        """Begin a frame; `ready` writes what the line does not take at once."""
        self.rest = encode(kind, self.seq, payload)
        self.seq = (self.seq + 1) & 0xFFFF

    def close(self) -> None:
        """The symlink goes first: the number of a closed terminal goes to a stranger (section 2)."""
        if os.path.islink(self.link) and os.readlink(self.link) == self.name:
            os.unlink(self.link)
        os.close(self.master)


class Device:
    """Everything the page asks of a device."""

    def __init__(self, options: argparse.Namespace, line: Line) -> None:
        wall = time.monotonic()
        self.options, self.line = options, line
        self.world = World(options.channels, options.buttons)
        self.time, self.receiver, self.dials = DeviceTime(options.time_scale, wall), Receiver(), Dials()
        self.boot_id = int.from_bytes(os.urandom(4), "little") or 1
        self.heard, self.there, self.foreign = wall, False, False
        self.ring: deque[Event] = deque(maxlen=RING)
        self.next_event, self.acked = 1, 0
        self.lamps, self.sound, self.sound_ends = (0, 0), 0, wall
        self.next_second, self.next_round = wall, wall
        self.urgent: deque[int | Event] = deque()   # HELLO, BEAT, presses: sent before any DATA
        fresh = int(options.rate_hz * options.time_scale * DATA_AGE)
        self.data: deque[bytes] = deque(maxlen=min(max(fresh, 1), 32))
        self.count = dict.fromkeys(("hellos", "data", "dropped", "frames", "unknown", "ignored", "lost"), 0)

    def step(self) -> None:
        """One turn of the loop; waits for the line or the world, a tick at most."""
        wants = select.poll()
        if self.line.plugged:   # else it would report the hang-up without end
            wants.register(self.line.master, select.POLLIN)
        if self.world.open and not self.world.lines:
            wants.register(0, select.POLLIN)
        if any(fd == 0 for fd, _ in wants.poll(TICK * 1000)):
            self.world.read()
        wall = time.monotonic()
        for kind, _, payload in self.receiver.feed(self.line.read()):
            self.hear(kind, payload, wall)
        if self.there and wall - self.heard > 2:
            self.there, self.next_second = False, wall
            self.count["lost"] += 1
            self.urgent.clear()
            logging.info("host lost")
        self.live(wall)
        if self.there and wall >= self.next_round:
            self.next_round = wall + 0.2
            self.queue_presses(event for event in self.ring if event.number > self.acked)
        if wall >= self.next_second:
            self.next_second = wall + 1
            self.ask(BEAT if self.there else HELLO)
        self.pump(wall)

    def hear(self, kind: int, payload: bytes, wall: float) -> None:
        """A valid frame has come."""
        self.count["frames"] += 1
        if kind < HELLO_REQUEST:
            self.count["unknown"] += 1
            return   # a device's, so a line that gives back what is sent: no host (section 3)
        form = PAYLOAD.get(kind)
        whole = form is not None and len(payload) >= struct.calcsize(form)
        values = struct.unpack_from(form, payload) if form is not None and whole else ()
        if kind == HELLO_REQUEST and whole:
            self.foreign = values[0] != MAJOR
            self.ask(HELLO)
            self.count["hellos"] += 1
            logging.info(f"HELLO answered to a host of version {values[0]}.{values[1]}")
        if self.foreign:
            return   # not even heard: a host of another major is no host
        self.heard = wall
        if not self.there:
            self.there, self.next_round = True, wall
            logging.info("host there")
        if form is None:
            self.count["unknown"] += 1
        elif not whole or not self.obey(kind, values, wall):
            self.count["ignored"] += 1

    def obey(self, kind: int, values: tuple[int, ...], wall: float) -> bool:
        """Do what a frame says; false if a value in it has no meaning."""
        if kind == BUTTON_ACK:
            boot_id, number = values
            if boot_id != self.boot_id or number >= self.next_event:
                return False   # a number not given yet, if believed, would silence presses to come
            self.acked = max(self.acked, number)
            self.queue_presses(e for e in self.urgent if isinstance(e, Event) and e.number > self.acked)
        elif kind == CLOCK:
            return self.dials.adopt(values, self.ring)
        elif kind == LAMPS:
            self.lamps = (values[0] & ALL_LAMPS, values[1] & ALL_LAMPS)
        elif kind == BUZZER:
            self.sound = values[0] if values[0] <= 3 else 1
            self.sound_ends = wall + min(values[1], 5000) / 1000
        return True

    def live(self, wall: float) -> None:
        """Let all lines of the world happen that are due."""
        lines = self.world.lines
        while lines and self.time.due(lines[0]["t"], wall):
            line = lines.popleft()
            self.time.line(line["t"], wall)
            if "press" in line:
                self.press(line["t"], line["press"])
            elif self.there:
                self.sample(line["t"], line["raw"], line["status"])
            self.pump(wall)
        if not lines and not self.world.open and not self.time.ended:
            self.time.end(wall)

    def press(self, t: int, button: int) -> None:
        """Number a press, keep it, switch the dials, send it."""
        event = Event(self.next_event, t, button)
        self.next_event += 1
        event.switched = self.dials.switch(event)
        self.ring.append(event)
        if self.there:
            self.urgent.append(event)

    def sample(self, t: int, raw: list[int], status: list[int]) -> None:
        """Queue DATA; the oldest goes if the line does not keep up."""
        raw = [0 if code in (1, 3, 4) else value for value, code in zip(raw, status)]
        codes = status + [0]
        nibbles = bytes(codes[at] | codes[at + 1] << 4 for at in range(0, len(status), 2))
        self.count["dropped"] += len(self.data) == self.data.maxlen
        head = struct.pack("<IB", t & 0xFFFFFFFF, len(raw)) + nibbles
        self.data.append(head + struct.pack(f"<{len(raw)}i", *raw))

    def ask(self, kind: int) -> None:
        """Have a HELLO or BEAT sent; one of a kind is enough on a line that stands still."""
        if kind not in self.urgent:
            self.urgent.append(kind)

    def queue_presses(self, events: Iterable[Event]) -> None:
        """Let these be the presses that wait for the line."""
        kinds = [what for what in self.urgent if not isinstance(what, Event)]
        self.urgent = deque([*kinds, *events])

    def pump(self, wall: float) -> None:
        """Write what waits, as far as the line takes it."""
        if not (self.line.plugged and self.there):
            self.count["dropped"] += len(self.data)
            self.data.clear()
        while self.line.ready() and (queue := self.urgent or self.data):
            self.line.send(*self.frame(queue[0], wall))
            self.count["data"] += queue is self.data
            if queue.popleft() == HELLO and not self.there:   # else it would hold the BEAT up
                self.next_second = wall + 1

    def frame(self, what: int | Event | bytes, wall: float) -> tuple[int, bytes]:
        """Type and payload of what waits. HELLO and BEAT are made only now, to be of now."""
        if isinstance(what, bytes):
            return DATA, what
        if isinstance(what, Event):
            return BUTTON, struct.pack("<IQBB", what.number, what.time_us, what.button, 1)
        now = self.time.now(wall)
        if what == BEAT:
            dropped, bad = self.count["dropped"], self.receiver.bad
            return BEAT, struct.pack("<QIII", now, dropped, bad, self.dials.revision)
        o = self.options
        features = (o.channels > 0) | (o.buttons > 0) << 1 | 0x5C   # dials, lamps, buzzer, arbiter's lamp
        fixed = struct.pack("<4sBBIIBQHHBBI", b"TGZ1", MAJOR, MINOR, features, self.boot_id, 1, now,
                            o.time_scale, round(o.rate_hz * 100), o.channels, o.buttons, self.next_event)
        return HELLO, fixed + b"".join(bytes([len(name)]) + name for name in (o.board_id, FIRMWARE))

    def summary(self) -> str:
        """Counters and what can be seen of the device, for its last line."""
        wall = time.monotonic()
        on, blink = self.lamps
        if not self.there:
            on, blink = on | ATTENTION, blink & ~ATTENTION
        counters: dict[str, Any] = self.count | {
            "bad_frames": self.receiver.bad, "bad_lines": self.world.bad, "presses": self.next_event - 1,
            "acked": self.acked, "revision": self.dials.revision, "on": on, "blink": blink,
            "sound": self.sound if wall < self.sound_ends else 0}
        counters["dials"] = self.dials.shown(self.time.now(wall))
        return "end: " + " ".join(f"{name}={value}" for name, value in counters.items())


def arguments() -> argparse.Namespace:
    """The command line, checked against what HELLO can say."""
    parser = argparse.ArgumentParser(description="An emulated device for the TOGYZ link.")
    parser.add_argument("link")
    parser.add_argument("--board-id", type=str.encode, required=True)
    for name, default in (("channels", 20), ("rate-hz", 80.0), ("time-scale", 1), ("buttons", 3)):
        parser.add_argument(f"--{name}", type=type(default), default=default)
    o = parser.parse_args()
    control = any(ord(c) < 32 or 127 <= ord(c) < 160 for c in o.board_id.decode())
    if (control or len(o.board_id) > 32 or o.channels not in range(53) or o.buttons not in range(256)
            or o.time_scale not in range(1, 1001) or not 0 <= o.rate_hz <= 655):
        parser.error("one of these does not fit into HELLO")
    return o


def main() -> None:
    """Live until a signal comes."""
    options = arguments()
    logging.basicConfig(format="%(message)s", level=logging.INFO)
    signals: list[int] = []
    for number in (signal.SIGTERM, signal.SIGINT):
        signal.signal(number, lambda got, _: signals.append(got))
    line = Line(options.link)
    try:
        device = Device(options, line)
        while not signals:
            device.step()
        logging.info(device.summary())
    finally:
        line.close()


if __name__ == "__main__":
    main()
