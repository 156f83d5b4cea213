"""The ledger's file: SQLite, one thread that touches it, every piece of work a transaction of its own.

What a caller was told is done is on disk: WAL with a full sync survives `kill -9` and a power cut. The event
loop never waits for a card: it awaits the thread.
"""

from __future__ import annotations

import asyncio
import fcntl
import os
import secrets
import sqlite3
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from types import TracebackType
from typing import Final, Self, TypeVar

from firmware_bridge.hall.ledger.schema import MIGRATIONS

OWNER_ONLY: Final = 0o600
BUSY_S: Final = 5.0
"""How long to wait while another program, such as `togyz account`, writes."""

T = TypeVar("T")
Work = Callable[[sqlite3.Connection], T]


class LedgerError(RuntimeError):
    """Raised when the ledger cannot be opened, read or written; the text names the file and what to do."""


class Ledger:
    """An open ledger; a context manager.

    Args:
        path: The file; made, with its folder, where it is not there.
        event: Id of the event; a ledger of another one is refused.

    Attributes:
        path: The file.
        client: A name of this ledger's own that no other hall has: a broker keeps for it what it missed.

    Raises:
        LedgerError: It cannot be opened, is of a newer version or of another event.
    """

    def __init__(self, path: Path, event: str) -> None:
        self.path = path
        self._held: int | None = None
        self._thread = ThreadPoolExecutor(max_workers=1, thread_name_prefix="ledger")
        try:
            self.client = self._thread.submit(self._open, event).result()
        except (sqlite3.Error, OSError) as error:
            self._thread.shutdown()
            raise LedgerError(f"{path}: cannot be opened as a ledger: {error}") from error
        except LedgerError:
            self._thread.shutdown()
            raise

    def _open(self, event: str) -> str:
        self.path.parent.mkdir(parents=True, exist_ok=True)
        os.close(os.open(self.path, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, OWNER_ONLY))
        self._connection = sqlite3.connect(self.path, timeout=BUSY_S, isolation_level=None)
        try:
            for pragma in ("journal_mode = WAL", "synchronous = FULL", "foreign_keys = ON"):
                self._connection.execute(f"PRAGMA {pragma}")
            _check(self._connection, self.path)
            _migrate(self._connection, self.path)
            return self._event(event)
        except BaseException:
            self._connection.close()
            raise

    def _event(self, event: str) -> str:
        """Return the ledger's own name, made when it was begun; refuses the ledger of another event."""
        name = f"hall-{secrets.token_hex(6)}"
        self._connection.execute("INSERT OR IGNORE INTO event VALUES (1, ?, ?)", (event, name))
        found, client = self._connection.execute("SELECT id, client FROM event").fetchone()
        if found != event:
            raise LedgerError(f"{self.path} is the ledger of event {found!r}, not of {event!r}; move it away")
        return str(client)

    def apply(self, work: Work[T]) -> T:
        """Do a piece of work whole or not at all, and wait for it; for programs without an event loop.

        Raises:
            LedgerError: It cannot be read or written; nothing has changed.
        """
        return self._thread.submit(self._transact, work).result()

    async def do(self, work: Work[T]) -> T:
        """Do a piece of work whole or not at all; on return it is on disk.

        A caller that is cancelled meanwhile does not stop it.

        Raises:
            LedgerError: It cannot be read or written; nothing has changed.
        """
        return await asyncio.get_running_loop().run_in_executor(self._thread, self._transact, work)

    async def look(self, work: Work[T]) -> T:
        """Do a piece of work that reads only; it waits for no other program that writes.

        Raises:
            LedgerError: It cannot be read.
        """
        return await asyncio.get_running_loop().run_in_executor(self._thread, self._transact, work, "BEGIN")

    def hold(self) -> None:
        """Be the only hall of this ledger until it is closed; `togyz account` and others may still write.

        Two would have one name at the broker, which would put out one for the other again and again.

        Raises:
            LedgerError: Another hall has it.
        """
        path = self.path.with_name(f"{self.path.name}.lock")
        try:
            self._held = os.open(path, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, OWNER_ONLY)
            fcntl.flock(self._held, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError as error:
            self.close()
            told = f"{self.path}: another hall has this ledger; end it, or give this one another `state_dir`"
            raise LedgerError(f"{told} ({error.strerror})") from error

    def _transact(self, work: Work[T], begin: str = "BEGIN IMMEDIATE") -> T:
        connection = self._connection
        try:
            connection.execute(begin)
            try:
                result = work(connection)
                connection.execute("COMMIT")
            except BaseException:
                if connection.in_transaction:
                    connection.execute("ROLLBACK")
                raise
        except sqlite3.IntegrityError:
            raise
        except sqlite3.Error as error:
            raise LedgerError(f"{self.path}: {error}; make room, or mend the card") from error
        return result

    def close(self) -> None:
        """Finish what was asked for and close the file; idempotent."""
        if not self._thread._shutdown:  # noqa: SLF001 - the only way to ask
            self._thread.submit(self._connection.close).result()
        self._thread.shutdown()
        if self._held is not None:
            os.close(self._held)  # the lock goes with it
            self._held = None

    def __enter__(self) -> Self:
        """Give the open ledger."""
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        """Close it."""
        self.close()


def _check(connection: sqlite3.Connection, path: Path) -> None:
    """Refuse a file that is damaged inside: a card may lose what it had told SQLite was written.

    SQLite itself notices only when it comes upon the page, perhaps in the last round (a file system without
    ordered data and a power cut did that in basicallysource/sorter-v2#328).
    """
    (found,) = connection.execute("PRAGMA quick_check(1)").fetchone()
    if found != "ok":
        raise LedgerError(
            f"{path} is damaged: {' '.join(found.split())}. Keep a copy of it, put the last good copy in its "
            "place, and have the card checked"
        )


def _migrate(connection: sqlite3.Connection, path: Path) -> None:
    """Bring a file to the newest version, each step whole or not at all."""
    (version,) = connection.execute("PRAGMA user_version").fetchone()
    if version > len(MIGRATIONS):
        raise LedgerError(f"{path} was written by a newer program (version {version}); install that one")
    for number, script in enumerate(MIGRATIONS[version:], start=version + 1):
        try:
            connection.executescript(f"BEGIN IMMEDIATE; {script} PRAGMA user_version = {number}; COMMIT;")
        except sqlite3.Error:
            if connection.in_transaction:
                connection.execute("ROLLBACK")
            raise
