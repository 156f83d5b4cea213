"""One reading of HX711 converters that share a clock: the pulses, and the numbers they bring. Pure.

Each converter has its own data line, all have one clock (RobTillaart/HX711#40). A data line that is low says
that a conversion is ready; 24 pulses bring its bits, the highest first, and one to three more choose the
input and gain of the **next** conversion, so they are given with every reading. The last of them sends the
data line high again until the next conversion. A clock that is high for more than 60 us powers the converter
down in mid-reading and sets it back to gain 128 (datasheet, page 5); low it may stay as long as it likes. So
a pulse is nothing but up and down, measured, and the lines are read while the clock is low.
"""

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Protocol

BITS = 24
RAW_MAX, RAW_MIN = (1 << 23) - 1, -(1 << 23)
"""The ends of the range: a converter driven beyond it stays there (datasheet, page 4)."""

MOST_HIGH_NS = 50_000
"""Longest high time of the clock that the datasheet allows (T3, page 5); 60 us power the converter down."""

PULSES = {128: 1, 64: 3, 32: 2}
"""Further pulses by the gain of the next conversion: 128 and 64 of input A, 32 of input B."""


class Lines(Protocol):
    """The pins of one bus of converters, and a clock of the machine."""

    def set_clock(self, *, high: bool) -> None:
        """Set the clock line."""

    def read_data(self) -> int:
        """Return all data lines at once: bit c is set while the line of channel c is high."""

    def now_ns(self) -> int:
        """Return monotonic nanoseconds."""


@dataclass(frozen=True, slots=True)
class Shift:
    """What one reading of the bus brought.

    Attributes:
        words: the data lines after each of the pulses that bring bits; fewer than 24 when it was given up.
        rested: the data lines after the last pulse; a converter that kept count has its own high.
        longest_high_ns: longest time for which the clock may have been high.
        took_ns: from the first pulse to the last.
    """

    words: tuple[int, ...]
    rested: int
    longest_high_ns: int
    took_ns: int

    @property
    def overlong(self) -> bool:
        """Whether the clock was high for so long that the converters may have powered down."""
        return self.longest_high_ns > MOST_HIGH_NS

    def raw(self, channel: int) -> int:
        """Return the number of a channel: 24 bits in two's complement.

        Raises:
            ValueError: the reading was given up.
        """
        return decode(word >> channel & 1 for word in self.words)


def decode(bits: Iterable[int]) -> int:
    """Return the number that 24 bits make, the highest first, in two's complement.

    Raises:
        ValueError: there are not 24 of them.
    """
    found = tuple(bits)
    if len(found) != BITS:
        raise ValueError(f"a conversion has {BITS} bits, not {len(found)}")
    value = 0
    for bit in found:
        value = value << 1 | bit
    return value - (value >> (BITS - 1) << BITS)


def shift(lines: Lines, gain: int = 128) -> Shift:
    """Clock all converters once, measuring every high time; give up after one that is too long.

    Call it when the converters to be read are ready. What is measured holds the time the library takes
    beside the pulse itself, so it errs on the safe side.
    """
    words: list[int] = []
    longest = 0
    now, set_clock = lines.now_ns, lines.set_clock
    began = now()
    for pulse in range(BITS + PULSES[gain]):
        rose = now()
        set_clock(high=True)
        set_clock(high=False)
        longest = max(longest, now() - rose)
        if longest > MOST_HIGH_NS:
            break  # who has powered down begins anew: further pulses would only choose a gain by chance
        if pulse < BITS:
            words.append(lines.read_data())
    return Shift(tuple(words), lines.read_data(), longest, now() - began)
