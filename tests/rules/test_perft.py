"""The number of move sequences that any two programs must agree on."""

import pytest
from hypothesis import given

from rules import START, Line, Position, Side, apply, legal_moves, perft
from rules.packed import afters, moves
from tests.rules.boards import board, played_positions, positions
from tests.rules.endings.games import generated_games

COUNTS = [1, 9, 73, 613, 5199, 43184, 360035, 3003052, 25166174]


@pytest.mark.parametrize("depth", range(len(COUNTS)))
def test_sequences_from_the_start_are_as_many_as_everybody_counts(depth: int) -> None:
    """Three independent programs agree on these."""
    assert perft(START, depth) == COUNTS[depth]


def played_out(position: Position, depth: int) -> int:
    """Return the same number by playing everything."""
    if depth == 0:
        return 1
    return sum(played_out(apply(position, number).after, depth - 1) for number in legal_moves(position))


@given(positions() | played_positions())
def test_replies_that_are_reckoned_are_those_that_can_be_played(position: Position) -> None:
    """From any position, near the end or not: nothing is lost by not playing the last two plies."""
    assert [perft(position, depth) for depth in range(3)] == [
        played_out(position, depth) for depth in range(3)
    ]


def test_replies_are_reckoned_right_where_games_end() -> None:
    """The last plies of games of all endings: rows are empty there, and kazans come near 82."""
    for game in generated_games():
        line = Line()
        for number in game.moves:
            line.play(number)
        for _ in game.moves[-8:]:
            line.undo()
            played = sum(len(moves(following)) for following in afters(line.packed))
            assert perft(line.position, 2) == played


def test_a_finished_position_has_one_empty_sequence_and_no_other() -> None:
    """Nothing can be played after the end."""
    position = board("0 1 0 0 2 0 0 0 0", "0 0 0 0 0 0 0 0 7", (82, 70), to_move=Side.QOSTAUSHY)
    assert [perft(position, depth) for depth in range(3)] == [1, 0, 0]


def test_sequences_that_end_early_are_not_counted() -> None:
    """A game over after one ply has no sequence of two; one of the two moves here goes on for a while."""
    position = board("0 0 0 0 0 0 0 0 0", "0 0 0 0 0 0 0 1 2", (80, 79), to_move=Side.QOSTAUSHY)
    assert [perft(position, depth) for depth in range(3)] == [1, 2, 1]


def test_a_negative_depth_is_refused() -> None:
    """The message names it."""
    with pytest.raises(ValueError, match="depth -1 is negative"):
        perft(START, -1)
