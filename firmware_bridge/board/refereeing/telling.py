"""A diagnosis as the evidence of an event: plain values that any program can show (pure)."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from rules.events import JSON
from rules.infractions.corrections import Carry
from rules.infractions.diagnose import Diagnosis
from rules.infractions.evidence import Evidence
from rules.infractions.kinds import Infraction
from rules.notation.moves import format_short
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
