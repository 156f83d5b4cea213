"""Which cell is broken although it says nothing: tried where nothing else explains the board (pure).

A cell is left out of the reading, and if then all others agree, it is the one. Two things raise the doubt: it
reads as a broken one does and the board lies still, or it felt nothing of what several plies brought there.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

from firmware_bridge.board.counting.belief import Units
from firmware_bridge.board.counting.broken_cells import Suspect, stood, suspects, without
from firmware_bridge.board.counting.lots import plies_at
from firmware_bridge.board.counting.observation import Observation, PlaceReading, observe
from firmware_bridge.board.watching.reconciler import Played, Same, Verdict

SUSPECT_AFTER_US = 2_500_000
"""How long a board must have lain still before a cell is suspected by what it reads: while hands put things
right, a place may look like a broken one for a moment, and one that is not believed would hide what those
hands still hold."""

STOOD_PLIES = 2
"""Plies that brought or took stones where a cell felt nothing at all, from which on it is believed broken."""


class DoubtedCells:
    """The places whose cells are not believed, and how it comes to that.

    Args:
        units: The stones' masses, and what each place reads when its cell is cut off.
    """

    def __init__(self, units: Units) -> None:
        self._units = units
        self._dead: dict[int, Suspect] = {}

    def without(self, readings: tuple[PlaceReading, ...]) -> tuple[PlaceReading, ...]:
        """Return the readings, those of the doubted places as faults."""
        return without(readings, self._dead)

    def revive(self, readings: tuple[PlaceReading, ...]) -> None:
        """Believe a cell again that no longer reads as it did when it was doubted."""
        for place, suspect in tuple(self._dead.items()):
            load_g = readings[place].load_g
            if load_g is not None and not suspect.still(load_g):
                del self._dead[place]

    def doubt(
        self,
        readings: tuple[PlaceReading, ...],
        seen: Observation,
        judge: Callable[[int, Observation], Verdict],
        pressed_us: Sequence[int],
        still_us: int,
    ) -> tuple[Verdict, Observation] | None:
        """Return what is seen without the one cell that is all that is wrong; None if there is none.

        One stone that was not felt may have been dropped beside the pit. But both players do not leave out
        the same pit in turn; and where hands are fast the board never lies still for long.

        Args:
            readings: What each place says now.
            seen: The board as read of them, which nothing explains.
            judge: What to say of the board as it is seen without a place.
            pressed_us: When it was pressed since the last ply, table time, oldest first.
            still_us: For how long nothing has moved and nobody has pressed.
        """
        if still_us >= SUSPECT_AFTER_US:
            doubted, plies = suspects(readings, seen, self._units), 0
        elif len(pressed_us) > STOOD_PLIES:
            doubted, plies = stood(readings, pressed_us[0], self._units), STOOD_PLIES
        else:
            return None
        for place, suspect in doubted.items():
            trial = observe(without(readings, {place: suspect}), seen.belief, self._units, seen.passed)
            better = judge(place, trial)
            if (isinstance(better, Same) and not plies) or (
                isinstance(better, Played) and plies_at(better.plies, place) >= plies
            ):
                self._dead = {place: suspect}
                return better, trial
        return None
