"""Which channel answers when a place is pressed with a finger (pure).

A finger weighs more than anything that happens by itself, so no gain need be known: the channel that moves
most is the one, and another that moves nearly as much hears the same place.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Sequence
from dataclasses import dataclass
from operator import gt
from statistics import median
from typing import Final

from firmware_bridge.calibrating.steps import Complaint, Measured
from firmware_bridge.layout import PLACES
from sensors.samples import ChannelStatus, RawSample
from sensors.survey import SLOW_BELOW_HZ

FELT_SIGMAS: Final = 40.0
FELT_RAW: Final = 4_000.0
"""From where a channel is pressed: a third of a gram on a cell of 100 g, and beyond any drift of a minute."""
ALSO: Final = 0.5
"""Of the strongest answer; neighbours feel a hundredth of a load through the plate."""
OVER: Final = 0.3
"""Of the strongest answer: below it the finger has gone."""
MOST_AT_ONCE: Final = 4
"""Places that answer one finger, however they are wired; more is a knock on the table."""
GONE_US: Final = 250_000
"""A finger has gone when it is not felt for so long: it trembles, and may let go for a moment."""
LEAST_US: Final = 80_000
"""A finger is felt for at least so long; bad readings that come in bursts are not."""
SMOOTHED: Final = 5
SMOOTHED_SLOW: Final = 3
"""Readings whose median counts: two bad ones in a row are no finger. Fewer at 10 samples a second, where a
touch has only four."""


@dataclass(slots=True)
class _Pressed:
    """A touch under way: the strongest that each place felt, since when, and when it was felt last."""

    peaks: list[float]
    since_us: int
    felt_us: int


class Touches:
    """Hears touches on channels whose empty readings are known.

    Args:
        channels: the channel of each place.
        calm: the empty board.
        rate_hz: samples a second as the device declares them; 0 unknown.
    """

    def __init__(self, channels: Sequence[int], calm: Measured, rate_hz: float = 0.0) -> None:
        self._channels = tuple(channels)
        self._calm = calm
        self._least = [max(FELT_RAW, FELT_SIGMAS * noise) for noise in calm.noise]
        self._pressed: _Pressed | None = None
        length = SMOOTHED_SLOW if 0 < rate_hz < SLOW_BELOW_HZ else SMOOTHED
        self._last: deque[list[float]] = deque(maxlen=length)

    def take(self, sample: RawSample) -> tuple[int, ...] | None:
        """Take a sample; return the places by whose channels a touch was felt once it is over, else None.

        The strongest first. What a broken channel says is left out.
        """
        self._last.append(
            [
                abs(sample.raw[channel] - self._calm.raw[place])
                if channel < len(sample.raw) and sample.status[channel] in _TELLING
                else 0.0
                for place, channel in enumerate(self._channels)
            ]
        )
        felt = [median(column) for column in zip(*self._last, strict=True)]
        pressed = self._pressed
        if pressed is None:
            if any(map(gt, felt, self._least)):
                self._pressed = _Pressed(felt, sample.time_us, sample.time_us)
            return None
        pressed.peaks = [max(peak, now) for peak, now in zip(pressed.peaks, felt, strict=True)]
        strongest = max(pressed.peaks)
        if any(map(gt, felt, [max(least, OVER * strongest) for least in self._least])):
            pressed.felt_us = sample.time_us
        if sample.time_us - pressed.felt_us < GONE_US:
            return None
        self._pressed = None
        if pressed.felt_us - pressed.since_us < LEAST_US:
            return None
        order = sorted(range(len(pressed.peaks)), key=lambda place: -pressed.peaks[place])
        found = tuple([place for place in order if pressed.peaks[place] >= ALSO * strongest])
        return None if len(found) > MOST_AT_ONCE else found


_TELLING: Final = (ChannelStatus.OK, ChannelStatus.SATURATED)


def wiring_complaints(heard: Sequence[tuple[int, ...]]) -> list[Complaint]:
    """Return what touching all places has found wrong with the wiring.

    Args:
        heard: for each place touched, the places by whose channels it was felt; empty where none felt it.
    """
    found: list[Complaint] = []
    answers: dict[int, list[int]] = {}
    for place, felt in enumerate(heard):
        for each in felt[:1]:
            answers.setdefault(each, []).append(place)
        if not felt:
            found.append(Complaint("dead", (place,)))
        elif len(felt) > 1:
            found.append(Complaint("doubled", (place, *[each for each in felt if each != place])))
    shared = {place for places in answers.values() if len(places) > 1 for place in places}
    found += [Complaint("shared", tuple(places)) for places in answers.values() if len(places) > 1]
    told: set[int] = set(shared)
    for place, felt in enumerate(heard):
        if len(felt) != 1 or felt[0] == place or place in told:
            continue
        other = felt[0]
        if heard[other] == (place,):
            found.append(Complaint("swapped", (place, other)))
            told |= {place, other}
        else:
            found.append(Complaint("elsewhere", (place, other)))
    return found


def channels_as_heard(channels: Sequence[int], heard: Sequence[tuple[int, ...]]) -> tuple[int, ...] | None:
    """Return the channel of each place as touching has found it; None where it does not tell for each."""
    if len(heard) != PLACES or any(len(felt) != 1 for felt in heard):
        return None
    found = tuple([channels[felt[0]] for felt in heard])
    return found if len(set(found)) == PLACES else None
