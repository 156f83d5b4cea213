"""Readings of a board that only counts, for tests: running numbers of each place."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from firmware_bridge.layout import Seating, Wiring
from sensors.settle import ChannelReading, ReadingState

BEAMS = Wiring(
    side_a=(),
    side_b=(),
    kazan_a=None,
    kazan_b=None,
    beam_a=tuple(range(9)),
    beam_b=tuple(range(9, 18)),
    beam_kazan_a=18,
    beam_kazan_b=19,
)
SEATING = Seating(BEAMS, "a")
SECOND = 1_000_000


def readings(totals: Sequence[int], faulty: Mapping[int, str] | None = None) -> list[ChannelReading]:
    """Return what the twenty channels say when so many pulses came since their devices began."""
    return [
        ChannelReading(ReadingState.FAULT, None, None, faulty[channel], pulses=None)
        if faulty and channel in faulty
        else ChannelReading(ReadingState.QUIET, None, 0, "", pulses=pulses)
        for channel, pulses in enumerate(totals)
    ]
