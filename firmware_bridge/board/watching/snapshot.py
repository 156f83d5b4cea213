"""What the board weighed just after a press, although hands have gone on since (pure).

In blitz the opponent's hand is on the board a few tenths of a second after the press, and the twenty
places are hardly ever quiet together. But each of them is quiet most of the time. So the board of a press
is put together from each place's own stretch of quiet that holds the moment after the press: one that had
begun by then and went on beyond it, or the first that began later. A stretch is unbroken, so nothing as
heavy as half a stone came or went while it lasted; whatever was done to a place before the press and not
seen to end by then has no stretch that holds the moment, and makes us wait.
"""

from __future__ import annotations

from collections.abc import Sequence
from math import sqrt

from firmware_bridge.board.counting.observation import MOVING, PlaceReading
from sensors.settle import ChannelReading, ReadingState

YOUNG_US = 200_000
"""How long a stretch must go on after a press to prove that nothing had been touched before it: the blocks
of 50 ms in which a change is noticed, and the four conversions over which a HX711 shows a step at 80
samples a second (data sheet: settling time)."""

YOUNG_SAMPLES = 5
"""The same in samples, for slow converters: the step response, and the one that shows it."""


def standard_error(noise_g: float, samples: int) -> float:
    """Return the standard error of a mean of so many samples, in grams; 0 when it is not known."""
    return noise_g / sqrt(samples) if samples > 0 else 0.0


def present(places: Sequence[ChannelReading]) -> tuple[PlaceReading, ...]:
    """Return what each place says now."""
    return tuple([_of_now(reading) for reading in places])


def as_of(places: Sequence[ChannelReading], moment_us: int) -> tuple[PlaceReading, ...]:
    """Return what each place weighed at a moment, or first after it; moving where nothing is known of it.

    Args:
        places: The readings of now, with the stretches that are over.
        moment_us: The moment, table time.
    """
    return tuple([_then(reading, moment_us) for reading in places])


def ended_before(reading: ChannelReading, moment_us: int) -> PlaceReading | None:
    """Return the last stretch of a place that was over before a moment; None when none is known."""
    for stretch in reversed(reading.past):
        if stretch.until_us < moment_us:
            error_g = standard_error(stretch.noise_g, stretch.samples)
            return PlaceReading(stretch.load_g, stretch.since_us, "", error_g)
    return None


def _of_now(reading: ChannelReading) -> PlaceReading:
    if reading.state is not ReadingState.QUIET:
        return PlaceReading(None, None, MOVING if reading.state is ReadingState.MOVING else reading.reason)
    error_g = standard_error(reading.noise_g, reading.samples)
    return PlaceReading(reading.load_g, reading.since_us, "", error_g)


def _then(reading: ChannelReading, moment_us: int) -> PlaceReading:
    if reading.state is ReadingState.FAULT:
        return PlaceReading(None, None, reading.reason)
    for stretch in reading.past:
        if stretch.until_us >= moment_us:
            error_g = standard_error(stretch.noise_g, stretch.samples)
            return PlaceReading(stretch.load_g, stretch.since_us, "", error_g)
    return _of_now(reading)
