"""What a running board says of its device to whoever looks for a fault: `{"do": "survey"}` (pure).

The board keeps the raw samples of the last seconds, whether their device is the right one or not: the wrong
calibration is one of the things that are looked for. What is told are numbers and names, no judgement.
"""

from __future__ import annotations

import itertools
import json
from collections import deque
from dataclasses import asdict, dataclass
from typing import Any, Final

from firmware_bridge.board.requests.words import CommandError
from firmware_bridge.layout import Wiring, named_channels
from sensors.calibration import Calibration, ChannelKind, format_calibration, mismatch
from sensors.frames import Hello
from sensors.link import DeviceHello, Link, LinkEvent
from sensors.link_events import LinkStatistics
from sensors.samples import Press, RawSample
from sensors.survey import (
    ChannelSurvey,
    Survey,
    SurveyReport,
    expected_noise_raw,
    goes_on,
    survey_to_json,
)

KEPT_S: Final = 10.0
"""Device seconds of samples that are kept."""
MOST_KEPT: Final = 2_000
"""Samples kept at most, whatever their times say: twice what 100 a second need."""
COUNTED_EVERY_US: Final = 500_000
"""How often the counters of the link are noted (host time)."""
DEFAULT_S: Final = 3.0


@dataclass(slots=True)
class _Button:
    presses: int
    at_us: int
    number: int


class Surveying:
    """The last seconds of one device."""

    def __init__(self, wiring: Wiring, link: Link) -> None:
        """Keep nothing yet of the device behind `link`; its channels are named by `wiring`."""
        self._names = {channel: name for name, channel in named_channels(wiring)}
        self._link = link
        self._samples: deque[RawSample] = deque(maxlen=MOST_KEPT)
        self._counted: deque[tuple[int, LinkStatistics]] = deque()
        self._buttons: dict[int, _Button] = {}
        self._sample_at_us: int | None = None

    def heard(self, event: LinkEvent, now_us: int) -> None:
        """Keep what the link says; `now_us` is the host's clock."""
        match event:
            case RawSample():
                self._keep(event, now_us)
            case Press(button=button, number=number, down=True):
                before = self._buttons.get(button)
                self._buttons[button] = _Button(1 if before is None else before.presses + 1, now_us, number)
            case DeviceHello(same_boot=False):
                self._samples.clear()
                self._buttons.clear()
            case _:
                pass

    def _keep(self, sample: RawSample, now_us: int) -> None:
        samples = self._samples
        if samples and not goes_on(sample, samples[-1]):
            samples.clear()
        samples.append(sample)
        self._sample_at_us = now_us
        while sample.time_us - samples[0].time_us > KEPT_S * 1e6:
            samples.popleft()
        if not self._counted or now_us - self._counted[-1][0] >= COUNTED_EVERY_US:
            self._counted.append((now_us, self._link.statistics))
            while now_us - self._counted[0][0] > KEPT_S * 1e6:
                self._counted.popleft()

    def answer(self, request: dict[str, Any], calibration: Calibration | None, now_us: int) -> dict[str, Any]:
        """Answer a request for a survey of the last `seconds` (device time), up to `KEPT_S`.

        Args:
            request: As it came over the socket.
            calibration: What the board weighs by; None: nothing yet.
            now_us: The host's clock.
        """
        try:
            seconds = _seconds(request)
        except CommandError as error:
            return {"ok": False, "why": str(error)}
        hello, statistics = self._link.hello, self._link.statistics
        report = self.report(seconds, calibration, now_us)
        wrong = None
        if hello is not None and calibration is not None:
            wrong = mismatch(calibration, hello.board_id, hello.channels, hello.features)
        rows = () if calibration is None or wrong is not None else calibration.channels
        heard_us = self._sample_at_us
        return {
            "ok": True,
            "survey": survey_to_json(report),
            "channels": [
                {
                    "channel": row.channel,
                    "name": self._names.get(row.channel),
                    "expected_noise_raw": expected_noise_raw(report.nominal_hz),
                    **(_weighed(row, calibration) if calibration and row.channel < len(rows) else _UNWEIGHED),
                }
                for row in report.channels
            ],
            "calibration": None if calibration is None else json.loads(format_calibration(calibration)),
            "calibration_fault": None if wrong is None else wrong.detail,
            "device": None if hello is None else _device(hello),
            "link": {"state": self._link.state.value, **asdict(statistics)},
            "sample_age_s": None if heard_us is None else (now_us - heard_us) / 1e6,
            "buttons": self._pressed(now_us),
        }

    def _pressed(self, now_us: int) -> list[dict[str, Any]]:
        """Return which buttons were pressed since the device began, and how long ago they were last."""
        return [
            {
                "button": button,
                "age_s": (now_us - said.at_us) / 1e6,
                "presses": said.presses,
                "number": said.number,
            }
            for button, said in sorted(self._buttons.items())
        ]

    def report(self, seconds: float, calibration: Calibration | None, now_us: int) -> SurveyReport:
        """Return what can be said of the last `seconds` (device time); `now_us` is the host's clock."""
        hello = self._link.hello
        kinds = [] if calibration is None else [row.kind for row in calibration.channels]
        survey = Survey(0.0 if hello is None else hello.rate_centihz / 100, kinds)
        since_us = self._samples[-1].time_us - seconds * 1e6 if self._samples else 0
        for sample in self._samples:
            if sample.time_us >= since_us:
                survey.take(sample)
        scale = 1 if hello is None else max(hello.time_scale, 1)
        before = [each for at_us, each in self._counted if now_us - at_us >= seconds * 1e6 / scale]
        first = before[-1:] or [each for _, each in itertools.islice(self._counted, 1)]
        for each in (*first, self._link.statistics):
            survey.heard(each)
        return survey.report()


def _seconds(request: dict[str, Any]) -> float:
    value = request.get("seconds", DEFAULT_S)
    if isinstance(value, bool) or not isinstance(value, int | float) or not 0 < value <= KEPT_S:
        raise CommandError(f"`seconds` {value!a:.40} is no time: above 0 and up to {KEPT_S:g}")
    return float(value)


_UNWEIGHED: Final = {"load_g": None, "noise_g": None, "noise_stones": None}


def _weighed(row: ChannelSurvey, calibration: Calibration) -> dict[str, float | None]:
    """Return what the present calibration makes of a channel; None where it makes nothing."""
    known = calibration.channels[row.channel]
    if known.kind is ChannelKind.COUNT or row.mean_raw is None:
        return dict(_UNWEIGHED)
    noise_g = None if row.noise_raw is None else row.noise_raw / abs(known.raw_per_g)
    return {
        "load_g": (row.mean_raw - known.zero_raw) / known.raw_per_g,
        "noise_g": noise_g,
        "noise_stones": None if noise_g is None else noise_g / calibration.unit_g,
    }


def _device(hello: Hello) -> dict[str, Any]:
    """Return what a device says of itself, with its rate as samples a second."""
    told = hello._asdict()
    return {**told, "rate_hz": hello.rate_centihz / 100}
