"""What is known of every place: zeros that are held, and masses that move with their stones."""

from __future__ import annotations

import json
import random
from dataclasses import replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from firmware_bridge.board.counting.belief import DRIFT_LIMIT, Belief, Known, drift_limit
from firmware_bridge.board.counting.learning import CONFIRM_STEP, FOLLOW_STEP, confirmed, followed, predicted
from firmware_bridge.board.counting.lots import Change, change_of, laid_out, stones_due, unchanged
from firmware_bridge.board.counting.observation import LEAST_NOISE
from firmware_bridge.board.counting.weighing import expected, weigh
from rules.position import START, Position, Side, play
from tests.firmware_bridge.board.lines import line_of, random_position

MARK = 2.6
QUIET = (LEAST_NOISE,) * 20
SEEDS = st.integers(0, 1_000_000)
TUZDYK = Position((*(9,) * 11, 0, *(9,) * 6), (9, 0), (3, None), Side.QOSTAUSHY)
CENT = 2e-5
"""Two of the last decimals that are kept."""
NOISY = 0.02
"""A level is trusted a little less than a reading without noise: by a few hundredths of what it strays."""


def known_of(rng: random.Random, stones: tuple[int, ...]) -> Belief:
    """Return what may be known of these stones on a board that has been played on for hours."""
    spread = rng.choice((0.01, 0.03, 0.08)) ** 2
    places = tuple(
        Known(
            level=n * mass + rng.uniform(-4, 4),
            level_var=rng.choice((2e-5, 1e-3)),
            mass=n * mass,
            mass_var=rng.choice((0.0, spread * n)),
            wobble=rng.choice((1e-4, 9e-4, 5e-3)),
            blind=rng.random() < 0.05,
        )
        for n, mass in ((n, rng.gauss(1, 0.03)) for n in stones)
    )
    return Belief(places, spread)


def taken(belief: Belief, weights: tuple[float | None, ...], change: Change) -> Belief:
    """Return what is known once a change is confirmed by these weights."""
    return confirmed(belief, weights, QUIET, weigh(belief, weights, QUIET, change, MARK), MARK)


def test_a_noisy_reading_is_averaged_over_the_plies() -> None:
    """A place that nobody touches is known better with every ply, though each reading strays by 0.2."""
    rng = random.Random(3)
    belief, noise = Belief.exactly(stones_due(START)), (0.2**2,) * 20
    levels = []
    for _ in range(60):
        weights = tuple(n + rng.gauss(0, 0.2) for n in stones_due(START))
        belief = confirmed(
            belief, weights, noise, weigh(belief, weights, noise, unchanged(START), MARK), MARK
        )
        levels.append(belief.places[4].level)
    strays = [abs(level - 9) for level in levels[10:]]
    assert sum(strays) / len(strays) < 0.08
    assert belief.places[4].level_var < 0.01


@settings(max_examples=60)
@given(seed=SEEDS)
def test_a_confirmed_board_is_measured_anew_with_zeros_held(seed: int) -> None:
    """A level is what the place weighs unless that would move its zero too far at once, or at all."""
    rng = random.Random(seed)
    plies = line_of(rng, rng.randint(1, 2))
    change = change_of(plies) if rng.random() < 0.8 else unchanged(plies[0].before)
    before = known_of(rng, change.before)
    error = rng.choice((0.02, 0.2, 0.6))
    weights = tuple(
        None if rng.random() < 0.05 else known.level + gain + rng.gauss(0, error)
        for known, gain in zip(before.places, expected(before, change), strict=True)
    )
    after = taken(before, weights, change)
    for place, (was, now, weight) in enumerate(zip(before.places, after.places, weights, strict=True)):
        moved = after.zero(place, MARK) - before.zero(place, MARK)
        assert abs(after.zero(place, MARK)) <= drift_limit(place) + CENT
        assert now.mass >= 0
        assert now.mass_var >= 0
        assert now.blind is (weight is None)
        if weight is None:
            assert moved == pytest.approx(0.0, abs=3 * CENT)
            assert now.level_var > was.level_var
            continue
        if not was.blind:
            assert abs(moved) <= CONFIRM_STEP + 3 * CENT
        if abs(after.zero(place, MARK)) < drift_limit(place) - CENT and abs(moved) < CONFIRM_STEP - 3 * CENT:
            assert now.level == pytest.approx(weight, abs=5 * NOISY)
        if not change.after[place]:
            assert (now.mass, now.mass_var) == (0.0, 0.0)


@settings(max_examples=30)
@given(seed=SEEDS)
def test_a_look_moves_no_mass_and_no_zero_beyond_its_step(seed: int) -> None:
    """While nothing is played only levels drift, a little each look, and never beyond the limit."""
    rng = random.Random(seed)
    position = random_position(seed, 40)
    belief = known_of(rng, stones_due(position))
    belief = replace(
        belief,
        places=tuple(
            replace(
                known, level=known.mass + rng.choice((-1, 0, 1)) * (drift_limit(place) - 0.002), blind=False
            )
            for place, known in enumerate(belief.places)
        ),
    )
    weights = tuple(known.level + rng.uniform(-0.4, 0.4) for known in belief.places)
    unread = rng.randrange(20)
    read = (*weights[:unread], None, *weights[unread + 1 :])
    after = followed(belief, read, QUIET, weigh(belief, read, QUIET, unchanged(position), MARK), MARK)
    assert after.places[unread] == belief.places[unread]
    for place, (was, now) in enumerate(zip(belief.places, after.places, strict=True)):
        assert (now.mass, now.mass_var, now.wobble) == (was.mass, was.mass_var, was.wobble)
        assert abs(now.level - was.level) <= FOLLOW_STEP + 1e-9
        assert abs(after.zero(place, MARK)) <= drift_limit(place)
        assert now.level_var <= was.level_var or now.level_var == pytest.approx(QUIET[place] / 4)
        if place != unread and was.level == pytest.approx(was.mass):
            assert (now.level - was.level) * (weights[place] - was.level) > 0


@settings(max_examples=40)
@given(seed=SEEDS)
def test_what_nobody_saw_moves_masses_and_leaves_zeros(seed: int) -> None:
    """Plies entered by hand: the stones are believed, and every level is less sure than before."""
    rng = random.Random(seed)
    change = change_of(line_of(rng, 3))
    before = known_of(rng, change.before)
    after = predicted(before, change, MARK)
    assert sum(known.mass for known in after.places) == pytest.approx(
        sum(known.mass for known in before.places), abs=20 * CENT
    )
    for place, (was, now) in enumerate(zip(before.places, after.places, strict=True)):
        assert after.zero(place, MARK) == pytest.approx(before.zero(place, MARK), abs=3 * CENT)
        assert now.level_var > was.level_var
        assert now.wobble == pytest.approx(was.wobble, abs=1e-6)
        if not change.after[place]:
            assert now.mass == pytest.approx(0.0, abs=CENT)


def test_a_heavy_set_of_stones_is_followed_into_the_kazan() -> None:
    """Lifted, sown and taken, stones 8 % too heavy are known to be so wherever they lie."""
    pits = (0, 0, 0, 0, 0, 0, 0, 0, 2, 11, *(9,) * 8)
    position = Position(pits, (40, 37), (None, None), Side.BASTAUSHY)
    belief = Belief.exactly(stones_due(position))
    heavy = tuple(
        replace(known, mass=1.08 * known.mass, level=1.08 * known.mass, mass_var=1e-4)
        if place == 9
        else known
        for place, known in enumerate(belief.places)
    )
    ply = play(position, 9)
    assert ply.captured == 12
    weights = [float(n) for n in stones_due(ply.after)]
    weights[18] += 0.08 * 11
    change = change_of([ply])
    belief = replace(belief, places=heavy)
    assert weigh(belief, weights, QUIET, change, MARK).worst == pytest.approx(0.0)
    after = taken(belief, tuple(weights), change)
    assert after.places[18].mass == pytest.approx(52 + 0.08 * 11, abs=1e-3)
    assert after.zero(18, MARK) == pytest.approx(0.0, abs=1e-3)
    assert after.places[9].mass == 0.0


def test_a_difference_is_shared_between_the_stones_that_came_and_the_zero() -> None:
    """The less a place strays by itself, and the more unequal the stones, the more of it is theirs."""
    ply = play(START, 9)
    change = change_of([ply])
    weights = [float(n) for n in stones_due(ply.after)]
    weights[12] += 0.06
    masses = []
    for spread, wobble in ((1e-6, 0.01), (0.03**2, 0.03**2), (0.2**2, 1e-4)):
        exact = Belief.exactly(stones_due(START))
        places = tuple(replace(known, wobble=wobble) for known in exact.places)
        belief = taken(Belief(places, spread), tuple(weights), change)
        masses.append(belief.places[12].mass)
        assert belief.places[12].level == pytest.approx(weights[12], abs=NOISY)
        assert belief.places[3].mass == 9.0
    assert masses == sorted(masses)
    assert masses[0] == pytest.approx(10.0, abs=0.002)
    assert masses[2] == pytest.approx(10.06, abs=0.01)


@pytest.mark.parametrize("marked", [False, True])
def test_the_mark_is_part_of_the_level_and_of_neither_mass_nor_zero(*, marked: bool) -> None:
    """Laid or taken, the tuzdyk's zero stays where it was; read or unread, followed or confirmed."""
    belief = Belief.exactly(stones_due(TUZDYK))
    weights = [float(n) for n in stones_due(TUZDYK)]
    weights[11] = MARK + 0.2
    laid = taken(belief, tuple(weights), unchanged(TUZDYK))
    assert laid.marked == {11}
    assert laid.places[11].level == pytest.approx(MARK + 0.2, abs=NOISY)
    assert laid.zero(11, MARK) == pytest.approx(0.2, abs=NOISY)
    ply = play(TUZDYK, 9)
    weights[11] = MARK + 0.2 if marked else 0.2
    change = change_of([ply])
    for place, n in enumerate(change.after):
        weights[place] += n - change.before[place]
    after = taken(laid, tuple(weights), change)
    assert after.marked == ({11} if marked else frozenset())
    assert after.zero(11, MARK) == pytest.approx(0.2, abs=CENT)
    same = weigh(laid, [*map(float, stones_due(TUZDYK))], QUIET, unchanged(TUZDYK), MARK)
    gone = followed(laid, [*map(float, stones_due(TUZDYK))], QUIET, same, MARK)
    assert gone.marked == frozenset()
    assert gone.zero(11, MARK) == pytest.approx(0.0)


def test_a_mark_goes_with_its_tuzdyk() -> None:
    """Where a position entered by hand has no tuzdyk, no mark is left to be expected."""
    belief = replace(Belief.exactly(stones_due(TUZDYK)), marked=frozenset((11,)))
    places = tuple(
        replace(known, level=MARK) if at == 11 else known for at, known in enumerate(belief.places)
    )
    belief = replace(belief, places=places)
    kept = predicted(belief, unchanged(TUZDYK), MARK)
    assert kept.marked == {11}
    assert kept.places[11].level == pytest.approx(MARK)
    lost = predicted(belief, replace(unchanged(TUZDYK), tuzdyks=frozenset()), MARK)
    assert lost.marked == frozenset()
    assert lost.places[11].level == pytest.approx(0.0)


def test_a_place_that_was_blind_takes_any_zero_at_first_sight() -> None:
    """It may have been mended, or have drifted for an hour; one that was seen all along may not."""
    belief = Belief.exactly(stones_due(START))
    places = tuple(replace(known, blind=place == 4) for place, known in enumerate(belief.places))
    weights = tuple(n + (3.0 if place in (4, 5) else 0.0) for place, n in enumerate(stones_due(START)))
    after = taken(replace(belief, places=places), weights, unchanged(START))
    assert after.zero(4, MARK) == pytest.approx(3.0)
    assert after.zero(5, MARK) == pytest.approx(CONFIRM_STEP)
    assert not after.places[4].blind


@settings(max_examples=40)
@given(seed=SEEDS)
def test_a_journal_gives_back_exactly_what_it_was_given(seed: int) -> None:
    """Through the text of a file, and what is kept after each ply is kept whole."""
    rng = random.Random(seed)
    change = change_of(line_of(rng, 1))
    belief = known_of(rng, change.before)
    belief = replace(belief, marked=frozenset(rng.sample(range(18), 2)))
    for known in (belief, belief.kept(), predicted(belief, change, MARK)):
        assert Belief.from_json(json.loads(json.dumps(known.to_json()))) == known
    weights = tuple(
        known.level + gain for known, gain in zip(belief.places, expected(belief, change), strict=True)
    )
    after = taken(belief, weights, change)
    assert after.kept() == after
    assert predicted(belief, change, MARK).kept() == predicted(belief, change, MARK)
    assert belief.kept().kept() == belief.kept()


def test_what_is_said_to_lie_there_is_known_less_surely_than_what_does() -> None:
    """An empty board has no stones; exact ones have no zeros; those only told of may be heavy or light."""
    due = stones_due(play(START, 7).after)
    empty, exact, told = Belief.empty(), Belief.exactly(due), Belief.standing(due)
    for place, n in enumerate(due):
        none, sure, said = empty.places[place], exact.places[place], told.places[place]
        assert (none.level, none.mass, none.mass_var) == (0.0, 0.0, 0.0)
        assert (sure.level, sure.mass, sure.level_var, sure.mass_var) == (n, n, 0.0, 0.0)
        assert (said.level, said.mass) == (n, n)
        assert said.mass_var == pytest.approx(told.spread * n)
        assert said.level_var == pytest.approx(none.level_var + said.mass_var)
        for belief in (empty, exact, told):
            assert belief.zero(place, MARK) == 0.0
    assert not any(known.blind for known in (*empty.places, *exact.places, *told.places))
    assert empty.drifted(MARK) == exact.drifted(MARK) == ()


@pytest.mark.parametrize("sign", [1, -1])
def test_a_zero_near_its_limit_is_named_before_it_is_followed_no_more(sign: int) -> None:
    """A stone before, so that somebody can see to it."""
    belief = Belief.exactly(stones_due(START))
    for off, named in ((DRIFT_LIMIT - 1.01, ()), (DRIFT_LIMIT - 0.99, (7,)), (DRIFT_LIMIT, (7,))):
        places = tuple(
            replace(known, level=known.level + sign * off) if place == 7 else known
            for place, known in enumerate(belief.places)
        )
        assert replace(belief, places=places).drifted(MARK) == named


def test_one_wild_residual_does_not_undo_many_tame_ones() -> None:
    """What a place wobbles is learned from many plies, up and down, and stays within bounds."""
    belief = Belief.exactly(stones_due(START))
    due = [float(n) for n in stones_due(START)]
    wild = [*due]
    wild[3] += 0.45
    once = taken(belief, tuple(wild), unchanged(START)).places[3].wobble
    assert belief.places[3].wobble <= once < 1.5 * belief.places[3].wobble
    calm = belief
    for _ in range(300):
        calm = taken(calm, tuple(due), unchanged(START))
    assert 0 < calm.places[3].wobble < belief.places[3].wobble
    rough = belief
    rng = random.Random(4)
    for _ in range(300):
        shaken = [n + rng.choice((-0.3, 0.3)) for n in due]
        rough = taken(rough, tuple(shaken), unchanged(START))
    assert belief.places[3].wobble < rough.places[3].wobble < 0.1


def test_stones_laid_out_of_a_box_teach_nothing_of_one_pit_alone() -> None:
    """Before a game nine stones lie in each pit; what they weigh is shared with the zero."""
    weights = tuple(n + (0.2 if place == 2 else 0.0) for place, n in enumerate(stones_due(START)))
    after = taken(Belief.empty(), weights, laid_out(START))
    assert after.places[2].level == pytest.approx(9.2)
    assert 9.0 < after.places[2].mass < 9.2
    assert 0.0 < after.zero(2, MARK) < 0.2


def test_a_level_that_nobody_has_measured_is_taken_at_first_sight() -> None:
    """After a start without evidence the first look tells the zeros; the next ones are followed slowly."""
    told = Belief.standing(stones_due(START))
    weights = tuple(n + 0.3 for n in stones_due(START))
    same = weigh(told, weights, QUIET, unchanged(START), MARK)
    after = followed(told, weights, QUIET, same, MARK)
    assert after.places[3].level == pytest.approx(9.3)
    exact = Belief.exactly(stones_due(START))
    same = weigh(exact, weights, QUIET, unchanged(START), MARK)
    assert followed(exact, weights, QUIET, same, MARK).places[3].level < 9.1


def test_a_mark_where_no_tuzdyk_is_any_more_is_not_kept() -> None:
    """It is part of that place's zero then, as anything else that lies there for good."""
    belief = replace(Belief.exactly(stones_due(TUZDYK)), marked=frozenset((11,)))
    places = tuple(
        replace(known, level=MARK) if at == 11 else known for at, known in enumerate(belief.places)
    )
    weights = [float(n) for n in stones_due(TUZDYK)]
    weights[11] = MARK
    bare = replace(unchanged(TUZDYK), tuzdyks=frozenset())
    assert taken(replace(belief, places=places), tuple(weights), bare).marked == frozenset()


def test_a_pit_that_was_lifted_is_as_well_known_as_the_stones_it_keeps() -> None:
    """Nine stones of which little was known have gone; of the one that stayed a share is unknown."""
    exact = Belief.exactly(stones_due(START))
    places = tuple(
        replace(known, mass_var=0.5) if at == 6 else known for at, known in enumerate(exact.places)
    )
    belief = replace(exact, places=places)
    change = change_of([play(START, 7)])
    gone = predicted(belief, change, MARK)
    assert gone.places[6].mass_var == pytest.approx(0.5 / 81 + belief.spread * 8 / 9, rel=0.01)
    weights = tuple(float(n) for n in change.after)
    assert taken(belief, weights, change).places[6].mass_var <= gone.places[6].mass_var


def test_stones_poured_whole_keep_the_mass_they_were_known_to_have() -> None:
    """However unequal they are: only those drawn one by one may be heavy or light."""
    pits = [0] * 18
    pits[7], pits[2] = 2, 4
    position = Position(tuple(pits), (78, 78), (None, None), Side.BASTAUSHY)
    swept = change_of([play(position, 8)], swept=True)
    after = predicted(replace(Belief.exactly(stones_due(position)), spread=0.01), swept, MARK)
    assert after.places[18].mass == pytest.approx(84.0)
    assert after.places[18].mass_var == 0.0


@pytest.mark.parametrize("sign", [1, -1])
def test_no_confirmed_position_carries_a_zero_beyond_its_limit(sign: int) -> None:
    """Not even within the step: what weighs more than that is left over, and is seen."""
    exact = Belief.exactly(stones_due(START))
    near = sign * (DRIFT_LIMIT - 0.1)
    places = tuple(
        replace(known, level=known.level + near) if at == 6 else known
        for at, known in enumerate(exact.places)
    )
    weights = tuple(n + (near + sign * 0.4 if at == 6 else 0.0) for at, n in enumerate(stones_due(START)))
    after = taken(replace(exact, places=places), weights, unchanged(START))
    assert after.zero(6, MARK) == pytest.approx(sign * DRIFT_LIMIT)
