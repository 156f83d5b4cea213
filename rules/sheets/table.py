"""One or more sheets turned into what is known about every ply.

What several sheets say of one ply is put together: where they can all be right there is one `Option`, where
they contradict each other there is one for each version, and a game may follow any of them. Facts also reach
back: a kazan that holds 30 after the fortieth ply held no more before, and a tuzdyk drawn there was the only
one its owner can have had. Such `Bounds` keep a search narrow long before it comes to the fact itself.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import TypeAlias, TypeVar

from rules.packed import kazans
from rules.position import STONES
from rules.sheets.facts import (
    Counts,
    Drawn,
    Final,
    Option,
    Place,
    Subject,
    drawn_of,
    tuzdyks_drawn,
    tuzdyks_of,
)
from rules.sheets.sheet import Sheet, SheetDiagram
from rules.sheets.written import UNREADABLE, Claim, claim_of, counts_of

_T = TypeVar("_T")

_EVERY_TUZDYK = 0b1_1111_1111
"""A bit for each tuzdyk a player may have, the lowest for none."""


Source: TypeAlias = tuple[int, Subject]
"""What a bound comes from: a ply and what is written there."""


@dataclass(frozen=True, slots=True)
class Due:
    """All that is written about one ply and the board after it; an empty tuple: nothing.

    Attributes:
        moves: Versions of the move.
        kazans: Versions of the mover's kazan after it.
        diagrams: Versions of the board after it.
        finals: Versions of the end; only the last ply has any.
    """

    moves: tuple[Option[Claim], ...] = ()
    kazans: tuple[Option[frozenset[int]], ...] = ()
    diagrams: tuple[Option[Drawn], ...] = ()
    finals: tuple[Option[Final], ...] = ()


@dataclass(frozen=True, slots=True)
class Bounds:
    """What later facts say about a position; the facts of its own ply are not among them.

    Attributes:
        kazans: The most that the kazans of [bastaushy, qostaushy] can hold.
        tuzdyks: A bit for each tuzdyk that [bastaushy, qostaushy] can have, the lowest for none.
        sources: Which ply's which subject says so: of both kazans, then of both tuzdyks; ply 0: nothing does.
    """

    kazans: tuple[int, int] = (STONES, STONES)
    tuzdyks: tuple[int, int] = (_EVERY_TUZDYK, _EVERY_TUZDYK)
    sources: tuple[Source, ...] = ((0, Subject.MOVE),) * 4

    def broken(self, packed: int) -> int | None:
        """Return which of the four bounds a packed position breaks; None: it keeps them."""
        for owner, held in enumerate(kazans(packed)):
            if held > self.kazans[owner]:
                return owner
        for owner, number in enumerate(tuzdyks_of(packed)):
            if not self.tuzdyks[owner] >> number & 1:
                return 2 + owner
        return None


_NO_BOUNDS = Bounds()


@dataclass(frozen=True, slots=True)
class Table:
    """What is known about every ply.

    Attributes:
        dues: By ply; number 0 holds what is drawn before the first move.
        bounds: By ply.
        first_mover: The index of the player of the first ply.
    """

    dues: tuple[Due, ...]
    bounds: tuple[Bounds, ...]
    first_mover: int

    @property
    def plies(self) -> int:
        """How many plies the sheets tell of."""
        return len(self.dues) - 1

    def mover(self, ply: int) -> int:
        """Return the index of the player whose turn a ply is."""
        return (self.first_mover + ply - 1) % 2

    def without(self, ply: int, subject: Subject) -> Table:
        """Return the table that knows nothing of one subject of a ply."""
        due = self.dues[ply]
        changed = Due(
            () if subject is Subject.MOVE else due.moves,
            () if subject is Subject.KAZAN else due.kazans,
            () if subject is Subject.DIAGRAM else due.diagrams,
            () if subject is Subject.RESULT else due.finals,
        )
        dues = (*self.dues[:ply], changed, *self.dues[ply + 1 :])
        bounds = list(self.bounds)
        while ply > 0:
            before = _before(bounds[ply], dues[ply], ply, self.mover(ply))
            ply -= 1
            if before == bounds[ply]:
                break
            bounds[ply] = before
        return Table(dues, tuple(bounds), self.first_mover)

    def alike(self, other: Table, ply: int) -> bool:
        """Return whether another table says the same of a ply, of the next and of all that reaches back."""
        return self.bounds[ply] == other.bounds[ply] and self.dues[ply : ply + 2] == other.dues[ply : ply + 2]


def options_of(
    due: Due, subject: Subject
) -> Sequence[Option[Claim] | Option[frozenset[int]] | Option[Drawn] | Option[Final]]:
    """Return the versions of one subject of a ply."""
    if subject is Subject.MOVE:
        return due.moves
    if subject is Subject.KAZAN:
        return due.kazans
    return due.diagrams if subject is Subject.DIAGRAM else due.finals


def places_of(due: Due, subject: Subject) -> tuple[Place, ...]:
    """Return where something is written about one subject of a ply."""
    return tuple(dict.fromkeys(place for option in options_of(due, subject) for place in option.places))


def table_of(sheets: Sequence[Sheet], first_mover: int = 0) -> Table:
    """Return what some sheets say together.

    Raises:
        NotationError: An entry is a move in no notation.
    """
    last = max(sheet.plies for sheet in sheets)
    moves: list[list[tuple[Place, Claim]]] = [[] for _ in range(last + 1)]
    totals: list[list[tuple[Place, frozenset[int]]]] = [[] for _ in range(last + 1)]
    boards: list[list[tuple[Place, Drawn]]] = [[] for _ in range(last + 1)]
    for index, sheet in enumerate(sheets):
        for entry in sheet.entries:
            claim, total = claim_of(entry.text), counts_of(entry.kazan)
            if claim is not None:
                place = Place(index, entry.text, entry.line, entry.column)
                moves[entry.ply].append((place, claim))
            if total is not None:
                place = Place(index, entry.kazan, entry.line, entry.column)
                totals[entry.ply].append((place, total))
        for diagram in sheet.diagrams:
            boards[diagram.ply].append((_drawn_place(index, diagram), drawn_of(diagram)))
    finals = [(_final_place(index, sheet), _final(sheet)) for index, sheet in enumerate(sheets)]
    said = [(place, final) for place, final in finals if final != Final(None, (None, None))]
    dues = [
        Due(
            _options(moves[ply], Claim.join),
            _options(totals[ply], _join_counts),
            _options(boards[ply], Drawn.join),
            _options(said, Final.join) if ply == last else (),
        )
        for ply in range(last + 1)
    ]
    return Table(tuple(dues), tuple(_bounds(dues, first_mover)), first_mover)


def _drawn_place(index: int, diagram: SheetDiagram) -> Place:
    row = [cell or UNREADABLE for cell in (*diagram.cells, *diagram.kazans)]
    text = f"{' '.join(row[:9])} / {' '.join(row[9:18])}, {row[18]}:{row[19]}"
    return Place(index, text, diagram.line)


def _final_place(index: int, sheet: Sheet) -> Place:
    said: list[str] = [sheet.result or ""]
    if any(sheet.kazans):
        said.append(":".join(written or UNREADABLE for written in sheet.kazans))
    return Place(index, " ".join(said).strip(), sheet.result_line)


def _final(sheet: Sheet) -> Final:
    first, second = sheet.kazans
    return Final(sheet.result, (counts_of(first), counts_of(second)))


def _join_counts(own: frozenset[int], their: frozenset[int]) -> frozenset[int] | None:
    return own & their or None


def _options(said: Sequence[tuple[Place, _T]], join: Callable[[_T, _T], _T | None]) -> tuple[Option[_T], ...]:
    """Return the versions of a fact, the most readable ones first; all that can be right together are one."""
    if len(said) < 2:
        return tuple(Option((place,), value) for place, value in said)
    options: list[Option[_T]] = []
    for place, value in sorted(said, key=lambda pair: pair[0].text.count(UNREADABLE)):
        agreed = False
        for number, option in enumerate(options):
            joined = join(option.value, value)
            if joined is not None:
                options[number] = Option((*option.places, place), joined)
                agreed = True
        if not agreed:
            options.append(Option((place,), value))
    return tuple(options)


def _bounds(dues: Sequence[Due], first_mover: int) -> list[Bounds]:
    """Return what the facts after each ply say about the position there."""
    found = [_NO_BOUNDS]
    for ply in range(len(dues) - 1, 0, -1):
        found.append(_before(found[-1], dues[ply], ply, (first_mover + ply - 1) % 2))
    return found[::-1]


def _before(bounds: Bounds, due: Due, ply: int, mover: int) -> Bounds:
    """Return the bounds before a ply, given those after it."""
    if due.diagrams or due.finals:
        for owner in (0, 1):
            totals = [option.value.kazans[owner] for option in due.diagrams]
            bounds = _at_most(bounds, owner, totals, (ply, Subject.DIAGRAM))
            ends = [option.value.kazans[owner] for option in due.finals]
            bounds = _at_most(bounds, owner, ends, (ply, Subject.RESULT))
            if due.diagrams:
                drawn = 0
                for diagram in due.diagrams:
                    drawn |= tuzdyks_drawn(diagram.value, owner)
                bounds = _only_tuzdyks(bounds, owner, drawn, (ply, Subject.DIAGRAM))
    if due.kazans:
        totals = [option.value for option in due.kazans]
        bounds = _at_most(bounds, mover, totals, (ply, Subject.KAZAN))
    if (
        due.moves
        and due.moves[0].value.wins_tuzdyk
        and all(option.value.wins_tuzdyk for option in due.moves[1:])
    ):
        bounds = _only_tuzdyks(bounds, mover, 1, (ply, Subject.MOVE))
    return bounds


def _at_most(bounds: Bounds, owner: int, totals: Sequence[Counts], source: Source) -> Bounds:
    """Return the bounds with what a later total says of a kazan; one of the totals is right."""
    known = [max(counts, default=-1) for counts in totals if counts is not None]
    if not known or len(known) < len(totals) or max(known) >= bounds.kazans[owner]:
        return bounds
    kept = list(bounds.kazans)
    kept[owner] = max(known)
    sources = tuple(source if index == owner else old for index, old in enumerate(bounds.sources))
    return replace(bounds, kazans=(kept[0], kept[1]), sources=sources)


def _only_tuzdyks(bounds: Bounds, owner: int, drawn: int, source: Source) -> Bounds:
    """Return the bounds with what is known of a later tuzdyk; before it was won there was none."""
    left = bounds.tuzdyks[owner] & drawn | 1
    if left == bounds.tuzdyks[owner]:
        return bounds
    kept = list(bounds.tuzdyks)
    kept[owner] = left
    sources = tuple(source if index == owner + 2 else old for index, old in enumerate(bounds.sources))
    return replace(bounds, tuzdyks=(kept[0], kept[1]), sources=sources)
