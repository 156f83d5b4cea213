"""What is confirmed and what is on disk: of this connection only, and before its name stands."""

import os
import stat
from pathlib import Path

import pytest

from firmware_bridge.wire.connection import backoff_s
from firmware_bridge.wire.cursor import save_cursor
from firmware_bridge.wire.outbox import Outbox
from tests.firmware_bridge.wire.test_outbox import Rows, send_all


def test_a_late_acknowledgement_does_not_pass_for_the_same_number_of_a_newer_connection() -> None:
    """Message ids begin again with each connection, so only both together name a row."""
    outbox = Outbox(Rows([1, 2, 3]))
    first = send_all(outbox, 1)
    outbox.reconnected()
    assert send_all(outbox, 2) == first
    assert not any(outbox.acked(1, mid) for mid in first)
    assert (outbox.confirmed, outbox.unacknowledged) == (0, 3)
    assert outbox.acked(2, 1)
    assert outbox.confirmed == 1


def test_a_cursor_is_durable_before_it_takes_its_name(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The draft first, whole; then the name, then the folder that holds it."""
    path = tmp_path / "cursor.json"
    save_cursor(path, "e", "b", 1)
    real, told = os.fsync, list[tuple[str, bool]]()

    def watched(fd: int) -> None:
        found = os.fstat(fd)
        renamed = b'"confirmed": 22' in path.read_bytes()
        if stat.S_ISDIR(found.st_mode):
            assert found.st_ino == tmp_path.stat().st_ino
            told.append(("folder", renamed))
        else:
            assert found.st_size == len('{"event": "e", "board": "b", "confirmed": 22}')
            told.append(("draft", renamed))
        real(fd)

    monkeypatch.setattr("firmware_bridge.wire.cursor.os.fsync", watched)
    save_cursor(path, "e", "b", 22)
    assert told == [("draft", False), ("folder", True)]


def test_the_longest_wait_doubles_up_to_five_seconds() -> None:
    """A broker that is down is not besieged, and the first attempt comes soon."""
    assert [backoff_s(failures, 1.0) for failures in range(6)] == pytest.approx([0.4, 0.8, 1.6, 3.2, 5, 5])
    assert backoff_s(3, 0.5) == pytest.approx((0.2 + 3.2) / 2)
    assert [backoff_s(failures, 0.0) for failures in (0, 9)] == pytest.approx([0.2, 0.2])
