"""Faults of the sowing, committed: each plays a turn at a table."""

from rules import Sowing, outcome
from rules.infractions.evidence import Hand, kazan_of
from rules.position import pit_index
from tests.rules.infractions.hands_at_play import (
    Played,
    Table,
    any_sowing,
    misplay,
    need,
    nxt,
    other_pit,
    turned,
)


def skipped(table: Table, due: Sowing) -> Played:
    """Pass over a pit on the way."""
    need(due.stones > 2)
    nth = table.rng.randrange(1, due.stones - 1)
    misplay(table, due, (*due.path[:nth], *(nxt(place) for place in due.path[nth:])))
    return due.path[nth], due


def two_in_one(table: Table, due: Sowing) -> Played:
    """Serve a pit on the way twice."""
    need(due.stones > 2)
    nth = table.rng.randrange(due.stones - 1)
    misplay(table, due, (*due.path[: nth + 1], *due.path[nth:-1]))
    return due.path[nth], due


def neighbour(table: Table, due: Sowing) -> Played:
    """Lay one stone into the pit beside its own."""
    need(due.stones > 1)
    nth = table.rng.randrange(due.stones)
    beside = nxt(due.path[nth], table.rng.choice((1, -1)))
    misplay(table, due, (*due.path[:nth], beside, *due.path[nth + 1 :]))
    return beside, due


def wrong_way(table: Table, due: Sowing) -> Played:
    """Sow clockwise."""
    start = due.path[0] if due.stones > 1 else nxt(due.path[0], -2)
    misplay(table, due, tuple(nxt(start, -nth) for nth in range(due.stones)))
    return None, due


def first_not_left(table: Table, due: Sowing) -> Played:
    """Sow from the next pit on."""
    need(due.stones > 1)
    misplay(table, due, tuple(nxt(place) for place in due.path))
    return due.path[0], due


def single(table: Table, due: Sowing) -> Played:
    """Move a single stone elsewhere than into the next pit."""
    need(due.stones == 1)
    place = nxt(due.path[0], table.rng.choice((1, 2, -2)))
    misplay(table, due, (place,))
    return place, due


def short(table: Table, due: Sowing) -> Played:
    """Keep, bank or drop together the last stones."""
    need(due.stones > 2)
    left = table.rng.randint(1, min(2, due.stones - 2))
    table.lift(due)
    table.sow(due.path[:-left])
    table.first_left()
    sort = table.rng.randrange(3)
    if sort == 0:
        table.in_hand[due.side.index] = left
    elif sort == 1:
        table.down(kazan_of(due.side), left)
    else:
        need(table.home(due.path[-left - 1]) == due.path[-left - 1])
        table.down(due.path[-left - 1], left)
    return None, due


def past(table: Table, due: Sowing) -> Played:
    """Lay the last stone too far."""
    place = nxt(due.last_index, table.rng.choice((1, 1, 2)))
    misplay(table, due, (*due.path[:-1], place))
    return place, due


def two_pits(table: Table, due: Sowing) -> Played:
    """Sow two pits as one."""
    other = other_pit(table, due)
    table.lift(due)
    along = table.stones[other]
    # A single stone sown along is another fault.
    need(min(along, due.stones) > 1)
    table.up(Hand.LIFT, other, along)
    start = table.rng.choice((pit_index(due.side, due.number), other))
    places = tuple(nxt(start, nth) for nth in range(due.stones + along))
    table.sow(places)
    table.take(places[-1])
    return other, due


def from_other_pit(table: Table, due: Sowing) -> Played:
    """Sow a stone of another pit along."""
    other = other_pit(table, due)
    need(table.stones[other] > 1)
    table.up(Hand.LIFT, other, 1)
    table.lift(due)
    places = (*due.path, nxt(due.last_index))
    table.sow(places)
    if table.rng.random() < 0.5:
        table.take(places[-1])
    return other, due


def part(table: Table, due: Sowing) -> Played:
    """Sow only some stones of a pit."""
    need(due.stones > 2)
    taken = table.rng.randint(2, due.stones - 1)
    origin = pit_index(due.side, due.number)
    start = table.rng.randrange(2)
    need(start == 0 or taken < due.stones - 1)
    table.up(Hand.LIFT, origin, taken)
    places = tuple(nxt(origin, start + nth) for nth in range(taken))
    table.sow(places)
    table.take(places[-1])
    return origin, due


def opponents_pit(table: Table, due: Sowing) -> Played:
    """Sow a pit of the other row."""
    sowing = any_sowing(table, turned(table.before))
    table.lift(sowing)
    table.sow(sowing.path)
    table.take(sowing.last_index, due.side)
    return pit_index(sowing.side, sowing.number), None


def out_of_turn(table: Table, _due: Sowing) -> Played:
    """Let the player move whose turn it is not."""
    sowing = any_sowing(table, turned(table.before))
    table.play(sowing)
    table.presses = (sowing.side,)
    return pit_index(sowing.side, sowing.number), None


def twice(table: Table, due: Sowing) -> Played:
    """Move twice."""
    need(outcome(due.after) is None)
    table.play(due)
    table.marks.clear()
    second = any_sowing(table, turned(due.after))
    table.lift(second)
    table.sow(second.path)
    if second.captured:
        table.carry(second.last_index, kazan_of(second.side), second.captured)
    return pit_index(second.side, second.number), due
