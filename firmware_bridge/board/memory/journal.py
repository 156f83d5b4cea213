"""The journal: what was decided at one board, durable before anybody hears of it.

One file of JSON lines, appended only. Every record carries the hash of the one before it, so a
line cannot be changed, dropped or slipped in without the chain telling where.

A power cut may leave a record half written after the last whole one. Such a tail has no end of
line, or is nothing but zeros: it is cut off when the journal is opened, and kept beside it
(`.torn`), for nothing is thrown away. Whatever else is no record is damage, or not ours at all: the
journal says so, changes nothing and stays closed.

`append` returns once the bytes are on disk, under the journal's own name: a journal that somebody
deleted, replaced or emptied meanwhile is written whole again first. The writing and the fsync
happen in a thread of the journal's own, so the loop that serves the board never waits for a card.
"""

from __future__ import annotations

import asyncio
import contextlib
import fcntl
import hashlib
import json
import logging
import os
import stat
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import astuple
from pathlib import Path
from typing import Any, Self

from firmware_bridge.board.memory.rows import DeviceTime, Record

GENESIS = "0" * 64
"""The `prev` of the first record."""

HEAD = b'{"device":'
"""How every record begins: its keys are sorted."""

_OPEN = os.O_RDWR | os.O_CREAT | os.O_APPEND | os.O_CLOEXEC

log = logging.getLogger(__name__)


class JournalError(OSError):
    """Raised when the journal cannot be opened, trusted or written; the message names the file."""


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


def records_in(data: bytes, path: Path) -> tuple[list[Record], int]:
    """Return the whole records at the front of `data`, and how many bytes they take.

    Raises:
        JournalError: What follows them is no torn tail.
    """
    records: list[Record] = []
    good = 0
    prev = GENESIS
    while good < len(data):
        end = data.find(b"\n", good)
        line = data[good:] if end < 0 else data[good:end]
        try:
            record = _decode(line, prev, len(records) + 1, whole=end >= 0)
        except (ValueError, RecursionError) as error:
            if _is_torn(data[good:], first=not records):
                break
            raise JournalError(_damage(data[good:], path, len(records) + 1, str(error))) from error
        records.append(record)
        prev = record.digest
        good = end + 1
    return records, good


def _is_torn(rest: bytes, *, first: bool) -> bool:
    """Tell whether a power cut may have left `rest` where record number one or a later one was due."""
    if b"\n" in rest:
        return False
    return rest[: len(HEAD)] == HEAD[: len(rest)] if first else True


def _damage(rest: bytes, path: Path, number: int, why: str) -> str:
    """Say what is wrong with the record at the front of `rest`, and what people can do about it."""
    after = rest.partition(b"\n")[2]
    told = f"{path}: record {number} is damaged ({why})"
    if number == 1:
        return (
            f"{told}, so this is no journal of a board, or nothing in it can be trusted. "
            "Move the file aside and start the board again."
        )
    if any(_looks_whole(line) for line in after.split(b"\n")):
        return (
            f"{told} and whole records follow it, so this is no torn tail. "
            "Keep the file for the arbiter, move it aside and start the board again."
        )
    lines = f"line {number}" if not after else f"line {number} and all after it"
    return (
        f"{told}, and it is the last; a power cut does not do this. Keep a copy for the arbiter. "
        f"Removing {lines} goes on from record {number - 1}; then start the board again."
    )


def _looks_whole(line: bytes) -> bool:
    try:
        return "digest" in json.loads(line)
    except (ValueError, TypeError, RecursionError):
        return False


def _read_all(fd: int) -> bytes:
    """Read a file from its beginning.

    Raises:
        OSError: It is a pipe, a device or another thing that is no file, or cannot be read.
    """
    if not stat.S_ISREG(os.fstat(fd).st_mode):
        raise OSError("it is no regular file")
    with open(fd, "rb", closefd=False) as file:
        return file.read()


def _write_all(fd: int, data: bytes) -> None:
    written = 0
    while written < len(data):
        written += os.write(fd, data[written:])
    os.fsync(fd)


def _lock(fd: int, path: Path) -> None:
    try:
        fcntl.flock(fd, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError as error:
        raise JournalError(
            f"{path}: another board process holds this journal. Stop it, or give this board "
            "its own `board.state_dir` or `board.id`."
        ) from error
    except OSError as error:
        raise JournalError(f"{path}: the journal cannot be locked: {error.strerror}") from error


def _refuse_held(path: Path) -> None:
    """Raise JournalError if another process holds the file that stands at `path` now."""
    fd = os.open(path, os.O_RDONLY | os.O_CLOEXEC | os.O_NONBLOCK)
    try:
        _lock(fd, path)
    finally:
        os.close(fd)


def _keep(path: Path, aside: Path) -> None:
    """Let what stands at `path` be found as `aside`, if possible with `path` never missing."""
    try:
        os.link(path, aside, follow_symlinks=False)
    except OSError:  # a folder, or a file system without hard links
        path.replace(aside)


def _sync_folder(path: Path) -> None:
    folder = os.open(path, os.O_RDONLY | os.O_DIRECTORY)
    try:
        os.fsync(folder)
    finally:
        os.close(folder)


def _torn_path(path: Path) -> Path:
    return path.with_suffix(".torn")


def _read_whole(fd: int, path: Path) -> tuple[list[Record], bytes, int]:
    """Return the records of a journal, their bytes, and how many bytes of a torn tail were cut off.

    Raises:
        JournalError: It cannot be read, is damaged, or the tail cannot be kept safe.
    """
    try:
        data = _read_all(fd)
    except OSError as error:
        why = error.strerror or str(error)
        raise JournalError(f"{path}: the journal cannot be read: {why}") from error
    records, good = records_in(data, path)
    torn, torn_path = data[good:], _torn_path(path)
    try:
        if torn:
            with torn_path.open("ab") as aside:
                aside.write(torn + b"\n")
                aside.flush()
                os.fsync(aside.fileno())
            os.ftruncate(fd, good)
            os.fsync(fd)
        _sync_folder(path.parent)
    except OSError as error:
        what = f"{len(torn)} bytes of a half-written record" if torn else "what stands there"
        raise JournalError(
            f"{path}: {what} cannot be kept safe ({error.strerror}: {torn_path}); the journal "
            "is as it was. Make room there and start the board again."
        ) from error
    return records, data[:good], len(torn)


class Journal:
    """An open journal; one process may hold it at a time.

    Attributes:
        records: Everything in it, oldest first.
        host_boot: The number of this start of the board's program, from 1.
        torn_bytes: How many bytes of a torn tail were cut off at opening.
        torn_path: Where they are kept.
        rescues: In words, each time the file was found deleted, replaced or emptied and was written
            whole again, oldest first.
    """

    def __init__(self, path: Path, fd: int, records: list[Record], content: bytes, torn_bytes: int) -> None:
        """Go on behind `records`, which are all that the locked file `fd` holds; see `open`."""
        self.path = path
        self.torn_path = _torn_path(path)
        self.torn_bytes = torn_bytes
        self.records = records
        self.host_boot = 1 + max((record.host_boot for record in records), default=0)
        self.rescues: list[str] = []
        self._fd = fd
        self._content = bytearray(content)
        self._writer = ThreadPoolExecutor(max_workers=1, thread_name_prefix="journal")
        self._closed = False

    @classmethod
    def open(cls, path: Path) -> Self:
        """Open or create the journal at `path`.

        Raises:
            JournalError: It cannot be opened, is held by another process, or is damaged.
        """
        try:
            path.parent.mkdir(parents=True, exist_ok=True)
            fd = os.open(path, _OPEN | os.O_NONBLOCK, 0o644)
        except OSError as error:
            raise JournalError(f"{path}: the journal cannot be opened: {error.strerror}") from error
        try:
            _lock(fd, path)
            return cls(path, fd, *_read_whole(fd, path))
        except BaseException:
            os.close(fd)
            raise

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
            lost = self._lost()
            if lost:
                self._write_anew(lost)
            self._take_back()  # an earlier write failed half way, and so did taking it back
            _write_all(self._fd, data)
        except JournalError:
            raise
        except OSError as error:
            with contextlib.suppress(OSError):
                self._take_back()
            raise JournalError(f"{self.path}: the journal cannot be written: {error.strerror}") from error
        self._content += data

    def _take_back(self) -> None:
        """Cut off what stands after the last record; never lengthen a file that somebody emptied."""
        if os.fstat(self._fd).st_size > len(self._content):
            os.ftruncate(self._fd, len(self._content))

    def _lost(self) -> str:
        """Say in one word what somebody did to the file since the last append; nothing if it is there."""
        held = os.fstat(self._fd)
        try:
            there = self.path.stat()
        except (FileNotFoundError, NotADirectoryError):
            return "deleted"
        if (there.st_dev, there.st_ino) != (held.st_dev, held.st_ino):
            return "replaced"
        return "emptied" if held.st_size < len(self._content) else ""

    def _write_anew(self, lost: str) -> None:
        """Write the whole journal to a new file in the place of the lost one, which is kept if it is there.

        Raises:
            JournalError: Another board process made the file that stands there now.
            OSError: The disk refused; the same may be tried again.
        """
        self.path.parent.mkdir(parents=True, exist_ok=True)
        aside = Path(f"{self.path}.{lost}-{self.host_boot}-{len(self.rescues) + 1}")
        if lost == "replaced":
            _refuse_held(self.path)
        draft = self.path.with_name(self.path.name + ".new")
        draft.unlink(missing_ok=True)
        fd = os.open(draft, _OPEN | os.O_EXCL, 0o644)
        try:
            _lock(fd, self.path)
            _write_all(fd, bytes(self._content))
            if lost != "deleted":
                _keep(self.path, aside)
            draft.replace(self.path)
            _sync_folder(self.path.parent)
        except BaseException:
            os.close(fd)
            draft.unlink(missing_ok=True)
            raise
        os.close(self._fd)
        self._fd = fd
        kept = "" if lost == "deleted" else f"; what stood there is kept as {aside}"
        self.rescues.append(
            f"{self.path} was {lost} while the board was running; "
            f"its {self.seq} records were written again{kept}"
        )
        log.error("%s", self.rescues[-1])

    def close(self) -> None:
        """Finish what is being written and let the journal go; may be called twice."""
        if not self._closed:
            self._closed = True
            self._writer.shutdown(wait=True)
            os.close(self._fd)
