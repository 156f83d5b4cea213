"""From evidence to diagnoses: what was wrong, how sure that is, and the way back.

>>> from rules.infractions.diagnose import diagnose
>>> from rules.infractions.evidence import Evidence
>>> from rules.position import START, board_of, play
>>> seen = list(board_of(play(START, 7).after))
>>> seen[14], seen[18] = 10, 0
>>> found = diagnose(Evidence(before=START, seen=tuple(seen)))[0]
>>> [one.fault.value for one in found.faults], found.to_due
(['capture_not_taken'], (Carry(source=14, target=18, stones=10),))
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import chain
from math import exp

from rules.infractions.behaviour import Readings, behaviour
from rules.infractions.corrections import Carry, carries
from rules.infractions.evidence import CLASSICAL, Evidence, Watched
from rules.infractions.hands import Flow, flow_of
from rules.infractions.hypotheses import Hypothesis, explain
from rules.infractions.kinds import Fault, Infraction
from rules.infractions.takings import claim_without_right
from rules.infractions.turns import turn_ways
from rules.infractions.twofold import twofold_ways
from rules.infractions.ways import OUTSIDE
from rules.position import Sowing, apply, board_of, number_of, outcome, side_of

_BEHAVIOUR_FAULT = 3.0
"""Nats for a fault of clock, hands or mark: as much as one of the stones."""

_ONE_FAULT = 5.0
"""Nats up to which a board is explained by one fault, and nobody looks for two on the way."""

_MARK_OFF = 1.5
"""Nats for a mark on a pit that is said to have been taken as an odd one: half a fault."""

_ALIKE = 2.0
"""Nats by which explanations of the same evidence may differ and still be named together: a class is told
whole, and only what nobody does is left out of it."""

_SAME_OFF = 0.001
"""Nats of disagreement with the hands that are none: sums of halves and wholes are compared."""

_UNNAMED = 9.0
"""Nats of everything that is not thought of here: three faults at once."""

_MOST_TOLD = 5
"""Diagnoses that are told; nobody reads more."""


@dataclass(frozen=True, slots=True)
class Diagnosis:
    """One explanation of what was seen, with all that leave the same evidence.

    Attributes:
        faults: What was wrong, in the order in which it was done; at least one.
        alike: Other lists of faults that nothing seen tells apart from these: together they are one class.
            Where another move would be due for one of them, a diagnosis of its own says so.
        due: The sowing that was due; None: the position before stands, and a move is still to be made.
        confidence: How probable it is that this class is right, 0 to 1.
        to_before: The shortest list of stones to carry that restores the position before.
        to_due: The shortest list that makes the position due; the same where `due` is None.
    """

    faults: tuple[Infraction, ...]
    alike: tuple[tuple[Infraction, ...], ...]
    due: Sowing | None
    confidence: float
    to_before: tuple[Carry, ...]
    to_due: tuple[Carry, ...]


@dataclass(frozen=True, slots=True)
class _Case:
    """A hypothesis with the faults of behaviour that it leaves."""

    found: Hypothesis
    readings: Readings
    due: Sowing | None
    cost: float
    off: float

    @property
    def lists(self) -> list[tuple[Infraction, ...]]:
        return [(*self.found.infractions, *one) for one in self.readings]


def diagnose(evidence: Evidence, policy: Watched = CLASSICAL) -> tuple[Diagnosis, ...]:
    """Return what was wrong, the best explanation first; () where nothing was.

    Args:
        evidence: What is known. The position before is trusted; the stones seen may be anything.
        policy: Which faults that leave the stones right are told.
    """
    flow = None if evidence.strokes is None else flow_of(evidence.strokes)
    if outcome(evidence.before) is not None:
        return _after_end(evidence, flow)
    found = explain(evidence, flow, turn_ways(evidence))
    if found[0].cost > _ONE_FAULT:
        found += explain(evidence, flow, tuple(twofold_ways(evidence, flow)))
    cases = [_case(evidence, policy, flow, one) for one in found]
    cases.sort(key=lambda case: case.cost)
    if not cases[0].lists[0]:
        return ()
    groups = _grouped([case for case in cases if case.lists[0]])
    best = cases[0].cost
    weights = [exp(best - group[0].cost) for group in groups]
    innocent = sum(exp(best - case.cost) for case in cases if not case.lists[0])
    whole = sum(weights) + innocent + exp(min(0.0, best - _UNNAMED))
    told = zip(groups[:_MOST_TOLD], weights, strict=False)
    return tuple(_told(evidence, group, _alike(group, groups), weight / whole) for group, weight in told)


def _case(evidence: Evidence, policy: Watched, flow: Flow | None, found: Hypothesis) -> _Case:
    readings = behaviour(evidence, policy, flow, found)
    marks_off = _marks_off(evidence, found)
    cost = found.cost + _BEHAVIOUR_FAULT * len(readings[0]) + marks_off
    obliged = _obliged(evidence, policy, flow, found, readings)
    return _Case(found, readings, obliged, cost, found.off + marks_off)


def _marks_off(evidence: Evidence, found: Hypothesis) -> float:
    """Return how badly the marks that were laid contradict that a pit was taken without a claim, in nats."""
    odd = {one.pit for one in found.infractions if one.fault is Fault.CAPTURED_ODD}
    claimed = claim_without_right(evidence.before, found.way) is not None
    return _MARK_OFF if claimed and not odd.isdisjoint(evidence.marks or ()) else 0.0


def _obliged(
    evidence: Evidence, policy: Watched, flow: Flow | None, found: Hypothesis, readings: Readings
) -> Sowing | None:
    """Return the sowing that was due: that of the pit touched first, where touching obliges (1.3.4)."""
    before = evidence.before
    for one in readings[0]:
        if one.fault is Fault.TOUCH_MOVE_BROKEN and one.pit is not None:
            return apply(before, number_of(one.pit))
    if not policy.touch_move or flow is None:
        return found.due
    for one in found.infractions:
        first = one.pit if one.fault is Fault.STONE_FROM_OTHER_PIT else None
        if first is not None and first == flow.opening and before.pits[first] == one.stones:
            return apply(before, number_of(first))  # all of a pit, taken up before the other
    return found.due


def _grouped(cases: Sequence[_Case]) -> list[list[_Case]]:
    """Return the cases that leave the same evidence and have the same move due together, best first."""
    groups: dict[tuple[int | None, float], list[_Case]] = {}
    for case in cases:
        lists = case.lists
        key = (None if case.due is None else case.due.number, round(case.off, 3))
        group = groups.setdefault(key, [])
        if not group or (len(lists[0]) == len(group[0].lists[0]) and case.cost - group[0].cost <= _ALIKE):
            group.append(case)
    return list(groups.values())


def _alike(group: Sequence[_Case], groups: Sequence[Sequence[_Case]]) -> list[tuple[Infraction, ...]]:
    """Return the lists of faults that nothing seen tells apart, those with the same move due first."""
    best = group[0]
    others = (other for other in groups if other is not group and abs(other[0].off - best.off) < _SAME_OFF)
    near = [
        case
        for case in (*group, *chain.from_iterable(others))
        if len(case.lists[0]) == len(best.lists[0]) and abs(case.cost - best.cost) <= _ALIKE
    ]
    return list(dict.fromkeys(one for case in near for one in case.lists))


def _told(
    evidence: Evidence, group: Sequence[_Case], lists: Sequence[tuple[Infraction, ...]], confidence: float
) -> Diagnosis:
    best = group[0]
    board = best.found.board
    in_hand = sum(evidence.in_hand or (0, 0))
    to_before = carries(board, board_of(evidence.before), in_hand)
    to_due = to_before if best.due is None else carries(board, board_of(best.due.after), in_hand)
    return Diagnosis(lists[0], tuple(lists[1:]), best.due, confidence, to_before, to_due)


def _after_end(evidence: Evidence, flow: Flow | None) -> tuple[Diagnosis, ...]:
    """Return what was done to the stones of a game that was over; the winner's sweep is no fault (1.5.1)."""
    found = explain(evidence, flow, [way for way in turn_ways(evidence) if not way.path])
    if not found[0].infractions:
        return ()
    start = None if flow is None else flow.opening
    side = evidence.before.to_move if start is None or start >= OUTSIDE - 2 else side_of(start)
    said = Infraction(Fault.MOVED_AFTER_END, side, start)
    board = found[0].board
    back = carries(board, board_of(evidence.before), sum(evidence.in_hand or (0, 0)))
    return (Diagnosis((said,), (), None, 0.9, back, back),)
