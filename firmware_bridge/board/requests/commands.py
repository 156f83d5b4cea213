"""Requests from the control socket, and those of a signed command, as commands of the table (pure)."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from typing import Any, get_args

from firmware_bridge.board.inputs import (
    Adjust,
    Assign,
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
from firmware_bridge.board.requests.incidents import parse_incident
from firmware_bridge.board.requests.words import CommandError, one_of, words
from firmware_bridge.layout import Seat
from rules.control_text import parse_control, parse_time
from rules.errors import TimeControlError
from rules.game import Result
from rules.position import Side

KNOWN = (
    "status, trace, survey, calibrate, start, suspend, resume, enter, adjust, clock, end, release, assign, "
    "rule, close, warn, offer_draw, answer_draw, call, answer_call, complain, call_flag, adjourn, unseal"
)
"""All that the socket takes; `runtime.py` answers the first four itself."""

_GAME = re.compile("[a-z0-9-]{1,64}")
"""What may name a game in topics and addresses."""

MOST_SECONDS = 86_400
"""Most time given or taken at once: a day. An arbiter gives minutes (2.7.14)."""


def parse_command(request: dict[str, Any], at_us: int) -> Command:
    """Return the command a request means, given at table time `at_us`.

    Raises:
        CommandError: It is none, or one of its words is missing, too long or no whole text.
    """
    do = request.get("do")
    parse = _PARSERS.get(do) if isinstance(do, str) else None
    if parse is not None:
        return parse(request, at_us)
    incident = parse_incident(request, at_us)
    if incident is None:
        raise CommandError(f"`{do!a:.40}` is no command; known are: {KNOWN}")
    return incident


def _assign(request: dict[str, Any], at_us: int) -> Assign:
    game = words(request, "game")
    if not _GAME.fullmatch(game):
        raise CommandError(f"`game` {game!a:.40} is no id of a game: 1 to 64 of a-z, 0-9 and '-'")
    try:
        control = parse_control(words(request, "control"))
    except TimeControlError as error:
        raise CommandError(str(error)) from error
    return Assign(
        at_us=at_us,
        game_id=game,
        names=(words(request, "bastaushy"), words(request, "qostaushy")),
        starter_seat=one_of(request, "seat", get_args(Seat)),
        control=control,
    )


def _enter(request: dict[str, Any], at_us: int) -> Enter:
    return Enter(at_us, tuple(words(request, "moves").split()), by=words(request, "by"))


def _suspend(request: dict[str, Any], at_us: int) -> Suspend:
    return Suspend(at_us, words(request, "reason", "arbiter"), by=words(request, "by"))


def _end(request: dict[str, Any], at_us: int) -> End:
    return End(at_us, _score(request), words(request, "reason", "arbiter"), by=words(request, "by"))


def _score(request: dict[str, Any]) -> Result:
    for score in get_args(Result):
        if request.get("score") == score:
            found: Result = score
            return found
    raise CommandError(
        f"`score` {request.get('score')!r:.40} is no result: 1-0, 0-1, 1/2-1/2 or 0-0, bastaushy first"
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
        return Adjust(at_us, _delta_us(request), words(request, "reason", "arbiter"), by=words(request, "by"))
    side = next((side for side in Side if side.value == request.get("side")), None)
    if side is None and request.get("side") != "both":
        raise CommandError(
            f"`side` {request.get('side')!a:.40} is nobody who is late: bastaushy, qostaushy or both"
        )
    try:
        late_us = parse_time(words(request, "late")) * 1000
    except TimeControlError as error:
        raise CommandError(str(error)) from error
    return Late(at_us, side, late_us, words(request, "reason", "2.7.6"), by=words(request, "by"))


def _set_clock(request: dict[str, Any], at_us: int) -> SetClock:
    told = [words(request, key) for key in ("bastaushy", "qostaushy", "control")]
    if not any(told):
        raise CommandError("`clock` needs what it shows: `bastaushy`, `qostaushy` or a `control`")
    try:
        first_us, second_us = (parse_time(text) * 1000 if text else None for text in told[:2])
        control = parse_control(told[2]) if told[2] else None
    except TimeControlError as error:
        raise CommandError(str(error)) from error
    reason = words(request, "reason", "arbiter")
    return SetClock(at_us, (first_us, second_us), control, reason, by=words(request, "by"))


_PARSERS: Mapping[str, Callable[[dict[str, Any], int], Command]] = {
    "assign": _assign,
    "start": lambda _, at_us: Start(at_us),
    "suspend": _suspend,
    "resume": lambda request, at_us: Resume(at_us, by=words(request, "by")),
    "end": _end,
    "enter": _enter,
    "adjust": _adjust,
    "clock": _set_clock,
    "release": lambda _, at_us: Release(at_us),
}
"""How a request is read that says `do` so."""
