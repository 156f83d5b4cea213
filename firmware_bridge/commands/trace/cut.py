"""`togyz trace cut`: a piece of a trace that replays by itself."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Annotated, BinaryIO

import typer

from firmware_bridge.board.tracing.cutting import CutFacts, Cutter, first_sample_us, next_piece
from firmware_bridge.board.tracing.replay import Replay
from firmware_bridge.commands.common import EXIT_FAILED, console, fail, later, plural, reason_said, say
from firmware_bridge.commands.trace.appearing import EXIT_STOPPED, appearing_whole
from firmware_bridge.commands.trace.options import (
    FromOption,
    ToOption,
    TraceFileArgument,
    hole_said,
    nothing_said,
    said,
    stretch_of,
    trace_errors_told,
    watched,
)
from firmware_bridge.trace.errors import named
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
    with trace_errors_told(file), TraceReader.open(file) as reader:
        stretch = stretch_of(reader.header, first, last)
        try:
            with appearing_whole(out) as target:
                facts = cut_to(reader, target, *stretch)
                if facts.hole is not None:
                    fail(hole_said(facts.hole))
                if not facts.samples:
                    raise fail(nothing_said(reader.header, facts.reached_us, facts.hole, first))
        except KeyboardInterrupt:
            raise fail(say("trace.cut.stopped"), EXIT_STOPPED) from None
        except FileExistsError:
            raise fail(say("trace.there_already", file=named(out))) from None
        except OSError as error:
            raise fail(
                say("trace.unwritable", file=named(out), why=reason_said(error)), EXIT_FAILED
            ) from error
    _tell(out, reader.header, facts)


def _tell(out: Path, header: TraceHeader, facts: CutFacts) -> None:
    assert facts.from_us is not None, "a piece with samples begins somewhere"
    begins, ends = said(facts.from_us, header), said(facts.to_us, header)
    samples = plural("trace.samples", facts.samples)
    done = say("trace.cut.done", file=named(out), begins=begins, ends=ends, samples=samples)
    console.print(done, soft_wrap=True)
    if facts.hole is not None and not facts.hole.tail:
        console.print(say("trace.cut.ends_early", ends=ends), soft_wrap=True)
    if facts.last_us is None:
        console.print(say("trace.cut.same"))
        return
    # A piece from the very beginning cannot be cut earlier: what it decides otherwise, this program does.
    key = later("trace.cut.whole_differs") if facts.whole else later("trace.cut.differs")
    told = plural(key, facts.differs, begins=begins, until=said(facts.last_us, header))
    console.print(told, soft_wrap=True, markup=False)


def cut_to(reader: TraceReader, target: BinaryIO, from_us: int, to_us: int) -> CutFacts:
    """Write the piece of a trace between two table times, and return what it came to.

    One that begins before the first sample holds everything from the beginning, and its header is that of
    the whole.

    Raises:
        TraceError: A row says what no board can have written.
        OSError: The disk refuses.
    """
    whole = Replay(reader.header)
    cut = {"of_wall_ms": reader.header.wall_ms, "of_begun_us": reader.header.begun_us}
    starts_us = first_sample_us(reader.rows())
    cutter: Cutter | None = None
    facts = CutFacts()
    if starts_us is None or from_us <= starts_us:
        from_us = 0
        header = replace(reader.header, cut=cut)
        cutter = Cutter(header, None, TraceWriter.begin(target, header))
        cutter.facts.whole = True
    for taken in next_piece(whole, watched(reader), from_us, to_us):
        if isinstance(taken, Hole):
            facts.hole = taken
        elif cutter is None:
            header = whole.header_now(cut)
            cutter = Cutter(header, whole.arrived, TraceWriter.begin(target, header))
        else:
            cutter.take(taken)
    if cutter is not None:
        cutter.facts.hole = facts.hole
        facts = cutter.end()
    facts.reached_us = whole.at_us
    return facts
