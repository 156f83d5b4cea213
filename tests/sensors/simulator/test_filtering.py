"""The converter's filter."""

from cmath import exp
from itertools import accumulate
from math import pi

import pytest

from sensors.simulator.filtering import passed, swung, visible


def test_a_step_becomes_visible_over_four_conversions() -> None:
    """Shares at whole conversions, and nothing before, everything after."""
    assert [visible(n) for n in (-1, 0, 1, 2, 3, 4, 9)] == [0, 0, 1 / 24, 1 / 2, 23 / 24, 1, 1]
    assert visible(1.5) == pytest.approx((1 / 24 + 1 / 2) / 2)


@pytest.mark.parametrize(
    ("hz", "period_s", "share"),
    [(0.01, 0.0125, 1.0), (9, 0.0125, 0.919), (50, 0.0125, 0.049), (9, 0.1, 0.0001)],
)
def test_fast_swings_are_taken_away_and_slow_ones_let_through(
    hz: float, period_s: float, share: float
) -> None:
    """The fourth power of sin(x)/x: tremor passes at 80 samples a second and not at 10."""
    assert abs(passed(complex(0, 2 * pi * hz), period_s)) == pytest.approx(share, abs=0.002)


def test_a_swing_as_long_as_a_conversion_vanishes() -> None:
    """80 Hz at 80 conversions a second averages to nothing."""
    assert abs(passed(complex(0, 2 * pi * 80), 0.0125)) < 1e-12


@pytest.mark.parametrize(("hz", "period_s"), [(40.0, 0.0125), (60.0, 0.1)])
def test_a_damped_swing_is_averaged_as_by_hand(hz: float, period_s: float) -> None:
    """Four moving averages in a row, taken numerically, give the same at every moment, the first one too."""
    motion, fine = complex(-30, 2 * pi * hz), 100
    step_s = period_s / fine
    values = [exp(motion * (n + 0.5) * step_s).imag for n in range(8 * fine)]
    for _ in range(4):
        sums = [0.0, *accumulate(values)]
        values = [(sums[n + 1] - sums[max(0, n + 1 - fine)]) / fine for n in range(8 * fine)]
    for n in range(fine, 8 * fine, 37):
        assert swung(motion, (n + 2.5) * step_s, period_s).imag == pytest.approx(values[n], abs=0.002)
    assert swung(motion, 0.0, period_s) == 0
