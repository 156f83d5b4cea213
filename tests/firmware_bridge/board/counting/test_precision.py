"""The inverse by short cuts is the inverse."""

from __future__ import annotations

from math import log
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from firmware_bridge.board.counting.precision import Precision
from tests.firmware_bridge.board.counting.dense import Matrix, inverse

SEEDS = st.integers(0, 1_000_000)


def some(seed: int) -> tuple[Precision, Matrix, list[int]]:
    """Return a precision, the matrix that it inverts, and the places that take part."""
    rng = Random(seed)
    variances = [None if rng.random() < 0.1 else rng.choice((1e-3, 0.04, 1.0)) for _ in range(20)]
    taking_part = [place for place, variance in enumerate(variances) if variance is not None]
    found = Precision(variances)
    matrix = [[0.0] * 20 for _ in range(20)]
    for place, variance in enumerate(variances):
        matrix[place][place] = variance or 0.0
    for _ in range(rng.randrange(6)):
        weight = rng.choice((1.0, 0.09, 1e-3))
        parts = [(rng.randrange(20), rng.gauss(0, 1)) for _ in range(rng.randrange(1, 12))]
        found.add(weight, parts)
        vector = [sum(value for place, value in parts if place == at) for at in range(20)]
        for one in range(20):
            for other in range(20):
                matrix[one][other] += weight * vector[one] * vector[other]
    return found, [[matrix[one][other] for other in taking_part] for one in taking_part], taking_part


@settings(max_examples=60)
@given(seed=SEEDS)
def test_the_inverse_and_its_determinant_are_those_that_elimination_finds(seed: int) -> None:
    """Every element, the determinant, and the product with a vector; places that take no part are 0."""
    found, matrix, taking_part = some(seed)
    dense, log_det = inverse(matrix)
    size = max(abs(value) for row in dense for value in row)
    assert found.log_det == pytest.approx(log_det, rel=1e-6, abs=1e-6)
    vector = [float(place % 7) - 3 for place in range(20)]
    product = found.times(vector)
    for row, one in enumerate(taking_part):
        due = sum(dense[row][column] * vector[other] for column, other in enumerate(taking_part))
        assert product[one] == pytest.approx(due, rel=1e-6, abs=1e-6 * size)
        for column, other in enumerate(taking_part):
            assert found.at(one, other) == pytest.approx(dense[row][column], rel=1e-6, abs=1e-6 * size)
    for place in set(range(20)) - set(taking_part):
        assert product[place] == found.at(place, place) == 0.0


def test_what_leaves_nothing_to_vary_is_not_taken_away() -> None:
    """Stones of a lot weigh what the lot weighs: taking all variance of a place would divide by nothing."""
    found = Precision([4.0] * 20)
    found.add(-4.0, [(3, 1.0)])
    assert found.updates == []
    assert found.at(3, 3) == 0.25
    assert found.log_det == pytest.approx(20 * log(4.0))
