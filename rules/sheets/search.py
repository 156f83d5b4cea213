"""All games that bear out a table, found ply by ply.

Layer by layer the search keeps every position that can stand after a ply, each once, with the moves that led
to it; games that meet in one position go on together, and so a million of them may be a few hundred
positions. What the sheets say of a ply, of the next one and of all later ones (`Bounds`) throws positions out
as soon as they are reached. When the last layer stands, the way back from it keeps what belongs to a whole
game, and on what is left the games are counted exactly without being listed.

Nothing here looks at a clock: work and memory are bounded by the number of positions kept.
"""

from __future__ import annotations

from collections.abc import Callable, Container, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from functools import cache
from typing import TypeAlias

from rules.packed import afters, kazans, moves, sow, unpack
from rules.position import STONES, Mark, apply
from rules.sheets.table import Due, Table
from rules.sheets.written import Claim

Step: TypeAlias = tuple[int, int]
"""The pit number played and the packed position after it."""

Pit: TypeAlias = tuple[int, int, frozenset[int]]
"""A pit that may be meant: its number, where its stones stand in a packed position, how many they can be."""


class TooManyError(Exception):
    """Raised inside the search when it would keep more positions than it may.

    Attributes:
        ply: The ply after which there were most of them so far.
        width: How many.
    """

    def __init__(self, ply: int, width: int) -> None:
        super().__init__(ply, width)
        self.ply = ply
        self.width = width


@dataclass(slots=True)
class Budget:
    """How many positions may still be kept."""

    left: int


@dataclass(slots=True)
class Layer:
    """All positions that can stand after a ply.

    Attributes:
        parents: For each the move that led to it: the packed position before, times 16, plus the pit number.
        others: Further moves that lead to the same position.
    """

    parents: dict[int, int] = field(default_factory=dict)
    others: dict[int, list[int]] = field(default_factory=dict)

    def ways_to(self, packed: int) -> Iterator[int]:
        """Yield every move that leads to a position, as in `parents`."""
        yield self.parents[packed]
        yield from self.others.get(packed, ())


def start_layer(table: Table, start: int) -> Layer:
    """Return the layer before the first ply; empty if what is drawn there is another board."""
    return Layer({start: 0} if gate(table, 0)(start) else {})


def mark_of(captured: int) -> Mark:
    """Return the mark of a move by what it took; only a new tuzdyk yields three stones."""
    if captured == 3:
        return "x"
    return ":" if captured else "-"


def short_text(number: int, last_index: int, captured: int) -> str:
    """Return the official short form of a move."""
    mark = mark_of(captured)
    return f"{number}{'-' if mark == '-' else ':'}{last_index % 9 + 1}{'x' if mark == 'x' else ''}"


def short_move(packed: int, number: int) -> str:
    """Return the official short form of a legal move in a packed position."""
    _, last, captured = sow(packed, number)
    return short_text(number, last, captured)


def fits_move(claim: Claim, packed: int, number: int) -> bool:
    """Return whether a legal move in a packed position bears out a claim."""
    _, last, captured = sow(packed, number)
    mover = packed >> 160 & 1
    mark = mark_of(captured)
    for reading in claim.readings:
        if reading.fits(mover, number, last, mark) and (
            not reading.full or reading.fits_full(apply(unpack(packed), number))
        ):
            return True
    return False


def playable(due: Due, mover: int) -> tuple[Pit, ...]:
    """Return the pits that the versions of a move speak of; nothing has to be sown to rule out the others."""
    pairs = {(reading.number, reading.last) for option in due.moves for reading in option.value.readings}
    found = []
    for number in range(1, 10):
        ends = {last for origin, last in pairs if origin in (None, number)}
        if ends:
            stones = frozenset[int]().union(*(_stones_to(number, last) for last in ends))
            found.append((number, 8 * (9 * mover + number - 1), stones))
    return tuple(found)


@cache
def _stones_to(number: int, last: int | None) -> frozenset[int]:
    """Return how many stones a pit can hold whose last one falls into a pit of number `last`; None: any."""
    counts = range(1, STONES + 1)
    return frozenset(count for count in counts if last in (None, (number - 1 + (count - 1 or 1)) % 9 + 1))


def candidates(due: Due, pits: tuple[Pit, ...], packed: int) -> Iterable[Step]:
    """Return the legal moves that one of the versions of a ply allows; `pits` are those of `playable`."""
    if not due.moves:
        return zip(moves(packed), afters(packed), strict=True)
    if not moves(packed):
        return ()
    return [
        (number, sow(packed, number)[0])
        for number, shift, stones in pits
        if (packed >> shift & 255) in stones
        and any(fits_move(option.value, packed, number) for option in due.moves)
    ]


def board_fits(due: Due, packed: int) -> bool:
    """Return whether a position is what the versions of its ply's kazan, diagram and end allow."""
    return kazan_fits(due, packed) and drawing_fits(due, packed) and end_fits(due, packed)


def kazan_fits(due: Due, packed: int) -> bool:
    """Return whether the kazan of the player who has just moved is what was written."""
    held = kazans(packed)[1 - (packed >> 160 & 1)]
    return not due.kazans or any(held in option.value for option in due.kazans)


def drawing_fits(due: Due, packed: int) -> bool:
    """Return whether the board is one of those drawn."""
    return not due.diagrams or any(option.value.fits(packed) for option in due.diagrams)


def end_fits(due: Due, packed: int) -> bool:
    """Return whether the game can have ended so."""
    return not due.finals or any(option.value.fits(packed) for option in due.finals)


def gate(table: Table, ply: int) -> Callable[[int], bool]:
    """Return the question whether a position after a ply can belong to a whole game."""
    due, bounds = table.dues[ply], table.bounds[ply]
    ahead = table.dues[ply + 1] if ply < table.plies else Due()
    bounded = any(later for later, _ in bounds.sources)
    drawn = bool(due.kazans or due.diagrams or due.finals)
    next_pits = playable(ahead, table.mover(ply + 1)) if ahead.moves else ()

    def passes(packed: int) -> bool:
        if drawn and not board_fits(due, packed):
            return False
        if bounded and bounds.broken(packed) is not None:
            return False
        if not next_pits:
            return True
        return any((packed >> shift & 255) in stones for _, shift, stones in next_pits)

    return passes


def next_layer(
    table: Table,
    ply: int,
    before: Iterable[int],
    budget: Budget,
    dead: Container[int] = (),
    only: Container[int] | None = None,
) -> Layer:
    """Return every position that can stand after a ply.

    Args:
        table: What is known.
        ply: Which ply, from 1.
        before: The positions that can stand before it.
        budget: Is charged one for each position found.
        dead: Positions that are known to lead nowhere.
        only: Positions one of which a game must have; None: nothing is known.

    Raises:
        TooManyError: The budget is used up.
    """
    layer = Layer()
    parents, others = layer.parents, layer.others
    due, passes, left = table.dues[ply], gate(table, ply), budget.left
    pits = playable(due, table.mover(ply))
    for packed in before:
        for number, child in candidates(due, pits, packed):
            if child in parents:
                others.setdefault(child, []).append(packed << 4 | number)
            elif (only is None or child in only) and child not in dead and passes(child):
                left -= 1
                if left < 0:
                    budget.left = 0
                    raise TooManyError(ply, len(parents) + 1)
                parents[child] = packed << 4 | number
    budget.left = left
    return layer


def layers_of(
    table: Table, start: int, budget: Budget, only: Mapping[int, Container[int]] | None = None
) -> list[Layer]:
    """Return the layers from the first position on, ending with an empty one where no game goes on.

    Args:
        table: What is known.
        start: The packed position before the first ply.
        budget: How many positions may be kept.
        only: For some plies, positions one of which a game must have after it.

    Raises:
        TooManyError: The budget is used up.
    """
    layers = [start_layer(table, start)]
    try:
        while layers[-1].parents and len(layers) <= table.plies:
            ply = len(layers)
            there = None if only is None else only.get(ply)
            layers.append(next_layer(table, ply, layers[-1].parents, budget, only=there))
    except TooManyError as error:
        widths = [len(layer.parents) for layer in layers] + [error.width]
        raise TooManyError(widths.index(max(widths)), max(widths)) from None
    return layers


@dataclass(frozen=True, slots=True)
class Games:
    """All games that bear out a table.

    Attributes:
        steps: For each ply from the first: every position before it that belongs to a game, and its moves.
        ways_on: For each position before a ply, and after the last: how many games go on from there.
        ways_to: Ditto: in how many ways a game comes there.
    """

    steps: tuple[dict[int, list[Step]], ...]
    ways_on: tuple[dict[int, int], ...]
    ways_to: tuple[dict[int, int], ...]

    @property
    def total(self) -> int:
        """How many games there are."""
        return sum(self.ways_on[0].values())

    def each(self) -> Iterator[tuple[int, ...]]:
        """Yield the pit numbers of each game."""
        (start,) = self.ways_on[0]
        played: list[int] = []
        open_steps = [iter(self._steps_at(0, start))]
        while open_steps:
            if len(open_steps) > len(self.steps):
                yield tuple(played)
                step = None
            else:
                step = next(open_steps[-1], None)
            if step is None:
                open_steps.pop()
                del played[-1:]
            else:
                played.append(step[0])
                open_steps.append(iter(self._steps_at(len(played), step[1])))

    def _steps_at(self, played: int, packed: int) -> list[Step]:
        return self.steps[played][packed] if played < len(self.steps) else []

    def moves_at(self, ply: int) -> Iterator[tuple[int, int, int, int]]:
        """Yield every move of a ply from 1: position, pit number, position after it, number of games."""
        to, on = self.ways_to[ply - 1], self.ways_on[ply]
        for packed, steps in self.steps[ply - 1].items():
            for number, child in steps:
                yield packed, number, child, to[packed] * on[child]

    def boards_at(self, ply: int) -> Iterator[tuple[int, int]]:
        """Yield every position after a ply, 0 for the start, and how many games have it."""
        for packed, ways in self.ways_on[ply].items():
            yield packed, ways * self.ways_to[ply][packed]


def games_of(layers: list[Layer]) -> Games:
    """Return the games that go through all layers; the last one must not be empty."""
    on: list[dict[int, int]] = [dict.fromkeys(layers[-1].parents, 1)]
    steps: list[dict[int, list[Step]]] = []
    for layer in layers[:0:-1]:
        here: dict[int, list[Step]] = {}
        for child in on[-1]:
            for way in layer.ways_to(child):
                here.setdefault(way >> 4, []).append((way & 15, child))
        for choices in here.values():
            choices.sort()
        steps.append(here)
        on.append({packed: sum(on[-1][child] for _, child in choices) for packed, choices in here.items()})
    to: list[dict[int, int]] = [dict.fromkeys(on[-1], 1)]
    for here in steps[::-1]:
        reached: dict[int, int] = {}
        for packed, choices in here.items():
            for _, child in choices:
                reached[child] = reached.get(child, 0) + to[-1][packed]
        to.append(reached)
    return Games(tuple(steps[::-1]), tuple(on[::-1]), tuple(to))
