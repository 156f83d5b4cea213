"""The values that flow from metal to trustworthy loads.

All are frozen: whoever receives one may keep it. Times are device time in microseconds since the
device's boot, 64 bits. Trouble is a value too: a `Fault` stands where a load cannot be had, and is
never replaced by zero.
"""

from dataclasses import dataclass
from enum import Enum
from typing import TypeAlias


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
    """What is wrong. The first group concerns one channel, the second the device or the link."""

    NOT_READY = "not_ready"
    SATURATED = "saturated"
    EXCLUDED = "excluded"
    READ_ERROR = "read_error"
    UNCALIBRATED = "uncalibrated"
    STUCK = "stuck"
    """The converter gives one value again and again, which its noise makes impossible."""
    PULSES = "pulses"
    """A counter's number is none, or has jumped further than stones can make it."""

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


@dataclass(frozen=True, slots=True)
class Fault:
    """Something that could not be had, in place of it.

    Attributes:
        kind: what is wrong, for programs.
        channel: the channel concerned; None where it is the device or the link.
        detail: what is wrong and what to do, for people.
    """

    kind: FaultKind
    channel: int | None
    detail: str


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
