"""Hands that offend, as plain values: every fault of `Fault` committed on purpose at a position.

A `Table` holds stones and writes down each stroke, as if the cells told every stone. Each injector plays one
turn wrongly and returns what is to be found; None where the position does not allow the fault.
"""

from __future__ import annotations

import random
from collections.abc import Callable
from dataclasses import dataclass, field

from rules import Position, Side, Sowing, apply, legal_moves, outcome
from rules.infractions.evidence import Evidence, Hand, Stroke, board_of, kazan_of
from rules.infractions.kinds import Fault
from rules.infractions.ways import tuzdyk_of, won_by
from rules.position import number_of, pit_index, side_of

OUT = 20


@dataclass(frozen=True, slots=True)
class Injected:
    """A turn played wrongly.

    Attributes:
        faults: What was done.
        pit: The place the fault is about; None: not to be judged.
        due: The sowing due; None: none.
        evidence: All that a perfect board sees.
    """

    faults: tuple[Fault, ...]
    pit: int | None
    due: Sowing | None
    evidence: Evidence


class Impossible(Exception):  # noqa: N818 - no error: the position does not allow the fault
    """The fault cannot be committed here."""


def need(condition: object) -> None:
    """Give up this position unless the condition holds."""
    if not condition:
        raise Impossible


@dataclass
class Table:
    """Stones and the hands of one turn."""

    before: Position
    rng: random.Random
    stones: list[int] = field(default_factory=list)
    strokes: list[Stroke] = field(default_factory=list)
    presses: tuple[Side, ...] = ()
    in_hand: list[int] = field(default_factory=lambda: [0, 0])
    marks: list[int] = field(default_factory=list)
    touched: set[int] = field(default_factory=set)
    early: Side | None = None
    kept_out: int = 0

    def __post_init__(self) -> None:
        self.stones = list(board_of(self.before))
        self.presses = (self.side,)

    @property
    def side(self) -> Side:
        return self.before.to_move

    def up(self, hand: Hand, place: int, stones: int) -> None:
        need(0 < stones <= self.stones[place])
        self.stones[place] -= stones
        self.strokes.append(Stroke(hand, place, stones, stones))

    def down(self, place: int, stones: int = 1) -> None:
        self.stones[place] += stones
        hand = Hand.BANK if place >= 18 else Hand.FALL
        self.strokes.append(Stroke(hand, place, stones, stones))

    def carry(self, source: int, target: int, stones: int) -> None:
        self.up(Hand.TAKE, source, stones)
        if target != OUT:
            self.down(target, stones)

    def home(self, index: int) -> int:
        for side in Side:
            if tuzdyk_of(side, self.before.tuzdyks) == index:
                return kazan_of(side)
        return index

    def lay(self, index: int) -> None:
        """Let one stone of a sowing fall; out of a tuzdyk it goes on to its owner."""
        home = self.home(index)
        if home != index and self.rng.random() < 0.5:
            self.down(index)
            self.carry(index, home, 1)
        else:
            self.down(home)

    def sow(self, places: tuple[int, ...]) -> None:
        for place in places:
            self.lay(place)

    def lift(self, due: Sowing) -> None:
        self.up(Hand.LIFT, pit_index(due.side, due.number), due.stones)

    def first_left(self) -> None:
        """Let the first stone lie instead of lifting it and laying it back, in half of the turns."""
        lift, fall = self.strokes[0], self.strokes[min(1, len(self.strokes) - 1)]
        if not fall.hand.takes and lift.place == fall.place and lift.low > 1 and self.rng.random() < 0.5:
            self.strokes[:2] = [Stroke(Hand.LIFT, lift.place, lift.low - 1, lift.high - 1)]

    def take(self, last: int, side: Side | None = None) -> None:
        """Take what the rules give in the last pit, as the stones lie."""
        side = side or self.side
        won = 0 if self.home(last) != last else won_by(self.stones[last], last, side, self.before.tuzdyks)
        if won:
            self.carry(last, kazan_of(side), won)
            if won == 3 and self.before.tuzdyks[side.index] is None:
                self.marks.append(last)

    def play(self, due: Sowing) -> None:
        self.lift(due)
        self.sow(due.path)
        self.first_left()
        if due.captured:
            self.carry(due.last_index, kazan_of(due.side), due.captured)
        if due.tuzdyk is not None:
            self.marks.append(due.last_index)

    def told(self, faults: tuple[Fault, ...], pit: int | None, due: Sowing | None) -> Injected:
        return Injected(
            faults,
            pit,
            due,
            Evidence(
                before=self.before,
                seen=tuple(self.stones),
                strokes=tuple(self.strokes),
                presses=self.presses,
                in_hand=(self.in_hand[0], self.in_hand[1]),
                marks=tuple(self.marks),
                touched=frozenset(self.touched),
                early=self.early,
            ),
        )


Injector = Callable[[Table, Sowing], tuple[int | None, Sowing | None]]
"""Plays a turn at a table; returns the place to be named and the sowing due."""


def nxt(index: int, step: int = 1) -> int:
    """Return the pit so many steps on."""
    return (index + step) % 18


def misplay(table: Table, due: Sowing, places: tuple[int, ...]) -> None:
    """Sow into other places than due, and take what the rules give there or nothing."""
    table.lift(due)
    table.sow(places)
    table.first_left()
    if table.rng.random() < 0.5:
        table.take(places[-1])


def skipped(table: Table, due: Sowing) -> tuple[int | None, Sowing | None]:
    need(due.stones > 2)
    nth = table.rng.randrange(1, due.stones - 1)
    misplay(table, due, (*due.path[:nth], *(nxt(place) for place in due.path[nth:])))
    return due.path[nth], due


def two_in_one(table: Table, due: Sowing) -> tuple[int | None, Sowing | None]:
    need(due.stones > 2)
    nth = table.rng.randrange(due.stones - 1)
    misplay(table, due, (*due.path[: nth + 1], *due.path[nth:-1]))
    return due.path[nth], due


def neighbour(table: Table, due: Sowing) -> tuple[int | None, Sowing | None]:
    need(due.stones > 1)
    nth = table.rng.randrange(due.stones)
    beside = nxt(due.path[nth], table.rng.choice((1, -1)))
    misplay(table, due, (*due.path[:nth], beside, *due.path[nth + 1 :]))
    return beside, due


def wrong_way(table: Table, due: Sowing) -> tuple[int | None, Sowing | None]:
    start = due.path[0] if due.stones > 1 else nxt(due.path[0], -2)
    misplay(table, due, tuple(nxt(start, -nth) for nth in range(due.stones)))
    return None, due


def first_not_left(table: Table, due: Sowing) -> tuple[int | None, Sowing | None]:
    need(due.stones > 1)
    misplay(table, due, tuple(nxt(place) for place in due.path))
    return due.path[0], due


def single(table: Table, due: Sowing) -> tuple[int | None, Sowing | None]:
    need(due.stones == 1)
    place = nxt(due.path[0], table.rng.choice((1, 2, -2)))
    misplay(table, due, (place,))
    return place, due


def short(table: Table, due: Sowing) -> tuple[int | None, Sowing | None]:
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


def past(table: Table, due: Sowing) -> tuple[int | None, Sowing | None]:
    place = nxt(due.last_index, table.rng.choice((1, 1, 2)))
    misplay(table, due, (*due.path[:-1], place))
    return place, due


def other_pit(table: Table, due: Sowing) -> int:
    """Return another own pit with stones."""
    own = [pit_index(due.side, number) for number in legal_moves(table.before) if number != due.number]
    need(own)
    return table.rng.choice(own)


def two_pits(table: Table, due: Sowing) -> tuple[int | None, Sowing | None]:
    other = other_pit(table, due)
    table.lift(due)
    along = table.stones[other]
    table.up(Hand.LIFT, other, along)
    start = table.rng.choice((pit_index(due.side, due.number), other))
    places = tuple(nxt(start, nth) for nth in range(due.stones + along))
    table.sow(places)
    table.take(places[-1])
    return other, due


def from_other_pit(table: Table, due: Sowing) -> tuple[int | None, Sowing | None]:
    other = other_pit(table, due)
    need(table.stones[other] > 1)
    table.up(Hand.LIFT, other, 1)
    table.lift(due)
    places = (*due.path, nxt(due.last_index))
    table.sow(places)
    if table.rng.random() < 0.5:
        table.take(places[-1])
    return other, due


def part(table: Table, due: Sowing) -> tuple[int | None, Sowing | None]:
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


def turned(position: Position) -> Position:
    """Return the position with the other player to move."""
    return Position(position.pits, position.kazans, position.tuzdyks, position.to_move.opponent)


def any_sowing(table: Table, position: Position) -> Sowing:
    """Return some legal sowing of a position."""
    numbers = legal_moves(position)
    need(numbers)
    return apply(position, table.rng.choice(numbers))


def opponents_pit(table: Table, due: Sowing) -> tuple[int | None, Sowing | None]:
    sowing = any_sowing(table, turned(table.before))
    table.lift(sowing)
    table.sow(sowing.path)
    table.take(sowing.last_index, due.side)
    return pit_index(sowing.side, sowing.number), None


def out_of_turn(table: Table, _due: Sowing) -> tuple[int | None, Sowing | None]:
    sowing = any_sowing(table, turned(table.before))
    table.play(sowing)
    table.presses = (sowing.side,)
    return pit_index(sowing.side, sowing.number), None


def twice(table: Table, due: Sowing) -> tuple[int | None, Sowing | None]:
    need(outcome(due.after) is None)
    table.play(due)
    table.marks.clear()
    second = any_sowing(table, turned(due.after))
    table.lift(second)
    table.sow(second.path)
    if second.captured:
        table.carry(second.last_index, kazan_of(second.side), second.captured)
    return pit_index(second.side, second.number), due


def not_taken(table: Table, due: Sowing) -> tuple[int | None, Sowing | None]:
    need(due.captured and due.tuzdyk is None)
    table.lift(due)
    table.sow(due.path)
    table.first_left()
    return due.last_index, due


def not_claimed(table: Table, due: Sowing) -> tuple[int | None, Sowing | None]:
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


def odd(table: Table, due: Sowing) -> tuple[int | None, Sowing | None]:
    last = last_pit(table, due)
    need(not due.captured and side_of(last) is not due.side and table.stones[last] != 3)
    table.carry(last, kazan_of(due.side), table.stones[last])
    return last, due


def own_side(table: Table, due: Sowing) -> tuple[int | None, Sowing | None]:
    last = last_pit(table, due)
    need(side_of(last) is due.side)
    table.carry(last, kazan_of(due.side), table.stones[last])
    return last, due


def wrong_pit(table: Table, due: Sowing) -> tuple[int | None, Sowing | None]:
    last_pit(table, due)
    pit = nxt(due.last_index, table.rng.choice((-2, -1, 1, 2)))
    need(table.stones[pit] and side_of(pit) is not due.side)
    table.carry(pit, kazan_of(due.side), table.stones[pit])
    return pit, due


def too_few(table: Table, due: Sowing) -> tuple[int | None, Sowing | None]:
    need(due.captured > 1)
    last = last_pit(table, due)
    table.carry(last, kazan_of(due.side), table.rng.randint(1, due.captured - 1))
    return last, due


def too_many(table: Table, due: Sowing) -> tuple[int | None, Sowing | None]:
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


def to_opponent(table: Table, due: Sowing) -> tuple[int | None, Sowing | None]:
    need(due.captured)
    last = last_pit(table, due)
    table.carry(last, kazan_of(due.side.opponent), due.captured)
    return last, due


def capture_kept(table: Table, due: Sowing) -> tuple[int | None, Sowing | None]:
    need(due.captured)
    last = last_pit(table, due)
    table.carry(last, OUT, due.captured)
    table.in_hand[due.side.index] = due.captured
    return last, due


def claimed(condition: Callable[[Table, Sowing], bool]) -> Injector:
    """Return: three stones taken with a mark, where this forbids it."""

    def inject(table: Table, due: Sowing) -> tuple[int | None, Sowing | None]:
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


def not_marked(table: Table, due: Sowing) -> tuple[int | None, Sowing | None]:
    need(due.tuzdyk is not None)
    table.play(due)
    table.marks.clear()
    return due.last_index, due


def mark_wrong(table: Table, due: Sowing) -> tuple[int | None, Sowing | None]:
    table.play(due)
    pit = table.rng.choice([pit for pit in range(18) if table.home(pit) == pit and pit != due.last_index])
    table.marks.append(pit)
    return pit, due


def through_tuzdyk(table: Table, due: Sowing, target: int | None) -> int:
    """Sow as due, but one stone of a tuzdyk goes elsewhere: to a place, or nowhere if None leaves it lying."""
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


def tuzdyk_left(table: Table, due: Sowing) -> tuple[int | None, Sowing | None]:
    through_tuzdyk(table, due, None)
    return None, due


def tuzdyk_wrong_kazan(table: Table, due: Sowing) -> tuple[int | None, Sowing | None]:
    through_tuzdyk(table, due, 0)
    return None, due


def tuzdyk_kept(table: Table, due: Sowing) -> tuple[int | None, Sowing | None]:
    through_tuzdyk(table, due, OUT)
    table.in_hand[due.side.index] = 1
    return None, due


def some_pit(table: Table) -> int:
    """Return any pit with stones."""
    pits = [pit for pit in range(18) if table.stones[pit]]
    need(pits)
    return table.rng.choice(pits)


def kazan_added(table: Table, due: Sowing) -> tuple[int | None, Sowing | None]:
    table.play(due)
    pit = some_pit(table)
    table.carry(pit, kazan_of(due.side), table.rng.randint(1, min(3, table.stones[pit])))
    return pit, due


def kazan_taken(table: Table, due: Sowing) -> tuple[int | None, Sowing | None]:
    table.play(due)
    kazan = table.rng.choice((18, 19))
    target = table.rng.choice((OUT, some_pit(table)))
    stones = table.rng.randint(1, 2)
    table.carry(kazan, target, stones)
    return kazan, due


def kazan_shifted(table: Table, due: Sowing) -> tuple[int | None, Sowing | None]:
    table.play(due)
    kazan = table.rng.choice((18, 19))
    table.carry(kazan, 37 - kazan, table.rng.randint(1, 6))
    return kazan, due


def swept(table: Table, due: Sowing) -> tuple[int | None, Sowing | None]:
    need(outcome(due.after) is None and sum(due.after.pits) < 60)
    table.play(due)
    side = table.rng.choice(tuple(Side))
    for pit in range(18):
        if table.stones[pit]:
            table.carry(pit, kazan_of(side), table.stones[pit])
    return kazan_of(side), due


def displaced(table: Table, due: Sowing) -> tuple[int | None, Sowing | None]:
    table.play(due)
    pit = some_pit(table)
    target = nxt(pit, table.rng.choice((1, -1, 2)))
    need(table.home(target) == target)
    table.carry(pit, target, 1)
    return pit, due


def lost(table: Table, due: Sowing) -> tuple[int | None, Sowing | None]:
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


def foreign(table: Table, due: Sowing) -> tuple[int | None, Sowing | None]:
    table.play(due)
    pit = table.rng.randrange(18)
    need(table.home(pit) == pit)
    table.down(pit, table.rng.randint(1, 2))
    return pit, due


def touch_move(table: Table, due: Sowing) -> tuple[int | None, Sowing | None]:
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


def by_hand(table: Table, due: Sowing) -> tuple[int | None, Sowing | None]:
    table.play(due)
    pit = table.rng.choice([pit for pit in range(18) if side_of(pit) is due.side])
    table.touched.add(pit)
    return pit, due


def adjusted_out_of_turn(table: Table, due: Sowing) -> tuple[int | None, Sowing | None]:
    table.play(due)
    pit = table.rng.choice([pit for pit in range(18) if side_of(pit) is not due.side])
    table.touched.add(pit)
    return pit, due


def no_move(table: Table, _due: Sowing) -> tuple[int | None, Sowing | None]:
    return None, None


def for_the_other(table: Table, due: Sowing) -> tuple[int | None, Sowing | None]:
    table.play(due)
    table.presses = (due.side.opponent,)
    return None, due


def both(table: Table, due: Sowing) -> tuple[int | None, Sowing | None]:
    table.play(due)
    table.presses = (due.side.opponent, due.side)
    return None, due


def before_press(table: Table, due: Sowing) -> tuple[int | None, Sowing | None]:
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


def in_hand(table: Table, due: Sowing) -> tuple[int | None, Sowing | None]:
    table.play(due)
    table.in_hand[due.side.index] = table.rng.randint(1, 3)
    return None, due


INJECTORS: dict[Fault, Injector] = {
    Fault.STONE_SKIPPED: skipped,
    Fault.TWO_IN_ONE: two_in_one,
    Fault.STONE_IN_NEIGHBOUR: neighbour,
    Fault.WRONG_WAY: wrong_way,
    Fault.FIRST_NOT_LEFT: first_not_left,
    Fault.SINGLE_MISMOVED: single,
    Fault.SOWN_SHORT: short,
    Fault.SOWN_PAST_END: past,
    Fault.TWO_PITS_SOWN: two_pits,
    Fault.STONE_FROM_OTHER_PIT: from_other_pit,
    Fault.PART_TAKEN: part,
    Fault.OPPONENTS_PIT: opponents_pit,
    Fault.OUT_OF_TURN: out_of_turn,
    Fault.MOVED_TWICE: twice,
    Fault.CAPTURE_NOT_TAKEN: not_taken,
    Fault.CAPTURED_ODD: odd,
    Fault.CAPTURED_OWN_SIDE: own_side,
    Fault.CAPTURED_WRONG_PIT: wrong_pit,
    Fault.CAPTURED_TOO_FEW: too_few,
    Fault.CAPTURED_TOO_MANY: too_many,
    Fault.CAPTURE_TO_OPPONENT: to_opponent,
    Fault.CAPTURE_KEPT: capture_kept,
    Fault.TUZDYK_ON_NINE: claimed(lambda _table, due: number_of(due.last_index) == 9),
    Fault.TUZDYK_SAME_NUMBER: claimed(
        lambda table, due: number_of(due.last_index) != 9 and not has_tuzdyk(table, due)
    ),
    Fault.TUZDYK_SECOND: claimed(
        lambda table, due: number_of(due.last_index) != 9 and has_tuzdyk(table, due)
    ),
    Fault.TUZDYK_NOT_CLAIMED: not_claimed,
    Fault.TUZDYK_NOT_MARKED: not_marked,
    Fault.TUZDYK_MARK_WRONG: mark_wrong,
    Fault.TUZDYK_STONES_LEFT: tuzdyk_left,
    Fault.TUZDYK_WRONG_KAZAN: tuzdyk_wrong_kazan,
    Fault.TUZDYK_NOT_DELIVERED: tuzdyk_kept,
    Fault.KAZAN_ADDED: kazan_added,
    Fault.KAZAN_TAKEN: kazan_taken,
    Fault.KAZAN_SHIFTED: kazan_shifted,
    Fault.SWEPT_WITHOUT_RIGHT: swept,
    Fault.STONES_DISPLACED: displaced,
    Fault.STONE_LOST: lost,
    Fault.FOREIGN_OBJECT: foreign,
    Fault.TOUCH_MOVE_BROKEN: touch_move,
    Fault.ADJUSTED_BY_HAND: by_hand,
    Fault.ADJUSTED_OUT_OF_TURN: adjusted_out_of_turn,
    Fault.PRESSED_WITHOUT_MOVE: no_move,
    Fault.PRESSED_OUT_OF_TURN: for_the_other,
    Fault.BOTH_PRESSED: both,
    Fault.MOVED_BEFORE_PRESS: before_press,
    Fault.STONES_IN_HAND: in_hand,
}
"""Every fault that can be committed in a position that is not over."""


def inject(fault: Fault, position: Position, rng: random.Random, tries: int = 20) -> Injected | None:
    """Return the fault committed at a position; None where some tries found no way, or it offended nobody."""
    if outcome(position) is not None:
        return None
    for _ in range(tries):
        due = apply(position, rng.choice(legal_moves(position)))
        table = Table(position, rng)
        try:
            pit, meant = INJECTORS[fault](table, due)
        except Impossible:
            continue
        if _offends(fault, table):
            return table.told((fault,), pit, meant)
    return None


LEAVES_STONES_RIGHT = frozenset(
    {
        Fault.TUZDYK_NOT_MARKED,
        Fault.TUZDYK_MARK_WRONG,
        Fault.TOUCH_MOVE_BROKEN,
        Fault.ADJUSTED_BY_HAND,
        Fault.ADJUSTED_OUT_OF_TURN,
        Fault.PRESSED_WITHOUT_MOVE,
        Fault.PRESSED_OUT_OF_TURN,
        Fault.BOTH_PRESSED,
        Fault.MOVED_BEFORE_PRESS,
        Fault.STONES_IN_HAND,
    }
)
"""Faults after which the stones may lie as they should."""


def _offends(fault: Fault, table: Table) -> bool:
    """Return whether the board that was left is one that no legal move leaves."""
    if fault in LEAVES_STONES_RIGHT:
        return True
    board = tuple(table.stones)
    plies = [apply(table.before, number) for number in legal_moves(table.before)]
    legal = [board_of(ply.after) for ply in plies]
    return board != board_of(table.before) and board not in legal
