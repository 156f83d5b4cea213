"""Files of a folder that are JSON and hold no game."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.firmware_bridge.commands.record.games import GAME_2009, run

CALIBRATION = json.dumps({"format": 1, "board_id": "board-1", "channels": []}, indent=1)


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """The folder of a board: a game, its calibration and what a bench has measured."""
    (tmp_path / "game.txt").write_text(GAME_2009, encoding="utf-8")
    (tmp_path / "calibration.json").write_text(CALIBRATION, encoding="utf-8")
    (tmp_path / "results.jsonl").write_text('{"key": "a", "task": {}}\n{"key": "b"}\n', encoding="utf-8")
    return tmp_path


def test_what_is_plainly_no_game_is_passed_over(folder: Path) -> None:
    """And said to be so; the games beside it are sound."""
    told = run("check", str(folder))
    assert told.exit_code == 0, told.output
    assert f"{folder / 'calibration.json'}: no game record; passed over\n" in told.stdout
    assert f"{folder / 'results.jsonl'}: no game record; passed over\n" in told.stdout
    assert "0 faulty games" in told.stdout
    kinds = [json.loads(line)["kind"] for line in run("check", "--json", str(folder)).stdout.splitlines()]
    assert kinds.count("foreign") == 2


def test_a_file_that_is_named_is_a_game_or_faulty(folder: Path) -> None:
    """Who names it says that it holds one; so does a record that has lost a part."""
    assert run("check", str(folder / "calibration.json")).exit_code == 1
    (folder / "hurt.json").write_text('{"tags": {}, "plies": []}', encoding="utf-8")
    assert "1 faulty game" in run("check", str(folder)).stdout


def test_the_other_verbs_pass_it_over_too(folder: Path) -> None:
    """With a word on standard error."""
    told = run("convert", str(folder), "--to", "json")
    assert told.exit_code == 0
    assert "calibration.json: no game record; passed over" in told.stderr
    assert len(told.stdout.splitlines()) == 1
