"""Boards that tests of several subjects share."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.firmware_bridge.board.club import Club


@pytest.fixture
def club(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Club]:
    """A board of a club, not yet plugged in."""
    clock = [0]
    monkeypatch.setattr("firmware_bridge.board.runtime._now_us", lambda: clock[0])
    board = Club(tmp_path, clock)
    yield board
    board.wired.journal.close()
