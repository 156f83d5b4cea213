"""From raw samples to loads, past readings of a converter that cannot be true.

A shared clock read in software goes wrong in known ways: clocked too slowly the converter powers down in
mid-read (2^k-1, small negatives), read while not ready it gives -1, a clock lost or gained halves, doubles
or turns the sign, wrong trailing pulses change the gain (a half, a quarter), an update in mid-read gives
the upper bits of one conversion and the lower of the next; one at the end of the range is no load either
(bogde/HX711#83, #216, #62; ggurov/hx711#5; RobTillaart/HX711 README). All of them come as good readings.

What they have in common is used: they jump, and the next sample jumps back. A sample that jumps is held
back; it is believed when the next one of its channel agrees with it, so a true change costs one sample.
When the next agrees with neither, something moves (a hand, a stone that rings), and everything goes through
until two samples in a row agree again; but behind a jump that bears the mark of a fault, three more are
held back first, since the samples after it are suspect too (Klipper3d/klipper#6659). A lasting wrong
level is not judged here: who knows what must lie there judges it.

A value that repeats again and again is a converter that does not convert: noise forbids it. With a
standard deviation of one unit, a twentieth of the data sheet's best, a value repeats its predecessor with
probability 0.28; `STUCK_AFTER` times in a row with 0.28^24 = 5e-14, on 20 channels at 80 samples a second
once in four centuries.
"""

from collections import deque
from collections.abc import Sequence
from math import nan

from sensors.calibration import SATURATION_RAW, Calibration, status_fault, to_loads
from sensors.samples import ChannelStatus, Fault, FaultKind, Load, RawSample

STUCK_AFTER = 24
"""Repetitions of a value that make a fault: 0.3 s at 80 samples a second, 2.4 s at 10."""
JUMP = 0.3
"""Of a stone: what two neighbouring samples may differ by without being asked twice."""
JUMP_SIGMAS = 6.0
"""The same in standard deviations of single samples on a noisy channel; 4.2 of a difference."""
MOST_JUMP = 2.0
"""Of a stone: more is never let through unasked, whatever the noise."""
SUSPECT = 3
"""Samples after a faulty one that are not believed either unless two of them agree (PROTOCOL.md, DATA)."""
LONE = 3
"""Samples within which a second jump and return is a motion, not a second bad sample: a hand trembles."""
SATURATED_AFTER = 3
"""Samples in a row at the end of the range that are no passing fault any more."""
EXCESS, RELIEF = 0.2, 0.05
"""Share of bad samples from which they are a fault of the channel, and at which they cease to be one;
1 % must hurt nobody. Counted over a second, or over `LEAST_COUNTED` samples on a slow device."""
LEAST_COUNTED = 60
"""With 1 % bad samples a fifth of 60 is bad by chance once in 1e12 times."""
SMALL_NEGATIVE = -64
"""Down to here negative values are what a power-down in mid-read leaves: ones, with a few zeros."""
RATIOS = (2.0, 0.5, 0.25, -1.0)
"""What a lost or gained clock and a wrong gain make of a value (RobTillaart/HX711 README, #27)."""

_OK = ChannelStatus.OK
_HALF_RANGE, _RANGE = 1 << 23, 1 << 24


class _Channel:
    """What is known of one channel that is not at rest.

    Attributes:
        last: the last value believed; None before the first.
        held: a value that must be confirmed by the next sample.
        patience: how many samples that agree with nothing may still be held back.
        loose: whether something moves, so that every value goes through.
        jumped: number of the frame in which a value last jumped without the mark of a fault.
        value: the last value judged, in the frame numbered `judged`.
        repeats: how often it has repeated.
        saturated: samples in a row at the end of the range.
        bad: numbers of the frames of the last bad samples.
        excess: whether there are too many of them.
    """

    __slots__ = (
        "bad",
        "excess",
        "held",
        "judged",
        "jumped",
        "last",
        "loose",
        "patience",
        "repeats",
        "saturated",
        "value",
    )

    def __init__(self, excess: int) -> None:
        self.last: int | None = None
        self.held: int | None = None
        self.patience = 0
        self.loose = False
        self.jumped = self.judged = -LONE - 1
        self.value = 0
        self.repeats = 0
        self.saturated = 0
        self.bad: deque[int] = deque(maxlen=excess)
        self.excess = False

    def at_rest(self) -> bool:
        """Whether the next sample is to be believed if it is near the last one."""
        return (
            self.held is None
            and not (self.loose or self.excess or self.saturated or self.patience)
            and self.last is not None
        )


class Gate:
    """The protocol check of one board.

    Args:
        calibration: of the board.
        rate_hz: samples a second as declared; 0 unknown.
    """

    def __init__(self, calibration: Calibration, rate_hz: float) -> None:
        self._calibration = calibration
        self._rows = calibration.channels
        self._counted = max(LEAST_COUNTED, round(rate_hz))
        self._numbers = range(len(self._rows))
        self._all_ok = (_OK,) * len(self._rows)
        self._channels = [_Channel(round(EXCESS * self._counted)) for _ in self._rows]
        self._frame = 0
        # What fast comparisons see of each channel: nothing is near NaN, so a channel not at rest is judged.
        self._lasts: list[float] = [nan] * len(self._rows)
        self._wides: list[float] = []
        self.expect_noise([0.0] * len(self._rows))

    def expect_noise(self, noise_g: Sequence[float]) -> None:
        """Take the standard deviation of single samples per channel, in grams; 0 where not known."""
        unit_g = self._calibration.unit_g
        self._wides = [
            min(max(JUMP * unit_g, JUMP_SIGMAS * sigma_g), MOST_JUMP * unit_g) * abs(row.raw_per_g)
            for row, sigma_g in zip(self._rows, noise_g, strict=True)
        ]

    def loads(self, sample: RawSample) -> tuple[Load, ...]:
        """Return grams per channel of the sample, or why there are none.

        What cannot be believed is a `READ_ERROR`, `SPIKE` or `UNCONFIRMED`, which passes unless it lasts; of
        too many of them the channel is `RESTLESS`. A converter that gives one value again and again is
        `STUCK`. Of another number of channels nothing is judged; one beyond those
        of the calibration is `UNCALIBRATED`.
        """
        raw, status = sample.raw, sample.status
        if len(raw) != len(self._rows):
            return to_loads(sample, self._calibration)
        self._frame += 1
        columns = zip(self._numbers, raw, self._lasts, self._wides, strict=True)
        doubtful = [c for c, value, last, wide in columns if not -wide < value - last < wide or value == last]
        if status != self._all_ok or max(raw) >= SATURATION_RAW or min(raw) <= -SATURATION_RAW:
            doubtful = [
                c
                for c in self._numbers
                if c in doubtful or status[c] is not _OK or abs(raw[c]) >= SATURATION_RAW
            ]
        before, self._lasts = self._lasts, list(raw)
        loads: list[Load] = [
            (v - row.zero_raw) / row.raw_per_g for v, row in zip(raw, self._rows, strict=True)
        ]
        for number in doubtful:
            channel, last = self._channels[number], before[number]
            if last == last:  # noqa: PLR0124 - NaN is the one number that is not itself
                channel.last = int(last)
            fault = self._judge(number, channel, raw[number], status[number])
            if fault is not None:
                loads[number] = fault
            self._lasts[number] = nan if channel.last is None or not channel.at_rest() else channel.last
        return tuple(loads)

    def _judge(self, number: int, channel: _Channel, value: int, status: ChannelStatus) -> Fault | None:
        """Return why the value cannot be believed, or None if it can."""
        if status in (ChannelStatus.NOT_READY, ChannelStatus.EXCLUDED):
            channel.judged += channel.judged == self._frame - 1  # no sample, so nothing between two of them
            return status_fault(status, number)
        if status is ChannelStatus.READ_ERROR:
            channel.bad.append(self._frame)
            channel.patience = SUSPECT
            fault: Fault | None = status_fault(status, number)
        elif status is ChannelStatus.SATURATED or abs(value) >= SATURATION_RAW:
            fault = self._saturated(number, channel)
        else:
            channel.saturated = 0
            fault = self._value(number, channel, value)
        return self._excess(number, channel) or fault

    def _saturated(self, number: int, channel: _Channel) -> Fault:
        """Take a value at the end of the range: a spike at first, then what it says it is."""
        channel.saturated += 1
        channel.held = None
        if channel.saturated >= SATURATED_AFTER:
            return status_fault(ChannelStatus.SATURATED, number)
        channel.bad.append(self._frame)
        return Fault(FaultKind.SPIKE, number)

    def _value(self, number: int, channel: _Channel, value: int) -> Fault | None:
        """Judge a value within the range."""
        if self._repeats(channel, value) >= STUCK_AFTER:
            channel.last, channel.held, channel.loose, channel.patience = value, None, False, 0
            return Fault(FaultKind.STUCK, number, (value,))
        last, held, wide = channel.last, channel.held, self._wides[number]
        if last is None or abs(value - last) < wide:
            if held is not None:
                channel.bad.append(self._frame)
            _believe(channel, value, loose=False)
            return None
        if channel.loose:
            channel.last = value
            return None
        exact = _is_remains(value)
        if held is None:
            moves = self._frame - channel.jumped <= LONE
            marked = exact or channel.patience > 0 or _is_ratio(value, last, wide / 2)
            channel.jumped = channel.jumped if marked else self._frame
            if moves and not marked:
                _believe(channel, value, loose=True)
                return None
            channel.held, channel.patience = value, SUSPECT if marked else 0
        elif abs(value - held) < wide and not (exact and value == held):
            _believe(channel, value, loose=False)
            return None
        elif channel.patience > 0 or exact:
            channel.held, channel.patience = value, max(0, channel.patience - 1)
            channel.bad.append(self._frame)
        else:
            _believe(channel, value, loose=True)
            return None
        return Fault(FaultKind.UNCONFIRMED, number, (value, last))

    def _repeats(self, channel: _Channel, value: int) -> int:
        """Return how often this value has come in a row after its first time."""
        if channel.judged == self._frame - 1 and value == channel.value:
            channel.repeats += 1
        else:
            channel.repeats = int(value == channel.last and channel.held is None)
        channel.value, channel.judged = value, self._frame
        return channel.repeats

    def _excess(self, number: int, channel: _Channel) -> Fault | None:
        """Return the fault of too many bad samples, if there are."""
        bad, since = channel.bad, self._frame - self._counted
        if not channel.excess:
            channel.excess = len(bad) == bad.maxlen and bad[0] > since
        elif sum([frame > since for frame in bad]) <= RELIEF * self._counted:
            channel.excess = False
        return Fault(FaultKind.RESTLESS, number) if channel.excess else None


def _believe(channel: _Channel, value: int, *, loose: bool) -> None:
    channel.last, channel.held, channel.loose, channel.patience = value, None, loose, 0


def _is_remains(value: int) -> bool:
    """Whether a read that was cut off leaves such a value: 2^k-1, or a small negative one."""
    return SMALL_NEGATIVE <= value < 0 or (value >= 0 and value & (value + 1) == 0)


def _is_ratio(value: int, last: int, tolerance: float) -> bool:
    """Whether the value is the last one as a wrong number of clocks or a wrong gain would give it."""
    if abs(abs(value - last) - _HALF_RANGE) < tolerance:
        return True  # the sign bit alone is wrong
    for ratio in RATIOS:
        wrapped = (ratio * last + _HALF_RANGE) % _RANGE - _HALF_RANGE
        if abs(value - wrapped) < tolerance:
            return True
    return False
