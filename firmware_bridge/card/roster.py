"""The table of an event's boards: which serial number is which board.

`boards.csv` has a first line `serial,board` and a line for each board. People write it in a spreadsheet, so
a byte order mark, semicolons, tabs, blanks and empty lines are taken as they come. A serial number is that of
a Raspberry Pi or that of a microcontroller's USB chip; whoever finds its own in the table is that board, and
a machine that finds several runs several boards.
"""

from __future__ import annotations

import csv
import re
from collections.abc import Collection, Iterator
from dataclasses import dataclass
from typing import Final, Literal, TypeAlias

COLUMNS: Final = ("serial", "board")

RosterFault: TypeAlias = Literal[
    "header", "columns", "serial", "number", "name", "serial_twice", "board_twice"
]
"""What may be wrong with a line: `number` is what a spreadsheet makes of a serial number such as 10005e12."""

_SERIAL: Final = re.compile(r"[0-9a-z][0-9a-z._-]{3,63}")
_AS_NUMBER: Final = re.compile(r"[0-9]+(?:[.,][0-9]+)?e\+[0-9]+")
_NAME: Final = re.compile(r"[a-z0-9-]{1,32}")  # as `Identifier` of the configuration


class RosterError(ValueError):
    """Raised when a line of the table cannot be meant.

    Attributes:
        fault: What is wrong.
        line: Number of the line, from 1.
        value: What stands there.
    """

    def __init__(self, fault: RosterFault, line: int, value: str) -> None:
        super().__init__(f"line {line}: {fault}: {value!r}")
        self.fault, self.line, self.value = fault, line, value


@dataclass(frozen=True, slots=True)
class Row:
    """One board of the table.

    Attributes:
        serial: The serial number it is known by, as `plain_serial` writes it.
        board: The board's name.
    """

    serial: str
    board: str


def plain_serial(text: str) -> str:
    """Return a serial number in one spelling: people and programs write it in small letters or large ones."""
    return text.strip().strip("\0").lower().removeprefix("0x")


def parse_roster(text: str) -> tuple[Row, ...]:
    """Read the table.

    Raises:
        RosterError: A line cannot be meant; a serial number or a board stands there twice.
    """
    rows: list[Row] = []
    for line, cells in _cells(text):
        row = _row(line, cells)
        if any(row.serial == other.serial for other in rows):
            raise RosterError("serial_twice", line, row.serial)
        if any(row.board == other.board for other in rows):
            raise RosterError("board_twice", line, row.board)
        rows.append(row)
    return tuple(rows)


def rows_for(roster: Collection[Row], serials: Collection[str]) -> tuple[Row, ...]:
    """Return the boards that a machine with these serial numbers is, in the order of the table."""
    mine = {plain_serial(serial) for serial in serials}
    return tuple(row for row in roster if row.serial in mine)


def _cells(text: str) -> Iterator[tuple[int, list[str]]]:
    """Yield the lines behind the head, cut into cells, with their numbers."""
    lines = text.removeprefix("\ufeff").splitlines()
    head = next((line for line in lines if _says_something(line)), "")
    comma = next((each for each in (";", "\t") if each in head), ",")
    heads_seen = 0
    for number, line in enumerate(lines, start=1):
        if not _says_something(line):
            continue
        try:
            cells = [cell.strip() for cell in next(csv.reader([line], delimiter=comma))]
        except csv.Error as error:  # a cell of more than 128 kB
            raise RosterError("columns", number, line[:40]) from error
        if heads_seen:
            yield number, cells
            continue
        if tuple(cell.lower() for cell in cells[: len(COLUMNS)]) != COLUMNS:
            raise RosterError("header", number, line.strip())
        heads_seen += 1
    if not heads_seen:
        raise RosterError("header", 1, "")


def _says_something(line: str) -> bool:
    return bool(line.strip(" \t,;")) and not line.lstrip().startswith("#")


def _row(line: int, cells: list[str]) -> Row:
    if len(cells) < len(COLUMNS):
        raise RosterError("columns", line, ", ".join(cells))
    serial, board = plain_serial(cells[0]), cells[1]
    if _AS_NUMBER.fullmatch(serial):
        raise RosterError("number", line, cells[0])
    if not _SERIAL.fullmatch(serial):
        raise RosterError("serial", line, cells[0])
    if not _NAME.fullmatch(board):
        raise RosterError("name", line, board)
    return Row(serial, board)
