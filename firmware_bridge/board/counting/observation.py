"""From loads to stones: the whole board is read at once, from the last known position (pure).

Rounding each cell's weight on its own fails within a game: zeros drift and stones differ in mass. Here a
reading is compared with whole positions, each of which says what every place should weigh and how surely
(`weighing.py`), from what is known of every place (`belief.py`) and of which stones moved (`lots.py`).

How far this can reach. Let e be the error of one place's change in stones, normal with standard deviation
s. Rounding one place is wrong when |e| > 1/2, so twenty places are wrong once in 10,000 when
20 * 2 Q(1/2s) = 1e-4, which is s = 0.11. Told apart by the rules alone, the nearest two legal boards differ
by a stone in at least k = 6 places or so, at a distance of sqrt(k) stones: wrong when e along that line is
beyond sqrt(k)/2, so s = 0.27 and more; but then an illegal board would be taken for the legal one beside it.
To notice one stone out of place the two boards to be told apart lie one stone (one more or less) or
sqrt(2) stones (one moved) from the legal one. Asking whenever the margin of one of them is below m nats
asks on a legal board when e > 1/2 - m s^2 at one of twenty places or along one of some hundred pairs. With
m = 0 and one ask in a hundred plies that is s = 0.145; believing that illegal boards are rare, m = -4, it
is s = 0.165 to 0.2. So between rounding and any reader that keeps its eyes open lies a factor of 1.3 to 1.9
in noise, and no cleverness goes beyond it on one reading. In the spread of the masses the gain is larger: a
kazan of n stones errs by cv * sqrt(n) when rounded, and a place that was sown into by cv * 1 here, however
many lie there.

A tuzdyk carries a mark (003 1.4.2), which has a mass and may be laid before or after the press; so a
tuzdyk's pit may weigh nothing or one mark. Once a position is confirmed with the mark in place, the mark is
part of the level.

Everything here is in the order of places (see `firmware_bridge.layout`), in grams and in stones.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TypeAlias

from firmware_bridge.board.counting.belief import Belief, Units
from firmware_bridge.board.counting.learning import confirmed, followed
from firmware_bridge.board.counting.lots import Change
from firmware_bridge.board.counting.passages import SILENT, Passed, of_change
from firmware_bridge.board.counting.weighing import Weighed, far_off, weigh
from firmware_bridge.layout import PITS
from sensors.samples import Fault

MOVING = "moving"
"""The reason of a place that has no load because it has not come to rest."""

Unread: TypeAlias = tuple[int, Fault | str]
"""A place without a load, and why there is none: `MOVING`, or the fault."""

STRAYS = 0.15
"""Stones by which a pit at rest does not stray of itself: a leaning hand is felt by the cells beside it too,
by up to half of what the nearest feels (estimate); noise is a tenth of this, and zeros are followed."""

LEAST_NOISE = 0.004**2
"""Variance of a weight in stones whatever its noise is said to be: cells are no better."""

MOST_NOISE = 0.1**2
"""The same at most: a stretch whose blocks strayed further would not have been quiet."""


@dataclass(frozen=True, slots=True)
class PlaceReading:
    """What one place weighs now.

    Attributes:
        load_g: Mean load of the quiet stretch in grams; None while moving or faulty.
        since_us: Table time at which the quiet stretch began; None while moving or faulty.
        reason: Why there is no load: `MOVING`, or the fault; empty when there is one.
        noise_g: Standard error of the load in grams; 0 when not known.
    """

    load_g: float | None
    since_us: int | None
    reason: Fault | str = ""
    noise_g: float = 0.0


@dataclass(frozen=True, slots=True)
class Observation:
    """One look at the whole board, with what was known before it.

    Attributes:
        weights: For each place what lies there beyond its calibration's zero, in stones (not whole
            numbers); None where the place cannot be read.
        noise: Variance of each weight by its noise alone.
        mark: What a mark weighs, in stones.
        belief: What was known before.
        unread: The places without a load, with the reason.
        passed: What count sensors have seen since; None where there are none, or nobody listened.
    """

    weights: tuple[float | None, ...]
    noise: tuple[float, ...]
    mark: float
    belief: Belief
    unread: tuple[Unread, ...] = ()
    passed: Passed | None = None

    @property
    def moving(self) -> bool:
        """Whether any place is still moving."""
        return any(reason == MOVING for _, reason in self.unread)

    @property
    def broken(self) -> tuple[Unread, ...]:
        """The places that cannot be read for another reason than movement."""
        return tuple(item for item in self.unread if item[1] != MOVING)

    @property
    def told_by_beams(self) -> bool:
        """Whether count sensors tell what falls into every place whose cell is broken."""
        return self.passed is not None and all(
            self.passed.pulses[place] is not None for place, _ in self.broken
        )

    @property
    def in_hand(self) -> float:
        """Stones that left the board since, negative when there are more; unread places count as before."""
        missing = 0.0
        for weight, known in zip(self.weights, self.belief.places, strict=True):
            if weight is not None:
                missing += known.level - weight
        return missing

    def stones(self, before: Sequence[int]) -> tuple[int | None, ...]:
        """Return the nearest whole number of stones at each place, where `before` lay; None where unread."""
        return tuple(
            None if weight is None else max(0, round(n + weight - known.level))
            for weight, known, n in zip(self.weights, self.belief.places, before, strict=True)
        )

    @property
    def strays(self) -> bool:
        """Whether a pit where no stone was moved weighs a part of one more or less: a hand leans near it."""
        changes = [
            weight - known.level
            for weight, known in zip(self.weights[:PITS], self.belief.places, strict=False)
            if weight is not None
        ]
        return any(STRAYS <= abs(change) < 0.5 for change in changes)

    def explain(self, change: Change) -> Weighed | None:
        """Weigh the hypothesis that this has changed; None when it is out of the question."""
        if self.excludes(change.before, change.after, change.tuzdyks):
            return None
        return self.compare(change)

    def excludes(self, before: Sequence[int], after: Sequence[int], bear: frozenset[int]) -> bool:
        """Whether stones `after`, where `before` lay, are out of the question; `bear` may bear a mark."""
        return far_off(self.belief, self.weights, before, after, bear, self.mark)

    def compare(self, change: Change) -> Weighed:
        """Weigh the hypothesis that this has changed, however unlikely."""
        dark = tuple(place for place, _ in self.broken)
        votes = SILENT if self.passed is None else self.passed.votes(of_change(change), dark)
        return weigh(self.belief, self.weights, self.noise, change, self.mark, votes)

    def confirm(self, weighed: Weighed) -> Belief:
        """Return what is known once `weighed` is confirmed."""
        return confirmed(self.belief, self.weights, self.noise, weighed, self.mark)

    def follow(self, same: Weighed) -> Belief:
        """Return what is known after one more look at the confirmed position."""
        return followed(self.belief, self.weights, self.noise, same, self.mark)


def observe(
    readings: Sequence[PlaceReading], belief: Belief, units: Units, passed: Passed | None = None
) -> Observation:
    """Return what the twenty `readings` say in stones, after what was known before, beside the pulses."""
    weights: list[float | None] = []
    noise: list[float] = []
    unread: list[Unread] = []
    for place, reading in enumerate(readings):
        if reading.load_g is None:
            weights.append(None)
            unread.append((place, reading.reason))
        else:
            weights.append(reading.load_g / units.stone_g)
        noise.append(min(MOST_NOISE, max(LEAST_NOISE, (reading.noise_g / units.stone_g) ** 2)))
    mark = units.mark_g / units.stone_g
    return Observation(tuple(weights), tuple(noise), mark, belief, tuple(unread), passed)
