"""Bad samples: what a driver that trusts its wires hands on when a conversion was not read as it should be.

The study's table of reports, each as exact arithmetic on 24-bit two's complement. Lasting faults belong to a
channel until it is mended; sample faults spoil one sample, and the device calls it a good one.
"""

from enum import Enum
from random import Random

from sensors.frames import STATUS_NOT_READY, STATUS_OK, STATUS_SATURATED
from sensors.simulator.profile import RAW_MAX, RAW_MIN

BITS = 24
SIGN = 1 << (BITS - 1)

BURST = 0.25
"""Share of bad samples after which the next sample of the channel is bad as well: after an overrun the next
may hold bits of it, or the wrong gain (a maintainer's argument; the share is an estimate)."""


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


def draw_bits(rng: Random) -> int:
    """Return how many of the lowest bits a fault concerns: the moment in the read is anywhere in it."""
    return rng.randint(1, BITS - 1)


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
