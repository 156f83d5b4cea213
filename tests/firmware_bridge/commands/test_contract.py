"""`togyz contract`: the documents in a folder of one's choice."""

from __future__ import annotations

from pathlib import Path

from typer.testing import CliRunner

from firmware_bridge.cli import app
from firmware_bridge.contract.documents import shipped


def test_it_writes_all_that_is_shipped_and_names_each_file(tmp_path: Path) -> None:
    """One line for each file, so that one sees where to begin."""
    told = CliRunner().invoke(app, ["contract", str(tmp_path / "out")], env={"COLUMNS": "80"})
    assert told.exit_code == 0
    assert told.output.splitlines() == [str(tmp_path / "out" / name) for name in shipped()]
    assert {path.name for path in (tmp_path / "out").iterdir()} == set(shipped())


def test_a_place_that_cannot_be_written_is_named(tmp_path: Path) -> None:
    """In one line, and the exit code says that it failed."""
    (tmp_path / "file").write_text("", encoding="utf-8")
    told = CliRunner().invoke(app, ["contract", str(tmp_path / "file")], env={"COLUMNS": "300"})
    assert told.exit_code == 1
    assert f"{tmp_path / 'file'}: cannot be written: File exists" in told.stderr


def test_a_folder_that_cannot_be_made_is_told_in_the_language(tmp_path: Path) -> None:
    """The reason of the system as well."""
    (tmp_path / "file").touch()
    words = ["--language", "ru", "contract", str(tmp_path / "file")]
    told = CliRunner().invoke(app, words, env={"COLUMNS": "300"})
    assert "записать нельзя: такой файл уже есть" in told.stderr
