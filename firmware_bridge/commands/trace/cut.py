"""`togyz trace cut`: a piece of a trace that replays by itself."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, BinaryIO

import typer

from firmware_bridge.board.tracing.cutting import CutFacts, Cutter, next_piece
from firmware_bridge.board.tracing.replay import Replay
from firmware_bridge.commands.common import EXIT_FAILED, console, errors_told, fail, later, plural, say
from firmware_bridge.commands.trace.appearing import EXIT_STOPPED, appearing_whole
from firmware_bridge.commands.trace.options import (
    FromOption,
    ToOption,
    TraceFileArgument,
    hole_said,
    length_said,
    said,
    stretch_of,
    time_us,
    watched,
)
from firmware_bridge.trace.errors import TraceError, named
from firmware_bridge.trace.header import TraceHeader
from firmware_bridge.trace.reader import Hole, TraceReader
from firmware_bridge.trace.writer import TraceWriter


def cut(
    file: TraceFileArgument,
    out: Annotated[Path, typer.Argument(help=later("trace.cut.out"), metavar="OUT")],
    *,
    first: FromOption = "",
    last: ToOption = "",
) -> None:
    """Write a stretch of a trace as a trace of its own; say how far its decisions are those of the whole."""
    with errors_told(TraceError), TraceReader.open(file) as reader:
        stretch = stretch_of(reader.header, first, last)
        try:
            with appearing_whole(out) as target:
                facts = cut_to(reader, target, *stretch)
                if facts.hole is not None:
                    fail(hole_said(facts.hole))
                if not facts.samples:
                    raise fail(_nothing_said(reader.header, facts, first))
        except KeyboardInterrupt:
            raise fail(say("trace.cut.stopped"), EXIT_STOPPED) from None
        except FileExistsError:
            raise fail(say("trace.there_already", file=named(out))) from None
        except OSError as error:
            why = error.strerror or error
            raise fail(say("trace.unwritable", file=named(out), why=why), EXIT_FAILED) from error
    _tell(out, reader.header, facts)


def _tell(out: Path, header: TraceHeader, facts: CutFacts) -> None:
    assert facts.from_us is not None, "a piece with samples begins somewhere"
    begins, ends = said(facts.from_us, header), said(facts.to_us, header)
    samples = plural("trace.samples", facts.samples)
    done = say("trace.cut.done", file=named(out), begins=begins, ends=ends, samples=samples)
    console.print(done, soft_wrap=True)
    if facts.last_us is None:
        console.print(say("trace.cut.same"))
    else:
        until = said(facts.last_us, header)
        told = plural("trace.cut.differs", facts.differs, begins=begins, until=until)
        console.print(told, soft_wrap=True, markup=False)


def _nothing_said(header: TraceHeader, facts: CutFacts, first: str) -> str:
    """Return why there is nothing to cut: the trace ends before, or has no sample in between."""
    length_us = facts.to_us - header.begun_us
    if first and facts.hole is None and time_us("--from", first) >= length_us:
        return say("trace.cut.behind", length=length_said(length_us), first=first)
    return say("trace.cut.nothing")


def cut_to(reader: TraceReader, target: BinaryIO, from_us: int, to_us: int) -> CutFacts:
    """Write the piece of a trace between two table times, and return what it came to.

    Raises:
        TraceError: A row says what no board can have written.
        OSError: The disk refuses.
    """
    whole = Replay(reader.header)
    cutter: Cutter | None = None
    facts = CutFacts()
    for taken in next_piece(whole, watched(reader), from_us, to_us):
        if isinstance(taken, Hole):
            facts.hole = taken
        elif cutter is None:
            header = whole.header_now(
                {"of_wall_ms": reader.header.wall_ms, "of_begun_us": reader.header.begun_us}
            )
            cutter = Cutter(header, whole.arrived, TraceWriter.begin(target, header))
        else:
            cutter.take(taken)
    if cutter is None:
        facts.to_us = whole.at_us
        return facts
    cutter.facts.hole = facts.hole
    return cutter.end()
