"""What a link reports, and what it is told to show: the values at the border of `link.py`."""

from dataclasses import dataclass
from enum import Enum
from typing import TypeAlias

from sensors.frames import Hello
from sensors.samples import Fault, Press, RawSample


class LinkState(Enum):
    """How far the acquaintance has come."""

    CLOSED = "closed"
    """The port is not open."""
    ASKING = "asking"
    """Open, but the device has not said who it is, or there is doubt about it."""
    UP = "up"
    """The device is known; its frames are acted on."""
    FOREIGN = "foreign"
    """It speaks another major version; nothing is acted on."""


@dataclass(frozen=True, slots=True)
class DeviceHello:
    """The device has said who it is; everything after this event comes from it.

    Said whenever the link comes up, and again when anything but time and press number has changed.

    Attributes:
        hello: as it said.
        same_boot: True if this is the boot known before and its time goes on, None if no boot was known.
            False: **begin the device's time anew**; no time before this event can be compared with one
            after it. The device has restarted or is another one; or its boot id is the one known, but its
            time jumped (`FaultKind.TIME_JUMPED` precedes), or its name or time scale changed. Press
            numbers belong to the boot id alone and go on where that is the same.
    """

    hello: Hello
    same_boot: bool | None


@dataclass(frozen=True, slots=True)
class LinkLost:
    """Nothing can be heard from the device, until `LinkRestored`.

    Said again only when there is something new to say: the port came or went meanwhile.

    Attributes:
        reason: what is known about it, for people.
    """

    reason: str


@dataclass(frozen=True, slots=True)
class LinkRestored:
    """The device is heard again; a `DeviceHello` follows."""


LinkEvent: TypeAlias = DeviceHello | RawSample | Press | LinkLost | LinkRestored | Fault


@dataclass(frozen=True, slots=True)
class ClockView:
    """What the device's dials are to show. Numbers beyond their field on the wire are shown as its end.

    Attributes:
        events_seen: number of the last press of this boot taken into account; 0 for none.
        at_us: device time at which the remaining times held.
        running: 0 none, 1 dial A, 2 dial B.
        armed: whether the device switches the dials on a press by itself.
        remaining_ms: dial A, dial B.
        increment_ms: what a press of side A, of side B adds.
    """

    events_seen: int
    at_us: int
    running: int
    armed: bool
    remaining_ms: tuple[int, int]
    increment_ms: tuple[int, int]


@dataclass(slots=True)
class LinkStatistics:
    """Counters since the link was made; all only ever grow.

    Attributes:
        openings: how often the port was opened.
        bytes_received: all bytes.
        frames: valid frames.
        bad_frames: pieces of the stream that were no frame.
        overlong: pieces longer than any frame.
        ignored: pieces before the first valid frame after an opening.
        lost_frames: gaps in the device's sequence numbers.
        late_frames: frames older than one already received.
        unidentified: frames not acted on because the device had not said who it is.
        doubts: how often sequence or time jumped, so that the device was asked again who it is.
        unknown_types: frames of a type this version does not know.
        malformed: frames whose content has no meaning.
        late_samples: samples not newer than the last one, dropped.
        repeated_presses: button events received again.
        lost_presses: button events lost for good.
        unsent: frames not sent because nobody took the ones before.
        device_dropped_data: what the device says it could not send, of its present boot.
        device_bad_frames: what the device says it could not read, of its present boot.
    """

    openings: int = 0
    bytes_received: int = 0
    frames: int = 0
    bad_frames: int = 0
    overlong: int = 0
    ignored: int = 0
    lost_frames: int = 0
    late_frames: int = 0
    unidentified: int = 0
    doubts: int = 0
    unknown_types: int = 0
    malformed: int = 0
    late_samples: int = 0
    repeated_presses: int = 0
    lost_presses: int = 0
    unsent: int = 0
    device_dropped_data: int = 0
    device_bad_frames: int = 0
