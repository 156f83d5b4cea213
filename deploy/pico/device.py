"""The device's end of the TOGYZ link (sensors/PROTOCOL.md): bytes, presses and samples in, frames out.

Pure: device time and wall time in microseconds are arguments. A press is numbered once, kept and repeated
until the host acknowledges it. DATA is lossy, the oldest goes first and is counted. While no host is heard
presses are kept, the dials run on, attention is lit, and only HELLO is said. Whatever the host sends, nothing
here raises and nothing grows.
"""

import frames
from dials import Dials
from signals import Sound

TICK_EVERY_US = 1_000_000
RESEND_EVERY_US = 200_000
HOST_TIMEOUT_US = 2_000_000

KEPT_EVENTS = 32
"""Button events in the ring, acknowledged or not: the least the protocol allows."""

QUEUED_DATA = 32
"""DATA frames that may wait for the line: 0.4 s at 80 samples a second, 4 kB."""

NUMBER, TIME_US, BUTTON, SWITCHED = 0, 1, 2, 3
"""Fields of an event in the ring."""


class Device:
    """What the host sees.

    Args:
        identity: the frames.Hello of this boot; `uptime_us` and `next_event` are filled in when it is said.

    Attributes:
        dials, sound: what they are told.
        dropped_data: DATA frames dropped since boot.
        skipped: frames of unknown type or without sense, since boot.
        host_lost: True while no host is heard.
    """

    def __init__(self, identity):
        self.dials = Dials()
        self.sound = Sound()
        self.dropped_data = 0
        self.skipped = 0
        self.host_lost = True
        self._identity = identity
        self._on = self._blink = 0
        self._decoder = frames.Decoder()
        self._seq = 0
        self._next_event = 1
        self._ring = []
        self._acked = 0
        self._foreign = False
        self._heard_us = 0
        self._tick_due_us = None
        self._resend_due_us = 0
        self._hello = self._beat = False
        self._sending = []  # numbers of events to be sent
        self._data = []

    # -- what can be seen --------------------------------------------------------------------------

    @property
    def lamps(self):
        """(on, blink) as they are now: as the host said, and attention while no host is heard."""
        if self.host_lost:
            return self._on | frames.LAMP_ATTENTION, self._blink & ~frames.LAMP_ATTENTION
        return self._on, self._blink

    @property
    def queued_data(self):
        """DATA frames that wait for the line."""
        return len(self._data)

    @property
    def unacknowledged(self):
        """Button events in the ring that the host has not acknowledged."""
        return sum([1 for event in self._ring if event[NUMBER] > self._acked])

    # -- what happens to it ------------------------------------------------------------------------

    def receive(self, data, wall_us):
        """Take bytes from the host; what is no frame, or says nothing sensible, is counted and skipped."""
        for kind, _seq, payload in self._decoder.feed(data):
            try:
                if self._is_for_us(kind, payload):
                    self._hear(wall_us)
                    self._obey(kind, payload, wall_us)
            except frames.FrameError:
                self.skipped += 1

    def press(self, button, time_us):
        """Take a press, its first edge at device time `time_us`."""
        number = self._next_event
        self._next_event = number + 1
        self._ring.append((number, time_us, button, self.dials.switch(time_us, button)))
        if len(self._ring) > KEPT_EVENTS:
            del self._ring[0]
        if not self.host_lost:
            self._sending.append(number)

    def sample(self, time_us, status, raw):
        """Take a sample of all channels at device time `time_us`; it is sent while a host listens."""
        if self.host_lost:
            return
        if len(self._data) >= QUEUED_DATA:
            del self._data[0]
            self.dropped_data += 1
        self._data.append(frames.pack_data(frames.Data(time_us & 0xFFFFFFFF, status, raw)))

    def poll(self, wall_us):
        """Do what has become due: HELLO, BEAT, repeats, noticing that the host is gone."""
        if not self.host_lost and wall_us - self._heard_us >= HOST_TIMEOUT_US:
            self.host_lost = True
            self._tick_due_us = None
            self._beat = False
            self._sending = []
            self._data = []
        if self._tick_due_us is None or wall_us >= self._tick_due_us:
            self._tick_due_us = wall_us + TICK_EVERY_US
            if self.host_lost:
                self._hello = True
            else:
                self._beat = True
        if not self.host_lost and wall_us >= self._resend_due_us:
            self._resend_due_us = wall_us + RESEND_EVERY_US
            # what still waits for the line is not asked for twice
            self._sending = [event[NUMBER] for event in self._ring if event[NUMBER] > self._acked]

    def next_frame(self, now_us):
        """Return the next encoded frame for the line, or None; it counts as sent.

        What must arrive goes before what may be lost; times are those of the sending, `now_us`.
        """
        if self._hello:
            self._hello = False
            return self._frame(frames.HELLO, self._say_hello(now_us))
        while self._sending:
            number = self._sending.pop(0)
            for event in self._ring:
                if event[NUMBER] == number > self._acked:
                    button = frames.Button(number, event[TIME_US], event[BUTTON], frames.EDGE_DOWN)
                    return self._frame(frames.BUTTON, frames.pack_button(button))
        if self._beat:
            self._beat = False
            bad = self._decoder.bad_frames + self._decoder.overlong
            beat = frames.Beat(now_us, self.dropped_data, bad, self.dials.revision)
            return self._frame(frames.BEAT, frames.pack_beat(beat))
        if self._data:
            return self._frame(frames.DATA, self._data.pop(0))
        return None

    # -- inside ------------------------------------------------------------------------------------

    def _frame(self, kind, payload):
        seq = self._seq
        self._seq = (seq + 1) & 0xFFFF
        return frames.encode_frame(kind, seq, payload)

    def _say_hello(self, now_us):
        who = self._identity
        return frames.pack_hello(
            frames.Hello(*who[:5], now_us, *who[6:10], self._next_event, who.board_id, who.firmware)
        )

    def _is_for_us(self, kind, payload):
        """Answer a host of a foreign version; return whether the frame is a host's, and of our version."""
        if not kind & frames.FROM_HOST:
            self.skipped += 1
            return False
        if kind == frames.HELLO_REQUEST:
            self._foreign = frames.unpack_hello_request(payload).major != self._identity.major
            if self._foreign:
                self._hello = True
        return not self._foreign

    def _hear(self, wall_us):
        if self.host_lost:
            self.host_lost = False
            self._tick_due_us = wall_us + TICK_EVERY_US
        self._heard_us = wall_us

    def _obey(self, kind, payload, wall_us):
        if kind == frames.HELLO_REQUEST:
            self._hello = True
        elif kind == frames.BUTTON_ACK:
            ack = frames.unpack_button_ack(payload)
            # for this boot and events that exist only: a mad number must not silence later presses
            if ack.boot_id == self._identity.boot_id and ack.number < self._next_event:
                self._acked = max(self._acked, ack.number)
        elif kind == frames.CLOCK:
            self.dials.adopt(frames.unpack_clock(payload), self._ring)
        elif kind == frames.LAMPS:
            self._on, self._blink = frames.unpack_lamps(payload)
        elif kind == frames.BUZZER:
            asked = frames.unpack_buzzer(payload)
            self.sound.start(asked.pattern, asked.duration_ms, wall_us)
        elif kind != frames.HOST_BEAT:
            self.skipped += 1
