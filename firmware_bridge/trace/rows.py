"""The rows of a trace, and the pieces of bytes they are stored in. Pure; TRACE.md, sections 3 to 5.

A row is a sample, or a JSON object whose `row` says what it is. Consecutive samples share a piece.
Pieces and rows of kinds that are not known are skipped: a later version adds some.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping
from itertools import groupby
from typing import Any

from firmware_bridge.trace.columns import MOST_SAMPLES, Cursor, pack_samples, put_number, unpack_samples
from sensors.samples import RawSample

SAMPLES, TOLD = 1, 2
"""Kinds of piece."""

ARRIVED, PRESS, GONE, TROUBLE, COMMAND = "arrived", "press", "gone", "trouble", "command"
"""Rows that are inputs, as the samples are."""

STEP, WATCH = "step", "watch"
"""Rows that tell what the input before them led to."""

LET_GO, RESTORED, FAULT = "let_go", "restored", "fault"
"""Rows that only explain."""

Told = Mapping[str, Any]
Row = RawSample | Told


def canonical(value: object) -> str:
    """Return JSON as one text: the same value, floats included, is always the same text."""
    return json.dumps(value, ensure_ascii=False, sort_keys=True, separators=(",", ":"), allow_nan=False)


def pack_rows(rows: Iterable[Row]) -> bytes:
    """Return the payload of a block of rows."""
    out = bytearray()
    for channels, group in groupby(rows, key=lambda row: len(row.raw) if isinstance(row, RawSample) else -1):
        run = list(group)
        if channels < 0:
            for row in run:
                _put_piece(out, TOLD, canonical(row).encode())
            continue
        for first in range(0, len(run), MOST_SAMPLES):
            _put_piece(out, SAMPLES, pack_samples(run[first : first + MOST_SAMPLES]))  # type: ignore[arg-type] # a run of one kind
    return bytes(out)


def _put_piece(out: bytearray, kind: int, body: bytes) -> None:
    put_number(out, kind)
    put_number(out, len(body))
    out += body


def unpack_rows(payload: bytes) -> Iterator[Row]:
    """Yield the rows of a block.

    Raises:
        ValueError: The block is whole, yet its content has no meaning: a program wrote it wrongly.
    """
    cursor = Cursor(payload)
    while not cursor.done:
        kind, body = cursor.number(), cursor.take(cursor.number())
        if kind == SAMPLES:
            yield from unpack_samples(body)
        elif kind == TOLD:
            yield object_in(body)


def object_in(body: bytes) -> dict[str, Any]:
    """Return the JSON object in some bytes.

    Raises:
        ValueError: There is none.
    """
    try:
        found = json.loads(body)
    except RecursionError as error:
        raise ValueError("nested too deep") from error
    if not isinstance(found, dict):
        raise ValueError("no JSON object")  # noqa: TRY004 - one class for every way bytes can be bad
    return found
