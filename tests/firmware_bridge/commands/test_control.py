"""`togyz control`: what is asked of a board, and how its answer ends the program."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from firmware_bridge.board.control import ControlError
from firmware_bridge.commands import control
from tests.firmware_bridge.commands.test_cli import GOOD, run


@pytest.fixture
def config(tmp_path: Path) -> Path:
    """A configuration file."""
    path = tmp_path / "board.toml"
    path.write_text(GOOD, encoding="utf-8")
    return path


def answering(
    monkeypatch: pytest.MonkeyPatch, answer: dict[str, Any] | ControlError
) -> list[tuple[Path, dict[str, Any]]]:
    """Let a board answer like this; return a list that fills with what it was asked, and where."""
    asked: list[tuple[Path, dict[str, Any]]] = []

    def ask(path: Path, request: dict[str, Any]) -> dict[str, Any]:
        asked.append((path, request))
        if isinstance(answer, ControlError):
            raise answer
        return answer

    monkeypatch.setattr(control, "ask", ask)
    return asked


def test_what_is_obeyed_ends_with_0(config: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The board's own socket is asked, with the reason that was given."""
    asked = answering(monkeypatch, {"ok": True})
    told = run("control", str(config), "suspend", "--reason", "tea")
    assert (told.exit_code, told.output) == (0, "board-1: suspend done\n")
    socket = config.parent / "state" / "board-1" / "control.sock"
    assert asked == [(socket, {"do": "suspend", "reason": "tea"})]


def test_a_refusal_ends_with_1_and_says_why(config: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A script can tell it from a board that is not there."""
    answering(monkeypatch, {"ok": False, "why": "put it right first"})
    told = run("control", str(config), "resume")
    assert told.exit_code == 1
    assert told.stdout == ""
    assert told.stderr == "togyz: board-1: put it right first\n"


def test_a_board_that_cannot_be_asked_ends_with_2(config: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Whatever is wrong with its socket is told in one line."""
    answering(monkeypatch, ControlError("no board answers there"))
    told = run("control", str(config), "status")
    assert told.exit_code == 2
    assert told.stderr == "togyz: no board answers there\n"


@pytest.mark.parametrize(("word", "option"), [("end", "--score"), ("enter", "--moves")])
def test_a_word_that_lacks_what_it_needs_ends_with_2_and_asks_nothing(
    config: Path, monkeypatch: pytest.MonkeyPatch, word: str, option: str
) -> None:
    """The option is named; the board hears of it only when it is there."""
    asked = answering(monkeypatch, {"ok": True})
    told = run("control", str(config), word)
    assert told.exit_code == 2
    assert option in told.stderr
    assert asked == []
    assert run("control", str(config), word, option, "1-0").exit_code == 0
    assert asked[0][1] == {"do": word, "reason": "arbiter", option.removeprefix("--"): "1-0"}
