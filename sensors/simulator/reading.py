"""Cells, their converters and the surroundings of both: readings as a microcontroller would get them.

Chips run on clocks of their own and are read together when the slowest is ready. Each chip shows its latest
finished conversion; since none is slower than the frames, each sample brings new noise on every channel.
What is still costs a few additions a sample: everything else waits until it is due or something moves.
"""

from collections.abc import Iterable
from math import ceil
from operator import add
from random import Random
from typing import NamedTuple

from sensors.frames import STATUS_EXCLUDED, STATUS_OK
from sensors.simulator.beams import Beam
from sensors.simulator.cells import SimulatedCell
from sensors.simulator.noise import TABLE, noise_tables
from sensors.simulator.plate import Neighbours, Plate, plain_neighbours
from sensors.simulator.profile import RAW_MAX, RAW_MIN, CellKind, Profile, nominal_noise_raw
from sensors.simulator.shaking import Shaking
from sensors.simulator.transport import ChannelFault, SampleFault, Wires
from sensors.simulator.weather import Weather

WEATHER_EVERY_US = 1_000_000
"""Temperature and creep move this often, microseconds: far slower than anything they change."""

NOISE_MARGIN_SIGMA = 8.0
"""A mean nearer than this to the end of the scale may be clipped by its noise."""


class Reading(NamedTuple):
    """One sample of all channels: raw steps and status codes of DATA; raw is 0 where there is no reading."""

    raw: tuple[int, ...]
    status: tuple[int, ...]


class Converters:
    """What is soldered and screwed together, and what the room does to it.

    Args:
        kinds: one cell kind for each channel.
        profile: the degree of hardship.
        rng: of everything random, here and in all parts.
        rate_hz: nominal samples per second; None for the profile's.
        neighbours: which channels lie side by side; None for the plain layout.
        beams: channels that have a count sensor too.
        cells_read: False if only the count sensors are read.
    """

    def __init__(  # noqa: PLR0913 - what a board is made of
        self,
        kinds: Iterable[CellKind],
        profile: Profile,
        rng: Random,
        *,
        rate_hz: float | None,
        neighbours: Iterable[Neighbours] | None,
        beams: Iterable[int],
        cells_read: bool,
    ) -> None:
        self.profile = profile
        self._rng = rng
        rate_hz = profile.rate_hz if rate_hz is None else rate_hz
        self.cells = _make_cells(tuple(kinds), profile, rate_hz, rng)
        self._slowest = max(self.cells, key=lambda cell: cell.period_us)
        self.period_us = self._slowest.period_us
        count = len(self.cells)
        pairs = plain_neighbours(count) if neighbours is None else neighbours
        self._plate = Plate(count, pairs, profile, rng)
        self._weather = Weather(profile, rng)
        self._shaking = Shaking(self.cells, self._plate, profile, self.period_us, rng)
        self._wires = Wires(count, profile, self.period_us, rng)
        self._beams = {channel: Beam(profile, rng) for channel in beams}
        self._cells_read = cells_read
        self.channels = count + len(self._beams)
        self._sigma_raw = nominal_noise_raw(rate_hz) * profile.noise_factor
        self._noise = noise_tables(self._sigma_raw, heavy_tails=profile.heavy_tails)
        self._all_ok = (STATUS_OK,) * count
        self._weather_due_us = WEATHER_EVERY_US
        self._due_us = 0.0
        self.time_us = 0
        self._active: set[int] = set()
        self._mean_raw = [0] * count
        self._before: tuple[int, ...] = ()
        self._near_limit = False
        self._refresh(0)

    # -- reading -----------------------------------------------------------------------------------

    def read(self, time_us: int) -> Reading:
        """Return one sample of all channels. Times must not go back; loads changed by then count."""
        if time_us >= self._due_us:
            self._turn(time_us)
        self.time_us = time_us
        if self._active:
            self._follow(time_us)
        places = self._rng.getrandbits(32)
        left, right = places % TABLE, places // TABLE
        means = self._mean_raw
        count = len(means)
        noise = self._noise
        raw = tuple(
            map(
                add,
                map(add, means, noise.left[left : left + count]),
                noise.right[right : right + count],
            )
        )
        if self._near_limit or self._wires.troubled:
            reading = Reading(*self._wires.carry(raw, self._before, means))
        else:
            reading = Reading(raw, self._all_ok)
        self._before = raw
        return self._with_beams(reading) if self._beams else reading

    @property
    def next_frame_us(self) -> int:
        """When the slowest chip is ready again after the last reading."""
        slowest = self._slowest
        return ceil(slowest.converted_us(self.time_us) + slowest.period_us)

    def lapse(self, seconds: float) -> None:
        """Age the world without taking samples: temperature, creep, warm-up, the phases of the clocks.

        The time of samples does not go on, so that the next one follows the last as if nobody had thought.
        What was still ringing is over; what would have been knocked meanwhile has died unseen; a hand that
        leant on the board goes if it would have gone by then.
        """
        self._shaking.lapse(int(self.time_us), seconds)
        for cell in self.cells:
            cell.subside()
            if cell is not self._slowest:
                cell.slip(self._rng.random() if self.profile.rate_spread else 0.0)
        self._age(seconds)
        self._refresh(self.time_us)

    # -- faults ------------------------------------------------------------------------------------

    def set_fault(self, channel: int, fault: ChannelFault | None) -> None:
        """Break a channel, or mend it with None. A stuck channel repeats what its cell shows now."""
        self._wires.set_fault(channel, fault, self._mean_raw[channel])

    def spoil(self, channel: int, fault: SampleFault, bits: int | None = None) -> None:
        """Spoil the next sample of a channel.

        Args:
            channel: which.
            fault: how.
            bits: how many of the lowest bits it concerns, 1..23, where it does; None for any.
        """
        self._wires.spoil(channel, fault, bits)

    # -- what shakes the board -----------------------------------------------------------------------

    @property
    def knocked_until_us(self) -> float:
        """When the latest knock on the table has died away."""
        return self._shaking.knocked_until_us

    def disturbed_until_us(self) -> float:
        """Return when the latest knock, leaning hand or touch is gone from the readings.

        Not later than now when nothing is going on; `inf` while fingers are in a pit.
        """
        return self._shaking.disturbed_until_us()

    def rest_since_us(self, channel: int) -> float:
        """Return since when a channel shows nothing but its load; later than now while it moves.

        `inf` while fingers are in it. What comes through the plate from a neighbour's stones does not count.
        """
        return self.cells[channel].rest_since_us

    def knock(self, accel: float, at_us: int) -> None:
        """Knock on the table, with a peak acceleration over gravity."""
        self._active |= self._shaking.knock(accel, at_us)

    def lean(self, channel: int, newton: float, at_us: int, lasts_s: float) -> None:
        """Lean on the board near a channel, for so many seconds between coming and going."""
        self._active |= self._shaking.lean(channel, newton, at_us, lasts_s)

    def calm(self) -> None:
        """Let nobody knock or lean by chance any more."""
        self._shaking.calm()

    # -- inside -------------------------------------------------------------------------------------

    def _with_beams(self, reading: Reading) -> Reading:
        pulses = tuple([beam.pulses for beam in self._beams.values()])
        good = (STATUS_OK,) * len(pulses)
        if self._cells_read:
            return Reading(reading.raw + pulses, reading.status + good)
        cells = len(self.cells)
        return Reading((0,) * cells + pulses, (STATUS_EXCLUDED,) * cells + good)

    def _turn(self, time_us: int) -> None:
        """Let happen what has become due: weather, disturbances, bad samples."""
        if time_us >= self._weather_due_us:
            seconds = 1 + (time_us - self._weather_due_us) // WEATHER_EVERY_US
            self._weather_due_us += seconds * WEATHER_EVERY_US
            self._age(float(seconds))
            self._refresh(time_us)
        if time_us >= self._shaking.due_us:
            self._active |= self._shaking.turn(time_us)
        if time_us >= self._wires.due_us:
            self._wires.turn(time_us, self.time_us)
        self._due_us = min(self._weather_due_us, self._shaking.due_us, self._wires.due_us)

    def _follow(self, time_us: int) -> None:
        cells, means = self.cells, self._mean_raw
        for channel in tuple(self._active):
            cell = cells[channel]
            means[channel] = round(cell.mean_raw(time_us))
            if not cell.active:
                self._active.discard(channel)
        self._check_limits()

    def _age(self, elapsed_s: float) -> None:
        weather = self._weather
        weather.age(elapsed_s)
        common_c, step_c = weather.common_c, weather.step_c
        for cell in self.cells:
            cell.weather(common_c + step_c * cell.exposure, elapsed_s)

    def _refresh(self, time_us: int) -> None:
        common_c = self._weather.common_c
        for cell in self.cells:
            cell.tick(time_us, common_c)
        self._mean_raw = [round(cell.mean_raw(time_us)) for cell in self.cells]
        self._active = {channel for channel, cell in enumerate(self.cells) if cell.active}
        self._check_limits()

    def _check_limits(self) -> None:
        margin = NOISE_MARGIN_SIGMA * self._sigma_raw
        self._near_limit = min(self._mean_raw) < RAW_MIN + margin or max(self._mean_raw) > RAW_MAX - margin


def _make_cells(
    kinds: tuple[CellKind, ...], profile: Profile, rate_hz: float, rng: Random
) -> tuple[SimulatedCell, ...]:
    """Return cells on clocks of their own; they are read when the slowest is ready, so its phase is 0."""
    spread = profile.rate_spread
    periods_us = [1e6 / rate_hz / (1 + rng.uniform(-1, 1) * spread) for _ in kinds]
    slowest_us = max(periods_us)
    phases_us = [rng.random() * each if spread and each < slowest_us else 0.0 for each in periods_us]
    return tuple(
        SimulatedCell(kind, profile, rng, period_us, phase_us)
        for kind, period_us, phase_us in zip(kinds, periods_us, phases_us, strict=True)
    )
