"""Sheets as they are typed off."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from rules import Entry, RecordError, RulesError, Sheet, Unique, read_sheet, restore
from rules.sheets.text import with_tags
from tests.rules.sheets.made import DIAGRAMS_2009, GAME_2009

PRINTED = """
1. 32 98  2. 78 44  4. 24х 69  5. 69 81  6. 91 94  8. 91 91  9. 39 79
10. 68 89
\t\t\t\t55
2\t1\t1\t2\t2\tх\t13\t4\t0
0\t3\t1\t1\t2\t1\tх\t19\t1
\t\t\t\t54
12. 24 92  13. 12 78  14. 56 67  15. 45 56  16. 68 89  17. 34 78  18. 23 67  19. 45 78  20. 34 89
"""
"""The beginning of the game of 2009 as it was printed, its first diagram included."""


def test_the_printed_game_reads_with_its_gaps_and_its_diagram() -> None:
    """Numbers tell which moves are missing; a diagram stands after the move before it."""
    sheet = read_sheet(PRINTED)
    missing = set(range(1, 41)) - {entry.ply for entry in sheet.entries}
    assert missing == {5, 6, 13, 14, 21, 22}
    (diagram,) = sheet.diagrams
    assert (diagram.ply, diagram.line) == (20, 4)
    assert (diagram.cells, diagram.kazans) == (DIAGRAMS_2009[0].cells, DIAGRAMS_2009[0].kazans)
    found = restore(sheet)
    assert isinstance(found, Unique)
    assert [f"{one.number}{one.last_number}" for one in found.sowings] == [
        text.rstrip("x") for text in GAME_2009[:40]
    ]


def test_a_sheet_holds_what_was_written_and_where() -> None:
    """Missing moves, half-read kazans, one side's move alone, a result and the final kazans."""
    sheet = read_sheet("1. 7:6 (10) 9_8! (1_)\n2. .. 4_=\n3... 5:7x\n[Kazans 82:7_]\n1-0\n")
    assert sheet == Sheet(
        (
            Entry(1, "7:6", "10", 1, 4),
            Entry(2, "9_8", "1_", 1, 13),
            Entry(3, "", "", 2, 4),
            Entry(4, "4_", "", 2, 7),
            Entry(6, "5:7x", "", 3, 6),
        ),
        (),
        "1-0",
        ("82", "7_"),
        5,
    )
    assert sheet.plies == 6


def test_a_kazan_before_the_x_is_the_kazan() -> None:
    """One program writes it so."""
    assert read_sheet("1. 45(10)X").entries == (Entry(1, "45x", "10", 1, 4),)


@pytest.mark.parametrize("line", ["[Kazans 82–7_]", "[kazan 82：7＿]", "[KAZANS 82 - 7_]"])
def test_final_kazans_are_written_with_any_dash_or_colon(line: str) -> None:
    """As a word processor makes them."""
    assert read_sheet(f"1. 7:6\n{line}").kazans == ("82", "7_")


def test_a_kazan_that_is_half_read_keeps_its_gap_wherever_it_stands() -> None:
    """Behind the move or before its x, in brackets of any width; nothing is guessed."""
    for text in ("1. 45(1_)X", "1. 45（1＿） х"):
        assert read_sheet(text).entries == (Entry(1, "45x", "1_", 1, 4),)
    assert read_sheet("1. 45(_)X").entries == (Entry(1, "45x", "_", 1, 4),)
    for text in ("1. 76(1_)", "1. 76 （ 1＿ ）"):
        assert read_sheet(text).entries == (Entry(1, "76", "1_", 1, 4),)


def test_a_diagram_is_drawn_from_its_writer_s_side() -> None:
    """Qostaushy draws himself below, and the same board is read."""
    below = read_sheet("[Diagram 10]\n55\n2 1 1 2 2 x 13 4 0\n0 3 1 1 2 1 x 19 1\n54")
    above = read_sheet("[diagram 10 Qostaushy]\n54\n1|19|X|1|2|1|1|3|0\n0|4|13|x|2|2|1|1|2\n55")
    assert above.diagrams == below.diagrams
    assert below.diagrams[0].cells == DIAGRAMS_2009[0].cells
    assert below.diagrams[0].kazans == ("54", "55")


def test_a_diagram_may_stand_after_any_ply_and_without_kazans() -> None:
    """`10.` is after bastaushy's tenth; `0` before the first move."""
    rows = "? 1_ 1 2 2 x 13 4 0\n0 3 1 1 2 1 x 19 1\n"
    sheet = read_sheet(f"[Diagram 10.]\n{rows}[Diagram 0.]\n{rows}1. 76")
    assert [diagram.ply for diagram in sheet.diagrams] == [19, 0]
    assert sheet.diagrams[0].cells[16:] == ("1_", "_")
    assert sheet.diagrams[0].kazans == ("", "")
    assert [entry.ply for entry in sheet.entries] == [1]


def test_the_diagram_of_a_record_is_read() -> None:
    """It stands in a comment, behind its move; other comments may say anything."""
    text = (
        '[Event "Cup"]\n1. 76 {won ten\n1 1 1 1 1 1 1 1 1\n1 1 1 1 1 1 1 1 1} 98 '
        "{%diagram\n0\n9 10 9 9 9 9 0 10 9\n9 9 9 9 9 9 1 10 10\n10\n} ; {open\n2. 21"
    )
    sheet = read_sheet(text)
    assert [entry.text for entry in sheet.entries] == ["76", "98", "21"]
    (diagram,) = sheet.diagrams
    assert (diagram.ply, diagram.kazans) == (2, ("10", "0"))


def test_lines_of_moves_are_no_diagram() -> None:
    """Nine moves of two digits in two lines are eighteen moves."""
    sheet = read_sheet("76\n98 66 87 12 76 25 78 48 36\n94 16 84 82 91 97 18 26 91\n23")
    assert len(sheet.entries) == 20
    assert sheet.diagrams == ()


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("1. 1-2x", "line 1, column 4, '1-2x': expected a move such as 7:6.*'1-2x' is no move"),
        ("1. 76 hello", "line 1, column 7, 'hello': expected a move, "),
        ("76\n[Diagram 10]\n1 2 3", r"line 2, column 1, '\[Diagram 10\]': expected two rows of nine cells"),
        ("76 {%diagram\n1 2 3}", r"line 1, column 4, .*: expected %diagram and two rows of nine cells"),
        ("2. 76 1. 98", "line 1, column 7, '1.': expected the number 2... or a higher one"),
        ("[Diagram ten]", r"line 1, column 1, '\[Diagram': expected"),
    ],
)
def test_what_is_no_sheet_is_refused_with_its_place(text: str, message: str) -> None:
    """Line, column, the word and what should stand there."""
    with pytest.raises(RecordError, match=message):
        read_sheet(text)


@given(st.text(alphabet="0123456789.:-xXх_()[]{}=! \n\tDiagram", max_size=120))
@settings(max_examples=200, deadline=None)
def test_any_text_is_read_or_refused_by_name(text: str) -> None:
    """Nothing else comes out of hostile text."""
    try:
        sheet = read_sheet(text)
    except RulesError:
        return
    assert isinstance(sheet, Sheet)
    assert str(restore(sheet, max_positions=50))


@pytest.mark.parametrize(
    "head",
    [
        "Бастаушы: Қабдығалым Нұржан\nҚостаушы: Райымбекова Роза\n",
        "Город: Алматы\r\n\r\nБастаушы – Қабдығалым Нұржан\r\nКостаушы : Райымбекова Роза\r\n",
        '[Event "e"]\nBastaushy: Қабдығалым Нұржан\nblack: Райымбекова Роза\n',
    ],
)
def test_the_players_stand_above_the_moves_as_in_books(head: str) -> None:
    """In the languages of sheets, with whatever else stands there; lines keep their numbers."""
    text = f"{head}1. 32 98\n"
    sheet = read_sheet(text)
    assert [(entry.text, entry.line) for entry in sheet.entries] == [
        ("32", text.count("\n")),
        ("98", text.count("\n")),
    ]
    tagged = with_tags(text)
    assert '[Bastaushy "Қабдығалым Нұржан"]' in tagged
    assert '[Qostaushy "Райымбекова Роза"]' in tagged


def test_a_line_with_a_colon_among_the_moves_is_no_head() -> None:
    """Only what stands above them is passed over."""
    with pytest.raises(RecordError) as caught:
        read_sheet("1. 32 98\nБастаушы: 78\n")
    assert (caught.value.line, caught.value.column) == (2, 1)


def test_a_name_with_quotes_and_backslashes_stays_one() -> None:
    """As a tag writes it."""
    assert with_tags('Бастаушы: a "b" \\c') == r'[Bastaushy "a \"b\" \\c"]'
