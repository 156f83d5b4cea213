"""Whose stones lie where after some plies: the linear map that carries masses from place to place (pure).

A lot is all the stones that lay in one place when the position was confirmed. They are of one known
mass together, whatever each of them weighs. A ply spreads lots: the stones of a lifted pit fall one by
one, drawn without replacement; a captured pit goes into a kazan whole. So what a place should weigh
after a ply follows from masses known before, not from the mean mass of a stone: a pit of heavy stones
makes a kazan grow by just those heavy stones. This is why differences can be counted where totals
cannot.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from firmware_bridge.layout import PITS, PLACES
from rules.position import Position, Sowing, outcome, pit_index, tuzdyk_owner


@dataclass(frozen=True, slots=True)
class Lot:
    """The stones of one place that did not all stay there.

    Attributes:
        source: The place where they lay.
        stones: How many there were, 1..162.
        parts: How many of them lie where now (the source included if some stayed); the numbers are
            expected ones, and not whole when a pit of mixed stones was spread. They add up to `stones`.
    """

    source: int
    stones: int
    parts: tuple[tuple[int, float], ...]


@dataclass(frozen=True, slots=True)
class Change:
    """What some plies do to the twenty places.

    Attributes:
        before: Stones at each place before.
        after: Stones at each place after.
        lots: The stones that moved.
        tuzdyks: The places that are tuzdyks afterwards, and so may bear a mark.
        plies: The plies that do it; empty where nothing is played.
    """

    before: tuple[int, ...]
    after: tuple[int, ...]
    lots: tuple[Lot, ...]
    tuzdyks: frozenset[int]
    plies: tuple[Sowing, ...] = ()


def stones_due(position: Position) -> tuple[int, ...]:
    """Return how many stones lie at each of the twenty places of `position`."""
    return (*position.pits, *position.kazans)


def tuzdyk_places(position: Position) -> frozenset[int]:
    """Return the places that are tuzdyks in `position`, and so may bear a mark."""
    places: list[int] = []
    for index, number in enumerate(position.tuzdyks):
        if number is not None:
            places.append((number - 1) + (9 if index == 0 else 0))
    return frozenset(places)


def swept_stones(position: Position) -> tuple[int, ...] | None:
    """Return the stones of each place once an atsyrau has been swept; None when there is nothing to sweep."""
    end = outcome(position)
    if end is None or end.kazans == position.kazans:
        return None
    return (*(0 for _ in position.pits), *end.kazans)


def unchanged(position: Position) -> Change:
    """Return the change that is none: the position still lies there."""
    due = stones_due(position)
    return Change(due, due, (), tuzdyk_places(position))


def change_of(plies: Sequence[Sowing], *, swept: bool = False) -> Change:
    """Return what these plies, one after the other, do to the places.

    Args:
        plies: At least one; each begins where the one before it ends.
        swept: What an atsyrau leaves lying is in the kazan of the player it belongs to as well.
    """
    before = stones_due(plies[0].before)
    mixed: list[dict[int, float]] = [{place: float(n)} if n else {} for place, n in enumerate(before)]
    for ply in plies:
        _sow(mixed, ply)
    last = plies[-1].after
    after = stones_due(last)
    due = swept_stones(last) if swept else None
    if due is not None:
        kazan = PITS if due[PITS] > after[PITS] else PITS + 1
        for place in range(PITS):
            _pour(mixed, place, kazan)
        after = due
    return Change(before, after, _lots(before, mixed), tuzdyk_places(last), tuple(plies))


def rearranged(before: Position, after: Position) -> Change:
    """Return the change from one position to any other: hands took stones up and laid them elsewhere.

    Which stone went where nobody knows, so all that were taken up are one lot of a hand, mixed.
    """
    had, has = stones_due(before), stones_due(after)
    wanted = [(place, now - old) for place, (old, now) in enumerate(zip(had, has, strict=True)) if now > old]
    moved = sum(stones for _, stones in wanted)
    lots = []
    for place, (old, now) in enumerate(zip(had, has, strict=True)):
        taken = old - now
        if taken > 0:
            stayed = ((place, float(now)),) if now else ()
            parts = tuple((into, taken * stones / moved) for into, stones in wanted)
            lots.append(Lot(place, old, (*stayed, *parts)))
    return Change(had, has, tuple(lots), tuzdyk_places(after))


def laid_out(position: Position) -> Change:
    """Return the change from an empty board to `position`: all stones come out of one box, place 20."""
    due = stones_due(position)
    parts = tuple((place, float(n)) for place, n in enumerate(due) if n)
    lot = Lot(PLACES, sum(due), parts)
    return Change((0,) * PLACES, due, (lot,), tuzdyk_places(position))


def _sow(mixed: list[dict[int, float]], ply: Sowing) -> None:
    """Spread the stones of a ply, and bank what it captures."""
    origin = pit_index(ply.side, ply.number)
    hand = mixed[origin]
    share = 1.0 / ply.stones
    mixed[origin] = {}
    tuzdyks = ply.before.tuzdyks
    for index in ply.path:
        owner = tuzdyk_owner(index, tuzdyks)
        target = mixed[index if owner is None else PITS + owner.index]
        for source, stones in hand.items():
            target[source] = target.get(source, 0.0) + stones * share
    if ply.captured:
        _pour(mixed, ply.last_index, PITS + ply.side.index)


def _pour(mixed: list[dict[int, float]], place: int, into: int) -> None:
    target = mixed[into]
    for source, stones in mixed[place].items():
        target[source] = target.get(source, 0.0) + stones
    mixed[place] = {}


def _lots(before: Sequence[int], mixed: Sequence[dict[int, float]]) -> tuple[Lot, ...]:
    lots: dict[int, list[tuple[int, float]]] = {}
    for place, content in enumerate(mixed):
        for source, stones in content.items():
            lots.setdefault(source, []).append((place, stones))
    return tuple(
        Lot(source, before[source], tuple(parts))
        for source, parts in lots.items()
        if len(parts) > 1 or parts[0][0] != source
    )


def plies_at(plies: Sequence[Sowing], place: int) -> int:
    """Return how many of the plies changed the number of stones at a place."""
    return sum(stones_due(ply.before)[place] != stones_due(ply.after)[place] for ply in plies)
