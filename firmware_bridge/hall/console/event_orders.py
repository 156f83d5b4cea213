"""What an arbiter writes into the ledger about people and games, and no board is told."""

from __future__ import annotations

import secrets
from collections.abc import Mapping
from typing import Any, Final

from firmware_bridge.hall.console.desk import Desk, wall_ms
from firmware_bridge.hall.console.event import step_of
from firmware_bridge.hall.console.orders import OrderError, check_postponing
from firmware_bridge.hall.console.rounds import game_of
from firmware_bridge.hall.ledger import discipline, games, people
from firmware_bridge.hall.ledger.accounts import Account
from firmware_bridge.hall.ledger.entry_file import read_entries
from firmware_bridge.hall.ledger.event_values import (
    PENALTY_ARTICLES,
    PENALTY_KINDS,
    Excuse,
    Penalty,
    PenaltyKind,
    Protest,
)
from firmware_bridge.hall.ledger.pairings import LAST_ROUND
from firmware_bridge.hall.ledger.roles import RIGHTS, Right
from firmware_bridge.hall.ledger.values import Fixture, Warned
from rules.conduct.ladder import LAST_LEVEL
from rules.position import Side
from rules.tournament.entries import LONGEST_NAME, Entry, named

LONGEST_REASON: Final = 160
"""Letters of a reason: a line of the list that is announced."""

LONGEST_ARTICLE: Final = 20
"""Letters of what somebody is warned by, such as `2.4.6, 2.4.7`."""


def text_of(body: Mapping[str, Any], name: str, most: int, *, needed: bool = True) -> str:
    """Return a text that a page has sent, in the one way names are written; empty where none is needed.

    Raises:
        OrderError: `malformed`: it is none, it is missing, or it is longer than `most`.
    """
    value = body.get(name, "")
    found = named(value) if isinstance(value, str) else None
    if found is None or len(found) > most or (needed and not found) or not found.isprintable():
        raise OrderError("malformed", f"`{name}` is a text of {int(needed)} to {most} letters")
    return found


def round_of(body: Mapping[str, Any], *, least: int) -> int:
    """Return the number of a round that a page has sent; without one it is 0, where `least` allows it.

    Raises:
        OrderError: `malformed`.
    """
    value = body.get("round", 0)
    if not isinstance(value, int) or isinstance(value, bool) or not least <= value <= LAST_ROUND:
        raise OrderError("malformed", f"`round` is a number from {least} to {LAST_ROUND}")
    return value


def _new_key() -> str:
    """Return a key of something that no board has told, which no other row bears."""
    return f"hall-{secrets.token_hex(8)}"


async def warn(desk: Desk, body: Mapping[str, Any], account: Account) -> Warned:
    """Warn somebody without a board: the next step of the ladder, which the hall knows (2.4.6).

    Raises:
        OrderError: `malformed`; `forbidden`: the next step is the fifth, and that is the chief panel's.
        GameError: There is no such game.
    """
    person, key = text_of(body, "person", LONGEST_NAME), text_of(body, "game", LONGEST_NAME, needed=False)
    fixture = game_of(desk, key) if key else None
    number = round_of(body, least=0) if fixture is None else fixture.round
    step = step_of(desk.warnings, person, desk.conduct, round_number=number, game=key)
    if step.level == LAST_LEVEL and Right.PANEL not in RIGHTS[account.role]:
        told = f"the next warning of {person} is the fifth: the chief panel expels him"
        raise OrderError("forbidden", told, step.articles)
    warned = Warned(
        key=_new_key(),
        person=person,
        level=step.level,
        board="" if fixture is None else fixture.board,
        game=key,
        round=number,
        article=text_of(body, "article", LONGEST_ARTICLE, needed=False),
        given_by=account.name,
        reason=text_of(body, "reason", LONGEST_REASON, needed=False),
        at_ms=wall_ms(),
    )
    await desk.ledger.do(lambda db: discipline.warn(db, warned))
    await desk.refresh()
    return next(each for each in desk.warnings if each.key == warned.key)


async def take_back_warning(desk: Desk, key: str, body: Mapping[str, Any], account: Account) -> None:
    """Take a warning back: whoever gave it, or the chief panel (2.4.8).

    Raises:
        OrderError: `unknown_warning`, `another_arbiter`, `taken_back`.
    """
    reason = str(body.get("reason", ""))[:LONGEST_REASON]
    panel = Right.PANEL in RIGHTS[account.role]
    why = await desk.ledger.do(lambda db: discipline.take_back(db, key, account.name, reason, panel=panel))
    if why:
        articles = ("2.4.8",) if why == "another_arbiter" else ()
        raise OrderError(why, f"warning {key[:80]!r} is not taken back: {why}", articles)
    await desk.refresh()


async def punish(desk: Desk, body: Mapping[str, Any], account: Account) -> Penalty:
    """Write down what the chief panel has imposed (2.4.7), or the chief arbiter on an arbiter (2.4.8).

    Raises:
        OrderError: `malformed`, or `forbidden`: his office does not allow it.
    """
    kind = next((each for each in PENALTY_KINDS if each == body.get("kind")), None)
    if kind is None:
        raise OrderError("malformed", f"`kind` is one of {', '.join(PENALTY_KINDS)}")
    check_penalty(kind, account)
    penalty = Penalty(
        key=_new_key(),
        kind=kind,
        person=text_of(body, "person", LONGEST_NAME),
        round=round_of(body, least=0),
        articles=" ".join(PENALTY_ARTICLES[kind]),
        given_by=account.name,
        reason=text_of(body, "reason", LONGEST_REASON),
        at_ms=wall_ms(),
    )
    await desk.ledger.do(lambda db: discipline.punish(db, penalty))
    await desk.refresh()
    return penalty


def check_penalty(kind: PenaltyKind, account: Account) -> None:
    """Refuse a penalty that the office does not give.

    Raises:
        OrderError: `forbidden`, with the article.
    """
    needed = Right.ARBITERS if kind == "arbiter" else Right.PANEL
    if needed not in RIGHTS[account.role]:
        articles = PENALTY_ARTICLES[kind]
        told = f"{account.role.value} may not impose {kind}: it needs {needed.value} ({', '.join(articles)})"
        raise OrderError("forbidden", told, articles)


async def lift(desk: Desk, key: str, body: Mapping[str, Any], account: Account) -> None:
    """Take a penalty back.

    Raises:
        OrderError: `unknown_penalty`, `taken_back`, `forbidden`.
    """
    kind = next((each.kind for each in desk.book.penalties if each.key == key), None)
    if kind is not None:
        check_penalty(kind, account)
    reason = str(body.get("reason", ""))[:LONGEST_REASON]
    why = await desk.ledger.do(lambda db: discipline.lift(db, key, account.name, reason))
    if why:
        raise OrderError(why, f"penalty {key[:80]!r} is not taken back: {why}")
    await desk.refresh()


async def enter(desk: Desk, body: Mapping[str, Any]) -> tuple[Entry, ...]:
    """Write entries down from a file as `text`; return all there are, by rating (2.9.1).

    Raises:
        OrderError: `malformed`: there is none.
        EntryError: Something in it is wrong; all of it is named.
    """
    text = body.get("text")
    if not isinstance(text, str):
        raise OrderError("malformed", "`text` is a file of entries")
    entries = read_entries(text)
    await desk.ledger.do(lambda db: people.enter(db, entries, wall_ms()))
    await desk.refresh()
    return desk.book.entries


async def excuse(desk: Desk, body: Mapping[str, Any], account: Account) -> Excuse:
    """Write down why somebody missed a round, or that he had asked (2.3.13).

    Raises:
        OrderError: `malformed`.
    """
    given = Excuse(
        person=text_of(body, "person", LONGEST_NAME),
        round=round_of(body, least=1),
        reason=text_of(body, "reason", LONGEST_REASON),
        given_by=account.name,
        at_ms=wall_ms(),
    )
    await desk.ledger.do(lambda db: people.excuse(db, given))
    await desk.refresh()
    return given


async def postpone(desk: Desk, key: str, body: Mapping[str, Any], account: Account) -> Fixture:
    """Postpone a game that has not begun (2.8.1); one that has is adjourned at its board.

    Raises:
        OrderError: `malformed`, or `postponed_by_panel_only`.
        GameError: There is no such game, or it has a result.
    """
    check_postponing(account.role, begun=False)
    reason = text_of(body, "reason", LONGEST_REASON)
    fixture = await desk.ledger.do(lambda db: games.postpone(db, key, reason, wall_ms()))
    await desk.refresh()
    return fixture


async def sign(desk: Desk, key: str, body: Mapping[str, Any], account: Account) -> None:
    """Note that a player has signed the result on paper (2.10.2).

    Raises:
        OrderError: `malformed`.
        GameError: There is no such game.
    """
    fixture, side = game_of(desk, key), body.get("side")
    if side not in {each.value for each in Side}:
        raise OrderError("malformed", "`side` is bastaushy or qostaushy")
    await desk.ledger.do(lambda db: people.sign(db, fixture.key, str(side), account.name, wall_ms()))
    await desk.refresh()


async def protest(desk: Desk, key: str, body: Mapping[str, Any], account: Account) -> Protest:
    """Note that somebody protested about a game (2.10.1).

    Raises:
        OrderError: `malformed`.
        GameError: There is no such game.
    """
    filed = Protest(
        key=_new_key(),
        game=game_of(desk, key).key,
        filed_by=text_of(body, "filed_by", LONGEST_NAME),
        noted_by=account.name,
        reason=text_of(body, "reason", LONGEST_REASON),
        at_ms=wall_ms(),
    )
    await desk.ledger.do(lambda db: people.protest(db, filed))
    await desk.refresh()
    return filed
