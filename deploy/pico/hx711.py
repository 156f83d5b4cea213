"""HX711 chips on one clock: when to read, and which of what was read can be believed. Pure; times are ticks.

The chips run on clocks of their own. All are read at once when all that are waited for are ready; a chip
that does not come in time is reported, and after `MISSES` of them no longer waited for, until it is seen
ready `RETURNS` reads in a row. So a dead chip, or one strapped to another rate, never holds up the others.

A value is a read error when DOUT is not high behind the gain pulses (the chip counted other clocks than were
sent, or changed its register in mid-read), when it is -1 (clocked while not ready), or when it ends in a run
of ones and jumps (the clock stayed high too long and the chip went to sleep); three more follow it, since the
gain may be another and the register torn (bogde/HX711#83, Klipper3d/klipper#6659).
"""

from array import array

from frames import STATUS_EXCLUDED, STATUS_NOT_READY, STATUS_OK, STATUS_READ_ERROR, STATUS_SATURATED
from ticks import MASK, elapsed_us
from transposing import transpose

WAIT, READ, SKIP, SLEEP, WAKE = 0, 1, 2, 3, 4
"""What `Cells.due` asks for: nothing; a read; a sample without a read, since no chip came in time; the clock
high; the clock low again."""

WORDS = 25
"""Words of a read: one for each bit, and one behind the gain pulses."""

MISSES = 3
"""Reads in a row without a chip before it is no longer waited for."""

RETURNS = 3
"""Reads in a row in which it was ready before it is waited for again."""

SUSPECT = 3
"""Values behind a read error that are none (Klipper3d/klipper#6659)."""

SETTLING = 4
"""Conversions behind a power-up that are not settled yet (data sheet: 400 ms at 10 a second)."""

SLEEP_US = 12_000
"""A clock high for 60 us switches a chip off; below 10 ms its first values are unsteady (Linux's driver)."""

AWAKEN_US = 2_000_000
"""Not sooner than this after the last one is the clock used to switch all chips off and on again."""

FIRST_GUESS_US = 100_000
"""Of a conversion: right for 10 a second, learned at once for 80."""

MOST, LEAST = 0x7FFFFF, -0x800000

ONES, JUMP = 0x3FF, 512
"""So many ones at the end of a value that jumps by more than this are a chip that went to sleep. The noise of
the data sheet is 58.6 units at 80 a second and 3.3 V; a value that is refused wrongly costs four reads."""


class Cells:
    """The chips of one board.

    Args:
        pins: GP number of each chip's DOUT, in the order of the channels.
        ticks: now.

    Attributes:
        raw: value of each channel, 0 where the status is neither OK nor SATURATED.
        status: frames.STATUS_x of each channel.
        words: where a read is to be put: the levels of all pins behind each clock, `WORDS` of them.
    """

    def __init__(self, pins, ticks):
        count = len(pins)
        self.raw = array("i", [0] * count)
        self.status = bytearray([STATUS_NOT_READY] * count)
        self.words = array("I", [0] * WORDS)
        self._shifts = bytearray(pins)
        self._bits = tuple([1 << pin for pin in pins])
        self._all = sum(self._bits)
        self._expected = self._all
        self._values = array("i", [0] * count)
        self._last = array("i", [0] * count)
        self._known = bytearray(count)
        self._misses = bytearray(count)
        self._returns = bytearray(count)
        self._suspect = bytearray(count)
        self._ready = 0
        self._half_us = self._whole_us = FIRST_GUESS_US
        self._half_seen = False
        self._began = ticks
        self._settling = SETTLING
        self._asleep = False
        self._wake_soon = True
        self._woken = (ticks - AWAKEN_US) & MASK

    @property
    def timeout_us(self):
        """How long behind a read the next one waits for the slowest chip.

        Half of the chips are ready behind half a conversion at the soonest and a whole one at the latest, so
        that 2.5 times that is more than one whatever their phases; one slow chip among fast ones does not
        change it. Where the phases agree, 1.5 times what reads have taken is less.
        """
        return min(self._half_us * 5 >> 1, self._whole_us * 3 >> 1) + 3000

    def due(self, ticks, levels):
        """Return what is to be done now, where `levels` are those of the GPIO, bit 0 GP0."""
        elapsed = elapsed_us(ticks, self._began)
        if self._asleep:
            if elapsed < SLEEP_US:
                return WAIT
            self._asleep = False
            self._settling = SETTLING
            self._half_us = self._whole_us = FIRST_GUESS_US  # the first conversion is four times as long
            self._start(ticks)
            return WAKE
        if self._wake_soon:
            self._wake_soon = False
            self._asleep = True
            self._began = self._woken = ticks
            return SLEEP
        self._ready = ~levels & self._all
        ready = self._ready & self._expected
        if ready and not self._half_seen and _count(ready) * 2 >= _count(self._expected):
            self._half_seen = True
            self._half_us += (elapsed - self._half_us) >> 2
        if ready == self._expected and ready:
            self._whole_us += (elapsed - self._whole_us) >> 2
            return READ
        if elapsed < self.timeout_us:
            return WAIT
        return READ if self._ready else SKIP

    def skip(self, ticks):
        """Note that no chip came in time: none is clocked, none has a value."""
        for channel, bit in enumerate(self._bits):
            self._miss(channel, bit)
        self._start(ticks)

    def take(self, ticks):
        """Judge what was read into `words`, which began at `ticks`."""
        transpose(self.words, self._shifts, self._values)
        behind = self.words[WORDS - 1]
        wrong = 0
        bits = self._bits
        for channel in range(len(bits)):  # enumerate would leave a tuple behind for each
            bit = bits[channel]
            if self._ready & bit:
                wrong += self._judge(channel, bit, behind & bit)
            else:
                self._miss(channel, bit)
        if self._settling:
            self._settling -= 1
            for channel in range(len(self.status)):
                if self.status[channel] != STATUS_EXCLUDED:
                    self._put(channel, STATUS_NOT_READY, 0)
        elif wrong and wrong * 2 >= _count(self._expected):
            # not one chip's affair: the clock was disturbed
            self._wake_soon = elapsed_us(ticks, self._woken) >= AWAKEN_US
        self._start(ticks)

    def _start(self, ticks):
        self._began = ticks
        self._half_seen = False

    def _put(self, channel, status, raw):
        self.status[channel] = status
        self.raw[channel] = raw

    def _miss(self, channel, bit):
        """Note that a chip was not ready."""
        self._returns[channel] = 0
        if not self._expected & bit:
            self._put(channel, STATUS_EXCLUDED, 0)
            return
        self._misses[channel] += 1
        self._put(channel, STATUS_NOT_READY, 0)
        if self._misses[channel] >= MISSES:
            self._expected &= ~bit
            self._put(channel, STATUS_EXCLUDED, 0)

    def _judge(self, channel, bit, high):
        """Take the value of a chip that was ready; return 1 if it is a read error of its own, else 0."""
        if not self._expected & bit and not self._returned(channel, bit):
            return 0
        self._misses[channel] = 0
        value = self._values[channel]
        if not high or value == -1 or self._went_to_sleep(channel, value):
            self._suspect[channel] = SUSPECT
            self._put(channel, STATUS_READ_ERROR, 0)
            return 1
        if value in (MOST, LEAST):
            self._put(channel, STATUS_SATURATED, value)
            return 0
        self._last[channel] = value
        self._known[channel] = 1
        if self._suspect[channel]:
            self._suspect[channel] -= 1
            self._put(channel, STATUS_READ_ERROR, 0)
        else:
            self._put(channel, STATUS_OK, value)
        return 0

    def _returned(self, channel, bit):
        """Return whether a chip that was given up is waited for again."""
        self._returns[channel] += 1
        self._put(channel, STATUS_EXCLUDED, 0)
        if self._returns[channel] < RETURNS:
            return False
        self._expected |= bit
        self._suspect[channel] = SUSPECT
        return True

    def _went_to_sleep(self, channel, value):
        if value & ONES != ONES or value == MOST or not self._known[channel]:
            return False
        return abs(value - self._last[channel]) > JUMP


def _count(bits):
    """Return how many bits are set."""
    found = 0
    while bits:
        bits &= bits - 1
        found += 1
    return found
