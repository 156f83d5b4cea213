"""Positions as integers."""

import random

from hypothesis import given
from hypothesis import strategies as st

from rules import START, legal_moves, play
from rules.packed import PACKED_START, after, afters, kazans, moves, pack, pits, sow, unpack


@given(st.randoms(use_true_random=False))
def test_a_packed_game_is_the_game(chance: random.Random) -> None:
    """Every move of any game, to its end: the same position, the same choices, the same capture."""
    position, packed = START, PACKED_START
    while legal_moves(position):
        numbers = legal_moves(position)
        assert tuple(moves(packed)) == numbers
        assert afters(packed) == [pack(play(position, number).after) for number in numbers]
        assert [after(packed, number) for number in numbers] == afters(packed)
        number = chance.choice(numbers)
        sowing = play(position, number)
        packed, last, captured = sow(packed, number)
        assert (last, captured) == (sowing.last_index, sowing.captured)
        position = sowing.after
        assert (packed, unpack(packed)) == (pack(position), position)
        assert (tuple(pits(packed)), kazans(packed)) == (position.pits, position.kazans)
    assert (moves(packed), afters(packed)) == ([], [])
