"""The ledger's file: whole transactions, its own event, migrations, and what a killed program leaves."""

import asyncio
import os
import signal
import sqlite3
import stat
import subprocess
import sys
from pathlib import Path

import pytest

from firmware_bridge.hall.ledger import games
from firmware_bridge.hall.ledger.schema import MIGRATIONS
from firmware_bridge.hall.ledger.store import BUSY_S, Ledger, LedgerError
from firmware_bridge.hall.ledger.values import Fixture, key_of

ROOT = Path(__file__).parents[4]


def fixture(board: str = "board-1", number: int = 1) -> Fixture:
    """Return a game of a round."""
    return Fixture(
        key=key_of(number, board),
        round=number,
        board=board,
        bastaushy=f"{board} бастаушы",
        qostaushy=f"{board} қостаушы",
        seat="a",
        control="1h",
    )


def test_what_is_written_is_there_again_and_nobody_else_reads_it(tmp_path: Path) -> None:
    """The folder is made, the file is for its owner alone, and keeps its own name."""
    path = tmp_path / "hall" / "open.ledger"
    with Ledger(path, "open") as ledger:
        ledger.apply(lambda db: games.plan(db, [fixture()], 1))
        client = ledger.client
    assert stat.S_IMODE(path.stat().st_mode) == 0o600
    with Ledger(path, "open") as ledger:
        assert ledger.apply(games.games) == (fixture(),)
        assert ledger.client == client


def test_work_that_fails_has_not_begun(tmp_path: Path) -> None:
    """Whatever it was that failed."""

    def half(db: sqlite3.Connection) -> None:
        games.plan(db, [fixture()], 1)
        raise KeyError("the rest")

    with Ledger(tmp_path / "l", "open") as ledger:
        with pytest.raises(KeyError):
            ledger.apply(half)
        assert ledger.apply(games.games) == ()


def test_the_ledger_of_another_event_or_a_newer_program_is_not_touched(tmp_path: Path) -> None:
    """Neither is what is no ledger at all."""
    path = tmp_path / "l"
    Ledger(path, "open").close()
    with pytest.raises(LedgerError, match="is the ledger of event 'open', not of 'other'"):
        Ledger(path, "other")
    with sqlite3.connect(path) as db:
        db.execute(f"PRAGMA user_version = {len(MIGRATIONS) + 1}")
    with pytest.raises(LedgerError, match="was written by a newer program"):
        Ledger(path, "open")
    (tmp_path / "text").write_text("no database, but long enough to be looked at" * 99)
    with pytest.raises(LedgerError, match="cannot be opened as a ledger"):
        Ledger(tmp_path / "text", "open")


def test_a_file_that_a_card_has_damaged_is_refused_when_it_is_opened(tmp_path: Path) -> None:
    """Not in the last round, when the page is needed (basicallysource/sorter-v2#328)."""
    path = tmp_path / "l"
    with Ledger(path, "open") as ledger:
        ledger.apply(lambda db: games.plan(db, [fixture(f"board-{each}") for each in range(1, 200)], 1))
    whole = path.read_bytes()
    with sqlite3.connect(path) as db:
        (size,) = db.execute("PRAGMA page_size").fetchone()
    page = whole.index(b"board-150 ") // size * size
    path.write_bytes(whole[:page] + bytes(size) + whole[page + size :])
    with pytest.raises(LedgerError, match=r"is damaged: .*Keep a copy of it.*have the card checked"):
        Ledger(path, "open")
    path.write_bytes(whole)
    Ledger(path, "open").close()


def test_a_full_disk_is_told_and_changes_nothing(tmp_path: Path) -> None:
    """The caller hears of it; once there is room it goes on."""
    with Ledger(tmp_path / "l", "open") as ledger:
        pages = ledger.apply(lambda db: db.execute("PRAGMA page_count").fetchone()[0])
        ledger._thread.submit(lambda: ledger._connection.execute(f"PRAGMA max_page_count = {pages}")).result()
        many = [fixture(f"board-{n}") for n in range(400)]
        with pytest.raises(LedgerError, match="full"):
            ledger.apply(lambda db: games.plan(db, many, 1))
        ledger._thread.submit(lambda: ledger._connection.execute("PRAGMA max_page_count = 100000")).result()
        assert ledger.apply(games.games) == ()
        ledger.apply(lambda db: games.plan(db, many, 1))
        assert len(ledger.apply(games.games)) == 400


KILLED = """
import sys
sys.path.insert(0, {root!r})
from pathlib import Path
from firmware_bridge.hall.ledger import games
from firmware_bridge.hall.ledger.store import Ledger
from tests.firmware_bridge.hall.ledger.test_store import fixture
ledger = Ledger(Path({path!r}), "open")
for number in range(1, 100):
    ledger.apply(lambda db: games.plan(db, [fixture(f"board-{{n}}", number) for n in range(4)], 1))
    print(number, flush=True)
"""


def test_what_a_killed_program_was_told_is_done_is_there_and_nothing_by_halves(tmp_path: Path) -> None:
    """`kill -9` in the middle of writing: every round told of is whole, and at most one more."""
    path = tmp_path / "l"
    script = KILLED.format(root=str(ROOT), path=str(path))
    process = subprocess.Popen([sys.executable, "-c", script], stdout=subprocess.PIPE, cwd=ROOT)
    told = 0
    with process:
        assert process.stdout is not None
        for line in process.stdout:
            told = int(line)
            if told == 7:
                os.kill(process.pid, signal.SIGKILL)
    with Ledger(path, "open") as ledger:
        kept = ledger.apply(games.games)
    by_round = [sum(game.round == number for game in kept) for number in range(1, told + 3)]
    assert set(by_round[:told]) == {4}
    assert set(by_round[told:]) <= {0, 4}


def test_two_halls_do_not_share_a_ledger(tmp_path: Path) -> None:
    """They would put each other out at the broker; who only writes beside a hall may."""
    with Ledger(tmp_path / "ledger", "open") as first:
        first.hold()
        second = Ledger(tmp_path / "ledger", "open")
        with pytest.raises(LedgerError, match="another hall has this ledger; end it"):
            second.hold()
        with Ledger(tmp_path / "ledger", "open") as beside:
            beside.apply(lambda db: games.plan(db, [fixture()], 1))
    with Ledger(tmp_path / "ledger", "open") as third:
        third.hold()


@pytest.mark.asyncio
async def test_what_only_reads_waits_for_no_writer(tmp_path: Path) -> None:
    """A program that hangs in the middle of its writing locks nobody out of the console."""
    with Ledger(tmp_path / "ledger", "open") as ledger:
        other = sqlite3.connect(tmp_path / "ledger", isolation_level=None)
        other.execute("BEGIN IMMEDIATE")
        try:
            async with asyncio.timeout(BUSY_S / 2):
                assert await ledger.look(games.games) == ()
        finally:
            other.close()
