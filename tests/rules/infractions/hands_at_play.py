"""Hands that offend, as plain values: every fault of `Fault` committed on purpose at a position.

A `Table` holds stones and writes down each stroke, as if the cells told every stone. Each injector plays one
turn wrongly and returns what is to be found; None where the position does not allow the fault.
"""

from __future__ import annotations

import random
from dataclasses import dataclass, field

from rules import Position, Side, Sowing, apply, legal_moves
from rules.infractions.evidence import Evidence, Hand, Stroke, kazan_of
from rules.infractions.kinds import Fault
from rules.infractions.ways import tuzdyk_of
from rules.position import board_of, pit_index, stones_won

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
    early: Side | None = None
    kept_out: int = 0

    def __post_init__(self) -> None:
        self.stones = list(board_of(self.before))
        self.presses = (self.side,)

    @property
    def side(self) -> Side:
        """Return whose turn it is."""
        return self.before.to_move

    def up(self, hand: Hand, place: int, stones: int) -> None:
        """Take stones up."""
        need(0 < stones <= self.stones[place])
        self.stones[place] -= stones
        self.strokes.append(Stroke(hand, place, stones, stones))

    def down(self, place: int, stones: int = 1) -> None:
        """Lay stones down."""
        self.stones[place] += stones
        hand = Hand.BANK if place >= 18 else Hand.FALL
        self.strokes.append(Stroke(hand, place, stones, stones))

    def carry(self, source: int, target: int, stones: int) -> None:
        """Carry stones to another place, or off the board."""
        self.up(Hand.TAKE, source, stones)
        if target != OUT:
            self.down(target, stones)

    def home(self, index: int) -> int:
        """Return where a stone that falls into a pit ends."""
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
        """Let a stone fall into each place."""
        for place in places:
            self.lay(place)

    def lift(self, due: Sowing) -> None:
        """Take up the pit of a sowing."""
        self.up(Hand.LIFT, pit_index(due.side, due.number), due.stones)

    def first_left(self) -> None:
        """Let the first stone lie instead of lifting it and laying it back, in half of the turns."""
        lift, fall = self.strokes[0], self.strokes[min(1, len(self.strokes) - 1)]
        if not fall.hand.takes and lift.place == fall.place and lift.low > 1 and self.rng.random() < 0.5:
            self.strokes[:2] = [Stroke(Hand.LIFT, lift.place, lift.low - 1, lift.high - 1)]

    def take(self, last: int, side: Side | None = None) -> None:
        """Take what the rules give in the last pit, as the stones lie."""
        side = side or self.side
        lies = self.home(last) == last
        won = stones_won(self.stones[last], last, side.index, self.before.tuzdyks) if lies else 0
        if won:
            self.carry(last, kazan_of(side), won)
            if won == 3 and self.before.tuzdyks[side.index] is None:
                self.marks.append(last)

    def play(self, due: Sowing) -> None:
        """Play a whole move as due."""
        self.lift(due)
        self.sow(due.path)
        self.first_left()
        if due.captured:
            self.carry(due.last_index, kazan_of(due.side), due.captured)
        if due.tuzdyk is not None:
            self.marks.append(due.last_index)

    def told(self, faults: tuple[Fault, ...], pit: int | None, due: Sowing | None) -> Injected:
        """Return what is to be found."""
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
                early=self.early,
            ),
        )


Played = tuple[int | None, Sowing | None]
"""The place to be named, and the sowing due."""


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


def other_pit(table: Table, due: Sowing) -> int:
    """Return another own pit with stones."""
    own = [pit_index(due.side, number) for number in legal_moves(table.before) if number != due.number]
    need(own)
    return table.rng.choice(own)


def turned(position: Position) -> Position:
    """Return the position with the other player to move."""
    return Position(position.pits, position.kazans, position.tuzdyks, position.to_move.opponent)


def any_sowing(table: Table, position: Position) -> Sowing:
    """Return some legal sowing of a position."""
    numbers = legal_moves(position)
    need(numbers)
    return apply(position, table.rng.choice(numbers))
