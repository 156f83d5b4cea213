"""A real board on a real line writes a trace, and another process takes every decision again."""

from __future__ import annotations

import json
import time
from pathlib import Path

from typer.testing import CliRunner, Result

from firmware_bridge.board.control import ControlError, ask
from firmware_bridge.cli import app
from firmware_bridge.commands.processes import Crew

PATIENCE_S = 60.0

CONFIG = """\
[board]
id = "board-1"
state_dir = "state"
[device]
port = "board-1.tty"
[calibration]
file = "calibration.json"
[game]
start = "both_ready"
[broker]
host = "127.0.0.1"
port = 9
[emulator]
record = "record.txt"
speed = 20
pace = "human"
"""


def togyz(*words: object) -> Result:
    """Run a command in English."""
    env = {"COLUMNS": "200", "TERM": "dumb"}
    return CliRunner().invoke(app, ["--language", "en", *map(str, words)], env=env)


def plies(folder: Path) -> int:
    """Return how many plies are committed; 0 while the board does not answer."""
    try:
        answer = ask(folder / "state" / "board-1" / "control.sock", {"do": "status"})
    except ControlError:
        return 0
    return int(answer["state"]["ply"])


def until_plies(folder: Path, due: int) -> None:
    """Wait for so many plies."""
    deadline = time.monotonic() + PATIENCE_S
    while plies(folder) < due:
        assert time.monotonic() < deadline, f"no {due} plies in time"
        time.sleep(0.02)


def test_a_trace_of_a_running_board_replays_bit_for_bit(tmp_path: Path) -> None:
    """Begun in the middle of the game, ended by hand; the plies in it are those of the journal."""
    config, trace = tmp_path / "board.toml", tmp_path / "game.trace"
    config.write_text(CONFIG, encoding="utf-8")
    (tmp_path / "record.txt").write_text("1. 3:2 9-8 2. 7:8 4:4 3. 6:7 5:7x", encoding="utf-8")
    with Crew(tmp_path) as crew:
        crew.start("emulate", config).wait_for('"ready"', PATIENCE_S)
        crew.start("board", config)
        until_plies(tmp_path, 1)
        begun = togyz("trace", "record", config, trace, "--leave")
        assert begun.exit_code == 0, begun.stderr
        refused = togyz("trace", "record", config, tmp_path / "other.trace")
        assert (refused.exit_code, "a trace is being written already" in refused.stderr) == (1, True)
        until_plies(tmp_path, 4)
        assert "the board writes" in togyz("trace", "record", config).stdout
        ended = togyz("trace", "record", config, "--stop")
        assert ended.exit_code == 0, ended.stderr
    replayed = togyz("trace", "replay", trace)
    assert replayed.exit_code == 0, replayed.stdout + replayed.stderr
    told = json.loads(togyz("trace", "info", trace, "--json").stdout)
    journal = (tmp_path / "state/board-1/journal.jsonl").read_text(encoding="utf-8")
    events = [json.loads(line)["event"] for line in journal.splitlines()]
    played = [event["text"] for event in events if event["kind"] == "move_played"]
    assert len(told["moves"]) >= 2
    assert "".join(told["moves"]) in "".join(played)
    assert told["damage"] == []
