"""How well an explanation agrees with what hands were seen to do.

The stones on the board say how many more came to a place than left it. The strokes add how many passed
through it, what was taken up before the first stone fell, and which pit was lifted and put back untouched.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import groupby, takewhile

from rules.infractions.evidence import PLACES, Evidence, Stroke
from rules.infractions.kinds import Fault
from rules.infractions.leftovers import Carried
from rules.infractions.takings import Taking, is_kazan
from rules.infractions.ways import Way, tuzdyk_of
from rules.position import Position, Side

STONE_OFF = 1.5
"""Nats for each stone that went otherwise than seen; half a fault, for cells miss a stone now and then."""

_NOT_BEFORE = 1.0
"""Nats for each stone that was taken up after the first fall instead of before it."""

_MOST_NOT_BEFORE = 3
"""Stones that count so: two strokes in the wrong order are one slip, however many stones were lifted."""

_TWO_MOVES = (Fault.MOVED_TWICE, Fault.MOVED_BEFORE_PRESS)
"""Ways of two moves: the second pit is lifted when the stones of the first have long fallen."""


@dataclass(frozen=True, slots=True)
class Flow:
    """What passed through each of the twenty places.

    Attributes:
        up_low: No fewer stones were taken up there.
        up_high: No more.
        down_low: No fewer fell there.
        down_high: No more.
        first: Stones taken up there before the first one fell, at most.
        opening: The place that was lifted first; None: none.
        returned: Pits that were lifted and put back, in order, with the most stones it can have been.
        touched: Of these, the places at which it was done before anything else.
    """

    up_low: tuple[int, ...]
    up_high: tuple[int, ...]
    down_low: tuple[int, ...]
    down_high: tuple[int, ...]
    first: tuple[int, ...]
    opening: int | None
    returned: tuple[tuple[int, int], ...]
    touched: frozenset[int]


def flow_of(strokes: Sequence[Stroke]) -> Flow:
    """Return what passed through each place, and which pits were lifted and put back."""
    kept, returned, touched = _without_returned(strokes)
    bounds = [[0] * PLACES for _ in range(4)]
    for stroke in strokes:
        low, high = bounds[:2] if stroke.hand.takes else bounds[2:]
        low[stroke.place] += stroke.low
        high[stroke.place] += stroke.high
    first = [0] * PLACES
    for place, stones in returned:
        first[place] += stones
    opening = None
    for stroke in takewhile(lambda stroke: stroke.hand.takes, kept):
        first[stroke.place] += stroke.high
        opening = stroke.place if opening is None else opening
    up_low, up_high, down_low, down_high = (tuple(numbers) for numbers in bounds)
    return Flow(up_low, up_high, down_low, down_high, tuple(first), opening, tuple(returned), touched)


def _without_returned(
    strokes: Sequence[Stroke],
) -> tuple[list[Stroke], list[tuple[int, int]], frozenset[int]]:
    """Take out lifts that were answered at once by a fall of as many stones into the same pit.

    Returns:
        What is left, what was taken out, and of that the places where it was done before anything else.
    """
    kept: list[Stroke] = []
    returned: list[tuple[int, int]] = []
    touched: set[int] = set()
    for stroke in _handfuls(strokes):
        before = kept[-1] if kept else None
        if (
            before is not None
            and before.hand.takes
            and not stroke.hand.takes
            and before.place == stroke.place
            and stroke.low <= before.high <= stroke.high
        ):
            kept.pop()
            returned.append((stroke.place, before.high))
            if not kept:
                touched.add(stroke.place)
        else:
            kept.append(stroke)
    return kept, returned, frozenset(touched)


def _handfuls(strokes: Sequence[Stroke]) -> Iterator[Stroke]:
    """Yield the strokes with stones that fell into one place one after the other told as one."""
    for place, several in groupby(strokes, key=lambda stroke: (stroke.hand.takes, stroke.place)):
        *_, last = falls = list(several)
        if place[0]:
            yield from falls
        else:
            yield replace(last, low=sum(one.low for one in falls), high=sum(one.high for one in falls))


def disagreement(
    evidence: Evidence, flow: Flow, way: Way, taking: Taking, carried: Iterable[Carried]
) -> float:
    """Return how badly an explanation fits what hands did, in nats; 0 where it fits."""
    carried = tuple(carried)
    up, down = _foretold(way, taking, carried)
    cost = 0.0
    spare = _spare(evidence.before, flow, way, taking, carried)
    for place in range(PLACES):
        less, more = spare[place]
        if place in evidence.handled:
            less = max(less, min(up[place], down[place]))
        passed = min(
            _outside(up[place] + shift, flow.up_low[place], flow.up_high[place])
            + _outside(down[place] + shift, flow.down_low[place], flow.down_high[place])
            for shift in range(-less, more + 1)
        )
        cost += STONE_OFF * passed
    return cost + _order_off(flow, way, evidence.handled)


def _order_off(flow: Flow, way: Way, handled: frozenset[int]) -> float:
    """Return how badly the order of the lifts fits, in nats: what is sown is taken up before it falls."""
    fault = None if way.infraction is None else way.infraction.fault
    lifted = way.lifted[:1] if fault in _TWO_MOVES else way.lifted
    seen = [(place, stones) for place, stones in lifted if place not in handled]
    off = sum(max(0, stones - (stones > 1) - flow.first[place]) for place, stones in seen)
    wrong_first = fault is Fault.TWO_PITS_SOWN and flow.opening not in (None, lifted[0][0])
    return _NOT_BEFORE * min(off, _MOST_NOT_BEFORE) + (STONE_OFF if wrong_first else 0.0)


def _foretold(way: Way, taking: Taking, carried: Iterable[Carried]) -> tuple[list[int], list[int]]:
    """Return the stones that an explanation has taken up from and laid down on each place."""
    up = [0] * (PLACES + 1)
    down = [0] * (PLACES + 1)
    for place, stones in way.lifted:
        up[place] += stones
    for place in way.path:
        down[place] += 1
    for source, target, stones in (*way.moved, *taking.moved):
        up[source] += stones
        down[target] += stones
    for one in carried:
        source, target, stones = one.moved
        if one.diverted:
            down[source] -= stones
        else:
            up[source] += stones
        down[target] += stones
    return up, down


def _spare(
    position: Position, flow: Flow, way: Way, taking: Taking, carried: Iterable[Carried]
) -> list[tuple[int, int]]:
    """Return how many stones less, and how many more, may have passed through each place besides.

    A first stone that is left lying passes through nothing, what was put back need not be told again, and a
    stone of a tuzdyk may lie in it or not before it is banked (1.3.1, 1.4.2). A hand that takes stones where
    the last one falls may come down with it, and stones that are taken out of a kazan as soon as others were
    banked may be those: the cell sees no more than the difference.
    """
    less, more = [0] * PLACES, [0] * PLACES
    for place, _ in way.lifted:
        less[place] = int(place in way.path)
    last = way.path[-1] if way.path else None
    if last is not None and any(source == last for source, _, _ in (*way.moved, *taking.moved)):
        less[last] += 1
    for one in carried:
        source, _, stones = one.moved
        if is_kazan(source) and not one.diverted:
            less[source] += stones
    for place, stones in flow.returned:
        more[place] += stones
    for side in Side:
        won = tuzdyk_of(side, position.tuzdyks)
        if won is not None:
            more[won] += way.delivered[side.index]
    return list(zip(less, more, strict=True))


def _outside(stones: int, low: int, high: int) -> int:
    return max(0, low - stones, stones - high)
