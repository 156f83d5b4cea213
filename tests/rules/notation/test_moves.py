"""Moves as text and back."""

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from rules import (
    START,
    IllegalMoveError,
    NotationError,
    Position,
    format_short,
    format_two_digit,
    legal_moves,
    parse_short,
    parse_two_digit,
    play,
)
from rules.notation.parts import plain
from tests.rules.boards import board, played_positions, positions

NEAR_TUZDYK = board("0 0 0 0 0 0 0 5 3", "0 2 0 0 0 0 0 0 9", (72, 71))
"""9 wins the tuzdyk on 2; 8 ends on the third pit with one stone."""

EVERY_TEXT = [
    f"{first}{sign}{last}{x}"
    for first in range(1, 10)
    for sign, x in (("-", ""), (":", ""), (":", "x"))
    for last in range(1, 10)
]


def test_the_official_short_form_marks_taking_quiet_and_tuzdyk() -> None:
    """As in the regulations' own table of marks."""
    assert format_short(play(START, 7)) == "7:6"
    assert format_short(play(START, 1)) == "1-9"
    assert format_short(play(NEAR_TUZDYK, 9)) == "9:2x"


def test_two_digits_mark_the_tuzdyk_only() -> None:
    """As in the archives."""
    assert format_two_digit(play(START, 7)) == "76"
    assert format_two_digit(play(START, 1)) == "19"
    assert format_two_digit(play(NEAR_TUZDYK, 9)) == "92x"


@pytest.mark.parametrize("letter", ["x", "X", "х", "Х"])
def test_the_x_may_be_latin_or_cyrillic_and_of_either_case(letter: str) -> None:
    """People write what their keyboard has."""
    assert parse_short("9:2" + letter, NEAR_TUZDYK).tuzdyk == 2
    assert parse_two_digit("92" + letter, NEAR_TUZDYK).tuzdyk == 2


@given(positions() | played_positions())
def test_reading_is_the_inverse_of_writing(position: Position) -> None:
    """In both notations, for every legal move."""
    for number in legal_moves(position):
        sowing = play(position, number)
        assert parse_short(format_short(sowing), position) == sowing
        assert parse_two_digit(format_two_digit(sowing), position) == sowing


@pytest.mark.parametrize(
    "text",
    [
        "",
        "7",
        "7:",
        "7:66",
        "1.7:6",
        "7:6!",
        "7:6(10)",
        "7:_",
        "0:6",
        "7:0",
        "7-6x",
        "7x6",
        "٧:٦",
        "7:6xx",
        "76",
    ],
)
def test_text_that_is_no_short_notation_is_bad_text(text: str) -> None:
    """Which is something else than a move that is not allowed; `7-6x` contradicts itself."""
    with pytest.raises(NotationError) as caught:
        parse_short(text, START)
    assert caught.value.text == text
    assert not isinstance(caught.value, IllegalMoveError)


@pytest.mark.parametrize("text", ["", "7", "766", "1.76", "76!", "7_", "06", "70", "7:6", "76xx", "７６"])
def test_text_that_is_no_two_digit_notation_is_bad_text(text: str) -> None:
    """Full-width and other digits are none either."""
    with pytest.raises(NotationError):
        parse_two_digit(text, START)


def test_bad_text_is_quoted_with_what_was_expected() -> None:
    """And cut when it is long."""
    with pytest.raises(NotationError) as caught:
        parse_two_digit("?" * 1000, START)
    expected = "expected pit, pit of the last stone, and x for a tuzdyk, such as 76 or 24x"
    assert str(caught.value) == f"'{'?' * 60}...' is no move: {expected}"


@pytest.mark.parametrize(
    ("text", "said", "done"),
    [("7-6", "7-6", "7:6"), ("7:5", "7:5", "7:6"), ("1:9", "1:9", "1-9"), ("7:6Х", "7:6x", "7:6")],
)
def test_a_text_that_says_something_else_than_the_move_does_is_illegal(
    text: str, said: str, done: str
) -> None:
    """A sheet that contradicts the board has a mistake somewhere; both readings are named."""
    with pytest.raises(IllegalMoveError, match=f"the text says {said}, but it makes {done}; "):
        parse_short(text, START)


@pytest.mark.parametrize("text", ["75", "76x", "18"])
def test_two_digits_must_agree_with_the_board_as_well(text: str) -> None:
    """The landing pit is a check."""
    with pytest.raises(IllegalMoveError, match=f"the text says {text}, but it makes "):
        parse_two_digit(text, START)


def test_a_tuzdyk_that_is_not_marked_is_noticed() -> None:
    """Otherwise one sheet could stand for two games."""
    with pytest.raises(IllegalMoveError, match="the text says 92, but it makes 92x"):
        parse_two_digit("92", NEAR_TUZDYK)


def test_a_pit_that_may_not_be_played_is_illegal() -> None:
    """Its text is sound."""
    with pytest.raises(IllegalMoveError, match="pit 1 cannot be played: it is empty"):
        parse_short("1-2", NEAR_TUZDYK)


@given(played_positions())
def test_a_legal_move_has_one_text_and_no_other(position: Position) -> None:
    """Of all that can be written, exactly as many fit as there are moves."""
    fitting = []
    for text in EVERY_TEXT:
        try:
            fitting.append(parse_short(text, position).number)
        except IllegalMoveError:
            continue
    assert tuple(fitting) == legal_moves(position)


@given(st.text(max_size=8) | st.from_regex(r"[1-9][:-]?[1-9][xXхХ]?", fullmatch=True), played_positions())
@example("7:6", START)
def test_any_text_is_a_move_or_one_of_two_errors(text: str, position: Position) -> None:
    """Nothing else ever comes out."""
    for parse, write in ((parse_short, format_short), (parse_two_digit, format_two_digit)):
        try:
            sowing = parse(text, position)
        except (NotationError, IllegalMoveError):
            continue
        else:
            assert write(sowing) == plain(text)
