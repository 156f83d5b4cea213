"""The verbs as programs: pipes, signals, and streams that are no terminal."""

from __future__ import annotations

import contextlib
import os
import pty
import re
import shlex
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from rules.record.text import format_record, parse_record
from tests.firmware_bridge.commands.record.games import GAME_2009, NOTED, program


def test_a_reader_that_goes_away_is_no_error() -> None:
    """As in `| head -1`: the shell is told, nobody is bothered."""
    with program("convert", "-") as child:
        assert child.stdin is not None
        assert child.stdout is not None
        assert child.stderr is not None
        with contextlib.suppress(BrokenPipeError):
            child.stdin.write((NOTED + "\n").encode() * 20)
            child.stdin.flush()
            child.stdout.read(10)
            child.stdout.close()
            child.stdin.write((NOTED + "\n").encode() * 2000)
        with contextlib.suppress(BrokenPipeError):
            child.stdin.close()
        assert child.stderr.read() == b""
        assert child.wait() == 128 + signal.SIGPIPE


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_a_stopped_program_leaves_no_half_file(tmp_path: Path, number: signal.Signals) -> None:
    """Neither at its place nor under another name."""
    with program("convert", "-", "-o", str(tmp_path / "games.txt")) as child:
        assert child.stdin is not None
        child.stdin.write((NOTED + "\n").encode() * 50)
        child.stdin.flush()
        # The draft is there, so the program is in the middle of its work.
        while not list(tmp_path.iterdir()):
            assert child.poll() is None
        child.send_signal(number)
        assert child.wait() == 128 + number
    assert list(tmp_path.iterdir()) == []


def test_a_stopped_folder_keeps_its_whole_files(tmp_path: Path) -> None:
    """What was finished is there and sound, and nothing else is."""
    games, out = tmp_path / "games", tmp_path / "out"
    games.mkdir()
    for number in range(400):
        (games / f"{number:03}.txt").write_text(GAME_2009, encoding="utf-8")
    with program("convert", str(games), "-o", f"{out}/") as child:
        while not (out.is_dir() and len(list(out.glob("[0-9]*.txt"))) > 5):
            assert child.poll() is None
        child.send_signal(signal.SIGINT)
        assert child.wait() == 128 + signal.SIGINT
    written = list(out.iterdir())
    assert 5 < len(written) < 400
    whole = format_record(parse_record(GAME_2009))
    assert all(path.read_text(encoding="utf-8") == whole for path in written)


def test_records_are_utf8_whatever_the_locale_says() -> None:
    """A Kazakh name goes through unharmed, on a machine that speaks none."""
    with program("convert", env={"LC_ALL": "C", "PYTHONCOERCECLOCALE": "0", "PYTHONUTF8": "0"}) as child:
        out, errors = child.communicate(NOTED.encode())
        assert (child.returncode, errors) == (0, b"")
    assert "Қалам Бастаушыұлы" in out.decode("utf-8")


def test_a_closed_input_is_said_to_be_closed() -> None:
    """As a service without streams has it."""
    shell = f"exec {shlex.quote(sys.executable)} -m firmware_bridge record check <&-"
    with program(command=["sh", "-c", shell]) as child:
        out, errors = child.communicate()
        assert child.returncode == 2
    assert errors == b"togyz: standard input: it is closed\n"
    assert out.startswith(b"In all: 0 games")


def test_a_line_of_a_hundred_megabytes_costs_no_memory_to_speak_of() -> None:
    """It is refused by its place, and what follows it is read."""
    shell = f"ulimit -v 400000; exec {shlex.quote(sys.executable)} -m firmware_bridge record check -q"
    with program(command=["sh", "-c", shell]) as child:
        assert child.stdin is not None
        for _ in range(100):
            child.stdin.write(b"7" * 1_000_000)
        out, errors = child.communicate(b"\n\n" + NOTED.encode())
        assert (child.returncode, errors) == (1, b"")
    assert b"standard input:1:1: game 1:" in out
    assert b"In all: 1 game, 6 plies, 1 input, 1 faulty game" in out


def test_a_program_behind_a_pipe_gets_no_colours_and_no_bar() -> None:
    """Plain text on both streams."""
    with program("show", "--ply", "3") as child:
        out, errors = child.communicate(GAME_2009.encode())
    assert b"\x1b" not in out + errors
    assert "│" in out.decode()


@pytest.mark.parametrize(
    ("verb", "sign"),
    [
        ("check", "togyz record"),
        ("check", r"m([0-9.]+)/\1 (bytes|kB)"),  # the bar comes to its end
        ("check", "1 game, 60 plies: sound"),
        ("show", "\x1b\\["),
        ("restore", "Searching for the games that fit"),
    ],
)
def test_a_terminal_gets_colours_and_a_bar(tmp_path: Path, verb: str, sign: str) -> None:
    """And the results above it."""
    path = tmp_path / "game.txt"
    path.write_text(GAME_2009, encoding="utf-8")
    ours, theirs = pty.openpty()
    environ = {"TERM": "xterm-256color", "COLUMNS": "80", "NO_COLOR": ""}
    with program(verb, str(path), env=environ, stdin=subprocess.DEVNULL, stdout=theirs, stderr=theirs):
        os.close(theirs)
        told = b"".join(iter(lambda: _read(ours), b"")).decode()
    os.close(ours)
    assert re.search(sign, told)


def _read(fd: int) -> bytes:
    try:
        return os.read(fd, 4096)
    except OSError:  # the other side is closed
        return b""


@pytest.mark.parametrize("verb", ["show", "check", "restore", "convert", "diagram"])
def test_a_closed_standard_output_is_said_in_one_line(tmp_path: Path, verb: str) -> None:
    """As a full one is."""
    (tmp_path / "game.txt").write_text(GAME_2009, encoding="utf-8")
    command = f"{shlex.quote(sys.executable)} -m firmware_bridge --language en record {verb} game.txt >&-"
    env = {**os.environ, "PYTHONPATH": str(Path(__file__).parents[4])}
    told = subprocess.run(
        ["sh", "-c", command], cwd=tmp_path, env=env, capture_output=True, text=True, check=False
    )
    assert told.returncode == 1
    assert told.stderr == "togyz: standard output cannot be written: Bad file descriptor\n"
