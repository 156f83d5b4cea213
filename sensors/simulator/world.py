"""A board as its channels feel it: stacks of bodies on cells, hands that move them, and raw readings.

The world knows channels, bodies and hands, never pits or rules. Everything random comes from one seed, so a
world replays exactly. Bodies are never made or lost after the beginning: each lies on a channel, in a hand
or in the box beside the board.

Two bookkeepings are kept apart on purpose. `read` is what a microcontroller would get, noise and faults
included; `stones`, `marks` and `held` are the truth, for tests and for the hands, who can see.
"""

from collections.abc import Iterable, Mapping
from copy import deepcopy
from enum import Enum
from math import exp
from random import Random
from typing import NamedTuple, Self

from sensors.frames import STATUS_NOT_READY, STATUS_OK, STATUS_SATURATED
from sensors.simulator.bodies import Body, BodyKind, make_marks, make_stones
from sensors.simulator.cells import SimulatedCell
from sensors.simulator.profile import RAW_MAX, RAW_MIN, CellKind, Profile, nominal_noise_raw

WEATHER_EVERY_US = 1_000_000
"""Temperature and creep move this often, microseconds: far slower than anything they change."""

WARM_UP_S = 600.0

NOISE_MARGIN_SIGMA = 8.0
"""A mean nearer than this to the end of the scale may be clipped by its noise."""


class ChannelFault(Enum):
    """What can be broken about one channel."""

    DEAD = "dead"
    """The bridge is cut off: noise around zero, no load is felt, and the chip calls it a good reading."""
    SATURATED = "saturated"
    """An open wire: the end of the scale for ever."""
    STUCK = "stuck"
    """The last value repeats, with a good status."""
    NOT_READY = "not_ready"
    """The chip is gone: no conversion ever comes."""


class Reading(NamedTuple):
    """One sample of all channels: raw steps and status codes of DATA; raw is 0 where there is no reading."""

    raw: tuple[int, ...]
    status: tuple[int, ...]


class EmptyHandedError(ValueError):
    """Raised when bodies are to be moved that are not there."""


class CellWorld:
    """Cells with bodies on them.

    Args:
        kinds: one cell kind for each channel.
        profile: the degree of hardship.
        seed: of everything random.
        rate_hz: nominal samples per second; the true rate may differ, see `period_us`.
        stones: how many stones there are.
        marks: how many tuzdyk marks there are.

    Attributes:
        profile: as given.
        period_us: true time of one sample.
        cells: the cells, one a channel; their hidden constants are for tests only.
        time_us: of the last reading.
    """

    def __init__(
        self,
        kinds: Iterable[CellKind],
        profile: Profile,
        seed: int,
        *,
        rate_hz: float = 80.0,
        stones: int = 162,
        marks: int = 2,
    ) -> None:
        self.profile = profile
        self._rng = Random(seed)
        stretch = 1 + self._rng.uniform(-1, 1) * profile.rate_spread
        self.period_us = 1e6 / rate_hz * stretch
        self.cells = tuple(SimulatedCell(kind, profile, self._rng, self.period_us) for kind in kinds)
        self._stacks: list[list[Body]] = [[] for _ in self.cells]
        self._box = make_stones(stones, profile, self._rng) + make_marks(marks, profile, self._rng)
        self._hands: dict[int, list[Body]] = {}
        self._touch_g = [0.0] * len(self.cells)
        self._weights_g = [0.0] * len(self.cells)
        self._noise_raw = [nominal_noise_raw(rate_hz) * profile.noise_factor] * len(self.cells)
        self._faults: dict[int, ChannelFault] = {}
        self._last_raw = [0] * len(self.cells)
        self._all_ok = (STATUS_OK,) * len(self.cells)
        self._walk_c = 0.0
        self._weather_us = 0
        self.time_us = 0
        self._active: set[int] = set()
        self._mean_raw = [0.0] * len(self.cells)
        self._near_limit = False
        self._refresh(0)

    # -- reading -----------------------------------------------------------------------------------

    def read(self, time_us: int) -> Reading:
        """Return one sample of all channels. Times must not go back; loads changed by then count."""
        self.time_us = time_us
        if time_us - self._weather_us >= WEATHER_EVERY_US:
            self._weather(time_us)
        if self._active:
            self._follow(time_us)
        gauss = self._rng.gauss
        means_and_noises = zip(self._mean_raw, self._noise_raw, strict=True)
        raw = tuple([int(mean + gauss(0.0, noise)) for mean, noise in means_and_noises])
        if self._near_limit or self._faults:
            return self._spoilt(raw)
        return Reading(raw, self._all_ok)

    def _follow(self, time_us: int) -> None:
        for channel in tuple(self._active):
            cell = self.cells[channel]
            self._mean_raw[channel] = cell.mean_raw(time_us)
            if not cell.active:
                self._active.discard(channel)
        self._check_limits()

    def _weather(self, time_us: int) -> None:
        elapsed_s = (time_us - self._weather_us) / 1e6
        self._weather_us = time_us
        sigma = self.profile.temperature_c_per_sqrt_min * (elapsed_s / 60) ** 0.5
        self._walk_c += self._rng.gauss(0.0, sigma)
        warm = self.profile.warm_up_c * (1 - exp(-time_us / 1e6 / WARM_UP_S))
        for cell in self.cells:
            cell.weather(self._walk_c + warm, elapsed_s)
        self._refresh(time_us)

    def _refresh(self, time_us: int) -> None:
        self._mean_raw = [cell.mean_raw(time_us) for cell in self.cells]
        self._active = {channel for channel, cell in enumerate(self.cells) if cell.active}
        self._check_limits()

    def _check_limits(self) -> None:
        margin = NOISE_MARGIN_SIGMA * max(self._noise_raw)
        low, high = RAW_MIN + margin, RAW_MAX - margin
        self._near_limit = min(self._mean_raw) < low or max(self._mean_raw) > high

    def _spoilt(self, clean: tuple[int, ...]) -> Reading:
        """Return the same sample with the end of the scale and the faults."""
        raw = [min(max(value, RAW_MIN), RAW_MAX) for value in clean]
        status = [STATUS_SATURATED if value in (RAW_MIN, RAW_MAX) else STATUS_OK for value in raw]
        for channel, fault in self._faults.items():
            if fault is ChannelFault.DEAD:
                raw[channel] = int(self._rng.gauss(0.0, self._noise_raw[channel]))
                status[channel] = STATUS_OK
            elif fault is ChannelFault.SATURATED:
                raw[channel], status[channel] = RAW_MAX, STATUS_SATURATED
            elif fault is ChannelFault.STUCK:
                raw[channel], status[channel] = self._last_raw[channel], STATUS_OK
            else:
                raw[channel], status[channel] = 0, STATUS_NOT_READY
        return Reading(tuple(raw), tuple(status))

    def set_fault(self, channel: int, fault: ChannelFault | None) -> None:
        """Break a channel, or mend it with None. A stuck channel repeats what its cell shows now."""
        if fault is None:
            self._faults.pop(channel, None)
            return
        self._last_raw[channel] = int(self._mean_raw[channel])
        self._faults[channel] = fault

    # -- the truth ---------------------------------------------------------------------------------

    def stones(self, channel: int) -> int:
        """Return how many stones truly lie on a channel."""
        return _count(self._stacks[channel], BodyKind.STONE)

    def marks(self, channel: int) -> int:
        """Return how many tuzdyk marks truly lie on a channel."""
        return _count(self._stacks[channel], BodyKind.MARK)

    def held(self, hand: int) -> int:
        """Return how many stones a hand holds."""
        return _count(self._hands.get(hand, []), BodyKind.STONE)

    @property
    def boxed(self) -> int:
        """How many stones lie in the box beside the board."""
        return _count(self._box, BodyKind.STONE)

    # -- hands -------------------------------------------------------------------------------------

    def lay_out(self, stones: Mapping[int, int], marks: Iterable[int] = ()) -> None:
        """Clear the board and lay it out anew before the game, from the box; at rest at once.

        Args:
            stones: how many stones on which channel.
            marks: channels that carry a mark.

        Raises:
            EmptyHandedError: there are not as many stones or marks.
        """
        for bodies in (*self._stacks, *self._hands.values()):
            self._box.extend(bodies)
            bodies.clear()
        for channel, how_many in stones.items():
            self._move(self._box, self._stacks[channel], BodyKind.STONE, how_many, "the box")
        for channel in marks:
            self._move(self._box, self._stacks[channel], BodyKind.MARK, 1, "the box")
        for channel, cell in enumerate(self.cells):
            cell.set_load(sum(body.mass_g for body in self._stacks[channel]), self._weather_us)
            cell.settle()
        self._refresh(self._weather_us)

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
        held = self._hands.setdefault(hand, [])
        self._move(self._stacks[channel], held, BodyKind.STONE, stones, f"channel {channel}")
        self._weigh(channel, at_us)

    def drop(self, channel: int, hand: int, at_us: int, stones: int = 1) -> None:
        """Let stones fall from a hand on a channel.

        Raises:
            EmptyHandedError: the hand holds fewer.
        """
        held = self._hands.setdefault(hand, [])
        fallen = self._move(held, self._stacks[channel], BodyKind.STONE, stones, f"hand {hand}")
        self._weigh(channel, at_us)
        self._strike(channel, fallen, at_us)

    def place_mark(self, channel: int, at_us: int) -> None:
        """Lay a tuzdyk mark on a channel, out of the box.

        Raises:
            EmptyHandedError: no mark is left.
        """
        laid = self._move(self._box, self._stacks[channel], BodyKind.MARK, 1, "the box")
        self._weigh(channel, at_us)
        self._strike(channel, laid, at_us)

    def remove_mark(self, channel: int, at_us: int) -> None:
        """Take a tuzdyk mark from a channel back into the box.

        Raises:
            EmptyHandedError: none lies there.
        """
        self._move(self._stacks[channel], self._box, BodyKind.MARK, 1, f"channel {channel}")
        self._weigh(channel, at_us)

    def add_weight(self, channel: int, mass_g: float, at_us: int) -> None:
        """Lay a foreign weight on a channel (negative takes it off): a test weight, or leaning fingers."""
        self._weights_g[channel] += mass_g
        self._weigh(channel, at_us)

    def touch(self, channel: int, firmness: float, at_us: int) -> None:
        """Press with fingers of `firmness` 0..1 times the profile's strength; 0 lets go."""
        self._touch_g[channel] = firmness * self.profile.touch_g
        self._weigh(channel, at_us)

    def copy(self, seed: int) -> Self:
        """Return the same cells and bodies in another world whose further noise comes from `seed`."""
        other = deepcopy(self)
        other._rng.seed(seed)  # noqa: SLF001 - of the same class; its cells draw from it too
        return other

    def _weigh(self, channel: int, at_us: int) -> None:
        bodies_g = sum([body.mass_g for body in self._stacks[channel]])
        load_g = bodies_g + self._weights_g[channel] + self._touch_g[channel]
        self.cells[channel].set_load(load_g, at_us)
        self._active.add(channel)

    def _strike(self, channel: int, fallen: Iterable[Body], at_us: int) -> None:
        self.cells[channel].strike(sum(body.mass_g for body in fallen), at_us)

    def _move(
        self, source: list[Body], target: list[Body], kind: BodyKind, how_many: int, where: str
    ) -> list[Body]:
        """Move bodies drawn at random; a hand does not choose."""
        there = [body for body in source if body.kind is kind]
        if how_many > len(there):
            raise EmptyHandedError(f"{how_many} {kind.value}s wanted from {where}, {len(there)} are there")
        taken = self._rng.sample(there, how_many)
        chosen = set(map(id, taken))
        source[:] = [body for body in source if id(body) not in chosen]
        target.extend(taken)
        return taken


def _count(bodies: list[Body], kind: BodyKind) -> int:
    return sum(1 for body in bodies if body.kind is kind)
