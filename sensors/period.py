"""How far apart samples come: measured, for what a device declares is not what its converters do."""

LONGEST_STEP_US = 300_000
"""Samples further apart than this have a hole between them, which tells nothing of the period. Slow devices
have 0.12 s: 10 samples a second, from an oscillator that strays by a fifth."""

SHARE = 0.05
"""Weight of a new step against all before it: twenty make a new period."""


class SamplePeriod:
    """The time from one sample to the next, as a mean in which older steps fade.

    Attributes:
        us: microseconds; 0 while it is not known.
    """

    __slots__ = ("_longest_us", "_share", "us")

    def __init__(self, us: float = 0.0, *, share: float = SHARE, longest_us: int = LONGEST_STEP_US) -> None:
        """Begin with what is declared.

        Args:
            us: the period until one is measured; 0: not known, then the first step is taken for it.
            share: weight of a new step, above 0 and at most 1.
            longest_us: a longer step is a hole.
        """
        self.us = us
        self._share = share
        self._longest_us = longest_us

    def take(self, step_us: int) -> None:
        """Learn from one step; holes, and time that did not go forward, are passed over."""
        if 0 < step_us <= self._longest_us:
            self.us += (step_us - self.us) * (self._share if self.us else 1.0)
