"""Positions as PlayStrategy writes them, and as diagrams are printed."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rules import (
    START,
    Diagram,
    Position,
    PositionFormatError,
    Side,
    format_diagram,
    format_fen,
    parse_diagram,
    parse_fen,
    play,
)
from tests.rules.boards import board, played_positions, positions

B, Q = Side.BASTAUSHY, Side.QOSTAUSHY

FEN = "11S,1S,7S,t,6S,4S,2S,4S,3S/2S,6S,19S,t,1S,3S,1S,3S,3S 57 29 N 10"
BOTH_TUZDYKS = board("2 6 19 0 1 3 1 3 3", "3 4 2 4 6 0 7 1 11", (57, 29), (6, 4), Q)
"""The position of that text."""

DIAGRAM_2009 = """
				55
2	1	1	2	2	х	13	4	0
0	3	1	1	2	1	х	19	1
				54
"""
"""Printed after ten moves of the game of 2009."""

AFTER_TEN = board("0 3 1 1 2 1 0 19 1", "0 4 13 0 2 2 1 1 2", (54, 55), (4, 7))

TUZDYK_160 = """
				3
1	11	1	1	11	11	11	11	11
11	11	11	11	11	11	х	11	1
				10
"""
"""Printed to explain the tuzdyk; its kazan of 10 should be 12."""

boards = positions() | played_positions()


def test_a_position_of_playstrategy_is_read_and_written() -> None:
    """Rows as drawn, kazans, side and number of the move."""
    assert parse_fen(FEN) == (BOTH_TUZDYKS, 10)
    assert format_fen(BOTH_TUZDYKS, 10) == FEN
    assert format_fen(START) == "9S,9S,9S,9S,9S,9S,9S,9S,9S/9S,9S,9S,9S,9S,9S,9S,9S,9S 0 0 S 1"
    after = format_fen(play(START, 7).after)
    assert after == "9S,9S,9S,1,10S,10S,10S,10S,10S/9S,9S,9S,9S,9S,9S,1S,10S,10S 10 0 N 1"


def test_empty_pits_beside_each_other_are_one_number() -> None:
    """But not across a tuzdyk."""
    position = board("0 0 0 0 0 0 0 5 3", "0 2 0 0 0 0 0 0 9", (72, 71), (5, 3))
    assert format_fen(position, 40) == "9S,3,t,2,2S,1/2,t,4,5S,3S 72 71 S 40"


@pytest.mark.parametrize(
    "text",
    [
        "9S,0S,0S,0S,t,0S,0S,2S,0S/0S,0S,t,0S,0S,0S,0S,5S,3S 72 71 S 40",
        "9s,1,1,1,T,2,2s,1/2,t,4,5S,3S  72\t71 s 40\n",
        "9S,3,t,2,002S,1/2,t,4,005S,03S 72 71 S 40",
    ],
)
def test_an_empty_pit_may_be_written_in_other_ways(text: str) -> None:
    """`0S`, one by one, in small letters."""
    position, number = parse_fen(text)
    assert format_fen(position, number) == "9S,3,t,2,2S,1/2,t,4,5S,3S 72 71 S 40"


ROW = "9S,9S,9S,9S,9S,9S,9S,9S,9S"


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "FEN: expected two rows of cells, both kazans, S or N and the number of the move, such as "),
        (f"{ROW}/{ROW} 0 0 S", "FEN: expected two rows of cells"),
        (f"{ROW}/{ROW}/{ROW} 0 0 S 1", "FEN: expected two rows of cells"),
        (f"{ROW}/{ROW} 0 0 S 1" + " " * 2000, "FEN: expected two rows of cells"),
        (f"{ROW}/9S,9 0 0 S 1", "FEN, lower row: expected nine pits instead of 10, got '9S,9'"),
        (f"8/{ROW} 0 0 S 1", "FEN, upper row: expected nine pits instead of 8, got '8'"),
        (
            f"9S,x/{ROW} 0 0 S 1",
            "FEN, upper row, cell 2: expected stones such as 11S, a number of empty pits or t",
        ),
        (f"{ROW}/0 0 0 S 1", "FEN, lower row, cell 1: expected stones such as 11S"),
        (f"{ROW}/{ROW} a 0 S 1", "FEN, kazan of bastaushy: expected a number, got 'a'"),
        (f"{ROW}/{ROW} 0 {'9' * 99} S 1", "FEN, kazan of qostaushy: expected a number, got '9"),
        (f"{ROW}/{ROW} 0 0 W 1", "FEN, side to move: expected S or N, got 'W'"),
        (f"{ROW}/{ROW} 0 0 S 0", "FEN, number of the move: expected 1 or more, got 0"),
        (f"{ROW}/{ROW} 0 0 S -", "FEN, number of the move: expected a number, got '-'"),
        (f"{ROW}/t,t,7 81 0 S 1", "FEN, row of bastaushy: expected one tuzdyk, got 'x x 0 0 0 0 0 0 0'"),
        (f"{ROW}/{ROW} 1 0 S 1", "position: expected a possible one .163 stones instead of 162"),
        (f"{ROW}/{ROW} 163 0 S 1", r"position.kazans\[0\]: expected an integer from 0 to 162, got 163"),
    ],
)
def test_text_that_is_no_position_of_playstrategy_names_the_place(text: str, message: str) -> None:
    """Also where the form is right and the position cannot be."""
    with pytest.raises(PositionFormatError, match=f"^{message}"):
        parse_fen(text)


@given(boards, st.integers(1, 99999))
def test_a_position_survives_playstrategy_s_text(position: Position, number: int) -> None:
    """Every position with its 162 stones."""
    assert parse_fen(format_fen(position, number)) == (position, number)


def test_the_diagram_of_2009_shows_the_position_after_ten_moves() -> None:
    """The number below is bastaushy's kazan: the moves give him 54."""
    diagram = parse_diagram(DIAGRAM_2009)
    assert diagram.position(B) == AFTER_TEN
    assert (diagram.complete, diagram.stones, diagram.wrong_total) == (True, 162, None)


def test_a_diagram_is_printed_as_in_the_book() -> None:
    """With a Latin x."""
    assert format_diagram(AFTER_TEN) == DIAGRAM_2009.strip("\n").replace("х", "x")
    assert format_diagram(AFTER_TEN, Q) == (
        "\t\t\t\t54\n1\t19\tx\t1\t2\t1\t1\t3\t0\n0\t4\t13\tx\t2\t2\t1\t1\t2\n\t\t\t\t55"
    )


def test_the_printed_diagram_with_a_wrong_kazan_says_so() -> None:
    """It can be read, but there is no such position."""
    diagram = parse_diagram(TUZDYK_160)
    assert diagram.wrong_total == "160 stones instead of 162"
    assert diagram.tuzdyks == (None, 7)
    with pytest.raises(PositionFormatError, match="160 stones instead of 162"):
        diagram.position(B)


def test_what_nobody_can_read_is_none() -> None:
    """A whole cell or a digit of it, a kazan, and whatever stands between the cells."""
    diagram = parse_diagram(
        "_\n\n| 9 | 9 | ? | 9 | 1_ | 9 | Х | _ | 9 |\r\n9, 9, 9, 9, 9, 9, 9, 9, 9\n 12 \n"
    )
    assert diagram.pits == (9,) * 9 + (9, None, 0, 9, None, 9, None, 9, 9)
    assert (diagram.kazans, diagram.tuzdyks) == ((12, None), (3, None))
    assert (diagram.complete, diagram.stones, diagram.wrong_total) == (False, 138, None)
    with pytest.raises(PositionFormatError, match="diagram: expected a number or an x in every place"):
        diagram.position(B)
    assert format_diagram(diagram).splitlines()[:2] == ["\t\t\t\t_", "9\t9\t_\t9\t_\t9\tx\t_\t9"]


def test_too_many_stones_are_too_many_whatever_cannot_be_read() -> None:
    """Nothing hidden makes them fewer."""
    diagram = parse_diagram("_\n9 9 9 9 9 9 9 9 9\n9 9 9 9 9 9 9 9 9\n1")
    assert diagram.wrong_total == "163 stones and more instead of 162"


def test_a_diagram_tells_where_a_position_is_another() -> None:
    """Pit by pit, kazans and tuzdyks."""
    diagram = parse_diagram(DIAGRAM_2009)
    other = board("0 3 1 1 2 1 1 19 1", "0 4 13 0 2 2 1 1 2", (53, 55), (4, None))
    assert diagram.contradictions(AFTER_TEN) == ()
    assert diagram.contradictions(other) == (
        "bastaushy 7 is drawn with 0 and holds 1",
        "the kazan of bastaushy is drawn with 54 and holds 53",
        "qostaushy is drawn with a tuzdyk on 7 and has no tuzdyk",
    )
    unmarked = Diagram(AFTER_TEN.pits, AFTER_TEN.kazans, (None, 7))
    assert unmarked.contradictions(AFTER_TEN) == ("bastaushy is drawn with no tuzdyk and has a tuzdyk on 4",)


NINE = "9 9 9 9 9 9 9 9 9"


@pytest.mark.parametrize(
    ("lines", "message"),
    [
        ([], "diagram: expected four lines instead of 0: kazan, two rows, kazan"),
        (["0", NINE, NINE], "diagram: expected four lines instead of 3"),
        (["0", NINE, NINE, "0", " " * 2000], "diagram: expected four lines instead of 0"),
        (["0", "9 9", NINE, "0"], "diagram, upper row: expected nine pits instead of 2, got '9 9'"),
        (["0", NINE, "9" * 9, "0"], "diagram, lower row: expected nine pits instead of 1"),
        (
            ["0 0", NINE, NINE, "0"],
            "diagram, kazan above: expected one number, got '0 0'",
        ),
        (["0", NINE, NINE, "x"], "diagram, kazan below: expected a number of stones, "),
        (
            ["0", NINE, "9 9 9 z 9 9 9 9 9", "0"],
            "diagram, lower row, cell 4: expected a number of ",
        ),
        (["0", "9 9 9 -1 9 9 9 9 9", NINE, "0"], "diagram, upper row, cell 4: expected a number"),
        (["0", "x 9 9 9 9 9 9 9 x", NINE, "0"], "diagram, row of qostaushy: expected one tuzdyk"),
    ],
)
def test_text_that_is_no_diagram_names_the_place(lines: list[str], message: str) -> None:
    """Line and cell."""
    with pytest.raises(PositionFormatError, match=f"^{message}"):
        parse_diagram("\n".join(lines))


@given(boards, st.sampled_from(Side))
def test_a_position_survives_its_diagram(position: Position, bottom: Side) -> None:
    """Whoever sits below; a diagram does not tell who moves."""
    diagram = parse_diagram(format_diagram(position, bottom), bottom)
    assert diagram.position(position.to_move) == position


@given(boards, st.sampled_from(Side), st.sets(st.integers(0, 19)))
def test_hidden_places_contradict_nothing(position: Position, bottom: Side, hidden: set[int]) -> None:
    """And a diagram with them survives its text."""
    pits = tuple(None if place in hidden else stones for place, stones in enumerate(position.pits))
    first, second = (None if 18 + place in hidden else position.kazans[place] for place in (0, 1))
    tuzdyks = [
        None if number is not None and pits[(1 - owner) * 9 + number - 1] is None else number
        for owner, number in enumerate(position.tuzdyks)
    ]
    diagram = Diagram(pits, (first, second), (tuzdyks[0], tuzdyks[1]))
    assert parse_diagram(format_diagram(diagram, bottom), bottom) == diagram
    assert diagram.contradictions(position) == ()
    assert diagram.complete is not bool(hidden)


SIGNS = st.text("0123456789Stx_?,/ \n\tSN", max_size=60)


@given(SIGNS | st.text(max_size=30), boards, st.data())
def test_any_text_is_a_position_a_diagram_or_a_named_error(
    text: str, position: Position, data: st.DataObject
) -> None:
    """Nothing else ever comes out, whatever was changed in a sound one."""
    place = data.draw(st.integers(0, 60))
    for sound, read in ((format_fen(position), parse_fen), (format_diagram(position), parse_diagram)):
        for said in (text, sound[:place] + text[:3] + sound[place + len(text[:2]) :]):
            try:
                read(said)
            except PositionFormatError as error:
                assert len(str(error)) < 500  # noqa: PT017 - any text that is refused is refused shortly
