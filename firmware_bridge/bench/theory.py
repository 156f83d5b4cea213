"""How far any reader of one quiet board a ply can get, as a factor of a profile's noise or spread (pure).

A reader that knows all of what was before, and asks only where a board one stone away is likelier, asks of a
place when its error is beyond half a stone. With k places whose errors have the standard deviation s, in
stones, that is one ply in a hundred at k * 2 Q(1/2s) = 1/100. Beyond it one has to ask more often, or to
believe what the weights speak against (see `firmware_bridge.board.counting.observation`).
"""

from __future__ import annotations

from math import sqrt
from statistics import NormalDist

from firmware_bridge.bench.stretches import AVERAGED
from sensors.simulator.profile import Profile, nominal_noise_raw

MOST_ASKS = 1e-2
"""Share of the plies that a reader may ask about and be of use."""

NOISY_PLACES = 2
"""The kazans: their cells are the largest, and so a stone the smallest part of what they show."""
SOWN_PLACES = 10
"""Stones that fall alone in a ply of the length that is played most."""


def limit(profile: Profile, axis: str) -> float | None:
    """Return the factor of an axis at which no reader gets along with one ask in a hundred; None: not known.

    Args:
        profile: What the factor is one of.
        axis: `noise`, `spread` or `drift`; how far a drift can be foreseen has no such bound.
    """
    if axis == "noise":
        raw = nominal_noise_raw(profile.rate_hz) * profile.noise_factor / sqrt(AVERAGED)
        return _bearable(NOISY_PLACES) / (raw / profile.kazan_cell.raw_per_g / profile.unit_g)
    if axis == "spread":
        return _bearable(SOWN_PLACES) / profile.unit_cv
    return None


def _bearable(places: int) -> float:
    """Return the standard deviation in stones that so many places may have."""
    return 0.5 / NormalDist().inv_cdf(1 - MOST_ASKS / (2 * places))
