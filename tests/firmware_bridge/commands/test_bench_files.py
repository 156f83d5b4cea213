"""`togyz bench counting` and files that are not what it needs: an error that says so, and nothing changed."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from typer.testing import CliRunner

from firmware_bridge.cli import app

GAME = '{"tokens": ["76", "98"]}\n'
RUN = ("--profile", "clean", "--pace", "blitz", "--games", "1", "--jobs", "1")


def bench(*arguments: str, language: str = "en") -> tuple[int, str]:
    """Run it; return the exit code and all that was said, in one line."""
    result = CliRunner().invoke(app, ["--language", language, "bench", "counting", *RUN, *arguments])
    assert result.exception is None or isinstance(result.exception, SystemExit), result.exception
    return result.exit_code, " ".join(result.output.split())


@pytest.mark.parametrize(
    "content",
    [
        b"my only copy, no newline",
        b"not json\n",
        b"\xff\xfe{}\n",
        b"[]\n",
        b"{}\n",
        b"null\n",
        b'{"key":"a"}\n',
        b"[" * 100_000 + b"\n",
    ],
)
def test_a_file_that_holds_no_results_is_left_as_it_is(tmp_path: Path, content: bytes) -> None:
    """Whatever it is, somebody may need it."""
    found = tmp_path / "results.jsonl"
    found.write_bytes(content)
    code, told = bench("--out", str(tmp_path))
    assert code == 2
    assert "choose another folder for --out" in told
    assert found.read_bytes() == content


def test_results_of_other_games_are_no_results_of_these(tmp_path: Path) -> None:
    """Neither are those of another version; both are told, and kept."""
    games = tmp_path / "games.jsonl"
    games.write_text(GAME)
    assert bench("--games-file", str(games), "--out", str(tmp_path / "out"))[0] == 0
    kept = (tmp_path / "out" / "results.jsonl").read_bytes()
    others = tmp_path / "others.jsonl"
    others.write_text('{"tokens": ["76", "95"]}\n')
    code, told = bench("--games-file", str(others), "--out", str(tmp_path / "out"))
    assert code == 2
    assert "measured on other games" in told
    older = json.loads(kept) | {"version": "0.0.1"}
    (tmp_path / "out" / "results.jsonl").write_text(json.dumps(older) + "\n")
    code, told = bench("--games-file", str(games), "--out", str(tmp_path / "out"))
    assert code == 2
    assert "measured by another version" in told


def test_a_result_without_its_parts_is_told(tmp_path: Path) -> None:
    """Written by hand, or by a disk that lies."""
    games = tmp_path / "games.jsonl"
    games.write_text(GAME)
    assert bench("--games-file", str(games), "--out", str(tmp_path))[0] == 0
    line = json.loads((tmp_path / "results.jsonl").read_text())
    del line["score"]
    (tmp_path / "results.jsonl").write_text(json.dumps(line) + "\n")
    code, told = bench("--games-file", str(games), "--out", str(tmp_path))
    assert code == 2
    assert "cannot be read" in told


@pytest.mark.parametrize("out", ["a-file", "a-file/below"])
def test_a_place_where_nothing_can_be_written_is_told(tmp_path: Path, out: str) -> None:
    """Before anything is played."""
    (tmp_path / "a-file").write_text("x")
    code, told = bench("--out", str(tmp_path / out))
    assert code == 2
    assert "results cannot be kept there (Not a directory)" in told
    _, told = bench("--out", str(tmp_path / out), language="ru")
    assert "сохранить результаты там нельзя (это не папка)" in told


@pytest.mark.parametrize("name", ["results.jsonl", "summary.json"])
def test_a_folder_in_the_place_of_a_file_is_told(tmp_path: Path, name: str) -> None:
    """With its name."""
    (tmp_path / name).mkdir()
    games = tmp_path / "games.jsonl"
    games.write_text(GAME)
    code, told = bench("--games-file", str(games), "--out", str(tmp_path))
    assert code != 0
    assert name in told.replace(" ", "")


@pytest.mark.parametrize(
    ("content", "where"),
    [
        (b"garbage\n", ":1"),
        (b'{"tokens":5}\n', ":1"),
        (b'{"tokens":[]}\n', ":1"),
        (GAME.encode() + b'{"a":5}\n', ":2"),
        (b'{"tokens": ["99", "11", "12"]}\n', ":1"),
        (b"\xff\xfe\n", "no file of tournament games"),
        (b"", "holds no game"),
    ],
)
def test_a_file_of_games_that_is_none_is_told_with_its_line(
    tmp_path: Path, content: bytes, where: str
) -> None:
    """And no other games are played instead."""
    games = tmp_path / "games.jsonl"
    games.write_bytes(content)
    code, told = bench("--games-file", str(games))
    assert code == 2
    assert where in told
    assert "games.jsonl" in told.replace(" ", "")
