"""The temperature of a board, relative to power-up: a random walk, draughts and sun, its own warming.

Age, not the time of samples, counts here: a board that lay waiting has warmed as well.
"""

from math import exp, inf
from random import Random

from sensors.simulator.profile import Profile

WARM_UP_S = (600.0, 900.0)
"""Time constant of the warm-up, drawn once a board: 10 to 15 minutes (estimate)."""

STEP_SETTLES_S = 60.0
"""Time constant with which a draught or the sun takes hold of wood and metal (estimate)."""


class Weather:
    """One board's temperatures.

    Args:
        profile: how much they move.
        rng: drawn from as the board ages.

    Attributes:
        age_s: seconds since power-up.
    """

    def __init__(self, profile: Profile, rng: Random) -> None:
        self._profile = profile
        self._rng = rng
        self._walk_c = 0.0
        self._step_c = 0.0
        self._towards_c = 0.0
        self._warm_up_s = rng.uniform(*WARM_UP_S)
        self.age_s = 0.0
        self._next_step_s = self._gap_s()

    @property
    def common_c(self) -> float:
        """What all cells feel alike: the walk of the room and the board's own warming."""
        warm = 1 - exp(-self.age_s / self._warm_up_s)
        return self._walk_c + self._profile.warm_up_c * warm

    @property
    def step_c(self) -> float:
        """What a draught or the sun does now; cells feel it by their exposure."""
        return self._step_c

    def age(self, elapsed_s: float) -> None:
        """Let so many seconds go by, in one go."""
        sigma = self._profile.temperature_c_per_sqrt_min * (elapsed_s / 60) ** 0.5
        if sigma:
            self._walk_c += self._rng.gauss(0.0, sigma)
        until_s = self.age_s + elapsed_s
        while self._next_step_s <= until_s:
            self._follow(self._next_step_s)
            self._towards_c = self._rng.uniform(-1, 1) * self._profile.temperature_step_c
            self._next_step_s += self._gap_s()
        self._follow(until_s)

    def _follow(self, until_s: float) -> None:
        if self._step_c != self._towards_c:
            left = exp(-(until_s - self.age_s) / STEP_SETTLES_S)
            self._step_c = self._towards_c + (self._step_c - self._towards_c) * left
        self.age_s = until_s

    def _gap_s(self) -> float:
        gap_s = self._profile.temperature_step_gap_s
        return inf if gap_s == inf else self._rng.expovariate(1 / gap_s)
