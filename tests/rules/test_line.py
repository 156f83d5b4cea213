"""A line of play, forth and back."""

import doctest

import pytest
from hypothesis import given
from hypothesis import strategies as st

import rules.line
from rules import START, IllegalMoveError, Line, Position, Side, legal_moves, pack, play
from tests.rules.boards import board, positions, random_game


def test_the_session_in_the_docstring_runs() -> None:
    """What is shown is what happens."""
    outcome = doctest.testmod(rules.line)
    assert outcome.attempted == 4
    assert outcome.failed == 0


def test_a_new_line_has_no_plies() -> None:
    """And stands where it begins."""
    line = Line()
    assert (line.plies, line.position, line.packed, line.legal_moves()) == (
        (),
        START,
        pack(START),
        tuple(range(1, 10)),
    )


@pytest.mark.parametrize("seed", range(10))
def test_a_game_played_and_taken_back_is_at_the_start_again(seed: int) -> None:
    """Through every position it passed, in both directions."""
    line = Line()
    game = random_game(seed)
    for position, number in game:
        assert (line.position, line.legal_moves()) == (position, legal_moves(position))
        assert line.play(number) == play(position, number).captured
    assert line.legal_moves() == ()
    assert line.plies == tuple(number for _, number in game)
    for position, number in reversed(game):
        assert line.undo() == number
        assert line.position == position
    assert line.plies == ()


@given(positions(), st.lists(st.integers(0, 8), max_size=12))
def test_undo_restores_exactly(position: Position, choices: list[int]) -> None:
    """From any position, whatever was played."""
    line = Line(position)
    for choice in choices:
        if numbers := line.legal_moves():
            line.play(numbers[choice % len(numbers)])
    for _ in line.plies:
        line.undo()
    assert (line.position, line.packed, line.plies) == (position, pack(position), ())


@pytest.mark.parametrize(
    ("number", "message"),
    [
        (3, "pit 3 cannot be played: it is empty and bastaushy is to move"),
        (0, "pit 0 cannot be played: pits have the numbers 1 to 9"),
        (-1, "pit -1 cannot be played: pits have the numbers 1 to 9"),
        (10, "pit 10 cannot be played: pits have the numbers 1 to 9"),
        (2, "pit 2 cannot be played: it is the tuzdyk of qostaushy"),
    ],
)
def test_an_illegal_move_is_refused_and_changes_nothing(number: int, message: str) -> None:
    """As `play` refuses it, with its reason."""
    position = board("1 0 0 9 9 9 9 9 9", "9 9 9 9 9 9 9 9 9", (18, 8), (None, 2))
    line = Line(position)
    with pytest.raises(IllegalMoveError) as caught:
        line.play(number)
    assert str(caught.value).startswith(message)
    assert (line.position, line.plies) == (position, ())


@pytest.mark.parametrize("kazans", [(82, 70), (70, 82)])
def test_nothing_is_played_once_a_kazan_holds_82(kazans: tuple[int, int]) -> None:
    """Whose ever it is."""
    line = Line(board("1 0 0 0 0 0 0 0 0", "9 0 0 0 0 0 0 0 0", kazans, to_move=Side.BASTAUSHY))
    with pytest.raises(IllegalMoveError, match="the game is over"):
        line.play(1)


def test_there_is_nothing_to_take_back_at_the_beginning() -> None:
    """The message says so."""
    with pytest.raises(IndexError, match="no move to take back: the line is at its beginning"):
        Line().undo()
