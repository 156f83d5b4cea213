"""How `togyz` starts and ends as a process: without a traceback, whatever its surroundings do."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest

from firmware_bridge.commands.common import EXIT_READER_GONE

ROOT = Path(__file__).parents[2]
ENVIRONMENT = {**os.environ, "PYTHONPATH": str(ROOT)}
INTERRUPTED = """
import importlib.abc, os, signal, sys
class Impatient(importlib.abc.MetaPathFinder):
    def find_spec(self, name, path, target=None):
        if name == "firmware_bridge.cli":
            os.kill(os.getpid(), signal.SIGINT)
sys.meta_path.insert(0, Impatient())
from firmware_bridge.__main__ import main
main()
"""


def test_ctrl_c_while_the_program_is_being_loaded_just_ends_it() -> None:
    """By the signal, in silence."""
    done = subprocess.run(
        [sys.executable, "-c", INTERRUPTED],
        env=ENVIRONMENT,
        capture_output=True,
        timeout=60,
        check=False,
        # what runs the tests may ignore Ctrl-C, and its children inherit that
        preexec_fn=lambda: signal.signal(signal.SIGINT, signal.SIG_DFL),
    )
    assert done.returncode == -signal.SIGINT
    assert done.stderr == b""


def test_the_installed_command_starts_there() -> None:
    """Not at the command line itself, whose import takes the second."""
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
    assert project["project"]["scripts"]["togyz"] == "firmware_bridge.__main__:main"


@pytest.mark.parametrize(
    ("words", "gone", "unbuffered", "code"),
    [
        (("--version",), "full", "1", 1),
        (("--help",), "full", "", 1),
        (("perft", "2"), "full", "", 1),
        (("perft", "2"), "closed", "", EXIT_READER_GONE),
        # printed by the library of the command line, which ends the program itself
        (("--version",), "closed", "1", 1),
    ],
)
def test_output_that_nobody_takes_ends_it_without_a_traceback(
    words: tuple[str, ...], gone: str, unbuffered: str, code: int
) -> None:
    """A full disk, or a reader that has left."""
    if gone == "full":
        output = os.open("/dev/full", os.O_WRONLY)
    else:
        reader, output = os.pipe()
        os.close(reader)
    try:
        done = subprocess.run(
            [sys.executable, "-m", "firmware_bridge", *words],
            env={**ENVIRONMENT, "PYTHONUNBUFFERED": unbuffered},
            stdout=output,
            stderr=subprocess.PIPE,
            text=True,
            timeout=60,
            check=False,
        )
    finally:
        os.close(output)
    assert done.returncode == code
    assert "Traceback" not in done.stderr
    assert "Exception ignored" not in done.stderr
    if gone == "full":
        assert done.stderr == "togyz: standard output cannot be written: No space left on device\n"
