"""A diagnosis as the evidence of an event, advice as a part of a state: plain values (pure)."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Literal

from firmware_bridge.board.refereeing.advice import Advice, with_alternatives
from firmware_bridge.wire.parts import MAX_ARTICLES, AdvicePart, SideName
from rules.conduct.flag_calls import QuotaCheck
from rules.conduct.proposal import ClockAction, Proposal
from rules.conduct.sowing import SowingRuling
from rules.events import JSON
from rules.infractions.corrections import Carry
from rules.infractions.diagnose import Diagnosis
from rules.infractions.evidence import Evidence
from rules.infractions.kinds import Infraction
from rules.notation.moves import format_short
from rules.position import Side
from rules.position_json import position_to_json

MOST_ALIKE = 4
"""Other names of the same evidence that are told."""


def told(evidence: Evidence, found: Sequence[Diagnosis]) -> dict[str, JSON]:
    """Return what an infraction rests on.

    Keys: `before`, the position as JSON; `seen`, the stones at the twenty places, null where unread; `due`,
    the sowing that was due, null where a move is still to be made; `faults`, each with code, offender,
    articles, pit, stones and places; `alike`, other faults that leave the same evidence; `confidence`, 0 to
    1; `to_before` and `to_due`, each a list of [from, to, stones], where a place is 0..19, "hand" or
    "beside"; `second`, the codes of the next explanation, null where there is none.
    """
    best = found[0]
    return {
        "before": position_to_json(best.due.before if best.due is not None else evidence.before),
        "seen": list(evidence.seen),
        "due": None if best.due is None else format_short(best.due),
        "faults": [_fault(each) for each in best.faults],
        "alike": [[each.fault.value for each in faults] for faults in best.alike[:MOST_ALIKE]],
        "confidence": round(best.confidence, 3),
        "to_before": _carries(best.to_before),
        "to_due": _carries(best.to_due),
        "second": [each.fault.value for each in found[1].faults] if len(found) > 1 else None,
    }


def _fault(each: Infraction) -> JSON:
    return {
        "fault": each.fault.value,
        "offender": each.offender.value,
        "articles": list(each.articles),
        "pit": each.pit,
        "stones": each.stones,
        "places": list(each.places),
    }


def _carries(carries: Iterable[Carry]) -> list[JSON]:
    return [[each.source, each.target, each.stones] for each in carries]


def advised(found: Iterable[Advice]) -> tuple[AdvicePart, ...]:
    """Return what is proposed as a state tells it."""
    return tuple(map(_advised, found))


def proposed(found: Iterable[Proposal], about: str = "late") -> list[JSON]:
    """Return what is proposed to whoever has just asked, with its alternatives, as plain values."""
    lines = (line for each in found for line in with_alternatives(Advice(about, each)))
    return [part.model_dump(mode="json") for part in advised(lines)]


def _advised(advice: Advice) -> AdvicePart:
    found = advice.proposal
    sowing = found if isinstance(found, SowingRuling) else None
    quota = found if isinstance(found, QuotaCheck) else None
    first_us, second_us = found.adds_us
    return AdvicePart(
        about=advice.about,
        code=found.code.value,
        articles=tuple(dict.fromkeys(found.articles))[:MAX_ARTICLES],
        decider=found.decider.value,
        instead=advice.instead,
        infraction=advice.infraction,
        side=None if found.side is None else _name(found.side),
        score=found.result,
        reason=found.reason,
        warns=tuple(map(_name, found.warns)),
        adds_ms=(first_us // 1000, second_us // 1000),
        clock=_CLOCK[found.clock],
        runs=None if found.runs is None else _name(found.runs),
        ends=None if sowing is None else sowing.ends.value,
        takes_back=0 if sowing is None else sowing.takes_back,
        due=None if quota is None else quota.due,
        made=None if quota is None else quota.made,
    )


_CLOCK: Mapping[ClockAction, Literal["stop", "run"] | None] = {
    ClockAction.KEEP: None,
    ClockAction.STOP: "stop",
    ClockAction.RUN: "run",
}


def _name(side: Side) -> SideName:
    return "bastaushy" if side is Side.BASTAUSHY else "qostaushy"
