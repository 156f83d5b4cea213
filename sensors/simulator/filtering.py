"""What the converter's own filter does to a step, a ring and a trembling: it averages over four conversions.

The step response is that of four moving averages in a row, each one conversion long; the data sheet
gives only the length of four conversions. The same filter takes most of a ringing away, the more the
slower the chip.
"""

from cmath import exp

STEP_RESPONSE = (0.0, 1 / 24, 1 / 2, 23 / 24, 1.0)
"""Share of a step that is visible 0..4 conversions later."""

SETTLING_SAMPLES = len(STEP_RESPONSE) - 1

DELAY_SAMPLES = SETTLING_SAMPLES / 2
"""By how many conversions a slow change is late."""


def visible(conversions: float) -> float:
    """Return the share of a step that is visible so many conversions after it; parts of one are allowed."""
    if conversions <= 0:
        return 0.0
    whole = int(conversions)
    if whole >= SETTLING_SAMPLES:
        return 1.0
    low, high = STEP_RESPONSE[whole], STEP_RESPONSE[whole + 1]
    return low + (high - low) * (conversions - whole)


def passed(motion: complex, period_s: float) -> complex:
    """Return the complex gain for exp(motion * t), motion in radians a second with the decay as real part."""
    turn = motion * period_s
    return ((1 - exp(-turn)) / turn) ** SETTLING_SAMPLES


def swung(motion: complex, since_s: float, period_s: float) -> complex:
    """Return what is seen of exp(motion * t) that began at 0, so long after: exact, its beginning included.

    Four moving averages are a fourth difference of the fourfold integral.
    """
    seen: complex = 0.0
    for sign, conversions in _FOURTH_DIFFERENCE:
        part_s = since_s - conversions * period_s
        if part_s <= 0:
            break
        turn = motion * part_s
        seen += sign * (exp(turn) - 1 - turn * (1 + turn / 2 * (1 + turn / 3)))
    return seen / (motion * period_s) ** SETTLING_SAMPLES


_FOURTH_DIFFERENCE = ((1, 0), (-4, 1), (6, 2), (-4, 3), (1, 4))
