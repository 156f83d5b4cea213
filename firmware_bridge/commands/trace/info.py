"""`togyz trace info`: what is in a trace."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Annotated, Any

import typer

from firmware_bridge.commands.common import console, errors_told, harmless, later, say
from firmware_bridge.commands.trace.options import TraceFileArgument, hole_said, length_said, watched
from firmware_bridge.trace.errors import TraceError
from firmware_bridge.trace.facts import TraceFacts
from firmware_bridge.trace.header import TraceHeader
from firmware_bridge.trace.reader import TraceReader


def info(
    file: TraceFileArgument,
    *,
    as_json: Annotated[bool, typer.Option("--json", help=later("trace.info.json"))] = False,
) -> None:
    """Tell what a trace holds, and what of it is damaged."""
    facts = TraceFacts()
    with errors_told(TraceError), TraceReader.open(file) as reader:
        declared_hz = 0.0
        for row in watched(reader):
            facts.take(row)
            if isinstance(row, Mapping) and row.get("row") == "arrived":
                declared_hz = row.get("rate_hz") or declared_hz
    told = {**facts_of(reader.header, facts, reader.size), "declared_hz": declared_hz or None}
    if as_json:
        typer.echo(json.dumps(told, ensure_ascii=False, indent=2))
        return
    for line in _lines(told, facts):
        console.print(harmless(line), markup=False, soft_wrap=True)


def facts_of(header: TraceHeader, facts: TraceFacts, size: int) -> dict[str, Any]:
    """Return what is in a trace as JSON, for programs."""
    hours = facts.duration_us / 3.6e9
    return {
        "board": header.board_id,
        "event": header.event_id,
        "software": header.software,
        "wall_ms": header.wall_ms,
        "cut": header.cut,
        "bytes": size,
        "bytes_per_hour": round(size / hours) if hours else None,
        "seconds": facts.duration_us / 1e6,
        "samples": facts.samples,
        "rate_hz": round(facts.rate_hz, 3),
        "gaps": facts.gaps,
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
            }
            for hole in facts.holes
        ],
        "ending": None if facts.ending is None else dict(facts.ending.told),
    }


def _lines(told: dict[str, Any], facts: TraceFacts) -> list[str]:
    length = length_said(round(told["seconds"] * 1e6))
    rate, size = f"{told['rate_hz']:.2f}", f"{told['bytes'] / 1e6:.2f}"
    hourly = "?" if told["bytes_per_hour"] is None else f"{told['bytes_per_hour'] / 1e6:.1f}"
    declared = told["declared_hz"]
    lines = [
        say("trace.info.board", board=told["board"], event=told["event"], software=told["software"]),
        say("trace.info.length", length=length, samples=told["samples"], rate=rate, gaps=told["gaps"]),
        *([say("trace.info.declared", declared=f"{declared:g}")] if declared else []),
        say("trace.info.size", size=size, hourly=hourly),
        say("trace.info.decided", presses=told["presses"], decisions=told["decisions"], plies=told["plies"]),
    ]
    if told["moves"]:
        lines.append(say("trace.info.moves", moves=" ".join(told["moves"])))
    for channel, found in told["faults"].items():
        faults = ", ".join(f"{name} {times}" for name, times in found.items())
        lines.append(say("trace.info.faults", channel=channel, faults=faults))
    lines += [hole_said(hole) for hole in facts.holes]
    if facts.ending is None and not facts.holes:
        lines.append(say("trace.info.open"))
    if told["cut"] is not None and facts.ending is not None:
        lines.append(say("trace.info.cut", differs=facts.ending.told.get("differs", "?")))
    return lines
