"""A board as its channels feel it: stacks of bodies on cells, hands that move them, and raw readings.

The world knows channels, bodies and hands, never pits or rules. Everything random comes from one seed, so a
world replays exactly.

Two bookkeepings are kept apart on purpose. `read` is what a microcontroller would get, noise and faults
included; `stones`, `marks` and `held` are the truth, for tests and for the hands, who can see.
"""

from collections.abc import Iterable, Mapping
from copy import deepcopy
from random import Random
from typing import Self

from sensors.simulator.bodies import BodyKind, EmptyHandedError, Stacks, make_marks, make_stones
from sensors.simulator.plate import Neighbours
from sensors.simulator.profile import CellKind, Profile
from sensors.simulator.reading import Converters, Reading
from sensors.simulator.transport import ChannelFault, SampleFault

__all__ = ["CellWorld", "ChannelFault", "EmptyHandedError", "Reading", "SampleFault"]


class CellWorld(Converters):
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
        rng = Random(seed)
        super().__init__(
            kinds,
            profile,
            rng,
            rate_hz=rate_hz,
            neighbours=neighbours,
            beams=beams,
            cells_read=cells_read,
        )
        count = len(self.cells)
        box = make_stones(stones, profile, rng) + make_marks(marks, profile, rng)
        self._stacks = Stacks(count, box, rng)
        self._own_g = [0.0] * count
        self._weights_g = [0.0] * count

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
