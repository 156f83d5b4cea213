"""The journal: what was decided at one board, durable before anybody hears of it.

One file of JSON lines, appended only. Every record carries the hash of the one before it, so a
line cannot be changed, dropped or slipped in without the chain telling where. A record that a
power cut left half written stands after the last whole one: it is cut off when the journal is
opened, and kept beside it (`.torn`), for nothing is thrown away. A broken record with whole ones
after it is no torn tail but damage, and the journal says so and stays closed.

`append` returns once the bytes are on disk. The writing and the fsync happen in a thread of the
journal's own, so the loop that serves the board never waits for a card.
"""

from __future__ import annotations

import asyncio
import contextlib
import fcntl
import hashlib
import json
import os
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import astuple, dataclass
from pathlib import Path
from typing import Any

GENESIS = "0" * 64
"""The `prev` of the first record."""


class JournalError(OSError):
    """Raised when the journal cannot be opened, trusted or written; the message names the file."""


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


def _canonical(body: dict[str, Any]) -> bytes:
    return json.dumps(
        body, ensure_ascii=False, sort_keys=True, separators=(",", ":"), allow_nan=False
    ).encode()


def _encode(record: Record, prev: str) -> tuple[bytes, str]:
    device = None if record.device is None else astuple(record.device)
    body = {
        "seq": record.seq,
        "host_boot": record.host_boot,
        "wall_ms": record.wall_ms,
        "device": device,
        "event": record.event,
        "prev": prev,
    }
    digest = hashlib.sha256(_canonical(body)).hexdigest()
    return _canonical({**body, "digest": digest}) + b"\n", digest


def _decode(line: bytes, prev: str, seq: int, *, whole: bool) -> Record:
    """Return the record in `line`; `whole` tells that its end of line is there.

    Raises:
        ValueError: It is no record, or not the one that belongs after `prev`.
    """
    if not whole:
        raise ValueError("the line has no end")
    body = json.loads(line)
    if not isinstance(body, dict):
        raise ValueError("no JSON object")  # noqa: TRY004 - one class for every way a line can be bad
    digest = body.pop("digest", None)
    if body.get("seq") != seq or body.get("prev") != prev:
        raise ValueError(f"not the record that follows number {seq - 1}")
    if hashlib.sha256(_canonical(body)).hexdigest() != digest:
        raise ValueError("its hash does not match what it says")
    try:
        device = None if body["device"] is None else DeviceTime(*body["device"])
        return Record(seq, body["host_boot"], body["wall_ms"], device, body["event"], digest)
    except (KeyError, TypeError) as error:
        raise ValueError(f"a field is missing or of the wrong kind ({error})") from error


def _scan(data: bytes, path: Path) -> tuple[list[Record], int]:
    """Return the whole records at the front of `data`, and how many bytes they take."""
    records: list[Record] = []
    good = 0
    prev = GENESIS
    while good < len(data):
        end = data.find(b"\n", good)
        line = data[good:] if end < 0 else data[good:end]
        try:
            record = _decode(line, prev, len(records) + 1, whole=end >= 0)
        except ValueError as error:
            _refuse_damage(data[good + len(line) :], path, len(records) + 1, str(error))
            break
        records.append(record)
        prev = record.digest
        good = end + 1
    return records, good


def _refuse_damage(rest: bytes, path: Path, number: int, why: str) -> None:
    for line in rest.split(b"\n"):
        try:
            whole = "digest" in json.loads(line)
        except (ValueError, TypeError):
            continue
        if whole:
            raise JournalError(
                f"{path}: record {number} is damaged ({why}) and whole records follow it, so this is no "
                "torn tail. Keep the file for the arbiter, move it aside and start the board again."
            )


class Journal:
    """An open journal; one process may hold it at a time.

    Attributes:
        records: Everything in it, oldest first.
        host_boot: The number of this start of the board's program, from 1.
        torn_bytes: How many bytes of a torn tail were cut off at opening.
    """

    def __init__(self, path: Path) -> None:
        """Open or create the journal at `path`.

        Raises:
            JournalError: It cannot be opened, is held by another process, or is damaged.
        """
        self.path = path
        try:
            path.parent.mkdir(parents=True, exist_ok=True)
            self._fd = os.open(path, os.O_RDWR | os.O_CREAT | os.O_APPEND | os.O_CLOEXEC, 0o644)
        except OSError as error:
            raise JournalError(f"{path}: the journal cannot be opened: {error.strerror}") from error
        try:
            self._lock()
            self.records, self.torn_bytes = self._read()
        except BaseException:
            os.close(self._fd)
            raise
        self._writer = ThreadPoolExecutor(max_workers=1, thread_name_prefix="journal")
        self._closed = False
        self.host_boot = 1 + max((record.host_boot for record in self.records), default=0)

    def _lock(self) -> None:
        try:
            fcntl.flock(self._fd, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError as error:
            raise JournalError(
                f"{self.path}: another board process holds this journal. Stop it, or give this board "
                "its own `board.state_dir` or `board.id`."
            ) from error

    def _read(self) -> tuple[list[Record], int]:
        data = self.path.read_bytes()
        records, good = _scan(data, self.path)
        torn = data[good:]
        if torn:
            with self.path.with_suffix(".torn").open("ab") as aside:
                aside.write(torn + b"\n")
                aside.flush()
                os.fsync(aside.fileno())
            os.ftruncate(self._fd, good)
            os.fsync(self._fd)
        self._size = good
        self._sync_folder()
        return records, len(torn)

    def _sync_folder(self) -> None:
        folder = os.open(self.path.parent, os.O_RDONLY | os.O_DIRECTORY)
        try:
            os.fsync(folder)
        finally:
            os.close(folder)

    @property
    def seq(self) -> int:
        """Number of the last record; 0 when there is none."""
        return len(self.records)

    async def append(
        self, events: Sequence[dict[str, Any]], *, device: DeviceTime | None, wall_ms: int
    ) -> list[Record]:
        """Write `events` as records and return them once they are on disk.

        Callers take turns: the next append begins when the last one has returned.

        Raises:
            JournalError: The disk refused; nothing was added, and the same may be tried again.
        """
        prev = self.records[-1].digest if self.records else GENESIS
        lines: list[bytes] = []
        added: list[Record] = []
        for number, event in enumerate(events, start=self.seq + 1):
            draft = Record(number, self.host_boot, wall_ms, device, dict(event), "")
            line, prev = _encode(draft, prev)
            lines.append(line)
            added.append(Record(number, self.host_boot, wall_ms, device, dict(event), prev))
        await asyncio.get_running_loop().run_in_executor(self._writer, self._write, b"".join(lines))
        self.records.extend(added)
        return added

    def _write(self, data: bytes) -> None:
        try:
            if os.fstat(self._fd).st_size != self._size:
                # An earlier write failed half way, and so did taking it back.
                os.ftruncate(self._fd, self._size)
            written = 0
            while written < len(data):
                written += os.write(self._fd, data[written:])
            os.fsync(self._fd)
        except OSError as error:
            with contextlib.suppress(OSError):
                os.ftruncate(self._fd, self._size)
            raise JournalError(f"{self.path}: the journal cannot be written: {error.strerror}") from error
        self._size += len(data)

    def close(self) -> None:
        """Finish what is being written and let the journal go; may be called twice."""
        if not self._closed:
            self._closed = True
            self._writer.shutdown(wait=True)
            os.close(self._fd)
