"""Questions to a request, each answered with a value of its kind or refused in words (pure)."""

from __future__ import annotations

from typing import Any

from rules.position import Side

MOST_LETTERS = 200
"""Longest text in a request: a sentence of an arbiter."""


class CommandError(ValueError):
    """Raised when a request is no command; the message says what would be one."""


def words(request: dict[str, Any], key: str, default: str = "") -> str:
    """Return a text.

    Raises:
        CommandError: It is none, too long, or holds what is no letter.
    """
    value = request.get(key, default)
    if not isinstance(value, str) or len(value) > MOST_LETTERS:
        raise CommandError(f"`{key}` is a text of at most {MOST_LETTERS} letters, not {value!a:.60}")
    if not value.isprintable():
        # A terminal of another alphabet sends halves of characters, which no file can hold.
        raise CommandError(f"`{key}` {value!a:.60} holds something that is no letter; write it in UTF-8")
    return value


def side_of(request: dict[str, Any], key: str = "side") -> Side:
    """Return one of the players.

    Raises:
        CommandError: It is neither.
    """
    value = request.get(key)
    side = next((side for side in Side if side.value == value), None)
    if side is None:
        raise CommandError(f"`{key}` {value!a:.40} is nobody: bastaushy or qostaushy")
    return side


def whole(request: dict[str, Any], key: str, low: int, high: int, default: int | None = None) -> int:
    """Return a whole number from `low` to `high`.

    Raises:
        CommandError: It is none, or missing without a default.
    """
    value = request.get(key, default)
    if not isinstance(value, int) or isinstance(value, bool) or not low <= value <= high:
        raise CommandError(f"`{key}` {value!a:.40} is no whole number from {low} to {high}")
    return value


def whole_or_none(request: dict[str, Any], key: str, low: int, high: int) -> int | None:
    """Return a whole number from `low` to `high`; None where nothing is said.

    Raises:
        CommandError: It is something else.
    """
    return None if request.get(key) is None else whole(request, key, low, high)


def yes_or_no(request: dict[str, Any], key: str, *, default: bool | None = None) -> bool:
    """Return true or false.

    Raises:
        CommandError: It is neither, or missing without a default.
    """
    value = request.get(key, default)
    if not isinstance(value, bool):
        raise CommandError(f"`{key}` {value!a:.40} is neither true nor false")
    return value


def one_of(request: dict[str, Any], key: str, choices: tuple[str, ...]) -> Any:
    """Return one of some words.

    Raises:
        CommandError: It is none of them.
    """
    value = request.get(key)
    if value not in choices:
        raise CommandError(f"`{key}` {value!a:.40} is none of: {', '.join(choices)}")
    return value
