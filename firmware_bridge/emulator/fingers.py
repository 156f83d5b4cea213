"""What both players' hands share: where things are, tempo, habits and chance; how stones are carried."""

from dataclasses import dataclass
from random import Random

from firmware_bridge.emulator.actions import Button, Drop, Lift, Reach, Touch
from firmware_bridge.emulator.pace import Manners, Pace, Span
from firmware_bridge.emulator.steps import Motion, Pause
from rules.position import Side

FIRMNESS = (0.2, 1.0)
"""How hard fingers gather stones, as a share of the profile's strongest touch."""

PRESS_LASTS_S: Span = (0.06, 0.14)
"""How long a clock's lever is held down (estimate)."""


@dataclass(frozen=True, slots=True)
class Fingers:
    """Hands without a plan.

    Attributes:
        wiring: channels.
        pace: tempo.
        manners: habits.
        rng: of durations and choices.
    """

    wiring: Reach
    pace: Pace
    manners: Manners
    rng: Random

    def happens(self, share: float) -> bool:
        """Draw whether something happens that does so in this share of 1 of all cases."""
        return self.rng.random() < share

    def pause(self, span: Span) -> Pause:
        """Draw a pause."""
        return Pause(self.rng.uniform(*span))

    def firmness(self) -> float:
        """Draw how hard fingers press while they gather."""
        return self.rng.uniform(*FIRMNESS)

    def press(self, side: Side) -> Motion:
        """Hit a side's clock."""
        button = self.wiring.buttons[side.index]
        yield Button(button, down=True)
        yield self.pause(PRESS_LASTS_S)
        yield Button(button, down=False)

    def carry(self, channel: int, stones: int, side: Side) -> Motion:
        """Carry stones of one channel to a side's kazan, in one handful or more."""
        for handful in self._handfuls(stones):
            yield self.pause(self.pace.carry_s)
            yield Touch(channel, self.firmness())
            yield self.pause(self.pace.lift_s)
            yield Lift(channel, side.index, handful)
            yield Touch(channel, 0.0)
            yield self.pause(self.pace.carry_s)
            yield Drop(self.wiring.kazans[side.index], side.index, handful)

    def _handfuls(self, stones: int) -> list[int]:
        """Divide stones into handfuls; in two, neither is less than a third."""
        manners, chance = self.manners, self.rng.random()
        if stones <= manners.handful or chance >= manners.two_handfuls + manners.three_handfuls:
            return [stones]
        if chance < manners.two_handfuls:
            first = self.rng.randint(stones // 3, stones - stones // 3)
            return [first, stones - first]
        first, second = sorted(self.rng.sample(range(1, stones), 2))
        return [first, second - first, stones - second]
