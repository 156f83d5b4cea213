"""Moves backwards."""

import pytest
from hypothesis import given

from rules import START, STONES, Position, Side, legal_moves, play, problems, unplay
from tests.rules.boards import board, played_positions, positions, turned

B, Q = Side.BASTAUSHY, Side.QOSTAUSHY


@given(positions() | played_positions())
def test_every_move_is_among_the_ways_back(position: Position) -> None:
    """From any board, laps of forty stones, captures and tuzdyks on the way included."""
    for number in legal_moves(position):
        assert (position, number) in set(unplay(play(position, number).after))


@given(positions() | played_positions())
def test_every_way_back_leads_here_again(position: Position) -> None:
    """By a legal move, from a board that can exist, and each is told once."""
    ways = list(unplay(position))
    assert len(set(ways)) == len(ways)
    for before, number in ways:
        assert sum(before.pits) + sum(before.kazans) == STONES
        assert not any(problem.kind.fatal for problem in problems(before))
        assert play(before, number).after == position


@pytest.mark.parametrize(
    "position",
    [
        # A pit of one that every long sowing would have passed three times.
        board("3 3 3 3 3 3 3 3 3", "3 3 3 3 1 3 3 3 3", (60, 50), to_move=Q),
        # A tuzdyk that a sowing of sixty would have made of less than nothing.
        board("4 4 4 4 4 4 4 4 4", "4 4 0 4 4 4 4 4 4", (50, 44), (3, None), to_move=Q),
    ],
)
def test_no_way_back_takes_more_from_a_pit_than_it_holds(position: Position) -> None:
    """On no lap."""
    for before, number in unplay(position):
        assert min(before.pits) >= 0
        assert play(before, number).after == position


@given(positions())
def test_both_players_go_back_alike(position: Position) -> None:
    """The board turned round has the same ways back, turned round."""
    ways = {(turned(before), number) for before, number in unplay(position)}
    assert set(unplay(turned(position))) == ways


def test_the_move_that_won_a_tuzdyk_is_taken_back_with_it() -> None:
    """Three stones return to the pit, from a kazan that held nothing else."""
    after = board("1 1 0 0 0 0 0 0 0", "0 0 0 5 0 0 0 0 0", (3, 152), (3, None), to_move=Q)
    assert not any(before.tuzdyks == (3, None) for before, _ in unplay(after) if before.kazans[0] < 3)
    won = [(before, number) for before, number in unplay(after) if before.tuzdyks == (None, None)]
    assert won == []
    after = board("0 0 0 0 0 0 0 1 1", "1 1 0 5 0 0 0 0 0", (3, 150), (3, None), to_move=Q)
    assert list(unplay(after)) == []
    after = board("0 0 0 0 0 0 0 1 1", "1 1 0 5 0 0 0 0 0", (73, 80), (3, None), to_move=Q)
    won = [(before, number) for before, number in unplay(after) if before.tuzdyks == (None, None)]
    assert won == [
        (board("0 0 0 0 0 0 0 5 0", "0 0 2 5 0 0 0 0 0", (70, 80), to_move=B), 8),
        (board("0 0 0 0 0 0 0 1 4", "0 0 2 5 0 0 0 0 0", (70, 80), to_move=B), 9),
    ]


def test_a_capture_on_the_third_lap_is_taken_back() -> None:
    """The pit that was taken had been passed twice: less than four stones cannot have been taken there."""
    before = board("0 0 0 0 0 0 0 40 0", "1 1 1 0 0 0 0 0 0", (60, 59), to_move=B)
    sowing = play(before, 8)
    assert (sowing.last_number, sowing.captured, sowing.after.kazans) == (2, 4, (64, 59))
    ways = [way for way, number in unplay(sowing.after) if number == 8 and way.pits[7] == 40]
    assert before in ways
    assert [64 - way.kazans[0] for way in ways] == list(range(4, 65, 2))


def test_nothing_leads_to_the_start_in_a_game() -> None:
    """Only boards that no game reaches do: a hundred and more stones in one pit."""
    assert all(max(before.pits) > 100 for before, _ in unplay(START))
