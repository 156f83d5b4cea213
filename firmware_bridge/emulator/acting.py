"""What the hands' actions do to the world of cells."""

from firmware_bridge.emulator.actions import (
    Action,
    Drop,
    Lift,
    Perch,
    PlaceMark,
    RemoveMark,
    Touch,
    Unperch,
)
from sensors.simulator.world import CellWorld

ON_THE_BOARD = (Touch, Lift, Drop, Perch, Unperch, PlaceMark, RemoveMark)
"""Actions that the cells feel."""


def carry_out(world: CellWorld, action: Action, at_us: int) -> None:
    """Do what the hands do at world time `at_us`; what the cells do not feel is not done here."""
    match action:
        case Touch(channel, firmness):
            world.touch(channel, firmness, at_us)
        case Lift(channel, hand, stones):
            world.lift(channel, hand, at_us, stones)
        case Drop(channel, hand, stones):
            world.drop(channel, hand, at_us, stones)
        case Perch(channel, hand, other, share):
            world.perch(channel, other, hand, at_us, share)
        case Unperch(channel):
            world.unperch(channel, at_us)
        case PlaceMark(channel):
            world.place_mark(channel, at_us)
        case RemoveMark(channel):
            world.remove_mark(channel, at_us)
        case _:
            pass
