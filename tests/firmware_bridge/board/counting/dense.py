"""The weighing of a hypothesis as its docstring writes it down: whole matrices, every board, no short cut."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from math import log

from firmware_bridge.board.counting.belief import Belief
from firmware_bridge.board.counting.weighing import Weighed

Matrix = list[list[float]]


@dataclass(frozen=True, slots=True)
class Dense:
    """What a hypothesis is worth.

    Attributes:
        likelihood: Its log-likelihood.
        excess: How much larger the residuals are than the covariance allows, 1 if just as large.
        beside: By how many nats it exceeds each board one stone away: (more, less), a place or None each.
    """

    likelihood: float
    excess: float
    beside: Mapping[tuple[int | None, int | None], float]

    @property
    def margin(self) -> float:
        """By how much it exceeds the likeliest of them."""
        least = min(self.beside.values())
        return least / max(1.0, self.excess) if least > 0 else least


def covariance(belief: Belief, weighed: Weighed) -> Matrix:
    """Return the covariance of the twenty residuals."""
    change = weighed.change
    stones = [sum(dict(lot.parts).get(place, 0.0) for lot in change.lots) for place in range(20)]
    matrix = [[0.0] * 20 for _ in range(20)]
    for place in range(20):
        for other in range(20):
            matrix[place][other] = belief.places[place].sway * belief.places[other].sway
        matrix[place][place] += weighed.own[place] + belief.spread * stones[place]
    for lot in change.lots:
        there = [dict(lot.parts).get(place, 0.0) for place in range(20)]
        moved = [count / lot.stones for count in there]
        variance = 0.0
        if lot.source < 20:
            moved[lot.source] -= 1
            variance = belief.places[lot.source].mass_var
        for one in range(20):
            for other in range(20):
                matrix[one][other] += variance * moved[one] * moved[other]
                matrix[one][other] -= belief.spread / lot.stones * there[one] * there[other]
    return matrix


def inverse(matrix: Matrix) -> tuple[Matrix, float]:
    """Return the inverse and the logarithm of the determinant, by elimination with pivots."""
    size = len(matrix)
    rows = [[*row, *(float(i == j) for j in range(size))] for i, row in enumerate(matrix)]
    log_det = 0.0
    for column in range(size):
        best = max(range(column, size), key=lambda row: abs(rows[row][column]))
        rows[column], rows[best] = rows[best], rows[column]
        pivot = rows[column][column]
        log_det += log(abs(pivot))
        rows[column] = [value / pivot for value in rows[column]]
        for row in range(size):
            factor = rows[row][column]
            if row != column and factor:
                rows[row] = [a - factor * b for a, b in zip(rows[row], rows[column], strict=True)]
    return [row[size:] for row in rows], log_det


def judged(belief: Belief, weighed: Weighed) -> Dense:
    """Return what the hypothesis is worth by the covariance as it is written down."""
    read = [place for place, value in enumerate(weighed.residuals) if value is not None]
    residuals = [value for value in weighed.residuals if value is not None]
    whole = covariance(belief, weighed)
    precision, log_det = inverse([[whole[one][other] for other in read] for one in read])
    strain = _times(precision, residuals)
    squares = sum(a * b for a, b in zip(residuals, strain, strict=True))
    beside: dict[tuple[int | None, int | None], float] = {}
    some: list[int | None] = [None, *read]
    for more in some:
        for less in some:
            if more == less or (less is not None and not weighed.change.after[less]):
                continue
            shift = [float(place == more) - float(place == less) for place in read]
            own = sum(a * b for a, b in zip(shift, _times(precision, shift), strict=True))
            beside[more, less] = own / 2 - sum(a * b for a, b in zip(shift, strain, strict=True))
    return Dense(-0.5 * (squares + log_det), squares / max(1, len(read)), beside)


def _times(matrix: Matrix, vector: Sequence[float]) -> list[float]:
    return [sum(a * b for a, b in zip(row, vector, strict=True)) for row in matrix]
