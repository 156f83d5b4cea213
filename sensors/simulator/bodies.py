"""The things that lie on the board: stones and tuzdyk marks, each with its own mass."""

from dataclasses import dataclass
from enum import Enum
from random import Random

from sensors.simulator.profile import Profile

LIGHTEST = 0.5
"""No body is lighter than this fraction of the mean: a draw from the far tail is no ball."""


class BodyKind(Enum):
    """What a hand can tell apart without a scale."""

    STONE = "stone"
    MARK = "mark"


@dataclass(frozen=True, slots=True, eq=False)
class Body:
    """One object. Compared by identity: two stones of equal mass are still two stones."""

    kind: BodyKind
    mass_g: float


def make_stones(how_many: int, profile: Profile, rng: Random) -> list[Body]:
    """Return stones with masses spread as the profile says."""
    return [_make(BodyKind.STONE, profile.unit_g, profile.unit_cv, rng) for _ in range(how_many)]


def make_marks(how_many: int, profile: Profile, rng: Random) -> list[Body]:
    """Return tuzdyk marks with masses spread as the profile says."""
    return [_make(BodyKind.MARK, profile.mark_g, profile.mark_cv, rng) for _ in range(how_many)]


def _make(kind: BodyKind, mean_g: float, cv: float, rng: Random) -> Body:
    return Body(kind, max(LIGHTEST * mean_g, rng.gauss(mean_g, mean_g * cv)))
