"""The things that lie on the board: stones and tuzdyk marks, each with its own mass, and where each one is.

Bodies are never made or lost after the beginning: each lies on a stack, in a hand, on a rim or in the box
beside the board.
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from enum import Enum
from math import log, sqrt
from random import Random

from sensors.simulator.profile import Profile

LIGHTEST = 0.5
"""No body is lighter than this fraction of the mean: a draw from the far tail is no stone."""


class EmptyHandedError(ValueError):
    """Raised when bodies are to be moved that are not there."""


class BodyKind(Enum):
    """What a hand can tell apart without a scale."""

    STONE = "stone"
    MARK = "mark"


@dataclass(frozen=True, slots=True, eq=False)
class Body:
    """One object. Compared by identity: two stones of equal mass are still two stones."""

    kind: BodyKind
    mass_g: float


@dataclass(frozen=True, slots=True, eq=False)
class Perched:
    """A stone on a rim: a share of its weight on `channel`, the rest on `other`, or on the plate (None)."""

    stone: Body
    channel: int
    other: int | None
    share: float


def make_stones(how_many: int, profile: Profile, rng: Random) -> list[Body]:
    """Return stones with masses spread as the profile says, in no order."""
    first_g = profile.unit_g / (1 + profile.second_batch * profile.second_batch_heavier)
    means_g = [first_g] * how_many
    for index in rng.sample(range(how_many), round(how_many * profile.second_batch)):
        means_g[index] *= 1 + profile.second_batch_heavier
    return [_make(BodyKind.STONE, mean_g, profile.unit_cv, rng, profile.unit_skew) for mean_g in means_g]


def make_marks(how_many: int, profile: Profile, rng: Random) -> list[Body]:
    """Return tuzdyk marks with masses spread as the profile says."""
    return [_make(BodyKind.MARK, profile.mark_g, profile.mark_cv, rng) for _ in range(how_many)]


def _make(kind: BodyKind, mean_g: float, cv: float, rng: Random, skew: float = 0.0) -> Body:
    deviation = sqrt(1 - skew * skew) * rng.gauss(0.0, 1.0)
    if skew:
        deviation += skew * (-log(1 - rng.random()) - 1)
    return Body(kind, max(LIGHTEST * mean_g, mean_g * (1 + cv * deviation)))


class Stacks:
    """Where every body is.

    Args:
        channels: how many stacks there are.
        box: all bodies.
        rng: which bodies a hand happens to take; shared with whoever else draws from it.
    """

    def __init__(self, channels: int, box: list[Body], rng: Random) -> None:
        self._rng = rng
        self._box = box
        self._stacks: list[list[Body]] = [[] for _ in range(channels)]
        self._hands: dict[int, list[Body]] = {}
        self.perched: list[Perched] = []

    def on(self, channel: int, kind: BodyKind = BodyKind.STONE) -> int:
        """Return how many bodies of a kind lie on a channel."""
        return _count(self._stacks[channel], kind)

    def held(self, hand: int) -> int:
        """Return how many stones a hand holds."""
        return _count(self._hands.get(hand, []), BodyKind.STONE)

    @property
    def boxed(self) -> int:
        """How many stones lie in the box beside the board."""
        return _count(self._box, BodyKind.STONE)

    def mass_g(self, channel: int) -> float:
        """Return what the bodies on a channel weigh, with its part of those on rims."""
        mass_g = sum([body.mass_g for body in self._stacks[channel]])
        for perch in self.perched:
            if perch.channel == channel:
                mass_g += perch.share * perch.stone.mass_g
            elif perch.other == channel:
                mass_g += (1 - perch.share) * perch.stone.mass_g
        return mass_g

    def lay_out(self, stones: Mapping[int, int], marks: Iterable[int]) -> None:
        """Put everything into the box and lay it out anew."""
        for bodies in (*self._stacks, *self._hands.values()):
            self._box.extend(bodies)
            bodies.clear()
        self._box.extend(perch.stone for perch in self.perched)
        self.perched.clear()
        for channel, how_many in stones.items():
            self._move(self._box, self._stacks[channel], BodyKind.STONE, how_many, "the box")
        for channel in marks:
            self.place_mark(channel)

    def lift(self, channel: int, hand: int, stones: int) -> None:
        """Move stones from a channel into a hand."""
        held = self._hands.setdefault(hand, [])
        self._move(self._stacks[channel], held, BodyKind.STONE, stones, f"channel {channel}")

    def drop(self, channel: int, hand: int, stones: int) -> float:
        """Move stones from a hand to a channel; return what they weigh."""
        held = self._hands.setdefault(hand, [])
        fallen = self._move(held, self._stacks[channel], BodyKind.STONE, stones, f"hand {hand}")
        return sum(body.mass_g for body in fallen)

    def place_mark(self, channel: int) -> float:
        """Move a mark from the box to a channel; return what it weighs."""
        return self._move(self._box, self._stacks[channel], BodyKind.MARK, 1, "the box")[0].mass_g

    def remove_mark(self, channel: int) -> None:
        """Move a mark from a channel back into the box."""
        self._move(self._stacks[channel], self._box, BodyKind.MARK, 1, f"channel {channel}")

    def perch(self, channel: int, other: int | None, hand: int, share: float) -> None:
        """Leave a stone from a hand on a rim."""
        stone = self._move(self._hands.setdefault(hand, []), [], BodyKind.STONE, 1, f"hand {hand}")[0]
        self.perched.append(Perched(stone, channel, other, share))

    def unperch(self, channel: int) -> Perched:
        """Let the stone on the rim of a channel, perched there first, fall into it; return how it lay."""
        for perch in self.perched:
            if channel in (perch.channel, perch.other):
                self.perched.remove(perch)
                self._stacks[channel].append(perch.stone)
                return perch
        raise EmptyHandedError(f"no stone lies on the rim of channel {channel}")

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
    return sum([body.kind is kind for body in bodies])
