"""What is in a trace, counted in one pass and little memory."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field
from typing import Any

from firmware_bridge.trace.reader import Ending, Hole
from firmware_bridge.trace.rows import ARRIVED, PRESS, STEP, Row, Told
from sensors.samples import ChannelStatus, RawSample

LONG_GAP = 20
"""Sample periods without a sample that count as a gap: a quarter of a second at 80 a second."""


@dataclass(slots=True)
class TraceFacts:
    """Counts.

    Attributes:
        samples: Samples.
        duration_us: Device time they cover, without gaps of the device's being away.
        gaps: Times that no sample came for longer than `LONG_GAP` periods, the device being there.
        faults: Samples with each status but OK, per channel.
        presses: Presses.
        arrivals: Times that a device said hello.
        steps: Inputs that something was decided of.
        kinds: Events decided, by kind.
        moves: Texts of the plies, in order.
        holes: What could not be read.
        ending: What the trace says of its end; None: it was not closed.
    """

    samples: int = 0
    duration_us: int = 0
    gaps: int = 0
    faults: dict[int, Counter[ChannelStatus]] = field(default_factory=dict)
    presses: int = 0
    arrivals: int = 0
    steps: int = 0
    kinds: Counter[str] = field(default_factory=Counter)
    moves: list[str] = field(default_factory=list)
    holes: list[Hole] = field(default_factory=list)
    ending: Ending | None = None
    _last_us: int | None = None
    _period_us: float = 0.0

    def take(self, row: Row | Hole | Ending) -> None:
        """Count one row."""
        if isinstance(row, RawSample):
            self._sample(row)
        elif isinstance(row, Hole):
            self.holes.append(row)
            self._last_us = None
        elif isinstance(row, Ending):
            self.ending = row
        else:
            self._told(row)

    def _sample(self, sample: RawSample) -> None:
        self.samples += 1
        if self._last_us is not None and sample.time_us > self._last_us:
            step_us = sample.time_us - self._last_us
            self.duration_us += step_us
            if self._period_us and step_us > LONG_GAP * self._period_us:
                self.gaps += 1
        self._last_us = sample.time_us
        if sample.status.count(ChannelStatus.OK) != len(sample.status):
            for channel, status in enumerate(sample.status):
                if status is not ChannelStatus.OK:
                    self.faults.setdefault(channel, Counter())[status] += 1

    def _told(self, row: Told) -> None:
        kind = row.get("row")
        if kind == ARRIVED:
            self.arrivals += 1
            self._last_us = None
            rate_hz: Any = row.get("rate_hz")
            self._period_us = 1e6 / rate_hz if isinstance(rate_hz, int | float) and rate_hz > 0 else 0.0
        elif kind == PRESS:
            self.presses += 1
        elif kind == STEP:
            self.steps += 1
            for event in row.get("events", ()):
                self.kinds[str(event.get("kind"))] += 1
                if event.get("kind") == "move_played":
                    self.moves.append(str(event.get("text")))

    @property
    def rate_hz(self) -> float:
        """Samples a second as they came; 0 with fewer than two."""
        return (self.samples - 1) * 1e6 / self.duration_us if self.duration_us else 0.0
