"""One load cell behind one ADC channel: from grams on the pan to the mean of the raw value.

The noise of a single sample is added by the world, for all channels in one go; this file holds what
changes slowly or only when something happens, so that a quiet channel costs nothing per sample:

- zero offset, sensitivity, a bow and a play between loading and unloading, at each change of load;
- the chip's own clock, the step response of its filter, rings and hands, while they last;
- temperature and creep, about once a second.

Times are device microseconds. Grams in, raw ADC steps out; nothing here knows what lies on the pan.
"""

from dataclasses import dataclass
from functools import lru_cache
from math import exp, inf
from random import Random

from sensors.simulator.disturbances import RING_FULL_HZ, RING_HZ, RING_LASTS_S, Grip, Ring, make_ring
from sensors.simulator.filtering import SETTLING_SAMPLES, visible
from sensors.simulator.profile import CellKind, Profile

CREEP_TIMES_S = (60.0, 600.0)
"""Creep is split evenly between these time constants (estimate, not measured)."""

CUP_FS = 0.2
"""Mass of the cup or trough on a cell, fraction of its capacity: a knock swings it too (estimate)."""

EARLY_US = 1.0
"""A conversion that ends within this time after a frame counts as finished: times are whole microseconds."""


@dataclass(frozen=True, slots=True)
class _Step:
    at_us: int
    by_g: float


class SimulatedCell:
    """A cell with hidden constants drawn from `rng`; what it reads is all that the outside may know.

    Args:
        kind: the data sheet.
        profile: how far this specimen strays from it.
        rng: drawn from only here and when a body falls.
        period_us: time of one conversion, microseconds.
        phase_us: when the first conversion ends.
    """

    __slots__ = (
        "_anchor_us",
        "_born_period_us",
        "_clock_tc",
        "_creep_g",
        "_grips",
        "_load_g",
        "_play_g",
        "_profile",
        "_rings",
        "_rng",
        "_steps",
        "bow",
        "drift_g",
        "exposure",
        "kind",
        "period_us",
        "play_width_g",
        "raw_per_g",
        "rest_us",
        "span",
        "span_tc",
        "zero_raw",
        "zero_tc_g",
    )

    def __init__(
        self, kind: CellKind, profile: Profile, rng: Random, period_us: float, phase_us: float = 0.0
    ) -> None:
        self.kind = kind
        self._profile = profile
        self._rng = rng
        self.period_us = self._born_period_us = period_us
        self._anchor_us = phase_us
        spread = profile.zero_spread_fs
        self.raw_per_g = kind.raw_per_g * (1 + rng.uniform(-1, 1) * profile.sensitivity_spread)
        self.zero_raw = rng.uniform(-spread, spread) * kind.capacity_g * self.raw_per_g
        self.bow = rng.uniform(-1, 1) * profile.nonlinearity_fs
        self.play_width_g = profile.hysteresis_fs * kind.capacity_g
        self.zero_tc_g = rng.uniform(-1, 1) * profile.zero_tc_fs_per_c * kind.capacity_g
        self.span_tc = rng.uniform(-1, 1) * profile.span_tc_per_c
        self._clock_tc = rng.uniform(-1, 1) * profile.clock_tc_per_c
        self.exposure = rng.uniform(0.5, 1.5)
        self.drift_g = 0.0
        self.span = 1.0
        self.rest_us = 0.0
        self._load_g = 0.0
        self._play_g = 0.0
        self._creep_g = [0.0] * len(CREEP_TIMES_S)
        self._steps: list[_Step] = []
        self._rings: list[Ring] = []
        self._grips: list[tuple[Grip, float]] = []

    @property
    def load_g(self) -> float:
        """What truly weighs on the cell now, grams, hands that have not let go included."""
        return self._load_g + sum([by_g for grip, by_g in self._grips if grip.until_us == inf])

    @property
    def settling_us(self) -> float:
        """How long a change may be seen: the filter's length, and the wait for a conversion to end."""
        return (SETTLING_SAMPLES + 1) * self.period_us

    @property
    def active(self) -> bool:
        """True while a step, a ring or a hand is still there, so that the next sample will differ."""
        return bool(self._steps or self._rings or self._grips)

    @property
    def rest_since_us(self) -> float:
        """When the last disturbance has died or will die away; `inf` while a hand holds that may stay."""
        return max([self.rest_us, *(grip.gone_us for grip, _ in self._grips)])

    # -- what happens to it --------------------------------------------------------------------------

    def set_load(self, load_g: float, at_us: int, *, own: bool = True) -> None:
        """Set the weight on the cell to `load_g` at once; the reading follows through the filter.

        A change that is not the cell's `own`, but a neighbour's through the plate, does not end its rest.
        """
        if self._grips:
            # the play follows the hand's force at the next reading
            self._steps.append(_Step(at_us, load_g - self._load_g))
            self._load_g = load_g
        else:
            before_g = self._felt_g()
            self._load_g = load_g
            self._play(load_g)
            self._steps.append(_Step(at_us, self._felt_g() - before_g))
        if own:
            self.rest_us = max(self.rest_us, at_us + self.settling_us)

    def strike(self, mass_g: float, at_us: int) -> None:
        """Let something of `mass_g` fall on the pan: it rings, unless the profile's impact is 0."""
        if self._profile.impact:
            hz = self._rng.uniform(*RING_HZ)
            by_g = mass_g * self._profile.impact * self._rng.uniform(0.3, 1.0) * hz / RING_FULL_HZ
            self.ring(by_g, hz, self._rng.uniform(*RING_LASTS_S), at_us)

    def shake(self, accel: float, hz: float, lasts_s: float, at_us: int) -> None:
        """Swing with the table: the cup and what lies in it, at a peak acceleration over gravity."""
        self.ring(accel * (CUP_FS * self.kind.capacity_g + self._load_g), hz, lasts_s, at_us)

    def ring(self, by_g: float, hz: float, lasts_s: float, at_us: int) -> None:
        """Swing by `by_g` grams, in front of the filter."""
        self._rings.append(make_ring(at_us, by_g, hz, lasts_s))
        self.rest_us = max(self.rest_us, at_us + lasts_s * 1e6 + self.settling_us)

    def press(self, grip: Grip, by_g: float) -> None:
        """Feel a hand, with `by_g` grams at its full force, until it is released."""
        self._grips.append((grip, by_g))

    def subside(self) -> None:
        """Let steps and rings come to their end; hands stay."""
        self._steps.clear()
        self._rings.clear()

    def settle(self) -> None:
        """Forget everything still under way, hands too, as after a long rest."""
        self.subside()
        self._grips.clear()
        self.rest_us = 0.0

    def weather(self, temperature_c: float, elapsed_s: float) -> None:
        """Apply a temperature relative to power-up, and the creep of `elapsed_s` seconds."""
        self.drift_g = self.zero_tc_g * temperature_c
        self.span = 1.0 + self.span_tc * temperature_c
        if self._profile.creep:
            target_g = self._profile.creep / len(CREEP_TIMES_S) * self._load_g
            gone = _crept(elapsed_s)
            self._creep_g = [
                have_g + (target_g - have_g) * share
                for have_g, share in zip(self._creep_g, gone, strict=True)
            ]

    def tick(self, time_us: int, temperature_c: float) -> None:
        """Let the chip's clock run on at the speed it has at that temperature."""
        self._anchor_us = self.converted_us(time_us)
        self.period_us = self._born_period_us * (1 + self._clock_tc * temperature_c)

    def slip(self, share: float) -> None:
        """Move the phase of the conversions by a share of one, as time nobody counted does."""
        self._anchor_us -= share * self.period_us

    # -- what it shows -------------------------------------------------------------------------------

    def converted_us(self, time_us: int) -> float:
        """Return when the latest conversion ended that is finished at `time_us`."""
        period_us = self.period_us
        return self._anchor_us + (time_us + EARLY_US - self._anchor_us) // period_us * period_us

    def mean_raw(self, time_us: int) -> float:
        """Return the latest finished conversion at `time_us`, without noise; forget what has died away."""
        seen_g = self._moving_g(self.converted_us(time_us)) if self.active else self._felt_g()
        return self.zero_raw + (seen_g + self.drift_g) * self.raw_per_g * self.span

    def _felt_g(self) -> float:
        """Return the load through play, bow and creep: what the bridge would show after a long time."""
        played_g = self._play_g if self.play_width_g else self._load_g
        return self._bowed_g(played_g) + sum(self._creep_g)

    def _bowed_g(self, played_g: float) -> float:
        relative = played_g / self.kind.capacity_g
        return played_g + 4 * self.bow * self.kind.capacity_g * relative * (1 - relative)

    def _play(self, load_g: float) -> None:
        half = self.play_width_g / 2
        self._play_g = min(max(self._play_g, load_g - half), load_g + half)

    def _moving_g(self, time_us: float) -> float:
        seen_g = self._pressed_g(time_us) if self._grips else self._felt_g()
        if self._steps:
            seen_g -= self._unseen_g(time_us)
        if self._rings:
            seen_g += self._ringing_g(time_us)
        return seen_g

    def _unseen_g(self, time_us: float) -> float:
        """Return the part of the latest steps that the filter has not let through yet."""
        period_us = self.period_us
        self._steps = [step for step in self._steps if time_us - step.at_us < SETTLING_SAMPLES * period_us]
        return sum([step.by_g * (1 - visible((time_us - step.at_us) / period_us)) for step in self._steps])

    def _ringing_g(self, time_us: float) -> float:
        over_us = time_us - SETTLING_SAMPLES * self.period_us
        self._rings = [each for each in self._rings if over_us - each.at_us < each.lasts_us]
        return sum([each.seen_g(time_us, self.period_us) for each in self._rings])

    def _pressed_g(self, time_us: float) -> float:
        """Return what is felt with hands on it; they wind the play up as stones do."""
        for grip, _ in self._grips:
            if time_us >= grip.gone_us:
                self.rest_us = max(self.rest_us, grip.gone_us)
        self._grips = [pair for pair in self._grips if time_us < pair[0].gone_us]
        pressed_g = sum([by_g * grip.force(time_us) for grip, by_g in self._grips])
        self._play(self._load_g + pressed_g)
        if not self.play_width_g:
            return self._bowed_g(self._load_g + pressed_g) + sum(self._creep_g)
        return self._felt_g()


@lru_cache(maxsize=256)
def _crept(elapsed_s: float) -> tuple[float, ...]:
    """Return which share of the way the creep goes in so many seconds, for each time constant."""
    return tuple(1 - exp(-elapsed_s / constant_s) for constant_s in CREEP_TIMES_S)
