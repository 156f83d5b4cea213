"""A hypothesis is worth what whole matrices say, and is told from every board one stone away."""

from __future__ import annotations

import random
from dataclasses import dataclass, replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from firmware_bridge.board.counting.belief import Belief, Known
from firmware_bridge.board.counting.lots import (
    Change,
    Lot,
    change_of,
    laid_out,
    stones_due,
    swept_stones,
    tuzdyk_places,
    unchanged,
)
from firmware_bridge.board.counting.weighing import BELOW, FAR, Weighed, expected, far_off, weigh
from rules.position import START, Position, Side, play
from tests.firmware_bridge.board.counting.dense import judged
from tests.firmware_bridge.board.lines import line_of

MARK = 2.6
TUZDYK = Position((*(9,) * 11, 0, *(9,) * 6), (9, 0), (3, None), Side.QOSTAUSHY)
SEEDS = st.integers(0, 1_000_000)


@dataclass(frozen=True, slots=True)
class Case:
    """Something to weigh: what was known, what is read, and what may have happened."""

    belief: Belief
    weights: tuple[float | None, ...]
    noise: tuple[float, ...]
    change: Change

    def weighed(self) -> Weighed:
        """Weigh it."""
        return weigh(self.belief, self.weights, self.noise, self.change, MARK)

    def due(self) -> list[float]:
        """Return what each place should weigh, without marks."""
        gains = expected(self.belief, self.change)
        return [known.level + gain for known, gain in zip(self.belief.places, gains, strict=True)]

    def off(self, place: int, by: float) -> Case:
        """Return the same with one place that weighs more."""
        weight = self.weights[place]
        assert weight is not None
        return replace(self, weights=(*self.weights[:place], weight + by, *self.weights[place + 1 :]))


def a_change(rng: random.Random) -> Change:
    """Return plies, nothing at all, or stones laid out."""
    kind = rng.random()
    if kind < 0.05:
        return laid_out(START)
    plies = line_of(rng, rng.randint(1, 3))
    return unchanged(plies[-1].after) if kind < 0.2 else change_of(plies, swept=rng.random() < 0.3)


def a_case(rng: random.Random, spreads: tuple[float, ...] = (0.004, 0.03, 0.1, 0.25)) -> Case:
    """Return anything that may be known and read, wild ones and broken cells among them."""
    change = a_change(rng)
    spread = rng.choice(spreads) ** 2
    marked = frozenset(place for place in change.tuzdyks if rng.random() < 0.5)
    places = tuple(
        Known(
            level=stones + rng.gauss(0, 0.3),
            level_var=rng.choice((1e-5, 1e-3, 0.04)),
            mass=stones * rng.gauss(1, 0.03),
            mass_var=rng.choice((0.0, 1e-4, spread * stones)),
            wobble=rng.choice((1e-4, 9e-4, 0.04)),
            sway=rng.choice((0.0, 0.02, -0.3)),
        )
        for stones in change.before
    )
    noise = tuple(rng.choice((1.6e-5, 1e-3, 1e-2)) for _ in range(20))
    case = Case(Belief(places, spread, marked=marked), (), noise, change)
    error = rng.choice((0.0, 0.05, 0.15, 0.5))
    weights = [
        None
        if rng.random() < 0.05
        else due + rng.gauss(0, error) + rng.choice((0, 1, -1, MARK) if rng.random() < 0.05 else (0,))
        for due in case.due()
    ]
    return replace(case, weights=tuple(weights))


def exact_case(rng: random.Random) -> Case:
    """Return plies whose every place weighs just what is due, and no tuzdyk that may bear a mark."""
    case = a_case(rng)
    case = replace(
        case,
        change=replace(case.change, tuzdyks=frozenset()),
        belief=replace(case.belief, marked=frozenset()),
    )
    return replace(case, weights=tuple(case.due()))


@settings(max_examples=60)
@given(seed=SEEDS)
def test_a_hypothesis_is_worth_what_whole_matrices_say(seed: int) -> None:
    """Likelihood, margin and doubt, whatever is known, read or unread, laid or swept."""
    case = a_case(random.Random(seed))
    weighed = case.weighed()
    dense = judged(case.belief, weighed)
    assert weighed.likelihood == pytest.approx(dense.likelihood, rel=1e-6, abs=1e-6)
    least = min(dense.beside.values())
    if least > 0:
        far = any(value is not None and not -BELOW < value < FAR for value in weighed.residuals)
        assert weighed.margin == pytest.approx(0.0 if far else dense.margin, rel=1e-6)
        assert dense.beside[weighed.doubt.more, weighed.doubt.less] == pytest.approx(
            least, rel=1e-6, abs=1e-6
        )
    else:
        assert weighed.margin == pytest.approx(least, rel=0.1, abs=1e-6)
        assert not weighed.sure


@pytest.mark.parametrize("seed", [464, 741, 752])
def test_no_board_is_overlooked_where_very_unequal_stones_were_sown(seed: int) -> None:
    """The likeliest board may move a stone between places that do not strain most."""
    case = a_case(random.Random(seed), spreads=(0.25,))
    weighed = case.weighed()
    assert weighed.margin == pytest.approx(judged(case.belief, weighed).margin, rel=1e-6)


@settings(max_examples=40)
@given(seed=SEEDS, by=st.floats(0.001, 0.45), place=st.integers(0, 19))
def test_no_place_may_stray_for_nothing(seed: int, by: float, place: int) -> None:
    """Whichever weighs more or less than is due, the hypothesis is less likely, and less sure or as sure."""
    case = exact_case(random.Random(seed))
    due = case.weighed()
    if case.weights[place] is None:
        return
    signs = (1, -1) if due.change.after[place] else (1,)
    for sign in signs:
        strayed = case.off(place, sign * by).weighed()
        assert strayed.likelihood < due.likelihood
        further = case.off(place, sign * (by + 0.05)).weighed()
        assert further.likelihood < strayed.likelihood
    both = [case.off(place, sign * by).weighed().margin for sign in (1, -1)]
    assert min(both) <= due.margin + 1e-9


@settings(max_examples=30)
@given(seed=SEEDS, place=st.integers(0, 19))
def test_a_place_that_strays_half_a_stone_is_as_much_the_one_as_the_other(seed: int, place: int) -> None:
    """Nearer to the next number than to its own, it makes the hypothesis the less likely one."""
    case = exact_case(random.Random(seed))
    assert case.weighed().margin > 0
    assert case.off(place, 0.49).weighed().margin < case.weighed().margin
    assert case.off(place, 0.51).weighed().margin < 0


def test_residuals_larger_than_expected_make_it_less_sure() -> None:
    """Nobody is as far from another board as a reading that strains everywhere pretends."""
    belief = Belief.exactly(stones_due(START))
    weights = [n + (0.25 if place % 2 else -0.25) for place, n in enumerate(stones_due(START))]
    weighed = weigh(belief, weights, (1e-4,) * 20, unchanged(START), MARK)
    dense = judged(belief, weighed)
    assert dense.excess > 2
    assert weighed.margin == pytest.approx(min(dense.beside.values()) / dense.excess)
    quiet = [n + (0.001 if place % 2 else -0.001) for place, n in enumerate(stones_due(START))]
    weighed = weigh(belief, quiet, (1e-4,) * 20, unchanged(START), MARK)
    assert weighed.margin == pytest.approx(min(judged(belief, weighed).beside.values()))
    wrong = [n + (0.6 if place == 4 else 0.0) for place, n in enumerate(stones_due(START))]
    weighed = weigh(belief, wrong, (1e-4,) * 20, unchanged(START), MARK)
    assert weighed.margin == pytest.approx(min(judged(belief, weighed).beside.values()))
    assert weighed.margin < 0


@settings(max_examples=40)
@given(seed=SEEDS, place=st.integers(0, 19))
def test_an_unread_place_says_nothing(seed: int, place: int) -> None:
    """Neither its level, nor its noise, nor that it is unread: it is as if it were not there."""
    case = a_case(random.Random(seed))
    unread = replace(case, weights=(*case.weights[:place], None, *case.weights[place + 1 :]))
    weighed = unread.weighed()
    assert weighed.residuals[place] is None
    assert place not in weighed.doubt.places
    assert place not in weighed.wrong
    places = list(case.belief.places)
    places[place] = replace(places[place], level=4.7, level_var=0.3, wobble=0.6)
    noise = (*case.noise[:place], 4.0, *case.noise[place + 1 :])
    other = replace(unread, belief=replace(case.belief, places=tuple(places)), noise=noise).weighed()
    assert other.margin == pytest.approx(weighed.margin)
    assert other.likelihood == pytest.approx(weighed.likelihood)
    assert other.doubt == weighed.doubt


def test_of_a_board_none_of_whose_places_can_be_read_nothing_is_sure() -> None:
    """All of them move for a moment whenever samples have been missing."""
    for change in (unchanged(START), change_of([play(START, 7)])):
        weighed = weigh(Belief.exactly(stones_due(START)), (None,) * 20, (1e-4,) * 20, change, MARK)
        assert not weighed.sure
        assert weighed.doubt.places == ()


def test_nothing_is_known_of_a_board_none_of_whose_places_can_be_read_but_one() -> None:
    """That one is still told from its neighbours; the others are no reason for anything."""
    belief = Belief.exactly(stones_due(START))
    weights: list[float | None] = [None] * 20
    weights[6] = 9.0
    assert weigh(belief, weights, (1e-4,) * 20, unchanged(START), MARK).doubt.places == (6,)
    weights[6] = 10.0
    weighed = weigh(belief, weights, (1e-4,) * 20, unchanged(START), MARK)
    assert weighed.wrong == (6,)
    assert weighed.worst == 1.0
    assert (weighed.doubt.more, weighed.doubt.less) == (6, None)


@settings(max_examples=40)
@given(seed=SEEDS, place=st.integers(0, 19), share=st.floats(0.0, 1.0))
def test_a_board_and_the_one_beside_it_are_told_apart_alike(seed: int, place: int, share: float) -> None:
    """As far as a reading lies from the one, so sure is the other: nobody is preferred."""
    case = exact_case(random.Random(seed))
    places = list(case.belief.places)
    places[place] = replace(places[place], level=places[place].level + 1)
    after = list(case.change.after)
    after[place] += 1
    beside = replace(
        case,
        belief=replace(case.belief, places=tuple(places)),
        change=replace(case.change, after=tuple(after)),
    )
    near = case.off(place, share)
    one = judged(case.belief, near.weighed()).beside[place, None]
    other = judged(beside.belief, replace(beside, weights=near.weights).weighed()).beside[None, place]
    assert one == pytest.approx(-other, abs=1e-6)
    halfway = case.off(place, 0.5)
    assert halfway.weighed().margin <= 1e-6
    assert replace(beside, weights=halfway.weights).weighed().margin <= 1e-6
    assert halfway.weighed().likelihood == pytest.approx(
        replace(beside, weights=halfway.weights).weighed().likelihood
    )


@pytest.mark.parametrize("lies", [False, True])
@pytest.mark.parametrize("known", [False, True])
def test_a_mark_is_seen_to_be_laid_or_taken(*, known: bool, lies: bool) -> None:
    """A tuzdyk weighs a mark more or less than it did, or just what it did; and is as sure in each case."""
    belief = Belief.exactly(stones_due(TUZDYK))
    if known:
        places = list(belief.places)
        places[11] = replace(places[11], level=MARK)
        belief = replace(belief, places=tuple(places), marked=frozenset((11,)))
    weights = [*map(float, stones_due(TUZDYK))]
    weights[11] = MARK if lies else 0.0
    weighed = weigh(belief, weights, (1e-4,) * 20, unchanged(TUZDYK), MARK)
    assert weighed.toggled == (frozenset((11,)) if known != lies else frozenset())
    assert weighed.residuals[11] == pytest.approx(0.0)
    assert weighed.sure


def test_no_mark_is_looked_for_where_no_tuzdyk_is_or_none_is_used() -> None:
    """There what weighs like one is stones, or something that fell onto the board."""
    weights = [*map(float, stones_due(TUZDYK))]
    weights[11] = MARK
    belief = Belief.exactly(stones_due(TUZDYK))
    without = weigh(belief, weights, (1e-4,) * 20, unchanged(TUZDYK), 0.0)
    assert without.toggled == frozenset()
    assert not without.sure
    weights[11], weights[12] = 0.0, 9.0 + MARK
    elsewhere = weigh(belief, weights, (1e-4,) * 20, unchanged(TUZDYK), MARK)
    assert elsewhere.toggled == frozenset()
    assert not elsewhere.sure


def test_a_mark_is_less_sure_than_none_for_nobody_weighed_it() -> None:
    """Its mass varies with the mark, so the place strays further by itself."""
    belief = Belief.exactly(stones_due(TUZDYK))
    weights = [*map(float, stones_due(TUZDYK))]
    bare = weigh(belief, weights, (1e-4,) * 20, unchanged(TUZDYK), MARK)
    weights[11] = MARK
    laid = weigh(belief, weights, (1e-4,) * 20, unchanged(TUZDYK), MARK)
    assert laid.own[11] > bare.own[11]
    assert laid.own[:11] == bare.own[:11]


def test_a_place_strays_the_further_the_more_was_moved_there_and_elsewhere() -> None:
    """By its gain's error and by crosstalk; and by what noise, wobble and level are known to be."""
    position = Position((1, *(0,) * 6, 1, 40, 1, *(0,) * 8), (60, 59), (None, None), Side.BASTAUSHY)
    belief = Belief.exactly(stones_due(position))
    base = 1e-4 + belief.places[4].wobble
    weights = stones_due(position)
    small = weigh(belief, weights, (1e-4,) * 20, change_of([play(position, 1)]), MARK)
    large = weigh(belief, weights, (1e-4,) * 20, change_of([play(position, 9)]), MARK)
    still = weigh(belief, weights, (1e-4,) * 20, unchanged(position), MARK)
    assert still.own[4] == pytest.approx(base)
    assert base < small.own[16] < large.own[16]
    due = tuple(30 if place in (9, 14) else 5 for place in range(20))
    few, as_many = Lot(3, 5, ((4, 5.0),)), Lot(14, 30, ((15, 30.0),))
    many = Lot(9, 30, ((10, 10.0), (11, 10.0), (12, 10.0)))

    def own(*lots: Lot) -> tuple[float, ...]:
        change = Change(due, due, lots, frozenset())
        return weigh(Belief.exactly(due), due, (1e-4,) * 20, change, MARK).own

    assert own(few)[0] < own(few, many)[0] == own(many)[0]
    assert own(few)[9] < own(many)[9] < own(many, as_many)[9]
    assert own(many)[8] == own(few, many)[8] > own(few)[8]


@settings(max_examples=60)
@given(seed=SEEDS)
def test_a_board_out_of_the_question_is_never_sure(seed: int) -> None:
    """The short look at each place alone throws nothing away that weighing would have believed."""
    case = a_case(random.Random(seed), spreads=(0.004, 0.03, 0.06))
    change = case.change
    if far_off(case.belief, case.weights, change.before, change.after, change.tuzdyks, MARK):
        assert not case.weighed().sure


@pytest.mark.parametrize("place", [2, 11, 18])
def test_a_look_at_each_place_alone_leaves_out_boards_two_stones_off(place: int) -> None:
    """But not those that one mark, or an unread place, explains."""
    bear = tuzdyk_places(TUZDYK)
    due = stones_due(TUZDYK)
    belief = Belief.exactly(due)

    def off(by: float, mark: float = MARK) -> bool:
        weights = [float(n) + (by if at == place else 0.0) for at, n in enumerate(due)]
        return far_off(belief, weights, due, due, bear, mark)

    assert off(2.0) is (place != 11)
    assert off(MARK) is (place != 11)
    assert off(MARK, mark=0.0)
    assert off(9.0)
    assert not off(0.9)
    weights: list[float | None] = [*map(float, due)]
    weights[place] = None
    assert not far_off(belief, weights, due, due, bear, MARK)


def test_a_swept_board_is_as_sure_as_one_that_is_not() -> None:
    """What is left over is poured into the kazan whole, and its mass was known."""
    position = Position((*(0,) * 7, 2, *(0,) * 10), (80, 80), (None, None), Side.BASTAUSHY)
    ply = play(position, 8)
    belief = Belief.exactly(stones_due(position))
    swept = swept_stones(ply.after)
    assert swept is not None
    whole = weigh(belief, swept, (1e-4,) * 20, change_of([ply], swept=True), MARK)
    assert whole.sure
    assert not weigh(belief, swept, (1e-4,) * 20, change_of([ply]), MARK).sure


@pytest.mark.parametrize("place", [18, 11])
def test_an_empty_place_that_weighs_less_than_nothing_is_never_sure(place: int) -> None:
    """No stone can be missing there, so no board one stone away explains it; it is no good board either."""
    due = [n if at != 11 else 0 for at, n in enumerate(stones_due(START))]
    belief = Belief.exactly(due)
    weights = [float(n) for n in due]
    weights[place] -= 2.5
    change = Change(tuple(due), tuple(due), (), frozenset())
    assert not weigh(belief, weights, (1e-4,) * 20, change, MARK).sure
