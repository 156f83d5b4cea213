"""The inverse of a covariance that is a diagonal and a few outer products, without any matrix library (pure).

Each product is added by Sherman and Morrison's formula, in some hundred steps.
"""

from __future__ import annotations

from collections.abc import Sequence
from math import log

from firmware_bridge.layout import PLACES


class Precision:
    """The inverse of a diagonal with outer products added one by one.

    Attributes:
        inverse: The diagonal of the inverse, before anything was added; 0 where there is no variance.
        updates: What was added since, each as a factor and a vector; empty while it is a diagonal.
        log_det: The logarithm of the determinant of the matrix, not of its inverse.
    """

    def __init__(self, variances: Sequence[float | None]) -> None:
        """Begin with a diagonal of these variances; None: a place that takes no part."""
        self.inverse = [0.0 if variance is None else 1.0 / variance for variance in variances]
        self.updates: list[tuple[float, list[float]]] = []
        self.log_det = sum([log(variance) for variance in variances if variance is not None])

    def add(self, weight: float, parts: Sequence[tuple[int, float]]) -> None:
        """Add `weight` times the outer product of the vector with these entries."""
        vector = [0.0] * PLACES
        for place, value in parts:
            vector[place] += value
        solved = self.times(vector)
        inner = 1.0 + weight * sum([a * b for a, b in zip(vector, solved, strict=True)])
        if inner <= 1e-9:
            return  # stones of a lot weigh what the lot weighs: nothing is left to vary
        self.updates.append((weight / inner, solved))
        self.log_det += log(inner)

    def times(self, vector: Sequence[float]) -> list[float]:
        """Return the inverse times a vector."""
        result = [a * b for a, b in zip(self.inverse, vector, strict=True)]
        for share, solved in self.updates:
            factor = share * sum([a * b for a, b in zip(solved, vector, strict=True)])
            result = [a - factor * b for a, b in zip(result, solved, strict=True)]
        return result

    def at(self, one: int, other: int) -> float:
        """Return one element of the inverse."""
        value = self.inverse[one] if one == other else 0.0
        for share, solved in self.updates:
            value -= share * solved[one] * solved[other]
        return value
