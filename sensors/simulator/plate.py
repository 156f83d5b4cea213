"""The top plate: who is whose neighbour on it, and how much of a load the neighbours feel.

Shares are drawn for each direction of each pair: no two screws hold alike.
"""

from collections.abc import Iterable, Sequence
from random import Random
from typing import NamedTuple

from sensors.simulator.profile import Profile

ROW = 9
FULL = 1.0
ALONG_KAZAN = 1 / 3
"""A pit has a ninth of a kazan's long side: it feels a third of what a whole neighbour feels (estimate)."""

BEND_G = 20.0
"""Load at which half of a profile's `crosstalk_bend` has come into play (estimate)."""


class Neighbours(NamedTuple):
    """Two channels on either side of a piece of plate."""

    one: int
    other: int
    closeness: float = FULL
    """1 for two pits side by side, less where they touch less."""


def plain_neighbours(channels: int) -> tuple[Neighbours, ...]:
    """Return the neighbours of the plain layout: 0..8 and 9..17 the rows, 18 and 19 the kazans.

    Pits are neighbours along their row. Each row has its kazan at its side, so every pit of it touches that
    kazan, and the kazans touch each other in the middle of the board. Opposite pits have both kazans between
    them and feel nothing of one another. Channels that are not there are left out.
    """
    pairs = [Neighbours(pit, pit + 1) for pit in range(2 * ROW - 1) if pit != ROW - 1]
    pairs += [Neighbours(pit, 2 * ROW + pit // ROW, ALONG_KAZAN) for pit in range(2 * ROW)]
    pairs.append(Neighbours(2 * ROW, 2 * ROW + 1))
    return tuple(pair for pair in pairs if pair.other < channels)


class Plate:
    """What each channel feels of the loads on the others.

    Args:
        channels: how many there are.
        neighbours: which of them are, see `plain_neighbours`.
        profile: how much they feel.
        rng: drawn from only here.

    Attributes:
        touching: for each channel those that feel it, each with its share.
    """

    def __init__(
        self, channels: int, neighbours: Iterable[Neighbours], profile: Profile, rng: Random
    ) -> None:
        self._bend = profile.crosstalk_bend
        self._felt: list[list[tuple[int, float]]] = [[] for _ in range(channels)]
        self.touching: list[list[tuple[int, float]]] = [[] for _ in range(channels)]
        if profile.crosstalk_high:
            for one, other, closeness in neighbours:
                for source, target in ((one, other), (other, one)):
                    share = closeness * rng.uniform(profile.crosstalk_low, profile.crosstalk_high)
                    self.touching[source].append((target, share))
                    self._felt[target].append((source, share))

    def leak_g(self, channel: int, own_g: Sequence[float]) -> float:
        """Return what a channel feels of the others' loads, grams; `own_g` is what lies on each."""
        leak_g = sum([share * own_g[source] for source, share in self._felt[channel]])
        if self._bend:
            leak_g *= 1 + self._bend * own_g[channel] / (abs(own_g[channel]) + BEND_G)
        return leak_g
