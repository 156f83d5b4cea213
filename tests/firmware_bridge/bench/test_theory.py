"""The limit of every reader, held against errors drawn at random."""

from __future__ import annotations

import random
from dataclasses import replace

import pytest

from firmware_bridge.bench.theory import SOWN_PLACES, limit
from sensors.simulator.profile import GLASS, NOMINAL


def test_at_the_limit_of_spread_one_ply_in_a_hundred_has_a_stone_nearer_to_another_number() -> None:
    """Ten stones each of which strays by the spread times the factor."""
    most = limit(NOMINAL, "spread")
    assert most is not None
    rng = random.Random(1)
    asked = sum(
        any(abs(rng.gauss(0, NOMINAL.unit_cv * most)) > 0.5 for _ in range(SOWN_PLACES))
        for _ in range(20_000)
    )
    assert asked / 20_000 == pytest.approx(0.01, abs=0.003)


def test_a_noisier_profile_bears_less_noise_and_a_heavier_stone_more() -> None:
    """In proportion; how drift can be foreseen is not bounded."""
    noise = limit(NOMINAL, "noise")
    assert noise is not None
    twice = limit(replace(NOMINAL, noise_factor=2 * NOMINAL.noise_factor), "noise")
    assert twice == pytest.approx(noise / 2)
    glass = limit(GLASS, "noise")
    assert glass is not None
    assert glass > noise
    assert limit(NOMINAL, "drift") is None
