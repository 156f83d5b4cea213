"""The 95 % bounds of rare faults."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from firmware_bridge.bench.bounds import at_most, rate_bounds


@pytest.mark.parametrize(
    ("k", "n", "low", "high"),
    [(0, 10, 0.0, 0.30850), (1, 10, 0.00253, 0.44502), (5, 10, 0.18709, 0.81291), (10, 10, 0.69150, 1.0)],
)
def test_bounds_are_those_of_the_tables(k: int, n: int, low: float, high: float) -> None:
    """Clopper and Pearson's values for ten trials, as statistics books print them."""
    assert rate_bounds(k, n) == pytest.approx((low, high), abs=1e-5)


def test_no_fault_in_many_leaves_less_than_four_in_as_many() -> None:
    """The upper bound of none in 10,000 is 1 - 0.025 ** (1 / n)."""
    low, high = rate_bounds(0, 10_000)
    assert low == 0
    assert high == pytest.approx(1 - 0.025 ** (1 / 10_000))


def test_without_trials_nothing_is_known() -> None:
    """Every rate is possible."""
    assert rate_bounds(0, 0) == (0.0, 1.0)


@given(st.integers(1, 60), st.data())
def test_the_bounds_hold_what_was_seen(n: int, data: st.DataObject) -> None:
    """The observed rate lies between, and faults and successes mirror each other."""
    k = data.draw(st.integers(0, n))
    low, high = rate_bounds(k, n)
    assert low <= k / n <= high
    assert rate_bounds(n - k, n) == pytest.approx((1 - high, 1 - low), abs=1e-9)


def test_a_binomial_tail_adds_up() -> None:
    """Two coins show at most one head in three cases of four."""
    assert at_most(1, 2, 0.5) == pytest.approx(0.75)
    assert at_most(0, 5, 0.0) == 1.0
    assert at_most(4, 5, 1.0) == 0.0
