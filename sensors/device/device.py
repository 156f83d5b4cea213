"""The device's end of the TOGYZ link (sensors/PROTOCOL.md), without I/O: of emulated boards and header pins.

It is fed bytes from the host, samples and button edges, and asked for the next frame to send. Two times are
arguments everywhere: **device time** counts the board's own microseconds and may run faster than the wall;
**wall time**, monotonic microseconds, drives everything that guards the line: repeats, beats, silence.

Laws kept here: a press is numbered once, kept and repeated until the host acknowledges it, in order; DATA is
lossy, the oldest goes first and is counted; while no host is heard the presses are kept, the dials run on,
the attention lamp is lit and only HELLO is said.
"""

from collections import deque
from dataclasses import dataclass
from typing import NamedTuple

from sensors import frames
from sensors.device.dials import Dials

TICK_EVERY_US = 1_000_000
RESEND_EVERY_US = 200_000
HOST_TIMEOUT_US = 2_000_000
"""Wall times of the protocol, microseconds; the tick is HELLO's while the host is lost and BEAT's else."""

KEPT_EVENTS = 32
"""Button events in the ring, acknowledged or not: the least the protocol allows."""

KEPT_SOUNDS = 16
"""Sounds remembered for whoever listens; a flood of them must not fill the memory."""

QUEUED_DATA = 64
"""DATA frames that may wait for the line before the oldest is dropped: 0.8 s at 80 samples a second."""

CHANNELS = 20
"""Load channels of a board of cells: eighteen and two."""

FEATURES = (
    frames.FEATURE_LOADS
    | frames.FEATURE_BUTTONS
    | frames.FEATURE_DIALS
    | frames.FEATURE_LAMPS
    | frames.FEATURE_BUZZER
    | frames.FEATURE_ARBITER_LAMP
)
"""What every emulated device has; one with count sensors adds `frames.FEATURE_COUNTERS`."""


@dataclass(frozen=True, slots=True, kw_only=True)
class DeviceConfig:
    """What is burnt into the device."""

    board_id: str
    firmware: str = "togyz-emulator 1"
    channels: int = CHANNELS
    buttons: int = 3
    rate_hz: float = 80.0
    features: int = FEATURES
    """`frames.FEATURE_x` bits, as HELLO says them."""
    reset_reason: int = frames.RESET_POWER_ON
    time_scale: int = 1
    """Device seconds per wall second, 1..1000."""
    major: int = frames.MAJOR
    """Another number makes a device of a foreign version, for tests."""


class _Waiting(NamedTuple):
    kind: int
    payload: bytes


class _Event(NamedTuple):
    button: frames.Button
    switched: bool


class Device:
    """One powered device.

    Args:
        config: what it is.
        boot_id: random, never 0; another one after each power cycle.

    Attributes:
        boot_id: as given.
        dials: what its clock shows.
        lamps: what the host asked for last.
        sounds: the sounds asked for that nobody has fetched, oldest first.
        dropped_data: DATA frames dropped since boot.
        skipped: frames of unknown type or without sense, since boot.
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
        self.sounds: deque[frames.Buzzer] = deque(maxlen=KEPT_SOUNDS)
        self.dropped_data = 0
        self._decoder = frames.Decoder()
        self._queue: deque[_Waiting] = deque()
        self._queued_data = 0
        self._seq = 0
        self._next_event = 1
        self._events: deque[_Event] = deque(maxlen=KEPT_EVENTS)
        self._acknowledged = 0
        self.skipped = 0
        self._foreign = False
        self._heard_us: int | None = None
        self._tick_due_us: int | None = None
        self._resend_due_us = 0
        self._now_us = 0

    # -- what can be seen --------------------------------------------------------------------------

    @property
    def host_lost(self) -> bool:
        """True while no host is heard: before the first valid frame and after 2 s of silence."""
        return self._heard_us is None

    @property
    def lit(self) -> frames.Lamps:
        """What burns and what blinks now: as the host said, and attention while no host is heard."""
        on, blink = self.lamps
        if self.host_lost:
            return frames.Lamps(on | frames.LAMP_ATTENTION, blink & ~frames.LAMP_ATTENTION)
        return frames.Lamps(on, blink)

    @property
    def queued_data(self) -> int:
        """DATA frames that wait for the line."""
        return self._queued_data

    @property
    def unacknowledged(self) -> int:
        """Button events in the ring that the host has not acknowledged."""
        return len(self._open_events())

    # -- what happens to it ------------------------------------------------------------------------

    def receive(self, data: bytes, wall_us: int, device_us: int) -> None:
        """Take bytes from the host; what is no frame, or says nothing sensible, is counted and skipped."""
        self._now_us = device_us
        for kind, _seq, payload in self._decoder.feed(data):
            try:
                if self._is_for_us(kind, payload):
                    self._hear(wall_us)
                    self._obey(kind, payload)
            except frames.FrameError:
                self.skipped += 1

    def press(self, button: int, at_us: int) -> None:
        """Press a button down at device time `at_us`. Letting go is not reported: nothing needs it."""
        event = frames.Button(self._next_event, at_us, button, frames.EDGE_DOWN)
        self._next_event += 1
        self._events.append(_Event(event, self.dials.switch(event)))
        if not self.host_lost and self._waiting(frames.BUTTON) < KEPT_EVENTS:  # else a round brings it
            self._put(frames.BUTTON, frames.pack_button(event))

    def sample(self, time_us: int, raw: tuple[int, ...], status: tuple[int, ...]) -> None:
        """Take a sample of all channels at device time `time_us`; it is sent while a host listens."""
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
            self._heard_us = None
            self._queue.clear()
            self._queued_data = 0
            self._tick_due_us = None
        if self._tick_due_us is None or wall_us >= self._tick_due_us:
            self._tick_due_us = wall_us + TICK_EVERY_US
            if self.host_lost:
                self._say_hello()
            else:
                self._beat()
        if not self.host_lost and wall_us >= self._resend_due_us:
            self._resend_due_us = wall_us + RESEND_EVERY_US
            self._resend()

    def next_frame(self) -> bytes | None:
        """Return the next encoded frame for the line, or None; it counts as sent."""
        if not self._queue:
            return None
        waiting = self._queue.popleft()
        if waiting.kind == frames.DATA:
            self._queued_data -= 1
        frame = frames.encode_frame(waiting.kind, self._seq, waiting.payload)
        self._seq = (self._seq + 1) & 0xFFFF
        return frame

    # -- inside ------------------------------------------------------------------------------------

    def _is_for_us(self, kind: int, payload: bytes) -> bool:
        """Answer a host of a foreign version; return whether the frame is a host's, and of our version."""
        if not kind & frames.FROM_HOST:
            self.skipped += 1
            return False
        if kind == frames.HELLO_REQUEST:
            self._foreign = frames.unpack_hello_request(payload).major != self._config.major
            if self._foreign:
                self._say_hello()
        return not self._foreign

    def _hear(self, wall_us: int) -> None:
        if self._heard_us is None:
            self._resend_due_us = wall_us
            self._tick_due_us = wall_us + TICK_EVERY_US
        self._heard_us = wall_us

    def _obey(self, kind: int, payload: bytes) -> None:
        if kind == frames.HELLO_REQUEST:
            self._say_hello()
        elif kind == frames.BUTTON_ACK:
            self._acknowledge(frames.unpack_button_ack(payload))
        elif kind == frames.CLOCK:
            switching = [event.button for event in self._events if event.switched]
            self.dials.adopt(frames.unpack_clock(payload), switching)
        elif kind == frames.LAMPS:
            self.lamps = frames.unpack_lamps(payload)
        elif kind == frames.BUZZER:
            asked = frames.unpack_buzzer(payload)
            lasts_ms = min(asked.duration_ms, frames.MAX_SOUND_MS)
            self.sounds.append(frames.Buzzer(asked.pattern, lasts_ms))
        elif kind != frames.HOST_BEAT:
            self.skipped += 1

    def _acknowledge(self, ack: frames.ButtonAck) -> None:
        """Heed it for this boot and events that exist only: a mad number must not silence later presses."""
        if ack.boot_id == self.boot_id and ack.number < self._next_event:
            self._acknowledged = max(self._acknowledged, ack.number)

    def _open_events(self) -> list[frames.Button]:
        return [event.button for event in self._events if event.button.number > self._acknowledged]

    def _say_hello(self) -> None:
        """Put HELLO in line, unless one waits there already: a flood of requests gets one answer."""
        if self._waiting(frames.HELLO):
            return
        config = self._config
        hello = frames.Hello(
            major=config.major,
            minor=frames.MINOR,
            features=config.features,
            boot_id=self.boot_id,
            reset_reason=config.reset_reason,
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

    def _waiting(self, kind: int) -> int:
        """Return how many frames of a type wait for the line: a host that speaks may never read."""
        return sum(waiting.kind == kind for waiting in self._queue)

    def _beat(self) -> None:
        """Put BEAT in line, unless one waits there already."""
        if self._waiting(frames.BEAT):
            return
        bad = self._decoder.bad_frames + self._decoder.overlong
        beat = frames.Beat(self._now_us, self.dropped_data, bad, self.dials.revision)
        self._put(frames.BEAT, frames.pack_beat(beat))

    def _resend(self) -> None:
        """Put every open event in line again, oldest first, unless earlier copies still wait there."""
        if self._waiting(frames.BUTTON):
            return
        for event in self._open_events():
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
