"""What the verbs share: the file, the stretch of time, and how times are said."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Annotated

import typer
from rich.progress import BarColumn, Progress, TaskProgressColumn, TimeRemainingColumn

from firmware_bridge.commands.common import code_said, complaints, fail, harmless, later, plural, say
from firmware_bridge.layout import is_kazan, owner_of
from firmware_bridge.trace.header import TraceHeader
from firmware_bridge.trace.reader import Ending, Hole, TraceReader
from firmware_bridge.trace.rows import Row
from rules.control_text import parse_time
from rules.errors import TimeControlError
from rules.position import number_of

TraceFileArgument = Annotated[Path, typer.Argument(help=later("trace.file"), metavar="FILE")]
FromOption = Annotated[str, typer.Option("--from", help=later("trace.from"), show_default=False)]
ToOption = Annotated[str, typer.Option("--to", help=later("trace.to"), show_default=False)]

FOREVER_US = 1 << 62
"""Later than any table time."""


def stretch_of(header: TraceHeader, first: str, last: str) -> tuple[int, int]:
    """Return the table times that `--from` and `--to` mean; all of the trace where they say nothing."""
    from_us = header.begun_us + time_us("--from", first) if first else 0
    to_us = header.begun_us + time_us("--to", last) if last else FOREVER_US
    if first and from_us >= to_us:
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


def length_said(length_us: int) -> str:
    """Return how long something lasted in whole seconds: `1:02:03`."""
    seconds = round(length_us / 1e6)
    return f"{seconds // 3600}:{seconds // 60 % 60:02d}:{seconds % 60:02d}"


def watched(reader: TraceReader) -> Iterator[Row | Hole | Ending]:
    """Yield the rows of a trace; a person at a terminal sees how far it has come."""
    if not complaints.is_terminal:
        yield from reader.rows()
        return
    with Progress(
        BarColumn(), TaskProgressColumn(), TimeRemainingColumn(), console=complaints, transient=True
    ) as bar:
        task = bar.add_task("", total=reader.size)
        for row in reader.rows():
            if reader.offset != bar.tasks[0].completed:
                bar.update(task, completed=reader.offset)
            yield row


def place_said(place: int) -> str:
    """Return the name of a place: a side with the number of its pit, or its kazan."""
    side = code_said("side", owner_of(place).value)
    if is_kazan(place):
        return say("wrong.kazan", side=side)
    return say("wrong.pit", side=side, n=number_of(place))


def hole_said(hole: Hole) -> str:
    """Return where a trace is damaged, and how much is lost; or that another one begins there."""
    if hole.another:
        return say("trace.another", offset=hole.offset)
    if hole.tail:
        return say("trace.torn", offset=hole.offset, size=hole.size, why=hole.why)
    lost = plural("trace.blocks", hole.blocks or 0)
    return say("trace.hole", offset=hole.offset, size=hole.size, why=hole.why, lost=lost)
