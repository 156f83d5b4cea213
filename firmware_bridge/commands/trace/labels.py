"""Where labels stand that would cover each other where they belong (pure)."""

from __future__ import annotations

from collections.abc import Sequence


def spread(wanted: Sequence[float], low: float, high: float, least: float) -> list[float | None]:
    """Return places for labels, in order, at least `least` apart and as near to the wanted ones as that lets.

    Args:
        wanted: Where each belongs, in rising order, between `low` and `high`.
        low: Where the first may stand.
        high: Where the last may.
        least: How far they must be apart.

    Returns:
        A place for each; None for those left out because there is no room for so many.
    """
    if (len(wanted) - 1) * least > high - low:
        return _thinned(wanted, least)
    places: list[float] = []
    for place in wanted:
        places.append(max(place, places[-1] + least) if places else max(place, low))
    limit = high
    for number in reversed(range(len(places))):
        places[number] = min(places[number], limit)
        limit = places[number] - least
    return list(places)


def _thinned(wanted: Sequence[float], least: float) -> list[float | None]:
    """Return the places of those that are far enough from the one before that is shown."""
    found: list[float | None] = []
    last = float("-inf")
    for place in wanted:
        shown = place - last >= least
        found.append(place if shown else None)
        last = place if shown else last
    return found
