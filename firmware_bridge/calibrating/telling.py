"""A procedure as JSON: what a terminal and a page show of it (pure). Codes, no words."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from firmware_bridge.calibrating.procedure import TABLE, Procedure, State, Word
from firmware_bridge.calibrating.steps import LOADS, ORDER, SKIPPABLE, Complaint, Step
from firmware_bridge.calibrating.touching import channels_as_heard
from firmware_bridge.layout import PLACES


def told(procedure: Procedure) -> dict[str, Any]:
    """Return how a calibration stands.

    Keys: `state`; `step`, null once all is measured, with `number` from 1, `of` and `loads`, the stones that
    are to lie at the twenty places, and `seen`, those that seem to, null where that is not known; `words`,
    what may be said now; `moving`, the places that do not lie still; `touch`, while places are touched;
    `complaints`; `layout`, the wiring as it was felt where that is another one; `verdict`; `total_g`;
    `resumed`, whether it goes on from before.
    """
    progress, step = procedure.progress, procedure.progress.step
    return {
        "state": procedure.state.value,
        "step": None if step is None else step.value,
        "number": len(ORDER) if step is None else ORDER.index(step) + 1,
        "of": len(ORDER),
        "loads": None if step is None or step not in LOADS else list(LOADS[step]),
        "seen": [None if stones is None else round(stones, 1) for stones in procedure.seen()],
        "words": _words(procedure),
        "moving": list(procedure.moving),
        "touch": _touch(procedure) if step is Step.TOUCH else None,
        "complaints": complaints_told(procedure.complaints),
        "layout": _layout(procedure),
        "verdict": _verdict(procedure),
        "total_g": progress.total_g,
        "resumed": procedure.resumed,
    }


def _words(procedure: Procedure) -> list[str]:
    step = procedure.progress.step
    found = [word for state, word in TABLE if state is procedure.state]
    if step not in SKIPPABLE:
        found = [word for word in found if word is not Word.SKIP]
    if step is Step.EMPTY:
        found = [word for word in found if word is not Word.BACK]
    if procedure.state is State.ASKING and (step is not Step.TOUCH or not procedure.progress.heard):
        found = [word for word in found if word is not Word.REPEAT]
    return [word.value for word in found]


def _touch(procedure: Procedure) -> dict[str, Any]:
    """Return which place is to be touched, what the last one said, and which have answered as they should."""
    heard = procedure.progress.heard
    return {
        "place": len(heard) if len(heard) < PLACES else None,
        "felt": None if procedure.felt is None else list(procedure.felt),
        "good": [place for place, felt in enumerate(heard) if felt == (place,)],
        "wrong": [place for place, felt in enumerate(heard) if felt != (place,)],
    }


def complaints_told(complaints: Iterable[Complaint]) -> list[dict[str, Any]]:
    """Return complaints as JSON."""
    return [
        {
            "code": each.code,
            "places": list(each.places),
            "values": dict(each.values),
            "back_to": None if each.back_to is None else each.back_to.value,
        }
        for each in complaints
    ]


def _layout(procedure: Procedure) -> dict[str, Any] | None:
    """Return the wiring as it was felt, in the keys of `[layout]`, where that is another one."""
    progress = procedure.progress
    found = channels_as_heard(progress.channels, progress.heard)
    if procedure.state is not State.REFUSED or found is None or found == progress.channels:
        return None
    return {
        "side_a": list(found[:9]),
        "side_b": list(found[9:18]),
        "kazan_a": found[18],
        "kazan_b": found[19],
    }


def _verdict(procedure: Procedure) -> dict[str, Any] | None:
    judged = procedure.verdict
    if judged is None:
        return None
    return {
        "remarks": list(judged.remarks),
        "values": dict(judged.values),
        "channels": [
            {
                "place": row.place,
                "channel": row.channel,
                "remarks": list(row.remarks),
                "noise_stones": round(row.noise_stones, 3),
                "return_stones": round(row.return_stones, 2),
            }
            for row in judged.channels
        ],
    }
