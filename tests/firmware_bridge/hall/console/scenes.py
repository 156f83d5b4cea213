"""A missed capture, as a board tells of it: 7 was played, and ten stones were left in pit 6."""

from typing import Any, Final

from firmware_bridge.hall.ledger.values import Heard
from rules.position import START, play
from rules.position_json import position_to_json

DUE: Final = play(START, 7)
LYING: Final = [*DUE.after.pits, *DUE.after.kazans]
LYING[14], LYING[18] = 10, 0

SEEN: Final[dict[str, Any]] = {
    "kind": "infraction_seen",
    "at_us": 5,
    "infraction": 1,
    "side": "bastaushy",
    "faults": ["capture_not_taken"],
    "evidence": {
        "before": position_to_json(START),
        "seen": LYING,
        "due": "7:6",
        "faults": [
            {
                "fault": "capture_not_taken",
                "offender": "bastaushy",
                "articles": ["1.3.2"],
                "pit": 14,
                "stones": 10,
                "places": [],
            }
        ],
        "alike": [],
        "confidence": 1.0,
        "to_before": [[14, 6, 1]],
        "to_due": [[14, 18, 10]],
        "second": None,
    },
}

CORRECTED: Final[dict[str, Any]] = {
    "kind": "position_ruled",
    "at_us": 6,
    "decision": "corrected",
    "infraction": 1,
    "kept": 0,
    "number": 7,
    "position": position_to_json(DUE.after),
    "remaining_us": [1, 1],
    "running": "qostaushy",
    "by": "Сәуле",
    "reason": "1.3.2",
    "evidence": {},
}


def heard(data: dict[str, Any], seq: int, *, game: str = "r1-b01", ply: int = 0) -> Heard:
    """Return an event as the console hears it."""
    return Heard(board="b01", boot=1, seq=seq, game=game, ply=ply, at_ms=1000 + seq, data=data)


def shown(
    *, phase: str = "playing", sensed: str = "matches", flagged: list[bool] | None = None, **more: Any
) -> dict[str, Any]:
    """Return a state as viewers get it; `more` replaces fields."""
    state: dict[str, Any] = {
        "game": "r1-b01",
        "phase": phase,
        "names": ["Айдос", "Әсел"],
        "ply": 0,
        "position": position_to_json(START),
        "pause": None,
        "watch": {"sensed": sensed, "notes": []},
        "clock": {
            "running": "bastaushy",
            "remaining_ms": [600_000, 500_500],
            "flagged": flagged or [False, False],
            "moves_to_quota": [None, None],
        },
        "result": {"score": "1-0", "reason": "flag"} if phase == "ended" else None,
    }
    return {**state, **more}
