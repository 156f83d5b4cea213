"""What the channels of a device said over a window of time: the numbers behind calibrating and fault-finding.

Raw converter units as the device sent them, before any calibration is believed. Pure: samples and link
statistics are handed in, a report comes out. The report is a value with a form in JSON, so that a running
board can give it to whoever asks.

Single readings of a converter go wrong and look right (`plausible.py`), and one of them outweighs all others
in a plain mean. So every channel is judged about its own slow course with medians first; what lies
`STRAY_SIGMAS` away is counted as a stray and left out of mean, noise and drift, not of least and greatest.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass, fields, replace
from itertools import pairwise
from math import isfinite
from statistics import fmean, median, pstdev
from typing import Any, Final

from sensors.calibration import SATURATION_RAW, ChannelKind
from sensors.link_events import LinkStatistics
from sensors.samples import ChannelStatus, RawSample

MAD_TO_SIGMA: Final = 1.4826
"""A normal distribution's standard deviation over its median absolute deviation."""
STRAY_SIGMAS: Final = 6.0
"""Normal noise reaches this far once in 500 million samples."""
LEAST_SIGMA_RAW: Final = 0.5
"""Values are whole units, so no course is known better; keeps a calm converter from being all strays."""
TWINS_FROM: Final = 20
"""Samples from which two channels that always agree read one converter: two of the calmest agree by chance
with probability 0.28 each time, 20 times in a row with 1e-11."""
GAP: Final = 1.5
"""A step this many times the usual one means that a sample is missing."""

FAST_NOISE_RAW: Final = 58.6
SLOW_NOISE_RAW: Final = 32.5
"""Noise of the converter alone at 3.3 V and gain 128: 90 nV rms at 80 samples a second, 50 nV at 10 (HX711
data sheet); at 5 V it is 38.7 and 21.5. Real boards have one to ten times as much."""
SLOW_BELOW_HZ: Final = 40.0
"""The chip knows 10 and 80 samples a second; what lies below belongs to the slow one."""

RATE_FROM: Final = 0.7
RATE_TO: Final = 1.35
"""Shares of a nominal rate that are still a converter's own: its clock is a fifth off (data sheet), and 11.7
and 93 were measured where 10 and 80 were due (olkal/HX711_ADC#81). What lies beyond is a strap or a setting
(garethky/klipper#14)."""


class SurveyError(ValueError):
    """Raised when what should be a report is none; the message names the key and the value."""


@dataclass(frozen=True, slots=True)
class ChannelSurvey:
    """One channel over the window.

    Attributes:
        channel: number, as in DATA.
        kind: whether it weighs or counts; None where no calibration says so.
        usable: samples that were good: status ok and within the converter's range.
        statuses: how many samples had each status, by `ChannelStatus` in lower case; those that never
            came are left out. A value at the end of the range counts as saturated, whatever the device said.
        mean_raw: mean of the usable ones without strays; None without any.
        noise_raw: robust standard deviation of single samples about their slow course; None below three.
        drift_raw_per_s: slope of that course, units per device second; None below three.
        min_raw: least usable value; None without any.
        max_raw: greatest one.
        strays: usable samples too far from the course to be noise.
        distinct: how many different usable values there were: one alone is a stuck converter.
        same_as: the first channel whose values were the very same in every sample, which noise forbids: both
            read one converter; None: none, or too few samples to tell.
    """

    channel: int
    kind: ChannelKind | None
    usable: int
    statuses: Mapping[str, int]
    mean_raw: float | None
    noise_raw: float | None
    drift_raw_per_s: float | None
    min_raw: int | None
    max_raw: int | None
    strays: int
    distinct: int
    same_as: int | None = None

    @property
    def stuck(self) -> bool:
        """Whether it said one value all the time, which a converter's own noise forbids."""
        return self.usable >= TWINS_FROM and self.distinct == 1


@dataclass(frozen=True, slots=True)
class SurveyReport:
    """A device over a window of time.

    Attributes:
        samples: how many there were.
        span_s: device seconds from the first to the last.
        nominal_hz: samples a second as HELLO declares them; 0 unknown.
        rate_hz: samples a second as they came, by the usual step between two; None below two.
        gaps: steps that are longer than the usual one by half and more.
        missing: samples that would have fitted into the gaps.
        longest_gap_s: the longest step, seconds; 0 below two samples.
        lost_frames: frames missing in the device's row of numbers meanwhile; None where nobody counted.
        bad_frames: pieces of the stream that were no frame meanwhile; None likewise.
        dropped_data: samples the device says it could not send meanwhile; None likewise.
        channels: in their order.
    """

    samples: int
    span_s: float
    nominal_hz: float
    rate_hz: float | None
    gaps: int
    missing: int
    longest_gap_s: float
    lost_frames: int | None
    bad_frames: int | None
    dropped_data: int | None
    channels: tuple[ChannelSurvey, ...]


class Survey:
    """Takes the samples of a window and reports on them.

    Args:
        nominal_hz: samples a second as the device declares them; 0 unknown.
        kinds: what each channel is, in their order, as far as it is known.
    """

    def __init__(self, nominal_hz: float = 0.0, kinds: Sequence[ChannelKind] = ()) -> None:
        self._nominal_hz = nominal_hz
        self._kinds = tuple(kinds)
        self._samples: list[RawSample] = []
        self._statistics: list[LinkStatistics] = []

    def take(self, sample: RawSample) -> None:
        """Take one sample; one that is not newer, or has other channels, begins the window anew."""
        if self._samples and not goes_on(sample, self._samples[-1]):
            self._samples.clear()
        self._samples.append(sample)

    def heard(self, statistics: LinkStatistics) -> None:
        """Take the counters of the link, at the beginning of the window and at its end."""
        self._statistics.append(statistics)

    def report(self) -> SurveyReport:
        """Return what can be said of the samples taken so far; of none, that there were none."""
        samples = self._samples
        times_us = [sample.time_us for sample in samples]
        steps_us = [after - before for before, after in pairwise(times_us)]
        usual_us = median(steps_us) if steps_us else None
        gaps = [step for step in steps_us if usual_us is not None and step > GAP * usual_us]
        columns = list(zip(*[sample.raw for sample in samples], strict=True))
        statuses = zip(*[sample.status for sample in samples], strict=True)
        rows = [
            _surveyed(channel, self._kind(channel), times_us, raw, status)
            for channel, (raw, status) in enumerate(zip(columns, statuses, strict=True))
        ]
        return SurveyReport(
            samples=len(samples),
            span_s=(times_us[-1] - times_us[0]) / 1e6 if samples else 0.0,
            nominal_hz=self._nominal_hz,
            rate_hz=None if usual_us is None else 1e6 / usual_us,
            gaps=len(gaps),
            missing=sum([round(gap / usual_us) - 1 for gap in gaps]) if usual_us else 0,
            longest_gap_s=max(steps_us, default=0) / 1e6,
            lost_frames=self._counted("lost_frames"),
            bad_frames=self._counted("bad_frames"),
            dropped_data=self._counted("device_dropped_data"),
            channels=tuple(_paired(rows, columns)),
        )

    def _kind(self, channel: int) -> ChannelKind | None:
        return self._kinds[channel] if channel < len(self._kinds) else None

    def _counted(self, name: str) -> int | None:
        """Return by how much a counter grew; a device that restarted began it anew."""
        if not self._statistics:
            return None
        first, last = (getattr(each, name) for each in (self._statistics[0], self._statistics[-1]))
        return int(last - first if last >= first else last)


def survey_of(samples: Iterable[RawSample], nominal_hz: float = 0.0) -> SurveyReport:
    """Return the report on some samples, oldest first, where nothing is known of link and kinds."""
    survey = Survey(nominal_hz)
    for sample in samples:
        survey.take(sample)
    return survey.report()


def goes_on(sample: RawSample, last: RawSample) -> bool:
    """Return whether a sample goes on behind another: newer, as many channels; else the device began anew."""
    return sample.time_us > last.time_us and len(sample.raw) == len(last.raw)


def rate_fits(rate_hz: float, nominal_hz: float) -> bool:
    """Return whether samples come as often as a device declares (above 0), give or take its own clock."""
    return RATE_FROM <= rate_hz / nominal_hz <= RATE_TO


def expected_noise_raw(rate_hz: float) -> float:
    """Return the noise that a converter has by itself at so many samples a second, in raw units.

    That is the greater of the two supplies it may have; a good board shows up to ten times as much.
    """
    return SLOW_NOISE_RAW if 0 < rate_hz < SLOW_BELOW_HZ else FAST_NOISE_RAW


def _surveyed(
    channel: int,
    kind: ChannelKind | None,
    times_us: Sequence[int],
    raw: Sequence[int],
    status: Sequence[ChannelStatus],
) -> ChannelSurvey:
    counts: dict[str, int] = {}
    times_s: list[float] = []
    values: list[int] = []
    counts_only = kind is ChannelKind.COUNT
    for time_us, value, said in zip(times_us, raw, status, strict=True):
        beyond = said is ChannelStatus.OK and not counts_only and abs(value) >= SATURATION_RAW
        name = (ChannelStatus.SATURATED if beyond else said).name.lower()
        counts[name] = counts.get(name, 0) + 1
        if name == "ok":
            times_s.append((time_us - times_us[0]) / 1e6)
            values.append(value)
    course = _course(times_s, values)
    return ChannelSurvey(
        channel=channel,
        kind=kind,
        usable=len(values),
        statuses=counts,
        mean_raw=course.mean,
        noise_raw=course.noise,
        drift_raw_per_s=course.slope,
        min_raw=min(values, default=None),
        max_raw=max(values, default=None),
        strays=course.strays,
        distinct=len(set(values)),
    )


def _paired(rows: Sequence[ChannelSurvey], columns: Sequence[tuple[int, ...]]) -> list[ChannelSurvey]:
    """Return the channels with those named that say what another says."""
    first: dict[tuple[int, ...], int] = {}
    found = []
    for row, column in zip(rows, columns, strict=True):
        tells = row.usable == len(column) >= TWINS_FROM and row.distinct > 1
        other = first.setdefault(column, row.channel) if tells and row.kind is not ChannelKind.COUNT else None
        found.append(row if other in (None, row.channel) else replace(row, same_as=other))
    return found


@dataclass(frozen=True, slots=True)
class _Course:
    mean: float | None
    noise: float | None = None
    slope: float | None = None
    strays: int = 0


def _course(times_s: Sequence[float], values: Sequence[int]) -> _Course:
    """Return the slow course of some values: a line through the medians of both outer thirds."""
    third = len(values) // 3
    if not third:
        return _Course(fmean(values) if values else None)
    run_s = median(times_s[-third:]) - median(times_s[:third])
    slope = (median(values[-third:]) - median(values[:third])) / run_s
    rests = [value - slope * time_s for time_s, value in zip(times_s, values, strict=True)]
    middle = median(rests)
    spread = MAD_TO_SIGMA * median([abs(rest - middle) for rest in rests])
    most = STRAY_SIGMAS * max(spread, LEAST_SIGMA_RAW)
    kept = [index for index, rest in enumerate(rests) if abs(rest - middle) <= most]
    # Where more than half repeat one value their median deviation is 0, and says nothing.
    noise = spread or pstdev([rests[index] for index in kept])
    return _Course(fmean([values[index] for index in kept]), noise, slope, len(values) - len(kept))


def survey_to_json(report: SurveyReport) -> dict[str, Any]:
    """Return a report as JSON; `survey_from_json` gives the same value back."""
    told = asdict(report)
    told["channels"] = [
        {**row, "kind": None if row["kind"] is None else row["kind"].value} for row in told["channels"]
    ]
    return told


def survey_from_json(value: object) -> SurveyReport:
    """Return the report in JSON; keys beyond those known are left out, as of a newer version.

    Raises:
        SurveyError: it is none.
    """
    told = _fields_of(value, SurveyReport, "survey")
    rows = told["channels"]
    if not isinstance(rows, list):
        raise SurveyError(f"survey: `channels` {rows!a:.40} is no list")
    found = [_channel_from_json(row, f"channels[{index}]") for index, row in enumerate(rows)]
    for name in set(told) - {"channels"}:
        _number(told[name], name, none=name in _MAY_BE_NONE)
    return SurveyReport(**{**told, "channels": tuple(found)})


_NOT_COUNTED: Final = ("lost_frames", "bad_frames", "dropped_data")
_NOT_READ: Final = ("rate_hz", "mean_raw", "noise_raw", "drift_raw_per_s", "min_raw", "max_raw", "same_as")
_MAY_BE_NONE: Final = frozenset((*_NOT_COUNTED, *_NOT_READ))


def _channel_from_json(value: object, where: str) -> ChannelSurvey:
    told = _fields_of(value, ChannelSurvey, where)
    kinds = {kind.value: kind for kind in ChannelKind}
    if told["kind"] is not None and told["kind"] not in kinds:
        raise SurveyError(f"{where}: `kind` {told['kind']!a:.40} is none of {', '.join(kinds)}")
    statuses = told["statuses"]
    if not isinstance(statuses, dict):
        raise SurveyError(f"{where}: `statuses` {statuses!a:.40} is no object")
    for name in set(told) - {"kind", "statuses"}:
        _number(told[name], f"{where}.{name}", none=name in _MAY_BE_NONE)
    for name, count in statuses.items():
        _number(count, f"{where}.statuses.{name}", none=False)
    kind = None if told["kind"] is None else kinds[told["kind"]]
    return ChannelSurvey(**{**told, "kind": kind})


def _fields_of(value: object, kind: type[Any], where: str) -> dict[str, Any]:
    names = [field.name for field in fields(kind)]
    missing = [name for name in names if not isinstance(value, dict) or name not in value]
    if missing or not isinstance(value, dict):
        raise SurveyError(f"{where}: {value!a:.40} has no {', '.join(missing)}")
    return {name: value[name] for name in names}


def _number(value: object, where: str, *, none: bool) -> None:
    if none and value is None:
        return
    if isinstance(value, bool) or not isinstance(value, int | float) or not isfinite(value):
        raise SurveyError(f"{where}: {value!a:.40} is no number")
