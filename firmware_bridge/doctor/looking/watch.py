"""Opens the port for some seconds, exclusively, and lets the device tell who it is and what it reads."""

from __future__ import annotations

import queue
import re
import time
from collections.abc import Callable, Sequence
from typing import Final

from firmware_bridge.doctor.device import DeviceFacts, Pushed
from sensors.calibration import ChannelKind
from sensors.link import Link
from sensors.link_events import DeviceHello, LinkEvent, LinkStatistics
from sensors.samples import Fault, FaultKind, Press, RawSample
from sensors.serial_port import PortState, SerialPort
from sensors.survey import Survey

HELLO_S: Final = 4.0
"""How long a device is waited for: one that restarts when the port is opened needs some time."""
SETTLE_S: Final = 1.2
"""After it has spoken: then the first BEAT has come, and its counters since it started are known."""
SAMPLE_S: Final = 3.0
"""How long it is watched then: 30 samples of a slow one."""
POLL_S: Final = 0.05
_SENSELESS: Final = (FaultKind.MALFORMED, FaultKind.CHANNEL_COUNT, FaultKind.TIME_JUMPED)
_VERSION: Final = re.compile(r"link (\d+\.\d+)")

_What = bytes | PortState | None


class _Watch:
    """One look at a device; times are seconds of the monotonic clock."""

    def __init__(
        self, kinds: Sequence[ChannelKind], now_s: float, spans_s: tuple[float, float, float]
    ) -> None:
        self.link = Link()
        self._kinds = kinds
        self._hello_s, self._settle_s, self._sample_s = spans_s
        self._began_s, self.until_s = now_s, now_s + self._hello_s
        self._known: DeviceHello | None = None
        self._first = LinkStatistics()
        self._survey: Survey | None = None
        self._survey_at_s = 0.0
        self._foreign = self._trouble = ""
        self._restarts = 0
        self._pushed: list[Pushed] = []
        self._latest_us = 0

    def take(self, what: _What, now_s: float) -> None:
        """Take what came from the port; None: nothing did."""
        now_us = round(now_s * 1e6)
        if what is PortState.OPEN:
            self.link.connected(now_us)
        elif what is PortState.LOST:
            self.link.disconnected(now_us, "the port is lost")
        events = self.link.receive(what, now_us) if isinstance(what, bytes) else []
        for event in (*events, *self.link.poll(now_us)):
            self._note(event, now_s)
        if self._known is not None and self._survey is None and now_s >= self._survey_at_s:
            self._first = self.link.statistics
            self._survey = Survey(self._known.hello.rate_centihz / 100, self._kinds)
            self._survey.heard(self._first)

    def _note(self, event: LinkEvent, now_s: float) -> None:
        match event:
            case DeviceHello(hello):
                if self._known is None:
                    self._survey_at_s = now_s + self._settle_s
                    self.until_s = self._survey_at_s + self._sample_s
                elif self._known.hello.boot_id != hello.boot_id:
                    self._restarts += 1  # a device that only corrects its name is none
                self._known = event
            case RawSample():
                self._latest_us = event.time_us
                if self._survey is not None:
                    self._survey.take(event)
            case Press():
                self._pushed.append(Pushed(button=event.button, down=event.down, at_us=event.time_us))
            case Fault() if event.kind is FaultKind.INCOMPATIBLE:
                version = _VERSION.search(event.detail)
                self._foreign = version[1] if version else event.detail
            case Fault() if event.kind in _SENSELESS:
                self._trouble = event.detail
            case _:
                pass

    def facts(self, path: str, now_s: float) -> DeviceFacts:
        """Return what came of it."""
        last, first = self.link.statistics, self._first
        if self._survey is not None:
            self._survey.heard(last)
        return DeviceFacts(
            path=path,
            seconds=now_s - self._began_s,
            hello=self.link.hello,
            foreign=self._foreign,
            trouble=self._trouble,
            restarts=self._restarts,
            survey=None if self._survey is None else self._survey.report(),
            late=last.late_samples - first.late_samples,
            bad_at_device=last.device_bad_frames - first.device_bad_frames,
            frames=last.frames - first.frames,
            pushed=tuple(self._pushed),
            until_us=self._latest_us,
        )


def watch_device(  # noqa: PLR0913 - a port, three patiences and a clock
    path: str,
    baud: int,
    kinds: Sequence[ChannelKind] = (),
    *,
    hello_s: float = HELLO_S,
    settle_s: float = SETTLE_S,
    sample_s: float = SAMPLE_S,
    now_s: Callable[[], float] = time.monotonic,
) -> DeviceFacts:
    """Return what a device says when it is asked; a press is heard and not acknowledged, so none gets lost.

    Args:
        path: The port; nobody else may have it open.
        baud: Bits per second.
        kinds: What each channel is, as the calibration says.
        hello_s: How long it may take to say who it is.
        settle_s: How long it is left alone then.
        sample_s: How long it is watched.
        now_s: The clock of all that, seconds.
    """
    came: queue.SimpleQueue[bytes | PortState] = queue.SimpleQueue()
    at_s = now_s()
    watch = _Watch(kinds, at_s, (hello_s, settle_s, sample_s))
    with SerialPort(path, came.put, lambda state, _why: came.put(state), baudrate=baud) as port:
        while at_s < watch.until_s:
            what, at_s = _next(came), now_s()
            watch.take(what, at_s)
            data = watch.link.data_to_send()
            if data:
                port.write(data)
    return watch.facts(path, at_s)


def _next(came: queue.SimpleQueue[bytes | PortState]) -> _What:
    try:
        return came.get(timeout=POLL_S)
    except queue.Empty:
        return None
