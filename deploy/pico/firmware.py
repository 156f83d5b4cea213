"""The loop: what the board brings goes to the device, what the device says goes to the board.

Pure but for the objects it is given. One `step` never waits: it takes what is there. Fast things are done in
ticks; the 64-bit times, which cost memory, are made a few hundred times a second.
"""

import gc

import buttons
import frames
import hx711
import signals
import tm1637
from device import Device
from ticks import MASK, Clock64, elapsed_us

FIRMWARE = "togyz-pico 1"

KEEP_US = 4000
"""How often lamps, dials and timers are looked after."""

LEVELS_A_STEP = 24
"""Levels sent to the dials in one step, 5 us each, so that a sample never waits for a display."""

COLLECT_AFTER = 8
"""Samples between two collections of garbage. Framing a sample leaves 14 kB behind under the unix port, 22 kB
when all values are 0; with pointers of 32 bits that is half, so 90 kB at most are in use of the 150 kB that
are free. Collecting takes some 5 ms (estimate) and is done right behind a sample, the next is 10 ms away."""

FEATURES = (
    ("dial_a", frames.FEATURE_DIALS),
    ("lamp_attention", frames.FEATURE_LAMPS),
    ("lamp_arbiter", frames.FEATURE_ARBITER_LAMP),
    ("buzzer", frames.FEATURE_BUZZER),
)
"""Which output makes which bit of HELLO."""

LAMPS = (
    ("lamp_a", frames.LAMP_SIDE_A),
    ("lamp_b", frames.LAMP_SIDE_B),
    ("lamp_attention", frames.LAMP_ATTENTION),
    ("lamp_arbiter", frames.LAMP_ARBITER),
)


def identify(config, board_id, boot_id, reset_reason):
    """Return the HELLO of this boot."""
    pins = config.PINS
    features = sum([bit for name, bit in FEATURES if name in config.OUTPUTS])
    features |= frames.FEATURE_LOADS if pins["dout"] or pins["beams"] else 0
    features |= frames.FEATURE_BUTTONS if pins["buttons"] else 0
    features |= frames.FEATURE_COUNTERS if pins["beams"] else 0
    channels = len(pins["dout"]) + len(pins["beams"])
    return frames.Hello(
        frames.MAJOR,
        frames.MINOR,
        features,
        boot_id,
        reset_reason,
        0,
        config.TIME_SCALE,
        config.RATE_HZ * 100,
        channels,
        len(pins["buttons"]),
        1,
        board_id,
        FIRMWARE,
    )


class Firmware:
    """One powered board.

    Args:
        board: pins, chips and line (board.py).
        config: config.py.
        identity: of `identify`.
        ticks: now.
    """

    def __init__(self, board, config, identity, ticks):
        self.device = Device(identity)
        self._board = board
        self._scale = config.TIME_SCALE
        self._clock = Clock64(ticks)
        held = [bool(board.closed(button)) for button in range(len(config.PINS["buttons"]))]
        self._contacts = tuple([buttons.Contact(closed) for closed in held])
        self._cells = hx711.Cells(config.PINS["dout"], ticks) if config.PINS["dout"] else None
        self._raw = self._cells.raw if self._cells else []
        self._status = self._cells.status if self._cells else b""
        self._beams = len(config.PINS["beams"])
        self._period_us = 1_000_000 // config.RATE_HZ
        self._sampled = self._kept = ticks
        self._samples = 0
        self._show = _Show(board, config)

    def step(self, ticks):
        """Take what is there, do what is due."""
        data = self._board.line.read()
        if data:
            self.device.receive(data, self._clock.now(ticks) // self._scale)
        self._look_at_buttons(ticks)
        self._look_at_cells(ticks)
        if elapsed_us(ticks, self._kept) >= KEEP_US:
            self._kept = ticks
            now_us = self._clock.now(ticks)
            self.device.poll(now_us // self._scale)
            self._show.refresh(self.device, now_us, now_us // self._scale)
            self._write(now_us)
        self._show.go_on()

    def _write(self, now_us):
        self._board.line.write(self.device.next_frame, now_us)

    def _look_at_buttons(self, ticks):
        board, contacts = self._board, self._contacts
        for button in range(len(contacts)):  # enumerate would leave tuples behind in every turn
            contact = contacts[button]
            stamp = board.stamps[button]
            if stamp.pending:
                contact.edges(stamp.first, stamp.latest)
                stamp.pending = False
            if contact.look(ticks, board.closed(button)):
                now_us = self._clock.now(ticks)
                self.device.press(button, self._clock.at(contact.pressed_at))
                self._show.at_once()
                self._write(now_us)

    def _look_at_cells(self, ticks):
        cells, board = self._cells, self._board
        if cells is None:
            if elapsed_us(ticks, self._sampled) >= self._period_us:
                self._sampled = (self._sampled + self._period_us) & MASK
                self._sample(ticks)
            return
        action = cells.due(ticks, board.levels())
        if action == hx711.READ:
            board.read(cells.words)
            cells.take(ticks)
            self._sample(ticks)
        elif action == hx711.SKIP:
            cells.skip(ticks)
            self._sample(ticks)
        elif action != hx711.WAIT:
            board.clock_high(action == hx711.SLEEP)

    def _sample(self, ticks):
        """Hand a sample on; the watchdog is fed here and nowhere else."""
        raw, status = self._raw, self._status
        if self._beams:
            raw = list(raw) + [counter.pulses for counter in self._board.counters]
            status = bytes(status) + bytes(self._beams)
        now_us = self._clock.now(ticks)
        self.device.sample(now_us, status, raw)
        self._board.feed_watchdog()
        self._write(now_us)
        self._samples += 1
        if self._samples >= COLLECT_AFTER:
            self._samples = 0
            gc.collect()


class _Show:
    """Lamps, buzzer and dials on the outputs."""

    def __init__(self, board, config):
        bits = {name: 1 << number for name, number in config.OUTPUTS.items()}
        self._board = board
        self._lamps = tuple([(lamp, bits[name]) for name, lamp in LAMPS if name in bits])
        self._buzzer = bits.get("buzzer", 0)
        self._dials = "dial_clock" in bits
        names = ("dial_clock", "dial_a", "dial_b")
        # what a level of tm1637 is on the outputs
        self._mapped = bytearray(8) if all(bit < 256 for bit in bits.values()) else [0] * 8
        for level in range(8):
            self._mapped[level] = sum([bits.get(name, 0) for n, name in enumerate(names) if (level >> n) & 1])
        self._levels = bytearray(tm1637.LEVELS)
        self._count = self._at = 0
        self._brightness = config.BRIGHTNESS
        self._shown = (bytearray(4), bytearray(4))
        self._next = (bytearray(4), bytearray(4))
        self._dirty = True
        self._others = 0
        self._idle = self._mapped[tm1637.CLOCK | tm1637.DATA_A | tm1637.DATA_B]

    def at_once(self):
        """Have the dials written anew even if nothing has changed."""
        self._dirty = True

    def refresh(self, device, now_us, wall_us):
        """Find out what is to be seen and heard now."""
        on = signals.lit(*device.lamps, wall_us)
        others = self._buzzer if device.sound.on(wall_us) else 0
        for lamp, bit in self._lamps:
            if on & lamp:
                others |= bit
        self._others = others
        if not self._dials or self._at < self._count:
            return
        dials = device.dials
        for dial in (0, 1):
            shown_us = dials.shown_us(dial, now_us)
            tm1637.segments(shown_us, running=dials.running == dial + 1, now_us=now_us, into=self._next[dial])
        if self._dirty or self._next != self._shown:
            self._dirty = False
            for dial in (0, 1):
                self._shown[dial][:] = self._next[dial]
            self._count = tm1637.compose(
                bytes(self._shown[0]), bytes(self._shown[1]), self._brightness, self._levels
            )
            self._at = 0

    def go_on(self):
        """Drive the outputs: the next levels of a display that is being written, or what stands."""
        if self._at >= self._count:
            self._board.drive(self._others | (self._idle if self._dials else 0))
            return
        end = min(self._at + LEVELS_A_STEP, self._count)
        for at in range(self._at, end):
            self._board.drive(self._others | self._mapped[self._levels[at]])
        self._at = end
