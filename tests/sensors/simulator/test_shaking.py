"""Knocks, leaning hands and fingers, as the cells show them and as the truth tells them."""

import itertools
from dataclasses import replace
from itertools import pairwise
from math import inf
from statistics import fmean, pstdev

import pytest

from sensors.simulator.profile import CELL_100_G, CELL_500_G, CLEAN, HARSH, NOMINAL, SLOW, Profile
from sensors.simulator.world import CellWorld

SECOND = 1_000_000
COUPLED = replace(CLEAN, touch_g=20.0, crosstalk_low=0.001, crosstalk_high=0.01)


def make_world(profile: Profile = COUPLED, seed: int = 1) -> CellWorld:
    """Nine stones in every pit, no noise to speak of."""
    world = CellWorld([CELL_100_G] * 18 + [CELL_500_G] * 2, replace(profile, noise_factor=0.001), seed)
    world.lay_out(dict.fromkeys(range(18), 9))
    return world


def shown_g(world: CellWorld, from_us: int, until_us: int, channel: int) -> list[float]:
    """Grams that a channel shows over what it showed at the beginning, frame by frame."""
    zero = world.cells[channel].mean_raw(world.time_us)
    frames = range(from_us, until_us, 12_500)
    return [(world.read(at_us).raw[channel] - zero) / world.cells[channel].raw_per_g for at_us in frames]


def leaning(world: CellWorld) -> bool:
    """Whether a hand leans on the board, at the time of the last reading."""
    return world.time_us < world._shaking.leaning_until_us


def test_a_knock_swings_every_channel_and_dies_within_three_tenths_of_a_second() -> None:
    """All swing at once; the truth tells the end, filter included, and from then on all is as before."""
    world = make_world()
    before = world.read(0).raw
    world.knock(0.2, 100_000)
    moved = [0] * 20
    for at_us in range(100_000, 400_000, 5_000):
        raw = world.read(at_us).raw
        moved = [max(most, abs(a - b)) for most, a, b in zip(moved, raw, before, strict=True)]
    assert all(most > 0.1 * world.cells[channel].raw_per_g for channel, most in enumerate(moved))
    assert 200_000 <= world.knocked_until_us <= 462_500
    assert world.disturbed_until_us() == world.knocked_until_us == world.rest_since_us(19)
    after = world.read(470_000).raw
    assert all(abs(a - b) <= 2 for a, b in zip(after, before, strict=True))


def test_a_leaning_hand_comes_slowly_trembles_and_goes() -> None:
    """It never jumps, is never quite steady, reaches a few cells only, and leaves nothing behind."""
    world = make_world()
    world.lean(4, 5.0, SECOND, 3.0)
    assert world.disturbed_until_us() < 7 * SECOND
    seen_g = shown_g(world, SECOND, 7 * SECOND, 4)
    steady_g = seen_g[110:220]
    assert 5.0 < fmean(steady_g) < 51.0
    assert 0.01 < pstdev(steady_g) / fmean(steady_g) < 0.08
    assert max(abs(b - a) for a, b in itertools.pairwise(seen_g)) < 0.2 * max(seen_g)
    assert seen_g[-1] == pytest.approx(0.0, abs=0.01)
    assert not leaning(world)
    assert world.rest_since_us(4) == world.disturbed_until_us()


def test_a_leaning_hand_reaches_a_few_cells_only() -> None:
    """No more than four feel it, even on a kazan with its nine pits, and the truth says it is there."""
    world = make_world()
    rest = world.read(0).raw
    world.lean(18, 5.0, 0, 2.0)
    raw = world.read(2 * SECOND).raw
    assert leaning(world)
    feel = [channel for channel in range(20) if abs(raw[channel] - rest[channel]) > 20]
    assert 18 in feel
    assert 2 <= len(feel) <= 4


def test_fingers_tremble_and_are_felt_next_door() -> None:
    """A push is never constant; nobody knows its end beforehand; a share of it comes through the plate."""
    world = make_world()
    rest_raw, rest_g = world.read(0).raw[5], world.cells[5].load_g
    world.touch(4, 1.0, 0)
    assert world.disturbed_until_us() == world.rest_since_us(4) == inf
    seen_g = shown_g(world, 0, 2 * SECOND, 4)[20:]
    assert fmean(seen_g) == pytest.approx(20.0, rel=0.2)
    assert 0.05 < pstdev(seen_g) / 20.0 < 0.4
    assert 0.02 <= world.cells[5].load_g - rest_g <= 0.2
    world.touch(4, 0.0, 2 * SECOND)
    assert 2 * SECOND < world.disturbed_until_us() < 2.2 * SECOND
    assert world.read(2_200_000).raw[5] == pytest.approx(rest_raw, abs=2)
    assert world.rest_since_us(4) == world.disturbed_until_us()


def test_a_firmer_touch_takes_the_place_of_a_softer_one() -> None:
    """Forces of one pair of fingers do not add up."""
    world = make_world()
    rest_g = world.cells[4].load_g
    world.touch(4, 0.5, 0)
    world.touch(4, 1.0, 100_000)
    assert world.cells[4].load_g == pytest.approx(rest_g + 20.0)
    world.touch(4, 0.0, SECOND)
    assert shown_g(world, 2 * SECOND, 2_100_000, 4)[-1] == pytest.approx(0.0, abs=0.01)


def test_stones_taken_from_under_fingers_make_no_jump_of_their_own() -> None:
    """With a wide play too, a stone less under a pressing hand is a stone less, not the whole hand."""
    world, twin = (make_world(replace(COUPLED, hysteresis_fs=0.002)) for _ in range(2))
    for each in (world, twin):
        each.touch(4, 1.0, 0)
        shown_g(each, 0, SECOND, 4)
    world.lift(4, 0, SECOND)
    frames = range(SECOND, 1_200_000, 12_500)
    less = [twin.read(at_us).raw[4] - world.read(at_us).raw[4] for at_us in frames]
    assert less[0] >= -2
    assert all(b >= a - 2 for a, b in pairwise(less))
    assert less[-1] / world.cells[4].raw_per_g == pytest.approx(1.15, rel=0.05)


def test_hands_wind_up_the_play() -> None:
    """After a firm touch the same load shows more than before, by no more than the play's width."""
    world = make_world(replace(CLEAN, touch_g=20.0, hysteresis_fs=0.002))
    cell = world.cells[4]
    before = cell.mean_raw(0)
    world.touch(4, 1.0, 0)
    shown_g(world, 0, SECOND, 4)
    world.touch(4, 0.0, SECOND)
    shown_g(world, SECOND, 2 * SECOND, 4)
    assert (cell.mean_raw(2 * SECOND) - before) / cell.raw_per_g == pytest.approx(0.2, abs=0.001)


@pytest.mark.parametrize(("profile", "knocks", "leans"), [(CLEAN, 0, 0), (NOMINAL, 20, 6), (HARSH, 180, 60)])
def test_the_world_knocks_and_leans_by_itself(profile: Profile, knocks: int, leans: int) -> None:
    """In an hour as often as the profile says, from the seed alone."""
    world = make_world(profile)
    seen_knocks, seen_leans = set(), set()
    for at_us in range(0, 3600 * SECOND, SECOND // 4):
        world.read(at_us)
        seen_knocks.add(world.knocked_until_us)
        if leaning(world):
            seen_leans.add(world.disturbed_until_us() // SECOND // 10)
    assert len(seen_knocks) - 1 == pytest.approx(knocks, rel=0.25, abs=6)
    assert knocks == 0 or len(seen_leans) == pytest.approx(leans, rel=0.6, abs=5)


def test_nobody_comes_to_a_calm_world() -> None:
    """Whoever calibrates sees to that."""
    world = make_world(HARSH)
    world.calm()
    for at_us in range(0, 600 * SECOND, SECOND):
        world.read(at_us)
    assert world.disturbed_until_us() == 0.0


def test_what_happened_long_before_anybody_looked_is_over() -> None:
    """After an hour without a sample the board does not swing with three hundred knocks."""
    world = make_world(HARSH)
    world.read(0)
    world.read(3600 * SECOND)
    moving = [len(cell._rings) for cell in world.cells]
    assert max(moving) <= 3


def test_a_slow_chip_hardly_sees_a_ball_ring() -> None:
    """Its filter is longer than any swing: of a fall its momentum stays, less than a stone weighs."""
    for profile, rings in ((NOMINAL, True), (SLOW, False)):
        undisturbed = replace(profile, bad_samples=0.0)
        over_g = 0.0
        for seed in range(6):
            world = make_world(undisturbed, seed)
            world.calm()
            world.lift(4, 0, 0)
            world.read(SECOND)
            world.drop(4, 0, SECOND)
            period = round(world.period_us)
            steps = [world.read(SECOND + n * period).raw[4] for n in range(30)]
            over_g = max(over_g, (max(steps) - steps[-1]) / world.cells[4].raw_per_g)
        assert (over_g > 1.15) is rings


def test_a_leaning_hand_goes_while_somebody_thinks_unless_it_would_have_stayed_longer() -> None:
    """A lapse passes the seconds of the hand as well, though no sample is taken meanwhile."""
    world = make_world()
    before = world.read(0).raw[4]
    world.lean(4, 2.0, SECOND, 5.0)
    shown_g(world, SECOND, 2 * SECOND, 4)
    for _ in range(2):
        world.lapse(1.0)
    assert 4 * SECOND < world.disturbed_until_us() < 7 * SECOND
    for _ in range(4):
        world.lapse(1.0)
    assert world.disturbed_until_us() < 4 * SECOND
    shown_g(world, 2 * SECOND, 4 * SECOND, 4)
    assert abs(world.read(4 * SECOND).raw[4] - before) <= 2
    assert not leaning(world)
