"""Sheets whose numbers slipped: a move left out or written twice, and everything after it is off by one.

Two sheets of one game show it at once, because from some ply on nothing agrees until one of them is moved.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace

from rules.sheets.answers import Shift
from rules.sheets.sheet import Sheet
from rules.sheets.written import Claim, claim_of

SHIFTS = (1, -1, 2, -2)
"""How far numbers slip: by a ply or by a whole move."""

_CLASHES_SAVED = 4
"""How many contradictions a shift must explain before it is thought of. Two sheets of the same game differ in
single entries; different moves agree by chance about once in twenty."""


def shifted(sheets: Sequence[Sheet], shift: Shift) -> tuple[Sheet, ...]:
    """Return the sheets with the numbers of one of them put right; entries that were too many are gone."""
    sheet, first, by = sheets[shift.sheet], shift.ply, shift.by
    extra = range(first, first - by)
    entries = tuple(
        replace(entry, ply=entry.ply + by) if entry.ply >= first else entry
        for entry in sheet.entries
        if entry.ply not in extra
    )
    # A board drawn behind an entry that was too many is the board before it.
    diagrams = tuple(
        replace(diagram, ply=max(diagram.ply + by, first - 1)) if diagram.ply >= first else diagram
        for diagram in sheet.diagrams
    )
    changed = replace(sheet, entries=entries, diagrams=diagrams)
    return tuple(changed if index == shift.sheet else other for index, other in enumerate(sheets))


def likely_shifts(sheets: Sequence[Sheet]) -> Iterator[Shift]:
    """Yield what would make two sheets agree much better, the most probable first."""
    claims = [_claims(sheet) for sheet in sheets]
    for index in range(1, len(sheets)):
        yield from _between(claims[0], claims[index], index)


def _claims(sheet: Sheet) -> dict[int, Claim]:
    """Return what a sheet says of each ply; of two entries for one ply the first counts."""
    found: dict[int, Claim] = {}
    for entry in sheet.entries:
        claim = claim_of(entry.text)
        if claim is not None:
            found.setdefault(entry.ply, claim)
    return found


def _between(first: dict[int, Claim], second: dict[int, Claim], index: int) -> Iterator[Shift]:
    """Yield the shifts that leave the fewest clashes between the first sheet and another one."""
    plies = range(1, max(second, default=0) + 2)
    plain = [_clash(first, ply, second.get(ply)) for ply in plies]
    found: list[tuple[int, int, int]] = []
    for by in SHIFTS:
        moved = [_clash(first, ply + by, second.get(ply)) for ply in plies]
        for ply in plies:
            # Entries that were too many have nothing to clash with.
            clashes = sum(plain[: ply - 1]) + sum(moved[ply - 1 - min(by, 0) :])
            found.append((clashes, ply, by))
    fewest = min(found)[0]
    if sum(plain) - fewest >= _CLASHES_SAVED:
        for clashes, ply, by in found:
            if clashes == fewest:
                # Either this sheet slipped one way or the first one the other way.
                yield Shift(index, ply, by)
                yield Shift(0, ply, -by)


def _clash(first: dict[int, Claim], ply: int, claim: Claim | None) -> bool:
    other = first.get(ply)
    return claim is not None and other is not None and other.join(claim) is None
