"""What takes an order back: a new order, made from what the board showed before. Pure.

Nothing is ever unmade: the journal has both. What cannot be taken back so, such as the end of a game or a
warning, has no undo, and the page asks twice before.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from rules.control_text import format_time


def undo_of(commands: Sequence[Mapping[str, Any]], before: Mapping[str, Any]) -> list[dict[str, Any]] | None:
    """Return the commands that take an order back, in order; None where there are none.

    Args:
        commands: What the board was told.
        before: Its state before, as shown to viewers.
    """
    undone: list[dict[str, Any]] = []
    rules = any(command.get("do") == "rule" for command in commands)
    for command in reversed(commands):
        if rules and command.get("do") == "suspend":
            continue  # the stones lie wrongly again: the clock stands until somebody decides
        one = _undo(command, before)
        if one is None:
            return None
        undone += one
    return undone or None


def _undo(  # noqa: PLR0911 - a line for each kind of command
    command: Mapping[str, Any], before: Mapping[str, Any]
) -> list[dict[str, Any]] | None:
    match command:
        case {"do": "rule", "decision": "corrected" | "stands"}:
            return [{"do": "rule", "decision": "taken_back", "take_back": 1, "dials": _dials(before)}]
        case {"do": "rule", "decision": "restored"} if not command.get("take_back"):
            return [{"do": "rule", "decision": "taken_back", "take_back": 0, "dials": _dials(before)}]
        case {"do": "enter", "moves": str(moves)}:
            plies = len(moves.split())
            return [{"do": "rule", "decision": "taken_back", "take_back": plies, "dials": _dials(before)}]
        case {"do": "suspend"}:
            return [{"do": "resume"}]
        case {"do": "resume"}:
            return [{"do": "suspend", "reason": str(before.get("pause") or "arbiter")}]
        case {"do": "adjust", "seconds": int() | float() as seconds}:
            return [{**command, "seconds": -seconds}]
        case {"do": "clock"} if "control" not in command and before.get("clock"):
            first, second = _dials(before)
            return [{"do": "clock", "bastaushy": first, "qostaushy": second, "reason": "undo"}]
        case {"do": "warn"}:
            return []  # it stays; whoever gave it takes it back in the list of warnings (2.4.8)
        case _:
            return None


def _dials(before: Mapping[str, Any]) -> list[str | None]:
    clock = before.get("clock")
    return [None, None] if clock is None else [format_time(left) for left in clock["remaining_ms"]]
