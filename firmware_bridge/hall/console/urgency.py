"""How urgently a board needs a person. Pure."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final, Literal, TypeAlias

from firmware_bridge.hall.console.attention import Attention

Need: TypeAlias = Literal[
    "infraction", "called", "flag", "offline", "unread", "put_right", "suspended", "draw", "result",
    "release", "not_started", "adjourned", "playing", "idle",
]  # fmt: skip

RANKS: Final[Mapping[Need, int]] = {
    "infraction": 0, "called": 1, "flag": 2, "offline": 3, "unread": 3, "put_right": 4, "suspended": 4,
    "draw": 4, "result": 5, "release": 6, "not_started": 7, "adjourned": 7, "playing": 8, "idle": 9,
}  # fmt: skip
"""How urgent each is, the most urgent first."""

LOUD: Final = frozenset({"infraction", "called", "flag", "offline", "unread"})
"""What rings, and is counted in the title: somebody has to get up."""


def need_of(
    attention: Attention, state: Mapping[str, Any] | None, presence: Mapping[str, Any], status: str | None
) -> Need:
    """Return what a board needs most.

    Args:
        attention: What its events say.
        state: Its state as shown to viewers; None: none is known.
        presence: How far that can be trusted.
        status: How far the ledger has its game; None: it does not know it.
    """
    if attention.open:
        return "infraction"
    if attention.called is not None:
        return "called"
    if state is None:
        return "offline"
    phase = state["phase"]
    if phase in ("playing", "suspended"):
        return _need_in_play(attention, state, presence)
    if phase == "ended":
        return "release" if status in ("official", "released") else "result"
    if phase in ("unassigned", "released"):
        return "idle"
    return "offline" if presence["stale"] else "not_started"


def _need_in_play(attention: Attention, state: Mapping[str, Any], presence: Mapping[str, Any]) -> Need:
    clock, sensed = state["clock"], state["watch"]["sensed"]
    if clock is not None and any(clock["flagged"]):
        return "flag"
    if presence["stale"]:
        return "offline"
    if sensed in ("unreadable", "no_device"):
        return "unread"
    if attention.lays_anew and sensed != "matches":
        return "put_right"
    if state["phase"] == "suspended":
        return "suspended" if attention.sealed is None else "adjourned"
    return "playing" if attention.draw_open is None else "draw"


_BEGAN: Final[Mapping[Need, str]] = {
    "flag": "flag_fell", "put_right": "position_ruled", "suspended": "game_suspended", "draw": "draw_offered",
    "adjourned": "game_adjourned", "result": "game_ended", "not_started": "game_assigned",
}  # fmt: skip
"""With which event each need began."""


def waiting_since(attention: Attention, need: Need) -> int | None:
    """Return since when a board has needed this, in milliseconds of its wall clock; None: nobody knows."""
    if need == "infraction" and attention.open:
        return attention.open[0].at_ms
    if need == "called" and attention.called is not None:
        return attention.called.at_ms
    return attention.moments.get(_BEGAN.get(need, ""))
