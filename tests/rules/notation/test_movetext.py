"""Lists of moves, read on the board and written in one way."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rules import (
    START,
    IllegalMoveError,
    MoveText,
    Notation,
    NotationError,
    Position,
    RecordError,
    Side,
    format_moves,
    legal_moves,
    parse_moves,
    play,
    read_move,
    scan,
)
from tests.rules.boards import board, played_positions

PRINTED = """
1. 7:6          (10)  9-8
2. 6-6                  8:7...
"""
"""The short example of 1.6.3."""

FULL = """
  1.79:610              79:610
      2.510-511     910:912
   3. 111:212      810:814
   4.{}       92:13х
   5.92:114!
"""
"""The full example of 1.6.3, without the move that has a misprint."""


def short(moves: tuple[MoveText, ...]) -> str:
    """Return moves as one line."""
    return format_moves(moves, width=10_000)


def test_the_short_example_of_the_regulations_plays() -> None:
    """The kazan in it is checked and kept."""
    moves = parse_moves(PRINTED)
    assert short(moves) == "1. 7:6(10) 9-8 2. 6-6 8:7"
    assert [move.kazan for move in moves] == [10, None, None, None]


def test_the_full_example_of_the_regulations_plays_when_its_misprint_is_put_right() -> None:
    """And reads the same in every notation."""
    moves = parse_moves(FULL.format("213:512"))
    assert short(moves) == "1. 7:6 7:6 2. 5-5 9:9 3. 1:2 8:8 4. 2:5 9:1x 5. 9:1!"
    for notation in Notation:
        read = parse_moves(format_moves(moves, notation))
        assert [move.sowing for move in read] == [move.sowing for move in moves]


def test_the_misprint_is_found_at_its_place() -> None:
    """Line, column, word, what was said, what is there."""
    with pytest.raises(RecordError) as caught:
        parse_moves(FULL.format("231:512"))
    error = caught.value
    assert (error.line, error.column, error.word) == (5, 6, "231:512")
    assert isinstance(error.cause, IllegalMoveError)
    assert str(error).startswith(
        "line 5, column 6, '231:512': expected a move that bastaushy can play: "
        "pit 2 cannot be played: the text says 231:512, but pit 2 holds 13 and it makes 213:512 (position: "
    )


@pytest.mark.parametrize(
    ("text", "place", "expected"),
    [
        ("7:6 7:5", (1, 5, "7:5"), "a move that qostaushy can play"),
        ("7:6\n  _:_", (2, 3, "_:_"), "a move that qostaushy can play"),
        ("7:6 (11)", (1, 5, "(11)"), "(10)"),
        ("7:5 (11)", (1, 1, "7:5"), "a move that bastaushy can play"),
        ("7:6!!?", (1, 4, "!!?"), "one of ! !! ? ?? ?!"),
        ("7:6!=?", (1, 1, "7:6"), "a move that bastaushy can play"),
        ("7:6 (10)(10)", (1, 1, "7:6"), "a move that bastaushy can play"),
        ("7:6 --", (1, 5, "--"), "a move that was written down"),
        ("1. 7:6 2. 7:6", (1, 11, "7:6"), "move 1 of qostaushy before it"),
        ("2. 7:6", (1, 4, "7:6"), "move 1 of bastaushy before it"),
        ("1... 7:6", (1, 6, "7:6"), "move 1 of bastaushy before it"),
        ("7:6 1-0 7:6", (1, 9, "7:6"), "nothing behind the result 1-0"),
        ("7:6 1-0 1-0", (1, 9, "1-0"), "nothing behind the result 1-0"),
        (
            "7:6 9;8",
            (1, 5, "9;8"),
            "a move, a number such as 12., (kazan), a judgement, =, a result or {a comment}",
        ),
    ],
)
def test_a_list_that_does_not_play_is_an_error_at_its_place(
    text: str, place: tuple[int, int, str], expected: str
) -> None:
    """Gaps and moves that do not go; the list is read no further."""
    with pytest.raises(RecordError) as caught:
        parse_moves(text)
    error = caught.value
    assert ((error.line, error.column, error.word), error.expected) == (place, expected)


def test_marks_written_twice_are_bad_text() -> None:
    """The cause says what a move may have behind it."""
    with pytest.raises(RecordError, match=r"then at most one each of ! or [?], =, [(]kazan[)]") as caught:
        parse_moves("7:6 = =")
    assert isinstance(caught.value.cause, NotationError)


def test_results_and_comments_around_moves_are_passed_over() -> None:
    """They are for whoever reads records."""
    assert short(parse_moves("{of 2009} 1. 76 (10) {strong} ! 98 0-1 {resigned}")) == "1. 7:6!(10) 9-8"
    assert parse_moves("") == parse_moves("*") == ()


@pytest.mark.parametrize("numbers", ["", "17... ", "1... ", "1. ... "])
def test_a_list_may_begin_at_any_position_and_number(numbers: str) -> None:
    """When the right player begins."""
    position = play(START, 7).after
    moves = parse_moves(f"{numbers}98 66", position)
    assert format_moves(moves, first=17) == "17... 9-8 18. 6-6"
    with pytest.raises(RecordError, match="'98': expected move 1 of qostaushy before it"):
        parse_moves("17. 98", position)


def test_later_numbers_must_go_on_from_the_first() -> None:
    """A gap is a gap."""
    position = play(START, 7).after
    with pytest.raises(RecordError, match="'66': expected move 18 of bastaushy before it"):
        parse_moves("17... 98 19. 66", position)


def test_a_move_is_read_with_the_words_behind_it() -> None:
    """So readers of sheets can take it apart themselves."""
    words = [word for word in scan(["_:6 (10) {c} !"]) if word.text != "c"]
    move = read_move(words, START)
    assert (move.sowing.number, move.kazan, move.judgement) == (7, 10, "!")


def test_a_wrong_kazan_is_blamed_only_behind_a_sound_move() -> None:
    """When the move itself fits nothing or several moves, the move is the trouble."""
    position = board("0 0 0 0 0 0 0 4 9", "0 1 9 0 0 0 0 3 3", (70, 63))
    for text, word in (("_:_(99)", "_:_"), ("8:2(99)", "(99)")):
        with pytest.raises(RecordError) as caught:
            parse_moves(text, position)
        assert caught.value.word == word


def test_lines_are_broken_between_moves_and_never_behind_a_number() -> None:
    """The number stays with its move; what is too long stands alone."""
    moves = parse_moves("76(10) 98 66 87")
    assert format_moves(moves, width=17) == "1. 7:6(10) 9-8\n2. 6-6 8:7"
    assert format_moves(moves, width=14) == "1. 7:6(10) 9-8\n2. 6-6 8:7"
    assert format_moves(moves, width=13) == "1. 7:6(10)\n9-8 2. 6-6\n8:7"
    assert format_moves(moves, width=1) == "1. 7:6(10)\n9-8\n2. 6-6\n8:7"
    assert format_moves((), Notation.FULL) == ""


@st.composite
def games(draw: st.DrawFn) -> tuple[Position, tuple[MoveText, ...]]:
    """Draw a position and moves that can be played from it, some with marks."""
    begin = position = draw(played_positions())
    moves = []
    for choice in draw(st.lists(st.integers(0, 8), max_size=12)):
        numbers = legal_moves(position)
        if not numbers:
            break
        sowing = play(position, numbers[choice % len(numbers)])
        kazan = draw(st.sampled_from([None, sowing.after.kazans[sowing.side.index]]))
        moves.append(MoveText(sowing, draw(st.sampled_from(["", "!", "??"])), draw(st.booleans()), kazan))
        position = sowing.after
    return begin, tuple(moves)


@given(games(), st.sampled_from(Notation), st.integers(1, 120))
def test_a_list_of_moves_survives_its_text(
    game: tuple[Position, tuple[MoveText, ...]], notation: Notation, width: int
) -> None:
    """In every notation and width; in TOTAL with kazans that nobody asked for."""
    position, moves = game
    first = 1 if position == START else 9
    text = format_moves(moves, notation, first=first, width=width)
    read = parse_moves(text, position)
    assert format_moves(read, notation, first=first, width=width) == text
    assert [move.sowing for move in read] == [move.sowing for move in moves]
    if notation is not Notation.TOTAL:
        assert read == moves


@given(games(), st.data())
def test_a_damaged_list_is_moves_or_one_named_error(
    game: tuple[Position, tuple[MoveText, ...]], data: st.DataObject
) -> None:
    """Wherever a character was changed, lost or added."""
    position, moves = game
    text = format_moves(moves, data.draw(st.sampled_from(Notation)))
    place = data.draw(st.integers(0, len(text)))
    sign = data.draw(st.characters() | st.sampled_from("123x:-_.!(={} \n"))
    try:
        read = parse_moves(text[:place] + sign + text[place + data.draw(st.integers(0, 2)) :], position)
    except RecordError:
        return
    assert all(move.sowing.side in Side for move in read)
