"""Thinking that costs no samples (pure).

About a second of a think is sampled at most. What is cut off, and what the hands themselves lapse, ages the
world in pieces while that second goes by: zeros drift as far as they would have, only faster.
"""

from __future__ import annotations

from dataclasses import dataclass, field, replace

from firmware_bridge.emulator.pace import Pace, Span
from sensors.simulator.world import CellWorld

SAMPLED_S: Span = (0.7, 1.2)
"""How much of a think is sampled at most: longer than any stretch of quiet that settling asks for."""

PIECES = 8
EVERY_US = 100_000
"""In so many pieces, one each tenth of a second, the world ages through a think."""


def sampled(pace: Pace) -> tuple[Pace, float]:
    """Return a pace whose sampled thinking is cut short, and by how many seconds it is on the average."""
    think_s = (min(pace.think_s[0], SAMPLED_S[0]), min(pace.think_s[1], SAMPLED_S[1]))
    return replace(pace, think_s=think_s), (sum(pace.think_s) - sum(think_s)) / 2


@dataclass(slots=True)
class Thinking:
    """What is still to be aged.

    Attributes:
        world: What ages.
        cut_s: What `sampled` has cut off each think.
    """

    world: CellWorld
    cut_s: float
    _pieces_s: list[float] = field(default_factory=list)
    _due_us: int = 0

    def begin(self, seconds: float) -> None:
        """Begin a think in which the hands lapse so many seconds."""
        if seconds + self.cut_s > 0:
            self._pieces_s = [(seconds + self.cut_s) / PIECES] * PIECES

    def pass_by(self, now_us: int) -> None:
        """Age the world by what is due."""
        if self._pieces_s and now_us >= self._due_us:
            self._due_us = now_us + EVERY_US
            self.world.lapse(self._pieces_s.pop())
