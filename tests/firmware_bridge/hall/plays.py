"""States as a board would publish them, made from real moves."""

from typing import Any, Final

from firmware_bridge.wire.payloads import (
    AvailPayload,
    ClockPart,
    DiagPayload,
    LastMovePart,
    MetaPayload,
    PositionPart,
    ResultPart,
    StatePayload,
    WatchPart,
    encode,
)
from firmware_bridge.wire.topics import build
from rules import START, Position, Sowing, format_short, play

EVENT: Final = "almaty-2009"

GAME_2009: Final = (
    "32 98 78 44 67 57 24 69 69 81 91 94 59 89 91 91 39 79 68 89 56 89 24 92 12 78 56 67 45 56 "
    "68 89 34 78 23 67 45 78 34 89 56 67 45 56 67 36 12 25 57 89 45 78 56 67 45 89 34 89 34 78"
)
"""The game of 2009 printed in the manual, moves 1 to 30, missing ones restored."""

NAMES: Final = ("Қабдығалым Нұржан", "Райымбекова Роза")


def sowings(tokens: str = GAME_2009) -> list[Sowing]:
    """Play moves of which only the first digit, the pit, is read."""
    position, played = START, []
    for token in tokens.split():
        sowing = play(position, int(token[0]))
        played.append(sowing)
        position = sowing.after
    return played


def position_part(position: Position) -> PositionPart:
    """Return a position as it is published."""
    return PositionPart(
        pits=position.pits,
        kazans=position.kazans,
        tuzdyks=position.tuzdyks,
        to_move=position.to_move.value,
    )


def last_part(sowing: Sowing) -> LastMovePart:
    """Return a move as it is published."""
    return LastMovePart(
        side=sowing.side.value,
        number=sowing.number,
        path=sowing.path,
        captured=sowing.captured,
        tuzdyk=sowing.tuzdyk,
    )


def clock_part(position: Position, *, running: bool = True, **more: Any) -> ClockPart:
    """Return clocks of 30 and 15 minutes, that of the player to move running; `more` replaces fields."""
    facts: dict[str, Any] = {
        "running": position.to_move.value if running else None,
        "remaining_ms": (1_800_000, 900_000),
        "rate": 1.0,
        "base_ms": 3_600_000,
        "increment_ms": 0,
        "flagged": (False, False),
    }
    return ClockPart(**{**facts, **more})


def state(plies: int, played: list[Sowing] | None = None, **more: Any) -> StatePayload:
    """Return the state after so many plies of a game; `more` replaces fields."""
    game = (sowings() if played is None else played)[:plies]
    position = game[-1].after if game else START
    ended = "result" in more
    facts: dict[str, Any] = {
        "event": EVENT,
        "board": "b01",
        "game": "r1-b01",
        "boot": 1,
        "seq": 10 + plies,
        "ply": plies,
        "ts": 1_000_000 + plies,
        "phase": "ended" if ended else "playing",
        "names": NAMES,
        "starter_seat": "a",
        "position": position_part(position),
        "clock": clock_part(position, running=not ended),
        "moves": " ".join(format_short(sowing) for sowing in game),
        "moves_from": 1,
        "last": last_part(game[-1]) if game else None,
        "ready": (True, True),
        "result": None,
        "watch": WatchPart(sensed="matches"),
    }
    return StatePayload(**{**facts, **more})


def result(score: str, reason: str) -> ResultPart:
    """Return a result."""
    return ResultPart(score=score, reason=reason)  # type: ignore[arg-type] # the test's own literal


def avail(*, online: bool, **more: Any) -> AvailPayload:
    """Return a board's availability."""
    facts: dict[str, Any] = {"event": EVENT, "board": "b01", "game": None, "boot": 1, "seq": 0, "ply": 0}
    return AvailPayload(online=online, **{"ts": 1_000_000, **facts, **more})


def diag(**more: Any) -> DiagPayload:
    """Return a diagnosis, the usual sign of life."""
    facts: dict[str, Any] = {"event": EVENT, "board": "b01", "game": None, "boot": 1, "seq": 0, "ply": 0}
    return DiagPayload(values={}, **{"ts": 1_000_000, **facts, **more})


def message(payload: AvailPayload | DiagPayload | MetaPayload | StatePayload) -> tuple[str, bytes]:
    """Return topic and bytes of a payload."""
    return build(payload.event, payload.board, payload.kind), encode(payload)
