"""The ways stones can have been sown from a position: as they should, and every wrong way that has a name.

A `Way` is a sowing without its end: stones lie where they fell, those of a tuzdyk are in its owner's kazan,
and nothing has been captured. What was taken then is for `rules.infractions.takings`.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from functools import lru_cache

from rules.infractions.evidence import KAZANS, kazan_of
from rules.infractions.kinds import Fault, Infraction
from rules.position import Position, Side, Sowing, apply, board_of, legal_moves, pit_index, stones_won

OUTSIDE = 20
"""The place of stones that are on no place of the board; last of the twenty-one that are reckoned with."""

PITS = KAZANS

_MOST_SHORT = 3
"""Stones that are kept, banked or dropped together at the end of a sowing; more were not sown at all."""

_MOST_ALONG = 2
"""Stones of another pit that are sown along: more would be seen by the player himself."""

_KEPT_POSITIONS = 8
"""Positions whose ways are remembered: a board is asked about again and again while stones are put right."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Way:
    """How stones were sown, up to the last stone.

    Attributes:
        side: Who sowed; captures are his.
        infraction: What was wrong with it; None: nothing.
        lifted: Places that were taken up from before the first stone fell, each with its stones.
        path: The place of each stone, in order; the owner's kazan where it fell into a tuzdyk.
        last: The pit where the last stone fell; None: nothing was sown, or it ended in a kazan.
        board: Stones on the twenty places and outside.
        due: The sowing that was due; None: none of this pit.
        won: Stones that the rules give to `side` in the last pit, as the stones lie.
        exact: The stones were laid out as they should, so that what is taken can be a fault of its own.
        delivered: Stones that this way brought into [bastaushy's, qostaushy's] kazan through a tuzdyk.
        moved: Stones carried from place to place besides, such as the capture of a move before this one.
        cost: How improbable it is, in nats.
        also: What else was wrong with it.
    """

    side: Side
    board: tuple[int, ...]
    infraction: Infraction | None = None
    lifted: tuple[tuple[int, int], ...] = ()
    path: tuple[int, ...] = ()
    last: int | None = None
    due: Sowing | None = None
    won: int = 0
    exact: bool = False
    delivered: tuple[int, int] = (0, 0)
    moved: tuple[tuple[int, int, int], ...] = ()
    cost: float = 0.0
    also: tuple[Infraction, ...] = ()


def tuzdyk_of(side: Side, tuzdyks: tuple[int | None, int | None]) -> int | None:
    """Return the pit of index 0..17 that is a player's tuzdyk; None: he has none."""
    number = tuzdyks[side.index]
    return None if number is None else pit_index(side.opponent, number)


@lru_cache(_KEPT_POSITIONS)
def ways(position: Position) -> tuple[Way, ...]:
    """Return all ways with a name to sow from a position, none of them two faults in one."""
    return tuple(_ways(position))


def _ways(position: Position) -> Iterator[Way]:
    table = Table(position)
    for number in legal_moves(position):
        due = apply(position, number)
        yield from _of_pit(table, due)
        yield from _of_two(table, due)
        yield from _twice(table, due)
    turned = replace(position, to_move=position.to_move.opponent)
    others = Table(turned)
    for number in legal_moves(turned):
        yield from _of_opponent(table, others, apply(turned, number))


class Table:
    """A position with what a sowing from it needs again and again."""

    def __init__(self, position: Position) -> None:
        self.position = position
        self.board = (*board_of(position), 0)
        self.home = list(range(OUTSIDE + 1))
        for side in Side:
            won = tuzdyk_of(side, position.tuzdyks)
            if won is not None:
                self.home[won] = kazan_of(side)

    def way(
        self,
        infraction: Infraction | None,
        lifted: tuple[tuple[int, int], ...],
        places: tuple[int, ...],
        due: Sowing | None,
        *,
        exact: bool = False,
        cost: float = 3.0,
    ) -> Way:
        """Return the way on which stones were lifted and laid on these places, in order.

        A stone that falls into a tuzdyk is banked; it is left lying where the place is written `~place`.
        """
        side = self.position.to_move
        board = list(self.board)
        for place, stones in lifted:
            board[place] -= stones
        path = tuple([self.home[place] if place >= 0 else ~place for place in places])
        for place in path:
            board[place] += 1
        board[OUTSIDE] += sum(stones for _, stones in lifted) - len(path)
        last = places[-1] if places else KAZANS
        last = ~last if last < 0 else last
        pit = last < KAZANS and self.home[last] == last
        won = stones_won(board[last], last, side.index, self.position.tuzdyks) if pit else 0
        delivered = [0, 0]
        for place, home in zip(places, path, strict=True):
            if home >= KAZANS > place:
                delivered[home - KAZANS] += 1
        return Way(
            side=side,
            board=tuple(board),
            infraction=infraction,
            lifted=lifted,
            path=path,
            last=last if last < KAZANS else None,
            due=due,
            won=won,
            exact=exact,
            delivered=(delivered[0], delivered[1]),
            cost=cost,
        )


def _next(place: int, steps: int = 1) -> int:
    return (place + steps) % PITS


def _of_pit(table: Table, due: Sowing) -> Iterator[Way]:
    """Yield the ways to sow one pit: as it should be, and wrongly."""
    origin = pit_index(due.side, due.number)
    lifted = ((origin, due.stones),)
    yield table.way(None, lifted, due.path, due, exact=True, cost=0.0)
    misplayed = _single(table, due) if due.stones == 1 else (*_along(table, due), *_ways_round(due))
    for infraction, places, cost in misplayed:
        yield table.way(infraction, lifted, places, due, cost=cost)
    for infraction, places, cost in _ends(due):
        yield table.way(infraction, lifted, places, due, cost=cost)
    yield from _parts(table, due, origin)


_Misplayed = tuple[Infraction, tuple[int, ...], float]


def _single(table: Table, due: Sowing) -> Iterator[_Misplayed]:
    """Yield where a single stone can have gone instead of into the next pit (1.3.3)."""
    target = due.path[0]
    back, past = _next(target, -2), _next(target)
    yield Infraction(Fault.WRONG_WAY, due.side, back), (back,), 3.0
    said = Infraction(Fault.STONE_IN_NEIGHBOUR, due.side, past, 1, (target,))
    yield said, (past,), 3.3
    if table.home[past] != past:
        yield said, (~past,), 3.5
    for steps, cost in ((1, 2.9), (2, 3.2), (3, 3.5), (-2, 3.1), (-3, 3.5)):
        place = _next(target, steps)
        said = Infraction(Fault.SINGLE_MISMOVED, due.side, place, 1, (target,))
        yield said, (place,), cost
        if table.home[place] != place:
            yield said, (~place,), cost + 0.2


def _along(table: Table, due: Sowing) -> Iterator[_Misplayed]:
    """Yield: a pit passed over, a pit served twice, a stone in the pit beside."""
    path = due.path
    side = due.side
    for nth, place in enumerate(path):
        if nth:
            skipped = (*path[:nth], *(_next(index) for index in path[nth:]))
            yield Infraction(Fault.STONE_SKIPPED, side, place), skipped, 3.0
        if nth < len(path) - 1:
            doubled = (*path[: nth + 1], *path[nth:-1])
            yield Infraction(Fault.TWO_IN_ONE, side, place, 2), doubled, 3.0
        for steps in (1, -1):
            beside = _next(place, steps)
            said = Infraction(Fault.STONE_IN_NEIGHBOUR, side, beside, 1, (place,))
            yield said, (*path[:nth], beside, *path[nth + 1 :]), 3.3
            if table.home[beside] != beside:
                yield said, (*path[:nth], ~beside, *path[nth + 1 :]), 3.5


def _ends(due: Sowing) -> Iterator[_Misplayed]:
    """Yield: the last stones kept, banked, dropped together, or laid past the end."""
    path = due.path
    side = due.side
    for short in range(1, min(_MOST_SHORT, len(path)) + 1):
        said = Infraction(Fault.SOWN_SHORT, side, path[-short], short)
        cost = 2.6 + 0.3 * short
        yield said, path[:-short], cost
        yield said, (*path[:-short], *(kazan_of(side),) * short), cost + 0.3
        if short < len(path):
            yield said, (*path[:-short], *(path[-short - 1],) * short), cost + 0.2
    for past in range(1, _MOST_SHORT + 1):
        place = _next(path[-1], past)
        said = Infraction(Fault.SOWN_PAST_END, side, place, 1, (path[-1],))
        yield said, (*path[:-1], place), 2.6 + 0.3 * past


def _ways_round(due: Sowing) -> Iterator[_Misplayed]:
    """Yield: sown clockwise, and sown from the next pit on."""
    first = due.path[0]
    for start in (0, 1):
        places = tuple(_next(first, -start - nth) for nth in range(due.stones))
        yield Infraction(Fault.WRONG_WAY, due.side, first), places, 3.0 + 0.3 * start
    places = tuple(_next(place) for place in due.path)
    yield Infraction(Fault.FIRST_NOT_LEFT, due.side, first), places, 2.9


def _parts(table: Table, due: Sowing, origin: int) -> Iterator[Way]:
    """Yield: only some stones of the pit sown, beginning there or in the next pit."""
    for taken in range(1, due.stones):
        said = Infraction(Fault.PART_TAKEN, due.side, origin, taken)
        lifted = ((origin, taken),)
        cost = 3.1 + 0.02 * (due.stones - taken)
        for start in (0, 1):
            # All but one sown from the next pit on is the move itself; one alone put back is no sowing.
            if (start, taken) in ((1, due.stones - 1), (0, 1)):
                continue
            places = tuple(_next(origin, start + nth) for nth in range(taken))
            yield table.way(said, lifted, places, due, cost=cost + 0.1 * start)


def _of_two(table: Table, due: Sowing) -> Iterator[Way]:
    """Yield: another pit of the own row sown along, as a whole or some of its stones."""
    origin = pit_index(due.side, due.number)
    for number in range(1, 10):
        other = pit_index(due.side, number)
        stones = table.board[other]
        if other == origin or not stones:
            continue
        said = Infraction(Fault.TWO_PITS_SOWN, due.side, other, stones, (origin,))
        lifted = ((origin, due.stones), (other, stones))
        for start, cost in ((origin, 3.0), (_next(origin), 3.4), (other, 3.2), (_next(other), 3.4)):
            places = tuple(_next(start, nth) for nth in range(due.stones + stones))
            yield table.way(said, lifted, places, due, cost=cost)
        for along in range(1, min(_MOST_ALONG, stones) + 1):
            said = Infraction(Fault.STONE_FROM_OTHER_PIT, due.side, other, along, (origin,))
            lifted = ((origin, due.stones), (other, along))
            past = tuple(_next(due.path[-1], nth) for nth in range(1, along + 1))
            # Where it is all of a pit, two pits were sown; but the one is due from which the sowing began.
            cost = 2.6 + 0.3 * along + (0.25 if along == stones else 0.0)
            yield table.way(said, lifted, (*due.path, *past), due, cost=cost)


def _twice(table: Table, due: Sowing) -> Iterator[Way]:
    """Yield: a second move after the due one, in the same turn."""
    again = replace(due.after, to_move=due.side)
    for number in legal_moves(again):
        second = apply(again, number)
        said = Infraction(
            Fault.MOVED_TWICE,
            due.side,
            pit_index(due.side, number),
            second.stones,
            (pit_index(due.side, due.number),),
        )
        yield followed(table, due, Table(again), second, said, cost=4.0)


def followed(
    table: Table, due: Sowing, again: Table, second: Sowing, said: Infraction, *, cost: float
) -> Way:
    """Return the way of a whole move and the sowing of another one, from the board that the first leaves."""
    first = table.way(None, ((pit_index(due.side, due.number), due.stones),), due.path, due)
    origin = pit_index(second.side, second.number)
    way = again.way(said, ((origin, second.stones),), second.path, due, exact=True, cost=cost)
    moved = ((due.last_index, kazan_of(due.side), due.captured),) if due.captured else ()
    delivered = (way.delivered[0] + first.delivered[0], way.delivered[1] + first.delivered[1])
    return replace(
        way,
        lifted=(*first.lifted, *way.lifted),
        path=(*first.path, *way.path),
        delivered=delivered,
        moved=moved,
    )


def _of_opponent(table: Table, others: Table, sowing: Sowing) -> Iterator[Way]:
    """Yield: a pit of the other row sown, by the player to move or by its owner."""
    origin = pit_index(sowing.side, sowing.number)
    lifted = ((origin, sowing.stones),)
    mover = table.position.to_move
    said = Infraction(Fault.OPPONENTS_PIT, mover, origin, sowing.stones)
    yield table.way(said, lifted, sowing.path, None, cost=3.2)
    said = Infraction(Fault.OUT_OF_TURN, sowing.side, origin, sowing.stones)
    yield others.way(said, lifted, sowing.path, None, exact=True, cost=3.0)
