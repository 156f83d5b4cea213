"""What one cell shows when its load changes, with the passing of time and of temperature."""

from dataclasses import replace
from random import Random

import pytest

from sensors.simulator.cells import SimulatedCell
from sensors.simulator.profile import CELL_500_G, CLEAN, NOMINAL, Profile

PERIOD_US = 12_500


def make_cell(profile: Profile = CLEAN) -> SimulatedCell:
    """A large cell."""
    return SimulatedCell(CELL_500_G, profile, Random(1), PERIOD_US)


def shown_g(cell: SimulatedCell, time_us: int) -> float:
    """What the cell shows, in its own true grams."""
    return (cell.mean_raw(time_us) - cell.zero_raw) / cell.raw_per_g


def test_a_step_is_through_after_four_conversions() -> None:
    """The filter spreads a step over four samples, growing all the way."""
    cell = make_cell()
    cell.set_load(10.0, 0)
    seen = [shown_g(cell, sample * PERIOD_US) for sample in range(6)]
    assert seen == pytest.approx([0, 10 / 24, 5, 230 / 24, 10, 10])
    assert not cell.active


def test_steps_at_any_moment_between_samples_add_up() -> None:
    """Two loads in quick succession end at their sum, and the later one is seen later."""
    cell = make_cell()
    cell.set_load(1.0, 0)
    cell.set_load(3.0, 6_000)
    assert 0.0 < shown_g(cell, 2 * PERIOD_US) < 0.5 + 2.0 / 2
    assert shown_g(cell, 6 * PERIOD_US) == pytest.approx(3.0)


def test_a_fallen_stone_rings_and_dies_away() -> None:
    """The swing is a few times the stone's weight at most and gone when 0.3 s have passed the filter."""
    cell = make_cell(NOMINAL)
    cell.ring(1.15 * NOMINAL.impact, 30.0, 0.3, 0)
    assert shown_g(cell, 0) == 0.0
    swings = [abs(shown_g(cell, time_us)) for time_us in range(0, 290_000, 5_000)]
    assert 1.15 < max(swings) < 1.15 * 10
    assert shown_g(cell, 350_000) == 0.0
    assert not cell.active


def test_a_clean_cell_does_not_ring() -> None:
    """Impact 0 means that nothing has to die away."""
    cell = make_cell()
    cell.strike(1.15, 0)
    assert not cell.active


def test_loading_and_unloading_differ_by_the_play() -> None:
    """Coming from above and from below the same load reads differently, by the play's width."""
    cell = make_cell(replace(CLEAN, hysteresis_fs=0.0005))
    readings = []
    for load_g in (0.0, 50.0, 100.0, 50.0):
        cell.set_load(load_g, 0)
        cell.settle()
        readings.append(shown_g(cell, 0))
    assert readings[3] - readings[1] == pytest.approx(0.0005 * 500.0)


def test_the_characteristic_bows_by_the_promised_amount() -> None:
    """Half the capacity is off by at most the nonlinearity, empty and full are not."""
    cell = make_cell(replace(CLEAN, nonlinearity_fs=0.0005))
    cell.set_load(250.0, 0)
    cell.settle()
    assert 0 < abs(shown_g(cell, 0) - 250.0) <= 0.0005 * 500.0
    cell.set_load(500.0, 0)
    cell.settle()
    assert shown_g(cell, 0) == pytest.approx(500.0)


def test_creep_comes_and_goes_with_the_load() -> None:
    """After an hour the whole creep is there, after another without load none."""
    cell = make_cell(replace(CLEAN, creep=0.0005))
    cell.set_load(100.0, 0)
    cell.settle()
    for _ in range(3600):
        cell.weather(0.0, 1.0)
    assert shown_g(cell, 0) == pytest.approx(100.05, abs=0.001)
    cell.set_load(0.0, 0)
    cell.settle()
    for _ in range(3600):
        cell.weather(0.0, 1.0)
    assert shown_g(cell, 0) == pytest.approx(0.0, abs=0.001)


def test_temperature_moves_zero_and_span() -> None:
    """Ten degrees move the zero by at most 0.05 % of full scale and the span by as much."""
    cell = make_cell(NOMINAL)
    cell.weather(10.0, 0.0)
    assert 0 < abs(cell.drift_g) <= 0.0005 * 500.0
    assert 0 < abs(cell.span - 1) <= 0.0005
