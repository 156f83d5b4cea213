"""From raw samples to readings: the one door from a device's channels to what can be said of them."""

from dataclasses import replace

from sensors.calibration import Calibration, ChannelKind
from sensors.plausible import Gate
from sensors.pulses import PulseCounter
from sensors.readings import ChannelReading, ReadingState, spread_for
from sensors.samples import ChannelStatus, Fault, RawSample
from sensors.settle import DEFAULT_RATE_HZ, Settler

NOISE_EVERY = 80
"""Samples between two looks at the noise of the channels, which changes slowly."""


class Senses:
    """Gate and settler of one board, since the device was plugged in.

    Deterministic: the same samples give the same readings. A channel that counts is quiet with its number
    of pulses and no load, or a fault.

    Args:
        calibration: of the board.
        rate_hz: samples a second as the device declares them; 0 unknown.
    """

    def __init__(self, calibration: Calibration, rate_hz: float) -> None:
        rate_hz = rate_hz if rate_hz > 0 else DEFAULT_RATE_HZ
        unit_g, rows = calibration.unit_g, calibration.channels
        self._channels = len(rows)
        self._weighing = [c for c, row in enumerate(rows) if row.kind is ChannelKind.LOAD]
        self._counters = {c: _Counter(c) for c, row in enumerate(rows) if row.kind is ChannelKind.COUNT}
        cells = replace(calibration, channels=tuple([rows[c] for c in self._weighing]))
        self._gate = Gate(cells, rate_hz)
        self._settler = Settler(spread_g=spread_for(unit_g), rate_hz=rate_hz, unit_g=unit_g)
        self._until_noise = NOISE_EVERY

    def update(self, at_us: int, sample: RawSample) -> tuple[ChannelReading, ...]:
        """Take one sample and return what can be said of each channel after it.

        Args:
            at_us: time of the sample in the time that the readings are to have.
            sample: as the device sent it; its own time is not looked at.
        """
        if not self._counters or len(sample.raw) != self._channels:
            return self._weigh(at_us, sample)
        raw, status, weighing = sample.raw, sample.status, self._weighing
        cells = RawSample(
            sample.time_us, tuple([raw[c] for c in weighing]), tuple([status[c] for c in weighing])
        )
        readings = dict(zip(weighing, self._weigh(at_us, cells), strict=True))
        for number, counter in self._counters.items():
            readings[number] = counter.update(at_us, raw[number], status[number])
        return tuple([readings[number] for number in range(self._channels)])

    def _weigh(self, at_us: int, sample: RawSample) -> tuple[ChannelReading, ...]:
        """Take one sample of the channels that weigh."""
        if not self._weighing:
            return ()
        readings = self._settler.update(at_us, self._gate.loads(sample))
        self._until_noise -= 1
        if not self._until_noise:
            self._until_noise = NOISE_EVERY
            if len(readings) == len(self._weighing):
                self._gate.expect_noise([reading.noise_g for reading in readings])
        return readings


class _Counter:
    """A channel that counts, and its reading."""

    def __init__(self, number: int) -> None:
        self._pulses = PulseCounter(number)
        self._reading: ChannelReading | None = None

    def update(self, at_us: int, raw: int, status: ChannelStatus) -> ChannelReading:
        """Return what can be said of the channel after this sample."""
        pulses, before = self._pulses.take(at_us, raw, status), self._reading
        if isinstance(pulses, Fault):
            if before is None or before.reason != pulses:
                self._reading = ChannelReading(ReadingState.FAULT, None, None, pulses)
        elif before is None or before.state is ReadingState.FAULT:
            self._reading = ChannelReading(ReadingState.QUIET, None, at_us, "", pulses=pulses)
        elif before.pulses != pulses:
            self._reading = replace(before, pulses=pulses)
        assert self._reading is not None, "a reading has just been made"
        return self._reading
