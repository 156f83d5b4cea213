"""Faults of stones, hands and clock, committed: each plays a turn at a table."""

from rules import Side, Sowing, apply, outcome
from rules.infractions.evidence import Hand, kazan_of
from rules.position import number_of, pit_index, side_of
from tests.rules.infractions.hands_at_play import OUT, Played, Table, any_sowing, need, nxt, other_pit


def some_pit(table: Table) -> int:
    """Return any pit with stones."""
    pits = [pit for pit in range(18) if table.stones[pit]]
    need(pits)
    return table.rng.choice(pits)


def kazan_added(table: Table, due: Sowing) -> Played:
    """Put stones of some pit into the own kazan."""
    table.play(due)
    pit = some_pit(table)
    table.carry(pit, kazan_of(due.side), table.rng.randint(1, min(3, table.stones[pit])))
    return pit, due


def kazan_taken(table: Table, due: Sowing) -> Played:
    """Take stones out of a kazan."""
    table.play(due)
    kazan = table.rng.choice((18, 19))
    target = table.rng.choice((OUT, some_pit(table)))
    stones = table.rng.randint(1, 2)
    table.carry(kazan, target, stones)
    return kazan, due


def kazan_shifted(table: Table, due: Sowing) -> Played:
    """Carry stones from one kazan to the other."""
    table.play(due)
    kazan = table.rng.choice((18, 19))
    table.carry(kazan, 37 - kazan, table.rng.randint(1, 6))
    return kazan, due


def swept(table: Table, due: Sowing) -> Played:
    """Gather the whole board."""
    need(outcome(due.after) is None and sum(due.after.pits) < 60)
    table.play(due)
    side = table.rng.choice(tuple(Side))
    for pit in range(18):
        if table.stones[pit]:
            table.carry(pit, kazan_of(side), table.stones[pit])
    return kazan_of(side), due


def displaced(table: Table, due: Sowing) -> Played:
    """Push a stone from pit to pit."""
    table.play(due)
    pit = some_pit(table)
    target = nxt(pit, table.rng.choice((1, -1, 2)))
    need(table.home(target) == target)
    table.carry(pit, target, 1)
    return pit, due


def lost(table: Table, due: Sowing) -> Played:
    """Lose stones of some pit."""
    first = table.rng.random() < 0.5
    pit = some_pit(table)
    if first:
        need(pit != pit_index(due.side, due.number))
        table.carry(pit, OUT, 1)
    table.play(due)
    if not first:
        pit = some_pit(table)
        table.carry(pit, OUT, table.rng.randint(1, min(2, table.stones[pit])))
    need(not first or not due.captured or due.last_index != pit)
    return pit, due


def foreign(table: Table, due: Sowing) -> Played:
    """Lay something on the board."""
    table.play(due)
    pit = table.rng.randrange(18)
    need(table.home(pit) == pit)
    table.down(pit, table.rng.randint(1, 2))
    return pit, due


def touch_move(table: Table, due: Sowing) -> Played:
    """Lift one pit, put it back and play another."""
    other = other_pit(table, due)
    stones = table.stones[other]
    table.up(Hand.LIFT, other, stones)
    table.down(other, stones)
    touched = apply(table.before, number_of(other))
    rest = table.strokes
    table.strokes = []
    table.play(due)
    table.strokes = rest + table.strokes
    return other, touched


def put_back(table: Table, due: Sowing, row: Side) -> int:
    """Take a stone up from a pit that the move leaves alone, lay it back and move; return the pit."""
    busy = {pit_index(due.side, due.number), *due.path, due.last_index}
    still = [pit for pit in range(18) if pit not in busy and table.home(pit) == pit]
    pits = [pit for pit in still if side_of(pit) is row and table.stones[pit] > 2]
    need(pits)
    pit = table.rng.choice(pits)
    table.carry(pit, pit, 1)
    table.play(due)
    return pit


def by_hand(table: Table, due: Sowing) -> Played:
    """Touch an own pit."""
    return put_back(table, due, due.side), due


def adjusted_out_of_turn(table: Table, due: Sowing) -> Played:
    """Touch a pit of the other row."""
    return put_back(table, due, due.side.opponent), due


def no_move(_table: Table, _due: Sowing) -> Played:
    """Press and do nothing else."""
    return None, None


def for_the_other(table: Table, due: Sowing) -> Played:
    """Let the other player press."""
    table.play(due)
    table.presses = (due.side.opponent,)
    return None, due


def both(table: Table, due: Sowing) -> Played:
    """Let both players press."""
    table.play(due)
    table.presses = (due.side.opponent, due.side)
    return None, due


def before_press(table: Table, due: Sowing) -> Played:
    """Let the opponent begin before the press."""
    need(outcome(due.after) is None)
    table.play(due)
    table.early = due.side.opponent
    if table.rng.random() < 0.5:
        reply = any_sowing(table, due.after)
        lifted = reply.stones - table.rng.randrange(2)
        origin = pit_index(reply.side, reply.number)
        table.up(Hand.LIFT, origin, lifted)
        table.in_hand[reply.side.index] = lifted
    return None, due


def in_hand(table: Table, due: Sowing) -> Played:
    """Press before all stones are laid."""
    table.play(due)
    table.in_hand[due.side.index] = table.rng.randint(1, 3)
    return None, due
