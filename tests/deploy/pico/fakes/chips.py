"""An HX711 as its data sheet describes it and as users have met it; times in nanoseconds.

It converts on its own clock. DOUT goes low when a value is ready, shows a bit behind each rising edge of the
clock, most significant first, and goes high behind the 25th. When it takes a new value over, DOUT is high for
75 us, even in mid-read (olkal/HX711_ADC#81). A clock high for more than 60 us switches it off; low again, it
starts anew and needs four conversions.
"""

SLEEP_NS = 60_000
UPDATE_NS = 75_000
SETTLING = 4
GAINS = {1: 128, 2: 32, 3: 64}


class Chip:
    """One chip.

    Args:
        period_ns: of a conversion.
        phase_ns: when the first one is ready.

    Attributes:
        value: what the next conversions give at gain 128, 24 bits signed.
        dead: DOUT stays high, whatever happens.
        naps_at: behind this clock of a read it goes to sleep, as if the clock had stayed high; 0 never.
        updates_at: behind this clock of a read it takes over its next value; 0 never.
        loses: a clock of a read, from 1, that the chip does not see; 0 none.
        doubles: a clock of a read that it sees twice; 0 none.
        gain: that the next conversion has.
        slept_ns: how long the clock was high when it last went to sleep.
        shortest_ns, longest_ns: of all clocks that were high while the chip was awake.
    """

    def __init__(self, period_ns, phase_ns):
        self.period_ns = period_ns
        self.value = 1000
        self.dead = False
        self.naps_at = self.updates_at = self.loses = self.doubles = 0
        self.gain = 128
        self.reads = 0
        self.shortest_ns = None
        self.longest_ns = 0
        self.slept_ns = 0
        self._next_ns = phase_ns
        self._updated_ns = -UPDATE_NS
        self._register = 0
        self._ready = False
        self._bit = 1
        self._pulses = 0  # of this conversion, as the chip counts them
        self._seen = 0  # as they came
        self._rose_ns = None  # None while the clock is low

    def level(self, now_ns):
        """Return DOUT."""
        self._convert(now_ns)
        if self.dead or self._sleeps(now_ns) or now_ns - self._updated_ns < UPDATE_NS:
            return 1
        if self._pulses:
            return self._bit
        return 0 if self._ready else 1

    def clock(self, now_ns, level):
        """Feel an edge of the clock."""
        self._convert(now_ns)
        if level:
            self._rose_ns = now_ns
            self._seen += 1
            if self._seen == self.loses:
                self.loses = 0
            else:
                self._pulse()
            if self._seen == self.doubles:
                self.doubles = 0
                self._pulse()
            if self._seen == self.naps_at:
                self._start(now_ns)
            if self._seen == self.updates_at:
                self.updates_at = 0
                self._next_ns = now_ns
                self._convert(now_ns)
            return
        if self._rose_ns is None:
            return
        high_ns = now_ns - self._rose_ns
        if high_ns >= SLEEP_NS:
            self.slept_ns = high_ns
            self._start(now_ns)
        else:
            self.shortest_ns = high_ns if self.shortest_ns is None else min(self.shortest_ns, high_ns)
            self.longest_ns = max(self.longest_ns, high_ns)
        self._rose_ns = None

    def _sleeps(self, now_ns):
        return self._rose_ns is not None and now_ns - self._rose_ns >= SLEEP_NS

    def _pulse(self):
        self._pulses += 1
        if self._pulses <= 24:
            self._bit = (self._register >> (24 - self._pulses)) & 1 if self._ready else 1
            return
        self._bit = 1
        self.gain = GAINS.get(self._pulses - 24, 128)
        if self._pulses == 25:
            self.reads += 1
            self._ready = False

    def _start(self, now_ns):
        """Begin anew after sleep: no value for four conversions, gain 128."""
        self._ready = False
        self._pulses = 0
        self._register = 0xFFFFFF
        self._next_ns = now_ns + SETTLING * self.period_ns
        self.gain = 128
        self.naps_at = 0

    def _convert(self, now_ns):
        while now_ns >= self._next_ns:
            if self._ready:
                self._updated_ns = self._next_ns  # what was there is thrown away, even in mid-read
            self._next_ns += self.period_ns
            self._register = max(-0x800000, min(0x7FFFFF, self.value * self.gain // 128)) & 0xFFFFFF
            self._ready = True
            self._pulses = self._seen = 0
