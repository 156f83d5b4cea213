"""What the rulebook proposes to an arbiter, as lines of a terminal."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from rich.markup import escape

from firmware_bridge.commands.common import code_said, say, speech
from rules.control_text import format_time
from rules.position import Side

SIDES = tuple(side.value for side in Side)


def advice_said(advice: Sequence[Mapping[str, Any]]) -> Iterator[str]:
    """Yield each proposal in a line, the alternatives below it; what a newer board proposes by its code."""
    for each in advice:
        said = escape(_said(each))
        if each.get("instead"):
            yield "    " + say("arbiter.or_else", what=said)
        else:
            yield f"  [bold red]{said}[/]"


def _said(each: Mapping[str, Any]) -> str:
    key = f"advised.{each['code']}"
    what = code_said("advised", each["code"]) if speech.texts.knows(key) else str(each["code"])
    side = each.get("side")
    head = what if side is None else f"{code_said('side', side)}: {what}"
    if each.get("infraction") and not each.get("instead"):
        head = say("arbiter.infraction_number", number=each["infraction"], what=head)
    articles = f" ({', '.join(each['articles'])})" if each["articles"] else ""
    return "; ".join((head, *_follows(each))) + articles


def _follows(each: Mapping[str, Any]) -> Iterator[str]:
    """Yield what follows from a proposal: moves counted, score, warnings, time, clock, who decides."""
    if each.get("due") is not None:
        yield say("arbiter.moves_of", made=each.get("made", 0), due=each["due"])
    if each.get("score"):
        yield str(each["score"])
    for side in each.get("warns", ()):
        yield say("arbiter.warns", side=code_said("side", side))
    for side, adds_ms in zip(SIDES, each.get("adds_ms", (0, 0)), strict=True):
        if adds_ms:
            time = f"{'+' if adds_ms > 0 else '-'}{format_time(abs(adds_ms))}"
            yield say("arbiter.adds", side=code_said("side", side), time=time)
    if each.get("clock") == "stop":
        yield say("arbiter.clock_stops")
    elif each.get("clock") == "run" and each.get("runs"):
        yield say("arbiter.clock_runs", side=code_said("side", each["runs"]))
    if each.get("decider") == "panel":
        yield say("arbiter.panel_decides")
    elif each.get("decider") == "arbiter_with_chief":
        yield say("arbiter.chief_asked")
