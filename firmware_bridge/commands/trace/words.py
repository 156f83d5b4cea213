"""What hands did, how the board looked and what was decided, as lines for whoever looks into a trace."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, Final

from firmware_bridge.board.hands.events import (
    Amount,
    Banked,
    Captured,
    Extra,
    Fell,
    HandRests,
    HandsEmpty,
    Lifted,
    MarkLaid,
    Missing,
    SowingEvent,
    TakenUp,
    Touched,
    Unseen,
)
from firmware_bridge.board.inputs import Note
from firmware_bridge.board.memory.telling import note_told
from firmware_bridge.commands.common import code_said, later, say, speech
from firmware_bridge.commands.faults import fault_read
from firmware_bridge.commands.status import note_said
from firmware_bridge.commands.trace.options import place_said
from firmware_bridge.layout import PITS, Seating, place_name
from rules.control_text import format_control
from rules.game import (
    CallAnswered,
    ClockAdjusted,
    ClockSet,
    Decision,
    GameAssigned,
    GameEnded,
    GameEvent,
    GameSuspended,
    InfractionClosed,
    InfractionSeen,
    MovePlayed,
    PlayerWarned,
    PositionRuled,
)
from rules.position import Side

# --- hands ------------------------------------------------------------------------------------------------


def hand_said(event: SowingEvent) -> str:
    """Return what hands did as a line; bounds are named where the number of stones is not exact."""
    if isinstance(event, Unseen):
        return remark_said(note_read("unreadable", event.place, f"{place_name(event.place)}: {event.reason}"))
    key = _HANDS[type(event)]
    if isinstance(event, Lifted) and event.early:
        key = later("hand.lifted_early")
    elif isinstance(event, TakenUp) and event.tuzdyk:
        key = later("hand.fetched")
    values: dict[str, object] = {}
    if isinstance(event, Lifted | TakenUp | Captured | Missing):
        values["side"] = code_said("side", event.side.value)
    if isinstance(event, Banked):
        values["place"] = place_said(PITS + event.kazan.index)
    elif not isinstance(event, Missing | HandsEmpty):
        values["place"] = place_said(event.place)
    if isinstance(event, HandRests):
        values["weight"] = f"{event.weight:+.1f}"
    elif not isinstance(event, MarkLaid | Touched | HandsEmpty):
        values["stones"] = _stones(event.amount)
    return say(key, **values)


_HANDS: Final[Mapping[type[SowingEvent], str]] = {
    Lifted: later("hand.lifted"),
    Fell: later("hand.fell"),
    TakenUp: later("hand.taken_up"),
    Captured: later("hand.captured"),
    Banked: later("hand.banked"),
    MarkLaid: later("hand.mark_laid"),
    HandRests: later("hand.rests"),
    Touched: later("hand.touched"),
    Extra: later("hand.extra"),
    Missing: later("hand.missing"),
    HandsEmpty: later("hand.empty"),
}


def _stones(amount: Amount) -> str:
    exact = amount.low == amount.high
    return f"{amount.stones}" if exact else f"{amount.stones} ({amount.low}..{amount.high})"


# --- how the board looked ---------------------------------------------------------------------------------


def note_read(code: str, place: int | None, detail: str) -> Note:
    """Return a remark about a place whose sensor is broken, from what a trace holds of it.

    Words of another version of the program stand as they are behind the place.
    """
    why = detail.partition(": ")[2]
    fault = fault_read(why)
    return Note(code, place, detail, {"why": why} if why and fault is None else {}, fault)


def remark_said(note: Note, seating: Seating | None = None) -> str:
    """Return what the board said of itself or of a place, in the words of `togyz control status`.

    Without a seating the channel behind a place is named where its fault names it.
    """
    told = note_told(note, seating)
    if told["channel"] is None and note.fault is not None:
        told["channel"] = note.fault.channel
    return note_said(told) or note.code


# --- what was decided -------------------------------------------------------------------------------------


def event_said(event: GameEvent) -> str:
    """Return what was decided as a line."""
    key = f"event.{event.kind}"
    if not speech.texts.knows(key):
        return event.kind.replace("_", " ")
    values = {name: getattr(event, name) for name in ("reason", "text") if hasattr(event, name)}
    side = getattr(event, "side", None)
    if isinstance(side, Side):
        values["side"] = code_said("side", side.value)
    told = _VALUES.get(type(event))
    return say(key, **values, **(told(event) if told is not None else {}))


def _seconds(spans_us: tuple[int, int], form: str) -> dict[str, str]:
    return {name: format(us / 1e6, form) for name, us in zip(("first", "second"), spans_us, strict=True)}


_VALUES: Final[Mapping[type[GameEvent], Callable[[Any], dict[str, str]]]] = {
    MovePlayed: lambda event: {"how": code_said("confirmed", event.confirmed_by)},
    GameAssigned: lambda event: {
        "game": event.game_id,
        "first": event.names[0],
        "second": event.names[1],
    },
    GameSuspended: lambda event: {"why": code_said("pause", event.reason)},
    ClockAdjusted: lambda event: _seconds(event.delta_us, "+g"),
    ClockSet: lambda event: {
        **_seconds(event.remaining_us, "g"),
        "control": format_control(event.control),
    },
    CallAnswered: lambda event: {"by": event.by},
    InfractionSeen: lambda event: {
        "number": f"{event.infraction}",
        "faults": ", ".join(code_said("fault", fault) for fault in event.faults),
    },
    InfractionClosed: lambda event: {
        "number": f"{event.infraction}",
        "how": code_said("ruled", event.closing),
    },
    PlayerWarned: lambda event: {"level": f"{event.level}"},
    PositionRuled: lambda event: {"decision": _decided(event)},
    GameEnded: lambda event: {"score": event.result, "why": code_said("reason", event.reason)},
}
"""What a text of an event needs beside its side, its words and its move."""


def _decided(event: PositionRuled) -> str:
    return code_said("ruling", _RULINGS[event.decision])


_RULINGS: Final[Mapping[Decision, str]] = {
    "stands": "illegal_stands",
    "restored": "restored",
    "corrected": "corrected",
    "set": "position_set",
    "taken_back": "taken_back",
}
"""The ruling of a record that a decision becomes."""


def refusal_said(row: Mapping[str, Any]) -> str:
    """Return why a command was refused: in our words but for what only the board's own words tell."""
    key = f"refused.{row.get('refused')}"
    if row.get("refused") == "phase" or not speech.texts.knows(key):
        return str(row["refusal"])
    return say(key, why=row["refusal"])
