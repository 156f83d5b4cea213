"""A trace on its way to the disk."""

from __future__ import annotations

import os
from pathlib import Path
from time import sleep

from firmware_bridge.trace.filing import TraceFile
from firmware_bridge.trace.reader import Ending
from tests.firmware_bridge.trace.small import ALL_ROWS, BLOCKS, HEADER, read, small_trace


def test_the_thread_writes_what_a_writer_writes(tmp_path: Path) -> None:
    """In order, to the last row, once it is joined."""
    file = TraceFile.open(tmp_path / "new" / "a.trace", keep_bytes=1_000_000)
    file.begin(HEADER)
    for rows in BLOCKS:
        file.write(list(rows))
    file.end("asked")
    file.join()
    assert (file.path.read_bytes(), file.size, file.trouble) == (small_trace(), len(small_trace()), "")


def test_the_folder_that_a_person_named_is_not_made(tmp_path: Path) -> None:
    """He has mistyped it; the folder of the traces that are always written is ours (above)."""
    file = TraceFile.open(tmp_path / "new" / "a.trace")
    file.begin(HEADER)
    file.end("asked")
    file.join()
    assert "a.trace: the trace cannot be written: No such file or directory" in file.trouble
    assert list(tmp_path.iterdir()) == []


def test_a_trace_that_ends_without_a_word_can_be_read(tmp_path: Path) -> None:
    """As after a power cut, but for the blocks that were not written."""
    file = TraceFile.open(tmp_path / "a.trace")
    file.begin(HEADER)
    file.write(ALL_ROWS)
    file.end("")
    file.join()
    found = read(tmp_path / "copy", file.path.read_bytes())
    assert found == ALL_ROWS
    assert not any(isinstance(row, Ending) for row in found)


def test_a_trace_that_never_began_leaves_no_file(tmp_path: Path) -> None:
    """Somebody changed his mind before the board lay quiet."""
    file = TraceFile.open(tmp_path / "a.trace")
    file.end("asked")
    file.join()
    assert list(tmp_path.iterdir()) == []


def old(folder: Path, name: str, age: int, size: int = 100) -> None:
    """Put down a trace of so many bytes, last written `age` days ago."""
    path = folder / name
    path.write_bytes(bytes(size))
    os.utime(path, (1_000_000_000 - 86_400 * age,) * 2)


def left(folder: Path) -> list[str]:
    """Return what lies there."""
    return sorted(path.name for path in folder.iterdir())


def test_the_oldest_traces_of_the_same_board_go_and_nothing_else(tmp_path: Path) -> None:
    """By when they were written; those of other boards, and other files, are nobody's business."""
    old(tmp_path, "b-000009-0001.trace", age=9)
    old(tmp_path, "b-000002-0001.trace", age=2)
    old(tmp_path, "b-000001-0001.trace", age=1)
    for name in ("a-000001-0001.trace", "b-1-000001-0001.trace", "asked.trace", "b-notes.txt"):
        old(tmp_path, name, age=20)
    others = left(tmp_path)
    file = TraceFile.open(tmp_path / "b-000010-0001.trace", keep_bytes=len(small_trace()) + 150)
    file.begin(HEADER)
    for rows in BLOCKS:
        file.write(list(rows))
    file.end("asked")
    file.join()
    gone = {"b-000009-0001.trace", "b-000002-0001.trace"}
    assert left(tmp_path) == sorted({*others, file.path.name} - gone)


def test_a_trace_that_grows_keeps_the_total(tmp_path: Path) -> None:
    """What is being written counts, block by block; the older ones stay as long as there is room."""
    old(tmp_path, "b-000001-0001.trace", age=1)
    keep = len(small_trace()) + 99
    file = TraceFile.open(tmp_path / "b-000001-0002.trace", keep_bytes=keep)
    file.begin(HEADER)
    for rows in BLOCKS[:-1]:
        file.write(list(rows))
    while not file._orders.empty():  # the thread is at its last order
        sleep(0)
    assert left(tmp_path) == ["b-000001-0001.trace", "b-000001-0002.trace"]
    file.write(list(BLOCKS[-1]))
    file.end("asked")
    file.join()
    assert left(tmp_path) == ["b-000001-0002.trace"]
    assert file.size <= keep
