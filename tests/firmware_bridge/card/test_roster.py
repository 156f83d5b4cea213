"""The table of an event's boards: what people write, and what nobody can mean."""

from __future__ import annotations

import contextlib

import pytest
from hypothesis import given
from hypothesis import strategies as st

from firmware_bridge.card.roster import RosterError, Row, parse_roster, plain_serial, rows_for
from firmware_bridge.card.template import filled, port_of

GOOD = "serial,board\n100000005e123456,board-1\nE66138935F2A4B29,board-2\n"
ROWS = (Row("100000005e123456", "board-1"), Row("e66138935f2a4b29", "board-2"))


@pytest.mark.parametrize(
    "text",
    [
        GOOD,
        "\ufeff" + GOOD.replace("\n", "\r\n"),
        GOOD.replace(",", ";"),
        GOOD.replace(",", "\t"),
        GOOD.replace(",", " , "),
        "# Almaty 2026\n\n" + GOOD.replace("board-1", '"board-1"') + "\n,,\n",
        GOOD.replace("serial,board", "Serial,Board,who sits there").replace("board-1", "board-1,Айдос"),
        GOOD.replace("100000005e123456", "0x100000005E123456"),
    ],
)
def test_the_table_is_read_as_spreadsheets_write_it(text: str) -> None:
    """Whatever comma, line end, case or mark; more columns are people's own."""
    assert parse_roster(text) == ROWS


@pytest.mark.parametrize(
    ("text", "fault", "line", "value"),
    [
        ("", "header", 1, ""),
        ("100000005e123456,board-1\n", "header", 1, "100000005e123456,board-1"),
        ("serial,board\n100000005e123456\n", "columns", 2, "100000005e123456"),
        ("serial,board\n" + "9" * 140_000 + ",board-1\n", "columns", 2, "9" * 40),
        ("serial,board\n1.00000005E+123,board-1\n", "number", 2, "1.00000005E+123"),
        ("serial;board\n1,00000005E+123;board-1\n", "number", 2, "1,00000005E+123"),
        ("serial,board\nмой,board-1\n", "serial", 2, "мой"),
        ("serial,board\n,board-1\n", "serial", 2, ""),
        ("serial,board\n1234,Board 1\n", "name", 2, "Board 1"),
        ("serial,board\nabcd,b1\n\nABCD,b2\n", "serial_twice", 4, "abcd"),
        ("serial,board\nabcd,b1\nabce,b1\n", "board_twice", 3, "b1"),
    ],
)
def test_what_cannot_be_meant_is_refused_by_line_and_value(
    text: str, fault: str, line: int, value: str
) -> None:
    """Above all two machines that would be one board, and a serial number that a spreadsheet has rounded."""
    with pytest.raises(RosterError) as caught:
        parse_roster(text)
    assert (caught.value.fault, caught.value.line, caught.value.value) == (fault, line, value)


def test_a_machine_is_every_board_whose_number_it_finds() -> None:
    """Its own or that of a device plugged into it, in the spelling of whoever says it."""
    assert rows_for(ROWS, ["100000005e123456", "ffff"]) == ROWS[:1]
    assert rows_for(ROWS, ["E66138935F2A4B29", "100000005E123456\0"]) == ROWS
    assert rows_for(ROWS, ["", "00000000"]) == ()


def test_a_board_known_by_its_device_is_on_that_line_and_others_on_the_only_one() -> None:
    """Two boards on one machine must not read the same line."""
    devices = {"e66138935f2a4b29": "/dev/togyz/E66138935F2A4B29"}
    assert [port_of(row, devices) for row in ROWS] == ["/dev/togyz/board", "/dev/togyz/E66138935F2A4B29"]
    assert filled('id = "@board@"\nport = "@port@"', ROWS[0], "/dev/x") == 'id = "board-1"\nport = "/dev/x"'


@given(st.text())
def test_no_text_makes_anything_but_a_table_or_a_named_fault(text: str) -> None:
    """It comes from a card that anybody may have written."""
    with contextlib.suppress(RosterError):
        rows = parse_roster(text)
        assert len({row.board for row in rows}) == len({row.serial for row in rows}) == len(rows)
        assert all(plain_serial(row.serial) == row.serial for row in rows)
