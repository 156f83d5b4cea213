"""What shakes and presses a cell beside the stones' weight: rings, fingers, leaning hands.

A `Ring` dies away by itself. A `Grip` is a hand: it comes, trembles, and goes when it is released. Both are
seen behind the chip's filter. Values are grams, times microseconds of the device.
"""

from dataclasses import dataclass
from math import inf, pi, sin
from random import Random

from sensors.simulator.filtering import DELAY_SAMPLES, passed, swung

RING_HZ = (30.0, 100.0)
RING_LASTS_S = (0.1, 0.3)
"""A fallen stone rings at 30 to 100 Hz for 0.1 to 0.3 s (estimate)."""

RING_FULL_HZ = 50.0
"""The frequency at which a profile's impact holds; a stiffer cell answers the same push more hardly."""

KNOCK_HZ = (8.0, 40.0)
"""Tables swing slower than cells (estimate)."""

DECAYS = 6.0
"""Time constants of decay in a ring's whole length: it ends at a quarter of a per cent."""

LEAN_N = (0.1, 5.0)
GRAMS_PER_NEWTON = 101.97
LEAN_SHARE = (0.01, 0.1)
"""A leaning hand: 0.1 to 5 N. The plate carries it; the nearest cell feels 1 to 10 % (estimates)."""
LEAN_BESIDE = 0.5
LEAN_FEW = 3
"""At most three cells beside it feel up to half of what the nearest feels (estimate)."""
LEAN_LASTS_S = (1.0, 8.0)
LEAN_RISE_S = (0.2, 1.0)
"""For seconds, and slowly on and off (estimates)."""

FINGER_RISE_S = (0.03, 0.08)
"""Fingers come and go in less than a tenth of a second (estimate)."""

TREMOR_HZ = (8.0, 12.0)
SWAY_HZ = (0.5, 3.0)
"""Physiological tremor and the slow unsteadiness of a held force (estimates)."""
LEAN_TREMOR = (0.03, 0.06)
FINGER_TREMOR = (0.15, 0.3)
"""Tremor and sway as fractions of the force: a held force varies by some per cent, gathering fingers by
far more (estimates)."""


@dataclass(frozen=True, slots=True)
class Ring:
    """A damped swing of `by_g` grams in front of the filter, begun at `at_us`."""

    at_us: int
    by_g: float
    lasts_us: float
    motion: complex
    """Radians a second; the real part is the decay."""

    def seen_g(self, time_us: float, period_us: float) -> float:
        """Return what a chip with that conversion time shows of it."""
        return self.by_g * swung(self.motion, (time_us - self.at_us) / 1e6, period_us / 1e6).imag


def make_ring(at_us: int, by_g: float, hz: float, lasts_s: float) -> Ring:
    """Return a ring that has died down after so many seconds."""
    return Ring(at_us, by_g, lasts_s * 1e6, complex(-DECAYS / lasts_s, 2 * pi * hz))


@dataclass(slots=True, eq=False)
class Grip:
    """A hand that presses with a force of 1, to be scaled by what each cell feels of it.

    Attributes:
        at_us: when it comes.
        rise_us: how long coming and going last.
        until_us: when it begins to go; `inf` while nobody knows.
        waves: amplitude, radians a microsecond and phase of each trembling, behind the filter.
        delay_us: by how much the filter is late.
    """

    at_us: int
    rise_us: float
    waves: tuple[tuple[float, float, float], ...]
    delay_us: float
    until_us: float = inf

    @property
    def gone_us(self) -> float:
        """When nothing of it is left to see."""
        return self.until_us + self.rise_us + 2 * self.delay_us

    def force(self, time_us: float) -> float:
        """Return the force seen at a time, about 1 while it holds."""
        seen_us = time_us - self.delay_us
        there = _smooth((seen_us - self.at_us) / self.rise_us)
        if seen_us > self.until_us:
            there *= 1 - _smooth((seen_us - self.until_us) / self.rise_us)
        if not there:
            return 0.0
        return there * (1 + sum([size * sin(speed * seen_us + phase) for size, speed, phase in self.waves]))


def make_grip(
    at_us: int, rise_s: tuple[float, float], tremor: tuple[float, float], period_us: float, rng: Random
) -> Grip:
    """Return a hand that comes at `at_us`.

    Args:
        at_us: when.
        rise_s: shortest and longest time of coming and going.
        tremor: tremor and sway as fractions of the force.
        period_us: of a conversion, for the filter.
        rng: drawn from here and not later.
    """
    waves = []
    for size, hz_range in zip(tremor, (TREMOR_HZ, SWAY_HZ), strict=True):
        speed = 2 * pi * rng.uniform(*hz_range)
        gain = abs(passed(complex(0.0, speed), period_us / 1e6))
        waves.append((size * gain * rng.uniform(0.5, 1.0), speed / 1e6, rng.uniform(0, 2 * pi)))
    return Grip(at_us, rng.uniform(*rise_s) * 1e6, tuple(waves), DELAY_SAMPLES * period_us)


def _smooth(share: float) -> float:
    """Return a smooth way from 0 to 1 while `share` goes from 0 to 1."""
    if share <= 0:
        return 0.0
    if share >= 1:
        return 1.0
    return share * share * (3 - 2 * share)
