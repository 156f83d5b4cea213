"""Faults of captures and tuzdyks, committed: each plays a turn at a table."""

from collections.abc import Callable

from rules import Sowing
from rules.infractions.evidence import Hand, kazan_of
from rules.position import side_of
from tests.rules.infractions.hands_at_play import OUT, Played, Table, need, nxt


def not_taken(table: Table, due: Sowing) -> Played:
    """Leave what was won."""
    need(due.captured and due.tuzdyk is None)
    table.lift(due)
    table.sow(due.path)
    table.first_left()
    return due.last_index, due


def not_claimed(table: Table, due: Sowing) -> Played:
    """Leave the three stones of a tuzdyk."""
    need(due.tuzdyk is not None)
    table.lift(due)
    table.sow(due.path)
    table.first_left()
    return due.last_index, due


def last_pit(table: Table, due: Sowing) -> int:
    """Sow as due and return the last pit, which is no tuzdyk."""
    table.lift(due)
    table.sow(due.path)
    table.first_left()
    need(table.home(due.last_index) == due.last_index)
    return due.last_index


def odd(table: Table, due: Sowing) -> Played:
    """Take an odd pit."""
    last = last_pit(table, due)
    need(not due.captured and side_of(last) is not due.side and table.stones[last] != 3)
    table.carry(last, kazan_of(due.side), table.stones[last])
    return last, due


def own_side(table: Table, due: Sowing) -> Played:
    """Take the last pit in the own row."""
    last = last_pit(table, due)
    need(side_of(last) is due.side)
    table.carry(last, kazan_of(due.side), table.stones[last])
    return last, due


def wrong_pit(table: Table, due: Sowing) -> Played:
    """Take a pit near the last one."""
    last_pit(table, due)
    pit = nxt(due.last_index, table.rng.choice((-2, -1, 1, 2)))
    need(table.stones[pit] and side_of(pit) is not due.side)
    table.carry(pit, kazan_of(due.side), table.stones[pit])
    return pit, due


def too_few(table: Table, due: Sowing) -> Played:
    """Take only a part of what was won."""
    need(due.captured > 1)
    last = last_pit(table, due)
    table.carry(last, kazan_of(due.side), table.rng.randint(1, due.captured - 1))
    return last, due


def too_many(table: Table, due: Sowing) -> Played:
    """Take stones of the pit beside along."""
    need(due.captured)
    last = last_pit(table, due)
    beside = nxt(last, table.rng.choice((1, -1)))
    more = table.rng.randint(1, 2)
    table.up(Hand.TAKE, last, due.captured)
    table.up(Hand.TAKE, beside, more)
    table.down(kazan_of(due.side), due.captured + more)
    if due.tuzdyk is not None:
        table.marks.append(last)
    return beside, due


def to_opponent(table: Table, due: Sowing) -> Played:
    """Bank what was won in the other kazan."""
    need(due.captured)
    last = last_pit(table, due)
    table.carry(last, kazan_of(due.side.opponent), due.captured)
    return last, due


def capture_kept(table: Table, due: Sowing) -> Played:
    """Keep in hand what was won."""
    need(due.captured)
    last = last_pit(table, due)
    table.carry(last, OUT, due.captured)
    table.in_hand[due.side.index] = due.captured
    return last, due


def claimed(condition: Callable[[Table, Sowing], bool]) -> Callable[[Table, Sowing], Played]:
    """Return: three stones taken with a mark, where this forbids it."""

    def inject(table: Table, due: Sowing) -> Played:
        last = last_pit(table, due)
        need(side_of(last) is not due.side and table.stones[last] == 3 and not due.captured)
        need(condition(table, due))
        table.carry(last, kazan_of(due.side), 3)
        if table.rng.random() < 0.7:
            table.marks.append(last)
        return last, due

    return inject


def has_tuzdyk(table: Table, due: Sowing) -> bool:
    """Return whether the player has a tuzdyk."""
    return table.before.tuzdyks[due.side.index] is not None


def not_marked(table: Table, due: Sowing) -> Played:
    """Win a tuzdyk and lay no mark."""
    need(due.tuzdyk is not None)
    table.play(due)
    table.marks.clear()
    return due.last_index, due


def mark_wrong(table: Table, due: Sowing) -> Played:
    """Lay a mark on a pit that is no tuzdyk."""
    table.play(due)
    pit = table.rng.choice([pit for pit in range(18) if table.home(pit) == pit and pit != due.last_index])
    table.marks.append(pit)
    return pit, due


def through_tuzdyk(table: Table, due: Sowing, target: int | None) -> int:
    """Sow as due, but one stone of a tuzdyk goes elsewhere; None: it is left lying there."""
    falls = [nth for nth, index in enumerate(due.path) if table.home(index) != index]
    need(falls)
    table.lift(due)
    chosen = table.rng.choice(falls)
    tuzdyk = due.path[chosen]
    for nth, index in enumerate(due.path):
        if nth != chosen:
            table.lay(index)
        elif target is None:
            table.down(index)
        elif target == OUT:
            continue
        else:
            table.down(18 + 19 - table.home(index))
    table.first_left()
    if due.captured:
        table.carry(due.last_index, kazan_of(due.side), due.captured)
    if due.tuzdyk is not None:
        table.marks.append(due.last_index)
    return tuzdyk


def tuzdyk_left(table: Table, due: Sowing) -> Played:
    """Leave a stone in a tuzdyk."""
    through_tuzdyk(table, due, None)
    return None, due


def tuzdyk_wrong_kazan(table: Table, due: Sowing) -> Played:
    """Bank a stone of a tuzdyk in the other kazan."""
    through_tuzdyk(table, due, 0)
    return None, due


def tuzdyk_kept(table: Table, due: Sowing) -> Played:
    """Keep a stone of a tuzdyk in hand."""
    through_tuzdyk(table, due, OUT)
    table.in_hand[due.side.index] = 1
    return None, due
