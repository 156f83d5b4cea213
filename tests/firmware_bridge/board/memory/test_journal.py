"""The journal: durable, chained, and honest about what it finds."""

from __future__ import annotations

import asyncio
import json
import os
import shutil
import subprocess
import sys
import textwrap
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from firmware_bridge.board.memory.journal import Journal, JournalError
from firmware_bridge.board.memory.rows import DeviceTime

DEVICE = DeviceTime(boot_id=7, offset_us=-1500)


def _write(path: Path, events: list[dict[str, Any]]) -> None:
    journal = Journal.open(path)
    try:
        for event in events:
            asyncio.run(journal.append([event], device=DEVICE, wall_ms=1))
    finally:
        journal.close()


def _events(path: Path) -> list[dict[str, Any]]:
    journal = Journal.open(path)
    try:
        return [record.event for record in journal.records]
    finally:
        journal.close()


def test_what_was_appended_is_there_after_reopening(tmp_path: Path) -> None:
    """Records come back whole: number, device time, event."""
    path = tmp_path / "deep" / "journal.jsonl"
    _write(path, [{"kind": "a"}, {"kind": "ә", "n": 2}])
    journal = Journal.open(path)
    try:
        assert [(record.seq, record.event) for record in journal.records] == [
            (1, {"kind": "a"}),
            (2, {"kind": "ә", "n": 2}),
        ]
        assert journal.records[0].device == DEVICE
        assert journal.torn_bytes == 0
    finally:
        journal.close()


def test_each_start_of_the_program_gets_the_next_number(tmp_path: Path) -> None:
    """The host's boots are counted from what the journal holds."""
    path = tmp_path / "journal.jsonl"
    for due in (1, 2, 3):
        journal = Journal.open(path)
        assert journal.host_boot == due
        asyncio.run(journal.append([{"kind": "host_started"}], device=None, wall_ms=0))
        journal.close()


@given(cut=st.integers(min_value=1, max_value=400))
def test_a_tail_torn_anywhere_is_cut_and_kept_aside(
    tmp_path_factory: pytest.TempPathFactory, cut: int
) -> None:
    """However many bytes of the end are missing, every whole record stays and the rest lies in `.torn`."""
    path = tmp_path_factory.mktemp("torn") / "journal.jsonl"
    _write(path, [{"kind": "a", "n": n} for n in range(3)])
    data = path.read_bytes()
    kept = data[: max(0, len(data) - cut)]
    path.write_bytes(kept)
    whole = kept.count(b"\n")
    assert [event["n"] for event in _events(path)] == list(range(whole))
    torn = kept[kept.rfind(b"\n") + 1 :]
    aside = path.with_suffix(".torn")
    assert (aside.read_bytes() == torn + b"\n") if torn else not aside.exists()
    _write(path, [{"kind": "a", "n": 9}])
    assert [event["n"] for event in _events(path)] == [*range(whole), 9]


def test_a_tail_of_zeros_after_a_power_cut_is_cut(tmp_path: Path) -> None:
    """A file system may leave zeros where the last block was not written."""
    path = tmp_path / "journal.jsonl"
    _write(path, [{"kind": "a"}])
    with path.open("ab") as file:
        file.write(b"\0" * 4096)
    assert _events(path) == [{"kind": "a"}]


@pytest.mark.parametrize("place", [10, 200, 300])
def test_damage_before_whole_records_is_refused_and_changes_nothing(tmp_path: Path, place: int) -> None:
    """A changed byte in the middle is no torn tail: the journal stays as it is and says where."""
    path = tmp_path / "journal.jsonl"
    _write(path, [{"kind": "a", "n": n} for n in range(4)])
    data = bytearray(path.read_bytes())
    data[place] ^= 1
    path.write_bytes(data)
    with pytest.raises(JournalError, match=r"journal\.jsonl: record \d is damaged .* start the board again"):
        Journal.open(path)
    assert path.read_bytes() == data


def test_a_record_taken_out_breaks_the_chain(tmp_path: Path) -> None:
    """Lines cannot be dropped in silence."""
    path = tmp_path / "journal.jsonl"
    _write(path, [{"kind": "a", "n": n} for n in range(4)])
    lines = path.read_bytes().splitlines(keepends=True)
    path.write_bytes(b"".join(lines[:1] + lines[2:]))
    with pytest.raises(JournalError, match="record 2 is damaged"):
        Journal.open(path)


def test_a_record_changed_with_care_breaks_the_chain(tmp_path: Path) -> None:
    """Even valid JSON with a different value fails its hash."""
    path = tmp_path / "journal.jsonl"
    _write(path, [{"kind": "a", "n": n} for n in range(3)])
    lines = path.read_bytes().splitlines(keepends=True)
    changed = json.loads(lines[1])
    changed["event"]["n"] = 7
    path.write_bytes(lines[0] + json.dumps(changed).encode() + b"\n" + lines[2])
    with pytest.raises(JournalError, match="hash does not match"):
        Journal.open(path)


def _refused(path: Path) -> str:
    """Open a journal that must not open; return why, having seen that nothing was changed."""
    before = path.read_bytes()
    with pytest.raises(JournalError) as caught:
        Journal.open(path)
    assert path.read_bytes() == before
    assert not path.with_suffix(".torn").exists()
    return str(caught.value)


@pytest.mark.parametrize(
    "content",
    [
        b"\0" * 4096,
        b"hello\nthis is my diary\n" * 100,
        b"no end of line",
        b"[" * 200_000,
        b"\n",
        b'{"device":null}\n',
        b'{"device":\xff\n',
    ],
    ids=["zeros", "text", "no end", "deep", "empty line", "one line", "bytes"],
)
def test_a_file_that_holds_no_record_is_refused(tmp_path: Path, content: bytes) -> None:
    """Zeros or somebody's diary are no journal of ours: nothing is cut, people are told what to do."""
    path = tmp_path / "journal.jsonl"
    path.write_bytes(content)
    told = _refused(path)
    assert "record 1 is damaged" in told
    assert "Move the file aside and start the board again" in told


@pytest.mark.parametrize("tail", ["flip", "foreign line", "foreign line without end"])
def test_damage_of_the_last_line_is_refused_with_a_way_on(tmp_path: Path, tail: str) -> None:
    """A last record that has its end of line was durable: it is never forgotten in silence."""
    path = tmp_path / "journal.jsonl"
    _write(path, [{"kind": "a", "n": n} for n in range(3)])
    data = path.read_bytes()
    *before, last = data.splitlines(keepends=True)
    if tail == "flip":
        path.write_bytes(data.replace(b'"n":2', b'"n":3'))
        number, lines = 3, "line 3 goes"
    else:
        path.write_bytes(data + b"hello\n" + (b"x" if tail.endswith("end") else b""))
        before.append(last)
        number = 4
        lines = "line 4 and all after it goes" if tail.endswith("end") else "line 4 goes"
    told = _refused(path)
    assert f"record {number} is damaged" in told
    assert f"Removing {lines} on from record {number - 1}" in told
    path.write_bytes(b"".join(before))
    assert len(_events(path)) == number - 1


def test_a_pipe_is_no_journal(tmp_path: Path) -> None:
    """And reading it does not wait for ever."""
    path = tmp_path / "journal.jsonl"
    os.mkfifo(path)
    with pytest.raises(JournalError, match="no regular file"):
        Journal.open(path)


def test_a_torn_tail_that_cannot_be_kept_aside_is_a_clear_error(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """On a full disk nothing is cut that could not be kept."""
    path = tmp_path / "journal.jsonl"
    _write(path, [{"kind": "a"}])
    with path.open("ab") as file:
        file.write(b'{"dev')
    before = path.read_bytes()

    def full(_fd: int) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr("firmware_bridge.board.memory.journal.os.fsync", full)
    with pytest.raises(JournalError, match=r"5 bytes .*No space left on device.*Make room"):
        Journal.open(path)
    assert path.read_bytes() == before


def _lose(path: Path, how: str) -> None:
    if how == "emptied":
        os.truncate(path, 0)
        return
    if how == "folder deleted":
        shutil.rmtree(path.parent)
        return
    path.unlink()
    if how == "replaced":
        path.write_text("hello\n", encoding="utf-8")
    if how == "made a folder":
        path.mkdir()


@pytest.mark.parametrize("how", ["deleted", "replaced", "emptied", "folder deleted", "made a folder"])
def test_a_journal_lost_while_running_is_written_again(
    tmp_path: Path, how: str, caplog: pytest.LogCaptureFixture
) -> None:
    """Every record is there after a restart, it was told loudly, and what stood in its place is kept."""
    path = tmp_path / "b1" / "journal.jsonl"
    journal = Journal.open(path)
    asyncio.run(journal.append([{"kind": "a"}, {"kind": "b"}], device=DEVICE, wall_ms=1))
    assert journal.rescues == []
    _lose(path, how)
    asyncio.run(journal.append([{"kind": "c"}], device=DEVICE, wall_ms=2))
    asyncio.run(journal.append([{"kind": "d"}], device=DEVICE, wall_ms=3))
    assert len(journal.rescues) == 1
    assert "its 2 records were written again" in caplog.text
    with pytest.raises(JournalError, match="another board process"):
        Journal.open(path)
    journal.close()
    assert [event["kind"] for event in _events(path)] == ["a", "b", "c", "d"]
    kept = [each for each in path.parent.iterdir() if each != path]
    assert len(kept) == (0 if "deleted" in how else 1)
    if how == "replaced":
        assert kept[0].read_text(encoding="utf-8") == "hello\n"


def test_a_lost_journal_waits_for_room_to_be_written_again(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Emptied on a full disk: nothing of it is made up of zeros, and later it is whole."""
    path = tmp_path / "journal.jsonl"
    journal = Journal.open(path)
    asyncio.run(journal.append([{"kind": "a"}], device=DEVICE, wall_ms=1))
    os.truncate(path, 0)
    real = os.fsync

    def full(_fd: int) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr("firmware_bridge.board.memory.journal.os.fsync", full)
    with pytest.raises(JournalError, match="No space left"):
        asyncio.run(journal.append([{"kind": "b"}], device=None, wall_ms=0))
    monkeypatch.setattr("firmware_bridge.board.memory.journal.os.fsync", real)
    asyncio.run(journal.append([{"kind": "c"}], device=None, wall_ms=0))
    journal.close()
    assert [event["kind"] for event in _events(path)] == ["a", "c"]


def test_a_second_board_that_took_the_lost_place_is_not_overwritten(tmp_path: Path) -> None:
    """Two boards never push each other's journal away."""
    path = tmp_path / "journal.jsonl"
    journal = Journal.open(path)
    asyncio.run(journal.append([{"kind": "a"}], device=None, wall_ms=0))
    path.unlink()
    second = Journal.open(path)
    asyncio.run(second.append([{"kind": "z"}], device=None, wall_ms=0))
    with pytest.raises(JournalError, match="another board process holds this journal"):
        asyncio.run(journal.append([{"kind": "b"}], device=None, wall_ms=0))
    second.close()
    asyncio.run(journal.append([{"kind": "b"}], device=None, wall_ms=0))
    journal.close()
    assert [event["kind"] for event in _events(path)] == ["a", "b"]


def test_a_second_process_is_refused(tmp_path: Path) -> None:
    """Two boards must not write one journal."""
    path = tmp_path / "journal.jsonl"
    journal = Journal.open(path)
    try:
        with pytest.raises(JournalError, match="another board process holds this journal"):
            Journal.open(path)
    finally:
        journal.close()
    Journal.open(path).close()


def test_a_folder_in_its_place_is_a_clear_error(tmp_path: Path) -> None:
    """What cannot be opened is named."""
    with pytest.raises(JournalError, match="cannot be opened"):
        Journal.open(tmp_path)


def test_a_full_disk_adds_nothing_and_says_so(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """When the disk refuses, the records already there stay the last ones, and writing may go on later."""
    path = tmp_path / "journal.jsonl"
    journal = Journal.open(path)
    asyncio.run(journal.append([{"kind": "a"}], device=None, wall_ms=0))
    real = os.fsync

    def full(_fd: int) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr("firmware_bridge.board.memory.journal.os.fsync", full)
    with pytest.raises(JournalError, match="cannot be written: No space left on device"):
        asyncio.run(journal.append([{"kind": "b"}], device=None, wall_ms=0))
    assert journal.seq == 1
    monkeypatch.setattr("firmware_bridge.board.memory.journal.os.fsync", real)
    asyncio.run(journal.append([{"kind": "c"}], device=None, wall_ms=0))
    journal.close()
    assert _events(path) == [{"kind": "a"}, {"kind": "c"}]


def test_a_write_torn_half_way_is_taken_back_before_the_next(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Even when taking it back fails at first: half a record never stands before a whole one."""
    path = tmp_path / "journal.jsonl"
    journal = Journal.open(path)
    asyncio.run(journal.append([{"kind": "a"}], device=None, wall_ms=0))
    real_write, real_cut = os.write, os.ftruncate

    def half(fd: int, data: bytes) -> int:
        real_write(fd, data[: len(data) // 2])
        raise OSError(28, "No space left on device")

    def stuck(_fd: int, _size: int) -> None:
        raise OSError(5, "Input/output error")

    monkeypatch.setattr("firmware_bridge.board.memory.journal.os.write", half)
    monkeypatch.setattr("firmware_bridge.board.memory.journal.os.ftruncate", stuck)
    with pytest.raises(JournalError):
        asyncio.run(journal.append([{"kind": "b"}], device=None, wall_ms=0))
    monkeypatch.setattr("firmware_bridge.board.memory.journal.os.write", real_write)
    monkeypatch.setattr("firmware_bridge.board.memory.journal.os.ftruncate", real_cut)
    asyncio.run(journal.append([{"kind": "c"}], device=None, wall_ms=0))
    journal.close()
    assert _events(path) == [{"kind": "a"}, {"kind": "c"}]


def test_kill_9_while_writing_loses_nothing_that_was_acknowledged(tmp_path: Path) -> None:
    """Whatever `append` returned for is there after the process was killed in the middle of its work."""
    path = tmp_path / "journal.jsonl"
    program = textwrap.dedent("""
        import asyncio, sys
        from pathlib import Path
        from firmware_bridge.board.memory.journal import Journal
        async def main():
            journal = Journal.open(Path(sys.argv[1]))
            for n in range(100000):
                await journal.append([{"kind": "a", "n": n}], device=None, wall_ms=0)
                print(n, flush=True)
        asyncio.run(main())
    """)
    with subprocess.Popen(
        [sys.executable, "-c", program, str(path)], stdout=subprocess.PIPE, text=True
    ) as process:
        assert process.stdout is not None
        for _ in range(20):
            process.stdout.readline()
        process.kill()
        acknowledged = 20 + process.stdout.read().count("\n")
    events = _events(path)
    assert [event["n"] for event in events] == list(range(len(events)))
    assert len(events) >= acknowledged
