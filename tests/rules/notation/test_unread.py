"""Moves with characters that nobody can read, or with one of their pits missing."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rules import (
    START,
    AmbiguousMoveError,
    IllegalMoveError,
    Notation,
    Sowing,
    format_move,
    format_short,
    parse_move,
)
from tests.rules.boards import board
from tests.rules.notation.test_reading import NEAR_TUZDYK, OVER, result, sowings


@pytest.mark.parametrize(
    ("text", "number"),
    [
        ("_:6", 7),
        ("7:_", 7),
        ("7__", 7),
        ("__6", 7),
        ("_9-___", 1),
        ("79__10", 7),
        ("_1d_", 7),
        ("_6(10)", 7),
    ],
)
def test_a_move_with_unreadable_characters_is_found_by_what_is_legal(text: str, number: int) -> None:
    """When one fits, it is the one."""
    assert parse_move(text, START).sowing.number == number


@pytest.mark.parametrize(("text", "number"), [(":6", 7), ("-9", 1), ("7:", 7), ("1-", 1), ("=", None)])
def test_a_move_without_one_of_its_pits_is_found_too(text: str, number: int | None) -> None:
    """On a sheet the landing pit may be all there is."""
    found = result(text, START)
    assert (found.number if isinstance(found, Sowing) else None) == number


def test_a_lone_digit_may_be_either_pit() -> None:
    """So it is a move only where one is possible."""
    with pytest.raises(AmbiguousMoveError) as caught:
        parse_move("7", START)
    assert caught.value.candidates == ("7:6", "8:7")
    assert str(caught.value) == f"'7' can be 7:6 or 8:7: say which (position: {START})"
    assert parse_move("2", NEAR_TUZDYK).sowing.number == 9


def test_a_kazan_tells_moves_apart() -> None:
    """Two moves that look alike may bank differently."""
    position = board("0 0 0 0 0 0 0 4 9", "0 1 9 0 0 0 0 3 3", (70, 63))
    with pytest.raises(AmbiguousMoveError) as caught:
        parse_move("_:_", position)
    assert caught.value.candidates == ("8:2", "9:8")
    assert caught.value.position == position
    assert parse_move("_:_(72)", position).sowing.number == 8


def test_text_that_no_legal_move_fits_lists_them() -> None:
    """With their kazans when one was said."""
    legal = "1-9, 2:1, 3:2, 4:3, 5:4, 6:5, 7:6, 8:7, 9:8"
    with pytest.raises(
        IllegalMoveError, match=f"no move fits: the text says _-8, but the legal moves are {legal} "
    ):
        parse_move("_-8", START)
    with pytest.raises(
        IllegalMoveError, match=r"says _:6\(9\), but the legal moves are 1-9\(0\), 2:1\(10\), "
    ) as caught:
        parse_move("_:6(9)", START)
    assert caught.value.number is None
    with pytest.raises(IllegalMoveError, match="no move fits: the game is over"):
        parse_move("_:6", OVER)


@given(sowings(), st.sampled_from(Notation), st.data())
def test_unreadable_characters_hide_a_move_and_never_change_it(
    sowing: Sowing, notation: Notation, data: st.DataObject
) -> None:
    """Whatever is hidden, the move itself stays among those that fit."""
    text = format_move(sowing, notation)
    size = len(text) if ")" not in text else 2
    hidden = data.draw(st.sets(st.integers(0, size - 1)))
    masked = "".join("_" if place in hidden else sign for place, sign in enumerate(text))
    found = result(masked, sowing.before)
    if isinstance(found, AmbiguousMoveError):
        assert format_short(sowing) in found.candidates
    else:
        assert found == sowing
