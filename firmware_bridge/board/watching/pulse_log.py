"""The pulses of a board's count sensors in time, since a position was confirmed (pure)."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Self

from firmware_bridge.board.counting.beams import BeamBelief
from firmware_bridge.board.counting.lots import Change
from firmware_bridge.board.counting.observation import Unread
from firmware_bridge.board.counting.passages import Passed, of_change
from firmware_bridge.layout import PLACES, Seating
from sensors.samples import Fault
from sensors.settle import ChannelReading

KEPT_CHANGES = 5000
"""Moments at which pulses came that are remembered: a whole ply has some twenty."""

HOLE_US = 1_000_000
"""Samples further apart than this leave unknown when between them a stone fell."""


@dataclass(slots=True)
class PulseLog:
    """The pulses of a seated board since a position was confirmed.

    Attributes:
        channels: The channel of each place's beam; None where it has none.
        last_us: Table time of the last pulse; None without any since.
    """

    channels: tuple[int | None, ...]
    last_us: int | None = None
    _anchored: bool = False
    _base: list[int] = field(default_factory=list)
    _lost: set[int] = field(default_factory=set)
    _faults: dict[int, Fault | str] = field(default_factory=dict)
    _times: list[int] = field(default_factory=list)
    _totals: list[tuple[int, ...]] = field(default_factory=list)
    _holes: list[tuple[int, int]] = field(default_factory=list)
    _heard_us: int | None = None

    @classmethod
    def of(cls, seating: Seating) -> Self:
        """Return the log of a board just seen for the first time."""
        return cls(seating.beam_of_place)

    @property
    def there(self) -> bool:
        """Whether the board has any beams."""
        return any(channel is not None for channel in self.channels)

    @property
    def anchored(self) -> bool:
        """Whether it is known which pulses came since the position was confirmed."""
        return self._anchored and bool(self._totals)

    def faults(self) -> tuple[Unread, ...]:
        """Return the places whose beam cannot be read now, with the reason."""
        return tuple(sorted(self._faults.items()))

    def hear(self, at_us: int, channels: Sequence[ChannelReading]) -> bool:
        """Take the readings of all channels; return whether pulses came."""
        if not self.there:
            return False
        found = list(self._totals[-1]) if self._totals else [0] * PLACES
        for place, channel in enumerate(self.channels):
            if channel is None:
                continue
            pulses = channels[channel].pulses
            if pulses is None:
                self._faults[place] = channels[channel].reason
                self._lost.add(place)
                continue
            self._faults.pop(place, None)
            if pulses < found[place]:  # the device or its counter began anew
                self._lost.add(place)
            found[place] = pulses
        return self._note(at_us, tuple(found))

    def _note(self, at_us: int, found: tuple[int, ...]) -> bool:
        if self._heard_us is not None and at_us - self._heard_us > HOLE_US:
            self._holes = [*self._holes[-7:], (self._heard_us, at_us)]
        self._heard_us = at_us
        if not self._totals:
            self._base = list(found)
        elif found == self._totals[-1]:
            return False
        else:
            self.last_us = at_us
        self._times.append(at_us)
        self._totals.append(found)
        if len(self._times) > KEPT_CHANGES:
            del self._times[: KEPT_CHANGES // 2], self._totals[: KEPT_CHANGES // 2]
        return True

    def totals(self, moment_us: int | None = None) -> tuple[int, ...]:
        """Return the running numbers at a moment; None: now."""
        if not self._totals:
            return (0,) * PLACES
        if moment_us is None:
            return self._totals[-1]
        return self._totals[max(0, bisect_right(self._times, moment_us) - 1)]

    def unknown(self, moment_us: int) -> bool:
        """Whether nothing was heard at that moment, so that the pulses until then are not known."""
        return any(since_us < moment_us < until_us for since_us, until_us in self._holes)

    def between(self, since: Sequence[int] | None, until: Sequence[int]) -> tuple[int | None, ...]:
        """Return the pulses of each place between two running numbers; `since` None: since confirmed."""
        begin = (self._base or [0] * PLACES) if since is None else since
        return tuple(
            [
                None if channel is None or place in self._lost else max(0, until[place] - begin[place])
                for place, channel in enumerate(self.channels)
            ]
        )

    def forget(self) -> None:
        """Know no more which pulses came since the position was confirmed."""
        self._anchored = False

    def anchor(self, totals: Sequence[int]) -> None:
        """Take a position as confirmed with these running numbers: only what comes beyond them is new."""
        self._anchored = True
        self._base = list(totals)
        self._lost = set(self._faults)
        first = max(0, len(self._times) - KEPT_CHANGES // 10)
        del self._times[:first], self._totals[:first], self._holes[:-1]
        self.last_us = self._times[-1] if self._totals and self._totals[-1] != tuple(totals) else None


class BesideCells:
    """The beams of a board that has cells too: they are heard, and say what they can.

    Nothing is said of pulses before the first position is confirmed: what fell before nobody knows.
    """

    def __init__(self, log: PulseLog) -> None:
        self._log = log
        self._moment_us: int | None = None

    @classmethod
    def of(cls, seating: Seating) -> Self:
        """Return the beams of a board just seen for the first time."""
        return cls(PulseLog.of(seating))

    def hear(self, at_us: int, channels: Sequence[ChannelReading]) -> None:
        """Take the readings of all channels."""
        self._log.hear(at_us, channels)

    def passed(self, known: BeamBelief, moment_us: int | None = None) -> Passed | None:
        """Return what has passed until a moment, or that of the last question; None: it is not known."""
        if moment_us is not None:
            self._moment_us = moment_us
        if not self._log.anchored or (moment_us is not None and self._log.unknown(moment_us)):
            return None
        return known.believed(self._log.between(None, self._log.totals(self._moment_us)))

    def confirmed(self, known: BeamBelief, change: Change) -> BeamBelief:
        """Return what is known once a change is confirmed, as of the moment last asked about."""
        if not self._log.there:
            return known
        totals = self._log.totals(self._moment_us)
        if self._log.anchored and change.plies:
            known = known.learned(self._log.between(None, totals), of_change(change))
        self._log.anchor(totals)
        return known

    def rest(self) -> None:
        """Believe no pulses until the next position is confirmed: while clocks rest anything may fall."""
        self._log.forget()

    def begin_anew(self) -> None:
        """Forget the pulses until now: somebody else has said what lies there."""
        if self._log.there:
            self._log.anchor(self._log.totals())

    def faults(self, known: BeamBelief) -> tuple[tuple[int, str], ...]:
        """Return the places whose beam is not to be believed, with how it is broken."""
        silent = tuple((place, "beam_fault") for place, _ in self._log.faults())
        return (*silent, *known.broken)
