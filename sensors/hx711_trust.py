"""Which numbers of one HX711 may be handed on. Pure.

A reading that went wrong in a way that was seen, such as a clock held high for too long, is no number. Nor
are those after it: the next may hold its leading bits, the one behind it may have the wrong gain, the third
is dropped to be sure, so numbers are handed on again from the fourth good one in a row on
(Klipper3d/klipper#6659). The same holds for a number that bears the mark of a fault nobody saw:

- it jumps to 2^k-1, to a number that ends in many ones, or to a small negative one: the converter powered
  down in mid-reading (bogde/HX711#83, #216), or was clocked while not ready, which gives -1 (ggurov/hx711#5);
- it jumps to the double, the half or a quarter of the number before: a clock gained or lost, or the wrong
  gain (RobTillaart/HX711 README, #27; bogde/HX711#35);
- it jumps by half of the range: its first bit alone is wrong.

A change of the load may look like that as well. It is late by three numbers then, and is handed on when they
agree with each other. What lasts is for whoever knows what must lie there to judge (`plausible.py`).
"""

from collections.abc import Iterable

from sensors.frames import STATUS_OK, STATUS_READ_ERROR, STATUS_SATURATED
from sensors.hx711 import BITS, RAW_MAX, RAW_MIN

GOOD_AFTER = 4
"""Good numbers in a row from which on they are handed on (Klipper3d/klipper#6659)."""

JUMP = 4_000
"""Converter units that no noise makes: six deviations of ten times the noise of the datasheet at 80 a second
and 3.3 V, which is 58.6 units (90 nV)."""

SMALL_NEGATIVE = -64
"""Down to here negative numbers are ones with a few zeros."""

ONES = 0xFFF
"""Fewer ones at the end move a number by less than `JUMP`; by chance one number in 4096 ends so."""

RATIOS = ((2, 1), (1, 2), (1, 4))
"""What a number of clocks too many or too few, and a wrong gain, make of a number."""


class Trust:
    """One converter.

    Attributes:
        rejected: numbers that bore the mark of a fault, since the start.
    """

    def __init__(self) -> None:
        self.rejected = 0
        self._good = 0
        self._last: int | None = None
        self._held: int | None = None

    @property
    def restored(self) -> bool:
        """Whether numbers are handed on."""
        return self._good >= GOOD_AFTER

    def doubt(self) -> None:
        """Note that a reading went wrong, or did not take place: four good ones are needed again."""
        self._good = 0
        self._held = None

    def take(self, raw: int) -> tuple[int, int]:
        """Take a number that was read without a fault; return what to hand on: raw and `frames.STATUS_x`.

        A number at an end of the range is handed on as saturated. READ_ERROR goes with raw 0.
        """
        if self._marked(raw):
            self.rejected += 1
            self.doubt()
            self._held = raw
            return 0, STATUS_READ_ERROR
        self._good += 1
        if not self.restored:
            if self._held is not None:
                self._held = raw
            return 0, STATUS_READ_ERROR
        self._last, self._held = raw, None
        return raw, STATUS_SATURATED if raw in (RAW_MIN, RAW_MAX) else STATUS_OK

    def _marked(self, raw: int) -> bool:
        """Whether the number jumps as a fault makes it jump, and does not just confirm the one before."""
        last, held = self._last, self._held
        if raw in (RAW_MIN, RAW_MAX):
            return False  # told as what it is
        exact = _is_remains(raw)
        if held is not None and abs(raw - held) < JUMP and not (exact and raw == held):
            return False
        if last is None:
            return exact
        return abs(raw - last) >= JUMP and (exact or _is_ratio(raw, last))


def _is_remains(raw: int) -> bool:
    """Whether a reading that was cut off leaves this number."""
    return SMALL_NEGATIVE <= raw < 0 or (raw >= 0 and raw & (raw + 1) == 0) or raw & ONES == ONES


def _is_ratio(raw: int, last: int) -> bool:
    """Whether the number is the last one as a wrong number of clocks, a wrong gain or first bit gives it."""
    half = 1 << (BITS - 1)
    return any(abs(raw - each) < JUMP // 2 for each in _spoilt(last)) or (
        abs(abs(raw - last) - half) < JUMP // 2
    )


def _spoilt(last: int) -> Iterable[int]:
    half = 1 << (BITS - 1)
    for above, below in RATIOS:
        yield (last * above // below + half) % (2 * half) - half
