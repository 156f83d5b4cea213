"""The disk and the journal on it: is there room, is it kept, is it fast enough, is it whole. Pure."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final, Literal

from firmware_bridge.doctor.findings import Finding, found

FULL_MB: Final = 20
LOW_MB: Final = 200
"""A game's journal takes less than 1 MB, a trace 64 MB before the next one begins (`[trace] file_mb`)."""
FEW_INODES: Final = 100
SLOW_MS: Final = 500.0
"""A press is acknowledged only when it is on disk, and a player waits for that: half a second is a long time.
Cards take 5 to 50 ms (estimate)."""
_VOLATILE: Final = ("tmpfs", "ramfs")


@dataclass(frozen=True, slots=True, kw_only=True)
class DiskFacts:
    """What is known of the place where a board keeps its state.

    Attributes:
        path: The folder, or the nearest one above it that is there.
        free_mb: Room for who asks, in megabytes.
        inodes: Files that can still be made; None where the file system does not count them.
        kind: Of the file system, as /proc/mounts calls it; "" unknown.
        read_only: Whether it is mounted so.
        overlay_in_memory: Whether it is an overlay whose upper layer lies in memory (a read-only root).
        why: Why nothing can be written there; "" when it can.
        fsync_ms: How long it took to write a small file and force it onto the disk; None: not tried.
    """

    path: str
    free_mb: int
    inodes: int | None = None
    kind: str = ""
    read_only: bool = False
    overlay_in_memory: bool = False
    why: str = ""
    fsync_ms: float | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class JournalFacts:
    """What is known of a board's journal, which was only read.

    Attributes:
        path: The file.
        state: `none`: there is none yet; `whole`; `torn`: its last record is half written; `damaged`:
            something else is no record; `unreadable`.
        torn_bytes: Of a torn one.
        record: Number of the damaged one.
        why: Why it cannot be read.
        latest_ms: Wall time of its latest record, milliseconds since 1970; None without any.
        restarts: How many different starts of the device its records of the last day tell of.
        held: Whether a running board holds it: then a record may be half written at this very moment.
    """

    path: str
    state: Literal["none", "whole", "torn", "damaged", "unreadable"] = "none"
    torn_bytes: int = 0
    record: int = 0
    why: str = ""
    latest_ms: int | None = None
    restarts: int = 0
    held: bool = False


def judge_disk(facts: DiskFacts) -> Iterator[Finding]:
    """Yield what is wrong with the disk."""
    if facts.read_only:
        yield found("disk_read_only", path=facts.path)
    elif facts.free_mb < FULL_MB:
        yield found("disk_full", path=facts.path, free_mb=facts.free_mb)
    elif facts.inodes is not None and facts.inodes < FEW_INODES:
        yield found("disk_no_inodes", path=facts.path, free=facts.inodes)
    elif facts.why:
        yield found("disk_not_writable", path=facts.path, why=facts.why)
    elif facts.free_mb < LOW_MB:
        yield found("disk_low", path=facts.path, free_mb=facts.free_mb)
    if facts.kind in _VOLATILE or facts.overlay_in_memory:
        yield found("disk_not_kept", path=facts.path, kind=facts.kind)
    if facts.fsync_ms is not None and facts.fsync_ms > SLOW_MS:
        yield found("disk_slow", path=facts.path, fsync_ms=round(facts.fsync_ms))


def judge_journal(facts: JournalFacts) -> Iterator[Finding]:
    """Yield what is wrong with the journal."""
    match facts.state:
        case "torn" if not facts.held:
            yield found("journal_torn", path=facts.path, bytes=facts.torn_bytes)
        case "damaged":
            yield found("journal_damaged", path=facts.path, record=facts.record)
        case "unreadable":
            yield found("journal_unreadable", path=facts.path, why=facts.why)
        case _:
            pass
