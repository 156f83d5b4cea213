"""The top plate and what comes through it."""

from dataclasses import replace
from random import Random

import pytest

from sensors.simulator.plate import Neighbours, Plate, plain_neighbours
from sensors.simulator.profile import CELL_100_G, CELL_500_G, CLEAN, SKEWED
from sensors.simulator.world import CellWorld

COUPLED = replace(CLEAN, crosstalk_low=0.001, crosstalk_high=0.01)


def test_the_plain_layout_has_two_rows_along_two_kazans() -> None:
    """Pits side by side, each row with its own kazan, the kazans with each other, no pit across."""
    pairs = {(one, other): close for one, other, close in plain_neighbours(20)}
    assert len(pairs) == 8 + 8 + 18 + 1
    assert pairs[0, 1] == pairs[16, 17] == pairs[18, 19] == 1.0
    assert pairs[0, 18] == pairs[8, 18] == pairs[9, 19] == pytest.approx(1 / 3)
    assert (8, 9) not in pairs
    assert all((pit, 17 - pit) not in pairs for pit in range(9))
    assert plain_neighbours(3) == (Neighbours(0, 1), Neighbours(1, 2))


def test_shares_lie_within_those_of_the_profile_and_differ() -> None:
    """Between 0.1 and 1 % for whole neighbours, another one in each direction."""
    plate = Plate(20, plain_neighbours(20), COUPLED, Random(1))
    row = [share for target, share in plate.touching[4] if target < 18]
    assert len(row) == 2
    assert all(0.001 <= share <= 0.01 for share in row)
    assert len({share for each in plate.touching for _, share in each}) == 2 * 35


def test_a_load_is_felt_beside_it_and_nowhere_else() -> None:
    """Fifty grams weigh up to half a gram in the next pit, a third of that in the kazan, and go again."""
    world = CellWorld([CELL_100_G] * 18 + [CELL_500_G] * 2, COUPLED, 1)
    world.add_weight(4, 50.0, 0)
    felt_g = [cell.load_g for cell in world.cells]
    assert all(0.05 <= felt_g[channel] <= 0.5 for channel in (3, 5))
    assert 0.05 / 3 <= felt_g[18] <= 0.5 / 3
    assert [channel for channel in range(20) if not felt_g[channel]] == [0, 1, 2, *range(6, 18), 19]
    before = world.cells[3].mean_raw(0)
    assert world.cells[3].mean_raw(1_000_000) > before
    world.add_weight(4, -50.0, 2_000_000)
    assert max(cell.load_g for cell in world.cells) == pytest.approx(0.0, abs=1e-9)


def test_the_layout_of_neighbours_is_the_callers() -> None:
    """Another wiring has other neighbours."""
    world = CellWorld([CELL_100_G] * 20, COUPLED, 1, neighbours=[Neighbours(4, 11)])
    world.add_weight(4, 50.0, 0)
    assert [channel for channel in range(20) if world.cells[channel].load_g] == [4, 11]


def test_skewed_crosstalk_does_not_add_up() -> None:
    """Two loads together leak more than each alone; elsewhere they leak exactly their sum."""
    for profile, bends in ((SKEWED, True), (COUPLED, False)):
        plate = Plate(2, [Neighbours(0, 1)], profile, Random(1))
        alone, together = plate.leak_g(0, [0.0, 40.0]), plate.leak_g(0, [20.0, 40.0])
        assert (together > 1.4 * alone) is bends
        assert bends or together == alone
