"""Requests from the control socket as commands of the table (pure)."""

from __future__ import annotations

from typing import Any, get_args

from firmware_bridge.board.inputs import Command, End, Enter, Release, Resume, Start, Suspend
from rules.game import Result

KNOWN = "status, start, suspend, resume, enter, end, release"


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


def _words(request: dict[str, Any], key: str, default: str) -> str:
    value = request.get(key, default)
    if not isinstance(value, str) or len(value) > 200:
        raise CommandError(f"`{key}` is a text of at most 200 letters, not {value!a:.60}")
    if not value.isprintable():
        # A terminal of another alphabet sends halves of characters, which no file can hold.
        raise CommandError(f"`{key}` {value!a:.60} holds something that is no letter; write it in UTF-8")
    return value
