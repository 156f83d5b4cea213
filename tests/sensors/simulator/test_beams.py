"""Count sensors: what they see, miss, double, and what they cannot know."""

from collections import Counter
from dataclasses import replace
from random import Random

import pytest

from sensors.frames import PULSES_WRAP, STATUS_EXCLUDED, STATUS_OK
from sensors.simulator.beams import Beam
from sensors.simulator.profile import CELL_100_G, CLEAN, NOMINAL, Profile
from sensors.simulator.world import CellWorld


def pulses_of(profile: Profile, bodies: int, times: int = 3000) -> Counter[int]:
    """How often so many bodies in one go gave how many pulses."""
    beam = Beam(profile, Random(1))
    seen: Counter[int] = Counter()
    for _ in range(times):
        before = beam.pulses
        beam.fall(bodies)
        seen[(beam.pulses - before) % PULSES_WRAP] += 1
    return seen


def test_a_faultless_beam_sees_each_stone_once() -> None:
    """Nothing is missed, nothing doubled."""
    assert set(pulses_of(CLEAN, 1)) == {1}
    assert set(pulses_of(CLEAN, 0)) == {0}


def test_single_stones_are_missed_and_doubled_at_the_profiles_share() -> None:
    """Two in a hundred each."""
    seen = pulses_of(NOMINAL, 1)
    assert set(seen) == {0, 1, 2}
    for pulses in (0, 2):
        assert seen[pulses] / 3000 == pytest.approx(0.02, abs=0.008)


def test_a_handful_shadows_itself() -> None:
    """Of nine stones about three are seen, of two one or two, never more than fell."""
    assert set(pulses_of(CLEAN, 9)) == {3}
    assert set(pulses_of(CLEAN, 2)) == {1, 2}
    assert set(pulses_of(CLEAN, 12)) == {3, 4}


def test_taking_out_is_not_seen_but_the_hand_may_be() -> None:
    """A hand in twenty gives a pulse; with a faultless sensor none does."""
    for profile, share in ((CLEAN, 0.0), (NOMINAL, 0.05)):
        beam = Beam(profile, Random(2))
        before = beam.pulses
        for _ in range(2000):
            beam.reach_in()
        assert (beam.pulses - before) % PULSES_WRAP / 2000 == pytest.approx(share, abs=0.015)


def test_the_count_begins_anywhere_and_wraps() -> None:
    """Seeds differ in where it begins; after the last number comes 0."""
    assert len({Beam(CLEAN, Random(seed)).pulses for seed in range(5)}) == 5
    beam = Beam(CLEAN, Random(1))
    beam.pulses = PULSES_WRAP - 1
    beam.fall(1)
    assert beam.pulses == 0


def test_each_beam_has_a_channel_behind_the_cells() -> None:
    """A stone that falls adds one to the beam of its stack; lifting and perching add none."""
    world = CellWorld([CELL_100_G] * 4, CLEAN, 1, beams=(1, 3))
    world.lay_out({0: 5})
    before = world.read(0)
    world.lift(0, 0, 100, 3)
    world.drop(3, 0, 200)
    world.perch(1, None, 0, 300, 0.5)
    after = world.read(1_000_000)
    assert world.channels == len(after.raw) == len(after.status) == 6
    assert [b - a for a, b in zip(before.raw[4:], after.raw[4:], strict=True)] == [0, 1]
    world.unperch(1, 1_100_000)
    assert world.read(2_000_000).raw[4] == before.raw[4] + 1


def test_cells_that_are_not_read_are_excluded() -> None:
    """Count sensors alone: cells have no value and say so, beams stand where they would stand beside them."""
    world = CellWorld([CELL_100_G] * 4, replace(NOMINAL, beam_miss=0.0), 1, beams=(2,), cells_read=False)
    reading = world.read(0)
    assert reading.raw[:4] == (0, 0, 0, 0)
    assert reading.status == (STATUS_EXCLUDED,) * 4 + (STATUS_OK,)
    world.lay_out({0: 5})
    world.lift(0, 0, 0)
    world.drop(2, 0, 0)
    assert world.read(12_500).raw[4] - reading.raw[4] in {1, 2}
