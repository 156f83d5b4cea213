"""Boards that fit, but not well: what a leaning hand or a shifted zero may make look like a play (pure).

A hand that leans weighs anything; by chance it weighs nearly as much as a stone that is still on its way,
and then the board fits. Three things tell. A place that fits badly must have lain still for a while, for
hands come and go. A place that was seen to weigh a part of a stone more or less than it should, before the
ply began, is not believed until it weighs plainly what is due. And a pit where nothing was moved does not
stray: if it does, somebody leans on it or on its neighbour, and no board is believed until they have let go.
"""

from __future__ import annotations

from collections.abc import Sequence

from firmware_bridge.board.counting.observation import Observation, PlaceReading
from firmware_bridge.board.counting.weighing import Weighed
from firmware_bridge.board.watching.reconciler import Played, Same, Verdict
from firmware_bridge.layout import is_kazan

STILL_US = 2_000_000
"""How long a place that fits badly must have lain still."""

OFF = 0.3
"""Stones from which on a place is off."""

WHOLE = 0.2
"""Stones from one within which it may be a stone that was taken or laid there: then the ply has begun."""

PLAIN = 0.2
"""Stones within which a place that was off weighs plainly what is due."""

PLAIN_KAZAN = 0.3
"""The same for a kazan, whose larger cell comes back later from a load."""

PLAIN_STOOD = 0.08
"""The same if it has hardly changed since, although a stone should have come or gone."""

STEP = 0.5
"""Stones by which a place must have changed since it was off if a stone came or went."""


class Strain:
    """Remembers which places were off since the position last lay there surely, and by how much.

    Attributes:
        leaned: Whether a hand has leaned on the board: then what it weighs now tells, not what it did before.
    """

    def __init__(self) -> None:
        self._off: dict[int, float] = {}
        self.leaned = False

    def clear(self) -> None:
        """Forget them: the board was seen as it should be, or begins anew."""
        self._off = {}
        self.leaned = False

    def look(self, seen: Observation, verdict: Verdict) -> None:
        """Take one quiet look at the board, before anybody has pressed."""
        if isinstance(verdict, Same):
            self.clear()
        elif not isinstance(verdict, Played):
            pairs = enumerate(zip(seen.weights, seen.belief.places, strict=True))
            by = {place: weight - known.level for place, (weight, known) in pairs if weight is not None}
            if all(abs(off) < 1 - WHOLE for off in by.values()):  # no stone has been lifted yet
                self._off.update({place: off for place, off in by.items() if abs(off) > OFF})

    def doubtful(self, weighed: Weighed) -> tuple[tuple[int, int, int], ...]:
        """Return the places that were off and are not plain: what is due there, and what else it may be.

        Not plain is a place that strays, and one that should have got or given a stone since and did not.
        """
        found = []
        for place in sorted({*self._off, *weighed.leaned}):
            residual, due = weighed.residuals[place], weighed.change.after[place]
            if residual is not None and (place in weighed.leaned or self._is_off(place, residual, weighed)):
                found.append((place, due, max(0, due + (1 if residual > 0 else -1))))
        return tuple(found)

    def _is_off(self, place: int, residual: float, weighed: Weighed) -> bool:
        moved = weighed.change.after[place] - weighed.change.before[place]
        stood = bool(moved) and abs(moved + residual - self._off[place]) < STEP
        plain = PLAIN_KAZAN if is_kazan(place) else PLAIN
        return abs(residual) > (PLAIN_STOOD if stood else plain)

    def rested(self, played: Played, readings: Sequence[PlaceReading], at_us: int) -> bool:
        """Whether a play may be believed: no place is doubtful, and those that fit badly have lain still.

        Args:
            played: What was read.
            readings: What each place says now, although the play may have been read of an earlier moment.
            at_us: Now.
        """
        self.leaned = self.leaned or bool(played.weighed.leaned)
        if self.doubtful(played.weighed):
            return False
        since = [readings[place].since_us for place in played.weighed.strained]
        return all(since_us is not None and at_us - since_us >= STILL_US for since_us in since)
