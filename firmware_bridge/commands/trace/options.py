"""What the verbs share: the file, the stretch of time, and how times are said."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from firmware_bridge.commands.common import fail, harmless, later, plural, say
from firmware_bridge.trace.header import TraceHeader
from firmware_bridge.trace.reader import Hole
from rules.control_text import parse_time
from rules.errors import TimeControlError

TraceFileArgument = Annotated[Path, typer.Argument(help=later("trace.file"), metavar="FILE")]
FromOption = Annotated[str, typer.Option("--from", help=later("trace.from"), show_default=False)]
ToOption = Annotated[str, typer.Option("--to", help=later("trace.to"), show_default=False)]

FOREVER_US = 1 << 62
"""Later than any table time."""


def stretch_of(header: TraceHeader, first: str, last: str) -> tuple[int, int]:
    """Return the table times that `--from` and `--to` mean; all of the trace where they say nothing."""
    from_us = header.begun_us + time_us("--from", first) if first else 0
    to_us = header.begun_us + time_us("--to", last) if last else FOREVER_US
    if from_us >= to_us:
        raise fail(say("trace.empty_stretch", first=first, last=last))
    return from_us, to_us


def time_us(option: str, text: str) -> int:
    """Return a time such as `90s` or `1m30s` in microseconds."""
    try:
        return parse_time(text) * 1000
    except TimeControlError as error:
        raise fail(say("trace.bad_time", option=option, value=harmless(text))) from error


def said(at_us: int, header: TraceHeader) -> str:
    """Return a table time as it is counted from the beginning of the trace: `1:02:03.456`."""
    ms = max(0, at_us - header.begun_us) // 1000
    minutes, seconds = divmod(ms // 1000, 60)
    return f"{minutes // 60}:{minutes % 60:02d}:{seconds:02d}.{ms % 1000:03d}"


def hole_said(hole: Hole) -> str:
    """Return where a trace is damaged, and how much is lost."""
    if hole.tail:
        return say("trace.torn", offset=hole.offset, size=hole.size, why=hole.why)
    lost = plural("trace.blocks", hole.blocks or 0)
    return say("trace.hole", offset=hole.offset, size=hole.size, why=hole.why, lost=lost)
