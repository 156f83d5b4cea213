"""Cells that fail without saying so: what a broken one reads, and which place reads like that (pure).

A bridge that is cut off reads the converter's zero, whatever lies on it; a converter at the wrong gain
reads a half or a quarter of what is due, at twice the gain the double (HX711 data sheet: gains 128, 64 and
32). Such readings are steady, have a good status, and are never told apart from stones by looking at them
alone: a pit may well hold what they seem to show. So they are tried only where nothing else explains the
board, and believed only if all other places then agree.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace

from firmware_bridge.board.counting.belief import Units
from firmware_bridge.board.counting.observation import Observation, PlaceReading
from sensors.samples import Fault, FaultKind

CLOSE = 0.05
"""Stones within which a reading is taken for that of a broken cell."""

WHOLE = 0.2
"""Stones from a whole number within which a reading may be one of stones."""

LEANS_US = 2_500_000
"""How long a hand may lie on a pit: what lies there for longer tells of the cell."""

BELOW_NOTHING = -2.0
"""Stones below an empty place's zero that no hand can bring about."""

FACTORS = (0.0, 0.5, 0.25, 2.0)
"""What a broken cell reads, as a share of what it should read from the converter's zero."""


@dataclass(frozen=True, slots=True)
class Suspect:
    """A place that reads as a broken cell does.

    Attributes:
        fault: What is wrong.
        load_g: What it reads; None: whatever lies below nothing.
        within_g: How near to that a reading still is the same.
        sound_g: How near to what is due a reading must come before the cell is believed again; None: it is,
            once it does not read the same any more. A cell at a wrong gain reads something else after every
            stone, and is wrong all the same.
        before_g: What lay there when nothing had been played and only this place did not agree; None: plies
            had been played. If it weighs that again, it was a hand that had lain there.
    """

    fault: Fault
    load_g: float | None
    within_g: float
    sound_g: float | None = None
    before_g: float | None = None

    def still(self, load_g: float, due_g: float, rested_us: int = 0) -> bool:
        """Whether the place reads so still, where `due_g` is due and nothing has moved for `rested_us`."""
        if self.sound_g is not None:
            left = self.before_g is not None and abs(load_g - self.before_g) <= self.sound_g / 2
            return abs(load_g - due_g) > self.sound_g and not (left and rested_us >= LEANS_US)
        if self.load_g is None:
            return load_g < self.within_g
        return abs(load_g - self.load_g) <= self.within_g


def without(readings: tuple[PlaceReading, ...], dead: Mapping[int, Suspect]) -> tuple[PlaceReading, ...]:
    """Return the readings, those of dead places as faults."""
    if not dead:
        return readings
    return tuple(
        PlaceReading(None, None, dead[place].fault)
        if place in dead and reading.load_g is not None
        else reading
        for place, reading in enumerate(readings)
    )


def strange(readings: tuple[PlaceReading, ...], seen: Observation, units: Units) -> tuple[int, ...]:
    """Return the places that weigh no whole number of stones, or less than nothing: a hand or a bad cell."""
    found = []
    for place, reading in enumerate(readings):
        if reading.load_g is not None:
            stones = reading.load_g / units.stone_g - seen.belief.zero(place, seen.mark)
            if not _is_whole(stones) or stones < BELOW_NOTHING:
                found.append(place)
    return tuple(found)


def suspected(place: int, load_g: float, seen: Observation, units: Units, due: float) -> Suspect | None:
    """Return how a place reads as a broken cell does, where `due` stones are due; None if it does not."""
    zero_g = seen.belief.zero(place, seen.mark) * units.stone_g
    cut_off_g = units.cut_off_g[place] if units.cut_off_g else None
    return _suspect(load_g, zero_g, due * units.stone_g, cut_off_g, units.stone_g)


def stood(readings: tuple[PlaceReading, ...], before_us: int, units: Units) -> dict[int, Suspect]:
    """Return the places that have felt nothing since `before_us`, as a cell does that is cut off or stuck.

    Most of them are whole: nobody has touched them. Whoever asks must know that stones came or went there.
    """
    close_g = CLOSE * units.stone_g
    return {
        place: Suspect(Fault(FaultKind.FELT_NOTHING, None), reading.load_g, 2 * close_g)
        for place, reading in enumerate(readings)
        if reading.load_g is not None and reading.since_us is not None and reading.since_us < before_us
    }


def changed_by_a_share(load_g: float, before: float, due: float, units: Units) -> Suspect | None:
    """Return how a place has changed as a cell at a wrong gain does; None: it has not.

    It does not matter what it read before, even if that was taken for stones.

    Args:
        load_g: What it reads.
        before: What it read when the last ply was confirmed, in stones.
        due: What it should read now, after that, in stones.
        units: The stones' masses.
    """
    change, due_change = load_g / units.stone_g - before, due - before
    for factor in FACTORS:
        if factor and abs(due_change) >= 1 - WHOLE and abs(change - factor * due_change) <= 2 * CLOSE:
            wrong = Fault(FaultKind.WRONG_CHANGE, None, (factor,))
            return Suspect(wrong, load_g, 0.0, WHOLE * units.stone_g)
    return None


def _is_whole(stones: float) -> bool:
    """Whether a place that weighs so many stones beyond its zero may hold stones and nothing else."""
    return abs(stones - round(stones)) < WHOLE


def _suspect(
    load_g: float, zero_g: float, due_g: float, cut_off_g: float | None, stone_g: float
) -> Suspect | None:
    """Return how a place that should read `due_g` reads as a broken cell does; None if it does not.

    A reading that is a whole number of stones above the zero is not suspected: hands can bring it about.
    """
    least_g = zero_g + BELOW_NOTHING * stone_g
    if load_g < least_g:
        return Suspect(Fault(FaultKind.BELOW_NOTHING, None), None, least_g)
    whole = _is_whole((load_g - zero_g) / stone_g)
    if cut_off_g is None or whole or abs(load_g - due_g) < WHOLE * stone_g:
        return None
    close_g = CLOSE * stone_g
    for factor in FACTORS:
        if abs(load_g - cut_off_g - factor * (due_g - cut_off_g)) <= close_g:
            if not factor:
                return Suspect(Fault(FaultKind.CUT_OFF, None), load_g, 2 * close_g)
            wrong = Fault(FaultKind.WRONG_SHARE, None, (factor,))
            return Suspect(wrong, load_g, 2 * close_g, WHOLE * stone_g)
    return None


def seated(units: Units, channel_of_place: tuple[int, ...]) -> Units:
    """Return the units with what each place reads when cut off in the order of places, not of channels."""
    if not units.cut_off_g:
        return units
    return replace(units, cut_off_g=tuple(units.cut_off_g[channel] for channel in channel_of_place))
