"""Zeros anew from a board that is set up for a game, nine stones in each pit, without clearing it (pure).

One load gives one number for each channel, and a calibration has two: the gain, which hardly changes, is kept
as it was, and the zero, which drifts, follows. What cannot be known from it: whether a gain is still right,
which wires go where, what a mark weighs. Nine stones of a pit are a little heavier or lighter than the mean:
with a spread of 1.5 % the new zero is wrong by 0.05 stones (standard deviation). That of a kazan, empty here,
is not.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Final

from firmware_bridge.calibrating import measuring
from firmware_bridge.calibrating.steps import LOADS, Complaint, Step
from firmware_bridge.layout import PLACES, Wiring
from sensors.calibration import Calibration, ChannelKind
from sensors.survey import SurveyReport

LEAST_S: Final = 2.0
"""Device seconds of quiet that are needed."""
PLAINLY: Final = 0.6
"""Stones by which a place may differ from what is due there: more is another number of stones, or more than
a zero drifts; then the whole procedure tells which."""


@dataclass(frozen=True, slots=True)
class FromSetup:
    """What a set-up has told.

    Attributes:
        calibration: with new zeros; None where the complaints say why there is none.
        complaints: why it cannot be trusted.
        moved: by how many stones the zero of each place has moved; empty without a calibration.
    """

    calibration: Calibration | None
    complaints: tuple[Complaint, ...] = ()
    moved: tuple[float, ...] = ()


def from_setup(report: SurveyReport, previous: Calibration, wiring: Wiring) -> FromSetup:
    """Return the previous calibration with zeros from a board on which nine stones lie in each pit.

    Args:
        report: of some seconds in which nothing moved.
        previous: it fits the device.
        wiring: of a board with cells.
    """
    channels = wiring.channels
    if report.samples < measuring.LEAST_SAMPLES or report.span_s < LEAST_S:
        return FromSetup(None, (Complaint("silent"),))
    found = measuring.lasting(report, channels)
    if found:
        return FromSetup(None, tuple(found))
    moving = measuring.moving(report, channels, None)
    restless = measuring.restless(report, channels)
    if moving or restless:
        return FromSetup(None, (Complaint("moving" if moving else "restless", moving or restless),))
    raw, due = measuring.measured(report, channels).raw, LOADS[Step.NINES]
    rows, moved = list(previous.channels), []
    for place in range(PLACES):
        row = rows[channels[place]]
        if row.kind is not ChannelKind.LOAD:
            return FromSetup(None, (Complaint("no_channel", (place,), {"channel": channels[place]}),))
        one = row.raw_per_g * previous.unit_g
        rows[channels[place]] = replace(row, zero_raw=raw[place] - due[place] * one)
        moved.append((raw[place] - row.zero_raw) / one - due[place])
    wrong = [
        Complaint("not_due", (place,), {"stones": round(due[place] + by, 1), "due": due[place]})
        for place, by in enumerate(moved)
        if abs(by) > PLAINLY
    ]
    if wrong:
        return FromSetup(None, tuple(wrong))
    return FromSetup(replace(previous, channels=tuple(rows)), moved=tuple(moved))
