"""Values of the ledger as rows of its tables: a column for each field, by its name."""

from __future__ import annotations

import sqlite3
from dataclasses import fields
from typing import TypeVar

from firmware_bridge.hall.ledger.values import Plain

T = TypeVar("T", bound=Plain)


def add(db: sqlite3.Connection, table: str, value: Plain) -> bool:
    """Add a value, and return whether it is new: a row with the same key stays as it is."""
    facts = value.as_json()
    columns, marks = ", ".join(facts), ", ".join("?" * len(facts))
    added = db.execute(
        f"INSERT OR IGNORE INTO {table} ({columns}) VALUES ({marks})",  # noqa: S608 - our own names
        tuple(facts.values()),
    )
    return added.rowcount > 0


def all_of(db: sqlite3.Connection, table: str, kind: type[T], order: str) -> tuple[T, ...]:
    """Return all values of a table, in the order of these columns."""
    names = [field.name for field in fields(kind)]
    rows = db.execute(f"SELECT {', '.join(names)} FROM {table} ORDER BY {order}").fetchall()  # noqa: S608 - ours
    return tuple(kind(**dict(zip(names, row, strict=True))) for row in rows)
