"""The converters' noise, drawn fast: two fixed tables of values, entered at random places.

A sample of all channels adds a run of the first table and a run of the second, each begun at a random place.
The sum of two normal values is normal, 2**32 pairs of places make repetitions rare, and the sum reaches six
standard deviations where one table would end at four. Whole raw steps, so that a read needs no rounding.

The tables are the same in every process; what differs between worlds is where they are entered.
"""

from functools import lru_cache
from itertools import chain, islice
from math import sqrt
from random import Random
from statistics import NormalDist
from typing import Self

TABLE = 1 << 16
"""Values in a table: a place is 16 random bits."""

LONGEST_RUN = 64
"""More channels than any device has; the tables go on by as many values, beginning again."""

DEGREES = 3
"""Of freedom of the Student distribution: the fewest with a variance, so the heaviest tails that have one."""


class NoiseTables:
    """Two tables whose sum has the wanted standard deviation.

    Attributes:
        left: first table, raw steps, `TABLE` + `LONGEST_RUN` values.
        right: second table.
    """

    __slots__ = ("left", "right")

    def __init__(self, left: tuple[int, ...], right: tuple[int, ...]) -> None:
        self.left = left
        self.right = right

    def __deepcopy__(self, memo: object) -> Self:
        """Return itself: tables never change, and copying a world must not copy them."""
        return self


@lru_cache(maxsize=16)
def noise_tables(sigma_raw: float, *, heavy_tails: bool) -> NoiseTables:
    """Return tables whose sum has a standard deviation of `sigma_raw`.

    Args:
        sigma_raw: raw steps.
        heavy_tails: True if the second table is of a Student distribution.
    """
    scale = sigma_raw / sqrt(2)
    left, right = _normal(1), _student(2) if heavy_tails else _normal(2)
    return NoiseTables(_scaled(left, scale), _scaled(right, scale))


def _scaled(values: tuple[float, ...], scale: float) -> tuple[int, ...]:
    return tuple([round(value * scale) for value in chain(values, islice(values, LONGEST_RUN))])


@lru_cache(maxsize=2)
def _normal(seed: int) -> tuple[float, ...]:
    """Return the normal distribution's own quantiles in random order: exact in mean and spread."""
    quantile = NormalDist().inv_cdf
    values = [quantile((index + 0.5) / TABLE) for index in range(TABLE)]
    Random(seed).shuffle(values)
    return tuple(values)


@lru_cache(maxsize=1)
def _student(seed: int) -> tuple[float, ...]:
    """Return draws of a Student distribution, brought to a standard deviation of 1."""
    rng = Random(seed)
    draws = []
    for _ in range(TABLE):
        chi_square = rng.gammavariate(DEGREES / 2, 2.0)
        draws.append(rng.gauss(0.0, 1.0) / sqrt(chi_square / DEGREES))
    spread = sqrt(sum(value * value for value in draws) / TABLE)
    return tuple(value / spread for value in draws)
