"""Looks at the disk and reads the journal; writes one small file and takes it away again."""

from __future__ import annotations

import os
import re
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from typing import Final

from firmware_bridge.board.memory.journal import JournalError, records_in
from firmware_bridge.board.memory.rows import Record
from firmware_bridge.doctor.looking.system import System, read, reason
from firmware_bridge.doctor.storage import DiskFacts, JournalFacts

DAY_MS: Final = 24 * 3600 * 1000
_DAMAGED: Final = re.compile(r"record (\d+) is damaged")


def look_at_disk(
    folder: Path, system: System, *, room: Callable[[Path], os.statvfs_result] = os.statvfs
) -> DiskFacts:
    """Return what is known of the disk under a folder, which need not be there yet.

    Args:
        folder: Where a board keeps its state.
        system: Of this machine.
        room: What says how much room a file system has.
    """
    there = folder
    while not there.is_dir() and there != there.parent:
        there = there.parent
    about = room(there)
    kind, options = _mounted(there, system)
    fsync_ms, why = _written(there)
    return DiskFacts(
        path=str(there),
        free_mb=about.f_bavail * about.f_frsize // 1_000_000,
        inodes=about.f_favail if about.f_files else None,
        kind=kind,
        read_only=bool(about.f_flag & os.ST_RDONLY),
        overlay_in_memory=kind == "overlay" and _upper_in_memory(options, system),
        why=why,
        fsync_ms=fsync_ms,
    )


def _written(folder: Path) -> tuple[float | None, str]:
    """Write a small file, force it onto the disk, and return how long that took and why it failed."""
    began_s = time.perf_counter()
    try:
        with tempfile.NamedTemporaryFile(dir=folder, prefix=".doctor-") as file:
            file.write(bytes(4096))
            file.flush()
            os.fsync(file.fileno())
            return (time.perf_counter() - began_s) * 1000, ""
    except OSError as error:
        return None, reason(error)


def _mounted(folder: Path, system: System) -> tuple[str, str]:
    """Return kind and options of the file system a folder lies on (proc_mounts(5))."""
    target = str(folder.resolve())
    best, found = -1, ("", "")
    for line in read(system.proc / "mounts").splitlines():
        fields = line.split()
        if len(fields) < 4:
            continue
        point = fields[1].encode().decode("unicode_escape")  # blanks stand there as \040
        inside = target == point or target.startswith(point.rstrip("/") + "/")
        if inside and len(point) >= best:
            best, found = len(point), (fields[2], fields[3])
    return found


def _upper_in_memory(options: str, system: System) -> bool:
    upper = next((each.partition("=")[2] for each in options.split(",") if each.startswith("upperdir=")), "")
    # raspi-config's read-only root: the folder itself is often out of sight, its name is not.
    return upper.startswith(("/media/root-rw", "/overlay", "/run")) or bool(
        upper and _mounted(Path(upper), system)[0] == "tmpfs"
    )


def look_at_journal(path: Path, now_ms: int, *, held: bool) -> JournalFacts:
    """Return what is known of a journal, without touching it.

    Args:
        path: Its file.
        now_ms: Wall time.
        held: Whether a running board holds it.
    """
    where = str(path)
    try:
        if path.is_fifo():
            return JournalFacts(path=where, state="unreadable", why="FIFO", held=held)  # waited for for ever
        data = path.read_bytes()
    except FileNotFoundError:
        return JournalFacts(path=where)
    except OSError as error:
        return JournalFacts(path=where, state="unreadable", why=reason(error), held=held)
    try:
        records, good = records_in(data, path)
    except JournalError as error:
        number = _DAMAGED.search(str(error))
        return JournalFacts(path=where, state="damaged", record=int(number[1]) if number else 0, held=held)
    return JournalFacts(
        path=where,
        state="torn" if good < len(data) else "whole",
        torn_bytes=len(data) - good,
        latest_ms=max((record.wall_ms for record in records), default=None),
        restarts=_restarts(records, now_ms),
        held=held,
    )


def _restarts(records: list[Record], now_ms: int) -> int:
    """Return how often the device started anew within a day."""
    boots = {
        record.device.boot_id
        for record in records
        if record.device is not None and now_ms - DAY_MS <= record.wall_ms <= now_ms
    }
    return max(0, len(boots) - 1)
