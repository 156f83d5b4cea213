"""How near a board is to the start of a game that is not surely laid out (pure)."""

from __future__ import annotations

from firmware_bridge.board.counting.weighing import Weighed

NEARLY = 0.8
"""Stones a heap of nine may stray and still be one that its owners may vouch for."""

NEARLY_ALL = 1.5
"""The same for all 162 together: a set has nearly the mass that it was calibrated with."""

DOUBTFUL = 0.35
"""Stones from which on a heap is named as one to be counted."""


def nearly(weighed: Weighed) -> tuple[tuple[int, int, int], ...]:
    """Return the places to be counted, what is due and what else it may be; () if it is far."""
    residuals = [value for value in weighed.residuals if value is not None]
    if max(map(abs, residuals)) > NEARLY or abs(sum(residuals)) > NEARLY_ALL:
        return ()
    due = weighed.change.after
    return tuple(
        (place, due[place], due[place] + (1 if value > 0 else -1))
        for place, value in enumerate(weighed.residuals)
        if value is not None and (abs(value) > DOUBTFUL or place in weighed.doubt.places)
    )
