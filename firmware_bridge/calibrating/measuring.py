"""A few seconds of samples, and whether they are fit to be measured by (pure).

A board is measured while nothing moves: no hand, no stone that still rings. What a converter or its wires do
wrong is told from what hands do: the former lasts, the latter passes, and is waited for.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Sequence
from math import sqrt
from statistics import median
from typing import Final

from firmware_bridge.calibrating.steps import Complaint, Measured
from sensors.calibration import SATURATION_RAW
from sensors.samples import ChannelStatus, RawSample
from sensors.survey import ChannelSurvey, Survey, SurveyReport, expected_noise_raw, goes_on, rate_fits

MEASURE_S: Final = 3.0
"""Device seconds that are averaged: 240 samples at 80 a second leave a sixteenth of their noise."""
LEAST_SAMPLES: Final = 12
NEWEST_S: Final = 0.4
"""Device seconds of samples that are shown as what lies there now."""
LOST_SHARE: Final = 0.1
BAD_SHARE: Final = 0.1
"""Of a channel's samples that may be bad without making it useless."""
NOISY: Final = 25.0
"""Times the chip's own noise; the worst boards have ten."""
CALM: Final = 4.0
"""Times the noise of the empty board: more is a trembling hand or a ringing stone."""
SHIFT_SIGMAS: Final = 6.0
SHIFT_RAW: Final = 60.0
"""What creep may add within the window; 5 mg on a cell of 100 g."""
MEDIAN_SIGMA: Final = 1.2533
"""Standard error of a median over that of a mean."""


class Window:
    """The last seconds of samples.

    Args:
        nominal_hz: samples a second as the device declares them; 0 unknown.
        seconds: how long the window is, device time.
    """

    def __init__(self, nominal_hz: float, seconds: float = MEASURE_S) -> None:
        self._nominal_hz = nominal_hz
        self._length_us = seconds * 1e6
        self._samples: deque[RawSample] = deque(maxlen=2000)

    def take(self, sample: RawSample) -> None:
        """Take one sample; a device that began anew begins the window anew."""
        samples = self._samples
        if samples and not goes_on(sample, samples[-1]):
            samples.clear()
        samples.append(sample)
        while sample.time_us - samples[0].time_us > self._length_us:
            samples.popleft()

    @property
    def full(self) -> bool:
        """Whether it holds what it should, but for a sample."""
        samples = self._samples
        if len(samples) < LEAST_SAMPLES:
            return False
        step_us = (samples[-1].time_us - samples[0].time_us) / (len(samples) - 1)
        return samples[-1].time_us - samples[0].time_us >= self._length_us - 1.5 * step_us

    def newest(self, channels: Sequence[int]) -> tuple[float | None, ...]:
        """Return what each channel says just now, in raw units; None where it says nothing good."""
        since_us = self._samples[-1].time_us - NEWEST_S * 1e6 if self._samples else 0
        last = [sample for sample in self._samples if sample.time_us >= since_us]
        found: list[float | None] = []
        for channel in channels:
            values = [
                sample.raw[channel]
                for sample in last
                if channel < len(sample.raw) and sample.status[channel] is ChannelStatus.OK
            ]
            found.append(median(values) if values else None)
        return tuple(found)

    def report(self) -> SurveyReport:
        """Return what can be said of its samples."""
        survey = Survey(self._nominal_hz)
        for sample in self._samples:
            survey.take(sample)
        return survey.report()


def lasting(report: SurveyReport, channels: Sequence[int]) -> list[Complaint]:
    """Return what is wrong with device and converters whoever touches the board.

    Args:
        report: of a window.
        channels: the channel of each place.
    """
    found: list[Complaint] = []
    rate_hz, nominal_hz = report.rate_hz, report.nominal_hz
    if rate_hz is not None and nominal_hz and not rate_fits(rate_hz, nominal_hz):
        found.append(Complaint("rate", values={"hz": round(rate_hz, 1), "nominal": round(nominal_hz, 1)}))
    if report.missing > LOST_SHARE * report.samples:
        share = round(100 * report.missing / (report.missing + report.samples))
        found.append(Complaint("lost", values={"percent": share}))
    rows = report.channels
    for place, channel in enumerate(channels):
        if channel >= len(rows):
            found.append(Complaint("no_channel", (place,), {"channel": channel}))
        else:
            code = _broken(rows[channel])
            if code:
                found.append(Complaint(code, (place,), {"channel": channel}))
    return found + _twins(rows, channels)


def _broken(row: ChannelSurvey) -> str:
    """Return what is wrong with a converter, as a code; "" if nothing is."""
    total = sum(row.statuses.values())
    for status in ("saturated", "excluded", "not_ready", "read_error"):
        if row.statuses.get(status, 0) > BAD_SHARE * total:
            return status
    return "stuck" if row.stuck else ""


def noisy(report: SurveyReport, channels: Sequence[int]) -> list[Complaint]:
    """Return the places whose converters are too noisy to weigh with, on an empty board."""
    most = NOISY * expected_noise_raw(report.nominal_hz)
    return [
        Complaint("noisy", (place,), {"noise": round(noise), "most": round(most)})
        for place, channel in enumerate(channels)
        if (noise := report.channels[channel].noise_raw or 0.0) > most
    ]


def _twins(rows: Sequence[ChannelSurvey], channels: Sequence[int]) -> list[Complaint]:
    place_of = {channel: place for place, channel in enumerate(channels)}
    return [
        Complaint("twins", (place_of[row.same_as], place_of[row.channel]))
        for row in rows
        if row.same_as is not None and row.same_as in place_of and row.channel in place_of
    ]


def moving(report: SurveyReport, channels: Sequence[int], calm: Measured | None) -> tuple[int, ...]:
    """Return the places that do not lie still.

    Args:
        report: of a full window.
        channels: the channel of each place.
        calm: the empty board, whose noise is the measure; None while it is not known: then what most have.
    """
    found = []
    common = median([report.channels[channel].noise_raw or 0.0 for channel in channels])
    for place, channel in enumerate(channels):
        row = report.channels[channel]
        if row.noise_raw is None or row.drift_raw_per_s is None:
            found.append(place)
            continue
        usual = max(common if calm is None else calm.noise[place], 1.0)
        sigma = MEDIAN_SIGMA * usual * sqrt(2 / max(row.usable // 3, 1))
        shift = abs(row.drift_raw_per_s) * report.span_s * 2 / 3
        if shift > SHIFT_SIGMAS * sigma + SHIFT_RAW or row.noise_raw > CALM * usual:
            found.append(place)
    return tuple(found)


def restless(report: SurveyReport, channels: Sequence[int]) -> tuple[int, ...]:
    """Return the places too many of whose readings cannot be true; while something moves, so are others."""
    rows = [report.channels[channel] for channel in channels]
    return tuple([place for place, row in enumerate(rows) if row.strays > BAD_SHARE * row.usable])


def measured(report: SurveyReport, channels: Sequence[int]) -> Measured:
    """Return the means and the noise of the places in a window without complaints."""
    rows = [report.channels[channel] for channel in channels]
    return Measured(
        raw=tuple([row.mean_raw if row.mean_raw is not None else float(SATURATION_RAW) for row in rows]),
        noise=tuple([row.noise_raw or 0.0 for row in rows]),
    )
