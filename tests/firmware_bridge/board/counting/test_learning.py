"""What a confirmed position teaches: shares of a difference, and what no data sheet tells.

That zeros are held and masses go with their stones stands in `test_belief.py`.
"""

from __future__ import annotations

import random
from dataclasses import replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from firmware_bridge.board.counting.belief import SPREAD, Belief
from firmware_bridge.board.counting.learning import (
    AVERAGED,
    CONFIRM_STEP,
    FOLLOW_STEP,
    MOST_UNSEEN,
    SPREAD_BOUNDS,
    UNSEEN,
    WOBBLE_BOUNDS,
    confirmed,
    followed,
    predicted,
)
from firmware_bridge.board.counting.lots import Change, change_of, laid_out, stones_due, unchanged
from firmware_bridge.board.counting.weighing import Weights, expected, weigh
from rules.position import START, play
from tests.firmware_bridge.board.lines import line_of

MARK = 2.6
QUIET = (1e-4,) * 20
SEEDS = st.integers(0, 1_000_000)


def due(belief: Belief, change: Change) -> list[float]:
    """Return what each place should weigh."""
    return [known.level + gain for known, gain in zip(belief.places, expected(belief, change), strict=True)]


def learned(belief: Belief, weights: Weights, change: Change) -> Belief:
    """Return what is known once the change is confirmed."""
    return confirmed(belief, weights, QUIET, weigh(belief, weights, QUIET, change, MARK), MARK)


@settings(max_examples=40)
@given(seed=SEEDS, error=st.sampled_from([0.0, 0.1, 1.0, 30.0]))
def test_what_is_learned_stays_within_its_bounds(seed: int, error: float) -> None:
    """However wild the readings are."""
    rng = random.Random(seed)
    change = change_of(line_of(rng, 2))
    belief = Belief.standing(change.before)
    weights = [None if rng.random() < 0.1 else value + rng.gauss(0, error) for value in due(belief, change)]
    after = learned(belief, weights, change)
    assert SPREAD_BOUNDS[0] <= after.spread <= SPREAD_BOUNDS[1]
    for known, weight in zip(after.places, weights, strict=True):
        assert WOBBLE_BOUNDS[0] <= known.wobble <= WOBBLE_BOUNDS[1]
        assert known.mass >= 0
        assert known.blind is (weight is None)


def test_unequal_stones_are_noticed_at_the_set_up() -> None:
    """Eighteen pits of nine stones tell a poor set from a good one, as far as their zeros let them."""
    rng, change = random.Random(1), laid_out(START)

    def spread_of(cv: float) -> float:
        weights = [sum(rng.gauss(1, cv) for _ in range(n)) for n in change.after]
        return learned(Belief.empty(), weights, change).spread

    assert spread_of(0.01) <= SPREAD < 10 * SPREAD < spread_of(0.2)


def test_a_place_that_strays_is_known_to_stray() -> None:
    """By itself or with all zeros, which one place alone cannot tell; the others are not blamed for it."""
    belief, rng = Belief.exactly(stones_due(START)), random.Random(2)
    for _ in range(60):
        weights = [float(n) for n in stones_due(START)]
        weights[5] = 9 + rng.choice((0.2, -0.2))
        belief = learned(belief, weights, unchanged(START))
    strays = [known.wobble + known.sway**2 for known in belief.places]
    assert strays.index(max(strays)) == 5
    assert strays[5] > 4 * max(strays[:5] + strays[6:])


def test_zeros_that_move_together_are_known_to() -> None:
    """The temperature of the room moves each by its own amount, one of them the other way."""
    belief, rng = Belief.exactly(stones_due(START)), random.Random(3)
    for _ in range(40):
        warmth = rng.choice((0.3, -0.3))
        weights = [known.level + warmth for known in belief.places]
        weights[7] = belief.places[7].level - warmth
        belief = learned(belief, weights, unchanged(START))
    sways = [known.sway for known in belief.places]
    assert all(sways[place] * sways[7] < 0 for place in range(18) if place != 7)


def test_a_level_that_is_unsure_follows_at_once_and_a_sure_one_slowly() -> None:
    """Half a stone or a two-hundredth; each look leaves it a little surer."""
    exact = Belief.exactly(stones_due(START))
    places = list(exact.places)
    places[2] = replace(places[2], level_var=2 * UNSEEN)
    belief = replace(exact, places=tuple(places))
    weights = [known.level + 0.3 for known in belief.places]
    same = weigh(belief, weights, QUIET, unchanged(START), MARK)
    after = followed(belief, weights, QUIET, same, MARK)
    moved = [now.level - then.level for now, then in zip(after.places, belief.places, strict=True)]
    assert moved[2] == pytest.approx(min(0.3, CONFIRM_STEP))
    assert moved[:2] + moved[3:] == pytest.approx([FOLLOW_STEP] * 19)
    assert after.places[2].level_var == pytest.approx(2 * UNSEEN * AVERAGED)


def test_plies_that_nobody_saw_leave_levels_unsure_but_never_hopeless() -> None:
    """However many they are: with more, the very reading that is due would not be believed."""
    belief, position = Belief.exactly(stones_due(START)), START
    for number in (5, 5, 7, 3, 9, 2):
        sowing = play(position, number)
        belief, position = predicted(belief, change_of((sowing,)), MARK), sowing.after
    variances = [known.level_var for known in belief.places]
    assert all(UNSEEN <= variance <= MOST_UNSEEN for variance in variances)
    assert [known.mass for known in belief.places] == pytest.approx(stones_due(position), abs=1e-3)
