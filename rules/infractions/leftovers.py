"""What a sowing and its capture leave unexplained, told as stones carried from place to place.

Every difference can be told so: what has no name of its own is called stones displaced, lost or foreign.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import product

from rules.infractions.corrections import distance
from rules.infractions.evidence import Evidence, kazan_of
from rules.infractions.kinds import Fault, Infraction
from rules.infractions.takings import Moved, Taking, is_kazan
from rules.infractions.ways import OUTSIDE, PITS, Way, tuzdyk_of
from rules.position import Side

_MOST_DOUBTED = 3
"""Carries of which every reading is tried; of more, only the likeliest."""


@dataclass(frozen=True, slots=True)
class Carried:
    """One reading of some stones that lie elsewhere than they should.

    Attributes:
        infraction: What it is called.
        moved: From where, to where, how many.
        diverted: They never were at the source: they were laid at the target instead.
        cost: How improbable it is, in nats.
    """

    infraction: Infraction
    moved: Moved
    diverted: bool
    cost: float


def leftovers(
    evidence: Evidence, way: Way, taking: Taking, rest: Sequence[int]
) -> Iterator[tuple[Carried, ...]]:
    """Yield the readings of what is left over, the likeliest first; one empty reading if nothing is."""
    moved = _paired(evidence, rest)
    readings = [_readings(evidence, way, taking, one) for one in moved]
    if len(readings) > _MOST_DOUBTED:
        readings = [one[:1] for one in readings]
    yield from product(*readings)


def _paired(evidence: Evidence, rest: Sequence[int]) -> list[Moved]:
    """Return where the stones that lack somewhere have probably gone.

    Stones left in a tuzdyk lack in its owner's kazan. Of the others, as many as lack go together, near
    places first.
    """
    change = list(rest)
    done: list[Moved] = []
    for side in Side:
        won = tuzdyk_of(side, evidence.before.tuzdyks)
        if won is not None:
            _carry(change, kazan_of(side), won, done)
    lacking = [place for place, stones in enumerate(change) if stones < 0]
    over = [place for place, stones in enumerate(change) if stones > 0]
    pairs = sorted(product(lacking, over), key=lambda pair: (distance(*pair), pair))
    for source, target in pairs:
        if change[source] == -change[target]:
            _carry(change, source, target, done)
    for source, target in pairs:
        _carry(change, source, target, done)
    return done


def _carry(change: list[int], source: int, target: int, done: list[Moved]) -> None:
    stones = min(-change[source], change[target])
    if stones > 0:
        change[source] += stones
        change[target] -= stones
        done.append((source, target, stones))


def _readings(evidence: Evidence, way: Way, taking: Taking, moved: Moved) -> tuple[Carried, ...]:
    """Return what a carry can be called, the likeliest first."""
    source, target, _ = moved
    if source == OUTSIDE:
        return _brought(way, moved)
    if is_kazan(source):
        return _from_kazan(evidence, way, moved)
    if target == OUTSIDE:
        return _gone(evidence, way, moved)
    if is_kazan(target):
        return _banked(way, taking, moved)
    return (_said(Fault.STONES_DISPLACED, way, moved, 3.8),)


def _said(fault: Fault, way: Way, moved: Moved, cost: float, *, diverted: bool = False) -> Carried:
    source, target, stones = moved
    pit = target if source == OUTSIDE else source
    places = () if OUTSIDE in (source, target) else (target,)
    return Carried(
        Infraction(fault, way.side, pit, stones, places), moved, diverted, cost + 0.1 * (stones - 1)
    )


def _brought(way: Way, moved: Moved) -> tuple[Carried, ...]:
    """Return the readings of stones that were not on the board before."""
    foreign = _said(Fault.FOREIGN_OBJECT, way, moved, 3.2)
    if is_kazan(moved[1]):
        return (_said(Fault.KAZAN_ADDED, way, moved, 3.2), foreign)
    return (foreign,)


def _from_kazan(evidence: Evidence, way: Way, moved: Moved) -> tuple[Carried, ...]:
    """Return the readings of stones that lack in a kazan: of a tuzdyk and never banked, or taken out."""
    source, target, stones = moved
    owner = tuple(Side)[source - PITS]
    through = way.delivered[owner.index] >= stones
    if target == OUTSIDE:
        taken = (_said(Fault.KAZAN_TAKEN, way, moved, 3.3), *_in_hand(evidence, way, moved, 3.4))
        fault = Fault.TUZDYK_NOT_DELIVERED
    elif is_kazan(target):
        taken = (_said(Fault.KAZAN_SHIFTED, way, moved, 3.3),)
        fault = Fault.TUZDYK_WRONG_KAZAN
    else:
        taken = (_said(Fault.KAZAN_TAKEN, way, moved, 3.3),)
        fault = Fault.TUZDYK_STONES_LEFT
        through = through and target == tuzdyk_of(owner, evidence.before.tuzdyks)
    return (_said(fault, way, moved, 3.0, diverted=True), *taken) if through else taken


def _in_hand(evidence: Evidence, way: Way, moved: Moved, cost: float) -> tuple[Carried, ...]:
    """Return the reading that the stones are still in a hand, where a press was and hands may hold some."""
    if not evidence.presses or (evidence.in_hand is not None and sum(evidence.in_hand) < moved[2]):
        return ()
    return (_said(Fault.STONES_IN_HAND, way, moved, cost),)


def _gone(evidence: Evidence, way: Way, moved: Moved) -> tuple[Carried, ...]:
    """Return the readings of stones of a pit that are no longer on the board."""
    known = evidence.in_hand is not None
    held = _in_hand(evidence, way, moved, 3.0 if known else 3.6)
    lost = _said(Fault.STONE_LOST, way, moved, 3.3)
    return (*held, lost) if known else (lost, *held)


def _banked(way: Way, taking: Taking, moved: Moved) -> tuple[Carried, ...]:
    """Return the readings of stones of a pit that lie in a kazan."""
    source, target, _ = moved
    added = _said(Fault.KAZAN_ADDED, way, moved, 3.4)
    if target == kazan_of(way.side) and taking.infraction is None and taking.moved and source != way.last:
        return (_said(Fault.CAPTURED_TOO_MANY, way, moved, 3.1), added)
    return (added,)
