"""Which small slip of the pen would explain a sheet that no game bears out.

Every entry is left out in turn, and where a whole game comes out, what must stand there instead is compared
with what does. Then a sheet is moved by a ply or two from every place on; of several sheets that has been
thought of before (`restore_shifts`). One slip is looked for, not two.

A change can help only at or before the place where the contradiction showed, and the layers of the search
that failed are used again: they hold every position before the change, and none of their positions after it
needs to be looked at again, because it is known to lead nowhere.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence

from rules.notation.forms import Notation, format_move
from rules.notation.parts import readings, taken_apart
from rules.packed import kazans, unpack
from rules.position import Side, apply, outcome, pit_name
from rules.sheets.answers import Repair, RepairKind, SheetContradiction, Shift
from rules.sheets.facts import IS_TUZDYK, Place, Subject, cells_of
from rules.sheets.search import Budget, Games, Layer, TooManyError, games_of, next_layer, start_layer
from rules.sheets.sheet import TUZDYK_CELL, Sheet
from rules.sheets.shifts import SHIFTS, shifted
from rules.sheets.table import Table, places_of, table_of
from rules.sheets.written import UNREADABLE

_SHARE = 10
"""One change may use up no more than this part of all positions: one wide gap must not stop the rest."""

_KINDS = tuple(RepairKind)


def repairs_of(
    sheets: Sequence[Sheet],
    table: Table,
    start: int,
    layers: Sequence[Layer],
    contradiction: SheetContradiction,
    budget: Budget,
) -> tuple[tuple[Repair, ...], bool]:
    """Return the small changes that help, the likeliest first, and whether all could be tried.

    Args:
        sheets: The sheets.
        table: What they say.
        start: The packed position before the first ply.
        layers: The search that failed.
        contradiction: Where.
        budget: How many positions may be kept in all.
    """
    attempts = _Attempts(table, start, layers, contradiction.noticed, budget)
    found: list[Repair] = []
    for ply, subject in _suspects(table, contradiction):
        found += _left_out(attempts, ply, subject)
    if len(sheets) == 1:
        plies = sorted({entry.ply for entry in sheets[0].entries})
        for ply in plies:
            for by in SHIFTS if ply <= contradiction.noticed + 1 else ():
                if ply - by <= table.plies + 1:
                    found += _moved(attempts, sheets[0], Shift(0, ply, by))
    return _ranked(found, contradiction), attempts.all_tried


def _ranked(found: Sequence[Repair], contradiction: SheetContradiction) -> tuple[Repair, ...]:
    """Return the changes that make all sound, or else those that reach furthest; the likeliest first."""
    furthest = max((repair.reaches or 0 for repair in found), default=0)
    best = [repair for repair in found if repair.reaches is None]
    return tuple(
        sorted(
            best or [repair for repair in found if repair.reaches == furthest],
            key=lambda repair: (
                _KINDS.index(repair.kind),
                abs(contradiction.ply - repair.ply),
                repair.games,
                repair.ply,
            ),
        )
    )


def _suspects(table: Table, contradiction: SheetContradiction) -> Iterator[tuple[int, Subject]]:
    """Yield everything written that can be the slip, the nearest to the contradiction first."""
    noticed = contradiction.noticed
    later = {ply for ply, _ in table.bounds[noticed].sources if ply > noticed + 1}
    plies = [*sorted(later | {contradiction.ply}), *range(min(noticed + 1, table.plies), -1, -1)]
    for ply in dict.fromkeys(plies):
        for subject in Subject:
            if places_of(table.dues[ply], subject):
                yield ply, subject


class _Attempts:
    """Searches that go on from the layers of one that failed."""

    def __init__(
        self, table: Table, start: int, layers: Sequence[Layer], noticed: int, budget: Budget
    ) -> None:
        self.table = table
        self._start = start
        self.all_tried = True
        self._layers = layers
        self._noticed = noticed
        self._budget = budget
        self._share = budget.left // _SHARE

    def run(self, table: Table, changed: int | None) -> tuple[Games, int] | None:
        """Return the games that bear out a changed table, as far as they go, and the last ply they reach.

        Args:
            table: The changed table.
            changed: The only ply whose entry differs; None: the plies are others altogether.

        Returns:
            None if nothing is gained, or if it would take too many positions; `all_tried` is False then.
        """
        share = Budget(min(self._share, self._budget.left))
        allowed = share.left
        try:
            layers = self._layers_of(table, changed, share)
        except TooManyError:
            self.all_tried = False
            return None
        finally:
            self._budget.left -= allowed - share.left
        reached = len(layers) - 1
        return (games_of(layers), reached) if reached > min(self._noticed + 1, table.plies - 1) else None

    def _layers_of(self, table: Table, changed: int | None, share: Budget) -> list[Layer]:
        """Return the layers of a changed table until no game goes on; without an empty one."""
        layers = list(self._layers[: self._first_difference(table)])
        if not layers:
            layers = [layer for layer in [start_layer(table, self._start)] if layer.parents]
        while layers and len(layers) <= table.plies:
            ply = len(layers)
            # Where nothing differs any more, a position of the old search is known to lead nowhere.
            known = changed is not None and changed <= ply < len(self._layers)
            dead = self._layers[ply].parents if known else {}
            layer = next_layer(table, ply, layers[-1].parents, share, dead)
            if not layer.parents:
                break
            layers.append(layer)
        return layers

    def _first_difference(self, table: Table) -> int:
        """Return the first ply whose layer must be found anew."""
        old, ply = self.table, 0
        last = min(len(self._layers) - 2, table.plies, old.plies)
        while ply <= last and old.alike(table, ply):
            ply += 1
        return ply


def _left_out(attempts: _Attempts, ply: int, subject: Subject) -> Iterator[Repair]:
    """Yield what can stand in place of something written, by the kind of slip."""
    table = attempts.table
    result = attempts.run(table.without(ply, subject), ply)
    if result is None or result[1] < ply:
        return
    games, reached = result
    places = places_of(table.dues[ply], subject)
    found: dict[RepairKind, Counter[str]] = {}
    for kind, text, ways in _instead(table, games, ply, subject):
        found.setdefault(kind, Counter())[text] += ways
    for kind, texts in found.items():
        reaches = None if reached == table.plies else reached
        yield Repair(kind, ply, subject, places, tuple(texts), None, texts.total(), reaches)


def _instead(table: Table, games: Games, ply: int, subject: Subject) -> Iterator[tuple[RepairKind, str, int]]:
    """Yield what may stand in the place of something written: what slip that is, the text, how many games."""
    due = table.dues[ply]
    if subject is Subject.MOVE:
        written = [reading for place in places_of(due, subject) for reading in _spellings(place.text)]
        for packed, number, _, ways in games.moves_at(ply):
            sowing = apply(unpack(packed), number)
            texts = [
                (slip(body, format_move(sowing, form)), format_move(sowing, form)) for form, body in written
            ]
            kind, text = min(texts, key=lambda pair: _KINDS.index(pair[0]))
            yield kind, text, ways
        return
    for packed, ways in games.boards_at(ply):
        if subject is Subject.KAZAN:
            total = str(kazans(packed)[1 - (packed >> 160 & 1)])
            kinds = [slip(place.text, total) for place in places_of(due, subject)]
            yield min(kinds, key=_KINDS.index), total, ways
        elif subject is Subject.DIAGRAM:
            wrong = min((option.value.wrong_cells(packed) for option in due.diagrams), key=len)
            kind = RepairKind.CHARACTER if len(wrong) == 1 else RepairKind.REWRITTEN
            yield kind, ", ".join(_cell(packed, index) for index in wrong), ways
        else:
            end = outcome(unpack(packed))
            held = kazans(packed) if end is None else end.kazans
            score = "" if end is None else f"{end.score} "
            yield RepairKind.REWRITTEN, f"{score}{held[0]}:{held[1]}", ways


def _spellings(text: str) -> list[tuple[Notation, str]]:
    """Return the notations a written move can be in, each with its text there."""
    return readings(taken_apart(text, None), None)


def _cell(packed: int, index: int) -> str:
    """Return what a cell of a diagram holds: index 0..17 for the pits, 18 and 19 for the kazans."""
    if index >= 18:
        return f"kazan {tuple(Side)[index - 18].value}={kazans(packed)[index - 18]}"
    held = cells_of(packed)[index]
    return f"{pit_name(index)}={TUZDYK_CELL if held == IS_TUZDYK else held}"


def slip(written: str, meant: str) -> RepairKind:
    """Return what a hand did that wrote one text and meant another; `_` may have been anything."""
    shorter, longer = sorted((written, meant), key=len)
    if len(longer) == len(shorter) + 1:
        cut = (longer[:place] + longer[place + 1 :] for place in range(len(longer)))
        return RepairKind.CHARACTER if any(text == shorter for text in cut) else RepairKind.REWRITTEN
    wrong = [
        place
        for place, (has, should) in enumerate(zip(written, meant, strict=False))
        if has not in (should, UNREADABLE)
    ]
    if len(longer) != len(shorter) or len(wrong) > 2:
        return RepairKind.REWRITTEN
    if len(wrong) < 2:
        return RepairKind.CHARACTER
    one, other = wrong
    swapped = written[one] == meant[other] and written[other] == meant[one]
    return RepairKind.SWAPPED if swapped else RepairKind.REWRITTEN


def _moved(attempts: _Attempts, sheet: Sheet, shift: Shift) -> Iterator[Repair]:
    """Yield that the only sheet is right with other numbers."""
    table = table_of(shifted((sheet,), shift), attempts.table.first_mover)
    result = attempts.run(table, None)
    if result is None:
        return
    games, reached = result
    kind = RepairKind.SKIPPED if shift.by > 0 else RepairKind.DOUBLED
    entries = [entry for entry in sheet.entries if entry.ply == shift.ply]
    places = tuple(Place(0, entry.text, entry.line, entry.column) for entry in entries)
    reaches = None if reached == table.plies else reached
    yield Repair(kind, shift.ply, Subject.MOVE, places, (), shift, games.total, reaches)
