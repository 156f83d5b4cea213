"""`togyz trace record` of a board that takes its time: patience, and what it says when that is at an end."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from typer.testing import Result

from firmware_bridge.board.control import LateAnswerError
from firmware_bridge.commands import asking
from firmware_bridge.commands.trace import record
from tests.firmware_bridge.commands.test_cli import GOOD, run

LATE = None


@pytest.fixture
def recorded(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Callable[..., tuple[Result, list[str]]]:
    """Give what runs `record` against a board that answers so, and returns what it was asked, too."""
    config = tmp_path / "board.toml"
    config.write_text(GOOD, encoding="utf-8")
    monkeypatch.setattr(record, "LOOK_EVERY_S", 0.0)
    monkeypatch.chdir(tmp_path)

    def recorded(answers: list[dict[str, Any] | None], *words: str) -> tuple[Result, list[str]]:
        asked: list[str] = []
        left = iter(answers)

        def ask(path: Path, request: dict[str, Any]) -> dict[str, Any]:
            asked.append(request["what"])
            answer = next(left)
            if answer is LATE:
                raise LateAnswerError(path, "timed out")
            return {"ok": True, "trace": {"trouble": "", "bytes": 1, "begun": True, **answer}}

        monkeypatch.setattr(asking, "ask", ask)
        return run("trace", "record", str(config), *words), asked

    return recorded


def test_a_board_that_answers_late_is_asked_again(
    recorded: Callable[..., tuple[Result, list[str]]], tmp_path: Path
) -> None:
    """The machine is busy; the trace goes on, and so does whoever watches it."""
    mine = {"file": str(tmp_path / "x.trace")}
    told, asked = recorded([mine, mine, LATE, LATE, mine, {"file": None}], "x.trace")
    assert told.exit_code == 0, told.output
    assert asked == ["start", *["status"] * 5]
    assert told.stderr.count("slow to answer") == 1
    assert "complete" in told.stdout


def test_a_late_start_is_not_asked_for_twice(
    recorded: Callable[..., tuple[Result, list[str]]], tmp_path: Path
) -> None:
    """The board has begun it, and would refuse another one."""
    mine = {"file": str(tmp_path / "x.trace")}
    told, asked = recorded([LATE, mine], "x.trace", "--leave")
    assert (told.exit_code, asked) == (0, ["start", "status"]), told.output


@pytest.mark.parametrize(
    ("found", "said"),
    [({"file": None, "trouble": "there is a file already"}, "there is"), ({"file": "/other.trace"}, "other")],
)
def test_a_late_start_that_came_to_nothing_is_told(
    recorded: Callable[..., tuple[Result, list[str]]], found: dict[str, Any], said: str
) -> None:
    """Nobody goes away believing that a trace is written."""
    told, _asked = recorded([LATE, found], "x.trace", "--leave")
    assert told.exit_code == 1
    assert said in told.output


def test_a_late_stop_is_waited_for(recorded: Callable[..., tuple[Result, list[str]]]) -> None:
    """It was heard; when the board writes the trace no more it is done."""
    mine = {"file": "/x.trace"}
    told, asked = recorded([mine, LATE, mine, {"file": None}], "--stop")
    assert (told.exit_code, asked) == (0, ["status", "stop", "status", "status"]), told.output
    assert "/x.trace: complete" in told.stdout


def test_patience_has_an_end_that_says_how_to_end_the_trace(
    recorded: Callable[..., tuple[Result, list[str]]], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The board may go on writing for hours."""
    monkeypatch.setattr(record, "PATIENCE_S", 0.0)
    told, _asked = recorded([{"file": str(tmp_path / "x.trace")}, LATE], "x.trace")
    assert told.exit_code == 2
    assert "--stop" in told.stderr
