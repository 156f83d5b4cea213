"""A board whose places change at given moments, read as a settler would read them: quiet, moving, over."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from itertools import pairwise

from firmware_bridge.board.counting.lots import stones_due
from rules.position import START
from sensors.settle import ChannelReading, ReadingState, Stretch
from tests.firmware_bridge.board.paper import UNITS

QUIET_US = 300_000
"""How long a place must have lain still before it is read."""


@dataclass
class Course:
    """What was done to twenty places, and when.

    Attributes:
        lag_us: How long after a change the settler notices it: 0..100_000.
    """

    lag_us: int = 50_000
    _steps: list[list[tuple[int, float]]] = field(
        default_factory=lambda: [[(-10_000_000, float(n))] for n in stones_due(START)]
    )

    def put(self, at_us: int, stones: Sequence[float]) -> None:
        """Let these stones lie there from now on."""
        for place, number in enumerate(stones):
            if self._steps[place][-1][1] != number:
                self._steps[place].append((at_us, float(number)))

    def move(self, at_us: int, source: int, target: int) -> None:
        """Take a stone from one place to another at once."""
        for place, by in ((source, -1), (target, 1)):
            self._steps[place].append((at_us, self._steps[place][-1][1] + by))

    def touch(self, at_us: int, place: int) -> None:
        """Lean on a place for a moment; what lies there stays."""
        self._steps[place].append((at_us, self._steps[place][-1][1]))

    def channels(self, now_us: int) -> tuple[ChannelReading, ...]:
        """Return the readings of a moment."""
        return tuple(self._reading(steps, now_us) for steps in self._steps)

    def _reading(self, steps: list[tuple[int, float]], now_us: int) -> ChannelReading:
        noticed = [(at_us + self.lag_us, number) for at_us, number in steps if at_us + self.lag_us <= now_us]
        past = tuple(
            Stretch(since_us, until_us, number * UNITS.stone_g, 0.0, 4)
            for (since_us, number), (until_us, _) in pairwise(noticed)
            if until_us - since_us >= QUIET_US
        )[-6:]
        since_us, number = noticed[-1]
        if now_us - since_us < QUIET_US:
            return ChannelReading(ReadingState.MOVING, None, None, "spread", past=past)
        return ChannelReading(ReadingState.QUIET, number * UNITS.stone_g, since_us, "", past=past)
