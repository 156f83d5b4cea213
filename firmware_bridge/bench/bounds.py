"""How sure a count of rare faults makes one (pure).

The two bounds are those of Clopper and Pearson: the rates at which seeing so few, or so many, would have had
a chance of 2.5 % each. They are found by bisection on the exact binomial tail, for k faults in n trials the
sum over i <= k of C(n, i) p^i (1-p)^(n-i). With no fault at all the upper one is 1 - 0.025^(1/n), about
3.7 / n.

Who only asks how bad it can be wants one bound: the rate at which seeing so few would have had a chance of
5 %. With no fault it is 1 - 0.05^(1/n), the "rule of three", 3 / n. It is taken whatever was seen: a bound
that is chosen after looking is none.
"""

from __future__ import annotations

from collections.abc import Callable
from math import exp, lgamma, log, log1p

ALPHA = 0.05
"""Twice 2.5 %: a 95 % interval."""

STEPS = 60
"""Bisections: the interval is then as narrow as a float."""


def at_most(k: int, n: int, p: float) -> float:
    """Return the chance of at most `k` faults in `n` trials with the chance `p` of each."""
    if p <= 0:
        return 1.0
    if p >= 1:
        return float(k >= n)
    total = 0.0
    for i in range(k + 1):
        ways = lgamma(n + 1) - lgamma(i + 1) - lgamma(n - i + 1)
        total += exp(ways + i * log(p) + (n - i) * log1p(-p))
    return min(1.0, total)


def rate_bounds(k: int, n: int, alpha: float = ALPHA) -> tuple[float, float]:
    """Return the lower and upper bound of the rate behind `k` faults in `n` trials; (0, 1) for none."""
    if n == 0:
        return (0.0, 1.0)
    low = 0.0 if k == 0 else _root(lambda p: 1 - at_most(k - 1, n, p) >= alpha / 2)
    high = 1.0 if k >= n else _root(lambda p: at_most(k, n, p) <= alpha / 2)
    return (low, high)


def at_most_rate(k: int, n: int, alpha: float = ALPHA) -> float:
    """Return the rate 0..1 that is not exceeded with a confidence of 1 - alpha; 1 for no trials."""
    return rate_bounds(k, n, 2 * alpha)[1]


def _root(is_beyond: Callable[[float], bool]) -> float:
    """Return the smallest rate for which a question that turns once from no to yes is answered yes."""
    low, high = 0.0, 1.0
    for _ in range(STEPS):
        middle = (low + high) / 2
        if is_beyond(middle):
            high = middle
        else:
            low = middle
    return high
