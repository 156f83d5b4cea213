"""Temperatures of a board."""

from dataclasses import replace
from itertools import pairwise
from random import Random
from statistics import pstdev

import pytest

from sensors.simulator.profile import CLEAN, HARSH, NOMINAL
from sensors.simulator.weather import Weather


def test_nothing_moves_in_the_laboratory() -> None:
    """Clean has no weather."""
    weather = Weather(CLEAN, Random(1))
    weather.age(3600.0)
    assert (weather.common_c, weather.step_c) == (0.0, 0.0)


def test_a_board_warms_up_in_ten_to_fifteen_minutes() -> None:
    """Two thirds of the profile's degrees by then, all of them in the end, whether aged in one go or not."""
    calm = replace(CLEAN, warm_up_c=3.0)
    for seed in range(5):
        weather, twin = Weather(calm, Random(seed)), Weather(calm, Random(seed))
        weather.age(600.0)
        for _ in range(600):
            twin.age(1.0)
        assert 3.0 * 0.48 < weather.common_c < 3.0 * 0.64
        assert twin.common_c == pytest.approx(weather.common_c)
        weather.age(7200.0)
        assert weather.common_c == pytest.approx(3.0, abs=0.01)


def test_the_walk_spreads_with_the_root_of_time() -> None:
    """A degree in a minute, three in nine, however finely it is followed."""
    for minutes, parts in ((1, 1), (9, 1), (9, 30)):
        ends = []
        for seed in range(400):
            weather = Weather(replace(CLEAN, temperature_c_per_sqrt_min=1.0), Random(seed))
            for _ in range(parts):
                weather.age(minutes * 60 / parts)
            ends.append(weather.common_c)
        assert pstdev(ends) == pytest.approx(minutes**0.5, rel=0.15)


def test_draughts_come_take_hold_and_stay_within_the_profile() -> None:
    """In hours there are many; none is larger than promised, and a minute after one most of it is there."""
    weather = Weather(HARSH, Random(3))
    seen = []
    for _ in range(3600 * 3):
        weather.age(1.0)
        seen.append(weather.step_c)
    assert 1.0 < max(map(abs, seen)) <= 2.0
    assert max(abs(b - a) for a, b in pairwise(seen)) <= 4.0 / 60
    assert len({round(value, 3) for value in seen}) > 100


def test_ageing_in_one_go_passes_the_same_draughts() -> None:
    """Their times are drawn ahead: without a walk a lapse ends where small steps end."""
    still = replace(NOMINAL, temperature_c_per_sqrt_min=0.0)
    one, many = Weather(still, Random(1)), Weather(still, Random(1))
    one.age(7200.0)
    for _ in range(7200):
        many.age(1.0)
    assert one.step_c != 0.0
    assert many.step_c == pytest.approx(one.step_c)
