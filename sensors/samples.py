"""The values that flow from metal to trustworthy loads.

All are frozen: whoever receives one may keep it. Times are device time in microseconds since the
device's boot, 64 bits. Trouble is a value too: a `Fault` stands where a load cannot be had, and is
never replaced by zero.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from enum import Enum
from types import MappingProxyType
from typing import Final, TypeAlias


class ChannelStatus(Enum):
    """What the device says of one channel in one sample; the values are those on the wire."""

    OK = 0
    """A fresh conversion."""
    NOT_READY = 1
    """No conversion finished in time."""
    SATURATED = 2
    """The converter is at an end of its range: overload, or an open wire."""
    EXCLUDED = 3
    """The device has given this channel up, or was told not to read it."""
    READ_ERROR = 4
    """The conversion was read, but its reading cannot be trusted."""


class FaultKind(Enum):
    """What is wrong: of one channel, as a channel reads where it is known what lies there, of device or link.

    What is said of each of the first two groups stands in `CELL_TEXTS`.
    """

    NOT_READY = "not_ready"
    SATURATED = "saturated"
    EXCLUDED = "excluded"
    READ_ERROR = "read_error"
    """The device does not trust what it read."""
    SPIKE = "spike"
    """One value at the end of the range, with sane ones around it."""
    UNCONFIRMED = "unconfirmed"
    """A value that jumps, and is not believed before the next one agrees."""
    RESTLESS = "restless"
    """Too many of the channel's readings cannot be true."""
    UNCALIBRATED = "uncalibrated"
    COUNTS_ONLY = "counts_only"
    """The channel counts pulses where a load was asked for."""
    STUCK = "stuck"
    """The converter gives one value again and again, which its noise makes impossible."""
    NO_COUNTER = "no_counter"
    """A counter's number is none."""
    PULSES = "pulses"
    """A counter's number has jumped further than stones can make it."""

    BELOW_NOTHING = "below_nothing"
    CUT_OFF = "cut_off"
    """It reads what it does without any load, whatever lies there."""
    WRONG_SHARE = "wrong_share"
    """It reads a share of what is due."""
    WRONG_CHANGE = "wrong_change"
    """It changes by a share of what is due."""
    FELT_NOTHING = "felt_nothing"
    NOT_BELIEVED = "not_believed"
    """The board makes sense without it, and not with it."""

    INCOMPATIBLE = "incompatible"
    """The device speaks another major version; nothing it says is acted on."""
    MALFORMED = "malformed"
    """A frame arrived whole, but its content has no meaning: the device's firmware is wrong."""
    CHANNEL_COUNT = "channel_count"
    """DATA carries another number of channels than HELLO declared."""
    PRESSES_LOST = "presses_lost"
    """Button events are gone for good: the device kept as many as it could."""
    TIME_JUMPED = "time_jumped"
    """Device time moved within one boot as no time does; a `DeviceHello` that begins it anew follows."""
    PRESS_TIME = "press_time"
    """A press has a time it cannot have. It is handed on all the same, with the nearest one it can have."""
    NO_SAMPLES = "no_samples"
    """The device is there and has load channels, but no sample of them arrives that can be used."""
    WRONG_CALIBRATION = "wrong_calibration"
    """The calibration belongs to another board, or has another number of channels."""


CELL_TEXTS: Final[Mapping[FaultKind, str]] = MappingProxyType(
    {
        FaultKind.NOT_READY: "no conversion in time: is the converter connected?",
        FaultKind.SATURATED: "saturated: overload, or a wire of the cell is open",
        FaultKind.EXCLUDED: "excluded by the device: it has given this channel up",
        FaultKind.READ_ERROR: "the device could not trust its reading of the converter",
        FaultKind.SPIKE: "at the end of the range, for a moment",
        FaultKind.UNCONFIRMED: "{0} after {1} is not believed unless the next sample agrees",
        FaultKind.RESTLESS: "a fifth of its readings and more cannot be true: check the clock and data wires "
        "and the supply of this converter, and that the device reads it without interruption",
        FaultKind.UNCALIBRATED: "not calibrated",
        FaultKind.COUNTS_ONLY: "counts, and weighs nothing",
        FaultKind.STUCK: "the converter gives {0} again and again, which its noise makes impossible: "
        "power the device off and on; if it comes again, replace the converter",
        FaultKind.NO_COUNTER: "{0} is no running number of pulses: does the device count on it at all?",
        FaultKind.PULSES: "its number jumped from {1} to {0}, more than stones can make: "
        "check the sensor and its wire",
        FaultKind.BELOW_NOTHING: "weighs less than nothing: mend the cell or its wires",
        FaultKind.CUT_OFF: "reads 0 of what is due (its bridge is cut off): mend the cell or its wires",
        FaultKind.WRONG_SHARE: "reads {0:g} of what is due (gain): mend the cell or its wires",
        FaultKind.WRONG_CHANGE: "changes by {0:g} of what is due (gain): mend the cell or its wires",
        FaultKind.FELT_NOTHING: "felt nothing of what was sown: mend the cell or its wires",
        FaultKind.NOT_BELIEVED: "not believed",
    }
)
"""What is said in English of each fault of a channel; its values fill the gaps."""


@dataclass(frozen=True, slots=True)
class Fault:
    """Something that could not be had, in place of it.

    Attributes:
        kind: what is wrong, for programs and translations.
        channel: the channel concerned; None where it is the device or the link, or whoever judges knows
            places only.
        values: the numbers in the text of the kind, in its order.
        words: what is wrong and what to do, in English, where the kind has no text in `CELL_TEXTS`.
    """

    kind: FaultKind
    channel: int | None
    values: tuple[float, ...] = ()
    words: str = ""

    @property
    def detail(self) -> str:
        """What is wrong and what to do, in English, with the channel where it is known: for logs."""
        told = self.words or CELL_TEXTS[self.kind].format(*self.values)
        return told if self.channel is None else f"channel {self.channel}: {told}"

    def __str__(self) -> str:
        """Return the same."""
        return self.detail


@dataclass(frozen=True, slots=True)
class RawSample:
    """All load channels at one moment.

    Attributes:
        time_us: device time, full 64 bits.
        raw: converter units per channel, signed 24 bits in 32; 0 unless OK or SATURATED.
        status: per channel.
    """

    time_us: int
    raw: tuple[int, ...]
    status: tuple[ChannelStatus, ...]


@dataclass(frozen=True, slots=True)
class Press:
    """One edge of a button, debounced by the device.

    Attributes:
        boot_id: the boot of the device; with `number` it names this event for ever.
        number: 1, 2, 3 .. per boot.
        button: 0 side A's clock, 1 side B's, 2 arbiter call.
        time_us: device time of the edge; never earlier than that of the press before it, nor later than
            its arrival.
        down: True when pressed; a device need not report releases.
    """

    boot_id: int
    number: int
    button: int
    time_us: int
    down: bool


Load: TypeAlias = float | Fault
"""Grams on one channel, or why there are none."""
