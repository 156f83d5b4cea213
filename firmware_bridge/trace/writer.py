"""Writes a trace block by block; knows no thread and no clock, so it serves a board and a cut alike."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any, BinaryIO, Self

from firmware_bridge.trace.blocks import END, HEADER, PREFACE, ROWS, VERSION, encode_block
from firmware_bridge.trace.header import TraceHeader, header_to_json
from firmware_bridge.trace.rows import Row, canonical, pack_rows


class TraceWriter:
    """An open trace.

    Attributes:
        size: Bytes written so far.
    """

    def __init__(self, file: BinaryIO, grows: Callable[[int], None] | None = None) -> None:
        """Write to `file`, where nothing stands yet; see `begin`."""
        self._file = file
        self._grows = grows
        self._blocks = 0
        self.size = 0

    @classmethod
    def begin(cls, file: BinaryIO, header: TraceHeader, grows: Callable[[int], None] | None = None) -> Self:
        """Begin a trace in `file`, which stays the caller's to close.

        Args:
            file: Where it goes.
            header: What it begins with.
            grows: Is told before anything is written how many bytes the file will have.

        Raises:
            OSError: The disk refuses.
        """
        writer = cls(file, grows)
        writer._put(PREFACE + bytes([VERSION]))
        writer._block(HEADER, canonical(header_to_json(header)).encode())
        return writer

    def write(self, rows: Sequence[Row]) -> None:
        """Append rows as one block, on its way to the disk when this returns.

        Raises:
            OSError: The disk refuses; what was written before stays readable.
        """
        self._block(ROWS, pack_rows(rows))

    def end(self, why: str, more: Mapping[str, Any] | None = None) -> None:
        """Say that the trace ends here on purpose, and why: `asked`, `time`, `size`, `stopped` or `cut`.

        Raises:
            OSError: The disk refuses.
        """
        self._block(END, canonical({"why": why, **(more or {})}).encode())

    def _block(self, kind: int, payload: bytes) -> None:
        self._put(encode_block(kind, self._blocks, payload))
        self._blocks += 1

    def _put(self, data: bytes) -> None:
        if self._grows is not None:
            self._grows(self.size + len(data))
        self._file.write(data)
        self._file.flush()
        self.size += len(data)
