"""From loads to stones: the whole board at once, from what was known before."""

from __future__ import annotations

import random
from collections.abc import Sequence

import pytest
from hypothesis import given
from hypothesis import strategies as st

from firmware_bridge.board.counting.belief import DRIFT_LIMIT, Belief, Units
from firmware_bridge.board.counting.learning import FOLLOW_STEP
from firmware_bridge.board.counting.lots import Change, change_of, laid_out, stones_due, unchanged
from firmware_bridge.board.counting.observation import MOVING, Observation, PlaceReading, observe
from rules.position import START, Position, Side, Sowing, legal_moves, pit_index, play, tuzdyk_owner

UNITS = Units(stone_g=1.15, mark_g=3.0)


def readings(weights: Sequence[float | None]) -> tuple[PlaceReading, ...]:
    """Return quiet readings of these weights in stones; None is moving."""
    return tuple(
        PlaceReading(None, None, MOVING) if weight is None else PlaceReading(weight * UNITS.stone_g, 0)
        for weight in weights
    )


def set_up(zeros: Sequence[float], stones: Sequence[int] = stones_due(START)) -> Belief:
    """Return what is known once these stones were confirmed on cells with these zeros."""
    change = Change((0,) * 20, tuple(stones), laid_out(START).lots, frozenset())
    seen = look([zero + n for zero, n in zip(zeros, stones, strict=True)], Belief.empty())
    return seen.confirm(seen.compare(change))


def look(weights: Sequence[float | None], belief: Belief) -> Observation:
    """Return a look at these weights."""
    return observe(readings(weights), belief, UNITS)


@given(zeros=st.lists(st.floats(-0.2, 0.2), min_size=20, max_size=20))
def test_what_was_confirmed_is_sure_when_seen_again(zeros: list[float]) -> None:
    """Whatever the zeros are, the confirmed position leaves no residual."""
    belief = set_up(zeros)
    weighed = look([zero + n for zero, n in zip(zeros, stones_due(START), strict=True)], belief).compare(
        unchanged(START)
    )
    assert weighed.sure
    assert weighed.worst == pytest.approx(0, abs=1e-4)


def test_a_kazan_grows_by_the_stones_that_came_not_by_their_mean_mass() -> None:
    """Twelve stones 6 % too heavy weigh nearly thirteen; where they lay before tells that they are twelve."""
    position = Position((*(0,) * 8, 2, 11, *(9,) * 8), (40, 37), (None, None), Side.BASTAUSHY)
    ply = play(position, 9)
    assert ply.captured == 12
    heavy = [1.06 * 11 if place == 9 else float(n) for place, n in enumerate(stones_due(position))]
    seen = look(heavy, Belief.standing(stones_due(position)))
    belief = seen.confirm(seen.compare(unchanged(position)))
    after = [float(n) for n in stones_due(ply.after)]
    after[18] += 0.06 * 11
    weighed = look(after, belief).compare(change_of([ply]))
    assert weighed.sure
    assert look(after, belief).stones(stones_due(position))[18] == 53  # what rounding says


def test_a_place_without_a_load_is_unknown_and_keeps_what_was_known() -> None:
    """Never zero, never a guess."""
    belief = set_up([0.1] * 20)
    weights: list[float | None] = [n + 0.1 for n in stones_due(START)]
    weights[4] = None
    seen = look(weights, belief)
    assert seen.stones(stones_due(START))[4] is None
    assert seen.moving
    assert seen.unread == ((4, MOVING),)
    after = seen.confirm(seen.compare(unchanged(START)))
    assert after.places[4].blind
    assert after.places[4].level == belief.places[4].level
    assert after.places[4].mass == belief.places[4].mass


@pytest.mark.parametrize("place", [0, 5, 17])
@pytest.mark.parametrize("by", [1, -1])
def test_one_stone_more_or_less_is_never_the_same(place: int, by: int) -> None:
    """The board beside it is then the likelier one, and is named."""
    belief = set_up([0.0] * 20)
    weights = [float(n) for n in stones_due(START)]
    weights[place] += by
    weighed = look(weights, belief).compare(unchanged(START))
    assert weighed.margin < -100
    assert weighed.doubt.places == (place,)


@given(
    source=st.integers(0, 17),
    target=st.integers(0, 19),
    noise=st.lists(st.floats(-0.15, 0.15), min_size=20, max_size=20),
)
def test_a_stone_moved_is_named_from_where_to_where(source: int, target: int, noise: list[float]) -> None:
    """Under any noise that leaves room for it."""
    if source == target:
        return
    belief = set_up([0.0] * 20)
    weights = [float(n) + e for n, e in zip(stones_due(START), noise, strict=True)]
    weights[source] -= 1
    weights[target] += 1
    weighed = look(weights, belief).compare(unchanged(START))
    assert not weighed.sure
    assert (weighed.doubt.less, weighed.doubt.more) == (source, target)


def test_half_a_stone_is_unsure() -> None:
    """As near to the one as to the other, so a person must count."""
    weights = [float(n) for n in stones_due(START)]
    weights[3] += 0.5
    weighed = look(weights, set_up([0.0] * 20)).compare(unchanged(START))
    assert not weighed.sure
    assert weighed.margin == pytest.approx(0, abs=2)


def test_a_zero_that_wanders_too_far_is_not_followed_but_named() -> None:
    """Beyond the limit a level stays where it was, so that it will not fit any more."""
    belief = set_up([0.0] * 20)
    weights = [float(n) for n in stones_due(START)]
    looks = round(DRIFT_LIMIT / FOLLOW_STEP) + 400
    drift = 0.0
    for _ in range(looks):
        drift += FOLLOW_STEP
        weights[3] = 9 + drift
        seen = look(weights, belief)
        belief = seen.follow(seen.compare(unchanged(START)))
    assert belief.drifted(0.0) == (3,)
    assert belief.zero(3, 0.0) == pytest.approx(DRIFT_LIMIT, abs=0.1)
    assert not look(weights, belief).compare(unchanged(START)).sure


def test_a_tuzdyk_may_bear_a_mark_or_not() -> None:
    """Laid before or after the press, it is seen, and is part of the level from then on."""
    tuzdyk = Position((*(9,) * 11, 0, *(9,) * 6), (9, 0), (3, None), Side.QOSTAUSHY)
    belief = Belief.exactly(stones_due(tuzdyk))
    weights = [float(n) for n in stones_due(tuzdyk)]
    weights[11] += UNITS.mark_g / UNITS.stone_g
    seen = look(weights, belief)
    weighed = seen.compare(unchanged(tuzdyk))
    assert weighed.sure
    assert weighed.toggled == {11}
    marked = seen.follow(weighed)
    assert marked.marked == {11}
    again = look(weights, marked).compare(unchanged(tuzdyk))
    assert again.sure
    assert again.toggled == frozenset()
    weights[11] -= UNITS.mark_g / UNITS.stone_g
    seen = look(weights, marked)
    assert seen.follow(seen.compare(unchanged(tuzdyk))).marked == frozenset()


@pytest.mark.parametrize("stones", [1, 2, 3])
def test_stones_left_in_a_tuzdyk_are_no_mark(stones: int) -> None:
    """A mark weighs 2.6 stones here; three stones kept back from the kazan are missing there."""
    tuzdyk = Position((*(9,) * 11, 0, *(9,) * 6), (9, 0), (3, None), Side.QOSTAUSHY)
    weights = [float(n) for n in stones_due(tuzdyk)]
    weights[11] += stones
    weights[18] -= stones
    assert not look(weights, Belief.exactly(stones_due(tuzdyk))).compare(unchanged(tuzdyk)).sure


def test_a_stone_on_the_board_is_no_hand_and_a_stone_gone_is() -> None:
    """What is in hand is counted from what has left the board."""
    belief = set_up([0.1] * 20)
    weights = [n + 0.1 for n in stones_due(START)]
    weights[6] -= 9
    assert look(weights, belief).in_hand == pytest.approx(9, abs=0.01)
    weights[12] += 9
    assert look(weights, belief).in_hand == pytest.approx(0, abs=0.01)


def test_what_is_known_survives_its_text() -> None:
    """A journal gives back exactly what the board went on with."""
    rng = random.Random(1)
    belief = set_up([rng.gauss(0, 0.1) for _ in range(20)])
    assert Belief.from_json(belief.to_json()) == belief
    with pytest.raises(ValueError, match="20 places"):
        Belief.from_json({**belief.to_json(), "levels": [1.0]})
    with pytest.raises(KeyError):
        Belief.from_json({})


@pytest.mark.parametrize("cv", [0.012, 0.08])
def test_the_spread_of_the_stones_is_learned(cv: float) -> None:
    """After some plies the board knows how unequal the stones are, whatever it believed before."""
    rng = random.Random(7)
    stones = [[rng.gauss(1, cv) for _ in range(n)] for n in stones_due(START)]
    position = START
    seen = look([sum(pit) for pit in stones], Belief.empty())
    belief = seen.confirm(seen.compare(laid_out(START)))
    for _ in range(80):
        ply = play(position, rng.choice(legal_moves(position)))
        _carry(stones, ply, rng)
        seen = look([sum(pit) for pit in stones], belief)
        belief = seen.confirm(seen.compare(change_of([ply])))
        position = ply.after
    assert cv / 2.2 < belief.spread**0.5 < cv * 1.8


def _carry(stones: list[list[float]], ply: Sowing, rng: random.Random) -> None:
    origin = pit_index(ply.side, ply.number)
    hand, stones[origin] = stones[origin], []
    rng.shuffle(hand)
    for index, stone in zip(ply.path, hand, strict=True):
        owner = tuzdyk_owner(index, ply.before.tuzdyks)
        stones[index if owner is None else 18 + owner.index].append(stone)
    if ply.captured:
        stones[18 + ply.side.index].extend(stones[ply.last_index])
        stones[ply.last_index] = []
