"""The fast noise against what noise must be."""

from copy import deepcopy
from random import Random
from statistics import fmean, pstdev

import pytest

from sensors.simulator.noise import LONGEST_RUN, TABLE, NoiseTables, noise_tables

SIGMA = 100.0


def draw(tables: NoiseTables, reads: int, channels: int = 20) -> list[list[int]]:
    """Runs as a world draws them."""
    rng = Random(4)
    rows = []
    for _ in range(reads):
        left, right = rng.randrange(TABLE), rng.randrange(TABLE)
        rows.append([tables.left[left + c] + tables.right[right + c] for c in range(channels)])
    return rows


def kurtosis(values: list[int]) -> float:
    """Fourth moment over the square of the second: 3 for a normal distribution."""
    second = fmean(value**2 for value in values)
    return fmean(value**4 for value in values) / second**2


def test_mean_spread_and_shape_are_normal() -> None:
    """Mean 0, the wanted deviation, kurtosis 3, and as many beyond three sigma as there should be."""
    values = [value for row in draw(noise_tables(SIGMA, heavy_tails=False), 5000) for value in row]
    assert fmean(values) == pytest.approx(0.0, abs=2.0)
    assert pstdev(values) == pytest.approx(SIGMA, rel=0.01)
    assert kurtosis(values) == pytest.approx(3.0, abs=0.1)
    beyond = sum(abs(value) > 3 * SIGMA for value in values) / len(values)
    assert beyond == pytest.approx(0.0027, rel=0.25)


def test_the_sum_reaches_farther_than_one_table() -> None:
    """The farthest value is beyond six sigma: one table of this length would end at 4.4."""
    tables = noise_tables(SIGMA, heavy_tails=False)
    assert max(tables.left) + max(tables.right) > 6 * SIGMA
    assert max(tables.left) < 3.5 * SIGMA


def test_samples_and_channels_do_not_know_of_each_other() -> None:
    """The correlation of a channel with the sample before, and with the next channel, is near zero."""
    rows = draw(noise_tables(SIGMA, heavy_tails=False), 5000)
    one = [row[3] for row in rows]
    for other in ([row[4] for row in rows], [0, *one[:-1]]):
        correlation = fmean(a * b for a, b in zip(one, other, strict=True)) / (pstdev(one) * pstdev(other))
        assert abs(correlation) < 0.05


def test_means_of_many_samples_shrink_as_independent_ones_do() -> None:
    """The mean of forty samples has a deviation of sigma over the root of forty."""
    rows = draw(noise_tables(SIGMA, heavy_tails=False), 8000, channels=4)
    means = [fmean(row[1] for row in rows[start : start + 40]) for start in range(0, 8000, 40)]
    assert pstdev(means) == pytest.approx(SIGMA / 40**0.5, rel=0.15)


def test_heavy_tails_have_the_same_spread_and_far_more_outliers() -> None:
    """The deviation is as wanted; values beyond six sigma occur, and kurtosis is far above 3."""
    values = [value for row in draw(noise_tables(SIGMA, heavy_tails=True), 5000) for value in row]
    assert pstdev(values) == pytest.approx(SIGMA, rel=0.05)
    assert kurtosis(values) > 5
    assert max(map(abs, values)) > 8 * SIGMA


def test_tables_are_shared_by_all_copies_and_go_on_past_their_end() -> None:
    """A copy of a world does not copy them; a run that begins at the last place has values to the end."""
    tables = noise_tables(SIGMA, heavy_tails=False)
    assert deepcopy(tables) is tables is noise_tables(SIGMA, heavy_tails=False)
    assert len(tables.left) == TABLE + LONGEST_RUN
    assert tables.left[TABLE:] == tables.left[:LONGEST_RUN]
    assert tables.left != tables.right
