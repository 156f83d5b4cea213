"""Games of the event in the ledger: who plays whom at which board, and how the result becomes official.

    planned > assigned > proposed > confirmed > official > released

The board proposes a result, both players or an arbiter confirm it, the secretariat makes it official, and
the board is released. A step may be left out, never gone back: an official result is changed by another
official one, which the rulings tell of.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Iterable
from typing import Any, Final

from firmware_bridge.hall.ledger.values import STATUSES, Fixture, Status
from rules.conduct.proposal import Score

_OPEN: Final = ("planned", "assigned")
_COLUMNS: Final = (
    "key, round, board, bastaushy, qostaushy, seat, control, status, score, reason, decided_by, postponed,"
    " ended_ms"
)


class GameError(ValueError):
    """Raised when the ledger refuses a change of a game; `code` says why for programs."""

    def __init__(self, code: str, why: str) -> None:
        super().__init__(why)
        self.code = code


def plan(db: sqlite3.Connection, fixtures: Iterable[Fixture], now_ms: int) -> None:
    """Write pairings down; those of the same round and board, or the same two, without a result are replaced.

    Raises:
        GameError: One of them has been played already; none is changed.
    """
    for fixture in fixtures:
        known = game(db, fixture.key)
        if known is not None and not known.round:
            if is_adopted(known, fixture):
                db.execute("UPDATE games SET round = ? WHERE key = ?", (fixture.round, fixture.key))
                continue
            if known.status not in _OPEN:
                raise GameError("played", f"game {fixture.key} has a result, and other players")
            db.execute("DELETE FROM games WHERE key = ?", (fixture.key,))
        row = db.execute(
            "SELECT status FROM games WHERE round = ? AND board = ?", (fixture.round, fixture.board)
        ).fetchone()
        if row is not None and row[0] not in _OPEN:
            raise GameError(
                "played", f"round {fixture.round} at {fixture.board} has a result: it cannot be paired anew"
            )
        db.execute("DELETE FROM games WHERE round = ? AND board = ?", (fixture.round, fixture.board))
        for other in games(db, fixture.round):
            if moves(other, fixture):
                db.execute("DELETE FROM games WHERE key = ?", (other.key,))
        _put(db, fixture, now_ms)


def is_adopted(known: Fixture, paired: Fixture) -> bool:
    """Tell whether a pairing names a game that a board had before the ledger: it stays as far as it is."""
    players = (paired.bastaushy, paired.qostaushy)
    return (known.key, known.round, known.bastaushy, known.qostaushy) == (paired.key, 0, *players)


def moves(old: Fixture, new: Fixture) -> bool:
    """Tell whether a pairing moves a game without a result to another board: the same two, the same round."""
    same = {old.bastaushy, old.qostaushy} == {new.bastaushy, new.qostaushy}
    return same and old.round == new.round > 0 and old.board != new.board and old.status in _OPEN


def _put(db: sqlite3.Connection, fixture: Fixture, now_ms: int) -> None:
    names = [(fixture.bastaushy,), (fixture.qostaushy,)]
    db.executemany("INSERT OR IGNORE INTO players (name) VALUES (?)", names)
    values = [getattr(fixture, name.strip()) for name in _COLUMNS.split(",")]
    marks = ", ".join("?" * (len(values) + 1))
    db.execute(f"INSERT INTO games ({_COLUMNS}, changed_ms) VALUES ({marks})", (*values, now_ms))  # noqa: S608 - our own column names


def games(db: sqlite3.Connection, round_number: int | None = None) -> tuple[Fixture, ...]:
    """Return all games, or those of a round, by round and board."""
    where, values = ("", ()) if round_number is None else ("WHERE round = ?", (round_number,))
    rows = db.execute(f"SELECT {_COLUMNS} FROM games {where} ORDER BY round, board, key", values)  # noqa: S608 - ours
    return tuple(_fixture(row) for row in rows.fetchall())


def game(db: sqlite3.Connection, key: str) -> Fixture | None:
    """Return a game; None: there is none of this key."""
    row = db.execute(f"SELECT {_COLUMNS} FROM games WHERE key = ?", (key,)).fetchone()  # noqa: S608 - ours
    return None if row is None else _fixture(row)


def _fixture(row: tuple[Any, ...]) -> Fixture:
    return Fixture(**dict(zip((name.strip() for name in _COLUMNS.split(",")), row, strict=True)))


def flip(db: sqlite3.Connection, key: str, now_ms: int) -> Fixture:
    """Let the other player begin, and return the game as it is now.

    Raises:
        GameError: There is no such game, or it has a result.
    """
    found = _must(db, key)
    if found.status not in _OPEN:
        raise GameError("played", f"game {key} has a result: nobody can begin it anew")
    after = found.flipped()
    db.execute(
        "UPDATE games SET bastaushy = ?, qostaushy = ?, seat = ?, changed_ms = ? WHERE key = ?",
        (after.bastaushy, after.qostaushy, after.seat, now_ms, key),
    )
    return after


def assigned(db: sqlite3.Connection, fixture: Fixture, now_ms: int) -> None:
    """Note that a board has a game; one that no pairing names is added."""
    if game(db, fixture.key) is None:
        _put(db, fixture, now_ms)
    db.execute(
        "UPDATE games SET status = 'assigned', changed_ms = ? WHERE key = ? AND status = 'planned'",
        (now_ms, fixture.key),
    )


def settle(  # noqa: PLR0913 - a result with who and why
    db: sqlite3.Connection,
    key: str,
    status: Status,
    now_ms: int,
    *,
    score: Score | None,
    by: str,
    reason: str,
) -> Fixture:
    """Bring a result one step on, or several; what is official already only another official one changes.

    Args:
        db: The ledger.
        key: Which game.
        status: `proposed`, `confirmed`, `official` or `released`.
        now_ms: Wall time.
        score: The result; None: as it stands.
        by: Who; empty: the board.
        reason: What ended the game; empty: as it stands.

    Raises:
        GameError: There is no such game, it has no result, or this step would go back.
    """
    found = _must(db, key)
    score = score or found.score
    if score is None:
        raise GameError("no_score", f"game {key} has no result to be {status}")
    here, there = STATUSES.index(found.status), STATUSES.index(status)
    again = status == "official" and found.status in ("official", "released")
    if there <= here and not again:
        raise GameError("order", f"game {key} is {found.status} already; it cannot become {status}")
    kept = found.status if again and there < here else status
    db.execute(
        "UPDATE games SET status = ?, score = ?, reason = ?, decided_by = ?, changed_ms = ? WHERE key = ?",
        (kept, score, reason or found.reason, by, now_ms, key),
    )
    return _must(db, key)


def ended(db: sqlite3.Connection, key: str, now_ms: int) -> None:
    """Note when the hall heard that a game has ended."""
    db.execute("UPDATE games SET ended_ms = ? WHERE key = ?", (now_ms, key))


def postpone(db: sqlite3.Connection, key: str, reason: str, now_ms: int) -> Fixture:
    """Note that the chief panel has postponed a game (2.8.1), and return it; a result it gets counts.

    Raises:
        GameError: There is no such game, or it has a result.
    """
    if _must(db, key).score is not None:
        raise GameError("played", f"game {key} has a result: there is nothing to postpone")
    db.execute("UPDATE games SET postponed = ?, changed_ms = ? WHERE key = ?", (reason, now_ms, key))
    return _must(db, key)


def _must(db: sqlite3.Connection, key: str) -> Fixture:
    found = game(db, key)
    if found is None:
        raise GameError("unknown_game", f"the ledger has no game {key[:80]!r}")
    return found
