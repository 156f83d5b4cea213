"""The explanations of a board: a way of sowing, what was taken then, and stones carried besides.

They are ranked by how improbable they are: each fault costs about three nats, so that one fault is simpler
than two, and stones that went otherwise than hands were seen to move them cost half a fault each. The search
takes the ways that can still be simple first and stops where no other can come near the best.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from rules.infractions.evidence import KAZANS, PLACES, Evidence
from rules.infractions.hands import STONE_OFF, Flow, disagreement
from rules.infractions.kinds import Infraction
from rules.infractions.leftovers import leftovers
from rules.infractions.takings import left_over, takings
from rules.infractions.ways import OUTSIDE, Way
from rules.position import Sowing

MARGIN = 4.0
"""Nats by which an explanation may be less probable than the best and is still told."""

_LEAST_FAULT = 3.0
"""Nats that any leftover costs at least."""

_AS_IT_SHOULD = 6.0
"""Nats in favour of a board as it should be: hands are misread more often than faults end on one."""

_MOST_WAYS = 200
"""Ways that are looked at closely; a board that needs more is told as stones displaced anyway."""


@dataclass(frozen=True, slots=True)
class Hypothesis:
    """One explanation of a board.

    Attributes:
        infractions: What was wrong, in the order in which it was done; () for a board as it should be.
        due: The sowing that was due; None: none, the position before stands.
        board: Stones on the twenty places, those that nobody could read as the explanation has them.
        cost: How improbable it is, in nats.
        off: The part of the cost that is disagreement with what hands did.
        way: The way of sowing.
    """

    infractions: tuple[Infraction, ...]
    due: Sowing | None
    board: tuple[int, ...]
    cost: float
    off: float
    way: Way


def explain(evidence: Evidence, flow: Flow | None, candidates: Sequence[Way]) -> list[Hypothesis]:
    """Return the explanations within MARGIN of the best, the best first; none only without candidates."""
    total = sum(evidence.before.pits) + sum(evidence.before.kazans)
    seen = (*evidence.seen, total - sum(stones or 0 for stones in evidence.seen))
    bounded = sorted(
        (
            (_least(evidence, way, change, flow), nth, way, change)
            for nth, way, change in _changes(candidates, seen)
        ),
        key=lambda item: item[:2],
    )
    best = float("inf")
    found: list[Hypothesis] = []
    for least, _, way, change in bounded[:_MOST_WAYS]:
        if least > best + MARGIN:
            break
        for hypothesis in _of_way(evidence, flow, way, change):
            best = min(best, hypothesis.cost)
            found.append(hypothesis)
    found.sort(key=lambda one: one.cost)
    return [one for one in found if one.cost <= best + MARGIN]


def _changes(candidates: Sequence[Way], seen: Sequence[int | None]) -> Iterator[tuple[int, Way, list[int]]]:
    """Yield the difference of the board for each way; a place that cannot be read is as the way has it."""
    unread = [place for place in range(PLACES) if seen[place] is None]
    plain = [stones or 0 for stones in seen]
    for nth, way in enumerate(candidates):
        change = [now - left for now, left in zip(plain, way.board, strict=True)]
        for place in unread:
            change[OUTSIDE] += change[place]
            change[place] = 0
        yield nth, way, change


def _least(evidence: Evidence, way: Way, change: Sequence[int], flow: Flow | None) -> float:
    """Return what a way costs at least: for pits that are off besides the last, and lifts nobody saw."""
    lacking = over = 0
    for place in range(KAZANS):
        stones = change[place]
        if stones and place != way.last:
            if stones < 0:
                lacking += 1
            else:
                over += 1
    cost = way.cost + _LEAST_FAULT * max(lacking, over)
    if flow is not None:
        for place, stones in way.lifted:
            if place not in evidence.handled:
                cost += STONE_OFF * max(0, stones - 1 - flow.up_high[place])
    return cost


def _of_way(evidence: Evidence, flow: Flow | None, way: Way, change: Sequence[int]) -> Iterator[Hypothesis]:
    unread = [place for place in range(PLACES) if evidence.seen[place] is None]
    for taking in takings(evidence.before, way, change):
        rest = left_over(change, taking)
        for place in unread:
            rest[OUTSIDE] += rest[place]
            rest[place] = 0
        for carried in leftovers(evidence, way, taking, rest):
            said = [way.infraction, *way.also, taking.infraction, *(one.infraction for one in carried)]
            off = 0.0 if flow is None else disagreement(evidence, flow, way, taking, carried)
            cost = way.cost + taking.cost + sum(one.cost for one in carried) + off
            moved = (*taking.moved, *(one.moved for one in carried))
            faults = tuple(one for one in said if one is not None)
            if not faults:
                cost -= _AS_IT_SHOULD
            yield Hypothesis(faults, way.due, _ended(way, moved), cost, off, way)


def _ended(way: Way, moved: Sequence[tuple[int, int, int]]) -> tuple[int, ...]:
    """Return the twenty places as an explanation leaves them."""
    board = list(way.board)
    for source, target, stones in moved:
        board[source] -= stones
        board[target] += stones
    return tuple(board[:PLACES])
