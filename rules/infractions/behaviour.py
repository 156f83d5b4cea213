"""Faults that leave the stones right: of the clock, of hands that touched, of a tuzdyk's mark."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import groupby

from rules.infractions.evidence import KAZANS, Evidence, Watched
from rules.infractions.hands import Flow
from rules.infractions.hypotheses import Hypothesis
from rules.infractions.kinds import Fault, Infraction
from rules.infractions.takings import claim_without_right
from rules.infractions.ways import tuzdyk_of
from rules.position import Side, side_of

Readings = tuple[tuple[Infraction, ...], ...]
"""Lists of faults that leave the same evidence, the likeliest first; one empty list: there is no fault."""


def behaviour(evidence: Evidence, policy: Watched, flow: Flow | None, found: Hypothesis) -> Readings:
    """Return the faults besides those of the stones, if the stones were played as `found` has it."""
    said = [*_marks(evidence, found), *_presses(evidence, found), *_hands_at_press(evidence, policy, found)]
    if policy.touch_move:
        said += _touch_move(evidence, flow, found)
    adjusted = _adjusted(evidence.before.to_move, policy, _put_back(evidence, flow, found))
    return tuple((*said, *one) for one in adjusted)


def mover_of(evidence: Evidence, found: Hypothesis) -> Side | None:
    """Return who moved, if the stones were played so; None: nobody."""
    way = found.way
    if not way.lifted:
        return None
    if way.infraction is not None and way.infraction.fault is Fault.OUT_OF_TURN:
        return way.side
    return evidence.before.to_move


def _presses(evidence: Evidence, found: Hypothesis) -> Iterator[Infraction]:
    """Yield what is wrong with who has pressed (2.7.7, 2.7.9)."""
    presses = tuple(side for side, _ in groupby(evidence.presses))
    if not presses:
        return
    mover = mover_of(evidence, found)
    first = presses[0]
    if mover is None and len(presses) == 1:
        in_turn = first is evidence.before.to_move
        fault = Fault.PRESSED_WITHOUT_MOVE if in_turn else Fault.PRESSED_OUT_OF_TURN
        yield Infraction(fault, first)
    elif mover is None or (len(presses) > 1 and first is not mover):
        yield Infraction(Fault.BOTH_PRESSED, first)
    elif len(presses) > 1:
        yield Infraction(Fault.PRESSED_WITHOUT_MOVE, presses[1])
    elif first is not mover:
        yield Infraction(Fault.PRESSED_OUT_OF_TURN, first)


def _hands_at_press(evidence: Evidence, policy: Watched, found: Hypothesis) -> Iterator[Infraction]:
    """Yield: stones laid down after the press, and a move that began before the other's press."""
    held_long = evidence.in_hand_us is None or evidence.in_hand_us > policy.grace_us
    complete = sum(found.board) == sum(evidence.before.pits) + sum(evidence.before.kazans)
    if evidence.presses and evidence.in_hand is not None and held_long and complete:
        for side, stones in zip(Side, evidence.in_hand, strict=True):
            if stones:
                yield Infraction(Fault.STONES_IN_HAND, side, stones=stones)
    named = found.way.infraction is not None and found.way.infraction.fault is Fault.MOVED_BEFORE_PRESS
    if evidence.early is not None and not named:
        yield Infraction(Fault.MOVED_BEFORE_PRESS, evidence.early)


def _touch_move(evidence: Evidence, flow: Flow | None, found: Hypothesis) -> Iterator[Infraction]:
    """Yield: a whole pit was lifted and put back, and another one played (1.3.4).

    A stone that is relaid in the course of a sowing is no pit that was touched.
    """
    mover = evidence.before.to_move
    lifted = {place for place, _ in found.way.lifted}
    if flow is None or not lifted or mover_of(evidence, found) is not mover:
        return
    for place in dict(flow.returned):
        if place in flow.touched and _whole(evidence, flow, place) and place not in lifted:
            stones = evidence.before.pits[place]
            yield Infraction(Fault.TOUCH_MOVE_BROKEN, mover, place, stones, tuple(sorted(lifted)))
            return


def _whole(evidence: Evidence, flow: Flow, place: int) -> bool:
    """Return whether a whole pit of the player to move was lifted, but for the stone left lying."""
    if place >= KAZANS or side_of(place) is not evidence.before.to_move:
        return False
    stones = evidence.before.pits[place]
    return stones > 0 and dict(flow.returned)[place] >= max(1, stones - 1)


def _put_back(evidence: Evidence, flow: Flow | None, found: Hypothesis) -> set[int]:
    """Return the pits from which stones were taken and put back as they were, whole pits of one's own not.

    What was sown, captured or lifted there anyway is no putting right, nor is what passed through a tuzdyk.
    """
    if flow is None:
        return set()
    way = found.way
    busy = {way.last, *way.path, *(place for place, _ in way.lifted)}
    busy |= {tuzdyk_of(side, evidence.before.tuzdyks) for side in Side}
    return {place for place, _ in flow.returned if place not in busy and not _whole(evidence, flow, place)}


def _adjusted(mover: Side, policy: Watched, put_back: set[int]) -> list[tuple[Infraction, ...]]:
    """Return the readings of places that were touched and hold what they held, whosever hand it was."""
    places = sorted(place for place in put_back if place < KAZANS)
    if not places:
        return [()]
    by_hand = Infraction(Fault.ADJUSTED_BY_HAND, mover, places[0], None, tuple(places[1:]))
    other = Infraction(Fault.ADJUSTED_OUT_OF_TURN, mover.opponent, places[0], None, tuple(places[1:]))
    readings: list[tuple[Infraction, ...]] = [(by_hand,)] if policy.adjusting else [()]
    others = any(side_of(place) is not mover for place in places)
    return [(other,), *readings] if others else [*readings, (other,)]


def _marks(evidence: Evidence, found: Hypothesis) -> Iterator[Infraction]:
    """Yield: a tuzdyk was won and not marked, and marks where none was won (1.4.1, 1.4.2)."""
    if evidence.marks is None:
        return
    way, due = found.way, found.due
    if (
        due is not None
        and due.tuzdyk is not None
        and not found.infractions
        and way.last not in evidence.marks
    ):
        yield Infraction(Fault.TUZDYK_NOT_MARKED, due.side, way.last)
    allowed = {one.pit for one in found.infractions}
    allowed |= {tuzdyk_of(side, evidence.before.tuzdyks) for side in Side}
    if way.won == 3:
        allowed.add(way.last)
    if due is not None and due.tuzdyk is not None:
        allowed.add(due.last_index)
    for pit in evidence.marks:
        if pit not in allowed:
            claimed = claim_without_right(evidence.before, way) if pit == way.last else None
            yield Infraction(claimed or Fault.TUZDYK_MARK_WRONG, way.side, pit)
