"""Lets the mishaps of a scene happen when their plies come (pure)."""

from __future__ import annotations

from dataclasses import dataclass, field

from firmware_bridge.bench.away import UNPLUGGED_US, Away
from firmware_bridge.bench.scene import SEATING, Mishaps
from sensors.simulator.world import CellWorld


@dataclass(slots=True)
class Fate:
    """What happens to one board.

    Attributes:
        mishaps: What is to happen.
        away: The device while nobody listens to it.
    """

    mishaps: Mishaps
    away: Away = field(default_factory=Away)
    _pull_at_drop: bool = False

    def ply_begins(self, ply: int, world: CellWorld, dial: int) -> None:
        """Let happen what is to happen at the beginning of a ply, from 1, while `dial` runs."""
        for broken in self.mishaps.broken:
            channel = SEATING.channel_of_place[broken.place]
            if broken.from_ply == ply:
                world.set_fault(channel, broken.fault)
            elif broken.until_ply == ply:
                world.set_fault(channel, None)
        self._pull_at_drop = ply in self.mishaps.unplugged
        if ply in self.mishaps.unwatched:
            self.away.begin("down", None, dial)

    def stone_falls(self, at_us: int, dial: int) -> bool:
        """Pull the cable with the first stone of a ply in which it is to be; return whether that was now."""
        if not self._pull_at_drop:
            return False
        self._pull_at_drop = False
        self.away.begin("unplugged", at_us + UNPLUGGED_US, dial)
        return True
