"""How likely pulses are: probabilities that add up, and what they say of boards one stone away."""

from __future__ import annotations

from math import isclose

from hypothesis import given
from hypothesis import strategies as st

from firmware_bridge.board.counting.passages import (
    HELP,
    NOTHING,
    Falls,
    Passed,
    Rates,
    chances,
    falls_of,
    together,
)
from rules.position import START, play

RATES = Rates(missed=0.02, doubled=0.02, hands=0.05)
SMALL = st.integers(0, 6)


@given(st.builds(Falls, SMALL, SMALL, SMALL, SMALL))
def test_the_chances_of_all_numbers_of_pulses_add_up_to_one(falls: Falls) -> None:
    """Whatever falls, some number of pulses comes of it (strays beyond two are left out)."""
    assert isclose(sum(chances(falls, RATES)), 1.0, abs_tol=1e-5)


@given(st.integers(0, 12))
def test_as_many_pulses_as_single_stones_are_the_likeliest(stones: int) -> None:
    """Misses and doubles are rare."""
    found = chances(Falls(single=stones), RATES)
    assert max(range(len(found)), key=found.__getitem__) == stones


def test_a_ply_lets_each_stone_fall_once_and_its_capture_as_handfuls() -> None:
    """7 from the start: one stone each in pits 7 to 15, ten captured from the last."""
    ply = play(START, 7)
    falls = falls_of(ply)
    assert [place for place, due in enumerate(falls) if due.single] == list(range(6, 15))
    assert falls[18] == Falls(poured=ply.captured)
    assert falls[6].hands == falls[14].hands == 1
    reply = play(ply.after, 1)
    assert sum(due.single for due in together((ply, reply))) == ply.stones + reply.stones


def test_a_pulse_without_a_stone_and_a_stone_without_a_pulse_lower_the_margin() -> None:
    """One more is likelier where a pulse is over; one less where a pulse is missing."""
    falls = (Falls(single=1), *NOTHING[1:])
    agree = Passed((1, *(0,) * 19), RATES).votes(falls)
    over = Passed((1, 1, *(0,) * 18), RATES).votes(falls)
    missing = Passed((0,) * 20, RATES).votes(falls)
    assert min(agree.more) > 3
    assert max(agree.less) == min(agree.less) == 0
    assert over.more[1] < -3
    assert missing.less[0] < -3


def test_a_stone_taken_away_makes_no_pulse_so_none_speaks_for_one_less() -> None:
    """Right pulses are no proof that the stone still lies there."""
    votes = Passed((1,) * 20, RATES).votes((Falls(single=1),) * 20)
    assert max(votes.less) == 0


def test_beside_readable_cells_no_place_says_more_than_its_share() -> None:
    """Twenty pulses without a stone move a margin by what two places may say, and no further."""
    votes = Passed((1,) * 20, RATES).votes(NOTHING).limited()
    assert (min(votes.more), min(votes.less), votes.total) == (-HELP, 0.0, -2 * HELP)


def test_a_place_without_a_beam_says_nothing() -> None:
    """No beam is not a beam without pulses."""
    votes = Passed((None,) * 20, RATES).votes((Falls(single=1),) * 20)
    assert set(votes.more + votes.less) == {0.0}
    assert votes.total == 0.0


def test_two_dead_places_are_told_apart_only_by_what_fell() -> None:
    """A stone in the wrong one of the two shows as a pulse; two blind ones show nothing."""
    falls = (Falls(single=1), *NOTHING[1:])
    assert Passed((1, *(0,) * 19), RATES).votes(falls).between((0, 1))[0] > 3
    assert Passed((0, 1, *(0,) * 18), RATES).votes(falls).between((0, 1)) < (-3, 1, 0)
    assert Passed((None,) * 20, RATES).votes(falls).between((0, 1))[0] == 0
