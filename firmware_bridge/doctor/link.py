"""The line between device and host: what got lost, and whether samples come as often as they should. Pure."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from firmware_bridge.doctor.device import DeviceFacts
from firmware_bridge.doctor.findings import Finding, found
from sensors.survey import SurveyReport, rate_fits

FEW_LOST: Final = 0.002
"""Share of frames that may get lost before it is said: on USB none does; 2 in a thousand is a bad cable."""
STRAP_HZ: Final = ((8.0, 14.0), (64.0, 112.0))
"""What a chip delivers with its RATE pin low and high: 10 and 80 samples a second, give or take."""
GAP_MS: Final = 250
"""A pause that a player's hand can hide behind."""


def judge_link(facts: DeviceFacts) -> Iterator[Finding]:
    """Yield what is wrong with the line of a device that has said who it is."""
    if facts.hello is None or facts.foreign:
        return
    survey = facts.survey
    if survey is not None:
        yield from _of_frames(survey, facts)
        yield from _of_rate(survey, facts)
    if facts.bad_at_device:
        yield found("link_host_not_understood", bad=facts.bad_at_device)


def _of_frames(survey: SurveyReport, facts: DeviceFacts) -> Iterator[Finding]:
    heard = max(facts.frames, survey.samples)
    bad = survey.bad_frames or 0
    lost = max(0, (survey.lost_frames or 0) - bad)  # a damaged frame leaves a gap in the numbers, too
    for code, name, number in (("link_frames_lost", "lost", lost), ("link_frames_bad", "bad", bad)):
        if number > max(1, FEW_LOST * (heard + number)):
            percent = round(100 * number / (heard + number), 1)
            yield found(code, **{name: number}, frames=heard, percent=percent)
    if survey.dropped_data:
        yield found("link_data_dropped", dropped=survey.dropped_data)
    if facts.late > max(1, FEW_LOST * heard):
        yield found("link_late", late=facts.late, frames=heard)


def _of_rate(survey: SurveyReport, facts: DeviceFacts) -> Iterator[Finding]:
    hello = facts.hello
    if hello is None or not hello.channels:
        return
    if survey.samples < 3 or survey.rate_hz is None:
        yield found("link_no_samples", seconds=round(facts.seconds, 1))
        return
    nominal, rate = survey.nominal_hz, survey.rate_hz
    told = {"rate_hz": round(rate, 1), "nominal_hz": round(nominal, 1)}
    if nominal and not rate_fits(rate, nominal):
        strapped = any(low <= rate <= high for low, high in STRAP_HZ)
        known = any(low <= nominal <= high for low, high in STRAP_HZ)
        yield found("link_rate_strap" if strapped and known else "link_rate", **told)
    longest_ms = round(survey.longest_gap_s * 1000)
    lost = survey.lost_frames or survey.dropped_data
    if survey.gaps and longest_ms > GAP_MS and not lost:
        yield found("link_gaps", gaps=survey.gaps, longest_ms=longest_ms)
