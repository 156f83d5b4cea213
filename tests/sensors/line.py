"""A link fed frame by frame, without a device."""

from sensors import frames
from sensors.link import ClockView, Link
from sensors.link_events import LinkEvent
from tests.sensors.pair import MS, SECOND
from tests.sensors.reference_device import build, cut

BOOT = 0x1111
VIEW = ClockView(
    events_seen=0, at_us=5, running=1, armed=True, remaining_ms=(600_000, 600_000), increment_ms=(0, 0)
)
HELLO = frames.Hello(1, 0, 31, BOOT, 1, 1_000_000, 1, 8000, 3, 3, 1, "ref-1", "reference")


class Line:
    """A link fed frame by frame; keeps count of the device's sequence numbers."""

    def __init__(self, link: Link | None = None) -> None:
        self.link = link or Link()
        self.now = 5 * SECOND
        self.seq = 0
        self.link.connected(self.now)

    def frame(self, kind: int, payload: bytes) -> list[LinkEvent]:
        """Let the device send this."""
        wire = build(kind, self.seq, payload)
        self.seq = (self.seq + 1) & 0xFFFF
        return self.link.receive(wire, self.now)

    def hello(self, hello: frames.Hello = HELLO) -> list[LinkEvent]:
        """Let the device say who it is."""
        return self.frame(frames.HELLO, frames.pack_hello(hello))

    def data(self, time_us: int, *raw: int, status: tuple[int, ...] | None = None) -> list[LinkEvent]:
        """Let the device send a sample."""
        data = frames.Data(time_us & 0xFFFFFFFF, status or (0,) * len(raw), raw)
        return self.frame(frames.DATA, frames.pack_data(data))

    def button(
        self, number: int, *, button: int = 0, edge: int = 1, time_us: int | None = None
    ) -> list[LinkEvent]:
        """Let the device send a press."""
        message = frames.Button(number, 1_000_000 + number if time_us is None else time_us, button, edge)
        return self.frame(frames.BUTTON, frames.pack_button(message))

    def beat(self, time_us: int = 1_000_000, revision: int = 0) -> list[LinkEvent]:
        """Let the device be alive."""
        return self.frame(frames.BEAT, frames.pack_beat(frames.Beat(time_us, 3, 4, revision)))

    def poll(self, duration: int) -> list[LinkEvent]:
        """Let time pass in steps of 100 ms."""
        found: list[LinkEvent] = []
        for _ in range(duration // (100 * MS)):
            self.now += 100 * MS
            found += self.link.poll(self.now)
        return found

    def sent(self) -> list[tuple[int, bytes]]:
        """Return type and payload of what the link has sent since the last call."""
        return [(kind, payload) for kind, _seq, payload in cut(self.link.data_to_send())[0]]

    def kinds(self) -> list[int]:
        """Return the types of what the link has sent since the last call."""
        return [kind for kind, _payload in self.sent()]


def known(link: Link | None = None) -> Line:
    """Return a line whose device has said who it is."""
    line = Line(link)
    line.hello()
    line.link.data_to_send()
    return line
