"""A trace on its way to the disk."""

from __future__ import annotations

from pathlib import Path

from firmware_bridge.trace.filing import TraceFile
from firmware_bridge.trace.reader import Ending
from tests.firmware_bridge.trace.small import ALL_ROWS, BLOCKS, HEADER, read, small_trace


def test_the_thread_writes_what_a_writer_writes(tmp_path: Path) -> None:
    """In order, to the last row, once it is joined."""
    file = TraceFile(tmp_path / "new" / "a.trace", keep_bytes=1_000_000)
    file.begin(HEADER)
    for rows in BLOCKS:
        file.write(list(rows))
    file.end("asked")
    file.join()
    assert (file.path.read_bytes(), file.size, file.trouble) == (small_trace(), len(small_trace()), "")


def test_the_folder_that_a_person_named_is_not_made(tmp_path: Path) -> None:
    """He has mistyped it; the folder of the traces that are always written is ours (above)."""
    file = TraceFile(tmp_path / "new" / "a.trace")
    file.begin(HEADER)
    file.end("asked")
    file.join()
    assert "a.trace: the trace cannot be written: No such file or directory" in file.trouble
    assert list(tmp_path.iterdir()) == []


def test_a_trace_that_ends_without_a_word_can_be_read(tmp_path: Path) -> None:
    """As after a power cut, but for the blocks that were not written."""
    file = TraceFile(tmp_path / "a.trace")
    file.begin(HEADER)
    file.write(ALL_ROWS)
    file.end("")
    file.join()
    found = read(tmp_path / "copy", file.path.read_bytes())
    assert found == ALL_ROWS
    assert not any(isinstance(row, Ending) for row in found)


def test_a_trace_that_never_began_leaves_no_file(tmp_path: Path) -> None:
    """Somebody changed his mind before the board lay quiet."""
    file = TraceFile(tmp_path / "a.trace")
    file.end("asked")
    file.join()
    assert list(tmp_path.iterdir()) == []


def test_the_oldest_traces_go_and_nothing_else(tmp_path: Path) -> None:
    """So many that those that stay are small enough together; other files are nobody's business."""
    for name in ("b-000001-0001.trace", "b-000001-0002.trace", "b-000002-0001.trace", "a-notes.txt"):
        (tmp_path / name).write_bytes(bytes(100))
    file = TraceFile(tmp_path / "b-000002-0002.trace", keep_bytes=150)
    file.begin(HEADER)
    file.end("asked")
    file.join()
    assert sorted(path.name for path in tmp_path.iterdir()) == [
        "a-notes.txt",
        "b-000002-0001.trace",
        "b-000002-0002.trace",
    ]
