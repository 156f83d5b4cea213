"""What arrives as an order from a page, checked: which board, ply and commands, and who may. Pure."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import Any, Final

from firmware_bridge.hall.ledger.roles import RIGHTS, Right, Role
from firmware_bridge.wire.signing import WITHOUT_PLY
from rules.conduct.adjournment import postponed
from rules.conduct.codes import Code
from rules.conduct.ladder import LAST_LEVEL
from rules.conduct.proposal import Decider

RIGHT_OF: Final[Mapping[str, Right]] = MappingProxyType(
    {
        "rule": Right.RULE,
        "close": Right.RULE,
        "warn": Right.RULE,
        "suspend": Right.RULE,
        "resume": Right.RULE,
        "enter": Right.RULE,
        "answer_call": Right.RULE,
        "complain": Right.RULE,
        "call_flag": Right.RULE,
        "offer_draw": Right.RULE,
        "answer_draw": Right.RULE,
        "adjust": Right.CLOCK,
        "clock": Right.CLOCK,
        "start": Right.START_ONE,
        "end": Right.SUBMIT,
        "release": Right.RELEASE,
        "adjourn": Right.PANEL,
        "unseal": Right.PANEL,
    }
)
"""What a command that a page may give needs. What is not here no page may give; `assign` the ledger gives."""

MOST_COMMANDS: Final = 6
MOST_PLIES: Final = 100_000
"""No game has a hundredth of it; a number without an end fits into no ledger."""
MOST_LETTERS: Final = 1000
"""Of one value of a command: every page is sent the orders of a board again and again."""

_NESTED: Final = ("position", "dials")
"""What of a command is no single value."""
_ID: Final = re.compile("[A-Za-z0-9-]{8,64}")


class OrderError(ValueError):
    """Raised when an order cannot be given; `code` says why, the key of a text; `articles` by what law."""

    def __init__(self, code: str, why: str, articles: tuple[str, ...] = ()) -> None:
        super().__init__(why)
        self.code, self.articles = code, articles


@dataclass(frozen=True, slots=True)
class Order:
    """What an arbiter wants a board to be told.

    Attributes:
        id: Made by his page; the same one again is the same order.
        game: Id of the game he saw; empty: none.
        ply: Plies played as he saw it.
        commands: What to tell, in order.
        undoes: The order this takes back; None: none.
    """

    id: str
    game: str
    ply: int
    commands: tuple[dict[str, Any], ...]
    undoes: str | None = None


def read_order(body: object) -> Order:
    """Return the order that a page has sent.

    Raises:
        OrderError: `malformed`: it is none.
    """
    if not isinstance(body, Mapping):
        raise OrderError("malformed", "an order is a JSON object")
    key, game, ply, undoes = (body.get(name) for name in ("id", "game", "ply", "undoes"))
    commands = body.get("commands")
    if not (isinstance(key, str) and _ID.fullmatch(key)):
        raise OrderError("malformed", "`id` has 8 to 64 of letters, digits and '-'")
    if not isinstance(ply, int) or isinstance(ply, bool) or not 0 <= ply <= MOST_PLIES:
        raise OrderError("malformed", "`ply` is no number of plies")
    if not (game is None or isinstance(game, str)) or not (undoes is None or isinstance(undoes, str)):
        raise OrderError("malformed", "`game` and `undoes` are texts")
    if not (isinstance(commands, list) and 1 <= len(commands) <= MOST_COMMANDS):
        raise OrderError("malformed", f"`commands` are 1 to {MOST_COMMANDS}")
    if not all(isinstance(each, dict) and isinstance(each.get("do"), str) for each in commands):
        raise OrderError("malformed", "each command says what to `do`")
    if not all(_plain(name, value) for each in commands for name, value in each.items()):
        raise OrderError("malformed", f"a command has texts, numbers, {' and '.join(_NESTED)}, and is short")
    return Order(key, game or "", ply, tuple(commands), undoes)


def _plain(name: str, value: object) -> bool:
    """Return whether a command's value is one that every page can show among the orders of a board."""
    if name in _NESTED:
        return len(json.dumps(value)) <= MOST_LETTERS
    if isinstance(value, str):
        return len(value) <= MOST_LETTERS
    return value is None or isinstance(value, int | float)


def check_rights(order: Order, role: Role) -> None:
    """Refuse an order that the office does not give.

    Raises:
        OrderError: `forbidden`, or `no_command`: no page gives such a command; or the code of what the law
            says, such as `postponed_by_panel_only`.
    """
    for command in order.commands:
        needed = right_of(command)
        if command["do"] == "adjourn":
            check_postponing(role, begun=True)
        if needed not in RIGHTS[role]:
            raise OrderError("forbidden", f"{role.value} may not {command['do']}: it needs {needed.value}")


def check_postponing(role: Role, *, begun: bool) -> None:
    """Refuse to postpone a game to whoever does not speak for the chief panel (2.8.1).

    Args:
        role: His office.
        begun: Whether the game has begun, so that a move is sealed.

    Raises:
        OrderError: `postponed_by_panel_only`, with its article.
    """
    decider = Decider.PANEL if Right.PANEL in RIGHTS[role] else Decider.ARBITER
    found = postponed(decider, begun=begun)
    if found.code is Code.POSTPONED_BY_PANEL_ONLY:
        articles = ", ".join(found.articles)
        told = f"{role.value} may not postpone a game: the chief panel does ({articles})"
        raise OrderError(found.code.value, told, found.articles)


def right_of(command: Mapping[str, Any]) -> Right:
    """Return what a command needs.

    Raises:
        OrderError: `no_command`: no page gives such a command.
    """
    do = command["do"]
    if do not in RIGHT_OF:
        raise OrderError("no_command", f"`{do[:40]}` is given by no page")
    if do == "warn" and command.get("level") == LAST_LEVEL:
        return Right.PANEL
    return RIGHT_OF[do]


def needs_ply(command: Mapping[str, Any]) -> bool:
    """Tell whether a command is meant for one ply only."""
    return command["do"] not in WITHOUT_PLY
