"""Channels that count: the running number of a beam-break sensor becomes pulses since the first sample.

Such a channel has faults opposite to a cell's: it never drifts, but misses or doubles single passages and
is blind to what is taken away. Its raw value is the number of pulses since the device began, modulo
`frames.PULSES_WRAP`, so that a lost frame loses no pulse.
"""

from sensors.calibration import status_fault
from sensors.frames import PULSES_WRAP
from sensors.samples import ChannelStatus, Fault, FaultKind

MOST_PER_SECOND = 1000
"""More pulses a second are no stones: one of 12 mm that falls 5 cm breaks the beam for 12 ms, so a handful
through one opening makes about a hundred, and some edges are doubled (estimate)."""
MOST_AT_ONCE = 20
"""What may come on top of it between two samples: a handful at one moment (estimate)."""


class PulseCounter:
    """Counts the pulses of one channel.

    Args:
        channel: its number.
    """

    def __init__(self, channel: int) -> None:
        self._channel = channel
        self._last: int | None = None
        self._last_us = 0
        self._doubtful: int | None = None
        self._total = 0

    def take(self, at_us: int, raw: int, status: ChannelStatus) -> int | Fault:
        """Return the pulses since the first sample, or why they cannot be told.

        A number that starts again near zero is a restart: its pulses are added. One that jumps further
        than stones can make it is a fault; if the next sample confirms it, counting goes on from there,
        and nothing is added for the jump: how many passed meanwhile nobody knows.
        """
        if status is not ChannelStatus.OK:
            return status_fault(status, self._channel)
        if not 0 <= raw < PULSES_WRAP:
            return Fault(FaultKind.NO_COUNTER, self._channel, (raw,))
        if self._last is None:
            self._last, self._last_us = raw, at_us
        most = MOST_AT_ONCE + MOST_PER_SECOND * max(0, at_us - self._last_us) // 1_000_000
        for begin in (self._last, 0):
            passed = (raw - begin) % PULSES_WRAP
            if passed <= most:
                self._total += passed
                break
        else:
            if self._doubtful is None or (raw - self._doubtful) % PULSES_WRAP > most:
                self._doubtful = raw
                return Fault(FaultKind.PULSES, self._channel, (raw, self._last))
        self._last, self._last_us, self._doubtful = raw, at_us, None
        return self._total
