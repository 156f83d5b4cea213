"""What a journal holds, as values (pure); `firmware_bridge.board.memory.journal` writes and reads them."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any


@dataclass(frozen=True, slots=True)
class DeviceTime:
    """How device time was placed on the table's timeline when a record was written.

    Attributes:
        boot_id: The device's boot; within one boot the offset never changes.
        offset_us: Table time less device time, in microseconds.
        time_scale: Device seconds per wall second: 1, but for an emulated board in a hurry.
    """

    boot_id: int
    offset_us: int
    time_scale: int = 1


@dataclass(frozen=True, slots=True)
class Record:
    """One line of the journal.

    Attributes:
        seq: 1 for the first record, then without a gap.
        host_boot: How many times the board's program had been started, this time included.
        wall_ms: UTC milliseconds when it was written: a label, nothing is decided by it.
        device: The device's place in time; None before any device was seen.
        event: The event as JSON (`rules.game.event_to_json`), or `{"kind": "host_started"}`.
        digest: Hash over this record and the chain before it, 64 hexadecimal digits.
    """

    seq: int
    host_boot: int
    wall_ms: int
    device: DeviceTime | None
    event: dict[str, Any]
    digest: str
