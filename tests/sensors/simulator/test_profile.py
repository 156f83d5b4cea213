"""The numbers of the simulated world against those of the data sheets."""

import pytest

from sensors.simulator.profile import CELL_100_G, CELL_500_G, CLEAN, NOMINAL, PROFILES, nominal_noise_raw


def test_sensitivities_are_those_of_the_data_sheets() -> None:
    """A 100 g cell of 0.6 mV/V gives 12,885 steps per gram, a 500 g cell of 1 mV/V 4,295."""
    assert CELL_100_G.raw_per_g == pytest.approx(12_885, abs=1)
    assert CELL_500_G.raw_per_g == pytest.approx(4_295, abs=1)


def test_noise_in_grams_is_that_of_the_data_sheet() -> None:
    """3 mg at 80 samples a second and 1.7 mg at 10 on the small cell."""
    assert nominal_noise_raw(80) / CELL_100_G.raw_per_g == pytest.approx(0.0030, abs=0.0001)
    assert nominal_noise_raw(10) / CELL_100_G.raw_per_g == pytest.approx(0.0017, abs=0.0001)


def test_profiles_are_found_by_name() -> None:
    """Config names a profile by its own name."""
    assert list(PROFILES) == ["clean", "nominal", "harsh", "glass", "slow", "tails", "skewed"]
    assert (PROFILES["clean"], PROFILES["nominal"]) == (CLEAN, NOMINAL)
