"""The steps of calibrating a board, and what a step finds wrong (pure).

Places are counted by the board, not by the game: 0..8 the pits 1..9 of side `a` from its player's left,
9..17 those of side `b`, 18 and 19 the kazans of `a` and `b`. That is the order of `Wiring.channels`.

Every pit carries nine stones, then eighteen, whose mass is known twice as well; each kazan carries a part of
all stones, then all 162. The 162 are the only mass that is known for sure, a mean stone is a 162nd of it.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from types import MappingProxyType
from typing import Final

from firmware_bridge.layout import PITS, PLACES
from rules.position import STONES

KAZANS: Final = (18, 19)
HEAP: Final = 18
"""Stones of two pits together."""


class Step(StrEnum):
    """What is asked of whoever calibrates, in order."""

    EMPTY = "empty"
    """Nothing lies on the board."""
    TOUCH = "touch"
    """Each place is pressed with a finger, in order: which channel is which place."""
    NINES = "nines"
    """Nine stones lie in each pit, as before a game."""
    HEAPS = "heaps"
    """Every second pit has got its neighbour's stones too."""
    NEXT_HEAPS = "next_heaps"
    """Each heap lies one pit further."""
    SPLIT = "split"
    """The heaps of side `a` lie in kazan `a`, those of side `b` in kazan `b`."""
    ALL_A = "all_a"
    """All stones lie in kazan `a`."""
    ALL_B = "all_b"
    """All stones lie in kazan `b`."""
    EMPTY_AGAIN = "empty_again"
    """Nothing lies on the board once more."""
    MARKS = "marks"
    """The marks of tuzdyks lie on it, each in a pit of its own, and nothing else."""


ORDER: Final = tuple(Step)

SKIPPABLE: Final = frozenset({Step.TOUCH, Step.MARKS})
"""Without touching nobody has proved the wiring; without a mark the cells feel none."""


def _laid(**stones: int) -> tuple[int, ...]:
    """Return a load of heaps in the even or odd pits, and of both kazans."""
    pits = [stones.get("even", 0) if pit % 2 == 0 else stones.get("odd", 0) for pit in range(PITS)]
    return (*pits, stones.get("a", 0), stones.get("b", 0))


LOADS: Final[Mapping[Step, tuple[int, ...]]] = MappingProxyType(
    {
        Step.EMPTY: _laid(),
        Step.NINES: _laid(even=9, odd=9),
        Step.HEAPS: _laid(even=HEAP),
        Step.NEXT_HEAPS: _laid(odd=HEAP),
        Step.SPLIT: _laid(a=4 * HEAP, b=5 * HEAP),
        Step.ALL_A: _laid(a=STONES),
        Step.ALL_B: _laid(b=STONES),
        Step.EMPTY_AGAIN: _laid(),
        Step.MARKS: _laid(),
    }
)
"""Stones at each place in each step. Odd pits hold four heaps on side `a` and five on side `b`."""


def heap_step(pit: int) -> Step:
    """Return the step in which a pit carries eighteen stones."""
    return Step.HEAPS if pit % 2 == 0 else Step.NEXT_HEAPS


def bare_step(pit: int) -> Step:
    """Return the step in which a pit is empty and all its neighbours carry eighteen."""
    return Step.NEXT_HEAPS if pit % 2 == 0 else Step.HEAPS


def full_step(kazan: int) -> Step:
    """Return the step in which a kazan holds all stones."""
    return Step.ALL_A if kazan == KAZANS[0] else Step.ALL_B


@dataclass(frozen=True, slots=True)
class Complaint:
    """Why a step cannot be trusted, as a code with what fills its text.

    Attributes:
        code: what is wrong; its text is `calibwrong.CODE`.
        places: where, 0..19; empty where it is the whole device.
        values: numbers in the text.
        back_to: the step to be repeated; None: the one that was measured.
    """

    code: str
    places: tuple[int, ...] = ()
    values: Mapping[str, float | int | str] = field(default_factory=dict)
    back_to: Step | None = None


@dataclass(frozen=True, slots=True)
class Measured:
    """What the channels of the places said while a step's load lay still.

    Attributes:
        raw: mean converter value of each of the twenty places.
        noise: standard deviation of single samples of each.
    """

    raw: tuple[float, ...]
    noise: tuple[float, ...]

    def __post_init__(self) -> None:
        """Hold it to the twenty places."""
        if len(self.raw) != PLACES or len(self.noise) != PLACES:
            raise ValueError(f"a step measures {PLACES} places, not {len(self.raw)} and {len(self.noise)}")
