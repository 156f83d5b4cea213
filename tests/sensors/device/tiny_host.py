"""A host of a hundred lines: enough of the other end of the TOGYZ link to play a game with the device."""

from dataclasses import dataclass, field

from sensors import frames

BEAT_EVERY_US = 500_000


@dataclass
class TinyHost:
    """Says HELLO_REQUEST and beats, collects what comes, acknowledges presses, drives the clock.

    The first press of each side means "ready"; after both, dial A runs, armed, so that the device switches by
    itself. After `plies` further presses the clock stands.
    """

    plies: int
    acknowledges: bool = True
    first_dial: int = frames.RUNNING_A
    hello: frames.Hello | None = None
    kinds: list[int] = field(default_factory=list)
    seqs: list[int] = field(default_factory=list)
    data: list[frames.Data] = field(default_factory=list)
    beats: list[frames.Beat] = field(default_factory=list)
    presses: dict[int, frames.Button] = field(default_factory=dict)
    presses_received: int = 0
    keep_data: bool = False
    data_received: int = 0
    decoder: frames.Decoder = field(default_factory=frames.Decoder)
    _out: list[tuple[int, bytes]] = field(default_factory=list)
    _seq: int = 0
    _beat_due_us: int | None = None
    _revision: int = 0

    def receive(self, data: bytes) -> None:
        """Bytes from the device."""
        for kind, seq, payload in self.decoder.feed(data):
            self.kinds.append(kind)
            self.seqs.append(seq)
            if kind == frames.HELLO:
                self.hello = frames.unpack_hello(payload)
            elif kind == frames.DATA:
                self.data_received += 1
                if self.keep_data:
                    self.data.append(frames.unpack_data(payload))
            elif kind == frames.BEAT:
                self.beats.append(frames.unpack_beat(payload))
            elif kind == frames.BUTTON:
                self._take_press(frames.unpack_button(payload))

    def poll(self, wall_us: int) -> bytes:
        """What is to be sent now."""
        if self._beat_due_us is None:
            self.put(frames.HELLO_REQUEST, frames.pack_hello_request(frames.HelloRequest(1, 0)))
            self._beat_due_us = wall_us
        if wall_us >= self._beat_due_us:
            self._beat_due_us = wall_us + BEAT_EVERY_US
            self.put(frames.HOST_BEAT, b"")
        return self.take()

    def put(self, kind: int, payload: bytes) -> None:
        """A message to be sent."""
        self._out.append((kind, payload))

    def take(self) -> bytes:
        """The messages to be sent, as bytes."""
        data = b""
        for kind, payload in self._out:
            data += frames.encode_frame(kind, self._seq, payload)
            self._seq += 1
        self._out.clear()
        return data

    def acknowledge(self, number: int) -> None:
        """Acknowledge presses up to a number."""
        assert self.hello is not None
        self.put(frames.BUTTON_ACK, frames.pack_button_ack(frames.ButtonAck(self.hello.boot_id, number)))

    def clock(self, running: int, at_us: int, *, seen: int | None = None) -> None:
        """Show five minutes a side."""
        self._revision += 1
        seen = len(self.presses) if seen is None else seen
        clock = frames.Clock(self._revision, seen, at_us, running, 1, (300_000, 300_000), (0, 0))
        self.put(frames.CLOCK, frames.pack_clock(clock))

    def _take_press(self, press: frames.Button) -> None:
        self.presses_received += 1
        new = press.number not in self.presses
        if new and self.presses and press.number > max(self.presses) + 1:
            return  # an earlier one is still to come again; acknowledging this one would lose it
        self.presses[press.number] = press
        if self.acknowledges:
            self.acknowledge(max(self.presses))
        if new and len(self.presses) == 2:
            self.clock(self.first_dial, press.time_us)
        elif new and len(self.presses) == 2 + self.plies:
            self.clock(frames.RUNNING_NONE, press.time_us)
