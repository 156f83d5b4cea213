"""What is known of every place between two readings: its level, the mass of its stones, how surely (pure).

All numbers are in stones: grams divided by the mean mass of a stone. For each place

    level = zero + mass (+ mark)

is what it weighs while the confirmed position lies there. The level is measured and follows every slow
drift; the mass is that of the very stones that lie there, learned ply by ply from what left one place and
came to another. The zero is what is left, so that nobody has to lift anything to tare a cell.

Every confirmed position measures every place again (`confirmed`). What a reading differs from what was due
is shared out between the masses that moved and the zero, in proportion to how uncertain each was: the
Kalman filter's rule for one measured sum of two unknowns. A zero follows a little with every look
while nothing moves, half a stone with a confirmed position (`learning.py`), and never further than its
`drift_limit` from where the calibration put it; beyond that it is named and followed no more.

Two numbers are learned on the way, since no data sheet gives them: how unequal the stones are (`spread`,
the square of their coefficient of variation) and how far each place wobbles beyond its noise (`wobble`:
hysteresis, creep, crosstalk).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, Self

from firmware_bridge.board.counting.beams import UNLEARNED, BeamBelief, finite, place_of
from firmware_bridge.layout import PLACES, is_kazan

DRIFT_LIMIT = 6.0
"""Stones the zero of a pit may wander from its calibration before it is a fault; nominal: below 1."""
KAZAN_DRIFT_LIMIT = 20.0
"""The same for a kazan, whose cell carries five times as much and drifts as much more."""

SPREAD = 0.03**2
"""How unequal stones are before any is measured: between a good set (1.5 %) and a poor one (5 %)."""

PIT_WOBBLE = 0.03**2
KAZAN_WOBBLE = 0.07**2
"""Before anything is measured: a play of 0.05 % of full scale is 0.05 g at a 100 g cell and 0.25 g at a
500 g cell, evenly within its width, so 0.014 g and 0.07 g rms; plus creep and crosstalk of the same order."""

PIT_SWAY, KAZAN_SWAY = 0.01, 0.03
"""How far a zero is first thought to move with all others from ply to ply: next to nothing, the larger cell
more."""

ZERO = 0.2**2
"""Variance of a zero since the calibration, hours or days ago: it has moved by some tenths of a stone."""

KEEP = 5
"""Decimals kept: what a journal holds is exactly what the board goes on with."""


def drift_limit(place: int) -> float:
    """Return how many stones the zero of a place may wander."""
    return KAZAN_DRIFT_LIMIT if is_kazan(place) else DRIFT_LIMIT


@dataclass(frozen=True, slots=True)
class Units:
    """The masses of one set of stones.

    Attributes:
        stone_g: Mean mass of a stone in grams, above 0.
        mark_g: Mass of the mark laid on a tuzdyk in grams, 0 or more.
        cut_off_g: What each channel reads when its converter reads 0, in grams; empty when not known.
    """

    stone_g: float
    mark_g: float
    cut_off_g: tuple[float, ...] = ()


@dataclass(frozen=True, slots=True)
class Known:
    """One place.

    Attributes:
        level: What it weighs with the confirmed stones in it.
        level_var: Variance of that, as of when it was measured.
        mass: What its stones weigh.
        mass_var: Variance of that.
        wobble: Variance of what it strays from itself from one ply to the next.
        blind: It could not be read when the position was confirmed; its level is what was due.
        sway: By how much its zero moves when all zeros move together.
    """

    level: float
    level_var: float
    mass: float
    mass_var: float
    wobble: float
    blind: bool = False
    sway: float = 0.0


@dataclass(frozen=True, slots=True)
class Belief:
    """The twenty places of a board.

    Attributes:
        places: One for each place.
        spread: Square of the coefficient of variation of the stones' masses.
        measured: How many stones, or as much as they, it rests on; 0 for a guess.
        marked: The places whose level includes a tuzdyk's mark.
        beams: What is known of the count sensors; as at first where there are none.
    """

    places: tuple[Known, ...]
    spread: float = SPREAD
    measured: float = 0.0
    marked: frozenset[int] = frozenset()
    beams: BeamBelief = UNLEARNED

    @classmethod
    def empty(cls) -> Self:
        """Return what is known of a calibrated board with nothing on it."""
        return cls(
            tuple(
                Known(0.0, ZERO, 0.0, 0.0, KAZAN_WOBBLE, sway=KAZAN_SWAY)
                if is_kazan(place)
                else Known(0.0, ZERO, 0.0, 0.0, PIT_WOBBLE, sway=PIT_SWAY)
                for place in range(PLACES)
            )
        )

    @classmethod
    def exactly(cls, stones: Sequence[int]) -> Self:
        """Return what would be known of a board without zeros, on which just these stones lie."""
        empty = cls.empty()
        return replace(
            empty,
            places=tuple(
                replace(known, level=float(n), level_var=0.0, mass=float(n))
                for known, n in zip(empty.places, stones, strict=True)
            ),
        )

    @classmethod
    def standing(cls, stones: Sequence[int]) -> Self:
        """Return what is known of a calibrated board when these stones are said to lie there."""
        empty = cls.empty()
        return replace(
            empty,
            places=tuple(
                replace(
                    known,
                    level=float(n),
                    level_var=known.level_var + SPREAD * n,
                    mass=float(n),
                    mass_var=SPREAD * n,
                )
                for known, n in zip(empty.places, stones, strict=True)
            ),
        )

    def emptied(self, mark: float) -> Self:
        """Return what is known of the board once everything has been taken off it; `mark` in stones.

        Cells and stones are the same in the next game: zeros, spread, wobbles and sways are kept.
        """
        return replace(
            self,
            places=tuple(
                replace(
                    known,
                    level=self.zero(place, mark),
                    level_var=ZERO + known.mass_var,
                    mass=0.0,
                    mass_var=0.0,
                    blind=False,
                )
                for place, known in enumerate(self.places)
            ),
            marked=frozenset(),
        )

    def zero(self, place: int, mark: float) -> float:
        """Return the zero of a place; `mark` is what a mark weighs, in stones."""
        known = self.places[place]
        return known.level - known.mass - (mark if place in self.marked else 0.0)

    def drifted(self, mark: float) -> tuple[int, ...]:
        """Return the places whose zero has come within a stone of its `drift_limit`, where following ends."""
        return tuple(place for place in range(PLACES) if abs(self.zero(place, mark)) > drift_limit(place) - 1)

    def to_json(self) -> dict[str, Any]:
        """Return it as a journal keeps it; `from_json` gives the same value back."""
        return {
            "levels": [known.level for known in self.places],
            "level_vars": [known.level_var for known in self.places],
            "masses": [known.mass for known in self.places],
            "mass_vars": [known.mass_var for known in self.places],
            "wobbles": [known.wobble for known in self.places],
            "blind": [place for place, known in enumerate(self.places) if known.blind],
            "sways": [known.sway for known in self.places],
            "spread": self.spread,
            "measured": self.measured,
            "marked": sorted(self.marked),
            **({} if self.beams == UNLEARNED else {"beams": self.beams.to_json()}),
        }

    @classmethod
    def from_json(cls, kept: Mapping[str, Any]) -> Self:
        """Return what `to_json` wrote.

        Raises:
            KeyError: something is missing.
            TypeError: something is of another kind than it should be.
            ValueError: the lists are not as long as a board has places, or hold no finite numbers; something
                names no place.
        """
        columns = [
            [finite(value) for value in kept[name]]
            for name in ("levels", "level_vars", "masses", "mass_vars", "wobbles", "sways")
        ]
        blind = frozenset(place_of(place) for place in kept["blind"])
        if any(len(column) != PLACES for column in columns):
            raise ValueError(f"a belief holds {PLACES} places, not {[len(column) for column in columns]}")
        places = tuple(
            Known(level, level_var, mass, mass_var, wobble, place in blind, sway)
            for place, (level, level_var, mass, mass_var, wobble, sway) in enumerate(
                zip(*columns, strict=True)
            )
        )
        marked = frozenset(place_of(place) for place in kept["marked"])
        beams = BeamBelief.from_json(kept["beams"]) if "beams" in kept else UNLEARNED
        return cls(places, finite(kept["spread"]), finite(kept["measured"]), marked, beams)

    def kept(self) -> Self:
        """Return it with as many decimals as a journal keeps."""
        return replace(
            self,
            spread=round(self.spread, KEEP + 2),
            measured=round(self.measured, 2),
            places=tuple(
                Known(
                    round(known.level, KEEP),
                    round(known.level_var, KEEP + 2),
                    round(known.mass, KEEP),
                    round(known.mass_var, KEEP + 2),
                    round(known.wobble, KEEP + 2),
                    known.blind,
                    round(known.sway, KEEP),
                )
                for known in self.places
            ),
        )
