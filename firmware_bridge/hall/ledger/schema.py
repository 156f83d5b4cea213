"""The tables of the ledger, as migrations: `PRAGMA user_version` says how many a file has had.

A migration that stands here is never edited; the next change is a new one behind it.
"""

from __future__ import annotations

from typing import Final

MIGRATIONS: Final[tuple[str, ...]] = (
    """
    CREATE TABLE event (
        one INTEGER PRIMARY KEY CHECK (one = 1),
        id TEXT NOT NULL,
        client TEXT NOT NULL
    ) STRICT;
    CREATE TABLE accounts (
        name TEXT PRIMARY KEY,
        role TEXT NOT NULL,
        salt BLOB NOT NULL,
        hash BLOB NOT NULL,
        made_ms INTEGER NOT NULL
    ) STRICT;
    CREATE TABLE sessions (
        token BLOB PRIMARY KEY,
        account TEXT NOT NULL REFERENCES accounts (name) ON DELETE CASCADE,
        check_word TEXT NOT NULL,
        until_ms INTEGER NOT NULL
    ) STRICT;
    CREATE TABLE players (
        name TEXT PRIMARY KEY
    ) STRICT;
    CREATE TABLE games (
        key TEXT PRIMARY KEY,
        round INTEGER NOT NULL CHECK (round >= 0),
        board TEXT NOT NULL,
        bastaushy TEXT NOT NULL REFERENCES players (name),
        qostaushy TEXT NOT NULL REFERENCES players (name),
        seat TEXT NOT NULL CHECK (seat IN ('a', 'b')),
        control TEXT NOT NULL,
        status TEXT NOT NULL,
        score TEXT,
        reason TEXT NOT NULL DEFAULT '',
        decided_by TEXT NOT NULL DEFAULT '',
        changed_ms INTEGER NOT NULL
    ) STRICT;
    CREATE UNIQUE INDEX one_game_at_a_board ON games (round, board) WHERE round > 0;
    CREATE TABLE warnings (
        key TEXT PRIMARY KEY,
        person TEXT NOT NULL,
        level INTEGER NOT NULL CHECK (level BETWEEN 1 AND 5),
        board TEXT NOT NULL,
        game TEXT NOT NULL,
        round INTEGER NOT NULL,
        article TEXT NOT NULL,
        given_by TEXT NOT NULL,
        reason TEXT NOT NULL,
        at_ms INTEGER NOT NULL,
        taken_back TEXT
    ) STRICT;
    CREATE TABLE rulings (
        id TEXT PRIMARY KEY,
        board TEXT NOT NULL,
        game TEXT NOT NULL,
        ply INTEGER NOT NULL,
        given_by TEXT NOT NULL,
        commands TEXT NOT NULL,
        outcome TEXT NOT NULL,
        code TEXT NOT NULL,
        detail TEXT NOT NULL,
        undo TEXT,
        undoes TEXT,
        at_ms INTEGER NOT NULL
    ) STRICT;
    CREATE INDEX rulings_of_a_board ON rulings (board, at_ms);
    CREATE TABLE heard (
        board TEXT NOT NULL,
        boot INTEGER NOT NULL,
        seq INTEGER NOT NULL,
        game TEXT NOT NULL,
        ply INTEGER NOT NULL,
        at_ms INTEGER NOT NULL,
        data TEXT NOT NULL,
        PRIMARY KEY (board, boot, seq)
    ) STRICT, WITHOUT ROWID;
    """,
    """
    ALTER TABLE players ADD COLUMN rating INTEGER;
    ALTER TABLE players ADD COLUMN team TEXT NOT NULL DEFAULT '';
    ALTER TABLE players ADD COLUMN representative TEXT NOT NULL DEFAULT '';
    ALTER TABLE players ADD COLUMN entered_ms INTEGER;
    ALTER TABLE games ADD COLUMN postponed TEXT;
    ALTER TABLE games ADD COLUMN ended_ms INTEGER;
    ALTER TABLE warnings ADD COLUMN against TEXT NOT NULL DEFAULT '';
    ALTER TABLE warnings ADD COLUMN ruling TEXT;
    ALTER TABLE warnings ADD COLUMN taken_back_by TEXT NOT NULL DEFAULT '';
    CREATE TABLE offences (
        key TEXT PRIMARY KEY,
        person TEXT NOT NULL,
        game TEXT NOT NULL,
        number INTEGER NOT NULL,
        at_ms INTEGER NOT NULL,
        settled TEXT
    ) STRICT;
    CREATE UNIQUE INDEX offences_of_a_game ON offences (game, number);
    CREATE TABLE penalties (
        key TEXT PRIMARY KEY,
        kind TEXT NOT NULL,
        person TEXT NOT NULL,
        round INTEGER NOT NULL CHECK (round >= 0),
        articles TEXT NOT NULL,
        given_by TEXT NOT NULL,
        reason TEXT NOT NULL,
        at_ms INTEGER NOT NULL,
        taken_back TEXT,
        taken_back_by TEXT NOT NULL DEFAULT ''
    ) STRICT;
    CREATE TABLE signatures (
        game TEXT NOT NULL,
        side TEXT NOT NULL CHECK (side IN ('bastaushy', 'qostaushy')),
        noted_by TEXT NOT NULL,
        at_ms INTEGER NOT NULL,
        PRIMARY KEY (game, side)
    ) STRICT, WITHOUT ROWID;
    CREATE TABLE protests (
        key TEXT PRIMARY KEY,
        game TEXT NOT NULL,
        filed_by TEXT NOT NULL,
        noted_by TEXT NOT NULL,
        reason TEXT NOT NULL,
        at_ms INTEGER NOT NULL
    ) STRICT;
    CREATE TABLE excuses (
        person TEXT NOT NULL,
        round INTEGER NOT NULL CHECK (round > 0),
        reason TEXT NOT NULL,
        given_by TEXT NOT NULL,
        at_ms INTEGER NOT NULL,
        PRIMARY KEY (person, round)
    ) STRICT, WITHOUT ROWID;
    """,
)
"""What made the tables, in order."""
