"""`togyz trace info`: what is in a trace."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Annotated, Any

import typer

from firmware_bridge.board.inputs import DeviceArrived
from firmware_bridge.board.tracing.trace_rows import input_of
from firmware_bridge.commands.common import code_said, console, harmless, later, plural, say
from firmware_bridge.commands.trace.options import (
    TraceFileArgument,
    hole_said,
    length_said,
    said,
    trace_errors_told,
    watched,
)
from firmware_bridge.commands.trace.words import note_read, remark_said
from firmware_bridge.layout import Seating
from firmware_bridge.trace.facts import TraceFacts
from firmware_bridge.trace.header import TraceHeader
from firmware_bridge.trace.reader import TraceReader
from firmware_bridge.trace.rows import ARRIVED

RATED_US = 60_000_000
"""A trace shorter than this says nothing of how large an hour of it would be: half of it is its header."""

LOST = "…"
"""Stands in a row of moves where some may be lost."""


def info(
    file: TraceFileArgument,
    *,
    as_json: Annotated[bool, typer.Option("--json", help=later("trace.info.json"))] = False,
) -> None:
    """Tell what a trace holds, and what of it is damaged."""
    with trace_errors_told(file), TraceReader.open(file) as reader:
        header = reader.header
        facts = TraceFacts.of(header)
        declared_hz = 0.0
        for row in watched(reader):
            facts.take(row)
            if isinstance(row, Mapping) and row.get("row") == ARRIVED:
                arrived = input_of(row)
                assert isinstance(arrived, DeviceArrived), "a row of an arrival is one"
                declared_hz = arrived.rate_hz or declared_hz
    told = {**facts_of(header, facts, reader.size), "declared_hz": declared_hz or None}
    if as_json:
        typer.echo(json.dumps(told, ensure_ascii=False, indent=2))
        return
    for line in _lines(told, facts, header):
        console.print(harmless(line), markup=False, soft_wrap=True)


def facts_of(header: TraceHeader, facts: TraceFacts, size: int) -> dict[str, Any]:
    """Return what is in a trace as JSON, for programs.

    `seconds` is all the time from its beginning to its last row, `sampled_seconds` what samples cover of it.
    Times ending in `_s` are seconds from the beginning; `until_s` is null for an outage that never ended.
    """
    hours = facts.length_us / 3.6e9
    return {
        "board": header.board_id,
        "event": header.event_id,
        "software": header.software,
        "wall_ms": header.wall_ms,
        "cut": header.cut,
        "bytes": size,
        "bytes_per_hour": round(size / hours) if hours else None,
        "seconds": facts.length_us / 1e6,
        "sampled_seconds": facts.sampled_us / 1e6,
        "samples": facts.samples,
        "rate_hz": round(facts.rate_hz, 3),
        "gaps": facts.gaps,
        **_troubles(header, facts),
        "unmoved": facts.unmoved(header.calibration),
        "faults": {
            str(channel): {status.name.lower(): times for status, times in sorted(found.items(), key=str)}
            for channel, found in sorted(facts.faults.items())
        },
        "arrivals": facts.arrivals,
        "presses": facts.presses,
        "decisions": facts.steps,
        "events": dict(sorted(facts.kinds.items())),
        "plies": len(facts.moves),
        "moves": facts.moves,
        "damage": [
            {
                "offset": hole.offset,
                "bytes": hole.size,
                "blocks": hole.blocks,
                "tail": hole.tail,
                "why": hole.why,
                "plies_before": plies,
            }
            for hole, plies in zip(facts.holes, facts.moves_before, strict=True)
        ],
        "ending": None if facts.ending is None else dict(facts.ending.told),
    }


def _troubles(header: TraceHeader, facts: TraceFacts) -> dict[str, Any]:
    """Return outages, and remarks about places, as JSON."""

    def at_s(at_us: int) -> float:
        return (at_us - header.begun_us) / 1e6

    return {
        "outages": [
            {
                "from_s": at_s(each.from_us),
                "until_s": None if each.until_us is None else at_s(each.until_us),
                "reason": each.reason,
            }
            for each in facts.outages
        ],
        "remarks": [
            {
                "code": each.code,
                "place": each.place,
                "detail": each.detail,
                "from_s": at_s(each.from_us),
                "until_s": at_s(each.until_us),
            }
            for each in facts.remarks.values()
        ],
    }


def _lines(told: dict[str, Any], facts: TraceFacts, header: TraceHeader) -> list[str]:
    length, rate = length_said(facts.length_us), f"{told['rate_hz']:.2f}"
    samples, gaps = plural("trace.samples", facts.samples), plural("trace.gaps", facts.gaps)
    declared = told["declared_hz"]
    decided = ", ".join(
        (
            plural("trace.presses", facts.presses),
            plural("trace.decisions", facts.steps),
            plural("arbiter.plies", len(facts.moves)),
        )
    )
    lines = [
        say("trace.info.board", board=told["board"], event=told["event"], software=told["software"]),
        say("trace.info.length", length=length, samples=samples, rate=rate, gaps=gaps),
        *([say("trace.info.declared", declared=f"{declared:g}")] if declared else []),
        _size_said(told, facts),
        decided,
    ]
    if facts.moves:
        lines.append(say("trace.info.moves", moves=_moves_said(facts)))
    lines += _outages_said(facts, header)
    lines += _remarks_said(facts, header)
    still = facts.unmoved(header.calibration)
    if still:
        lines.append(say("trace.info.unmoved", channels=", ".join(map(str, still))))
    for channel, found in sorted(facts.faults.items()):
        faults = (f"{code_said('sample', status.name.lower())} {times}" for status, times in found.items())
        lines.append(say("trace.info.faults", channel=channel, faults=", ".join(faults)))
    lines += [hole_said(hole) for hole in facts.holes]
    if not all(hole.tail for hole in facts.holes):
        lines.append(say("trace.info.lost", mark=LOST))
    if facts.ending is None and not facts.holes:
        lines.append(say("trace.info.open"))
    if told["cut"] is not None and facts.ending is not None:
        lines.append(say("trace.info.cut", differs=facts.ending.told.get("differs", "?")))
    return lines


def _size_said(told: Mapping[str, Any], facts: TraceFacts) -> str:
    size = f"{told['bytes'] / 1e6:.2f}"
    if facts.length_us < RATED_US:
        return say("trace.info.size_alone", size=size)
    return say("trace.info.size", size=size, hourly=f"{told['bytes_per_hour'] / 1e6:.1f}")


def _moves_said(facts: TraceFacts) -> str:
    """Return the moves in a row, with a mark wherever damage may have swallowed some."""
    holes = zip(facts.holes, facts.moves_before, strict=True)
    lost = {before for hole, before in holes if not hole.tail}
    words = []
    for number, move in enumerate(facts.moves):
        words += [LOST, move] if number in lost else [move]
    return " ".join(words + [LOST] * (len(facts.moves) in lost))


def _outages_said(facts: TraceFacts, header: TraceHeader) -> list[str]:
    """Return when no device could be heard, and why."""
    return [
        say("trace.info.away_still", begins=said(each.from_us, header), reason=each.reason)
        if each.until_us is None
        else say(
            "trace.info.away",
            begins=said(each.from_us, header),
            ends=said(each.until_us, header),
            reason=each.reason,
        )
        for each in facts.outages
    ]


def _remarks_said(facts: TraceFacts, header: TraceHeader) -> list[str]:
    """Return what the board said of places that it could not read, in the words of `control status`."""
    seating = Seating(header.wiring, "b" if facts.seat == "b" else "a")
    return [
        say(
            "trace.info.remark",
            remark=remark_said(note_read(each.code, each.place, each.detail), seating),
            begins=said(each.from_us, header),
            ends=said(each.until_us, header),
        )
        for each in facts.remarks.values()
    ]
