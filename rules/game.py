"""A game as the fold over its events.

`TRANSITIONS` (in `rules.phases`) is the whole life of a table. What is not in it has no place, raises
`EventError` and changes nothing. One joint rule stands beside it: a board that is set up and whose players
both are ready is READY. The fold knows no present: every moment comes from an event, so that board, hall and
record all arrive at the same game.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import replace
from typing import Any

from rules.changes import PLAY_CHANGES, RefusedError
from rules.errors import ClockError, EventError, IllegalMoveError
from rules.events import (
    JSON,
    ClockAdjusted,
    ClockPressed,
    ClockSet,
    Confirmation,
    FlagFell,
    GameAssigned,
    GameEnded,
    GameEvent,
    GameReleased,
    GameResumed,
    GameStarted,
    GameSuspended,
    MovePlayed,
    PlayerReady,
    PressId,
    ResultConfirmed,
    Seat,
    SetupChecked,
    SetupLost,
    SetupStarted,
)
from rules.events_json import EVENT_KINDS, event_from_json, event_to_json
from rules.incident_changes import INCIDENT_CHANGES
from rules.incidents import (
    ArbiterCalled,
    CallAnswered,
    Closing,
    Decision,
    DrawAnswered,
    DrawOffered,
    FlagCalled,
    GameAdjourned,
    InfractionClosed,
    InfractionSeen,
    PlayerWarned,
    PositionRuled,
    SealOpened,
)
from rules.phases import TRANSITIONS, Phase
from rules.position import Result
from rules.state import EMPTY, Game, Incident, Ply

__all__ = [
    "EMPTY",
    "EVENT_KINDS",
    "JSON",
    "TRANSITIONS",
    "ArbiterCalled",
    "CallAnswered",
    "ClockAdjusted",
    "ClockPressed",
    "ClockSet",
    "Closing",
    "Confirmation",
    "Decision",
    "DrawAnswered",
    "DrawOffered",
    "FlagCalled",
    "FlagFell",
    "Game",
    "GameAdjourned",
    "GameAssigned",
    "GameEnded",
    "GameEvent",
    "GameReleased",
    "GameResumed",
    "GameStarted",
    "GameSuspended",
    "Incident",
    "InfractionClosed",
    "InfractionSeen",
    "MovePlayed",
    "Phase",
    "PlayerReady",
    "PlayerWarned",
    "Ply",
    "PositionRuled",
    "PressId",
    "Result",
    "ResultConfirmed",
    "SealOpened",
    "Seat",
    "SetupChecked",
    "SetupLost",
    "SetupStarted",
    "advance",
    "event_from_json",
    "event_to_json",
    "fold",
]


_CHANGES: Mapping[type[GameEvent], Callable[[Game, Any], Game]] = {**PLAY_CHANGES, **INCIDENT_CHANGES}


def fold(events: Iterable[GameEvent], game: Game = EMPTY) -> Game:
    """Return the game after the events, beginning from `game`.

    Raises:
        EventError: An event has no place where it comes.
    """
    for event in events:
        game = advance(game, event)
    return game


def advance(game: Game, event: GameEvent) -> Game:
    """Return the game after one event; the game given is never changed.

    Raises:
        EventError: The event has no place here; says which, where and why.
    """
    kind = type(event)
    phase = TRANSITIONS[game.phase].get(kind)
    if phase is None:
        allowed = ", ".join(sorted(other.kind for other in TRANSITIONS[game.phase]))
        raise _misplaced(game, event, f"expected one of {allowed}")
    try:
        changed = _CHANGES[kind](game, event)
    except (RefusedError, ClockError, IllegalMoveError) as error:
        raise _misplaced(game, event, str(error)) from error
    if phase is Phase.SETTING_UP and changed.setup_ok and all(changed.ready):
        phase = Phase.READY
    return replace(changed, phase=phase)


def _misplaced(game: Game, event: GameEvent, reason: str) -> EventError:
    kind = getattr(event, "kind", type(event).__name__)
    return EventError(kind, event.at_us, str(game), reason)
