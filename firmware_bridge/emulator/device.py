"""The emulated microcontroller: the reference device of the TOGYZ link (sensors/PROTOCOL.md), without I/O.

It is fed bytes from the host, samples and button edges, and asked for the next frame to send. Two times are
arguments everywhere: **device time** counts the board's own microseconds and may run faster than the wall;
**wall time**, monotonic microseconds, drives everything that guards the line: repeats, beats, silence.

Laws kept here: a press is numbered once, kept and repeated until the host acknowledges it, in order; DATA is
lossy, the oldest goes first and is counted; while no host is heard the presses are kept, the dials run on and
the attention lamp is lit.
"""

from collections import deque
from dataclasses import dataclass
from typing import NamedTuple

from firmware_bridge.emulator.dials import Dials
from sensors import frames

HELLO_EVERY_US = 1_000_000
BEAT_EVERY_US = 1_000_000
RESEND_EVERY_US = 200_000
HOST_TIMEOUT_US = 2_000_000
"""Wall times of the protocol, microseconds."""

KEPT_EVENTS = 64
"""Unacknowledged button events kept; the protocol asks for 32 or more."""

QUEUED_DATA = 64
"""DATA frames that may wait for the line before the oldest is dropped: 0.8 s at 80 samples a second."""

RESET_POWER_ON = 1
"""Why the device started."""

FEATURES = (
    frames.FEATURE_LOADS
    | frames.FEATURE_BUTTONS
    | frames.FEATURE_DIALS
    | frames.FEATURE_LAMPS
    | frames.FEATURE_BUZZER
)


@dataclass(frozen=True, slots=True, kw_only=True)
class DeviceConfig:
    """What is burnt into the device."""

    board_id: str
    firmware: str = "togyz-emulator 1"
    channels: int = 20
    buttons: int = 3
    rate_hz: float = 80.0
    time_scale: int = 1
    """Device seconds per wall second, 1..1000."""
    major: int = frames.MAJOR
    """Another number makes a device of a foreign version, for tests."""


class _Waiting(NamedTuple):
    kind: int
    payload: bytes


class Device:
    """One powered device.

    Args:
        config: what it is.
        boot_id: random, never 0; another one after each power cycle.

    Attributes:
        boot_id: as given.
        dials: what its clock shows.
        lamps: what the host asked for last.
        buzzes: every BUZZER received.
        dropped_data: DATA frames dropped since boot.
    """

    def __init__(self, config: DeviceConfig, boot_id: int) -> None:
        self._config = config
        self.power_cycle(boot_id)

    def power_cycle(self, boot_id: int) -> None:
        """Start anew with another boot id: nothing survives, device time begins at 0 again."""
        assert 0 < boot_id < 2**32, boot_id
        self.boot_id = boot_id
        self.dials = Dials()
        self.lamps = frames.Lamps(0, 0)
        self.buzzes: list[frames.Buzzer] = []
        self.dropped_data = 0
        self._decoder = frames.Decoder()
        self._queue: deque[_Waiting] = deque()
        self._queued_data = 0
        self._seq = 0
        self._next_event = 1
        self._events: deque[frames.Button] = deque(maxlen=KEPT_EVENTS)
        self._bad_payloads = 0
        self._answered = False
        self._heard_us: int | None = None
        self._hello_due_us: int | None = None
        self._beat_due_us: int | None = None
        self._resend_due_us = 0
        self._now_us = 0

    # -- what can be seen --------------------------------------------------------------------------

    @property
    def host_lost(self) -> bool:
        """True while no host is heard: before the first valid frame and after 2 s of silence."""
        return self._heard_us is None

    @property
    def attention_lit(self) -> bool:
        """The attention lamp: host lost, or asked for."""
        return self.host_lost or bool((self.lamps.on | self.lamps.blink) & frames.LAMP_ATTENTION)

    @property
    def queued_data(self) -> int:
        """DATA frames that wait for the line."""
        return self._queued_data

    @property
    def unacknowledged(self) -> int:
        """Button events the host has not acknowledged."""
        return len(self._events)

    # -- what happens to it ------------------------------------------------------------------------

    def receive(self, data: bytes, wall_us: int, device_us: int) -> None:
        """Bytes from the host. Whatever is no frame, or says nothing sensible, is counted and skipped."""
        self._now_us = device_us
        for kind, _seq, payload in self._decoder.feed(data):
            if self._heard_us is None:
                self._resend_due_us = wall_us
            self._heard_us = wall_us
            self._answered = True
            try:
                self._obey(kind, payload)
            except frames.FrameError:
                self._bad_payloads += 1

    def press(self, button: int, at_us: int) -> None:
        """A button goes down at device time `at_us`. Letting go is not reported: nothing needs it."""
        event = frames.Button(self._next_event, at_us, button, frames.EDGE_DOWN)
        self._next_event += 1
        self._events.append(event)
        if button in (frames.BUTTON_SIDE_A, frames.BUTTON_SIDE_B):
            self.dials.press(event.number, button, at_us)
        if not self.host_lost:
            self._put(frames.BUTTON, frames.pack_button(event))

    def sample(self, time_us: int, raw: tuple[int, ...], status: tuple[int, ...]) -> None:
        """A sample of all channels at device time `time_us`; sent while a host listens."""
        self._now_us = time_us
        if self.host_lost:
            return
        if self._queued_data >= QUEUED_DATA:
            self._drop_oldest_data()
        payload = frames.pack_data(frames.Data(time_us & 0xFFFFFFFF, status, raw))
        self._put(frames.DATA, payload)

    def poll(self, wall_us: int, device_us: int) -> None:
        """Do what has become due by wall time: HELLO, BEAT, repeats, noticing that the host is gone."""
        self._now_us = device_us
        if self._heard_us is not None and wall_us - self._heard_us >= HOST_TIMEOUT_US:
            self._lose_host()
        if not self._answered and (self._hello_due_us is None or wall_us >= self._hello_due_us):
            self._hello_due_us = wall_us + HELLO_EVERY_US
            self._say_hello()
        if self._beat_due_us is None:
            self._beat_due_us = wall_us + BEAT_EVERY_US
        elif wall_us >= self._beat_due_us:
            self._beat_due_us = wall_us + BEAT_EVERY_US
            self._beat()
        if self._events and not self.host_lost and wall_us >= self._resend_due_us:
            self._resend_due_us = wall_us + RESEND_EVERY_US
            self._resend()

    def next_frame(self) -> bytes | None:
        """The next encoded frame for the line, or None; it counts as sent."""
        if not self._queue:
            return None
        waiting = self._queue.popleft()
        if waiting.kind == frames.DATA:
            self._queued_data -= 1
        frame = frames.encode_frame(waiting.kind, self._seq, waiting.payload)
        self._seq = (self._seq + 1) & 0xFFFF
        return frame

    # -- inside ------------------------------------------------------------------------------------

    def _obey(self, kind: int, payload: bytes) -> None:
        if kind == frames.HELLO_REQUEST:
            frames.unpack_hello_request(payload)
            self._say_hello()
        elif kind == frames.BUTTON_ACK:
            self._acknowledge(frames.unpack_button_ack(payload))
        elif kind == frames.CLOCK:
            self.dials.adopt(frames.unpack_clock(payload))
        elif kind == frames.LAMPS:
            self.lamps = frames.unpack_lamps(payload)
        elif kind == frames.BUZZER:
            self.buzzes.append(frames.unpack_buzzer(payload))

    def _acknowledge(self, ack: frames.ButtonAck) -> None:
        if ack.boot_id != self.boot_id:
            return
        while self._events and self._events[0].number <= ack.number:
            self._events.popleft()

    def _lose_host(self) -> None:
        self._heard_us = None
        self._queue = deque(waiting for waiting in self._queue if waiting.kind != frames.DATA)
        self._queued_data = 0

    def _say_hello(self) -> None:
        config = self._config
        hello = frames.Hello(
            major=config.major,
            minor=frames.MINOR,
            features=FEATURES,
            boot_id=self.boot_id,
            reset_reason=RESET_POWER_ON,
            uptime_us=self._now_us,
            time_scale=config.time_scale,
            rate_centihz=round(config.rate_hz * 100),
            channels=config.channels,
            buttons=config.buttons,
            next_event=self._next_event,
            board_id=config.board_id,
            firmware=config.firmware,
        )
        self._put(frames.HELLO, frames.pack_hello(hello))

    def _beat(self) -> None:
        bad = self._decoder.bad_frames + self._decoder.overlong + self._bad_payloads
        beat = frames.Beat(self._now_us, self.dropped_data, bad, self.dials.revision)
        self._put(frames.BEAT, frames.pack_beat(beat))

    def _resend(self) -> None:
        """Put every kept event in line again, oldest first, unless earlier copies still wait there."""
        if any(waiting.kind == frames.BUTTON for waiting in self._queue):
            return
        for event in self._events:
            self._put(frames.BUTTON, frames.pack_button(event))

    def _drop_oldest_data(self) -> None:
        for index, waiting in enumerate(self._queue):
            if waiting.kind == frames.DATA:
                del self._queue[index]
                self._queued_data -= 1
                self.dropped_data += 1
                return

    def _put(self, kind: int, payload: bytes) -> None:
        if kind == frames.DATA:
            self._queued_data += 1
        self._queue.append(_Waiting(kind, payload))
