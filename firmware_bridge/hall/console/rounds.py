"""Rounds: pairings written down, games given to boards, clocks started, seats flipped, results accepted."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping, Sequence
from typing import Any, Final

from firmware_bridge.hall.console.desk import Desk, wall_ms
from firmware_bridge.hall.console.event import bar_of
from firmware_bridge.hall.console.orders import OrderError
from firmware_bridge.hall.ledger import games
from firmware_bridge.hall.ledger.accounts import Account
from firmware_bridge.hall.ledger.event_values import Book
from firmware_bridge.hall.ledger.games import GameError
from firmware_bridge.hall.ledger.pairings import (
    MOST_LINES,
    PairingError,
    PairingFault,
    doubled,
    faults_of,
    fixture_of,
    read_pairings,
)
from firmware_bridge.hall.ledger.values import SCORES, STATUSES, Fixture, Ruling
from rules.tournament.entries import named
from rules.tournament.options import Tournament

NOT_BEGUN: Final = ("assigned", "setting_up", "ready")
_TYPED: Final = ("round", "board", "bastaushy", "qostaushy", "seat", "control")


def pairings_of(body: Mapping[str, Any], control: str) -> tuple[Fixture, ...]:
    """Return the games that a page has sent: a file as `text`, or typed `rows`.

    Raises:
        PairingError: Something in them is wrong; all of it is named.
        OrderError: `malformed`: there are none.
    """
    text, rows, wish = body.get("text"), body.get("rows"), body.get("control")
    control = wish if isinstance(wish, str) and wish else control
    if isinstance(text, str):
        return read_pairings(text, control)
    if not (
        isinstance(rows, list) and 1 <= len(rows) <= MOST_LINES and all(isinstance(r, dict) for r in rows)
    ):
        raise OrderError("malformed", "`text` is a file of pairings, or `rows` are typed ones")
    return _typed(rows, control)


def _typed(rows: Sequence[dict[str, Any]], control: str) -> tuple[Fixture, ...]:
    clean = [{name: named(str(row.get(name) or "")) for name in _TYPED} for row in rows]
    faults = [
        PairingFault(number, *fault)
        for number, row in enumerate(clean, start=1)
        for fault in faults_of(row, control)
    ]
    if faults:
        raise PairingError(faults)
    return tuple(fixture_of(row, control) for row in clean)


def lines_of(body: Mapping[str, Any], fixtures: Sequence[Fixture]) -> list[int]:
    """Return where each pairing stands: its line in a file, from 1 with the heading; its number if typed."""
    text = body.get("text")
    if not isinstance(text, str):
        return list(range(1, len(fixtures) + 1))
    return [number for number, line in enumerate(text.splitlines(), start=1) if line.strip()][1:]


def check_players(book: Book, fixtures: Sequence[Fixture], options: Tournament, lines: Sequence[int]) -> None:
    """Refuse pairings with somebody who is not to be paired: not entered, expelled, two rounds missed.

    Args:
        book: The ledger.
        fixtures: The pairings.
        options: What the event has chosen.
        lines: Where each of them stands, for whoever has to mend it.

    Raises:
        PairingError: All who are not to be paired are named (2.4.7, 2.3.13).
    """
    faults = doubled(zip(lines, fixtures, strict=True))
    faults += _elsewhere(book.fixtures, fixtures, lines)
    for number, fixture in zip(lines, fixtures, strict=True):
        for column in ("bastaushy", "qostaushy"):
            bar = bar_of(book, getattr(fixture, column), fixture.round, options)
            if bar is not None:
                faults.append(PairingFault(number, column, *bar))
    if faults:
        raise PairingError(faults)


def _elsewhere(
    there: Sequence[Fixture], fixtures: Sequence[Fixture], lines: Sequence[int]
) -> list[PairingFault]:
    """Return who would sit at two boards of a round: at one of these, and at one that stays as it is.

    The same two at another board are no second game: it is moved there (`games.plan`).
    """
    anew = {(each.round, each.board) for each in fixtures}
    staying = [each for each in there if each.round and (each.round, each.board) not in anew]
    faults = []
    for number, fixture in zip(lines, fixtures, strict=True):
        for other in staying:
            if other.round != fixture.round or games.moves(other, fixture):
                continue
            for column in ("bastaushy", "qostaushy"):
                name = getattr(fixture, column)
                if name in (other.bastaushy, other.qostaushy):
                    faults.append(PairingFault(number, column, "player_twice", f"{name} ({other.board})"))
    return faults


def _check_begun(desk: Desk, fixtures: Sequence[Fixture]) -> None:
    """Refuse to pair anew what is being played: its result would be that of other people.

    Raises:
        GameError: `begun`.
    """
    for fixture in fixtures:
        for each in desk.fixtures:
            if each.key != fixture.key and not games.moves(each, fixture):
                continue
            if games.is_adopted(each, fixture):
                continue
            phase = _phase(desk, each)
            if phase and phase not in NOT_BEGUN:
                told = f"round {each.round} at {each.board} has begun: it cannot be paired anew"
                raise GameError("begun", told)


async def plan(desk: Desk, fixtures: Sequence[Fixture], lines: Sequence[int] | None = None) -> None:
    """Write pairings down; `lines` are where they stand in what was sent, by number unless said.

    Raises:
        PairingError: Somebody in them is not to be paired, or sits at two boards.
        GameError: One of them has been played already, or is being played.
        LedgerError: They cannot be written down.
    """
    await desk.refresh()  # entries may have been added by a command meanwhile
    where = range(1, len(fixtures) + 1) if lines is None else lines
    check_players(desk.book, fixtures, desk.tournament, where)
    _check_begun(desk, fixtures)
    await desk.ledger.do(lambda db: games.plan(db, fixtures, wall_ms()))
    await desk.refresh()


async def assign_round(desk: Desk, number: int, account: Account) -> list[Ruling]:
    """Give every board its game of a round, all at once; return what came of each.

    Raises:
        OrderError: `no_keys`.
    """
    due = [each for each in desk.fixtures if each.round == number and each.status == "planned"]
    return list(await asyncio.gather(*(assign(desk, each, account) for each in due)))


def game_of(desk: Desk, key: str) -> Fixture:
    """Return a game of the event.

    Raises:
        GameError: There is no such game.
    """
    fixture = next((each for each in desk.fixtures if each.key == key), None)
    if fixture is None:
        raise GameError("unknown_game", f"the ledger has no game {key[:80]!r}")
    return fixture


async def assign(desk: Desk, fixture: Fixture, account: Account) -> Ruling:
    """Give a board its game, with names and seats."""
    command = {
        "do": "assign",
        "game": fixture.key,
        "bastaushy": fixture.bastaushy,
        "qostaushy": fixture.qostaushy,
        "seat": fixture.seat,
        "control": fixture.control,
    }
    return await desk.instruct(fixture.board, command, account)


async def start_round(desk: Desk, number: int, account: Account) -> list[Ruling]:
    """Start the clocks of all boards of a round that are set up (2.7.5); return what came of each.

    Also where a player is not there yet: his lateness is charged to him (2.7.6).
    """
    due = [each.board for each in desk.fixtures if each.round == number and _is_set_up(desk, each)]
    return list(await asyncio.gather(*(desk.instruct(board, {"do": "start"}, account) for board in due)))


def _is_set_up(desk: Desk, fixture: Fixture) -> bool:
    """Return whether a board is set up for this game, and not for one that was paired anew since."""
    phase = _phase(desk, fixture)
    if phase not in ("setting_up", "ready"):
        return False
    state = desk.snapshot(fixture.board)["state"]
    if phase == "setting_up" and state["watch"]["sensed"] != "matches":
        return False
    names = state["names"]
    return [named(name) for name in names] == [fixture.bastaushy, fixture.qostaushy]


def _phase(desk: Desk, fixture: Fixture) -> str:
    """Return the phase of the board, if it has this game; else nothing."""
    state = desk.snapshot(fixture.board)["state"]
    return str(state["phase"]) if state is not None and state["game"] == fixture.key else ""


async def flip(desk: Desk, key: str, account: Account) -> Fixture:
    """Let the other player begin, on the same chairs; a board that has the game already is told.

    Raises:
        GameError: There is no such game, it has begun, or the board refuses.
    """
    fixture = game_of(desk, key)
    phase = _phase(desk, fixture)
    if phase and phase not in NOT_BEGUN:
        raise GameError("begun", f"game {key} has begun")
    if phase:
        ruling = await assign(desk, fixture.flipped(), account)
        if ruling.outcome != "accepted":
            raise GameError(ruling.code or "unknown", ruling.detail)
    flipped = await desk.ledger.do(lambda db: games.flip(db, key, wall_ms()))
    await desk.refresh()
    return flipped


async def settle(desk: Desk, key: str, body: Mapping[str, Any], account: Account) -> Fixture:
    """Confirm a result, or make it official.

    Raises:
        OrderError: `malformed`.
        GameError: The ledger refuses it.
    """
    status, score, reason = body.get("status"), body.get("score"), body.get("reason", "")
    if status not in STATUSES[3:5] or not (score is None or score in SCORES) or not isinstance(reason, str):
        raise OrderError("malformed", "`status` is confirmed or official, `score` a result")
    fixture = await desk.ledger.do(
        lambda db: games.settle(db, key, status, wall_ms(), score=score, by=account.name, reason=reason[:160])
    )
    await desk.refresh()
    return fixture
