"""What is broken, from when it breaks until it reads well again, whatever hands do meanwhile (pure).

A look says what hinders it: of a board that hands are on it says that they are, and of a place under a hand
that it moves. A cell that has broken is broken all the same, and an arbiter who looks just then must read so.
Nothing is decided from what is kept here.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from firmware_bridge.board.counting.observation import Unread
from sensors.readings import ChannelReading, ReadingState
from sensors.samples import Fault, FaultKind

WHOLE_AFTER_US = 2_000_000
"""How long a place must have read well before it is whole again (table time): a loose contact that comes and
goes is one breaking, not many."""

OF_ONE_READING = (FaultKind.SPIKE, FaultKind.UNCONFIRMED, FaultKind.READ_ERROR)
"""What is wrong with a single reading says less of a broken place than what is known of it: a converter that
comes back jumps first."""


class Standing:
    """The broken places of one board."""

    def __init__(self) -> None:
        """Begin with a board that is whole."""
        self._broken: dict[int, Fault | str] = {}

    @property
    def broken(self) -> tuple[Unread, ...]:
        """The places that are broken, in their order, with how they broke."""
        return tuple((place, self._broken[place]) for place in sorted(self._broken))

    def look(self, at_us: int, places: Sequence[ChannelReading], doubted: Mapping[int, Fault]) -> None:
        """Take one sample.

        Args:
            at_us: Its table time.
            places: What each of the twenty places says after it.
            doubted: The places whose cells are not believed although they read, with the reason.
        """
        faulty = [place for place, reading in enumerate(places) if reading.state is ReadingState.FAULT]
        for place in faulty:
            self._take(place, places[place].reason)
        for place, fault in doubted.items():
            if place not in faulty:
                self._take(place, fault)
        for place in [place for place in self._broken if place not in faulty and place not in doubted]:
            reading = places[place]
            if reading.since_us is not None and at_us - reading.since_us >= WHOLE_AFTER_US:
                del self._broken[place]

    def _take(self, place: int, why: Fault | str) -> None:
        """Keep how a place is broken; the numbers in it are those of when it broke."""
        known, kind = self._broken.get(place), _kind(why)
        if known is None or (kind not in OF_ONE_READING and kind != _kind(known)):
            self._broken[place] = why

    def forget(self) -> None:
        """Know nothing more: the device is gone."""
        self._broken.clear()


def _kind(why: Fault | str) -> FaultKind | str:
    return why.kind if isinstance(why, Fault) else why
