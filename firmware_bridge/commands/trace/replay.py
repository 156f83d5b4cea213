"""`togyz trace replay`: every decision taken again, and compared bit for bit."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Annotated, Any

import typer

from firmware_bridge import __version__
from firmware_bridge.board.tracing.replay import Replay, Taken, taken_again
from firmware_bridge.commands.common import (
    EXIT_FAILED,
    console,
    fail,
    harmless,
    later,
    plural,
    say,
)
from firmware_bridge.commands.status import sensed_said
from firmware_bridge.commands.trace.options import (
    FromOption,
    ToOption,
    TraceFileArgument,
    hole_said,
    nothing_said,
    place_said,
    said,
    stretch_of,
    trace_errors_told,
    watched,
)
from firmware_bridge.commands.trace.words import event_said, hand_said, refusal_said, remark_said
from firmware_bridge.trace.header import TraceHeader
from firmware_bridge.trace.reader import Ending, Hole, TraceReader
from firmware_bridge.trace.rows import STEP, WATCH, canonical
from rules.game import event_from_json
from sensors.readings import ReadingState
from sensors.samples import RawSample

MOST_PLACES = 6
"""Places that two hands can be on; more of them move when a device has just arrived or the table shakes."""


@dataclass(slots=True)
class _Tally:
    """What a replay came to in the stretch that was asked for."""

    inputs: int = 0
    samples: int = 0
    decisions: int = 0
    differs: int = 0
    first: Taken | None = None
    hole: Hole | None = None
    last_us: int = 0

    def take(self, taken: Taken) -> None:
        """Count one input."""
        self.inputs += 1
        self.samples += isinstance(taken.row, RawSample)
        self.decisions += any(row["row"] == STEP for row in taken.found)
        self.last_us = taken.at_us
        if not taken.same:
            self.differs += 1
            self.first = self.first or taken


def replay(
    file: TraceFileArgument,
    *,
    first: FromOption = "",
    last: ToOption = "",
    verdicts: Annotated[bool, typer.Option("--verdicts", help=later("trace.replay.verdicts"))] = False,
    hands: Annotated[bool, typer.Option("--hands", help=later("trace.replay.hands"))] = False,
) -> None:
    """Take every decision of a trace again; exit with code 1 if one is different."""
    tally = _Tally()
    with trace_errors_told(file), TraceReader.open(file) as reader:
        header = reader.header
        from_us, to_us = stretch_of(header, first, last)
        again = Replay(header)
        for taken in taken_again(again, watched(reader)):
            if isinstance(taken, Hole):
                tally.hole = taken
            elif not isinstance(taken, Ending):
                if taken.at_us > to_us:
                    break
                if taken.at_us >= from_us:
                    tally.take(taken)
                    _show(taken, again, verdicts=verdicts, hands=hands)
    if not tally.inputs and first:
        if tally.hole is not None:
            fail(hole_said(tally.hole))
        raise fail(nothing_said(header, again.at_us, tally.hole, first))
    _tell(header, tally)
    if tally.first is not None or (tally.hole is not None and not tally.hole.tail):
        raise typer.Exit(EXIT_FAILED)


def _tell(header: TraceHeader, tally: _Tally) -> None:
    if tally.hole is not None:
        fail(hole_said(tally.hole))
        if not tally.hole.tail:
            fail(say("trace.replay.until_hole"))
    counted = ", ".join((plural("trace.samples", tally.samples), plural("trace.decisions", tally.decisions)))
    if tally.first is None:
        console.print(
            say("trace.replay.same", counted=counted, until=said(tally.last_us, header)), soft_wrap=True
        )
        return
    taken = tally.first
    fail(plural("trace.replay.differs", tally.differs, counted=counted, at=said(taken.at_us, header)))
    then = say("trace.replay.then", software=header.software)
    now = say("trace.replay.now", software=f"togyz-bridge {__version__}")
    for title, rows in ((then, taken.due), (now, taken.found)):
        lines = [canonical(row) for row in rows or ()] or [say("trace.replay.nothing")]
        console.print(harmless(title), style="bold", markup=False, soft_wrap=True)
        for line in lines:
            console.print(f"  {harmless(line)}", markup=False, soft_wrap=True)


def _show(taken: Taken, again: Replay, *, verdicts: bool, hands: bool) -> None:
    """Print what hands were seen to do, and what an input changed; as asked for."""
    told = [hand_said(event) for event in taken.hands] if hands else []
    if verdicts:
        told += _verdicts(taken, again)
    mark = "" if taken.same else "  !"
    for words in told:
        console.print(
            f"{said(taken.at_us, again.header):>13}{mark}  {harmless(words)}", markup=False, soft_wrap=True
        )


def _verdicts(taken: Taken, again: Replay) -> list[str]:
    """Return what an input changed: how the board looks, and what was decided."""
    told: list[str] = []
    for row in taken.found:
        if row["row"] == WATCH:
            seating = again.session.seating
            remarks = again.session.watch.notes  # the row holds no more of them than their English words
            notes = "; ".join([remark_said(note, seating) for note in remarks] or _unquiet(taken, again))
            codes = [{"code": note.code} for note in remarks]
            told.append(sensed_said(row["sensed"], codes) + (f" ({notes})" if notes else ""))
        elif row["row"] == STEP:
            told += [f"=> {event_said(event_from_json(event))}" for event in row["events"]]
            if row["refusal"]:
                told.append(f"=> {refusal_said(row)}")
    if isinstance(taken.row, Mapping) and not told:
        told.append(_row_said(taken.row))
    return told


def _unquiet(taken: Taken, again: Replay) -> list[str]:
    """Return the places that are not at rest, in words; none where it is no hand but the whole board."""
    if taken.look is None:
        return []
    channels = again.session.seating.channel_of_place
    readings = [taken.look.channels[channel] for channel in channels]
    found = [place for place, reading in enumerate(readings) if reading.state is not ReadingState.QUIET]
    return [place_said(place) for place in found] if len(found) <= MOST_PLACES else []


def _row_said(row: Mapping[str, Any]) -> str:
    more = " ".join(f"{key}={value}" for key, value in row.items() if key not in ("row", "at_us"))
    return f"{row.get('row')} {more}"
