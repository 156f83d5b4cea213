"""What actions do to the cells, in every world that hands play in."""

import pytest

from firmware_bridge.emulator.acting import carry_out
from firmware_bridge.emulator.actions import Lift, Perch, PlyDone, Unperch
from rules.position import START, play
from sensors.simulator.profile import CLEAN
from sensors.simulator.world import CellWorld


def a_world() -> CellWorld:
    """Return a clean board as it is set up."""
    world = CellWorld(CLEAN.kinds(), CLEAN, 1)
    world.lay_out(dict.fromkeys(range(18), 9))
    return world


@pytest.mark.parametrize("share", [0.05, 0.95])
def test_a_stone_on_a_rim_weighs_the_share_that_the_hands_chose(share: float) -> None:
    """Whatever it is: nobody draws it a second time."""
    world = a_world()
    rest_g = [cell.load_g for cell in world.cells]
    carry_out(world, Lift(0, 0, 1), 0)
    stone_g = rest_g[0] - world.cells[0].load_g
    carry_out(world, Perch(3, 0, 4, share), 1_000)
    gained_g = [world.cells[channel].load_g - rest_g[channel] for channel in (3, 4)]
    assert gained_g == pytest.approx([share * stone_g, (1 - share) * stone_g])
    carry_out(world, Unperch(3), 2_000)
    assert (world.stones(3), world.perched) == (10, 0)


def test_what_the_cells_do_not_feel_changes_nothing() -> None:
    """A ply that is told as done moves no stone."""
    world = a_world()
    carry_out(world, PlyDone(1, play(START, 1)), 1_000)
    assert [world.stones(channel) for channel in range(18)] == [9] * 18
    assert world.disturbed_until_us() == 0.0
