"""People of the event in the ledger: entries, reasons for missed rounds, signatures and protests."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterable
from typing import Final

from firmware_bridge.hall.ledger.event_values import Excuse, Protest
from firmware_bridge.hall.ledger.rows import add, all_of
from rules.conduct.ladder import LADDER
from rules.tournament.entries import Entry, listed

AGAINST_REPRESENTATIVE: Final = next(step.level for step in LADDER if step.against_representative)
"""The step that is recorded against the representative or coach (2.4.6)."""


def enter(db: sqlite3.Connection, entries: Iterable[Entry], now_ms: int) -> None:
    """Write entries down, or write them anew.

    A representative who is named now answers for fourth warnings that were given before, too (2.4.6).
    """
    for entry in entries:
        db.execute(
            "INSERT INTO players (name, rating, team, representative, entered_ms) VALUES (?, ?, ?, ?, ?)"
            " ON CONFLICT (name) DO UPDATE SET rating = excluded.rating, team = excluded.team,"
            " representative = excluded.representative, entered_ms = excluded.entered_ms",
            (entry.name, entry.rating, entry.team, entry.representative, now_ms),
        )
        db.execute(
            "UPDATE warnings SET against = ? WHERE person = ? AND level = ? AND against = ''",
            (entry.representative, entry.name, AGAINST_REPRESENTATIVE),
        )


def entries(db: sqlite3.Connection) -> tuple[Entry, ...]:
    """Return who has entered, by rating (2.9.1); who is only paired has not."""
    rows = db.execute(
        "SELECT name, rating, team, representative FROM players WHERE entered_ms IS NOT NULL"
    ).fetchall()
    return listed(Entry(name=row[0], rating=row[1], team=row[2], representative=row[3]) for row in rows)


def representative_of(db: sqlite3.Connection, person: str) -> str:
    """Return who answers for a player; empty: nobody is named."""
    row = db.execute("SELECT representative FROM players WHERE name = ?", (person,)).fetchone()
    return "" if row is None else str(row[0])


def excuse(db: sqlite3.Connection, given: Excuse) -> None:
    """Write down why somebody missed a round, or that he had asked (2.3.13); the newest word holds."""
    db.execute(
        "INSERT OR REPLACE INTO excuses (person, round, reason, given_by, at_ms) VALUES (?, ?, ?, ?, ?)",
        (given.person, given.round, given.reason, given.given_by, given.at_ms),
    )


def excuses(db: sqlite3.Connection) -> tuple[Excuse, ...]:
    """Return all of them by round and name."""
    return all_of(db, "excuses", Excuse, "round, person")


def sign(db: sqlite3.Connection, game: str, side: str, by: str, now_ms: int) -> None:
    """Note that a player has signed the result (2.10.2); a signature stays as it was noted first.

    Args:
        db: The ledger.
        game: Of which game.
        side: `bastaushy` or `qostaushy`.
        by: Who noted it; empty: he did it himself at the board.
        now_ms: Wall time.
    """
    db.execute("INSERT OR IGNORE INTO signatures VALUES (?, ?, ?, ?)", (game, side, by, now_ms))


def signatures(db: sqlite3.Connection) -> frozenset[tuple[str, str]]:
    """Return who has signed, as game and side."""
    return frozenset((row[0], row[1]) for row in db.execute("SELECT game, side FROM signatures").fetchall())


def protest(db: sqlite3.Connection, filed: Protest) -> None:
    """Write a protest down; one that stands there is not filed twice."""
    add(db, "protests", filed)


def protests(db: sqlite3.Connection) -> tuple[Protest, ...]:
    """Return all protests, the oldest first."""
    return all_of(db, "protests", Protest, "at_ms, key")
