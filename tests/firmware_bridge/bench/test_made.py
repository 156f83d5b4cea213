"""Games of our own making."""

from __future__ import annotations

from firmware_bridge.bench.made import games_ending, kind_of_end, made_game
from rules.position import START, legal_moves, play


def test_a_made_game_is_legal_and_goes_to_its_end() -> None:
    """Every ply follows from the one before, and the last leaves no move."""
    for number in range(12):
        position = START
        for sowing in made_game(number):
            assert sowing == play(position, sowing.number)
            position = sowing.after
        assert not legal_moves(position)


def test_a_number_names_the_same_game_for_ever() -> None:
    """Results name games by number: another game under it would make them false."""
    first = made_game(7)
    made_game.cache_clear()
    assert made_game(7) == first
    assert [sowing.number for sowing in made_game(0)[:8]] == [6, 4, 5, 8, 1, 3, 5, 1]
    assert made_game(8) != first


def test_every_kind_of_end_is_among_the_first_games() -> None:
    """82, a sweep and 81:81."""
    for kind in ("82", "sweep", "draw"):
        (number,) = games_ending(kind, 1)
        assert number < 120
        assert kind_of_end(made_game(number)) == kind
    assert kind_of_end(made_game(0)[:10]) == "open"
