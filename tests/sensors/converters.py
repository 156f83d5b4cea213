"""HX711 converters on one clock, as the datasheet and bug reports tell of them: a world for tests.

Time is a number of nanoseconds that passes with each use of a pin (or is the machine's own, for programs).
A converter converts by itself all the time; its line falls when a conversion is ready; 24 pulses bring the
bits, one to three more choose the gain of the next, and the line is high again. A clock that stays high for
60 us powers all of them down. A conversion that ends in mid-reading takes the register away from under it.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field

POWER_DOWN_NS = 60_000
SETTLES_AFTER = 4
"""Conversions until the first after a reset (datasheet: 50 ms at 80 a second)."""

GAIN_OF = {25: 1.0, 26: 0.25, 27: 0.5}
"""By the pulses of a reading: 128, 32, 64, as a share of what 128 gives."""

MASK = (1 << 24) - 1


@dataclass
class Converter:
    """One chip.

    Attributes:
        raw: what it converts, at gain 128.
        period_ns: of its own oscillator.
        phase_ns: when its first conversion ends.
        gone: it is not there, and its line is pulled up.
        shorted: its line lies at ground.
        noise: how far its numbers lie around `raw`.
        deaf: how many of the next pulses it does not see.
        echo: how many it sees twice.
    """

    raw: int = 100_000
    period_ns: int = 12_500_000
    phase_ns: int = 12_500_000
    gone: bool = False
    shorted: bool = False
    noise: int = 0
    deaf: int = 0
    echo: int = 0
    gain: float = 1.0
    next_ns: int = field(default=-1)
    word: int = 0
    pulses: int = 0
    ready: bool = False
    conversions: int = 0

    def convert_until(self, now_ns: int) -> None:
        """Let it convert; it does so whether it is read or not."""
        if self.next_ns < 0:
            self.next_ns = self.phase_ns
        behind = (now_ns - self.next_ns) // self.period_ns
        if behind > 2 and not 0 < self.pulses < 25:  # nobody looked for long: only the last one is left
            self.next_ns += behind * self.period_ns
        while self.next_ns <= now_ns:
            noise = self.conversions * 7919 % (2 * self.noise + 1) - self.noise
            value = max(-(1 << 23), min((1 << 23) - 1, int((self.raw + noise) * self.gain))) & MASK
            if 0 < self.pulses < 25:
                below = (1 << (24 - self.pulses)) - 1
                self.word = (self.word & ~below) | (value & below)  # torn
            else:
                self.word, self.pulses, self.ready = value, 0, True
            self.conversions += 1
            self.next_ns += self.period_ns

    def rise(self) -> None:
        """See the clock rise."""
        if self.deaf:
            self.deaf -= 1
            return
        steps = 2 if self.echo else 1
        self.echo = max(0, self.echo - 1)
        for _ in range(steps if self.ready else 0):
            self.pulses += 1
            if self.pulses >= 25:
                self.gain = GAIN_OF.get(self.pulses, self.gain)

    def reset(self, now_ns: int) -> None:
        """Begin anew: gain 128, and the first conversion takes its time."""
        self.gain, self.ready, self.pulses = 1.0, False, 0
        self.next_ns = now_ns + SETTLES_AFTER * self.period_ns

    def line(self) -> bool:
        """Whether its line is high."""
        if self.gone:
            return True
        if self.shorted:
            return False
        if not self.ready or self.pulses >= 25:
            return True
        return bool(self.pulses and self.word >> (24 - self.pulses) & 1)


class ConverterWorld:
    """Some converters and their clock line (`sensors.hx711.Lines`).

    Args:
        converters: the chips.
        clock: returns now in nanoseconds; None: time passes by itself, a little with each use of a pin.

    Attributes:
        now: nanoseconds, where time passes by itself.
        preempt: nanoseconds lost while the clock is high, by the number of the pulse from now on (0 next).
        pulses: rises of the clock so far.
        read_ns: lost at each look at the lines.
    """

    PIN_NS = 700

    def __init__(self, converters: Sequence[Converter], clock: Callable[[], int] | None = None) -> None:
        self.converters = list(converters)
        self.now = 0
        self.preempt: dict[int, int] = {}
        self.pulses = 0
        self.read_ns = 0
        self._clock = clock
        self._high = False
        self._rose_ns = 0
        self._down = False

    def now_ns(self) -> int:
        """Return now."""
        return self.now if self._clock is None else self._clock()

    def pass_us(self, microseconds: int) -> None:
        """Let time pass."""
        self.now += microseconds * 1000

    def set_clock(self, *, high: bool) -> None:
        """Set the clock line, as a program that may be interrupted behind its rise."""
        self.now += self.PIN_NS
        now_ns = self.now_ns()
        self._power(now_ns)
        if high and not self._high:
            self.pulses += 1
            self._rose_ns, self._down = now_ns, False
            for each in self.converters:
                each.convert_until(now_ns)
                each.rise()
            lost_ns = self.preempt.pop(0, 0)
            self.preempt = {number - 1: lost for number, lost in self.preempt.items()}
            self.now += lost_ns
        elif self._high and not high:
            for each in self.converters:
                if self._down:
                    each.reset(now_ns)
                else:
                    each.convert_until(now_ns)
            self._down = False
        self._high = high

    def _power(self, now_ns: int) -> None:
        self._down = self._down or (self._high and now_ns - self._rose_ns >= POWER_DOWN_NS)

    def read_data(self) -> int:
        """Return all lines."""
        self.now += self.read_ns
        return sum(self.read_line(channel) << channel for channel in range(len(self.converters)))

    def read_line(self, channel: int) -> bool:
        """Return one line."""
        self.now += self.PIN_NS // len(self.converters)
        now_ns = self.now_ns()
        self._power(now_ns)
        if not self._high:
            self.converters[channel].convert_until(now_ns)
        return self._down or self.converters[channel].line()
