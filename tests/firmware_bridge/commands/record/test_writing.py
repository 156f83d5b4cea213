"""Outputs: whole or not at all, and nothing replaced that nobody wanted replaced."""

from __future__ import annotations

import os
import stat
from pathlib import Path
from typing import Any

import pytest

from firmware_bridge.commands.record.writing import Output, OutputError, whole_file


def left_in(folder: Path) -> list[str]:
    """Return every name in a folder, hidden ones too."""
    return sorted(path.name for path in folder.iterdir())


def test_a_file_appears_whole(tmp_path: Path) -> None:
    """Not before its last character."""
    path = tmp_path / "game.txt"
    with whole_file(path, force=False) as file:
        file.write("1. 76\n")
        assert not path.exists()
    assert path.read_bytes() == b"1. 76\n"
    assert left_in(tmp_path) == ["game.txt"]


def test_nothing_is_left_of_a_file_that_was_not_finished(tmp_path: Path) -> None:
    """Not even its draft, and what stood there stands there."""
    path = tmp_path / "game.txt"
    path.write_text("old", encoding="utf-8")

    def interrupted() -> None:
        with whole_file(path, force=True) as file:
            file.write("new")
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        interrupted()
    assert left_in(tmp_path) == ["game.txt"]
    assert path.read_text(encoding="utf-8") == "old"


def test_a_file_that_is_there_is_replaced_by_force_alone(tmp_path: Path) -> None:
    """With its permissions kept."""
    path = tmp_path / "game.txt"
    path.write_text("old", encoding="utf-8")
    path.chmod(0o640)
    with pytest.raises(OutputError) as caught, whole_file(path, force=False):
        pytest.fail("it was opened")
    assert str(caught.value) == f"{path} is there already; --force replaces it"
    with whole_file(path, force=True) as file:
        file.write("new")
    assert path.read_text(encoding="utf-8") == "new"
    assert stat.S_IMODE(path.stat().st_mode) == 0o640


def test_a_file_that_appears_meanwhile_is_not_replaced(tmp_path: Path) -> None:
    """It belongs to somebody."""
    path = tmp_path / "game.txt"

    def overtaken() -> None:
        with whole_file(path, force=False) as file:
            file.write("ours")
            path.write_text("theirs", encoding="utf-8")

    with pytest.raises(OutputError, match="is there already"):
        overtaken()
    assert path.read_text(encoding="utf-8") == "theirs"
    assert left_in(tmp_path) == ["game.txt"]


def test_a_file_system_without_hard_links_serves_as_well(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Such as that of a memory stick."""

    def refusing(*_: object) -> None:
        raise PermissionError(1, "Operation not permitted")

    monkeypatch.setattr("firmware_bridge.commands.record.writing.os.link", refusing)
    path = tmp_path / "game.txt"
    with whole_file(path, force=False) as file:
        file.write("new")
    assert left_in(tmp_path) == ["game.txt"]


def test_what_cannot_be_written_is_named(tmp_path: Path) -> None:
    """With the system's reason."""
    path = tmp_path / "missing" / "game.txt"
    with pytest.raises(OutputError) as caught, whole_file(path, force=False):
        pytest.fail("it was opened")
    assert str(caught.value) == f"{path} cannot be written: No such file or directory"
    with pytest.raises(OutputError) as caught, whole_file(tmp_path, force=True):
        pytest.fail("it was opened")
    assert str(caught.value) == f"{tmp_path}: this is a folder; name a file"


def test_a_device_is_written_to_as_it_is() -> None:
    """Nothing could take its place."""
    with whole_file(Path("/dev/null"), force=False) as file:
        file.write("gone")
    assert stat.S_ISCHR(Path("/dev/null").stat().st_mode)


def test_games_share_one_file_with_blanks_between_them(tmp_path: Path) -> None:
    """None before the first."""
    path = tmp_path / "games.txt"
    with Output(str(path), ".txt", force=False) as out:
        for number in (1, 2, 3):
            out.put(f"{number}\n", "a.txt", number, "\n")
    assert path.read_text(encoding="utf-8") == "1\n\n2\n\n3\n"


def test_a_folder_gets_a_file_for_each_game(tmp_path: Path) -> None:
    """Named for its input; two inputs of one name do not meet, and no name leads out of the folder."""
    folder = tmp_path / "new"
    with Output(f"{folder}/", ".json", force=False) as out:
        for name, number in (("x", 1), ("x", 2), ("x", 1), ("../..", 1), ("б в", 1)):
            out.put(name, name, number, "\n")
    assert left_in(folder) == ["game.json", "x-2.json", "x.json", "x_2.json", "б_в.json"]


def test_no_file_is_made_where_no_game_was(tmp_path: Path) -> None:
    """An empty result is no result."""
    with Output(str(tmp_path / "games.txt"), ".txt", force=False):
        pass
    assert left_in(tmp_path) == []


@pytest.mark.parametrize("step", ["open", "unlink"])
def test_a_signal_at_any_step_leaves_no_draft(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, step: str
) -> None:
    """Not even just behind the call that made the draft, or just before the one that removes it."""

    class StopError(BaseException):
        pass

    came: list[str] = []
    real = getattr(os, step)

    def stopped(*args: Any, **named: Any) -> Any:
        if came:
            return real(*args, **named)
        came.append(step)
        if step != "unlink":
            real(*args, **named)
        raise StopError

    monkeypatch.setattr(os, step, stopped)
    with pytest.raises(StopError), whole_file(tmp_path / "a.txt", force=False) as file:
        file.write("*")
    assert came
    assert not [path for path in tmp_path.iterdir() if path.name.startswith(".")]
