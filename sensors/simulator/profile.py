"""How good or bad the simulated world is: cells, stones, air and hands as plain numbers.

Pure values. Every default carries the place it came from; the notes meant by "study" are the project's
own sensing notes (data sheets, vendors' figures and field reports gathered there).
"""

from dataclasses import dataclass

RAW_PER_MV_PER_V = 128 * 2**24 / 1000
"""ADC steps at full scale per mV/V of a bridge: HX711 at gain 128 is ratiometric, so supply cancels out."""

RAW_MAX = 0x7FFFFF
RAW_MIN = -0x800000
"""Where the HX711's 24 bits end; beyond, it repeats the limit (data sheet)."""

NOISE_RAW_FAST = 38.7
NOISE_RAW_SLOW = 21.5
"""Noise in raw steps rms at 5 V: 90 nV at 80 samples a second, 50 nV at 10 (vendor's guide)."""

SLOW_BELOW_HZ = 40.0
"""The chip has two rates, 10 and 80; a nominal rate below this one is taken for the slow one."""


@dataclass(frozen=True, slots=True, kw_only=True)
class CellKind:
    """A load cell as its data sheet describes it."""

    capacity_g: float
    output_mv_per_v: float
    """Output at full scale."""

    @property
    def raw_per_g(self) -> float:
        """Nominal ADC steps per gram."""
        return self.output_mv_per_v * RAW_PER_MV_PER_V / self.capacity_g


CELL_100_G = CellKind(capacity_g=100.0, output_mv_per_v=0.6)
"""For a pit: 40 light wooden balls weigh 46 g and nobody has ever held 87 in one pit."""

CELL_500_G = CellKind(capacity_g=500.0, output_mv_per_v=1.0)
"""For a kazan: all 162 balls weigh 186 g."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Profile:
    """A named degree of hardship. Fractions "of full scale" are of the cell's capacity."""

    name: str
    unit_g: float = 1.15
    """Mean ball: 15 mm of wood (calculated: 0.65 g per cubic centimetre)."""
    unit_cv: float = 0.015
    """Spread of the balls (standard deviation over mean); makers and scale builders say 0.5 to 1.5 %."""
    mark_g: float = 3.0
    """Mean mass of a tuzdyk mark. No source: any visible object may serve, so it is measured."""
    mark_cv: float = 0.02
    noise_factor: float = 1.0
    """Times the data sheet's noise; real boards are 1 to 10 times as noisy."""
    zero_spread_fs: float = 0.005
    """Zero offset, uniform within plus and minus this fraction of full scale."""
    sensitivity_spread: float = 0.02
    """Sensitivity, uniform within plus and minus this fraction of nominal."""
    nonlinearity_fs: float = 0.0
    """Largest bow of the characteristic, fraction of full scale, either sign."""
    hysteresis_fs: float = 0.0
    """Width of the play between loading and unloading, fraction of full scale."""
    creep: float = 0.0
    """Fraction of an applied load that creeps in with 1 and 10 minutes, half each."""
    zero_tc_fs_per_c: float = 0.0
    """Zero drift per degree, fraction of full scale, either sign (cells: 0.05 % in 10 degrees)."""
    span_tc_per_c: float = 0.0
    temperature_c_per_sqrt_min: float = 0.0
    """Random walk of the board's temperature, common to all channels."""
    warm_up_c: float = 0.0
    """The board's own warming after power-up; ten minutes to two thirds."""
    rate_spread: float = 0.0
    """The chips' oscillators: true rate uniform within plus and minus this fraction of the nominal one."""
    impact: float = 0.0
    """Ringing after a falling object, times its mass, as seen behind the chip's filter."""
    touch_g: float = 0.0
    """How hard fingers press into a pit at their firmest while they gather or lay stones."""


CLEAN = Profile(name="clean")
"""The laboratory: the chip's own noise, unequal balls, unequal cells, nothing else."""

NOMINAL = Profile(
    name="nominal",
    noise_factor=3.0,
    zero_spread_fs=0.05,
    sensitivity_spread=0.2,
    nonlinearity_fs=0.0003,
    hysteresis_fs=0.0003,
    creep=0.0003,
    zero_tc_fs_per_c=0.00005,
    span_tc_per_c=0.00005,
    temperature_c_per_sqrt_min=0.3,
    warm_up_c=3.0,
    rate_spread=0.05,
    impact=4.0,
    touch_g=20.0,
)
"""A hall and decent cells: 0.03 % of full scale in all mechanics, a room that breathes, real fingers."""

PROFILES = {profile.name: profile for profile in (CLEAN, NOMINAL)}


def nominal_noise_raw(rate_hz: float) -> float:
    """Return the noise of the chip itself, raw steps rms, at a nominal rate in samples per second."""
    return NOISE_RAW_SLOW if rate_hz < SLOW_BELOW_HZ else NOISE_RAW_FAST
