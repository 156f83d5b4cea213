"""Reads a trace as a stream, in the memory of one block; what is damaged is named, and reading goes on."""

from __future__ import annotations

import io
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from types import TracebackType
from typing import Any, BinaryIO, Self

from firmware_bridge.trace.blocks import (
    END,
    HEAD_BYTES,
    HEADER,
    PREFACE,
    ROWS,
    SYNC,
    VERSION,
    BlockError,
    Damage,
    Head,
    decode_head,
    decode_payload,
)
from firmware_bridge.trace.errors import NewerTraceError, NoTrace, TraceError, named
from firmware_bridge.trace.header import TraceHeader, header_from_json
from firmware_bridge.trace.rows import Row, object_in, unpack_rows

WINDOW = 1 << 16
"""Bytes looked through at a time for the next block behind damage."""

PATIENCE = 8
"""How many times the file's own size is read at most while whole blocks are looked for behind damage. A file
made of nothing but heads that promise much would take for ever otherwise."""


@dataclass(frozen=True, slots=True)
class Hole:
    """Bytes that could not be read.

    Attributes:
        offset: Where they begin in the file.
        size: How many there are.
        why: What is wrong with them, in words.
        tail: Nothing readable follows: the end was torn off, or is being written just now.
        blocks: How many blocks are missing; None at the end, where nobody knows.
        another: Nothing is damaged: another trace begins here, and is not read.
        damage: What `why` says, as a code.
    """

    offset: int
    size: int
    why: str
    tail: bool
    blocks: int | None
    another: bool = False
    damage: Damage = Damage.NO_BLOCK


@dataclass(frozen=True, slots=True)
class Ending:
    """The trace was closed on purpose; `told` says why, and what a cut found."""

    told: Mapping[str, Any]


class TraceReader:
    """An open trace; a context manager, which names the file in every `TraceError` raised while it is open.

    Attributes:
        path: The file.
        name: The same for messages.
        header: What stood fast when it began.
        size: Bytes of the file when it was opened.
        offset: How far `rows` has come.
    """

    def __init__(self, path: Path, file: BinaryIO, size: int, header: TraceHeader) -> None:
        """Read on from behind the header, where `file` stands; see `open`."""
        self.path = path
        self.name = named(path)
        self.size = size
        self.header = header
        self.offset = 0
        self._file = file
        self._first = file.tell()

    @classmethod
    def open(cls, path: Path) -> Self:
        """Open a trace and read its header.

        Raises:
            NewerTraceError: A later program wrote it.
            TraceError: It cannot be read, is no trace, or its header is damaged.
        """
        name = named(path)
        try:
            if path.exists() and not path.is_file():
                raise TraceError(f"{name}: is no file; name a trace", NoTrace.NO_FILE)
            file = path.open("rb")
        except OSError as error:
            raise TraceError(f"{name}: cannot be read: {error.strerror}", NoTrace.UNREADABLE) from error
        try:
            size = file.seek(0, io.SEEK_END)
            file.seek(0)
            return cls(path, file, size, _read_header(file, name))
        except BaseException:
            file.close()
            raise

    def __enter__(self) -> Self:
        """Give itself."""
        return self

    def __exit__(
        self, _kind: type[BaseException] | None, error: BaseException | None, _trace: TracebackType | None
    ) -> None:
        """Close the file.

        Raises:
            TraceError: In place of one that does not name the file: who judges rows does not know it.
        """
        self._file.close()
        if isinstance(error, TraceError) and not str(error).startswith(f"{self.name}: "):
            raise type(error)(f"{self.name}: {error}", error.why) from error

    def rows(self) -> Iterator[Row | Hole | Ending]:
        """Yield everything behind the header, in order, from the first block again each time it is called."""
        offset, due = self._first, 1
        while offset < self.size:
            self.offset = offset
            try:
                head, payload = _block_at(self._file, offset)
                rows = list(unpack_rows(payload)) if head.kind == ROWS else []
                ending = Ending(object_in(payload)) if head.kind == END else None
            except ValueError as error:
                after, head_after = self._next_block(offset + 1)
                if head_after is not None and head_after.kind == HEADER:
                    yield from self._joined(offset, after, error)
                    return
                missing = None if head_after is None else max(1, head_after.number - due)
                tail = head_after is None
                yield Hole(offset, after - offset, str(error), tail, missing, damage=_damage(error))
                offset, due = after, due if head_after is None else head_after.number
                continue
            if head.kind == HEADER:
                yield from self._joined(offset, offset)
                return
            offset = self._file.tell()
            if head.number != due:
                yield Hole(
                    offset,
                    0,
                    f"block {due} is missing, number {head.number} follows",
                    tail=False,
                    blocks=max(1, head.number - due),
                    damage=Damage.MISSING,
                )
            due = head.number + 1
            yield from rows
            if ending is not None:
                yield ending

    def _joined(self, offset: int, header_at: int, error: ValueError | None = None) -> Iterator[Hole]:
        """Yield what lies between `offset` and another trace with this header, and that one as a whole."""
        begins = max(offset, header_at - len(PREFACE) - 1)
        self._file.seek(begins)
        if self._file.read(len(PREFACE)) != PREFACE:
            begins = header_at
        if begins > offset:
            why, damage = str(error or ""), _damage(error)
            yield Hole(offset, begins - offset, why, tail=True, blocks=None, damage=damage)
        yield Hole(
            begins, self.size - begins, "another trace begins here", tail=True, blocks=None, another=True
        )

    def _next_block(self, offset: int) -> tuple[int, Head | None]:
        """Return where the next whole block begins from `offset` on; the end of the file without one."""
        budget = PATIENCE * self.size
        while offset < self.size and budget > 0:
            self._file.seek(offset)
            window = self._file.read(WINDOW)
            budget -= len(window)
            found = window.find(SYNC)
            if found < 0:
                # The last three bytes may be the beginning of the mark.
                offset += max(1, len(window) - len(SYNC) + 1)
                continue
            offset += found
            try:
                head, payload = _block_at(self._file, offset)
            except ValueError:
                budget -= self._file.tell() - offset
                offset += 1
                continue
            del payload
            return offset, head
        return self.size, None


def _damage(error: ValueError | None) -> Damage:
    """Return what an error says of a block; a whole one that makes no sense was written wrongly."""
    return error.damage if isinstance(error, BlockError) else Damage.MEANING


def _read_header(file: BinaryIO, name: str) -> TraceHeader:
    """Return the header of a trace that stands at its beginning; it then stands behind the header.

    Raises:
        NewerTraceError: A later program wrote it.
        TraceError: It is no trace, or its header is damaged.
    """
    front = file.read(len(PREFACE) + 1)
    if len(front) <= len(PREFACE) or front[: len(PREFACE)] != PREFACE:
        raise TraceError(
            f"{name}: this is no trace of a board; `togyz trace record` makes one", NoTrace.OTHER
        )
    if front[-1] > VERSION:
        raise NewerTraceError(
            f"{name}: a trace of form {front[-1]}, this program reads form {VERSION}; "
            "take a later version of togyz",
            NoTrace.NEWER,
        )
    try:
        head, payload = _block_at(file, file.tell())
        if head.kind != HEADER:
            raise ValueError("its first block is no header")  # noqa: TRY301 - all that is wrong is told alike
        found = object_in(payload)
    except ValueError as error:
        raise TraceError(
            f"{name}: the header is damaged ({error}); without it nothing can be replayed",
            NoTrace.HEADER,
        ) from error
    return header_from_json(found, name)


def _block_at(file: BinaryIO, offset: int) -> tuple[Head, bytes]:
    """Return the block at `offset`; the file then stands behind it.

    Raises:
        ValueError: No whole block is there.
    """
    file.seek(offset)
    head = decode_head(file.read(HEAD_BYTES))
    return head, decode_payload(head, file.read(head.stored))
