"""Where in its life a table is, and which event leads where: `TRANSITIONS` is the whole of it."""

from __future__ import annotations

from collections.abc import Mapping
from enum import Enum

from rules.events import (
    ClockAdjusted,
    ClockPressed,
    ClockSet,
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
    ResultConfirmed,
    SetupChecked,
    SetupLost,
    SetupStarted,
)
from rules.incidents import (
    ArbiterCalled,
    CallAnswered,
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


class Phase(Enum):
    """Where in its life a table is."""

    UNASSIGNED = "unassigned"
    """No game was ever given to it."""
    ASSIGNED = "assigned"
    """Players, seating and control are known."""
    SETTING_UP = "setting_up"
    """It waits for nine stones in each pit and for both players."""
    READY = "ready"
    """Set up and confirmed by both."""
    PLAYING = "playing"
    """A dial runs, also after the last stone until the result stands."""
    SUSPENDED = "suspended"
    """Both dials stand, the game is not over."""
    ENDED = "ended"
    """There is a result; the stones mean nothing any more."""
    RELEASED = "released"
    """Free for the next game; the last one can still be seen."""


_ANY_TIME: tuple[type[GameEvent], ...] = (ArbiterCalled, CallAnswered, PlayerWarned)
"""What may happen from the set-up to the release, and leads nowhere else."""

_IN_PLAY: tuple[type[GameEvent], ...] = (
    *_ANY_TIME,
    DrawAnswered,
    DrawOffered,
    FlagCalled,
    InfractionClosed,
    InfractionSeen,
    PositionRuled,
)
"""What may happen in a game that is not over, whether its dials run or stand."""

TRANSITIONS: Mapping[Phase, Mapping[type[GameEvent], Phase]] = {
    Phase.UNASSIGNED: {GameAssigned: Phase.ASSIGNED},
    Phase.ASSIGNED: {SetupStarted: Phase.SETTING_UP, GameReleased: Phase.RELEASED},
    Phase.SETTING_UP: {
        **dict.fromkeys(_ANY_TIME, Phase.SETTING_UP),
        SetupChecked: Phase.SETTING_UP,
        SetupLost: Phase.SETTING_UP,
        PlayerReady: Phase.SETTING_UP,
        ClockAdjusted: Phase.SETTING_UP,
        GameEnded: Phase.ENDED,
        GameStarted: Phase.PLAYING,
        GameReleased: Phase.RELEASED,
    },
    Phase.READY: {
        **dict.fromkeys(_ANY_TIME, Phase.READY),
        SetupLost: Phase.SETTING_UP,
        ClockAdjusted: Phase.READY,
        GameEnded: Phase.ENDED,
        GameStarted: Phase.PLAYING,
        GameReleased: Phase.RELEASED,
    },
    Phase.PLAYING: {
        **dict.fromkeys(_IN_PLAY, Phase.PLAYING),
        ClockPressed: Phase.PLAYING,
        MovePlayed: Phase.PLAYING,
        FlagFell: Phase.PLAYING,
        ClockAdjusted: Phase.PLAYING,
        ClockSet: Phase.PLAYING,
        GameSuspended: Phase.SUSPENDED,
        GameEnded: Phase.ENDED,
    },
    Phase.SUSPENDED: {
        **dict.fromkeys(_IN_PLAY, Phase.SUSPENDED),
        MovePlayed: Phase.SUSPENDED,
        FlagFell: Phase.SUSPENDED,
        ClockAdjusted: Phase.SUSPENDED,
        ClockSet: Phase.SUSPENDED,
        GameResumed: Phase.PLAYING,
        GameAdjourned: Phase.SUSPENDED,
        SealOpened: Phase.SUSPENDED,
        GameEnded: Phase.ENDED,
    },
    Phase.ENDED: {
        **dict.fromkeys(_ANY_TIME, Phase.ENDED),
        ResultConfirmed: Phase.ENDED,
        GameReleased: Phase.RELEASED,
    },
    Phase.RELEASED: {GameAssigned: Phase.ASSIGNED},
}
"""The phase after an event; a kind that is missing has no place. A game not begun may be released,
and lost by who does not come (2.7.6)."""
