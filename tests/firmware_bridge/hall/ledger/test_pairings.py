"""Pairings from a file: read whatever a spreadsheet writes, and every mistake named by line and column."""

from contextlib import suppress

import pytest
from hypothesis import given
from hypothesis import strategies as st

from firmware_bridge.hall.ledger.pairings import PairingError, read_pairings

HEAD = "round,board,bastaushy,qostaushy"


def faults(text: str) -> list[tuple[int, str, str]]:
    """Return line, column and code of every mistake."""
    with pytest.raises(PairingError) as caught:
        read_pairings(text, "1h")
    return [(fault.line, fault.column, fault.code) for fault in caught.value.faults]


@pytest.mark.parametrize("parting", [",", ";", "\t"])
def test_what_a_spreadsheet_writes_is_read(parting: str) -> None:
    """A byte order mark, another order of columns, quotes, empty lines, a control of its own."""
    lines = [
        "\ufeffBoard,Round,Bastaushy,Qostaushy,Seat,Control", "",
        'board-1,1,"Айдос, кіші",Әсел,b,20m+10s', "board-2,1,Ерлан,Дана,,", "",
    ]  # fmt: skip
    text = "\r\n".join(lines)
    if parting != ",":
        text = text.replace('"Айдос, кіші"', "Айдос").replace(",", parting)
    first, second = read_pairings(text, "1h")
    assert (first.key, first.board, first.seat, first.control) == ("r1-board-1", "board-1", "b", "20m+10s")
    assert first.bastaushy.startswith("Айдос")
    assert (second.seat, second.control, second.qostaushy) == ("a", "1h", "Дана")


@pytest.mark.parametrize(
    ("text", "due"),
    [
        ("", [(1, "", "empty")]),
        (HEAD, [(2, "", "empty")]),
        ("round,board,bastaushy,black", [(1, "qostaushy", "no_column"), (1, "black", "strange_column")]),
        (
            f"{HEAD}\nx,B 1,,Әсел",
            [(2, "round", "no_number"), (2, "board", "no_board"), (2, "bastaushy", "no_name")],
        ),
        (f"{HEAD}\n0,b1,x,y\n\n1,b1,x,x", [(2, "round", "no_number"), (4, "qostaushy", "same_name")]),
        (f"{HEAD},seat,control\n1,b1,x,y,c,soon", [(2, "seat", "no_seat"), (2, "control", "no_control")]),
        (f"{HEAD}\n1,b1,x,y\n1,b1,x,z", [(3, "board", "board_twice"), (3, "bastaushy", "player_twice")]),
        (f"{HEAD}\n1,b1,x,y,z", [(2, "", "too_long")]),
        (f'{HEAD}\n1,b1,"x,y', [(2, "", "quotes")]),
        (f"{HEAD},board\n1,b1,x,y,b2", [(1, "board", "column_twice")]),
        (f"{HEAD}\n1,b1,\ufffd\ufffd,y\n2,b1,x,z", [(2, "", "no_utf8")]),
        ("r\0o\0u\0n\0d\0", [(1, "", "no_utf8")]),
        (f"{HEAD}\n00019999,b1,x,y", [(2, "round", "no_number")]),
        (f"{HEAD}\n{'0' * 5000},b1,x,y", [(2, "round", "no_number")]),
    ],
)
def test_every_mistake_is_named_by_line_and_column(text: str, due: list[tuple[int, str, str]]) -> None:
    """All of them at once, so that a file is mended once."""
    assert faults(text) == due


def test_a_quoted_heading_is_read() -> None:
    """A spreadsheet may put every text into quotes."""
    (game,) = read_pairings('"round","board","bastaushy","qostaushy"\n1,"b1","x","y"', "1h")
    assert (game.key, game.bastaushy) == ("r1-b1", "x")


@given(st.text(max_size=300))
def test_whatever_is_in_a_file_it_is_read_or_refused(text: str) -> None:
    """Nothing else comes of it."""
    for candidate in (text, f"{HEAD}\n{text}"):
        with suppress(PairingError):
            assert read_pairings(candidate, "1h")
