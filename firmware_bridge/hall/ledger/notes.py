"""What happened at the boards, kept for after a restart: events heard, rulings given."""

from __future__ import annotations

import json
import sqlite3
from typing import Any, Final

from firmware_bridge.hall.ledger.values import Heard, Ruling

MOST_RULINGS: Final = 30
"""Of one board that are shown: a game has few."""


def keep(db: sqlite3.Connection, heard: Heard, *, new_game: bool) -> bool:
    """Keep an event; tell whether it is new. A game that begins drops those of the board before."""
    words = json.dumps(heard.data, ensure_ascii=False)
    row = (heard.board, heard.boot, heard.seq, heard.game, heard.ply, heard.at_ms, words)
    fresh = db.execute("INSERT OR IGNORE INTO heard VALUES (?, ?, ?, ?, ?, ?, ?)", row).rowcount == 1
    if fresh and new_game:
        db.execute(
            "DELETE FROM heard WHERE board = ? AND (boot, seq) < (?, ?)",
            (heard.board, heard.boot, heard.seq),
        )
    return fresh


def kept(db: sqlite3.Connection) -> tuple[Heard, ...]:
    """Return all events kept, each board's in order."""
    rows = db.execute(
        "SELECT board, boot, seq, game, ply, at_ms, data FROM heard ORDER BY board, boot, seq"
    ).fetchall()
    names = ("board", "boot", "seq", "game", "ply", "at_ms")
    return tuple(Heard(**dict(zip(names, row[:6], strict=True)), data=json.loads(row[6])) for row in rows)


def begin_ruling(db: sqlite3.Connection, ruling: Ruling) -> None:
    """Write an order down before it is sent; one that has its id already stays as it is."""
    db.execute(
        "INSERT INTO rulings VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?) ON CONFLICT (id) DO NOTHING",
        (
            ruling.id,
            ruling.board,
            ruling.game,
            ruling.ply,
            ruling.given_by,
            json.dumps(ruling.commands, ensure_ascii=False),
            ruling.outcome,
            ruling.code,
            ruling.detail,
            _undo(ruling),
            ruling.undoes,
            ruling.at_ms,
        ),
    )


def end_ruling(db: sqlite3.Connection, ruling: Ruling) -> None:
    """Write down what came of an order."""
    db.execute(
        "UPDATE rulings SET outcome = ?, code = ?, detail = ?, undo = ? WHERE id = ?",
        (ruling.outcome, ruling.code, ruling.detail, _undo(ruling), ruling.id),
    )


def _undo(ruling: Ruling) -> str | None:
    return None if ruling.undo is None else json.dumps(ruling.undo, ensure_ascii=False)


def ruling_of(db: sqlite3.Connection, key: str) -> Ruling | None:
    """Return an order; None: there is none of this id."""
    row = db.execute("SELECT * FROM rulings WHERE id = ?", (key,)).fetchone()
    return None if row is None else _ruling(row)


def rulings(db: sqlite3.Connection, board: str) -> tuple[Ruling, ...]:
    """Return the newest orders to a board, the newest first."""
    rows = db.execute(
        "SELECT * FROM rulings WHERE board = ? ORDER BY at_ms DESC, rowid DESC LIMIT ?", (board, MOST_RULINGS)
    ).fetchall()
    return tuple(_ruling(row) for row in rows)


def is_undone(db: sqlite3.Connection, key: str) -> bool:
    """Tell whether an order was taken back, or may have been: nobody knows what came of that yet."""
    (found,) = db.execute(
        "SELECT count(*) FROM rulings WHERE undoes = ? AND outcome IN ('accepted', 'sending', 'unknown')",
        (key,),
    ).fetchone()
    return bool(found)


def boards_ruled(db: sqlite3.Connection) -> tuple[str, ...]:
    """Return the boards that have had orders."""
    return tuple(row[0] for row in db.execute("SELECT DISTINCT board FROM rulings").fetchall())


def lost_rulings(db: sqlite3.Connection) -> None:
    """Say of orders that were being sent when the hall was killed that nobody knows what came of them."""
    db.execute("UPDATE rulings SET outcome = 'unknown' WHERE outcome = 'sending'")


def _ruling(row: tuple[Any, ...]) -> Ruling:
    names = ("id", "board", "game", "ply", "given_by", "commands", "outcome", "code", "detail")
    facts = dict(zip(names, row[:9], strict=True))
    facts["commands"] = json.loads(facts["commands"])
    undo = None if row[9] is None else json.loads(row[9])
    return Ruling(**facts, undo=undo, undoes=row[10], at_ms=row[11])
