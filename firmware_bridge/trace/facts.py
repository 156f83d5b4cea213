"""What is in a trace, counted in one pass and little memory."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field
from typing import Any, Self

from firmware_bridge.layout import PLACES
from firmware_bridge.trace.header import TraceHeader
from firmware_bridge.trace.reader import Ending, Hole
from firmware_bridge.trace.rows import ARRIVED, GONE, PRESS, STEP, TROUBLE, WATCH, Row, Told
from sensors.calibration import Calibration, ChannelKind
from sensors.samples import ChannelStatus, RawSample

LONG_GAP = 20
"""Sample periods without a sample that count as a gap: a quarter of a second at 80 a second."""


ENOUGH_PRESSES = 4
"""Presses after which a cell that never changed is worth a look."""

BROKEN = ("unreadable", "drift", "beam_blind", "beam_doubling", "beam_restless", "beam_fault")
"""Codes of the remarks that are about a place whose sensor has to be looked at."""


@dataclass(slots=True)
class Outage:
    """A time in which no device could be heard, or none that could be used.

    Attributes:
        from_us: Table time of the last thing heard before it.
        until_us: Table time at which a device arrived again; None: none did.
        reason: What was said of it first, as the board wrote it down.
    """

    from_us: int
    until_us: int | None
    reason: str


@dataclass(slots=True)
class Remark:
    """What the board said of a place that it could not read, or not trust, while it said so.

    Attributes:
        code: Of the remark, one of `BROKEN`.
        place: 0..19; None where it names none.
        detail: The board's own words, when it said so last.
        from_us: Table time at which it said so first.
        until_us: Table time up to which it kept saying so.
    """

    code: str
    place: int | None
    detail: str
    from_us: int
    until_us: int


@dataclass(slots=True)
class TraceFacts:
    """Counts. Table times count on over holes and outages.

    Attributes:
        begun_us: Table time at which the trace begins.
        last_us: Table time of the latest row.
        samples: Samples.
        sampled_us: Device time they cover, without holes and without the device's being away.
        gaps: Times that no sample came for longer than `LONG_GAP` periods, the device being there.
        outages: Times that no device could be heard or used.
        remarks: What the board said of places, by code and place.
        seat: The seat of whoever began the newest game that was assigned; None: none was.
        faults: Samples with each status but OK, per channel.
        lows: The lowest raw value of each channel, of samples in which every channel is OK.
        highs: The highest.
        presses: Presses.
        arrivals: Times that a device said hello.
        steps: Inputs that something was decided of.
        kinds: Events decided, by kind.
        moves: Texts of the plies, in order.
        holes: What could not be read.
        moves_before: How many of `moves` stand before each of `holes`.
        ending: What the trace says of its end; None: it was not closed.
    """

    begun_us: int = 0
    last_us: int = 0
    samples: int = 0
    sampled_us: int = 0
    gaps: int = 0
    outages: list[Outage] = field(default_factory=list)
    remarks: dict[tuple[str, int | None], Remark] = field(default_factory=dict)
    seat: str | None = None
    faults: dict[int, Counter[ChannelStatus]] = field(default_factory=dict)
    lows: list[int] = field(default_factory=list)
    highs: list[int] = field(default_factory=list)
    presses: int = 0
    arrivals: int = 0
    steps: int = 0
    kinds: Counter[str] = field(default_factory=Counter)
    moves: list[str] = field(default_factory=list)
    holes: list[Hole] = field(default_factory=list)
    moves_before: list[int] = field(default_factory=list)
    ending: Ending | None = None
    _before_us: int | None = None
    _period_us: float = 0.0
    _offset_us: int = 0
    _remarked: list[Remark] = field(default_factory=list)

    @classmethod
    def of(cls, header: TraceHeader) -> Self:
        """Return the facts of a trace of which the header alone is known."""
        facts = cls(header.begun_us, header.begun_us)
        for event in header.events:
            facts._event(event)
        return facts

    def take(self, row: Row | Hole | Ending) -> None:
        """Count one row."""
        if isinstance(row, RawSample):
            self._sample(row)
        elif isinstance(row, Hole):
            self.holes.append(row)
            self.moves_before.append(len(self.moves))
            self._before_us = None
        elif isinstance(row, Ending):
            self.ending = row
        else:
            self._told(row)

    def _now(self, at_us: object) -> None:
        """Let the time be `at_us`, if it is one and later; whatever is being remarked is so until then."""
        if isinstance(at_us, int):
            self.last_us = max(self.last_us, at_us)
        for remark in self._remarked:
            remark.until_us = self.last_us

    def _sample(self, sample: RawSample) -> None:
        self.samples += 1
        self._now(sample.time_us + self._offset_us)
        if self._before_us is not None and sample.time_us > self._before_us:
            step_us = sample.time_us - self._before_us
            self.sampled_us += step_us
            if self._period_us and step_us > LONG_GAP * self._period_us:
                self.gaps += 1
        self._before_us = sample.time_us
        if sample.status.count(ChannelStatus.OK) != len(sample.status):
            for channel, status in enumerate(sample.status):
                if status is not ChannelStatus.OK:
                    self.faults.setdefault(channel, Counter())[status] += 1
        elif len(self.lows) != len(sample.raw):
            self.lows, self.highs = list(sample.raw), list(sample.raw)
        else:
            self.lows = list(map(min, self.lows, sample.raw))
            self.highs = list(map(max, self.highs, sample.raw))

    def _told(self, row: Told) -> None:
        kind = row.get("row")
        if kind in (GONE, TROUBLE) and not self._away:
            reason = row.get("reason" if kind == GONE else "detail")
            self.outages.append(Outage(self.last_us, None, str(reason)))
        self._now(row.get("at_us"))
        if kind == ARRIVED:
            self._arrived(row)
        elif kind == PRESS:
            self.presses += 1
        elif kind == WATCH:
            self._watch(row)
        elif kind == STEP:
            self.steps += 1
            for event in row.get("events", ()):
                self._decided(event)

    @property
    def _away(self) -> bool:
        return bool(self.outages) and self.outages[-1].until_us is None

    def _arrived(self, row: Told) -> None:
        self.arrivals += 1
        self._before_us = None
        offset_us: Any = row.get("offset_us")
        self._offset_us = offset_us if isinstance(offset_us, int) else 0
        rate_hz: Any = row.get("rate_hz")
        self._period_us = 1e6 / rate_hz if isinstance(rate_hz, int | float) and rate_hz > 0 else 0.0
        if self._away:
            self.outages[-1].until_us = self.last_us

    def _watch(self, row: Told) -> None:
        self._remarked = []
        notes: Any = row.get("notes")
        for note in notes if isinstance(notes, list) else ():
            if not (isinstance(note, list) and len(note) == 3 and note[0] in BROKEN):
                continue
            code, place, detail = note
            place = place if isinstance(place, int) and 0 <= place < PLACES else None
            said = Remark(code, place, str(detail), self.last_us, self.last_us)
            remark = self.remarks.setdefault((code, place), said)
            remark.detail, remark.until_us = str(detail), self.last_us
            self._remarked.append(remark)

    def _decided(self, event: Told) -> None:
        self.kinds[str(event.get("kind"))] += 1
        self._event(event)
        if event.get("kind") == "move_played":
            self.moves.append(str(event.get("text")))

    def _event(self, event: Told) -> None:
        if event.get("kind") == "game_assigned":
            seat = event.get("starter_seat")
            self.seat = seat if isinstance(seat, str) else None

    def unmoved(self, calibration: Calibration) -> list[int]:
        """Return the channels of cells that never changed by half a stone while a game was played.

        None of them is known to be broken, but a cell that is dead is among them.

        Returns:
            Nothing where so little was played that it says nothing.
        """
        cells = {
            channel: (high - low) / abs(cell.raw_per_g) < calibration.unit_g / 2
            for channel, (cell, low, high) in enumerate(
                zip(calibration.channels, self.lows, self.highs, strict=False)
            )
            if cell.kind is ChannelKind.LOAD
        }
        found = [channel for channel, still in cells.items() if still]
        return found if self.presses >= ENOUGH_PRESSES and 2 * len(found) <= len(cells) else []

    @property
    def length_us(self) -> int:
        """Table time from the beginning to the latest row."""
        return self.last_us - self.begun_us

    @property
    def rate_hz(self) -> float:
        """Samples a second as they came; 0 with fewer than two."""
        return (self.samples - 1) * 1e6 / self.sampled_us if self.sampled_us else 0.0
