"""Pairings from a file: CSV with a heading, every mistake named by line and column. Pure.

    round,board,bastaushy,qostaushy,seat,control
    1,board-1,Айдос,Әсел,a,classical-60m

The order of the columns does not matter; `seat` and `control` may be left out. Columns are parted by commas,
semicolons or tabs, whichever stands in the heading.
"""

from __future__ import annotations

import csv
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Final, Literal, TypeAlias

from firmware_bridge.hall.ledger.values import Fixture, key_of
from firmware_bridge.wire.topics import is_id
from rules.control_text import format_control, parse_control
from rules.errors import TimeControlError
from rules.tournament.entries import LONGEST_NAME, named

NEEDED: Final = ("round", "board", "bastaushy", "qostaushy")
OPTIONAL: Final = ("seat", "control")
MOST_LINES: Final = 2000
LAST_ROUND: Final = 99
"""The highest number of a round: two digits, more than any event plays."""
MOST_TOLD: Final = 20
"""Lines of a file that are named where every one of them may be wrong in the same way."""

FaultCode: TypeAlias = Literal[
    "empty", "no_column", "strange_column", "no_number", "no_board", "no_name", "same_name", "no_seat",
    "no_control", "board_twice", "player_twice", "too_long", "quotes", "no_rating", "entered_twice",
    "not_entered", "expelled", "missed_rounds", "no_entries", "no_utf8", "column_twice",
]  # fmt: skip


@dataclass(frozen=True, slots=True)
class PairingFault:
    """What is wrong in a file of pairings.

    Attributes:
        line: Which line, from 1, the heading being the first.
        column: Name of the column; empty: it is about the whole line.
        code: What, the key of a text.
        value: What stands there.
    """

    line: int
    column: str
    code: FaultCode
    value: str


class PairingError(ValueError):
    """Raised when pairings cannot be read; `faults` are all that were found, none is kept."""

    def __init__(self, faults: list[PairingFault]) -> None:
        told = "; ".join(f"line {f.line}, {f.column or 'line'}: {f.code} {f.value!r}" for f in faults[:5])
        super().__init__(told)
        self.faults = faults


def read_pairings(text: str, control: str) -> tuple[Fixture, ...]:
    """Return the games that a file pairs.

    Args:
        text: The file, with or without a byte order mark.
        control: The control of those that name none.

    Raises:
        PairingError: Something is wrong; all of it is named.
    """
    lines = text.removeprefix("\ufeff").splitlines()
    first = next((number for number, line in enumerate(lines) if line.strip()), None)
    if first is None:
        raise PairingError([PairingFault(1, "", "empty", "")])
    if len(lines) > MOST_LINES:
        raise PairingError([PairingFault(MOST_LINES, "", "too_long", str(len(lines)))])
    check_letters(lines)
    delimiter, names = heading_of(lines[first])
    faults = [PairingFault(first + 1, name, "no_column", "") for name in NEEDED if name not in names]
    faults += strange_columns(first + 1, names, (*NEEDED, *OPTIONAL))
    if faults:
        raise PairingError(faults)
    found: list[tuple[int, Fixture]] = []
    for number, line in enumerate(lines[first + 1 :], start=first + 2):
        if line.strip():
            _read_line(number, line, delimiter, names, control, found, faults)
    faults += doubled(found)
    if faults:
        raise PairingError(sorted(faults, key=lambda fault: fault.line))
    if not found:
        raise PairingError([PairingFault(first + 2, "", "empty", "")])
    return tuple(fixture for _, fixture in found)


def check_letters(lines: Sequence[str]) -> None:
    """Refuse a file that was not written as UTF-8: what reads it puts a sign in the place of every letter.

    Raises:
        PairingError: Every line that has such a sign, up to MOST_TOLD.
    """
    wrong = [number for number, line in enumerate(lines, start=1) if "\ufffd" in line or "\0" in line]
    if wrong:
        raise PairingError([PairingFault(number, "", "no_utf8", "") for number in wrong[:MOST_TOLD]])


def heading_of(line: str) -> tuple[str, list[str]]:
    """Return what parts the columns of a file, and their names, which a spreadsheet may have quoted."""
    delimiter = max(",;\t", key=line.count)
    return delimiter, [name.strip().strip('"').strip().lower() for name in line.split(delimiter)]


def strange_columns(number: int, names: Sequence[str], known: Sequence[str]) -> list[PairingFault]:
    """Return the columns of a heading that nobody knows, and those that stand there twice."""
    strange = [PairingFault(number, name, "strange_column", name) for name in names if name not in known]
    twice = [name for name in known if names.count(name) > 1]
    return strange + [PairingFault(number, name, "column_twice", name) for name in twice]


def row_of(number: int, line: str, delimiter: str, names: Sequence[str]) -> dict[str, str] | PairingFault:
    """Return the cells of a line by their column, each in the one way names are written; or what is wrong."""
    try:
        cells = next(csv.reader([line], delimiter=delimiter, strict=True))
    except csv.Error as error:
        return PairingFault(number, "", "quotes", str(error))
    if len(cells) > len(names):
        return PairingFault(number, "", "too_long", delimiter.join(cells[len(names) :])[:60])
    return {name: named(cell) for name, cell in zip(names, cells, strict=False)}


def _read_line(  # noqa: PLR0913, PLR0917 - one line with everything it is judged by
    number: int,
    line: str,
    delimiter: str,
    names: list[str],
    control: str,
    found: list[tuple[int, Fixture]],
    faults: list[PairingFault],
) -> None:
    row = row_of(number, line, delimiter, names)
    if isinstance(row, PairingFault):
        faults.append(row)
        return
    wrong = [PairingFault(number, *fault) for fault in faults_of(row, control)]
    if wrong:
        faults.extend(wrong)
    else:
        found.append((number, fixture_of(row, control)))


def is_whole(text: str, least: int, most: int) -> bool:
    """Tell whether a text is a whole number in a range, written without zeros to fill it up."""
    fits = text.isascii() and text.isdecimal() and len(text) <= len(str(most))
    return fits and least <= int(text) <= most


def faults_of(row: Mapping[str, str], control: str) -> list[tuple[str, FaultCode, str]]:
    """Return what is wrong with one pairing as column, code and value."""
    wrong: list[tuple[str, FaultCode, str]] = []
    number = row.get("round", "")
    if not is_whole(number, 1, LAST_ROUND):
        wrong.append(("round", "no_number", number))
    if not is_id(row.get("board", "")):
        wrong.append(("board", "no_board", row.get("board", "")))
    for column in ("bastaushy", "qostaushy"):
        name = row.get(column, "")
        if not 1 <= len(name) <= LONGEST_NAME or not name.isprintable():
            wrong.append((column, "no_name", name[:LONGEST_NAME]))
    if row.get("bastaushy") and row.get("bastaushy") == row.get("qostaushy"):
        wrong.append(("qostaushy", "same_name", row["qostaushy"]))
    if (row.get("seat") or "a") not in ("a", "b"):
        wrong.append(("seat", "no_seat", row["seat"]))
    try:
        parse_control(row.get("control") or control)
    except TimeControlError:
        wrong.append(("control", "no_control", row.get("control") or control))
    return wrong


def fixture_of(row: Mapping[str, str], control: str) -> Fixture:
    """Return the game of a pairing in which `faults_of` finds nothing."""
    number = int(row["round"])
    return Fixture(
        key=key_of(number, row["board"]),
        round=number,
        board=row["board"],
        bastaushy=row["bastaushy"],
        qostaushy=row["qostaushy"],
        seat=row.get("seat") or "a",
        control=format_control(parse_control(row.get("control") or control)),
    )


def doubled(found: Iterable[tuple[int, Fixture]]) -> list[PairingFault]:
    """Return what one round cannot hold twice: a board, a player."""
    faults: list[PairingFault] = []
    boards: set[tuple[int, str]] = set()
    players: set[tuple[int, str]] = set()
    for number, fixture in found:
        if (fixture.round, fixture.board) in boards:
            faults.append(PairingFault(number, "board", "board_twice", fixture.board))
        boards.add((fixture.round, fixture.board))
        for column in ("bastaushy", "qostaushy"):
            name = getattr(fixture, column)
            if (fixture.round, name) in players:
                faults.append(PairingFault(number, column, "player_twice", name))
            players.add((fixture.round, name))
    return faults
