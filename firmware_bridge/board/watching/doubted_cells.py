"""Which cell is broken although it says nothing: tried where nothing else explains the board (pure).

A cell is left out of the reading, and if then all others agree, it is the one. Three things raise the doubt:
it reads as a broken one does and the board lies still; or both players have pressed and it reads a share of
what is due; or it felt nothing of what several plies brought there, and both players do not leave out the
same pit.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import chain

from firmware_bridge.board.counting.belief import Belief, Units
from firmware_bridge.board.counting.broken_cells import (
    Suspect,
    changed_by_a_share,
    stood,
    strange,
    suspected,
    without,
)
from firmware_bridge.board.counting.learning import predicted
from firmware_bridge.board.counting.lots import plies_at
from firmware_bridge.board.counting.observation import Observation, PlaceReading, observe
from firmware_bridge.board.watching.reconciler import Played, Same, Verdict
from firmware_bridge.board.watching.strain import STILL_US
from sensors.samples import Fault, FaultKind

SUSPECT_AFTER_US = 2_500_000
"""How long a board must have lain still before a cell is suspected by what it reads: while hands put things
right, a place may look like a broken one for a moment, and one that is not believed would hide what those
hands still hold."""

STOOD_PLIES = 2
"""Plies that brought or took stones where a cell felt nothing at all, from which on it is believed broken."""

MISREAD_PRESSES = 2
"""Presses from which on a cell is suspected although the board does not lie still: the other player has seen
the ply and answered it."""

UNKNOWN = Suspect(Fault(FaultKind.NOT_BELIEVED, None), None, 0.0)

_Found = tuple[Verdict, Observation]
_Proof = tuple[int, Suspect, Verdict]
_Tried = Callable[[int, Suspect], Verdict]


class DoubtedCells:
    """The places whose cells are not believed, and how it comes to that.

    Args:
        units: The stones' masses, and what each place reads when its cell is cut off.
    """

    def __init__(self, units: Units) -> None:
        self._units = units
        self._dead: dict[int, Suspect] = {}

    @property
    def doubted(self) -> Mapping[int, Fault]:
        """The places that are not believed, with what is wrong."""
        return {place: suspect.fault for place, suspect in self._dead.items()}

    def without(self, readings: tuple[PlaceReading, ...]) -> tuple[PlaceReading, ...]:
        """Return the readings, those of the doubted places as faults."""
        return without(readings, self._dead)

    def revive(self, readings: tuple[PlaceReading, ...], belief: Belief, at_us: int) -> None:
        """Believe a cell again that no longer reads as it did when it was doubted.

        Args:
            readings: What each place says now.
            belief: What is known of every place since the last ply.
            at_us: Now, table time.
        """
        for place, suspect in tuple(self._dead.items()):
            reading, due_g = readings[place], belief.places[place].level * self._units.stone_g
            if reading.load_g is None or reading.since_us is None:
                continue
            if not suspect.still(reading.load_g, due_g, at_us - reading.since_us):
                del self._dead[place]

    def doubt(
        self,
        readings: tuple[PlaceReading, ...],
        seen: Observation,
        judge: Callable[[int, Observation], Verdict],
        pressed_us: Sequence[int],
        at_us: int,
        still_us: int,
    ) -> _Found | None:
        """Return what is seen without the one cell that is all that is wrong; None if there is none.

        Args:
            readings: What each place says now.
            seen: The board as read of them, which nothing explains.
            judge: What to say of the board as it is seen without a place.
            pressed_us: When it was pressed since the last ply, table time, oldest first.
            at_us: Now, table time.
            still_us: For how long nothing has moved and nobody has pressed.
        """

        def seen_without(place: int, suspect: Suspect) -> Observation:
            return observe(without(readings, {place: suspect}), seen.belief, self._units, seen.passed)

        def tried(place: int, suspect: Suspect) -> Verdict:
            return judge(place, seen_without(place, suspect))

        if still_us >= SUSPECT_AFTER_US:
            proofs = [self._lying_still(readings, seen, tried)]
        else:
            proofs = []
            if len(pressed_us) >= MISREAD_PRESSES:
                proofs.append(self._misread(readings, seen, at_us, tried))
            if len(pressed_us) > STOOD_PLIES:
                proofs.append(self._felt_nothing(readings, pressed_us[0], tried))
        for place, suspect, verdict in chain.from_iterable(proofs):
            self._dead = {place: suspect}
            return verdict, seen_without(place, suspect)
        return None

    def _lying_still(
        self, readings: tuple[PlaceReading, ...], seen: Observation, tried: _Tried
    ) -> Iterator[_Proof]:
        """Find cells that read as broken ones do on a board that hands have left."""
        for place in strange(readings, seen, self._units):
            verdict = tried(place, UNKNOWN)
            if isinstance(verdict, Same | Played):
                suspect = self._as_broken(place, readings[place], seen, verdict)
                if suspect is not None and isinstance(verdict, Same):
                    before_g = seen.belief.places[place].level * self._units.stone_g
                    suspect = replace(suspect, before_g=before_g)
                if suspect is not None:
                    yield place, suspect, verdict

    def _misread(
        self, readings: tuple[PlaceReading, ...], seen: Observation, at_us: int, tried: _Tried
    ) -> Iterator[_Proof]:
        """Find cells that read a share of their due, where all others tell what both players pressed for.

        A hand that leans there may weigh as much; it seldom lies as still for as long.
        """
        for place in strange(readings, seen, self._units):
            since_us, load_g = readings[place].since_us, readings[place].load_g
            if since_us is None or load_g is None or at_us - since_us < STILL_US:
                continue
            verdict = tried(place, UNKNOWN)
            if isinstance(verdict, Played):
                before, due = seen.belief.places[place].level, _due(place, seen, verdict)
                suspect = self._as_broken(place, readings[place], seen, verdict) or changed_by_a_share(
                    load_g, before, due, self._units
                )
                if suspect is not None:
                    yield place, suspect, verdict

    def _as_broken(
        self, place: int, reading: PlaceReading, seen: Observation, verdict: Same | Played
    ) -> Suspect | None:
        """Return how a place reads as a broken cell does, if all that the others tell is so."""
        if reading.load_g is None:
            return None
        return suspected(place, reading.load_g, seen, self._units, _due(place, seen, verdict))

    def _felt_nothing(
        self, readings: tuple[PlaceReading, ...], before_us: int, tried: _Tried
    ) -> Iterator[_Proof]:
        """Find cells that felt nothing of two plies: one stone may have been dropped beside the pit."""
        for place, suspect in stood(readings, before_us, self._units).items():
            verdict = tried(place, suspect)
            if isinstance(verdict, Played) and plies_at(verdict.plies, place) >= STOOD_PLIES:
                yield place, suspect, verdict


def _due(place: int, seen: Observation, verdict: Same | Played) -> float:
    """Return what a place should weigh, in stones, by what all others tell."""
    return predicted(seen.belief, verdict.weighed.change, seen.mark).places[place].level
