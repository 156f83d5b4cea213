"""One load cell behind one ADC channel: from grams on the pan to the mean of the raw value.

The noise of a single sample is added by the world, for all channels in one go; this file holds what
changes slowly or only when something happens, so that a quiet channel costs nothing per sample:

- zero offset, sensitivity, a bow and a play between loading and unloading, at each change of load;
- the step response of the chip's filter (four conversions) and the ringing of a fallen ball, while they last;
- temperature and creep, about once a second.

Times are device microseconds. Grams in, raw ADC steps out; nothing here knows what lies on the pan.
"""

from dataclasses import dataclass
from math import exp, pi, sin
from random import Random

from sensors.simulator.profile import CellKind, Profile

STEP_RESPONSE = (0.0, 1 / 24, 1 / 2, 23 / 24, 1.0)
"""Share of a step that is visible 0..4 conversions later: a fourth-order averaging filter; the data sheet
gives its length as four conversions."""

SETTLING_SAMPLES = len(STEP_RESPONSE) - 1

CREEP_TIMES_S = (60.0, 600.0)
"""Creep is split evenly between these time constants (estimate, not measured)."""

RING_HZ = (30.0, 100.0)
RING_DECAY_S = 0.06
RING_LASTS_S = 0.3
"""A fallen ball rings at 30 to 100 Hz for 0.1 to 0.3 s (estimate, not measured)."""


@dataclass(frozen=True, slots=True)
class _Step:
    at_us: int
    by_g: float


@dataclass(frozen=True, slots=True)
class _Ring:
    at_us: int
    by_g: float
    hz: float


class SimulatedCell:
    """A cell with hidden constants drawn from `rng`; what it reads is all that the outside may know.

    Args:
        kind: the data sheet.
        profile: how far this specimen strays from it.
        rng: drawn from only here and when a ball falls.
        period_us: time of one conversion, microseconds.
    """

    __slots__ = (
        "_creep_g",
        "_load_g",
        "_period_us",
        "_play_g",
        "_profile",
        "_rings",
        "_rng",
        "_steps",
        "bow",
        "drift_g",
        "kind",
        "play_width_g",
        "raw_per_g",
        "span",
        "span_tc",
        "zero_raw",
        "zero_tc_g",
    )

    def __init__(self, kind: CellKind, profile: Profile, rng: Random, period_us: float) -> None:
        self.kind = kind
        self._profile = profile
        self._rng = rng
        self._period_us = period_us
        spread = profile.zero_spread_fs
        self.raw_per_g = kind.raw_per_g * (1 + rng.uniform(-1, 1) * profile.sensitivity_spread)
        self.zero_raw = rng.uniform(-spread, spread) * kind.capacity_g * self.raw_per_g
        self.bow = rng.uniform(-1, 1) * profile.nonlinearity_fs
        self.play_width_g = profile.hysteresis_fs * kind.capacity_g
        self.zero_tc_g = rng.uniform(-1, 1) * profile.zero_tc_fs_per_c * kind.capacity_g
        self.span_tc = rng.uniform(-1, 1) * profile.span_tc_per_c
        self.drift_g = 0.0
        self.span = 1.0
        self._load_g = 0.0
        self._play_g = 0.0
        self._creep_g = [0.0] * len(CREEP_TIMES_S)
        self._steps: list[_Step] = []
        self._rings: list[_Ring] = []

    @property
    def load_g(self) -> float:
        """What truly weighs on the cell now, grams."""
        return self._load_g

    def set_load(self, load_g: float, at_us: int) -> None:
        """Set the weight on the cell to `load_g` at once; the reading follows through the filter."""
        before_g = self._felt_g()
        self._load_g = load_g
        half = self.play_width_g / 2
        self._play_g = min(max(self._play_g, load_g - half), load_g + half)
        self._steps.append(_Step(at_us, self._felt_g() - before_g))

    def strike(self, mass_g: float, at_us: int) -> None:
        """Let something of `mass_g` fall on the pan: it rings, unless the profile's impact is 0."""
        if self._profile.impact:
            by_g = mass_g * self._profile.impact * self._rng.uniform(0.3, 1.0)
            self._rings.append(_Ring(at_us, by_g, self._rng.uniform(*RING_HZ)))

    def settle(self) -> None:
        """Forget everything still under way, as after a long rest."""
        self._steps.clear()
        self._rings.clear()

    def weather(self, temperature_c: float, elapsed_s: float) -> None:
        """Apply a temperature relative to power-up, and the creep of `elapsed_s` seconds."""
        self.drift_g = self.zero_tc_g * temperature_c
        self.span = 1.0 + self.span_tc * temperature_c
        share = self._profile.creep / len(CREEP_TIMES_S)
        for index, constant_s in enumerate(CREEP_TIMES_S):
            target_g = share * self._load_g
            self._creep_g[index] += (target_g - self._creep_g[index]) * (1 - exp(-elapsed_s / constant_s))

    def mean_raw(self, time_us: int) -> float:
        """Return the raw value without noise at `time_us`; forget what has died away by then."""
        seen_g = self._felt_g() + self.drift_g
        if self._steps:
            seen_g -= self._unseen_g(time_us)
        if self._rings:
            seen_g += self._ringing_g(time_us)
        return self.zero_raw + seen_g * self.raw_per_g * self.span

    @property
    def active(self) -> bool:
        """True while a step or a ring is still under way, so that the next sample will differ."""
        return bool(self._steps or self._rings)

    def _felt_g(self) -> float:
        """Return the load through play, bow and creep: what the bridge would show after a long time."""
        played_g = self._play_g if self.play_width_g else self._load_g
        relative = played_g / self.kind.capacity_g
        bow_g = 4 * self.bow * self.kind.capacity_g * relative * (1 - relative)
        return played_g + bow_g + sum(self._creep_g)

    def _unseen_g(self, time_us: int) -> float:
        """Return the part of the latest steps that the filter has not let through yet."""
        unseen_g = 0.0
        period_us = self._period_us
        self._steps = [step for step in self._steps if time_us - step.at_us < SETTLING_SAMPLES * period_us]
        for step in self._steps:
            whole, part = divmod(max(0.0, (time_us - step.at_us) / period_us), 1.0)
            index = min(int(whole), SETTLING_SAMPLES - 1)
            low, high = STEP_RESPONSE[index], STEP_RESPONSE[index + 1]
            unseen_g += step.by_g * (1 - low - (high - low) * part)
        return unseen_g

    def _ringing_g(self, time_us: int) -> float:
        swing_g = 0.0
        self._rings = [ring for ring in self._rings if time_us - ring.at_us < RING_LASTS_S * 1e6]
        for ring in self._rings:
            since_s = max(0.0, (time_us - ring.at_us) / 1e6)
            swing_g += ring.by_g * exp(-since_s / RING_DECAY_S) * sin(2 * pi * ring.hz * since_s)
        return swing_g
