"""Why no game goes on: the first thing written that nothing before it allows."""

from __future__ import annotations

from collections.abc import Sequence

from rules.packed import afters, kazans, moves, unpack
from rules.sheets.answers import Reason, SheetContradiction
from rules.sheets.facts import Subject
from rules.sheets.search import (
    Layer,
    drawing_fits,
    end_fits,
    fits_move,
    kazan_fits,
    short_move,
)
from rules.sheets.table import Table, places_of

_BOUND_REASONS = (Reason.TOO_MANY_STONES,) * 2 + (Reason.WRONG_TUZDYK,) * 2


def contradiction_of(table: Table, start: int, layers: Sequence[Layer]) -> SheetContradiction:
    """Return the first contradiction, given the layers of a search that ended with an empty one.

    What is written about the ply itself comes first, then what is written of later ones, then the next move.
    """
    ply = len(layers) - 1
    if ply == 0:
        return _board_contradiction(table, 0, [start])
    before = layers[-2].parents
    due = table.dues[ply]
    if due.moves:
        children = [
            child
            for packed in before
            for number, child in zip(moves(packed), afters(packed), strict=True)
            if any(fits_move(option.value, packed, number) for option in due.moves)
        ]
    else:
        children = [child for packed in before for child in afters(packed)]
    if not children:
        return _move_contradiction(table, ply, list(before), ply - 1)
    return _board_contradiction(table, ply, children)


def _move_contradiction(table: Table, ply: int, before: Sequence[int], noticed: int) -> SheetContradiction:
    """Return that no move of a ply is the one written, or that there was none to play."""
    texts = {short_move(packed, number) for packed in before for number in moves(packed)}
    return SheetContradiction(
        ply,
        Subject.MOVE,
        Reason.ILLEGAL if texts else Reason.GAME_OVER,
        places_of(table.dues[ply], Subject.MOVE),
        tuple(sorted(texts)),
        unpack(before[0]),
        len(set(before)),
        noticed,
    )


def _board_contradiction(table: Table, ply: int, boards: Sequence[int]) -> SheetContradiction:
    """Return what none of the positions after a ply agrees with."""
    due, bounds = table.dues[ply], table.bounds[ply]
    for subject, fits in (
        (Subject.KAZAN, kazan_fits),
        (Subject.DIAGRAM, drawing_fits),
        (Subject.RESULT, end_fits),
    ):
        fitting = [packed for packed in boards if fits(due, packed)]
        if not fitting:
            mover = 1 - (boards[0] >> 160 & 1)
            totals = sorted({kazans(packed)[mover] for packed in boards}) if subject is Subject.KAZAN else []
            return SheetContradiction(
                ply,
                subject,
                Reason(subject.value),
                places_of(due, subject),
                tuple(map(str, totals)),
                unpack(boards[0]),
                len(set(boards)),
                ply,
            )
        boards = fitting
    fitting = [packed for packed in boards if bounds.broken(packed) is None]
    if fitting:
        return _move_contradiction(table, ply + 1, fitting, ply)
    broken = min(
        (bound for packed in boards if (bound := bounds.broken(packed)) is not None),
        key=lambda bound: bounds.sources[bound][0],
    )
    later, subject = bounds.sources[broken]
    return SheetContradiction(
        later,
        subject,
        _BOUND_REASONS[broken],
        places_of(table.dues[later], subject),
        (),
        unpack(boards[0]),
        len(set(boards)),
        ply,
    )
