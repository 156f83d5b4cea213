"""From loads to stones: first counting, by the last known position.

Rounding each cell's weight on its own fails within a game: zeros drift and stones differ in mass.
So every confirmed position re-anchors every channel: what it weighs then, less what the stones
known to lie there should weigh, is its zero from then on. A zero that wanders further than
`DRIFT_LIMIT` stones from where the calibration put it is not followed any more but named.

Loads are compared with whole positions (`Observation.fit`), never bent towards one: a place that
lies further than `TOLERANCE` stones from the number due there does not fit.

A tuzdyk carries a mark (003 1.4.2), which has a mass and may be laid before or after the press;
so a tuzdyk's pit may weigh nothing or one mark. Once a position is confirmed with the mark in
place, the mark is part of the zero.

Everything here is in the order of places (see `firmware_bridge.layout`), in grams and in stones.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from firmware_bridge.layout import PLACES
from rules.position import Position, Side, pit_index

TOLERANCE = 0.40
"""Stones a place may weigh away from the number due: rounding's half stone, less a margin for doubt."""

DRIFT_LIMIT = 6.0
"""Stones a zero may wander from its calibration before it is a fault; nominal cells stay below 1."""

MOVING = "moving"
"""The reason of a place that has no load because it has not come to rest."""


@dataclass(frozen=True, slots=True)
class Units:
    """The masses of one set of stones.

    Attributes:
        stone_g: Mean mass of a stone in grams, above 0.
        mark_g: Mass of the mark laid on a tuzdyk in grams, 0 or more.
    """

    stone_g: float
    mark_g: float


@dataclass(frozen=True, slots=True)
class PlaceReading:
    """What one place weighs now.

    Attributes:
        load_g: Mean load of the quiet stretch in grams; None while moving or faulty.
        since_us: Table time at which the quiet stretch began; None while moving or faulty.
        reason: Why there is no load: `MOVING`, or a fault in words; empty when there is one.
    """

    load_g: float | None
    since_us: int | None
    reason: str = ""


@dataclass(frozen=True, slots=True)
class Anchor:
    """The zeros of the twenty places, as of the last confirmed position.

    Attributes:
        zeros_g: Grams each place shows beyond its stones; for a marked tuzdyk this includes the mark.
        marked: The places whose zero includes a mark.
    """

    zeros_g: tuple[float, ...] = (0.0,) * PLACES
    marked: frozenset[int] = frozenset()


@dataclass(frozen=True, slots=True)
class Fit:
    """How well an observation agrees with one position.

    Attributes:
        ok: Every place agrees.
        worst: The largest disagreement in stones.
        wrong: The places that do not agree.
    """

    ok: bool
    worst: float
    wrong: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Observation:
    """One quiet look at the whole board.

    Attributes:
        weights: For each place what lies there beyond its zero, in stones (not whole numbers);
            None where the place cannot be read.
        mark: What a mark weighs, in stones.
        marked: The places whose zero includes a mark already.
        unread: The places without a load, with the reason.
    """

    weights: tuple[float | None, ...]
    mark: float
    marked: frozenset[int]
    unread: tuple[tuple[int, str], ...]

    @property
    def moving(self) -> bool:
        """Whether any place is still moving."""
        return any(reason == MOVING for _, reason in self.unread)

    @property
    def stones(self) -> tuple[int | None, ...]:
        """The nearest whole number of stones of each place; None where it cannot be read."""
        return tuple(None if weight is None else max(0, round(weight)) for weight in self.weights)

    @property
    def total(self) -> float | None:
        """All stones on the board; None when a place cannot be read."""
        total = 0.0
        for weight in self.weights:
            if weight is None:
                return None
            total += weight
        return total

    def fit(self, due: Sequence[int], tuzdyks: frozenset[int]) -> Fit:
        """Compare with the stones `due` at each place; `tuzdyks` are the places that may bear a mark."""
        worst = 0.0
        wrong: list[int] = []
        for place, weight in enumerate(self.weights):
            if weight is None:
                wrong.append(place)
                continue
            error = abs(weight - due[place])
            if place in tuzdyks and place not in self.marked:
                error = min(error, abs(weight - due[place] - self.mark))
            worst = max(worst, error)
            if error > TOLERANCE:
                wrong.append(place)
        return Fit(not wrong, worst, tuple(wrong))


def observe(readings: Sequence[PlaceReading], anchor: Anchor, units: Units) -> Observation:
    """Return what the twenty `readings` say in stones, counted from the zeros of `anchor`."""
    weights: list[float | None] = []
    unread: list[tuple[int, str]] = []
    for place, reading in enumerate(readings):
        if reading.load_g is None:
            weights.append(None)
            unread.append((place, reading.reason))
        else:
            weights.append((reading.load_g - anchor.zeros_g[place]) / units.stone_g)
    return Observation(tuple(weights), units.mark_g / units.stone_g, anchor.marked, tuple(unread))


def reanchor(
    readings: Sequence[PlaceReading],
    anchor: Anchor,
    units: Units,
    due: Sequence[int],
    tuzdyks: frozenset[int],
) -> Anchor:
    """Return the zeros that make `readings` weigh exactly the stones known to be `due`.

    A place without a load, or one whose zero would pass `DRIFT_LIMIT`, keeps its zero.
    """
    zeros = list(anchor.zeros_g)
    marked = set(anchor.marked & tuzdyks)
    for place, reading in enumerate(readings):
        if reading.load_g is None:
            continue
        zero = reading.load_g - due[place] * units.stone_g
        if place in tuzdyks and abs(zero - zeros[place]) > units.mark_g / 2 and units.mark_g > 0:
            marked ^= {place}
        carried = units.mark_g if place in marked else 0.0
        if abs(zero - carried) <= DRIFT_LIMIT * units.stone_g:
            zeros[place] = zero
    return Anchor(tuple(zeros), frozenset(marked))


def drifted(anchor: Anchor, units: Units) -> tuple[int, ...]:
    """Return the places whose zero has come within a stone of `DRIFT_LIMIT`, where following it ends."""
    limit = (DRIFT_LIMIT - 1) * units.stone_g
    return tuple(
        place
        for place, zero in enumerate(anchor.zeros_g)
        if abs(zero - (units.mark_g if place in anchor.marked else 0.0)) > limit
    )


def stones_due(position: Position) -> tuple[int, ...]:
    """Return how many stones lie at each of the twenty places of `position`."""
    return (*position.pits, *position.kazans)


def tuzdyk_places(position: Position) -> frozenset[int]:
    """Return the places that are tuzdyks in `position`, and so may bear a mark."""
    return frozenset(
        pit_index(owner.opponent, number)
        for owner, number in zip(Side, position.tuzdyks, strict=True)
        if number is not None
    )
