"""Entries from a file: CSV with a heading, every mistake named by line and column. Pure.

    name,rating,team,representative
    Айдос Сейітов,2100,Алматы,Марат Әлі

Only `name` has to be there. A name stands for one person of the event: two people of the same name are told
apart in it, as by a year of birth or a town.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from firmware_bridge.hall.ledger.pairings import (
    MOST_LINES,
    PairingError,
    PairingFault,
    check_letters,
    heading_of,
    is_whole,
    row_of,
    strange_columns,
)
from rules.errors import TournamentError
from rules.tournament.entries import LONGEST_NAME, MOST_RATING, Entry

COLUMNS: Final = ("name", "rating", "team", "representative")


class EntryError(PairingError):
    """Raised when entries cannot be read; `faults` are all that were found, none is kept."""


def read_entries(text: str) -> tuple[Entry, ...]:
    """Return the entries of a file, with or without a byte order mark.

    Raises:
        EntryError: Something is wrong; all of it is named.
    """
    lines = text.removeprefix("\ufeff").splitlines()
    filled = [(number, line) for number, line in enumerate(lines, start=1) if line.strip()]
    if not filled or len(lines) > MOST_LINES:
        code = "too_long" if filled else "no_entries"
        raise EntryError([PairingFault(len(lines) or 1, "", code, str(len(lines)))])  # type: ignore[arg-type] # one of the two
    try:
        check_letters(lines)
    except PairingError as error:
        raise EntryError(error.faults) from error
    (first, heading), *rows = filled
    delimiter, names = heading_of(heading)
    faults = strange_columns(first, names, COLUMNS)
    if "name" not in names:
        faults.append(PairingFault(first, "name", "no_column", ""))
    found: dict[str, Entry] = {}
    for number, line in [] if faults else rows:
        entry = _read(number, line, delimiter, names, faults)
        if entry is not None and entry.name in found:
            faults.append(PairingFault(number, "name", "entered_twice", entry.name))
        elif entry is not None:
            found[entry.name] = entry
    if not faults and not found:
        faults.append(PairingFault(first + 1, "", "no_entries", ""))
    if faults:
        raise EntryError(faults)
    return tuple(found.values())


def _read(
    number: int, line: str, delimiter: str, names: list[str], faults: list[PairingFault]
) -> Entry | None:
    """Return the entry of a line; None: something is wrong with it, and stands in `faults` now."""
    row = row_of(number, line, delimiter, names)
    if isinstance(row, PairingFault):
        faults.append(row)
        return None
    wrong = _wrong(number, row)
    faults += wrong
    if wrong:
        return None
    rating = row.get("rating", "")
    return Entry(
        name=row["name"],
        rating=int(rating) if rating else None,
        team=row.get("team", ""),
        representative=row.get("representative", ""),
    )


def _wrong(number: int, row: Mapping[str, str]) -> list[PairingFault]:
    wrong = []
    try:
        Entry(name=row.get("name", ""))
    except TournamentError:
        wrong.append(PairingFault(number, "name", "no_name", row.get("name", "")[:LONGEST_NAME]))
    rating = row.get("rating", "")
    if rating and not is_whole(rating, 0, MOST_RATING):
        wrong.append(PairingFault(number, "rating", "no_rating", rating[:20]))
    for column in ("team", "representative"):
        value = row.get(column, "")
        if len(value) > LONGEST_NAME or not value.isprintable():
            wrong.append(PairingFault(number, column, "no_name", value[:LONGEST_NAME]))
    return wrong
