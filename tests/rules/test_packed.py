"""Positions as integers."""

import random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rules import START, Position, Side, legal_moves, play
from rules.packed import OVER, PACKED_START, after, afters, kazans, moves, pack, pits, sow, unpack
from tests.rules.boards import played_positions, positions


@given(st.randoms(use_true_random=False))
def test_a_packed_game_is_the_game(chance: random.Random) -> None:
    """Every move of any game, to its end: the same position, the same choices, the same capture."""
    position, packed = START, PACKED_START
    while numbers := legal_moves(position):
        assert moves(packed) == numbers
        assert afters(packed) == [pack(play(position, number).after) for number in numbers]
        assert afters(packed) == [after(packed, number) for number in numbers]
        sowing = play(position, chance.choice(numbers))
        packed, *said = sow(packed, sowing.number)
        assert said == [sowing.last_index, sowing.captured]
        position = sowing.after
        assert (packed, unpack(packed)) == (pack(position), position)
        assert (tuple(pits(packed)), kazans(packed)) == (position.pits, position.kazans)
    assert not moves(packed)
    assert not afters(packed)


@given(positions() | played_positions())
def test_unpacking_is_the_inverse_of_packing(position: Position) -> None:
    """For any board that can exist."""
    assert unpack(pack(position)) == position


@given(positions(), positions())
def test_equal_integers_are_equal_positions(one: Position, other: Position) -> None:
    """Nothing is left out, so they can be the keys of a table."""
    assert (pack(one) == pack(other)) is (one == other)
    assert pack(one) == pack(unpack(pack(one)))


@given(positions() | played_positions())
def test_different_moves_lead_to_different_boards(position: Position) -> None:
    """A board tells which pit was played."""
    following = afters(pack(position))
    assert len(set(following)) == len(following) == len(legal_moves(position))


@pytest.mark.parametrize("held", [(0, 0), (81, 81), (82, 80), (80, 82), (162, 0), (0, 162)])
def test_a_bit_says_that_a_kazan_holds_82(held: tuple[int, int]) -> None:
    """Not one stone earlier (1.3.5)."""
    packed = pack(Position((0,) * 18, held, (None, None), Side.BASTAUSHY))
    assert bool(packed & OVER) is (max(held) >= 82)
    assert kazans(packed) == held


def test_playing_changes_nothing_that_was_kept() -> None:
    """To undo is to go back to the integer before."""
    kept = pack(START)
    seen = {kept}
    for first in afters(kept):
        seen.update(afters(first))
    assert len(seen) == 1 + 73
    assert kept == PACKED_START
