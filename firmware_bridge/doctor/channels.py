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
LEAST_SAMPLES: Final = 20
"""Fewer say nothing: two seconds of a slow converter."""
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
RUN_SIGMAS: Final = 3.0
"""A course that went three times the noise was moved: taking a stone away gives five times."""
MOVE_STONES_PER_MIN: Final = 15.0
"""No cell drifts like this; a stone that is laid down while it is watched for 3 s looks like 20."""
HALF_STONE: Final = 0.5
"""What a load may be off: half a stone is another stone. The kazan's is wider, see `_allowed`."""
ZERO_STONES: Final = 0.15
"""What zero and calibration may add to it per hundredth of the stones that lie there (a span of 1 %)."""
SET_UP: Final = (9,) * 18 + (0, 0)
EMPTY: Final = (0,) * 20
ALIKE: Final = 0.06
"""By what share places may differ that hold the same number of stones: zero, span and stones together."""
ALIKE_SHARE: Final = 0.9
"""So many of the pits must hold the same: after a move or two they do not any more."""
KNOWN_SHARE: Final = 0.6
"""So many of the channels must show the set-up before it is taken for what lies on the board."""
EMPTY_SHARE: Final = 0.8
"""So many must show nothing."""


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
    if survey is None or survey.samples < LEAST_SAMPLES:
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
    still = broken | {channel for channel, each in said.items() if not _moves(each, calibration, survey)}
    moving = next((each for each in places if each.channel in said.keys() - still), None)
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
    elif said.stuck:
        yield found("channel_stuck", **where, raw=said.min_raw or 0)
    elif not _moves(said, calibration, survey):
        yield from _noise(said, where, calibration, survey)


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
    calibration: Calibration | None,
    survey: SurveyReport,
) -> Iterator[Finding]:
    most_raw = _most_noise_raw(said, calibration, survey)
    if said.noise_raw is not None and said.noise_raw > most_raw:
        yield found("channel_noisy", **where, noise_raw=round(said.noise_raw), most_raw=round(most_raw))
    elif calibration is not None and _drifts(said, calibration, survey, DRIFT_STONES_PER_MIN):
        per_min_g = _stones_per_min(said, calibration) * calibration.unit_g
        yield found("channel_drifting", **where, g_per_min=float(f"{per_min_g:.3g}"))


def _most_noise_raw(said: ChannelSurvey, calibration: Calibration | None, survey: SurveyReport) -> float:
    """Return how noisy a channel may be, in the converter's units."""
    most_raw = NOISE_FACTOR * (expected_noise_raw(survey.nominal_hz) or FAST_NOISE_RAW)
    own = _of_channel(calibration, said.channel)
    if own is None or calibration is None:
        return most_raw
    return max(most_raw, NOISE_STONES * calibration.unit_g * abs(own.raw_per_g))


def _drifts(
    said: ChannelSurvey, calibration: Calibration | None, survey: SurveyReport, stones_per_min: float
) -> bool:
    """Tell whether a channel's course goes as fast as this, and stands out of its noise."""
    known = DRIFT_SIGMAS * SLOPE_SPREAD * (said.noise_raw or 0.0) / max(1, said.usable // 3) ** 0.5
    few = said.usable < LEAST_SAMPLES  # whose noise is not known well
    fast = abs(_stones_per_min(said, calibration)) > stones_per_min
    return fast and not few and _run_raw(said, survey) > known


def _run_raw(said: ChannelSurvey, survey: SurveyReport) -> float:
    """Return how far a channel's course went while it was watched, in the converter's units."""
    return abs(said.drift_raw_per_s or 0.0) * survey.span_s


def _stones_per_min(said: ChannelSurvey, calibration: Calibration | None) -> float:
    """Return how fast a channel drifts; 0 where that is not known."""
    own = _of_channel(calibration, said.channel)
    if own is None or calibration is None or said.drift_raw_per_s is None:
        return 0.0
    return 60 * said.drift_raw_per_s / own.raw_per_g / calibration.unit_g


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


def _moves(said: ChannelSurvey, calibration: Calibration | None, survey: SurveyReport) -> bool:
    """Tell whether something was laid down or taken meanwhile, or a hand lay there.

    Then much lies beside the channel's course, as it also does where many readings are wrong (a driver that
    is interrupted spoils 1 to 5 in a hundred, bogde/HX711#83); or the course goes faster than any drift; or
    what looks like noise goes with a course, which noise has none of.
    """
    noise_raw = said.noise_raw or 0.0
    noisy = noise_raw > _most_noise_raw(said, calibration, survey)
    return (
        said.strays > BAD_SHARE * said.usable
        or _drifts(said, calibration, survey, MOVE_STONES_PER_MIN)
        or (noisy and _run_raw(said, survey) > RUN_SIGMAS * noise_raw)
    )


def _weighed(
    said: Mapping[int, ChannelSurvey],
    places: Sequence[Place],
    calibration: Calibration,
    lies: Sequence[int | None] | None,
    *,
    file: str,
    moving: Place | None,
) -> Iterator[Finding]:
    """Yield what weighs wrongly: all of it, two that are swapped, or single channels."""
    if moving is not None:
        yield found("channel_not_quiet", channel=moving.channel, place=moving.name)
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
    for one, other in _swapped(said, wrong, calibration, due):
        told |= {one.channel, other.channel}
        where: dict[str, int | str] = {"channel": one.channel, "place": one.name}
        yield found("channels_swapped", **where, other=other.channel, other_place=other.name)
    for place in wrong:
        if place.channel not in told:
            shown, there = round(stones[place.channel], 1), due[place.stack]
            where = {"channel": place.channel, "place": place.name}
            yield found("channel_weighs_wrong", **where, stones=shown, due=there or 0)


def _swapped(
    said: Mapping[int, ChannelSurvey],
    wrong: Sequence[Place],
    calibration: Calibration,
    due: Sequence[int | None],
) -> Iterator[tuple[Place, Place]]:
    """Yield the pairs of which each weighs rightly by the other's calibration; no place is in two pairs."""
    told: set[int] = set()
    own = calibration.channels
    for one, other in combinations(wrong, 2):
        crossed = (
            (_stones(said[one.channel], own[other.channel], calibration), due[other.stack]),
            (_stones(said[other.channel], own[one.channel], calibration), due[one.stack]),
        )
        if told.isdisjoint((one.channel, other.channel)) and all(_right(*each) for each in crossed):
            told |= {one.channel, other.channel}
            yield one, other


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
    """Return the position that most places show: set up, or nothing at all; None: it is another.

    Late in a game most pits are empty; the stones are in the kazans then, and the board is not.
    """
    for position, share in ((SET_UP, KNOWN_SHARE), (EMPTY, EMPTY_SHARE)):
        right = {place.stack: _right(stones[place.channel], position[place.stack]) for place in places}
        kazans = right.get(18, True) and right.get(19, True)
        if sum(right.values()) >= max(2, share * len(places)) and (kazans or position is SET_UP):
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
    alike = [each for each in pits if abs(each - usual) <= ALIKE * abs(usual)]
    set_up = usual > 1.0 and len(alike) >= ALIKE_SHARE * len(pits)
    if len(negative) > len(places) / 4 or set_up:
        wrong = max(len(negative), len(alike))
        yield found("channels_all_wrong", file=file, wrong=wrong, channels=len(places))
        return
    for place in negative:
        where: dict[str, int | str] = {"channel": place.channel, "place": place.name}
        yield found("channel_weighs_wrong", **where, stones=round(stones[place.channel], 1), due=0)
    yield found("channels_not_compared")
