"""The rows of a trace, and the pieces of bytes they are stored in. Pure; TRACE.md, sections 3 to 5.

A row is a sample, or a JSON object whose `row` says what it is. Consecutive samples share a piece.
Pieces and rows of kinds that are not known are skipped: a later version adds some.
"""

from __future__ import annotations

import json
import math
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

LONGEST_WHOLE = 20
"""Most characters of a whole number of 64 bits."""

DEEPEST = 100
"""How deep values may stand in values; evidence has five."""

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
            yield _told(object_in(body))


def _told(row: dict[str, Any]) -> dict[str, Any]:
    """Return a row that says what it is, and that can be counted and compared if it tells of events.

    Raises:
        ValueError: It does not.
    """
    if not isinstance(row.get("row"), str):
        raise ValueError("an object that does not say what row it is")  # noqa: TRY004 - one class, as in `object_in`
    if row["row"] == STEP:
        events = row.get("events")
        if not isinstance(events, list) or not all(isinstance(event, dict) for event in events):
            raise ValueError("a row `step` whose events are no list of objects")
    return row


def object_in(body: bytes) -> dict[str, Any]:
    """Return the JSON object in some bytes; `canonical` can write it again.

    Raises:
        ValueError: There is none, or it holds what no trace does: a number that is none or needs more than
            64 bits, or a letter that is none.
    """
    try:
        found = json.loads(body.decode(), parse_constant=_finite, parse_float=_finite, parse_int=_whole)
        if b"\\u" in body:
            canonical(found).encode()  # half a letter can be written as an escape only
        if body.count(b"[") + body.count(b"{") > DEEPEST and _deeper(found, DEEPEST):
            raise RecursionError  # noqa: TRY301 - what reads and writes it again may stand deeper than we do
    except RecursionError as error:
        raise ValueError("nested too deep") from error
    if not isinstance(found, dict):
        raise ValueError("no JSON object")  # noqa: TRY004 - one class for every way bytes can be bad
    return found


def _deeper(value: object, most: int) -> bool:
    """Whether values stand in values more than so many deep."""
    level = [value]
    for _ in range(most):
        level = [
            inner
            for outer in level
            for inner in (
                outer.values() if isinstance(outer, dict) else outer if isinstance(outer, list) else ()
            )
        ]
        if not level:
            return False
    return True


def _finite(text: str) -> float:
    number = float(text)
    if not math.isfinite(number):
        raise ValueError(f"{text:.40} is no number")
    return number


def _whole(text: str) -> int:
    number = int(text) if len(text) <= LONGEST_WHOLE else 1 << 64
    if not -(1 << 63) <= number < 1 << 64:
        raise ValueError(f"{text:.40} needs more than 64 bits")
    return number
