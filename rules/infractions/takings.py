"""What was taken after a sowing, told from the stones that lie elsewhere than the sowing left them.

The difference of a board is twenty-one numbers: stones seen less stones that the way of sowing left, for the
twenty places and for what is outside. They always add up to nothing.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from rules.infractions.evidence import KAZANS, kazan_of
from rules.infractions.kinds import Fault, Infraction
from rules.infractions.ways import OUTSIDE, PITS, Way
from rules.position import Position, number_of, side_of

Moved = tuple[int, int, int]
"""From a place, to a place, so many stones."""

_AFTER_MISTAKE = 0.4
"""Nats for taking nothing where a misplayed sowing ends, or what the right one would have won: one player has
noticed his mistake, the other has reckoned beforehand."""


@dataclass(frozen=True, slots=True)
class Taking:
    """One answer to the question what was taken.

    Attributes:
        infraction: What was wrong with it; None: nothing.
        moved: What was carried where.
        cost: How improbable it is, in nats.
    """

    infraction: Infraction | None
    moved: tuple[Moved, ...]
    cost: float


def takings(position: Position, way: Way, change: Sequence[int]) -> Iterator[Taking]:
    """Yield what may have been taken after a way of sowing; what it leaves open is told as stones displaced.

    Args:
        position: The position before.
        way: How stones were sown.
        change: The difference of the board.
    """
    last = way.last
    if last is None:
        yield Taking(None, (), 0.0)
    else:
        yield from _left_or_won(position, way, last)
        yield from _some(position, way, last, change)
    if way.due is not None and not way.exact and way.board[way.due.last_index] >= way.due.captured > 0:
        moved = ((way.due.last_index, kazan_of(way.side), way.due.captured),)
        yield Taking(None, moved, _AFTER_MISTAKE)
    if way.path:
        yield from _wrong_pit(way, change)


def _left_or_won(position: Position, way: Way, last: int) -> Iterator[Taking]:
    """Yield: what the rules give was taken; nothing was."""
    if not way.won:
        yield Taking(None, (), 0.0)
        return
    yield Taking(None, ((last, kazan_of(way.side), way.won),), 0.0)
    if not way.exact:
        yield Taking(None, (), _AFTER_MISTAKE)
        return
    claims = way.won == 3 and position.tuzdyks[way.side.index] is None
    fault = Fault.TUZDYK_NOT_CLAIMED if claims else Fault.CAPTURE_NOT_TAKEN
    yield Taking(Infraction(fault, way.side, last, way.won), (), 3.0)


def _some(position: Position, way: Way, last: int, change: Sequence[int]) -> Iterator[Taking]:
    """Yield: stones of the last pit were taken where the rules give none, too few of them, or elsewhere."""
    gone = min(-change[last], way.board[last])
    if gone < 1:
        return
    own, other = kazan_of(way.side), kazan_of(way.side.opponent)
    banked = min(gone, change[own])
    if banked > 0:
        moved = ((last, own, banked),)
        if not way.won:
            for fault, cost in _without_right(position, way, last, banked):
                yield Taking(Infraction(fault, way.side, last, banked), moved, cost)
        elif banked < way.won:
            yield Taking(Infraction(Fault.CAPTURED_TOO_FEW, way.side, last, banked), moved, 3.0)
    if way.won and min(gone, change[other]) > 0:
        stones = min(gone, change[other])
        said = Infraction(Fault.CAPTURE_TO_OPPONENT, way.side, last, stones, (other,))
        yield Taking(said, ((last, other, stones),), 3.0)
    if way.won and min(gone, change[OUTSIDE]) > 0:
        stones = min(gone, change[OUTSIDE])
        said = Infraction(Fault.CAPTURE_KEPT, way.side, last, stones)
        rest = min(gone - stones, max(0, change[own]))
        moved = ((last, OUTSIDE, stones), *(((last, own, rest),) if rest else ()))
        yield Taking(said, moved, 3.1 if stones == way.won else 3.5)


def _without_right(position: Position, way: Way, last: int, stones: int) -> Iterator[tuple[Fault, float]]:
    """Yield what it is called to take so many stones of the last pit, which the rules do not give."""
    part = 0.0 if stones == way.board[last] else 0.4
    if side_of(last) is way.side:
        yield Fault.CAPTURED_OWN_SIDE, 3.0 + part
        return
    yield Fault.CAPTURED_ODD, 3.1 + part
    claimed = claim_without_right(position, way)
    if stones == 3 and claimed is not None:
        yield claimed, 3.0


def claim_without_right(position: Position, way: Way) -> Fault | None:
    """Return what it is called to claim a tuzdyk where a sowing ended; None: no three stones lie there."""
    last = way.last
    if last is None or side_of(last) is way.side or way.board[last] != 3 or way.won:
        return None
    if number_of(last) == 9:
        return Fault.TUZDYK_ON_NINE
    if position.tuzdyks[way.side.index] is not None:
        return Fault.TUZDYK_SECOND
    return Fault.TUZDYK_SAME_NUMBER


def _wrong_pit(way: Way, change: Sequence[int]) -> Iterator[Taking]:
    """Yield: a pit was emptied in which the last stone did not fall, and what was won there is left."""
    own = kazan_of(way.side)
    for pit in range(PITS):
        stones = way.board[pit]
        if 0 < stones == -change[pit] <= change[own] and pit != way.last:
            said = Infraction(Fault.CAPTURED_WRONG_PIT, way.side, pit, stones)
            yield Taking(said, ((pit, own, stones),), 3.2)


def left_over(change: Sequence[int], taking: Taking) -> list[int]:
    """Return the difference that is still to be explained after a taking."""
    rest = list(change)
    for source, target, stones in taking.moved:
        rest[source] += stones
        rest[target] -= stones
    return rest


def is_kazan(place: int) -> bool:
    """Return whether a place is one of the two kazans."""
    return KAZANS <= place < OUTSIDE
