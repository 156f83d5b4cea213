"""A small trace of everything that the form knows, as bytes, and a header for it.

It is for readers and writers of the form, and stands in `golden/small.trace` as the first version wrote it.
It cannot be replayed and is not meant to be: its game begins in the middle, and its samples have two and
three channels. What replays are the traces of `tests/firmware_bridge/board/played.py`, made anew each time.
"""

from __future__ import annotations

import io
from dataclasses import replace
from pathlib import Path
from typing import Any

from firmware_bridge.layout import Wiring
from firmware_bridge.trace.header import TraceHeader
from firmware_bridge.trace.reader import Ending, Hole, TraceReader
from firmware_bridge.trace.rows import Row
from firmware_bridge.trace.writer import TraceWriter
from rules.conduct.options import CLASSICAL, Conducts
from sensors.calibration import Calibration, ChannelCalibration
from sensors.samples import ChannelStatus, RawSample

OK, BAD = ChannelStatus.OK, ChannelStatus.NOT_READY

HEADER = TraceHeader(
    board_id="board-1",
    event_id="event",
    software="togyz-bridge 0.1.0",
    wall_ms=1_700_000_000_000,
    begun_us=5,
    calibration=Calibration("board-1", 1.15, 3.0, (ChannelCalibration(10.5, -2000.25),) * 20),
    wiring=Wiring(),
    start_when_ready=True,
    conducts=Conducts.alike(CLASSICAL),
    events=({"kind": "setup_started", "at_us": 5},),
    evidence={"zeros_g": [0.1, -0.0]},
)

BLOCKS: tuple[tuple[Row, ...], ...] = (
    (
        {"row": "arrived", "at_us": 5, "offset_us": 5, "rate_hz": 80.0, "restarted": False, "time_scale": 1},
        RawSample(1000, (100, -100), (OK, OK)),
        RawSample(13_500, (101, -90_000), (OK, BAD)),
        {"row": "step", "events": [], "effects": [{"do": "show_clock"}], "refusal": "", "refused": ""},
        RawSample(26_000, (99, -90_001), (OK, OK)),
    ),
    ({"row": "gone", "reason": "кабель"},),
    (RawSample(39_000, (7, 8, 9), (OK, OK, OK)),),
)


def small_trace(version_byte: int | None = None, **changes: Any) -> bytes:
    """Return the bytes of a trace: a header, three blocks of rows, an end."""
    file = io.BytesIO()
    writer = TraceWriter.begin(file, replace(HEADER, **changes))
    for rows in BLOCKS:
        writer.write(rows)
    writer.end("asked")
    data = bytearray(file.getvalue())
    if version_byte is not None:
        data[7] = version_byte
    return bytes(data)


def read(path: Path, data: bytes) -> list[Row | Hole | Ending]:
    """Return all that a trace of these bytes says behind its header."""
    path.write_bytes(data)
    with TraceReader.open(path) as reader:
        return list(reader.rows())


def rows_of(found: list[Row | Hole | Ending]) -> list[Row]:
    """Return the rows alone."""
    return [row for row in found if not isinstance(row, Hole | Ending)]


ALL_ROWS: list[Row] = [row for rows in BLOCKS for row in rows]
