"""What a cell that has just failed weighed before it did (pure).

A cell that gives no reading is made up for by the other nineteen, as there are 162 stones. That is right for
a cell that is dead, and wrong for one that fails for a moment on a board at rest: a stone that it had seen to
be missing would be thought to lie there. So three things are asked of a failing cell. Did it weigh the board
at rest for long, behind the press, and has nothing moved since? Then it has been heard, and what it said
holds. Does it fail only just now? Then its last word holds while nothing has moved, and else it is waited
for. Only then is it a place that cannot be read.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from firmware_bridge.board.counting.observation import MOVING, Observation, PlaceReading, Unread
from firmware_bridge.board.watching.snapshot import standard_error
from sensors.readings import Stretch
from sensors.settle import ChannelReading, ReadingState

PASSES_US = 2_500_000
"""How long a cell must have failed before it is no passing fault."""

AGAIN_US = 5_000_000
"""A cell that fails again within so long has never come back: a loose plug fails and works by turns."""

HEARD_US = 2_500_000
"""How long a cell must have weighed a board at rest for its last word to outlast its failing. Far longer than
it takes to find out that a converter is stuck, whose last word is worth nothing (`sensors/plausible.py`)."""

PROVES_US = 500_000
"""How long a cell must have weighed on behind a press for that to be what lay there: longer than a converter
that is stuck is believed."""

BEGAN_US = 500_000
"""How long before it failed a cell may have been quiet last: a stretch ends with its last whole block."""


@dataclass(slots=True)
class _Failing:
    since_us: int
    until_us: int


class FailingCells:
    """Which cells fail, and since when; wants to hear of every look."""

    def __init__(self) -> None:
        self._failing: dict[int, _Failing] = {}

    def look(self, at_us: int, places: Sequence[ChannelReading]) -> None:
        """Take the places' readings of now."""
        for place, reading in enumerate(places):
            failing = self._failing.get(place)
            if reading.state is ReadingState.FAULT:
                if failing is None or at_us - failing.until_us > AGAIN_US:
                    failing = self._failing[place] = _Failing(at_us, at_us)
                failing.until_us = at_us

    def now(
        self,
        at_us: int,
        places: Sequence[ChannelReading],
        readings: tuple[PlaceReading, ...],
        pressed_us: int,
    ) -> tuple[PlaceReading, ...]:
        """Return the readings of now, those of failing cells as they are to be taken.

        Args:
            at_us: Now.
            places: What the channels say now, with what they said before.
            readings: The same as it is weighed.
            pressed_us: When somebody pressed last; 0: nobody has.
        """
        return tuple(
            self._now(place, at_us, places, reading, pressed_us) if _fails(places[place]) else reading
            for place, reading in enumerate(readings)
        )

    def then(
        self,
        at_us: int,
        places: Sequence[ChannelReading],
        readings: tuple[PlaceReading, ...],
        moment_us: int,
    ) -> tuple[PlaceReading, ...]:
        """Return the readings of the moment of a press, those of cells that fail now as they are to be taken.

        Args:
            at_us: Now.
            places: What the channels say now, with what they said before.
            readings: As they were at the moment.
            moment_us: The moment.
        """
        return tuple(
            self._then(place, at_us, places[place], reading, moment_us) if _fails(places[place]) else reading
            for place, reading in enumerate(readings)
        )

    def _passing(self, place: int, at_us: int) -> bool:
        """Whether a cell that has worked may do so again at once."""
        return at_us - self._failing[place].since_us < PASSES_US

    def _now(
        self, place: int, at_us: int, places: Sequence[ChannelReading], fault: PlaceReading, pressed_us: int
    ) -> PlaceReading:
        past, passing = places[place].past, self._passing(place, at_us)
        if not past:
            return fault
        last, moved_us = past[-1], _moved_us(places)
        if moved_us is None or moved_us > last.until_us:
            return _WAITED_FOR if passing else fault
        heard_us = last.until_us - max(moved_us, last.since_us, pressed_us)
        lately = passing and self._failing[place].since_us - last.until_us <= BEGAN_US
        return _said(last) if lately or heard_us >= HEARD_US else fault

    def _then(
        self, place: int, at_us: int, reading: ChannelReading, fault: PlaceReading, moment_us: int
    ) -> PlaceReading:
        for stretch in reading.past:
            if stretch.until_us >= moment_us + PROVES_US:
                return _said(stretch)
        return _WAITED_FOR if reading.past and self._passing(place, at_us) else fault


_WAITED_FOR = PlaceReading(None, None, MOVING)


def failing(said: Sequence[PlaceReading], seen: Observation) -> tuple[Unread, ...]:
    """Return the places to be told as unread, in order.

    Args:
        said: What each place says of itself: a cell that fails just now is told, though it is waited for.
        seen: The board as it is taken: a cell that is not believed is told as well.
    """
    told = {
        place: reading.reason
        for place, reading in enumerate(said)
        if reading.load_g is None and reading.reason != MOVING
    }
    return tuple(sorted({**told, **dict(seen.broken)}.items(), key=lambda item: item[0]))


def _fails(reading: ChannelReading) -> bool:
    return reading.state is ReadingState.FAULT


def _said(stretch: Stretch) -> PlaceReading:
    return PlaceReading(
        stretch.load_g, stretch.since_us, "", standard_error(stretch.noise_g, stretch.samples)
    )


def _moved_us(places: Sequence[ChannelReading]) -> int | None:
    """Return when a place last came to rest; None while one has not."""
    since = [reading.since_us for reading in places if reading.state is not ReadingState.FAULT]
    moments = [since_us for since_us in since if since_us is not None]
    return max(moments, default=0) if len(moments) == len(since) else None
