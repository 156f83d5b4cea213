"""Device time with 64 bits, from a counter of microseconds that turns over every 18 minutes.

Pure: the counter's reading is an argument. `ticks` are readings of `time.ticks_us`: 0..2^30-1, small integers
that cost no memory; all that is fast is done with them, and only what is told to the host is extended.
"""

MASK = (1 << 30) - 1
"""Of MicroPython's tick counters on every port with 31-bit small integers."""


def elapsed_us(ticks, since):
    """Return the microseconds from one reading to a later one, less than 2^30 of them."""
    return (ticks - since) & MASK


class Clock64:
    """Extends readings. `now` must be called at least once every 17 minutes; the loop does every few ms."""

    def __init__(self, ticks):
        self._ticks = ticks
        self._us = 0

    def now(self, ticks):
        """Return the device time of a reading, microseconds since the first; readings must not go back."""
        self._us += (ticks - self._ticks) & MASK
        self._ticks = ticks
        return self._us

    def at(self, ticks):
        """Return the device time of a reading taken within 17 minutes before the last `now`."""
        return max(0, self._us - ((self._ticks - ticks) & MASK))
