"""Who shakes and presses when: knocks on the table and leaning hands by chance, fingers when they are told.

Knocks and leaning hands come from the world's own seed, with exponential gaps, whatever the players do. What
is going on may be asked, so that a bench knows when the hand was gone and the board at rest.
"""

from collections.abc import Sequence
from math import exp, inf, log
from random import Random

from sensors.simulator.cells import SimulatedCell
from sensors.simulator.disturbances import (
    FINGER_RISE_S,
    FINGER_TREMOR,
    GRAMS_PER_NEWTON,
    KNOCK_HZ,
    LEAN_BESIDE,
    LEAN_FEW,
    LEAN_LASTS_S,
    LEAN_N,
    LEAN_RISE_S,
    LEAN_SHARE,
    LEAN_TREMOR,
    RING_LASTS_S,
    Grip,
    make_grip,
)
from sensors.simulator.plate import Plate
from sensors.simulator.profile import Profile

STALE_US = 15_000_000
"""What has begun longer ago than this when somebody looks again is over."""

UNFELT_G = 0.001
"""Less than this of a hand is below all noise: the neighbour is spared the work."""


class Shaking:
    """All that shakes one board.

    Args:
        cells: those of the board.
        plate: who feels what of a neighbour.
        profile: how often and how hard.
        period_us: of a frame, for the filter.
        rng: drawn from whenever something happens.

    Attributes:
        knocked_until_us: when the latest knock has died away.
        leaning_until_us: when the latest leaning hand is gone from every reading.
        touched_until_us: when the fingers that have let go are gone from every reading.
    """

    def __init__(
        self, cells: Sequence[SimulatedCell], plate: Plate, profile: Profile, period_us: float, rng: Random
    ) -> None:
        self._cells = cells
        self._plate = plate
        self._profile = profile
        self._period_us = period_us
        self._rng = rng
        self._touches: dict[int, Grip] = {}
        self._leans: list[Grip] = []
        self._next_knock_us = self._gap_us(profile.knock_gap_s)
        self._next_lean_us = self._gap_us(profile.lean_gap_s)
        self.knocked_until_us = 0.0
        self.leaning_until_us = 0.0
        self.touched_until_us = 0.0

    @property
    def due_us(self) -> float:
        """When the next thing happens by chance; `inf` for never."""
        return min(self._next_knock_us, self._next_lean_us)

    def calm(self) -> None:
        """Let nothing more happen by chance: nobody else is in the room."""
        self._next_knock_us = self._next_lean_us = inf

    def turn(self, now_us: int) -> set[int]:
        """Let happen what is due; return the channels that move from now on."""
        moved: set[int] = set()
        while self._next_knock_us <= now_us:
            at_us = int(self._next_knock_us)
            self._next_knock_us += self._gap_us(self._profile.knock_gap_s)
            if now_us - at_us < STALE_US:
                moved |= self.knock(self._profile.knock_accel * self._rng.uniform(0.2, 1.0), at_us)
        while self._next_lean_us <= now_us:
            at_us = int(self._next_lean_us)
            self._next_lean_us += self._gap_us(self._profile.lean_gap_s)
            if now_us - at_us < STALE_US:
                newton = exp(self._rng.uniform(*map(log, LEAN_N)))
                channel = self._rng.randrange(len(self._cells))
                moved |= self.lean(channel, newton, at_us, self._rng.uniform(*LEAN_LASTS_S))
        return moved

    def knock(self, accel: float, at_us: int) -> set[int]:
        """Knock on the table: all cells swing together, each at its own strength within a half."""
        hz, lasts_s = self._rng.uniform(*KNOCK_HZ), self._rng.uniform(*RING_LASTS_S)
        for cell in self._cells:
            cell.shake(accel * self._rng.uniform(0.5, 1.0), hz, lasts_s, at_us)
        self.knocked_until_us = max(self.knocked_until_us, *(cell.rest_us for cell in self._cells))
        return set(range(len(self._cells)))

    def lean(self, channel: int, newton: float, at_us: int, lasts_s: float) -> set[int]:
        """Lean on the plate near a channel: a share of the force reaches it, less a few of its neighbours."""
        grip = make_grip(at_us, LEAN_RISE_S, LEAN_TREMOR, self._period_us, self._rng)
        grip.until_us = at_us + grip.rise_us + lasts_s * 1e6
        near_g = newton * GRAMS_PER_NEWTON * exp(self._rng.uniform(*map(log, LEAN_SHARE)))
        self._leans = [*(each for each in self._leans if each.gone_us > at_us), grip]
        moved = {channel}
        self._cells[channel].press(grip, near_g)
        beside = self._plate.touching[channel]
        for target, _ in self._rng.sample(beside, min(LEAN_FEW, len(beside))):
            self._cells[target].press(grip, near_g * LEAN_BESIDE * self._rng.random())
            moved.add(target)
        self.leaning_until_us = max(self.leaning_until_us, grip.gone_us)
        return moved

    def lapse(self, now_us: int, seconds: float) -> None:
        """Let so many seconds pass unseen: a leaning hand that would have gone by then begins to go now."""
        for grip in self._leans:
            if grip.until_us > now_us:
                grip.until_us = max(now_us, grip.until_us - seconds * 1e6)
        self.leaning_until_us = max((grip.gone_us for grip in self._leans), default=self.leaning_until_us)

    def touch(self, channel: int, by_g: float, at_us: int) -> set[int]:
        """Press into a channel with fingers in place of what pressed there before; 0 lets go."""
        moved = {channel}
        before = self._touches.pop(channel, None)
        if before is not None:
            before.until_us = at_us
            self.touched_until_us = max(self.touched_until_us, before.gone_us)
        if by_g:
            grip = make_grip(at_us, FINGER_RISE_S, FINGER_TREMOR, self._period_us, self._rng)
            self._touches[channel] = grip
            self._cells[channel].press(grip, by_g)
            for target, share in self._plate.touching[channel]:
                if share * by_g >= UNFELT_G:
                    self._cells[target].press(grip, share * by_g)
                    moved.add(target)
        return moved

    def disturbed_until_us(self) -> float:
        """Return when the last knock, leaning hand or touch is over; `inf` while fingers are in a pit."""
        if self._touches:
            return inf
        return max(self.knocked_until_us, self.leaning_until_us, self.touched_until_us)

    def forget_touches(self) -> None:
        """Take all fingers away at once."""
        self._touches.clear()

    def _gap_us(self, gap_s: float) -> float:
        return inf if gap_s == inf else self._rng.expovariate(1 / gap_s) * 1e6
