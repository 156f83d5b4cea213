"""Warnings, offences and penalties of the whole event in the ledger (2.4.6 to 2.4.10)."""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Iterable
from dataclasses import replace
from typing import Any

from firmware_bridge.hall.ledger.event_values import Offended, Penalty
from firmware_bridge.hall.ledger.people import AGAINST_REPRESENTATIVE, representative_of
from firmware_bridge.hall.ledger.rows import add, all_of
from firmware_bridge.hall.ledger.values import Warned


def warn(db: sqlite3.Connection, warned: Warned) -> None:
    """Add a warning to the list of the event; one that stands there is not counted twice.

    The fourth is recorded against whoever answers for the player (2.4.6). One whose order was taken back
    before it was heard is taken back with it.
    """
    # The record of its game came before it: it is one warning, and what was done with it stays.
    db.execute(
        "UPDATE warnings SET key = ?, at_ms = ?, ruling = ? WHERE key = (SELECT key FROM warnings"
        " WHERE key LIKE 'record-%' AND game = ? AND person = ? AND level = ? AND article = ?"
        " AND given_by = ? LIMIT 1)",
        (
            warned.key,
            warned.at_ms,
            warned.ruling,
            warned.game,
            warned.person,
            warned.level,
            warned.article,
            warned.given_by,
        ),
    )
    if warned.level == AGAINST_REPRESENTATIVE and not warned.against:
        warned = replace(warned, against=representative_of(db, warned.person))
    if add(db, "warnings", warned) and warned.ruling is not None:
        row = db.execute(
            "SELECT given_by FROM rulings WHERE undoes = ? AND outcome = 'accepted'", (warned.ruling,)
        ).fetchone()
        if row is not None:
            undo_warnings(db, warned.ruling, row[0])


def learn(db: sqlite3.Connection, warnings: Iterable[Warned], offences: Iterable[Offended]) -> None:
    """Add what a record says and nobody has heard; what the board itself told is not counted twice.

    A warning is the same where its game, person, step, article and giver are.
    """
    for warned in warnings:
        same = db.execute(
            "SELECT count(*) FROM warnings WHERE game = ? AND person = ? AND level = ? AND article = ?"
            " AND given_by = ?",
            (warned.game, warned.person, warned.level, warned.article, warned.given_by),
        ).fetchone()
        if same == (0,):
            warn(db, warned)
    for offended in offences:
        offend(db, offended)


def ruling_of(db: sqlite3.Connection, warned: Warned, side: str) -> str | None:
    """Return the order that a warning was given with: the newest that says so and has no warning for it yet.

    Args:
        db: The ledger.
        warned: The warning as the board told it.
        side: Whom the board warned.
    """
    rows = db.execute(
        "SELECT id, commands FROM rulings WHERE board = ? AND game = ? AND given_by = ? AND undoes IS NULL"
        " ORDER BY at_ms DESC, rowid DESC",
        (warned.board, warned.game, warned.given_by),
    ).fetchall()
    for key, commands in rows:
        said = [each for each in json.loads(commands) if _says(each, warned, side)]
        (heard,) = db.execute("SELECT count(*) FROM warnings WHERE ruling = ?", (key,)).fetchone()
        if len(said) > heard:
            return str(key)
    return None


def _says(command: dict[str, Any], warned: Warned, side: str) -> bool:
    told = (command.get("do"), command.get("side"), command.get("level"))
    return told == ("warn", side, warned.level)


def warnings(db: sqlite3.Connection) -> tuple[Warned, ...]:
    """Return the list of warnings, the oldest first."""
    return all_of(db, "warnings", Warned, "at_ms, key")


def take_back(db: sqlite3.Connection, key: str, by: str, reason: str, *, panel: bool) -> str:
    """Take a warning back; return why not, empty when it is done.

    Args:
        db: The ledger.
        key: Which warning.
        by: Who takes it back.
        reason: Why, in words.
        panel: Whether he speaks for the chief panel; another arbiter alters nobody's warning (2.4.8).
    """
    row = db.execute("SELECT given_by, taken_back FROM warnings WHERE key = ?", (key,)).fetchone()
    if row is None:
        return "unknown_warning"
    if row[0] != by and not panel:
        return "another_arbiter"
    if row[1] is not None:
        return "taken_back"
    db.execute("UPDATE warnings SET taken_back = ?, taken_back_by = ? WHERE key = ?", (reason or by, by, key))
    return ""


def undo_warnings(db: sqlite3.Connection, ruling: str, by: str) -> None:
    """Take back the warnings that an order has given, as the order itself was taken back."""
    db.execute(
        "UPDATE warnings SET taken_back = ?, taken_back_by = ? WHERE ruling = ? AND taken_back IS NULL",
        (by, by, ruling),
    )


def offend(db: sqlite3.Connection, offended: Offended) -> None:
    """Keep an infraction by whose it was; one that stands there stays as it is."""
    add(db, "offences", offended)


def settle_offence(db: sqlite3.Connection, game: str, number: int, settled: str | None) -> None:
    """Note how an infraction was decided; None: it waits again."""
    db.execute("UPDATE offences SET settled = ? WHERE game = ? AND number = ?", (settled, game, number))


def offences(db: sqlite3.Connection) -> tuple[Offended, ...]:
    """Return all infractions of the event, the oldest first."""
    return all_of(db, "offences", Offended, "at_ms, game, number")


def punish(db: sqlite3.Connection, penalty: Penalty) -> None:
    """Write a penalty down."""
    add(db, "penalties", penalty)


def penalties(db: sqlite3.Connection) -> tuple[Penalty, ...]:
    """Return all penalties, the oldest first."""
    return all_of(db, "penalties", Penalty, "at_ms, key")


def lift(db: sqlite3.Connection, key: str, by: str, reason: str) -> str:
    """Take a penalty back; return why not, empty when it is done."""
    row = db.execute("SELECT taken_back FROM penalties WHERE key = ?", (key,)).fetchone()
    if row is None:
        return "unknown_penalty"
    if row[0] is not None:
        return "taken_back"
    db.execute(
        "UPDATE penalties SET taken_back = ?, taken_back_by = ? WHERE key = ?", (reason or by, by, key)
    )
    return ""
