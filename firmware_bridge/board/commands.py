"""Requests from the control socket as commands of the table, and a refused move in an answer (pure)."""

from __future__ import annotations

from typing import Any, get_args

from firmware_bridge.board.inputs import (
    Adjust,
    Command,
    End,
    Enter,
    Late,
    Release,
    Resume,
    SetClock,
    Start,
    Suspend,
)
from rules.control_text import parse_control, parse_time
from rules.errors import (
    AmbiguousMoveError,
    IllegalMoveError,
    NotationError,
    PositionFormatError,
    RulesError,
    TimeControlError,
)
from rules.game import Result
from rules.position import Side
from rules.position_json import position_from_json, position_to_json

KNOWN = "status, trace, start, suspend, resume, enter, adjust, clock, end, release"
"""All that the socket takes; `status` and `trace` are no commands of the table, `runtime.py` answers them."""

MOST_SECONDS = 86_400
"""Most time given or taken at once: a day. An arbiter gives minutes (2.7.14)."""


class CommandError(ValueError):
    """Raised when a request is no command; the message says what would be one."""


def parse_command(request: dict[str, Any], at_us: int) -> Command:
    """Return the command a request means, given at table time `at_us`.

    Raises:
        CommandError: It is none, or one of its words is missing, too long or no whole text.
    """
    match request.get("do"):
        case "start":
            return Start(at_us)
        case "suspend":
            return Suspend(at_us, _words(request, "reason", "arbiter"))
        case "resume":
            return Resume(at_us)
        case "end":
            return End(at_us, _score(request), _words(request, "reason", "arbiter"))
        case "enter":
            return Enter(at_us, tuple(_words(request, "moves", "").split()))
        case "adjust":
            return _adjust(request, at_us)
        case "clock":
            return _set_clock(request, at_us)
        case "release":
            return Release(at_us)
        case other:
            raise CommandError(f"`{other!a:.40}` is no command; known are: {KNOWN}")


def _score(request: dict[str, Any]) -> Result:
    for score in get_args(Result):
        if request.get("score") == score:
            found: Result = score
            return found
    raise CommandError(
        f"`score` {request.get('score')!r:.40} is no result: 1-0, 0-1 or 1/2-1/2, bastaushy first"
    )


def _delta_us(request: dict[str, Any]) -> tuple[int, int]:
    side, seconds = request.get("side"), request.get("seconds")
    sides = [side.value for side in Side]
    if side not in (*sides, "both"):
        raise CommandError(f"`side` {side!a:.40} is nobody: bastaushy, qostaushy or both")
    if (
        isinstance(seconds, bool)
        or not isinstance(seconds, int | float)
        or not 0 < abs(seconds) <= MOST_SECONDS
    ):
        raise CommandError(f"`seconds` {seconds!a:.40} is no time: up to {MOST_SECONDS}, negative to take it")
    delta_us = round(seconds * 1_000_000)
    return (delta_us if side != sides[1] else 0, delta_us if side != sides[0] else 0)


def _adjust(request: dict[str, Any], at_us: int) -> Adjust | Late:
    if "late" not in request:
        return Adjust(at_us, _delta_us(request), _words(request, "reason", "arbiter"))
    side = next((side for side in Side if side.value == request.get("side")), None)
    if side is None:
        raise CommandError(
            f"`side` {request.get('side')!a:.40} is nobody who is late: bastaushy or qostaushy"
        )
    try:
        late_us = parse_time(_words(request, "late", "")) * 1000
    except TimeControlError as error:
        raise CommandError(str(error)) from error
    return Late(at_us, side, late_us, _words(request, "reason", "2.7.6"))


def _set_clock(request: dict[str, Any], at_us: int) -> SetClock:
    told = [_words(request, key, "") for key in ("bastaushy", "qostaushy", "control")]
    if not any(told):
        raise CommandError("`clock` needs what it shows: `bastaushy`, `qostaushy` or a `control`")
    try:
        first_us, second_us = (parse_time(text) * 1000 if text else None for text in told[:2])
        control = parse_control(told[2]) if told[2] else None
    except TimeControlError as error:
        raise CommandError(str(error)) from error
    return SetClock(at_us, (first_us, second_us), control, _words(request, "reason", "arbiter"))


def _words(request: dict[str, Any], key: str, default: str) -> str:
    value = request.get(key, default)
    if not isinstance(value, str) or len(value) > 200:
        raise CommandError(f"`{key}` is a text of at most 200 letters, not {value!a:.60}")
    if not value.isprintable():
        # A terminal of another alphabet sends halves of characters, which no file can hold.
        raise CommandError(f"`{key}` {value!a:.60} holds something that is no letter; write it in UTF-8")
    return value


def move_told(error: RulesError) -> dict[str, Any]:
    """Return what an answer says of a move that could not be played; {} where it was no move's fault."""
    match error:
        case IllegalMoveError(number=number, position=position):
            told: dict[str, Any] = {"kind": "illegal", "number": number}
        case AmbiguousMoveError(text=text, candidates=candidates, position=position):
            told = {"kind": "ambiguous", "text": text, "candidates": list(candidates)}
        case NotationError(text=text):
            return {"move": {"kind": "no_move", "text": text}}
        case _:
            return {}
    return {"move": {**told, "position": position_to_json(position)}}


def refused_move(told: object) -> IllegalMoveError | AmbiguousMoveError | NotationError | None:
    """Return the error that `move_told` wrote under `move`; None: nothing, or nothing that can be read."""
    try:
        match told:
            case {"kind": "illegal", "number": int() | None as number, "position": position}:
                return IllegalMoveError(number, "", position_from_json(position))
            case {"kind": "ambiguous", "text": str(text), "candidates": [*moves], "position": position}:
                return AmbiguousMoveError(text, tuple(map(str, moves)), position_from_json(position))
            case {"kind": "no_move", "text": str(text)}:
                return NotationError(text, "")
    except PositionFormatError:
        pass
    return None
