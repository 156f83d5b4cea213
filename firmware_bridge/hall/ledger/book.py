"""Everything the ledger says of the event, read at once, as one value."""

from __future__ import annotations

import sqlite3

from firmware_bridge.hall.ledger import discipline, games, people
from firmware_bridge.hall.ledger.event_values import Book


def read_book(db: sqlite3.Connection) -> Book:
    """Return what the ledger holds now."""
    return Book(
        fixtures=games.games(db),
        warnings=discipline.warnings(db),
        offences=discipline.offences(db),
        penalties=discipline.penalties(db),
        entries=people.entries(db),
        excuses=people.excuses(db),
        signatures=people.signatures(db),
        protests=people.protests(db),
    )
