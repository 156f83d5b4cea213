"""What is kept over a restart, and what is told of it: journal, table, telling."""

from __future__ import annotations

import asyncio
import os
import stat
from pathlib import Path

import pytest

from firmware_bridge.board.memory.journal import Journal
from firmware_bridge.board.memory.rows import DeviceTime
from firmware_bridge.board.memory.telling import (
    HOST_STARTED,
    Chronicle,
    Identity,
    Moment,
    state_payload,
    watch_part,
)
from firmware_bridge.board.table import Table
from firmware_bridge.wire.payloads import decode_event
from rules.game import event_to_json
from tests.firmware_bridge.board.paper import assigned
from tests.firmware_bridge.board.test_table import settings


def test_a_new_journal_is_known_to_its_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Without that a power cut may take the whole file, whatever was made durable inside it."""
    real, folders = os.fsync, list[int]()

    def watched(fd: int) -> None:
        found = os.fstat(fd)
        if stat.S_ISDIR(found.st_mode):
            folders.append(found.st_ino)
        real(fd)

    monkeypatch.setattr("firmware_bridge.board.memory.journal.os.fsync", watched)
    Journal.open(tmp_path / "deep" / "journal.jsonl").close()
    assert folders == [(tmp_path / "deep").stat().st_ino]


def test_a_record_is_on_disk_before_append_returns(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The file itself is made durable, with the record in it."""
    journal = Journal.open(tmp_path / "j")
    real, sizes = os.fsync, list[int]()

    def watched(fd: int) -> None:
        sizes.append(os.fstat(fd).st_size)
        real(fd)

    monkeypatch.setattr("firmware_bridge.board.memory.journal.os.fsync", watched)
    asyncio.run(journal.append([HOST_STARTED], device=None, wall_ms=0))
    assert sizes == [(tmp_path / "j").stat().st_size]
    assert sizes[0] > 0
    journal.close()


def test_a_table_remembers_the_last_device_there_was(tmp_path: Path) -> None:
    """Records without one, of a start whose cable was out, take away nothing."""
    journal = Journal.open(tmp_path / "j")
    for device in (DeviceTime(7, 100), DeviceTime(8, 250, 20), None):
        asyncio.run(journal.append([HOST_STARTED], device=device, wall_ms=0))
    assert Table(settings(tmp_path), journal).timeline.device == DeviceTime(8, 250, 20)
    journal.close()


def test_a_row_bears_the_start_it_was_written_in(tmp_path: Path) -> None:
    """Not the one it is sent in: receivers know a row by its bytes."""
    for boot in (1, 2):
        journal = Journal.open(tmp_path / "j")
        assert journal.host_boot == boot
        asyncio.run(Table(settings(tmp_path), journal).started())
        journal.close()
    journal = Journal.open(tmp_path / "j")
    rows = Table(settings(tmp_path), journal).rows.rows_after(0, 10)
    assert [decode_event(row).boot for _, row in rows] == [1, 2]
    journal.close()


def test_a_clock_is_told_with_its_base_and_its_increment(tmp_path: Path) -> None:
    """Each under its own name, in the state as in the rows."""
    board = assigned()
    seen = watch_part(board.session.watch)
    state = state_payload(Identity("e", "b", 1), Moment(1, 0, 0, 1.0), board.session.game, seen, None)
    journal = Journal.open(tmp_path / "j")
    records = asyncio.run(journal.append([event_to_json(board.events[0])], device=None, wall_ms=0))
    journal.close()
    chronicle = Chronicle()
    chronicle.take(records[0])
    row = decode_event(chronicle.row(Identity("e", "b", 1), records[0]))
    for clock in (state.clock, row.clock):
        assert clock is not None
        assert (clock.base_ms, clock.increment_ms) == (600_000, 5_000)
