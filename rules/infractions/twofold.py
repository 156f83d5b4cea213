"""Sowings with two faults on the way: pits passed over and pits served twice, in any pairing.

They are many, so they are only asked for where no single fault explains a board.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from itertools import accumulate, combinations

from rules.infractions.evidence import KAZANS, Evidence
from rules.infractions.hands import Flow
from rules.infractions.kinds import Fault, Infraction
from rules.infractions.ways import Table, Way
from rules.position import Sowing, apply, legal_moves, pit_index

_MOST_STONES = 24
"""Stones of the longest sowing that is looked at twice: the pairs grow with their square."""

_COST = 6.0
"""Nats: two faults."""


def twofold_ways(evidence: Evidence, flow: Flow | None) -> Iterator[Way]:
    """Yield the sowings with two faults on the way, of the pits that can have been played."""
    table = Table(evidence.before)
    for number in legal_moves(evidence.before):
        due = apply(evidence.before, number)
        if 2 < due.stones <= _MOST_STONES and _may_be_played(evidence, flow, due):
            yield from _twofold(table, due)


def _may_be_played(evidence: Evidence, flow: Flow | None, due: Sowing) -> bool:
    """Return whether a pit was lifted, or holds less than before where nobody watched."""
    origin = pit_index(due.side, due.number)
    if flow is not None:
        return flow.up_high[origin] >= due.stones - 1
    left = evidence.seen[origin]
    return left is None or left < due.stones


def _twofold(table: Table, due: Sowing) -> Iterator[Way]:
    """Yield the sowings of one pit in which two steps from stone to stone are none or two pits long."""
    origin = pit_index(due.side, due.number)
    lifted = ((origin, due.stones),)
    for first, second in combinations(range(1, due.stones), 2):
        for one in (0, 2):
            for other in (0, 2):
                steps = [origin, *(1,) * (due.stones - 1)]
                steps[first], steps[second] = one, other
                places = tuple(place % KAZANS for place in accumulate(steps))
                way = table.way(_said(due, places, first, one), lifted, places, due, cost=_COST)
                yield replace(way, also=(_said(due, places, second, other),))


def _said(due: Sowing, places: tuple[int, ...], nth: int, step: int) -> Infraction:
    """Return what it is called when the step to a stone is none or two pits long."""
    if step:
        return Infraction(Fault.STONE_SKIPPED, due.side, (places[nth] - 1) % KAZANS)
    return Infraction(Fault.TWO_IN_ONE, due.side, places[nth], 2)
