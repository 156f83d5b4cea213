"""What the board is soldered to: time, pins, HX711 chips, a shift register, two displays.

`WORLD` is the one there is; the fakes of `machine`, `rp2` and `time` read and write it. It has a time of its
own, in nanoseconds, that moves when PIO programs run and when whoever plays the world lets it pass.
"""

from chips import Chip
from display import Display

_DIAL_CLOCK, _DIAL_A, _DIAL_B = 1, 2, 4


class World:
    """One board's surroundings.

    Attributes:
        fast: PIO programs are not interpreted; `samples` are handed over as they are.
        chips: the HX711, by GP number of their DOUT.
        pressed: bits of the GP numbers whose buttons are closed.
        lines: what the shift register puts out, eight bits.
    """

    def __init__(self, start_us=0):
        self._ns = start_us * 1000
        self.fast = True
        self.unique_id = b"\x01\x02\x03\x04\x05\x06\x07\x08"
        self.cause = 1
        self.inputs = 0
        self.interrupts = {}
        self.machines = {}
        self.chips = {}
        self.sck = None
        self.shift = None
        self.pressed = 0
        self.broken = 0
        self.lines = 0
        self.lines_log = None
        self.watchdog_ms = 0
        self.fed_us = 0
        self.feedings = 0
        self.displays = (Display(_DIAL_CLOCK, _DIAL_A), Display(_DIAL_CLOCK, _DIAL_B))
        self._driven = 0
        self._register = 0
        self._outs = 0
        self.samples = None  # fast: (values, ready bits, bits whose integrity fails)

    # -- time --------------------------------------------------------------------------------------

    @property
    def now_us(self):
        """The world's time."""
        return self._ns // 1000

    def ticks(self):
        """The world's time as a tick counter."""
        return self._ns // 1000 & 0x3FFFFFFF

    def pass_ns(self, ns):
        """Let time pass."""
        self._ns += ns

    def pass_us(self, us):
        """Let time pass."""
        self._ns += us * 1000

    def set_us(self, us):
        """Let it be this late; the world's time never goes back."""
        self._ns = max(self._ns, us * 1000)

    # -- pins --------------------------------------------------------------------------------------

    def levels(self):
        """Return the levels of all pins, bit 0 GP0: pulled up unless something pulls down."""
        found = 0x3FFFFFFF & ~self.pressed & ~self.broken
        if self.fast:
            if self.samples is not None:
                found &= ~self.samples[1]
        else:
            for number, chip in self.chips.items():
                if not chip.level(self._ns):
                    found &= ~(1 << number)
        return (found & ~self._outs) | (self._driven & self._outs)

    def set_direction(self, number, out):
        """Make a pin an output or an input."""
        bit = 1 << number
        self._outs = self._outs | bit if out else self._outs & ~bit

    def set_pin(self, number, level):
        """Drive a pin; what hangs on it feels the edge."""
        bit = 1 << number
        if bool(self._driven & bit) == bool(level):
            return
        self._driven = self._driven | bit if level else self._driven & ~bit
        if number == self.sck:
            for chip in self.chips.values():
                chip.clock(self._ns, level)
        elif self.shift and level:
            if number == self.shift["clock"]:
                data = (self.levels() | self._driven) >> self.shift["data"] & 1
                self._register = ((self._register << 1) | data) & 0xFF
            elif number == self.shift["latch"]:
                self.latch(self._register)

    def press(self, number, closed):
        """Close or open a button's contact."""
        self._contact("pressed", number, closed)

    def beam(self, number, broken):
        """Break a beam or let it be whole."""
        self._contact("broken", number, broken)

    def _contact(self, name, number, low):
        before = getattr(self, name)
        after = before | 1 << number if low else before & ~(1 << number)
        setattr(self, name, after)
        if after != before and number in self.interrupts:
            handler, trigger, pin = self.interrupts[number]
            if trigger & (4 if low else 8):
                handler(pin)

    # -- what the programs do, at once -------------------------------------------------------------

    def put(self, program, value):
        """Take the word of a program that is not interpreted."""
        if program == "shift_out":
            self.latch(value & 0xFF)

    def get(self, words):
        """Give the 25 words of a read."""
        import spread

        values, _ready, failing = self.samples
        spread.spread(values, words, len(values))
        words[24] = 0x3FFFFFFF & ~failing
        self.samples = (values, 0, 0)

    def latch(self, lines):
        """Let the shift register put this out."""
        self.lines = lines
        if self.lines_log is not None:
            self.lines_log.append(lines)
        for display in self.displays:
            display.feel(lines)


WORLD = World()


def solder(count, *, pins=None, period_us=10_700, fast=True, shift=None, sck=20, apart_us=1):
    """Fit chips, `apart_us` out of step with each other, and the shift register to the world."""
    WORLD.fast = fast
    WORLD.sck = sck
    WORLD.shift = shift
    pins = range(count) if pins is None else pins
    if not fast:
        for index, pin in enumerate(pins):
            WORLD.chips[pin] = Chip(period_us * 1000, apart_us * 1000 * (index + 1))
