"""What the verbs share: the file, the stretch of time, and how times are said."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Annotated

import typer
from rich.progress import BarColumn, Progress, TaskProgressColumn, TimeRemainingColumn

from firmware_bridge.commands.common import (
    code_said,
    complaints,
    fail,
    harmless,
    later,
    plural,
    reason_said,
    say,
)
from firmware_bridge.layout import is_kazan, owner_of
from firmware_bridge.trace.blocks import VERSION, BlockError, Damage
from firmware_bridge.trace.errors import NoTrace, TraceError, named
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


@contextmanager
def trace_errors_told(file: Path) -> Iterator[None]:
    """Turn a file that cannot be used as a trace into one line and an exit code.

    The usual reasons are told in the language. What only a program can have got wrong is told as it is.
    """
    try:
        yield
    except TraceError as error:
        if error.why is None:
            raise fail(str(error)) from error
        cause = error.__cause__
        why = code_said("damage", cause.damage) if isinstance(cause, BlockError) else reason_said(cause)
        raise fail(say(_NO_TRACE[error.why], file=named(file), why=why, form=VERSION)) from error


_NO_TRACE = {
    NoTrace.UNREADABLE: later("trace.no.unreadable"),
    NoTrace.NO_FILE: later("trace.no.no_file"),
    NoTrace.OTHER: later("trace.no.other"),
    NoTrace.NEWER: later("trace.no.newer"),
    NoTrace.HEADER: later("trace.no.header"),
}


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
    why = code_said("damage", hole.damage)
    if hole.damage is Damage.MEANING:  # a program wrote it so, and who mends programs wants to know how
        why = f"{why}: {hole.why}"
    if hole.tail:
        return say("trace.torn", offset=hole.offset, size=hole.size, why=why)
    lost = plural("trace.blocks", hole.blocks or 0)
    return say("trace.hole", offset=hole.offset, size=hole.size, why=why, lost=lost)


def nothing_said(header: TraceHeader, reached_us: int, hole: Hole | None, first: str) -> str:
    """Return why there is nothing in a stretch: it lies behind damage, behind the end, or between two rows.

    Args:
        header: Of the trace.
        reached_us: Table time up to which it could be taken again.
        hole: What ended it there; None: its end.
        first: What `--from` said; nothing without it.
    """
    length_us = reached_us - header.begun_us
    behind = bool(first) and time_us("--from", first) >= length_us
    if hole is not None and not hole.tail:
        return say("trace.behind_damage", at=said(reached_us, header))
    if behind:
        return say("trace.cut.behind", length=length_said(length_us), first=first)
    return say("trace.cut.nothing")
