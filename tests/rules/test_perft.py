"""The number of move sequences that any two programs must agree on."""

import pytest

from rules import START, Side, perft
from tests.rules.boards import board

COUNTS = [1, 9, 73, 613, 5199, 43184, 360035]


@pytest.mark.parametrize("depth", range(len(COUNTS)))
def test_sequences_from_the_start_are_as_many_as_everybody_counts(depth: int) -> None:
    """Three independent programs agree on these."""
    assert perft(START, depth) == COUNTS[depth]


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
