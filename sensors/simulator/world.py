"""A board as its channels feel it: stacks of bodies on cells, hands that move them, and raw readings.

The world knows channels, bodies and hands, never pits or rules. Everything random comes from one seed, so a
world replays exactly.

Two bookkeepings are kept apart on purpose. `read` is what a microcontroller would get, noise and faults
included; `stones`, `marks` and `held` are the truth, for tests and for the hands, who can see.

Chips run on clocks of their own and are read together when the slowest is ready. Each chip shows its latest
finished conversion; since none is slower than the frames, each sample brings new noise on every channel.
"""

from collections.abc import Iterable, Mapping
from copy import deepcopy
from math import ceil, inf
from operator import add
from random import Random
from typing import NamedTuple, Self

from sensors.frames import STATUS_EXCLUDED, STATUS_OK
from sensors.simulator import transport
from sensors.simulator.beams import Beam
from sensors.simulator.bodies import BodyKind, EmptyHandedError, Stacks, make_marks, make_stones
from sensors.simulator.cells import SimulatedCell
from sensors.simulator.noise import TABLE, noise_tables
from sensors.simulator.plate import Neighbours, Plate, plain_neighbours
from sensors.simulator.profile import RAW_MAX, RAW_MIN, CellKind, Profile, nominal_noise_raw
from sensors.simulator.shaking import Shaking
from sensors.simulator.transport import ChannelFault, SampleFault
from sensors.simulator.weather import Weather

__all__ = ["CellWorld", "ChannelFault", "EmptyHandedError", "Reading", "SampleFault"]

WEATHER_EVERY_US = 1_000_000
"""Temperature and creep move this often, microseconds: far slower than anything they change."""

NOISE_MARGIN_SIGMA = 8.0
"""A mean nearer than this to the end of the scale may be clipped by its noise."""

PAUSE_FRAMES = 8
"""After a pause of so many frames no bad samples are made up for it."""


class Reading(NamedTuple):
    """One sample of all channels: raw steps and status codes of DATA; raw is 0 where there is no reading."""

    raw: tuple[int, ...]
    status: tuple[int, ...]


class CellWorld:
    """Cells with bodies on them.

    Args:
        kinds: one cell kind for each channel.
        profile: the degree of hardship.
        seed: of everything random.
        rate_hz: nominal samples per second; None for the profile's. The true rate differs, see `period_us`.
        stones: how many stones there are.
        marks: how many tuzdyk marks there are.
        neighbours: which channels lie side by side; None for the plain layout.
        beams: channels whose stacks have a count sensor; one channel each is appended behind the cells.
        cells_read: False if only the count sensors are read; the cells are then reported as excluded.

    Attributes:
        profile: as given.
        period_us: time of one frame at power-up: the slowest chip's. Later frames stray with its clock by
            some hundredths of a per cent, see `next_frame_us`.
        cells: the cells, one a channel; their hidden constants are for tests only.
        channels: how many channels a reading has, count sensors included.
        time_us: of the last reading.
    """

    def __init__(  # noqa: PLR0913 - what a board is made of; all but the first three have defaults
        self,
        kinds: Iterable[CellKind],
        profile: Profile,
        seed: int,
        *,
        rate_hz: float | None = None,
        stones: int = 162,
        marks: int = 2,
        neighbours: Iterable[Neighbours] | None = None,
        beams: Iterable[int] = (),
        cells_read: bool = True,
    ) -> None:
        self.profile = profile
        self._rng = rng = Random(seed)
        rate_hz = profile.rate_hz if rate_hz is None else rate_hz
        self.cells = _make_cells(tuple(kinds), profile, rate_hz, rng)
        self._slowest = max(self.cells, key=lambda cell: cell.period_us)
        self.period_us = self._slowest.period_us
        count = len(self.cells)
        pairs = plain_neighbours(count) if neighbours is None else neighbours
        self._plate = Plate(count, pairs, profile, rng)
        box = make_stones(stones, profile, rng) + make_marks(marks, profile, rng)
        self._stacks = Stacks(count, box, rng)
        self._weather = Weather(profile, rng)
        self._shaking = Shaking(self.cells, self._plate, profile, self.period_us, rng)
        self._beams = {channel: Beam(profile, rng) for channel in beams}
        self._cells_read = cells_read
        self.channels = count + len(self._beams)
        self._own_g = [0.0] * count
        self._weights_g = [0.0] * count
        self._sigma_raw = nominal_noise_raw(rate_hz) * profile.noise_factor
        self._noise = noise_tables(self._sigma_raw, heavy_tails=profile.heavy_tails)
        self._faults: dict[int, ChannelFault] = {}
        self._stuck_raw = [0] * count
        self._spoils: dict[int, tuple[SampleFault, int, bool]] = {}
        self._all_ok = (STATUS_OK,) * self.channels
        self._weather_due_us = WEATHER_EVERY_US
        self._bad_due_us = self._bad_gap_us()
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
        if self._near_limit or self._spoils or self._faults:
            reading = self._spoilt(raw)
        else:
            reading = Reading(raw, self._all_ok)
        self._before = raw
        return self._with_beams(reading) if self._beams else reading

    @property
    def next_frame_us(self) -> int:
        """When the slowest chip is ready again after the last reading."""
        slowest = self._slowest
        return ceil(slowest.converted_us(self.time_us) + slowest.period_us)

    def _with_beams(self, reading: Reading) -> Reading:
        pulses = tuple([beam.pulses for beam in self._beams.values()])
        if self._cells_read:
            return Reading(
                reading.raw + pulses, reading.status[: len(self.cells)] + (STATUS_OK,) * len(pulses)
            )
        cells = len(self.cells)
        return Reading((0,) * cells + pulses, (STATUS_EXCLUDED,) * cells + (STATUS_OK,) * len(pulses))

    def _turn(self, time_us: int) -> None:
        """Let happen what has become due: weather, disturbances, bad samples."""
        if time_us >= self._weather_due_us:
            seconds = 1 + (time_us - self._weather_due_us) // WEATHER_EVERY_US
            self._weather_due_us += seconds * WEATHER_EVERY_US
            self._age(float(seconds))
            self._refresh(time_us)
        if time_us >= self._shaking.due_us:
            self._active |= self._shaking.turn(time_us)
        if time_us >= self._bad_due_us:
            if time_us - self.time_us > PAUSE_FRAMES * self.period_us:
                self._bad_due_us = time_us + self._bad_gap_us()
            while self._bad_due_us <= time_us:
                self._spoil_by_chance(self._rng.randrange(len(self.cells)))
                self._bad_due_us += self._bad_gap_us()
        self._due_us = min(self._weather_due_us, self._shaking.due_us, self._bad_due_us)

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

    # -- faults ------------------------------------------------------------------------------------

    def _spoilt(self, clean: tuple[int, ...]) -> Reading:
        """Return the same sample with the end of the scale, bad samples and broken channels."""
        pairs = [transport.clipped(value) for value in clean]
        spoils, self._spoils = self._spoils, {}
        for channel, (fault, bits, by_chance) in spoils.items():
            before = self._before[channel] if self._before else clean[channel]
            pairs[channel] = transport.spoilt(fault, pairs[channel][0], before, bits), STATUS_OK
            if by_chance and self._rng.random() < transport.BURST:
                self._spoil_by_chance(channel)
        for channel, broken in self._faults.items():
            noise = clean[channel] - self._mean_raw[channel]
            pairs[channel] = transport.broken(broken, pairs[channel][0], self._stuck_raw[channel], noise)
        raw, status = zip(*pairs, strict=True)
        return Reading(raw, status)

    def set_fault(self, channel: int, fault: ChannelFault | None) -> None:
        """Break a channel, or mend it with None. A stuck channel repeats what its cell shows now."""
        if fault is None:
            self._faults.pop(channel, None)
            return
        self._stuck_raw[channel] = self._mean_raw[channel]
        self._faults[channel] = fault

    def spoil(self, channel: int, fault: SampleFault, bits: int | None = None) -> None:
        """Spoil the next sample of a channel.

        Args:
            channel: which.
            fault: how.
            bits: how many of the lowest bits it concerns, 1..23, where it does; None for any.
        """
        self._spoils[channel] = (fault, bits or transport.draw_bits(self._rng), False)

    def _spoil_by_chance(self, channel: int) -> None:
        fault = self._rng.choice(transport.SAMPLE_FAULTS)
        self._spoils[channel] = (fault, transport.draw_bits(self._rng), True)

    def _bad_gap_us(self) -> float:
        """Return the time to the next bad sample that does not follow another."""
        share = self.profile.bad_samples * (1 - transport.BURST)
        if not share:
            return inf
        return self._rng.expovariate(share * len(self.cells)) * self.period_us

    # -- the truth ---------------------------------------------------------------------------------

    def stones(self, channel: int) -> int:
        """Return how many stones truly lie on a channel; a stone on its rim is not counted."""
        return self._stacks.on(channel)

    def marks(self, channel: int) -> int:
        """Return how many tuzdyk marks truly lie on a channel."""
        return self._stacks.on(channel, BodyKind.MARK)

    def held(self, hand: int) -> int:
        """Return how many stones a hand holds."""
        return self._stacks.held(hand)

    @property
    def boxed(self) -> int:
        """How many stones lie in the box beside the board."""
        return self._stacks.boxed

    @property
    def perched(self) -> int:
        """How many stones rest on a rim or between two pits."""
        return len(self._stacks.perched)

    @property
    def leaning(self) -> bool:
        """True while a hand leans on the board, at the time of the last reading."""
        return self.time_us < self._shaking.leaning_until_us

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

    # -- time without samples ----------------------------------------------------------------------

    def lapse(self, seconds: float) -> None:
        """Age the world without taking samples: temperature, creep, warm-up, the phases of the clocks.

        The time of samples does not go on, so that the next one follows the last as if nobody had thought.
        What was still ringing is over; what would have been knocked meanwhile has died unseen.
        """
        for cell in self.cells:
            cell.subside()
            if cell is not self._slowest:
                cell.slip(self._rng.random() if self.profile.rate_spread else 0.0)
        self._age(seconds)
        self._refresh(self.time_us)

    def copy(self, seed: int) -> Self:
        """Return the same cells and bodies in another world whose further noise comes from `seed`."""
        other = deepcopy(self)
        other._rng.seed(seed)  # noqa: SLF001 - of the same class; its parts draw from it too
        return other

    # -- hands -------------------------------------------------------------------------------------

    def lay_out(self, stones: Mapping[int, int], marks: Iterable[int] = ()) -> None:
        """Clear the board and lay it out anew before the game, from the box; at rest at once.

        Args:
            stones: how many stones on which channel.
            marks: channels that carry a mark.

        Raises:
            EmptyHandedError: there are not as many stones or marks.
        """
        self._stacks.lay_out(stones, marks)
        self._shaking.forget_touches()
        for channel, cell in enumerate(self.cells):
            cell.settle()
            cell.set_load(0.0, self.time_us)
            self._own_g[channel] = self._stacks.mass_g(channel) + self._weights_g[channel]
        for channel, cell in enumerate(self.cells):
            cell.set_load(self._own_g[channel] + self._plate.leak_g(channel, self._own_g), self.time_us)
            cell.settle()
        self._refresh(self.time_us)

    def lift_all(self, channel: int, hand: int, at_us: int) -> int:
        """Let a hand take every stone from a channel (marks stay); return how many it took."""
        how_many = self.stones(channel)
        self.lift(channel, hand, at_us, how_many)
        return how_many

    def lift(self, channel: int, hand: int, at_us: int, stones: int = 1) -> None:
        """Let a hand take stones from a channel, whichever come.

        Raises:
            EmptyHandedError: fewer lie there.
        """
        self._stacks.lift(channel, hand, stones)
        self._weigh(channel, at_us)
        self._reach_in(channel)

    def drop(self, channel: int, hand: int, at_us: int, stones: int = 1) -> None:
        """Let stones fall from a hand on a channel.

        Raises:
            EmptyHandedError: the hand holds fewer.
        """
        self._fall(channel, self._stacks.drop(channel, hand, stones), at_us, stones)

    def perch(self, channel: int, other: int | None, hand: int, at_us: int, share: float) -> None:
        """Let a stone from a hand come to rest on a rim, a `share` of its weight on a channel.

        The rest of it lies on the `other` channel, or on the plate if that is None.

        Raises:
            EmptyHandedError: the hand is empty.
        """
        self._stacks.perch(channel, other, hand, share)
        for each in (channel, other):
            if each is not None:
                self._weigh(each, at_us)

    def unperch(self, channel: int, at_us: int) -> None:
        """Put a stone right that rests on the rim of a channel: it falls into it.

        Raises:
            EmptyHandedError: none does.
        """
        perch = self._stacks.unperch(channel)
        for each in (perch.channel, perch.other):
            if each is not None and each != channel:
                self._weigh(each, at_us)
        self._fall(channel, perch.stone.mass_g, at_us, 1)

    def place_mark(self, channel: int, at_us: int) -> None:
        """Lay a tuzdyk mark on a channel, out of the box.

        Raises:
            EmptyHandedError: no mark is left.
        """
        self._fall(channel, self._stacks.place_mark(channel), at_us, 1)

    def remove_mark(self, channel: int, at_us: int) -> None:
        """Take a tuzdyk mark from a channel back into the box.

        Raises:
            EmptyHandedError: none lies there.
        """
        self._stacks.remove_mark(channel)
        self._weigh(channel, at_us)
        self._reach_in(channel)

    def add_weight(self, channel: int, mass_g: float, at_us: int) -> None:
        """Lay a foreign weight on a channel (negative takes it off), such as a test weight."""
        self._weights_g[channel] += mass_g
        self._weigh(channel, at_us)

    def touch(self, channel: int, firmness: float, at_us: int) -> None:
        """Press with trembling fingers of `firmness` 0..1 times the profile's strength; 0 lets go."""
        self._active |= self._shaking.touch(channel, firmness * self.profile.touch_g, at_us)

    def knock(self, accel: float, at_us: int) -> None:
        """Knock on the table, with a peak acceleration over gravity."""
        self._active |= self._shaking.knock(accel, at_us)

    def lean(self, channel: int, newton: float, at_us: int, lasts_s: float) -> None:
        """Lean on the board near a channel, for so many seconds between coming and going."""
        self._active |= self._shaking.lean(channel, newton, at_us, lasts_s)

    def calm(self) -> None:
        """Let nobody knock or lean by chance any more."""
        self._shaking.calm()

    def _weigh(self, channel: int, at_us: int) -> None:
        own_g, plate, cells = self._own_g, self._plate, self.cells
        own_g[channel] = self._stacks.mass_g(channel) + self._weights_g[channel]
        cells[channel].set_load(own_g[channel] + plate.leak_g(channel, own_g), at_us)
        self._active.add(channel)
        for target, _ in plate.touching[channel]:
            cells[target].set_load(own_g[target] + plate.leak_g(target, own_g), at_us, own=False)
            self._active.add(target)

    def _fall(self, channel: int, mass_g: float, at_us: int, bodies: int) -> None:
        self._weigh(channel, at_us)
        self.cells[channel].strike(mass_g, at_us)
        if channel in self._beams:
            self._beams[channel].fall(bodies)

    def _reach_in(self, channel: int) -> None:
        if channel in self._beams:
            self._beams[channel].reach_in()


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
