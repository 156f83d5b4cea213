"""Accounts and sessions in the ledger. Passwords are kept as scrypt hashes, tokens as SHA-256."""

from __future__ import annotations

import hashlib
import hmac
import secrets
import sqlite3
from dataclasses import dataclass
from typing import Final

from firmware_bridge.hall.ledger.roles import Role

SHORTEST_PASSWORD: Final = 8
LONGEST_PASSWORD: Final = 200
LONGEST_NAME: Final = 60
SESSION_MS: Final = 16 * 3600 * 1000
"""A day of play; nobody should have to log in again between two infractions."""

_SCRYPT: Final = {"n": 2**14, "r": 8, "p": 1, "dklen": 32, "maxmem": 64 * 2**20}
"""16 MiB and some 0.1 s on a Raspberry Pi: OWASP's least for scrypt is n = 2^17, which a Pi with a hall of
viewers has no memory for; five tries a minute stand beside it."""

_NOBODY: Final = (bytes(16), bytes(32))


@dataclass(frozen=True, slots=True)
class Account:
    """Somebody who may log in.

    Attributes:
        name: As it stands in rulings and warnings.
        role: His office.
    """

    name: str
    role: Role


@dataclass(frozen=True, slots=True)
class Session:
    """Somebody who has logged in.

    Attributes:
        account: Who.
        check_word: What every changing request must say beside the cookie, which other sites cannot read.
        until_ms: Wall time at which it ends.
    """

    account: Account
    check_word: str
    until_ms: int


class AccountError(ValueError):
    """Raised when an account cannot be made so; `code` says why for programs."""

    def __init__(self, code: str, why: str) -> None:
        super().__init__(why)
        self.code = code


def hashed(password: str, salt: bytes) -> bytes:
    """Return what is kept of a password; takes a tenth of a second on purpose."""
    return hashlib.scrypt(password.encode("utf-8", "replace"), salt=salt, **_SCRYPT)


def save_account(db: sqlite3.Connection, account: Account, password: str, now_ms: int) -> None:
    """Make an account, or give one another role and password; whoever is logged in as it is thrown out.

    Raises:
        AccountError: Its name or password will not do.
    """
    name = account.name
    if not 1 <= len(name) <= LONGEST_NAME or not name.isprintable() or name != name.strip():
        raise AccountError("name", f"a name has 1 to {LONGEST_NAME} letters, not {name[:80]!r}")
    if not SHORTEST_PASSWORD <= len(password) <= LONGEST_PASSWORD:
        raise AccountError("password", f"a password has {SHORTEST_PASSWORD} to {LONGEST_PASSWORD} letters")
    salt = secrets.token_bytes(16)
    db.execute("DELETE FROM accounts WHERE name = ?", (name,))
    db.execute(
        "INSERT INTO accounts VALUES (?, ?, ?, ?, ?)",
        (name, account.role.value, salt, hashed(password, salt), now_ms),
    )


def remove_account(db: sqlite3.Connection, name: str) -> bool:
    """Remove an account with all its sessions; tell whether there was one."""
    return db.execute("DELETE FROM accounts WHERE name = ?", (name,)).rowcount == 1


def accounts(db: sqlite3.Connection) -> tuple[Account, ...]:
    """Return all accounts by name."""
    rows = db.execute("SELECT name, role FROM accounts ORDER BY name").fetchall()
    return tuple(Account(name, Role(role)) for name, role in rows)


def secret_of(db: sqlite3.Connection, name: str) -> tuple[Account | None, bytes, bytes]:
    """Return an account with salt and hash; for a name that nobody has None, with what nothing matches."""
    row = db.execute("SELECT role, salt, hash FROM accounts WHERE name = ?", (name,)).fetchone()
    return (None, *_NOBODY) if row is None else (Account(name, Role(row[0])), row[1], row[2])


def matches(password: str, salt: bytes, kept: bytes) -> bool:
    """Tell whether a password is the one kept; takes as long for one that is not."""
    return hmac.compare_digest(hashed(password[: LONGEST_PASSWORD + 1], salt), kept)


def begin_session(db: sqlite3.Connection, account: Account, now_ms: int) -> tuple[str, Session]:
    """Log somebody in; return the token for his cookie, which is kept nowhere, and the session."""
    token = secrets.token_urlsafe(32)
    session = Session(account, secrets.token_urlsafe(24), now_ms + SESSION_MS)
    db.execute("DELETE FROM sessions WHERE until_ms <= ?", (now_ms,))
    db.execute(
        "INSERT INTO sessions VALUES (?, ?, ?, ?)",
        (_digest(token), account.name, session.check_word, session.until_ms),
    )
    return token, session


def session_of(db: sqlite3.Connection, token: str, now_ms: int) -> Session | None:
    """Return whose session a token is; None: nobody's, or it is over."""
    row = db.execute(
        "SELECT a.name, a.role, s.check_word, s.until_ms FROM sessions s"
        " JOIN accounts a ON a.name = s.account WHERE s.token = ? AND s.until_ms > ?",
        (_digest(token), now_ms),
    ).fetchone()
    return None if row is None else Session(Account(row[0], Role(row[1])), row[2], row[3])


def end_session(db: sqlite3.Connection, token: str) -> None:
    """Log somebody out."""
    db.execute("DELETE FROM sessions WHERE token = ?", (_digest(token),))


def _digest(token: str) -> bytes:
    return hashlib.sha256(token.encode("utf-8", "replace")).digest()
