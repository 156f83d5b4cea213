"""Inputs: found, read line by line, and refused by name."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from firmware_bridge.commands.record import sources
from firmware_bridge.commands.record.sources import Source, UnusableError, lines_of_source, sources_of


def names(*inputs: Path) -> list[str]:
    """Return what the inputs lead to, by file name."""
    return [Path(found.name).name for found in sources_of(list(map(str, inputs)))]


def lines(path: Path) -> list[str]:
    """Return the lines of a file."""
    return list(lines_of_source(Source(str(path), path)))


def refusal(path: Path) -> str:
    """Return why a file cannot be read."""
    with pytest.raises(UnusableError) as caught:
        lines(path)
    assert caught.value.name == str(path)
    return caught.value.why


def test_a_folder_gives_its_game_files_and_those_below_it_by_name(tmp_path: Path) -> None:
    """Of four suffixes in either case; hidden ones and others stay out."""
    (tmp_path / "b" / ".hidden").mkdir(parents=True)
    for name in ("b/2.TXT", "b/1.pgn", "a.json", "c.jsonl", "d.doc", ".e.txt", "b/.hidden/f.txt"):
        (tmp_path / name).write_text("*", encoding="utf-8")
    assert names(tmp_path) == ["a.json", "1.pgn", "2.TXT", "c.jsonl"]


def test_a_file_that_is_named_is_read_whatever_it_is_called(tmp_path: Path) -> None:
    """Hidden or of another suffix."""
    (tmp_path / ".game").write_text("*", encoding="utf-8")
    assert names(tmp_path / ".game") == [".game"]


def test_links_in_a_circle_end(tmp_path: Path) -> None:
    """Each file is found once."""
    (tmp_path / "a").mkdir()
    (tmp_path / "a" / "1.txt").write_text("*", encoding="utf-8")
    (tmp_path / "a" / "up").symlink_to(tmp_path)
    (tmp_path / "a" / "self").symlink_to(tmp_path / "a" / "self")
    assert names(tmp_path) == ["1.txt"]


def test_a_folder_without_games_is_said_to_have_none(tmp_path: Path) -> None:
    """With the suffixes that are looked for."""
    (found,) = sources_of([str(tmp_path)])
    assert str(found) == f"{tmp_path}: there is no game file in this folder (.txt .pgn .json .jsonl)"


def test_a_folder_that_cannot_be_entered_is_named_and_the_next_follows(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """As the system says why."""
    (tmp_path / "a").mkdir()
    (tmp_path / "b.txt").write_text("*", encoding="utf-8")
    scandir = os.scandir

    def refusing(path: Path) -> object:
        if path.name == "a":
            raise PermissionError(13, "Permission denied")
        return scandir(path)

    monkeypatch.setattr("firmware_bridge.commands.record.sources.os.scandir", refusing)
    refused, found = sources_of([str(tmp_path)])
    assert str(refused) == f"{tmp_path / 'a'}: reading it is not allowed"
    assert found.name == str(tmp_path / "b.txt")


def test_what_is_no_file_is_refused_without_waiting(tmp_path: Path) -> None:
    """A pipe nobody writes to, a folder, a device, nothing at all."""
    os.mkfifo(tmp_path / "pipe")
    assert refusal(tmp_path / "pipe") == "no file but a pipe; read it as standard input"
    assert refusal(tmp_path) == "no file but a folder"
    assert refusal(Path("/dev/null")) == "no file but a device"
    assert refusal(tmp_path / "missing") == "there is no such file"
    assert refusal(tmp_path / ("x" * 300)) == "it cannot be read: File name too long"
    (tmp_path / "dangling").symlink_to("nowhere")
    assert refusal(tmp_path / "dangling") == "there is no such file"


def test_a_pipe_the_shell_has_opened_is_read() -> None:
    """Such as `<(cat game.txt)`."""
    reading, writing = os.pipe()
    os.write(writing, b"1. 76\n")
    os.close(writing)
    try:
        assert lines(Path(f"/dev/fd/{reading}")) == ["1. 76\n"]
    finally:
        os.close(reading)


@pytest.mark.parametrize(
    ("content", "why"),
    [
        (b"1. 76\n\0", "this is no text: it holds a zero byte"),
        (b"ab\xcf", "column 3: byte 0xcf is not UTF-8; save the file as UTF-8"),
        (
            "қ".encode() + b"\xff",
            "column 2: byte 0xff is not UTF-8; save the file as UTF-8",
        ),
        ("1. 76".encode("utf-16"), "this is UTF-16, not UTF-8 text; save it as UTF-8"),
        (b"\x1f\x8b\x08", "this is gzip, not UTF-8 text; save it as UTF-8"),
        (b"PK\x03\x04", "this is zip, not UTF-8 text; save it as UTF-8"),
    ],
)
def test_what_is_no_utf8_text_is_refused_with_its_place(tmp_path: Path, content: bytes, why: str) -> None:
    """And what to do about it."""
    path = tmp_path / "game.txt"
    path.write_bytes(content)
    assert refusal(path) == why


def test_a_mark_of_byte_order_is_passed_over(tmp_path: Path) -> None:
    """Windows writes one, and files put together have several."""
    path = tmp_path / "game.txt"
    path.write_bytes(b"\xef\xbb\xbf1. 76\r\n\xef\xbb\xbf98")
    assert lines(path) == ["1. 76\r\n", "98"]


def test_a_line_without_end_is_cut_off(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Also in the middle of a letter; what follows it is read."""
    monkeypatch.setattr(sources, "MAX_LINE_BYTES", 5)
    path = tmp_path / "game.txt"
    path.write_text("ққққққ\n76\n", encoding="utf-8")
    read: list[int] = []
    found = list(lines_of_source(Source("game", path), read.append))
    assert found == ["ққ", "76\n"]
    assert sum(read) == path.stat().st_size


def test_what_is_binary_is_not_read_to_the_end_of_a_line(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A sparse file of a whole disk is one line of zeros."""

    def dropped(_file: object) -> int:
        raise AssertionError("read on")

    monkeypatch.setattr(sources, "_drop", dropped)
    path = tmp_path / "sparse.txt"
    with path.open("wb") as file:
        file.truncate(sources.MAX_LINE_BYTES * 3)
    assert refusal(path) == "this is no text: it holds a zero byte"
