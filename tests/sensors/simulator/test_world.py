"""A world of cells: statistics of its readings, conservation of its bodies, its faults."""

import itertools
from dataclasses import replace
from random import Random
from statistics import fmean, pstdev, stdev

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from sensors.frames import STATUS_NOT_READY, STATUS_OK, STATUS_SATURATED
from sensors.simulator.bodies import BodyKind, make_marks, make_stones
from sensors.simulator.profile import (
    CELL_100_G,
    CELL_500_G,
    CLEAN,
    NOMINAL,
    PROFILES,
    RAW_MAX,
    SKEWED,
    TAILS,
    Profile,
)
from sensors.simulator.world import CellWorld, ChannelFault, EmptyHandedError, Reading

CHANNELS = 20


def make_world(profile: Profile = CLEAN, seed: int = 1) -> CellWorld:
    """Eighteen small cells with nine stones each and two large ones."""
    world = CellWorld([CELL_100_G] * 18 + [CELL_500_G] * 2, profile, seed)
    world.lay_out(dict.fromkeys(range(18), 9))
    return world


def read_many(world: CellWorld, samples: int, start_us: int = 0) -> list[Reading]:
    """Consecutive readings."""
    return [world.read(start_us + round(sample * world.period_us)) for sample in range(samples)]


@pytest.mark.parametrize(("profile", "sigma_raw"), [(CLEAN, 38.7), (NOMINAL, 3 * 38.7)])
def test_noise_has_the_promised_spread(profile: Profile, sigma_raw: float) -> None:
    """Over two thousand samples the standard deviation is the data sheet's times the factor."""
    readings = read_many(make_world(replace(profile, creep=0, temperature_c_per_sqrt_min=0)), 2000)
    for channel in (0, 19):
        assert stdev(reading.raw[channel] for reading in readings) == pytest.approx(sigma_raw, rel=0.07)


def test_noise_of_neighbours_is_independent() -> None:
    """Channels share no noise: the correlation of two of them is near zero."""
    readings = read_many(make_world(), 2000)
    left, right = ([reading.raw[channel] for reading in readings] for channel in (3, 4))
    mean_left, mean_right = fmean(left), fmean(right)
    covariance = fmean((a - mean_left) * (b - mean_right) for a, b in zip(left, right, strict=True))
    assert abs(covariance / (pstdev(left) * pstdev(right))) < 0.1


def test_the_same_seed_gives_the_same_world() -> None:
    """Readings, masses and what a hand happens to take replay exactly; another seed is another board."""
    runs = []
    for seed in (7, 7, 8):
        world = make_world(NOMINAL, seed)
        world.lift(3, 0, 1_000, 4)
        world.drop(4, 0, 2_000, 4)
        runs.append(read_many(world, 50))
    assert runs[0] == runs[1]
    assert runs[0] != runs[2]


def test_zero_drifts_within_reason_in_an_hour() -> None:
    """A nominal kazan moves, by less than a quarter of a gram; a clean one not at all."""
    for profile, least_g, most_g in ((CLEAN, 0.0, 0.001), (NOMINAL, 0.0005, 0.25)):
        world = make_world(profile)
        before = [cell.mean_raw(0) for cell in world.cells]
        for minute in range(1, 61):
            world.read(minute * 60_000_000)
        moved_g = [
            abs(cell.mean_raw(3_600_000_000) - mean) / cell.raw_per_g
            for cell, mean in zip(world.cells, before, strict=True)
        ]
        assert least_g <= max(moved_g) <= most_g


def test_masses_spread_as_the_profile_says() -> None:
    """A thousand stones have the profile's mean and spread, marks are heavier."""
    rng = Random(3)
    masses = [body.mass_g for body in make_stones(1000, NOMINAL, rng)]
    assert fmean(masses) == pytest.approx(NOMINAL.unit_g, rel=0.003)
    assert stdev(masses) / fmean(masses) == pytest.approx(NOMINAL.unit_cv, rel=0.1)
    assert all(mark.mass_g > 2.5 and mark.kind is BodyKind.MARK for mark in make_marks(2, NOMINAL, rng))


def test_the_true_rate_is_near_the_nominal_one_but_not_it() -> None:
    """Oscillators stray by a fifth and the slowest sets the pace; clean ones do not."""
    assert make_world(CLEAN).period_us == 12_500
    periods = {make_world(NOMINAL, seed).period_us for seed in range(5)}
    assert len(periods) == 5
    assert all(12_500 < period <= 12_500 / 0.8 for period in periods)


def test_a_sown_stone_shows_after_the_filter_has_settled() -> None:
    """One stone moved from a pit to a kazan is a stone less here and a stone more there."""
    world = make_world(NOMINAL)
    before = [fmean(r.raw[c] for r in read_many(world, 400)) for c in range(CHANNELS)]
    world.lift(0, 0, 5_100_000)
    world.drop(18, 0, 5_200_000)
    readings = read_many(world, 400, 6_000_000)
    after = [fmean(reading.raw[channel] for reading in readings) for channel in range(CHANNELS)]
    change_g = [(after[c] - before[c]) / world.cells[c].raw_per_g for c in range(CHANNELS)]
    assert change_g[0] == pytest.approx(-1.15, abs=0.12)
    assert change_g[18] == pytest.approx(1.15, abs=0.25)
    assert max(map(abs, change_g[1:18])) < 0.05


def test_fingers_press_only_while_they_are_there() -> None:
    """A firm touch weighs the profile's grams, letting go takes them away again, stones or not."""
    world = make_world(replace(CLEAN, touch_g=20.0))
    rest_g = world.cells[0].load_g
    world.touch(0, 1.0, 1_000)
    assert world.cells[0].load_g == pytest.approx(rest_g + 20.0)
    world.touch(0, 0.0, 2_000)
    assert world.cells[0].load_g == pytest.approx(rest_g)


def test_the_end_of_the_scale_is_said() -> None:
    """A weight far beyond the converter gives its limit and the status for it."""
    world = make_world()
    world.add_weight(5, 1000.0, 0)
    reading = world.read(1_000_000)
    assert (reading.raw[5], reading.status[5]) == (RAW_MAX, STATUS_SATURATED)
    assert set(reading.status[:5] + reading.status[6:]) == {STATUS_OK}
    world.add_weight(5, -1000.0, 2_000_000)
    assert world.read(3_000_000).status[5] == STATUS_OK


def test_a_dead_bridge_feels_no_load() -> None:
    """It reads noise about zero, with a good status."""
    world = make_world()
    world.set_fault(2, ChannelFault.DEAD)
    world.lift_all(2, 0, 100)
    readings = read_many(world, 100, 1_000_000)
    assert abs(fmean(reading.raw[2] for reading in readings)) < 20
    assert {reading.status[2] for reading in readings} == {STATUS_OK}


def test_a_saturated_channel_stands_at_the_end_of_the_scale() -> None:
    """Value and status both say so, and the others go on."""
    world = make_world()
    world.set_fault(2, ChannelFault.SATURATED)
    reading = world.read(0)
    assert (reading.raw[2], reading.status[2]) == (RAW_MAX, STATUS_SATURATED)
    assert reading.raw[3] != RAW_MAX


def test_a_stuck_channel_repeats_one_value() -> None:
    """One unique value, whatever happens to the load; mended, it lives again."""
    world = make_world()
    world.set_fault(2, ChannelFault.STUCK)
    world.lift_all(2, 0, 100)
    assert len({reading.raw[2] for reading in read_many(world, 50)}) == 1
    world.set_fault(2, None)
    assert len({reading.raw[2] for reading in read_many(world, 50, 2_000_000)}) > 10


def test_a_chip_that_is_gone_says_not_ready_and_nothing_else() -> None:
    """No value is invented: raw is 0."""
    world = make_world()
    world.set_fault(2, ChannelFault.NOT_READY)
    reading = world.read(0)
    assert (reading.raw[2], reading.status[2]) == (0, STATUS_NOT_READY)


def test_marks_are_laid_and_taken_apart_from_stones() -> None:
    """A mark weighs on its channel, stays when the stones are lifted and goes back into the box."""
    world = make_world()
    world.place_mark(0, 100)
    assert world.lift_all(0, 0, 200) == 9
    assert (world.stones(0), world.marks(0), world.held(0)) == (0, 1, 9)
    assert world.cells[0].load_g == pytest.approx(CLEAN.mark_g, rel=0.1)
    world.remove_mark(0, 300)
    assert (world.marks(0), world.cells[0].load_g) == (0, 0)


def test_laying_out_clears_board_and_hands_first() -> None:
    """The set-up begins from the box, marks included, and is at rest at once."""
    world = make_world()
    world.lift_all(0, 0, 100)
    world.lay_out({0: 5, 18: 157}, marks=(7,))
    assert [world.stones(channel) for channel in (0, 1, 18)] == [5, 0, 157]
    assert (world.held(0), world.boxed, world.marks(7)) == (0, 0, 1)
    assert not any(cell.active for cell in world.cells)


def test_nothing_is_taken_where_nothing_lies() -> None:
    """The message says how many were wanted and how many are there."""
    world = make_world()
    with pytest.raises(EmptyHandedError, match="10 stones wanted from channel 0, 9 are there"):
        world.lift(0, 0, 0, 10)
    with pytest.raises(EmptyHandedError, match="1 stones wanted from hand 1, 0 are there"):
        world.drop(0, 1, 0)
    with pytest.raises(EmptyHandedError, match="1 marks wanted from channel 0, 0 are there"):
        world.remove_mark(0, 0)


def test_a_copy_lives_its_own_life() -> None:
    """Measuring on a copy changes nothing in the world it was taken from."""
    world, twin = make_world(NOMINAL), make_world(NOMINAL)
    other = world.copy(seed=2)
    other.lift_all(0, 0, 0)
    other.read(5_000_000)
    assert world.stones(0) == 9
    assert read_many(world, 20) == read_many(twin, 20)


@settings(max_examples=25, deadline=None)
@given(
    moves=st.lists(st.tuples(st.booleans(), st.integers(0, 19), st.integers(0, 3), st.integers(0, 12))),
    seed=st.integers(0, 2**32),
)
def test_no_stone_is_ever_made_or_lost(moves: list[tuple[bool, int, int, int]], seed: int) -> None:
    """Whatever hands try, 162 stones lie on the board, in hands or in the box, and weigh the same."""
    world = make_world(seed=seed)
    total_g = sum(cell.load_g for cell in world.cells)
    for at_us, (lifts, channel, hand, stones) in enumerate(moves):
        available = world.stones(channel) if lifts else world.held(hand)
        act = world.lift if lifts else world.drop
        act(channel, hand, at_us, min(stones, available))
        on_board = sum(world.stones(each) for each in range(CHANNELS))
        assert on_board + sum(world.held(each) for each in range(4)) + world.boxed == 162
    for hand in range(4):
        world.drop(19, hand, len(moves), world.held(hand))
    assert sum(cell.load_g for cell in world.cells) == pytest.approx(total_g)


def test_chips_run_on_clocks_of_their_own() -> None:
    """One step is seen at other frames by other channels: their conversions are shorter and out of step."""
    world = make_world(replace(NOMINAL, noise_factor=0.001))
    world.calm()
    periods = [cell.period_us for cell in world.cells]
    assert len(set(periods)) == CHANNELS
    assert max(periods) == world.period_us
    assert min(periods) > 12_500 / 1.2 - 1
    for channel in range(CHANNELS):
        world.add_weight(channel, 10.0, 1_000_000)
    frame_us = 1_000_000 + round(2 * world.period_us)
    world.read(frame_us)
    shares = []
    for cell in world.cells:
        now, end = cell.mean_raw(frame_us), cell.mean_raw(5_000_000)
        shares.append(round((end - now) / cell.raw_per_g, 2))
    assert len(set(shares)) > 10


def test_a_channel_shows_its_latest_finished_conversion() -> None:
    """Between two conversions nothing changes, however often it is asked."""
    cell = make_world(NOMINAL).cells[0]
    done_us = cell.converted_us(1_000_000)
    assert 1_000_000 - cell.period_us <= done_us <= 1_000_001
    assert cell.converted_us(round(done_us + 0.9 * cell.period_us)) == pytest.approx(done_us)
    assert cell.converted_us(round(done_us + 1.1 * cell.period_us)) == pytest.approx(done_us + cell.period_us)


def test_the_next_frame_is_when_the_slowest_chip_is_ready() -> None:
    """Each frame is a slowest conversion after the last; the pace strays with the warmth."""
    world = make_world(NOMINAL)
    times = [0]
    for _ in range(200):
        world.read(times[-1])
        times.append(world.next_frame_us)
    steps = [b - a for a, b in itertools.pairwise(times)]
    assert all(abs(step - world.period_us) < 30 for step in steps)
    world.lapse(3600.0)
    world.read(times[-1])
    assert world.next_frame_us - times[-1] < 1.01 * world.period_us
    assert world.cells[3].period_us != make_world(NOMINAL).cells[3].period_us


def test_a_lapse_ages_the_world_and_takes_no_time() -> None:
    """Hours go by between two samples: it is warm, crept and calm, and the next sample is simply the next."""
    world = make_world(replace(NOMINAL, zero_tc_fs_per_c=0.0, span_tc_per_c=0.0, crosstalk_high=0.0))
    world.calm()
    world.read(12_500)
    before = [cell.mean_raw(12_500) for cell in world.cells]
    world.lapse(3 * 3600.0)
    assert world.time_us == 12_500
    for channel in range(18):
        cell = world.cells[channel]
        crept_g = (cell.mean_raw(25_000) - before[channel]) / cell.raw_per_g
        assert crept_g == pytest.approx(0.0005 * cell.load_g, rel=0.02)
    assert abs(world.cells[0].mean_raw(25_000) - world.read(25_000).raw[0]) < 8 * 3 * 38.7


def test_a_lapse_moves_zeros_as_waiting_does() -> None:
    """A drift of the same size as that of a world that was read all the while."""
    for wait in ("lapse", "read"):
        moved = []
        for seed in range(30):
            world = make_world(replace(NOMINAL, warm_up_c=0.0, temperature_step_gap_s=float("inf")), seed)
            before = world.cells[18].drift_g
            if wait == "lapse":
                world.lapse(900.0)
            else:
                for minute in range(1, 16):
                    world.read(minute * 60_000_000)
            moved.append((world.cells[18].drift_g - before) / world.cells[18].zero_tc_g)
        assert pstdev(moved) == pytest.approx(0.3 * 15**0.5, rel=0.35)


def test_a_perched_stone_weighs_in_two_pits_until_it_is_put_right() -> None:
    """Its weight is shared, it is counted nowhere, and then it falls in and is an ordinary stone."""
    world = make_world()
    rest_g = [cell.load_g for cell in world.cells]
    world.lift(0, 0, 0)
    stone_g = rest_g[0] - world.cells[0].load_g
    world.perch(3, 4, 0, 1_000, 0.3)
    assert [world.cells[c].load_g - rest_g[c] for c in (3, 4)] == pytest.approx(
        [0.3 * stone_g, 0.7 * stone_g]
    )
    assert (world.stones(3), world.stones(4), world.perched, world.held(0)) == (9, 9, 1, 0)
    world.unperch(4, 2_000)
    assert [world.cells[c].load_g - rest_g[c] for c in (3, 4)] == pytest.approx([0.0, stone_g])
    assert (world.stones(3), world.stones(4), world.perched) == (9, 10, 0)


def test_a_stone_on_a_rim_rests_partly_on_the_plate() -> None:
    """What the plate carries weighs nowhere; laying out anew takes the stone back."""
    world = make_world()
    world.lift(0, 0, 0)
    world.perch(0, None, 0, 1_000, 0.25)
    assert world.cells[0].load_g == pytest.approx(8.25 * 1.15, rel=0.02)
    with pytest.raises(EmptyHandedError, match="no stone lies on the rim of channel 5"):
        world.unperch(5, 2_000)
    with pytest.raises(EmptyHandedError, match="1 stones wanted from hand 0, 0 are there"):
        world.perch(0, None, 0, 2_000, 0.25)
    world.lay_out({18: 162})
    assert (world.stones(18), world.perched) == (162, 0)


def test_rest_is_told_for_each_channel() -> None:
    """A channel rests five conversions after its last change; its neighbour's rest goes on."""
    world = make_world(replace(CLEAN, crosstalk_low=0.001, crosstalk_high=0.01))
    world.lift(3, 0, 1_000_000)
    assert world.rest_since_us(3) == 1_000_000 + 5 * 12_500
    assert world.rest_since_us(4) == 0.0
    assert world.disturbed_until_us() == 0.0


def test_batches_and_lopsided_masses_are_those_of_the_profile() -> None:
    """The mean stays; three stones in ten of the skewed set are heavier, and tails lean to the heavy side."""
    for profile in (SKEWED, TAILS, NOMINAL):
        masses = [body.mass_g for body in make_stones(4000, profile, Random(3))]
        mean, spread = fmean(masses), stdev(masses)
        assert mean == pytest.approx(1.15, rel=0.003)
        assert spread / mean == pytest.approx(0.015 if profile is NOMINAL else 0.031, rel=0.08)
        skewness = fmean(((mass - mean) / spread) ** 3 for mass in masses)
        assert (skewness > 0.4) is (profile is not NOMINAL)


@pytest.mark.parametrize("profile", PROFILES.values(), ids=PROFILES.keys())
def test_every_profile_replays_exactly_and_holds_all_its_stones(profile: Profile) -> None:
    """Twins agree on each sample, and even with every stone in one kazan no cell is at its end."""
    twins = [CellWorld(profile.kinds(), profile, 9) for _ in range(2)]
    for world in twins:
        world.lay_out({18: 162, 0: 0})
        world.touch(3, 0.5, 100)
    readings = [[world.read(n * 15_000).raw for n in range(300)] for world in twins]
    assert readings[0] == readings[1]
    world = CellWorld(profile.kinds(), profile, 9)
    world.lay_out({18: 162})
    assert world.cells[18].load_g < profile.kazan_cell.capacity_g
    assert 87 * profile.unit_g * 1.03 < profile.pit_cell.capacity_g * 1.05


def test_laying_out_anew_comes_from_below() -> None:
    """The board is cleared first, so the play does not remember how much lay there before."""
    world = make_world(replace(CLEAN, hysteresis_fs=0.002))
    for stones in (40, 9):
        world.lay_out({0: stones})
        cell = world.cells[0]
        shown_g = (cell.mean_raw(0) - cell.zero_raw) / cell.raw_per_g
        assert shown_g == pytest.approx(cell.load_g - 0.1)


def test_a_lapse_leaves_the_clocks_out_of_step() -> None:
    """Only the slowest chip, which sets the frames, is where it was."""
    world = make_world(NOMINAL)
    world.read(0)
    before = [cell.converted_us(0) for cell in world.cells]
    world.lapse(60.0)
    same = [cell.converted_us(0) == pytest.approx(was) for cell, was in zip(world.cells, before, strict=True)]
    assert sum(same) == 1
