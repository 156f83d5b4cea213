"""What the host says, on its way to the device: packed, numbered, and bounded when nobody fetches it."""

from sensors import frames
from sensors.link_events import ClockView

MAX_UNSENT = 16_384
"""Bytes kept for a caller that does not fetch them. What is lost beyond is said again anyway: all the
host sends is repeated by its nature, except a sound."""

I32_MIN, I32_MAX, U32_MAX = -(1 << 31), (1 << 31) - 1, (1 << 32) - 1


class HostFrames:
    """The outgoing stream of a host.

    Attributes:
        unsent: frames refused because `MAX_UNSENT` was reached.
    """

    def __init__(self) -> None:
        self.unsent = 0
        self._frames: list[bytes] = []
        self._size = 0
        self._seq = 0

    def begin(self) -> None:
        """Start a new stream: sequence number 0, and a 0x00 to end whatever stands in the line."""
        self._frames = [b"\x00"]
        self._size = 1
        self._seq = 0

    def clear(self) -> None:
        """Forget what was not fetched."""
        self._frames = []
        self._size = 0

    def take(self) -> bytes:
        """Return all bytes and forget them."""
        data = b"".join(self._frames)
        self.clear()
        return data

    def hello_request(self) -> None:
        """Ask who is there."""
        request = frames.HelloRequest(frames.MAJOR, frames.MINOR)
        self._put(frames.HELLO_REQUEST, frames.pack_hello_request(request))

    def button_ack(self, boot_id: int, number: int) -> None:
        """Say that all presses up to this one are durable."""
        self._put(frames.BUTTON_ACK, frames.pack_button_ack(frames.ButtonAck(boot_id, number)))

    def beat(self) -> None:
        """Say that the host is alive."""
        self._put(frames.HOST_BEAT, b"")

    def clock(self, view: ClockView, revision: int) -> None:
        """Say what the dials are."""
        self._put(frames.CLOCK, pack_view(view, revision))

    def lamps(self, lamps: frames.Lamps, features: int) -> None:
        """Say which lamps are lit, of those that the device has by its `frames.FEATURE_x` bits."""
        known = lamps_of(features)
        if known:
            self._put(frames.LAMPS, frames.pack_lamps(frames.Lamps(lamps.on & known, lamps.blink & known)))

    def buzzer(self, buzzer: frames.Buzzer, features: int) -> None:
        """Ask a device with a buzzer for a sound, no longer than any may last."""
        if features & frames.FEATURE_BUZZER:
            lasts_ms = _within(0, buzzer.duration_ms, frames.MAX_SOUND_MS)
            self._put(frames.BUZZER, frames.pack_buzzer(frames.Buzzer(buzzer.pattern, lasts_ms)))

    def _put(self, kind: int, payload: bytes) -> None:
        if self._size > MAX_UNSENT:
            self.unsent += 1
            return
        frame = frames.encode_frame(kind, self._seq, payload)
        self._seq = (self._seq + 1) & 0xFFFF
        self._frames.append(frame)
        self._size += len(frame)


def lamps_of(features: int) -> int:
    """Return the `frames.LAMP_x` bits of the lamps that a device with these features has."""
    if not features & frames.FEATURE_LAMPS:
        return 0
    found = frames.LAMP_SIDE_A | frames.LAMP_SIDE_B | frames.LAMP_ATTENTION
    return found | frames.LAMP_ARBITER if features & frames.FEATURE_ARBITER_LAMP else found


def pack_view(view: ClockView, revision: int) -> bytes:
    """Return the payload of the CLOCK that shows this view.

    What was computed from a device's words may be absurd, and must not stop the host: a time or a
    number beyond its field is sent as the nearest that fits.

    Raises:
        ValueError: if `running` is not 0, 1 or 2.
    """
    if view.running not in {frames.RUNNING_NONE, frames.RUNNING_A, frames.RUNNING_B}:
        raise ValueError(f"running {view.running!r}: not 0, 1 or 2")
    dial_a, dial_b = view.remaining_ms
    by_a, by_b = view.increment_ms
    return frames.pack_clock(
        frames.Clock(
            revision,
            _within(0, view.events_seen, U32_MAX),
            _within(0, view.at_us, frames.MAX_TIME_US),
            view.running,
            int(bool(view.armed)),
            (_within(I32_MIN, dial_a, I32_MAX), _within(I32_MIN, dial_b, I32_MAX)),
            (_within(0, by_a, U32_MAX), _within(0, by_b, U32_MAX)),
        )
    )


def _within(least: int, value: int, most: int) -> int:
    """Return the number between the limits that is nearest to the value."""
    return min(max(value, least), most)
