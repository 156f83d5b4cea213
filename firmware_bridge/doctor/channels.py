"""The channels: which are dead, open, stuck, noisy, drifting, doubled, swapped or calibrated wrongly. Pure.

What can be seen from the device alone stands in `SurveyReport`. Whether a channel weighs rightly can be told
only where it is known what lies there: the board set up with nine stones in each pit, an empty board, or the
position of a running board. Elsewhere nothing is said of weights, and that is said.

Swapped wires show where a channel was calibrated before they were swapped: each of the two weighs wrongly by
its own calibration and rightly by the other's. Wires that were swapped before they were calibrated weigh
rightly; only stones laid into one known pit find those (`togyz calibrate`).
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations
from statistics import median
from typing import Final

from firmware_bridge.doctor.findings import Finding, found
from sensors.calibration import Calibration, ChannelCalibration
from sensors.samples import ChannelStatus
from sensors.survey import FAST_NOISE_RAW, ChannelSurvey, SurveyReport, expected_noise_raw

BAD_SHARE: Final = 0.1
"""Share of samples with a bad status from which a channel is said to be broken; a driver that is interrupted
now and then stays far below."""
STUCK_SAMPLES: Final = 20
"""So many samples of one value: the converter's own noise makes that impossible."""
NOISE_FACTOR: Final = 15.0
"""Real boards are 1 to 10 times as noisy as the chip; beyond this a wire or a supply is bad (estimate)."""
NOISE_STONES: Final = 0.25
"""The other measure, in stones: noisier than this a single reading cannot be counted."""
DRIFT_STONES_PER_MIN: Final = 2.0
DRIFT_SIGMAS: Final = 6.0
SLOPE_SPREAD: Final = 2.7
"""A drift is said where it is that fast and stands out of the noise: a warm-up is ten times slower
(2 to 3 g in 30 minutes, olkal/HX711_ADC#64); more is a hand on the board or a cell that gives way. Noise
alone moves the ends of a course, which are medians of n thirds, by 2.7 times the noise over the root of n."""
HALF_STONE: Final = 0.5
"""What a load may be off: half a stone is another stone. The kazan's is wider, see `_allowed`."""
ZERO_STONES: Final = 0.15
"""What zero and calibration may add to it per hundredth of the stones that lie there (a span of 1 %)."""
SET_UP: Final = (9,) * 18 + (0, 0)
EMPTY: Final = (0,) * 20
ALIKE: Final = 0.06
"""By what share places may differ that hold the same number of stones: zero, span and stones together."""
KNOWN_SHARE: Final = 0.6
"""So many of the channels must show a position before it is taken for the one on the board."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Place:
    """Where a channel is wired.

    Attributes:
        channel: Its number.
        name: The key of `[layout]`, such as `side_a[3]` or `kazan_b`.
        stack: 0..17 for pits, 18 and 19 for the kazans.
    """

    channel: int
    name: str
    stack: int


def judge_channels(
    survey: SurveyReport | None,
    calibration: Calibration | None,
    places: Sequence[Place],
    lies: Sequence[int | None] | None,
    file: str = "",
) -> Iterator[Finding]:
    """Yield what is wrong with the cells that are wired.

    Args:
        survey: What the channels said; None, or too short: nothing is said.
        calibration: Of this very device; None: nothing is weighed.
        places: The cells that are wired.
        lies: How many stones the board has where, by stack (None: not known); None: nobody knows what lies
            there, and it is looked whether the board is set up or empty.
        file: Where the calibration lies.
    """
    if survey is None or survey.samples < STUCK_SAMPLES:
        return
    said = {place.channel: survey.channels[place.channel] for place in places if _has(survey, place)}
    broken: set[int] = set()
    for place in places:
        if place.channel in said:
            wrong = tuple(_of_one(said[place.channel], place, calibration, survey))
            broken |= {place.channel for each in wrong if each.code != "channel_drifting"}
            yield from wrong
    for finding in _doubled(said, places, broken):
        broken |= {int(finding.values["channel"]), int(finding.values["other"])}
        yield finding
    moving = any(_moves(each) for channel, each in said.items() if channel not in broken)
    if calibration is not None and said:
        whole = [place for place in places if place.channel in said and place.channel not in broken]
        yield from _weighed(said, whole, calibration, lies, file=file, moving=moving)


def _has(survey: SurveyReport, place: Place) -> bool:
    return place.channel < len(survey.channels)


def _of_one(
    said: ChannelSurvey, place: Place, calibration: Calibration | None, survey: SurveyReport
) -> Iterator[Finding]:
    where: Mapping[str, int | str] = {"channel": place.channel, "place": place.name}
    status, percent = _worst_status(said, survey.samples)
    if status is ChannelStatus.EXCLUDED:
        yield found("channel_excluded", **where)
    elif status is ChannelStatus.SATURATED:
        yield found("channel_saturated", **where)
    elif status is ChannelStatus.NOT_READY:
        yield found("channel_dead", **where, percent=percent)
    elif status is ChannelStatus.READ_ERROR:
        yield found("channel_misread", **where, percent=percent)
    elif said.distinct == 1 and said.usable >= STUCK_SAMPLES:
        yield found("channel_stuck", **where, raw=said.min_raw or 0)
    elif said.strays > BAD_SHARE * said.usable and said.usable:
        yield found("channel_misread", **where, percent=round(100 * said.strays / said.usable))
    else:
        yield from _noise(said, where, _of_channel(calibration, place.channel), calibration, survey)


def _worst_status(said: ChannelSurvey, samples: int) -> tuple[ChannelStatus | None, int]:
    """Return the bad status that most of the bad samples have, and their share in per cent; None: too few."""
    bad = {status: said.statuses.get(status.name.lower(), 0) for status in ChannelStatus}
    del bad[ChannelStatus.OK]
    worst = max(bad, key=lambda status: bad[status])
    total = sum(bad.values())
    if total < BAD_SHARE * samples or not total:
        return None, 0
    return worst, round(100 * total / samples)


def _of_channel(calibration: Calibration | None, channel: int) -> ChannelCalibration | None:
    if calibration is None or channel >= len(calibration.channels):
        return None
    return calibration.channels[channel]


def _noise(
    said: ChannelSurvey,
    where: Mapping[str, int | str],
    own: ChannelCalibration | None,
    calibration: Calibration | None,
    survey: SurveyReport,
) -> Iterator[Finding]:
    if said.noise_raw is None or said.drift_raw_per_s is None:
        return
    raw_per_g = None if own is None else abs(own.raw_per_g)
    most_raw = NOISE_FACTOR * (expected_noise_raw(survey.nominal_hz) or FAST_NOISE_RAW)
    if raw_per_g is not None and calibration is not None:
        most_raw = max(most_raw, NOISE_STONES * calibration.unit_g * raw_per_g)
    if said.noise_raw > most_raw:
        per_g = raw_per_g or 1.0  # without a calibration both are told in the converter's units
        noise, most = said.noise_raw / per_g, most_raw / per_g
        yield found("channel_noisy", **where, noise_g=_short(noise), most_g=_short(most))
    elif raw_per_g is not None and calibration is not None:
        per_min = 60 * said.drift_raw_per_s / raw_per_g
        run = abs(said.drift_raw_per_s) * survey.span_s
        known = DRIFT_SIGMAS * SLOPE_SPREAD * said.noise_raw / max(1, said.usable // 3) ** 0.5
        few = said.usable < STUCK_SAMPLES  # whose noise is not known well
        if not few and abs(per_min) > DRIFT_STONES_PER_MIN * calibration.unit_g and run > known:
            yield found("channel_drifting", **where, g_per_min=_short(per_min))


def _short(number: float) -> float:
    return float(f"{number:.3g}")


def _doubled(
    said: Mapping[int, ChannelSurvey], places: Sequence[Place], broken: set[int]
) -> Iterator[Finding]:
    """Yield pairs that said the very same: two pins on one data line. Two converters never do."""
    names = {place.channel: place.name for place in places}
    for place in places:
        row = said.get(place.channel)
        first = None if row is None or place.channel in broken else row.same_as
        if first is not None and first in names and first not in broken:
            yield found(
                "channels_doubled",
                channel=first,
                place=names[first],
                other=place.channel,
                other_place=place.name,
            )


def _moves(said: ChannelSurvey) -> bool:
    """Tell whether something was laid down or taken, or a hand lay there, while it was watched."""
    if said.min_raw is None or said.max_raw is None or not said.noise_raw:
        return False
    return said.max_raw - said.min_raw > 40 * said.noise_raw and said.strays > BAD_SHARE * said.usable


def _weighed(
    said: Mapping[int, ChannelSurvey],
    places: Sequence[Place],
    calibration: Calibration,
    lies: Sequence[int | None] | None,
    *,
    file: str,
    moving: bool,
) -> Iterator[Finding]:
    """Yield what weighs wrongly: all of it, two that are swapped, or single channels."""
    if moving:
        yield found("channels_not_quiet")
        return
    own = {place.channel: calibration.channels[place.channel] for place in places}
    stones = {
        place.channel: _stones(said[place.channel], own[place.channel], calibration) for place in places
    }
    due = lies or _position(places, stones)
    if due is None:
        yield from _unknown(places, stones, file)
        return
    wrong = [place for place in places if not _right(stones[place.channel], due[place.stack])]
    if len(wrong) > len(places) / 2 and len(places) > 2:
        yield found("channels_all_wrong", file=file, wrong=len(wrong), channels=len(places))
        return
    told: set[int] = set()
    for one, other in combinations(wrong, 2):
        crossed = (
            (_stones(said[one.channel], own[other.channel], calibration), due[other.stack]),
            (_stones(said[other.channel], own[one.channel], calibration), due[one.stack]),
        )
        if told.isdisjoint((one.channel, other.channel)) and all(_right(*each) for each in crossed):
            told |= {one.channel, other.channel}
            yield found(
                "channels_swapped",
                channel=one.channel,
                place=one.name,
                other=other.channel,
                other_place=other.name,
            )
    for place in wrong:
        if place.channel not in told:
            shown, there = round(stones[place.channel], 1), due[place.stack]
            where: dict[str, int | str] = {"channel": place.channel, "place": place.name}
            yield found("channel_weighs_wrong", **where, stones=shown, due=there or 0)


def _stones(said: ChannelSurvey, own: ChannelCalibration, calibration: Calibration) -> float:
    """Return how many stones a channel shows by this calibration."""
    raw = said.mean_raw or 0.0
    return (raw - own.zero_raw) / own.raw_per_g / calibration.unit_g


def _right(stones: float, due: int | None) -> bool:
    return due is None or abs(stones - due) <= _allowed(due)


def _allowed(due: int) -> float:
    """Return by how many stones a place may be off: a full kazan by some, since stones are not alike."""
    return HALF_STONE + ZERO_STONES * due / 9


def _position(places: Sequence[Place], stones: Mapping[int, float]) -> Sequence[int] | None:
    """Return the position that most places show: set up, or nothing at all; None: it is another."""
    for position in (SET_UP, EMPTY):
        shown = [place for place in places if _right(stones[place.channel], position[place.stack])]
        if len(shown) >= max(2, KNOWN_SHARE * len(places)):
            return position
    return None


def _unknown(places: Sequence[Place], stones: Mapping[int, float], file: str) -> Iterator[Finding]:
    """Yield what can be said where nobody knows what lies there.

    A board cannot weigh less than nothing; pits that all hold the same, and not nine, were set up and are
    weighed by a wrong stone.
    """
    negative = [place for place in places if stones[place.channel] < -1.0]
    pits = [stones[place.channel] for place in places if place.stack < len(SET_UP) - 2]
    usual = median(pits) if pits else 0.0
    alike = [each for each in pits if abs(each - usual) <= max(HALF_STONE, ALIKE * abs(usual))]
    if len(negative) > len(places) / 4 or (usual > 1.0 and len(alike) >= KNOWN_SHARE * len(pits)):
        wrong = max(len(negative), len(alike))
        yield found("channels_all_wrong", file=file, wrong=wrong, channels=len(places))
        return
    for place in negative:
        where: dict[str, int | str] = {"channel": place.channel, "place": place.name}
        yield found("channel_weighs_wrong", **where, stones=round(stones[place.channel], 1), due=0)
    yield found("channels_not_compared")
