"""Calibrating a simulated board through its own noise."""

from dataclasses import replace

import pytest

from sensors.calibration import Calibration, to_loads
from sensors.samples import ChannelStatus, Load, RawSample
from sensors.simulator.measure import measure_calibration
from sensors.simulator.profile import CELL_100_G, CELL_500_G, CLEAN, NOMINAL, PROFILES, Profile
from sensors.simulator.world import CellWorld


def make_world(profile: Profile, seed: int = 1) -> CellWorld:
    """A board set up for a game."""
    world = CellWorld([CELL_100_G] * 18 + [CELL_500_G] * 2, profile, seed)
    world.lay_out(dict.fromkeys(range(18), 9))
    return world


def loads_at(world: CellWorld, time_us: int, calibration: Calibration) -> tuple[Load, ...]:
    """One sample in grams."""
    reading = world.read(time_us)
    return to_loads(RawSample(time_us, reading.raw, tuple(map(ChannelStatus, reading.status))), calibration)


@pytest.mark.parametrize(("profile", "tolerance"), [(CLEAN, 0.0002), (NOMINAL, 0.005)])
def test_what_is_measured_is_near_the_hidden_truth_but_not_it(profile: Profile, tolerance: float) -> None:
    """Sensitivity within half a per cent, as counting needs; never exactly."""
    world = make_world(profile)
    calibration = measure_calibration(world, "b")
    for cell, channel in zip(world.cells, calibration.channels, strict=True):
        assert channel.raw_per_g == pytest.approx(cell.raw_per_g, rel=tolerance)
        assert channel.raw_per_g != cell.raw_per_g
        # a warm zero: 6 degrees at 0.005 % of full scale each, and the play
        assert channel.zero_raw == pytest.approx(
            cell.zero_raw, abs=0.0008 * cell.kind.capacity_g * cell.raw_per_g
        )


def test_stones_and_marks_are_weighed_together() -> None:
    """The unit is the mean of all 162, within the play of the cells; the mark that of both."""
    world = make_world(NOMINAL)
    true_unit_g = sum(cell.load_g for cell in make_world(replace(NOMINAL, crosstalk_high=0.0)).cells) / 162
    calibration = measure_calibration(world, "b")
    assert calibration.board_id == "b"
    assert calibration.unit_g == pytest.approx(true_unit_g, rel=0.005)
    assert calibration.mark_g == pytest.approx(NOMINAL.mark_g, rel=0.05)


def test_measuring_leaves_the_board_as_it_was() -> None:
    """It happens on a copy, and its noise is not the game's."""
    world, twin = make_world(NOMINAL), make_world(NOMINAL)
    measure_calibration(world, "b", seed=5)
    assert [world.stones(channel) for channel in range(20)] == [9] * 18 + [0, 0]
    assert world.read(12_500) == twin.read(12_500)
    assert measure_calibration(world, "b", seed=5) == measure_calibration(world, "b", seed=5)
    assert measure_calibration(world, "b", seed=5) != measure_calibration(world, "b", seed=6)


@pytest.mark.parametrize("seed", range(3))
def test_a_calibrated_nominal_board_weighs_nine_stones_as_nine(seed: int) -> None:
    """Every pit is nearer to nine stones than to any other number, by far; the kazans are empty."""
    world = make_world(NOMINAL, seed)
    calibration = measure_calibration(world, "b")
    for channel, load in enumerate(loads_at(world, 2_000_000, calibration)):
        assert isinstance(load, float)
        assert load / calibration.unit_g == pytest.approx(9 if channel < 18 else 0, abs=0.35)


@pytest.mark.parametrize("profile", PROFILES.values(), ids=PROFILES.keys())
def test_gains_are_found_within_half_a_per_cent_in_every_profile(profile: Profile) -> None:
    """One channel at a time is loaded, so that no neighbour's weight comes through the plate."""
    world = CellWorld(profile.kinds(), profile, 3)
    calibration = measure_calibration(world, "b")
    for cell, channel in zip(world.cells, calibration.channels, strict=True):
        assert channel.raw_per_g == pytest.approx(cell.raw_per_g, rel=0.005)
