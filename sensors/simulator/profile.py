"""How good or bad the simulated world is: cells, stones, air and hands as plain numbers.

Pure values. Every default carries the place it came from. "Data sheet" is that of the converter, the HX711,
or of the cell that is named. "Estimate" means that no document with the figure can be named, and that this
one was judged or calculated here.

These numbers are frozen: whoever writes a decoder takes the world as it is, and knows none of them.
"""

from dataclasses import dataclass, replace
from math import inf

RAW_PER_MV_PER_V = 128 * 2**24 / 1000
"""ADC steps at full scale per mV/V of a bridge: HX711 at gain 128 is ratiometric, so supply cancels out."""

RAW_MAX = 0x7FFFFF
RAW_MIN = -0x800000
"""Where the HX711's 24 bits end; beyond, it repeats the limit (data sheet)."""

NOISE_RAW_FAST = 38.7
NOISE_RAW_SLOW = 21.5
"""Noise in raw steps rms at 5 V: 90 nV at 80 samples a second, 50 nV at 10 (HX711 data sheet)."""

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
"""For a pit: 40 light wooden stones weigh 46 g and nobody has ever held 87 in one pit."""

CELL_500_G = CellKind(capacity_g=500.0, output_mv_per_v=1.0)
"""For a kazan: all 162 stones weigh 186 g."""

CELL_500_G_PIT = CellKind(capacity_g=500.0, output_mv_per_v=0.5)
"""For a pit with glass stones: 87 of them weigh 470 g. Output: that of a 500 g bar cell (data sheet)."""

CELL_1_KG = CellKind(capacity_g=1000.0, output_mv_per_v=1.0)
"""For a kazan with glass stones: all 162 weigh 875 g."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Profile:
    """A named degree of hardship. Fractions "of full scale" are of the cell's capacity."""

    name: str
    rate_hz: float = 80.0
    """Nominal samples per second: the chip knows 10 and 80."""
    pit_cell: CellKind = CELL_100_G
    kazan_cell: CellKind = CELL_500_G

    unit_g: float = 1.15
    """Mean stone: 15 mm of wood (calculated: 0.65 g per cubic centimetre)."""
    unit_cv: float = 0.015
    """Spread of the stones (standard deviation over mean); makers and scale builders say 0.5 to 1.5 %."""
    unit_skew: float = 0.0
    """How lopsided the masses are: 0 a normal distribution, 1 an exponential tail to the heavy side."""
    second_batch: float = 0.0
    """Share of the stones that come from another batch."""
    second_batch_heavier: float = 0.0
    """By how much the other batch is heavier, as a fraction of the first one's mean."""
    mark_g: float = 3.0
    """Mean mass of a tuzdyk mark. No source: any visible object may serve, so it is measured."""
    mark_cv: float = 0.02

    noise_factor: float = 1.0
    """Times the data sheet's noise; real boards are 1 to 10 times as noisy (estimate)."""
    heavy_tails: bool = False
    """True if half of the noise's variance comes from a Student distribution with 3 degrees of freedom."""
    zero_spread_fs: float = 0.005
    """Zero offset, uniform within plus and minus this fraction of full scale; 0.5 to 5 % (estimate)."""
    sensitivity_spread: float = 0.02
    """Sensitivity, uniform within plus and minus this fraction of nominal; cells are sold with 20 %."""
    nonlinearity_fs: float = 0.0
    """Largest bow of the characteristic, fraction of full scale, either sign."""
    hysteresis_fs: float = 0.0
    """Width of the play between loading and unloading, fraction of full scale."""
    creep: float = 0.0
    """Fraction of an applied load that creeps in with 1 and 10 minutes, half each; the same on unloading."""
    zero_tc_fs_per_c: float = 0.0
    """Zero drift per degree, fraction of full scale, either sign (cells: 0.05 % in 10 degrees)."""
    span_tc_per_c: float = 0.0
    """Change of sensitivity per degree, either sign (cells: 0.05 % in 10 degrees)."""

    temperature_c_per_sqrt_min: float = 0.0
    """Random walk of the board's temperature, common to all channels: 0.1 to 1 degree a minute (estimate)."""
    temperature_step_c: float = 0.0
    """A draught or the sun: the largest step, either sign (estimate)."""
    temperature_step_gap_s: float = inf
    """Mean time between such steps, seconds (estimate)."""
    warm_up_c: float = 0.0
    """The board's own warming after power-up; 10 to 15 minutes to two thirds (estimates)."""

    rate_spread: float = 0.0
    """The chips' oscillators: each rate uniform within plus and minus this fraction of the nominal one."""
    clock_tc_per_c: float = 0.0
    """Drift of an oscillator per degree, either sign (estimate)."""

    crosstalk_low: float = 0.0
    crosstalk_high: float = 0.0
    """Share of a load a neighbour feels through the plate, uniform between both: 0.1 to 1 % (estimate)."""
    crosstalk_bend: float = 0.0
    """By how much that share grows, as a fraction of itself, when the neighbour is heavily loaded too."""

    impact: float = 0.0
    """Ringing after a falling object at its hardest, times its mass, at 50 Hz and in front of the chip's
    filter: speed times angular frequency over gravity."""
    touch_g: float = 0.0
    """How hard fingers press into a pit at their firmest while they gather or lay stones (estimate)."""
    knock_gap_s: float = inf
    """Mean time between knocks on the table, seconds (estimate)."""
    knock_accel: float = 0.0
    """Hardest knock: peak acceleration over gravity, in front of the chip's filter (estimate)."""
    lean_gap_s: float = inf
    """Mean time between hands that come to lean on the board, seconds (estimate)."""

    bad_samples: float = 0.0
    """Share of channel samples that were read wrongly and look right to the device."""
    beam_miss: float = 0.0
    """Share of passing stones that a count sensor does not see."""
    beam_double: float = 0.0
    """Share of passing stones that a count sensor sees twice."""
    beam_hand: float = 0.0
    """Share of hands reaching in that a count sensor takes for a stone."""

    def kinds(self, pits: int = 18, kazans: int = 2) -> tuple[CellKind, ...]:
        """Return the cells of a board wired plainly: all pits, then the kazans."""
        return (self.pit_cell,) * pits + (self.kazan_cell,) * kazans


CLEAN = Profile(name="clean")
"""The laboratory: the chip's own noise, unequal stones, unequal cells, nothing else."""

NOMINAL = Profile(
    name="nominal",
    noise_factor=3.0,
    zero_spread_fs=0.05,
    sensitivity_spread=0.2,
    nonlinearity_fs=0.0005,
    hysteresis_fs=0.0005,
    creep=0.0005,
    zero_tc_fs_per_c=0.00005,
    span_tc_per_c=0.00005,
    temperature_c_per_sqrt_min=0.3,
    temperature_step_c=1.0,
    temperature_step_gap_s=1200.0,
    warm_up_c=3.0,
    rate_spread=0.2,
    clock_tc_per_c=0.0005,
    crosstalk_low=0.001,
    crosstalk_high=0.01,
    impact=32.0,
    touch_g=20.0,
    knock_gap_s=180.0,
    knock_accel=0.05,
    lean_gap_s=600.0,
    bad_samples=0.00001,
    beam_miss=0.02,
    beam_double=0.02,
    beam_hand=0.05,
)
"""A hall and ordinary cells: 0.05 % of full scale in all mechanics, a room that breathes, real fingers.

Clocks, temperatures and crosstalk are estimates. A noise of three times the data sheet's is the
geometric middle of its 1 to 10, 0.3 degrees a minute that of its 0.1 to 1. An impact of 32 is a stone that
falls from 5 cm (1 m/s). Somebody knocks on the table every three minutes, a hand leans every ten, and one
channel sample in 100,000 is bad, as microcontrollers still have it (estimates). Count sensors: 2 % missed,
2 % doubled, one hand in twenty (estimates).
"""

HARSH = replace(
    NOMINAL,
    name="harsh",
    unit_cv=0.05,
    noise_factor=10.0,
    temperature_c_per_sqrt_min=1.0,
    temperature_step_c=2.0,
    temperature_step_gap_s=300.0,
    knock_gap_s=20.0,
    knock_accel=0.2,
    lean_gap_s=60.0,
    bad_samples=0.01,
)
"""The worst of everything at once: stones of any wood, ten times the noise, a degree a minute, a table that
is knocked every 20 seconds, a hand that leans every minute (estimates), 1 % of bad samples (1 to 5 %
where a preempted host reads the chips; estimate)."""

GLASS = replace(NOMINAL, name="glass", unit_g=5.4, pit_cell=CELL_500_G_PIT, kazan_cell=CELL_1_KG)
"""Glass stones of 16 mm (calculated: 2.5 g per cubic centimetre) on cells that carry them; the same mark."""

SLOW = replace(NOMINAL, name="slow", rate_hz=10.0)
"""The chip's slow rate: less noise, and a step takes half a second."""

TAILS = replace(NOMINAL, name="tails", heavy_tails=True, unit_cv=0.03, unit_skew=0.9)
"""Not as a decoder expects, first kind: noise with outliers, and a few stones that are much too heavy. A
spread of 3 % for stones that are not selected, and the lopsidedness, are estimates."""

SKEWED = replace(
    NOMINAL, name="skewed", second_batch=0.3, second_batch_heavier=0.06, unit_skew=0.5, crosstalk_bend=1.0
)
"""Not as a decoder expects, second kind: stones bought twice (3 in 10 are 6 % heavier: in all a spread of
3 %), and crosstalk that doubles where the neighbour is heavily loaded as well (estimates)."""

PROFILES = {profile.name: profile for profile in (CLEAN, NOMINAL, HARSH, GLASS, SLOW, TAILS, SKEWED)}


def nominal_noise_raw(rate_hz: float) -> float:
    """Return the noise of the chip itself, raw steps rms, at a nominal rate in samples per second."""
    return NOISE_RAW_SLOW if rate_hz < SLOW_BELOW_HZ else NOISE_RAW_FAST
