"""The command line: it teaches, and it says what is wrong in one line."""

from __future__ import annotations

from pathlib import Path

import pytest
from typer.testing import CliRunner, Result

from firmware_bridge import __version__
from firmware_bridge.cli import app

GOOD = """\
[board]
id = "board-1"
state_dir = "state"
[device]
port = "x.tty"
[calibration]
file = "c.json"
"""


def run(*words: str) -> Result:
    """Run `togyz` with these words, wide enough that no message is wrapped."""
    return CliRunner().invoke(app, list(words), env={"COLUMNS": "200", "TERM": "dumb"})


WORDS = (
    *("demo", "board", "hall", "emulate", "control", "doctor", "find"),
    *("broker", "contract", "perft", "record"),
)


@pytest.mark.parametrize("word", [*WORDS, "enrol"])
def test_every_command_explains_itself(word: str) -> None:
    """A sentence of what it does, and its options."""
    told = run(word, "--help")
    assert told.exit_code == 0
    assert "Usage:" in told.output
    assert len(told.output.split()) > 40


def test_without_a_word_the_help_names_every_command_and_where_to_begin() -> None:
    """A newcomer is sent to the demo."""
    told = run()
    assert "togyz demo" in told.output
    for word in WORDS:
        assert word in told.output


def test_the_version_is_told() -> None:
    """As the packages have it."""
    assert run("--version").output == f"togyz-bridge {__version__}\n"


def test_the_version_is_the_projects() -> None:
    """One number, in two files that cannot import each other."""
    project = Path(__file__).parents[3] / "pyproject.toml"
    assert f'\nversion = "{__version__}"\n' in project.read_text(encoding="utf-8")


def test_perft_counts() -> None:
    """The known numbers."""
    told = run("perft", "4")
    for number in ("9", "73", "613", "5,199"):
        assert number in told.output


@pytest.mark.parametrize("word", ["board", "hall", "emulate", "broker"])
def test_a_typo_in_the_configuration_is_told_without_a_traceback(tmp_path: Path, word: str) -> None:
    """Exit code 2, file, key and the word that was meant."""
    path = tmp_path / "board.toml"
    path.write_text(GOOD.replace("port", "prot"), encoding="utf-8")
    told = run(word, str(path))
    assert told.exit_code == 2
    first = told.output.splitlines()[0]
    assert first == f"togyz: {path}: `device.prot` is not a setting; did you mean `port`?"


def test_a_missing_calibration_is_told(tmp_path: Path) -> None:
    """The file is named."""
    path = tmp_path / "board.toml"
    path.write_text(GOOD, encoding="utf-8")
    told = run("board", str(path))
    assert told.exit_code == 2
    assert "c.json" in told.output


def test_control_without_a_running_board_says_what_to_start(tmp_path: Path) -> None:
    """No traceback, exit code 2."""
    path = tmp_path / "board.toml"
    path.write_text(GOOD, encoding="utf-8")
    told = run("control", str(path), "status")
    assert told.exit_code == 2
    assert "is `togyz board` running with this configuration?" in told.output
    told = run("--language", "ru", "control", str(path), "status")
    assert "доска не отвечает (такого файла или папки нет)" in told.output


def test_a_configured_broker_is_not_started_again(tmp_path: Path) -> None:
    """`togyz broker` would serve nobody."""
    path = tmp_path / "board.toml"
    path.write_text(GOOD + '[broker]\nhost = "192.0.2.1"\n', encoding="utf-8")
    told = run("broker", str(path))
    assert told.exit_code == 2
    assert "`broker.host` names a broker already (192.0.2.1)" in told.output
