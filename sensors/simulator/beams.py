"""Count sensors: a light beam in a pit's mouth, broken by what falls through it.

A beam never drifts and knows no weight. It misses single stones and sees others twice, a handful shadows
itself, it is blind to what is taken out, and a hand that reaches in may look like a stone.
"""

from math import sqrt
from random import Random

from sensors.frames import PULSES_WRAP
from sensors.simulator.profile import Profile


class Beam:
    """One beam and its counter.

    Args:
        profile: how well it sees.
        rng: drawn from here and whenever something happens.

    Attributes:
        pulses: the running count, 0..2**23-1; it begins anywhere.
    """

    __slots__ = ("_profile", "_rng", "pulses")

    def __init__(self, profile: Profile, rng: Random) -> None:
        self._profile = profile
        self._rng = rng
        self.pulses = rng.randrange(PULSES_WRAP)

    def fall(self, bodies: int) -> None:
        """Let bodies fall through in one go: of n only about sqrt(n) are seen apart (estimate)."""
        apart = int(sqrt(bodies) + self._rng.random()) if bodies > 1 else bodies
        pulses = 0
        for _ in range(min(apart, bodies)):
            drawn = self._rng.random()
            if drawn >= self._profile.beam_miss:
                doubled = drawn >= 1 - self._profile.beam_double
                pulses += 2 if doubled else 1
        self._count(pulses)

    def reach_in(self) -> None:
        """Let a hand reach in to take something out."""
        if self._rng.random() < self._profile.beam_hand:
            self._count(1)

    def _count(self, pulses: int) -> None:
        self.pulses = (self.pulses + pulses) % PULSES_WRAP
