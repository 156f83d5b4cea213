"""The cursor survives restarts, and anything unreadable means "from the start"."""

import os
from pathlib import Path

import pytest

from firmware_bridge.wire.cursor import load_cursor, save_cursor


def test_a_saved_cursor_is_loaded_again(tmp_path: Path) -> None:
    """The last one saved counts, and no draft stays behind."""
    path = tmp_path / "cursor.json"
    save_cursor(path, "almaty", "b01", 17)
    save_cursor(path, "almaty", "b01", 18)
    assert load_cursor(path, "almaty", "b01") == 18
    assert [each.name for each in tmp_path.iterdir()] == ["cursor.json"]


def test_the_cursor_of_another_board_or_event_does_not_count(tmp_path: Path) -> None:
    """Rows of this one would never go out."""
    path = tmp_path / "cursor.json"
    save_cursor(path, "almaty", "b01", 17)
    assert load_cursor(path, "almaty", "b02") == 0
    assert load_cursor(path, "astana", "b01") == 0


@pytest.mark.parametrize(
    "content",
    [
        b"",
        b"\xff",
        b"[]",
        b"17",
        b'{"event":"e","board":"b","confirmed":-1}',
        b'{"event":"e","board":"b","confirmed":true}',
        b'{"event":"e","board":"b","confirmed":"9"}',
        b"[" * 50_000,
        b"[" * 200_000,
    ],
    ids=range(9),
)
def test_a_damaged_cursor_means_from_the_start(tmp_path: Path, content: bytes) -> None:
    """Everything is sent again, which is harmless."""
    path = tmp_path / "cursor.json"
    path.write_bytes(content)
    assert load_cursor(path, "e", "b") == 0


def test_a_missing_cursor_means_from_the_start(tmp_path: Path) -> None:
    """As on the first day."""
    assert load_cursor(tmp_path / "none", "e", "b") == 0


def test_what_is_no_file_means_from_the_start(tmp_path: Path) -> None:
    """And a pipe in the cursor's place is not waited for."""
    os.mkfifo(tmp_path / "pipe")
    assert load_cursor(tmp_path / "pipe", "e", "b") == 0
    assert load_cursor(tmp_path, "e", "b") == 0
