"""Bad samples: what a driver that trusts its wires hands on when a conversion was not read as it should be.

Each kind that drivers of the HX711 are known for, as exact arithmetic on 24-bit two's complement. Lasting
faults belong to a channel until it is mended; sample faults spoil one sample, and the device calls it a good
one.
"""

from collections.abc import Sequence
from enum import Enum
from math import inf
from random import Random

from sensors.frames import STATUS_NOT_READY, STATUS_OK, STATUS_SATURATED
from sensors.simulator.profile import RAW_MAX, RAW_MIN, Profile

BITS = 24
SIGN = 1 << (BITS - 1)

BURST = 0.25
"""Share of bad samples after which the next sample of the channel is bad as well: after an overrun the next
may hold bits of it, or the wrong gain (estimate)."""

PAUSE_FRAMES = 8
"""After a pause of so many frames no bad samples are made up for it."""


class ChannelFault(Enum):
    """What can be broken about one channel, until it is mended."""

    DEAD = "dead"
    """The bridge is cut off: noise around zero, no load is felt, and the chip calls it a good reading."""
    SATURATED = "saturated"
    """An open wire: the end of the scale for ever."""
    STUCK = "stuck"
    """The last value repeats, with a good status."""
    NOT_READY = "not_ready"
    """The chip is gone: no conversion ever comes."""
    HALF_GAIN = "half_gain"
    """The chip fell back to gain 64: half of every value, with a good status."""
    QUARTER_GAIN = "quarter_gain"
    """The chip fell back to gain 32: a quarter of every value, with a good status."""


class SampleFault(Enum):
    """What can go wrong in one read."""

    ALL_ONES = "all_ones"
    """The chip powered down in mid-read: the lowest bits are ones, 2**k-1 where the others were zero."""
    MINUS_ONE = "minus_one"
    """Clocked while not ready: every bit is one."""
    DOUBLED = "doubled"
    """A clock gained: all bits one place up, what overflows is lost."""
    HALVED = "halved"
    """A clock lost: all bits one place down, the sign kept."""
    HALF_GAIN = "half_gain"
    """One conversion at gain 64: half the value, towards zero."""
    QUARTER_GAIN = "quarter_gain"
    """One conversion at gain 32: a quarter of the value, towards zero."""
    TORN = "torn"
    """The chip updated in mid-read: upper bits of the conversion before, lower bits of this one."""
    SIGN_FLIPPED = "sign_flipped"
    """The first bit was read wrongly: half of the converter's range away."""


SAMPLE_FAULTS = tuple(SampleFault)


def spoilt(fault: SampleFault, value: int, before: int, bits: int) -> int:
    """Return what is read in place of `value`.

    Args:
        fault: what goes wrong.
        value: the conversion, 24 bits signed.
        before: the conversion before it.
        bits: how many of the lowest bits are ones or of the later conversion, 1..23.
    """
    tail = (1 << bits) - 1
    if fault is SampleFault.ALL_ONES:
        return value | tail
    if fault is SampleFault.MINUS_ONE:
        return -1
    if fault is SampleFault.DOUBLED:
        return _wrapped(value * 2)
    if fault is SampleFault.HALVED:
        return value >> 1
    if fault is SampleFault.HALF_GAIN:
        return int(value / 2)
    if fault is SampleFault.QUARTER_GAIN:
        return int(value / 4)
    if fault is SampleFault.TORN:
        return (before & ~tail) | (value & tail)
    return _wrapped(value ^ SIGN)


def broken(fault: ChannelFault, value: int, stuck: int, noise: int) -> tuple[int, int]:
    """Return raw value and status of a broken channel.

    Args:
        fault: what is broken.
        value: what it would read if nothing were.
        stuck: the value a stuck channel repeats.
        noise: of this sample.
    """
    if fault is ChannelFault.DEAD:
        return noise, STATUS_OK
    if fault is ChannelFault.SATURATED:
        return RAW_MAX, STATUS_SATURATED
    if fault is ChannelFault.STUCK:
        return stuck, STATUS_OK
    if fault is ChannelFault.NOT_READY:
        return 0, STATUS_NOT_READY
    return int(value / (2 if fault is ChannelFault.HALF_GAIN else 4)), STATUS_OK


def clipped(value: int) -> tuple[int, int]:
    """Return a value within the converter's range and its status."""
    if RAW_MIN < value < RAW_MAX:
        return value, STATUS_OK
    return min(max(value, RAW_MIN), RAW_MAX), STATUS_SATURATED


def _wrapped(value: int) -> int:
    """Return the value as 24 bits in two's complement."""
    return (value + SIGN) % (2 * SIGN) - SIGN


class Wires:
    """The lines of all converters: which are broken, and what is read wrongly next.

    Args:
        channels: how many converters there are.
        profile: how often one is read wrongly.
        period_us: of a frame.
        rng: drawn from when something goes wrong, never in between.

    Attributes:
        due_us: when the next sample goes wrong by chance; `inf` for never.
        faults: what is broken.
    """

    def __init__(self, channels: int, profile: Profile, period_us: float, rng: Random) -> None:
        self._channels = channels
        self._rng = rng
        share = profile.bad_samples * (1 - BURST) * channels
        self._gap_us = period_us / share if share else inf
        self._pause_us = PAUSE_FRAMES * period_us
        self._stuck_raw = [0] * channels
        self._spoils: dict[int, tuple[SampleFault, int, bool]] = {}
        self.faults: dict[int, ChannelFault] = {}
        self.due_us = self._draw_gap_us()

    @property
    def troubled(self) -> bool:
        """True if the next sample is not to be had as it is."""
        return bool(self._spoils or self.faults)

    def turn(self, now_us: int, before_us: int) -> None:
        """Let go wrong what is due; for a pause in the reading nothing is made up."""
        if now_us - before_us > self._pause_us:
            self.due_us = now_us + self._draw_gap_us()
        while self.due_us <= now_us:
            self._by_chance(self._rng.randrange(self._channels))
            self.due_us += self._draw_gap_us()

    def set_fault(self, channel: int, fault: ChannelFault | None, shown: int) -> None:
        """Break a channel that shows `shown` now, or mend it with None."""
        if fault is None:
            self.faults.pop(channel, None)
            return
        self._stuck_raw[channel] = shown
        self.faults[channel] = fault

    def spoil(self, channel: int, fault: SampleFault, bits: int | None) -> None:
        """Spoil the next sample of a channel; None for any number of bits."""
        self._spoils[channel] = (fault, bits or self._rng.randint(1, BITS - 1), False)

    def carry(
        self, clean: tuple[int, ...], before: tuple[int, ...], means: Sequence[int]
    ) -> tuple[tuple[int, ...], tuple[int, ...]]:
        """Return raw values and status of a sample after its way over the wires.

        Args:
            clean: the conversions, beyond the converter's range perhaps.
            before: those of the sample before; empty if there was none.
            means: the conversions without noise.
        """
        pairs = [clipped(value) for value in clean]
        spoils, self._spoils = self._spoils, {}
        for channel, (fault, bits, by_chance) in spoils.items():
            earlier = clipped(before[channel])[0] if before else pairs[channel][0]
            pairs[channel] = spoilt(fault, pairs[channel][0], earlier, bits), STATUS_OK
            if by_chance and self._rng.random() < BURST:
                self._by_chance(channel)
        for channel, lasting in self.faults.items():
            noise = clean[channel] - means[channel]
            pairs[channel] = broken(lasting, pairs[channel][0], self._stuck_raw[channel], noise)
        raw, status = zip(*pairs, strict=True)
        return raw, status

    def _by_chance(self, channel: int) -> None:
        self._spoils[channel] = (self._rng.choice(SAMPLE_FAULTS), self._rng.randint(1, BITS - 1), True)

    def _draw_gap_us(self) -> float:
        """Return the time to the next bad sample that does not follow another."""
        return inf if self._gap_us == inf else self._rng.expovariate(1 / self._gap_us)
