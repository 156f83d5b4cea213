"""What came of it: the calibration, and a word on each channel (pure)."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from statistics import fmean, median
from typing import Final

from firmware_bridge.calibrating.judging import (
    marks,
    raw_per_stone,
    returned,
    spread,
    stones_at_nines,
    stones_in_split,
)
from firmware_bridge.calibrating.progress import Progress
from firmware_bridge.calibrating.steps import HEAP, KAZANS, Step
from firmware_bridge.layout import PITS, PLACES, is_kazan
from rules.position import STONES
from sensors.calibration import COUNTER, Calibration, ChannelCalibration

NOISY_STONES: Final = 0.15
"""Noise of single samples from which decisions come late; a stone's quiet is 0.3 wide."""
RETURN_STONES: Final = 0.25
BENT_STONES: Final = 0.4
ODD_GAIN: Final = 0.35
"""Cells are sold with a fifth of spread; a chip that fell back to gain 64 halves everything."""
SPREAD_MOST: Final = 0.03
"""Stones that differ more make large heaps uncertain."""


@dataclass(frozen=True, slots=True)
class ChannelVerdict:
    """One place's cell.

    Attributes:
        place: 0..19.
        channel: of the device.
        remarks: what is to be said of it, as codes; empty: it is good. Their texts are `calibremark.CODE`.
        noise_stones: noise of single samples.
        return_stones: by how much it differed, empty, after all.
    """

    place: int
    channel: int
    remarks: tuple[str, ...]
    noise_stones: float
    return_stones: float


@dataclass(frozen=True, slots=True)
class Verdict:
    """A calibration and what is to be said of it.

    Attributes:
        calibration: to be saved.
        channels: of each place.
        remarks: on the whole, as codes: `calibremark.CODE`.
        values: numbers in those texts: `unit_g`, `spread_percent`, `mark_stones`.
    """

    calibration: Calibration
    channels: tuple[ChannelVerdict, ...]
    remarks: tuple[str, ...] = ()
    values: Mapping[str, float] = field(default_factory=dict)


def verdict(progress: Progress, previous: Calibration | None, *, counters: bool = False) -> Verdict:
    """Return what follows from a finished procedure.

    Args:
        progress: with every step measured but those that were skipped.
        previous: the calibration until now; its stone's mass is kept where nobody has weighed all stones.
        counters: the device has count sensors: its channels that weigh nothing are taken for them.
    """
    unit_g, weighed = _unit(progress, previous)
    gains = [_gain(progress, place) for place in range(PLACES)]
    zeros = progress.loads[Step.EMPTY_AGAIN].raw
    rows = {
        channel: ChannelCalibration(zeros[place], gains[place] / unit_g)
        for place, channel in enumerate(progress.channels)
    }
    # A channel that no place uses weighs nothing that is looked at.
    unused = COUNTER if counters else ChannelCalibration(0.0, max(median(map(abs, gains)) / unit_g, 1.0))
    found = marks(progress) if Step.MARKS in progress.loads else {}
    mark_stones = fmean(found.values()) if found else 0.0
    cv = spread(progress)
    remarks = {
        "unit_assumed": not weighed,
        "stones_differ": cv > SPREAD_MOST,
        "untouched": Step.TOUCH in progress.skipped,
        "unmarked": not found,
    }
    return Verdict(
        calibration=Calibration(
            board_id=progress.board_id,
            unit_g=unit_g,
            mark_g=mark_stones * unit_g,
            channels=tuple([rows.get(channel, unused) for channel in range(progress.device_channels)]),
        ),
        channels=tuple([_channel(progress, place, gains) for place in range(PLACES)]),
        remarks=tuple([code for code, said in remarks.items() if said]),
        values={
            "unit_g": round(unit_g, 3),
            "spread_percent": round(100 * cv, 1),
            "mark_stones": round(mark_stones, 2),
        },
    )


def _unit(progress: Progress, previous: Calibration | None) -> tuple[float, bool]:
    """Return the mass of a mean stone in grams, and whether anybody has weighed it.

    Counting needs none: grams are told to people only. Where nobody knows them a stone is said to be a gram.
    """
    if progress.total_g is not None:
        return progress.total_g / STONES, True
    if previous is not None and previous.board_id == progress.board_id:
        return previous.unit_g, True
    return 1.0, False


def _gain(progress: Progress, place: int) -> float:
    found = raw_per_stone(progress, place)
    assert found is not None, "every load is measured before there is a verdict"
    return found


def _channel(progress: Progress, place: int, gains: list[float]) -> ChannelVerdict:
    like = [abs(gains[each]) for each in (KAZANS if is_kazan(place) else range(PITS))]
    one, usual = abs(gains[place]), median(like)
    noise = progress.loads[Step.EMPTY].noise[place] / one
    back = returned(progress, place)
    more = 2 if is_kazan(place) else 1
    remarks = {
        "noisy": noise > NOISY_STONES,
        "returns": abs(back) > RETURN_STONES * more,
        "bent": abs(_bend(progress, place)) > BENT_STONES * more,
        "odd_gain": abs(one / usual - 1) > ODD_GAIN,
        "upside_down": gains[place] < 0,
    }
    said = tuple([code for code, wrong in remarks.items() if wrong])
    return ChannelVerdict(place, progress.channels[place], said, noise, back)


def _bend(progress: Progress, place: int) -> float:
    """Return by how many stones a small and a large load disagree, of two pits or both kazans together."""
    if is_kazan(place):
        return sum(stones_in_split(progress, kazan) for kazan in KAZANS) - STONES
    one = place - place % 2
    return stones_at_nines(progress, one) + stones_at_nines(progress, one + 1) - HEAP
