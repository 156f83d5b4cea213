"""Programs that run for days load what they need; what they say is what all of `togyz` says."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest
from typer.testing import CliRunner

from firmware_bridge.cli import app
from firmware_bridge.programs import GROUPS, PROGRAMS, program_app

SCREEN = {"COLUMNS": "100", "TERM": "dumb"}


@pytest.mark.parametrize("name", [*PROGRAMS, *GROUPS])
@pytest.mark.parametrize("words", [("--help",), (), ("--no-such-option",)])
def test_a_program_alone_says_what_it_says_among_the_others(name: str, words: tuple[str, ...]) -> None:
    """Its help, what it lacks, what it does not know."""
    alone = program_app([name, *words])
    assert alone is not None
    told = [CliRunner().invoke(each, [name, *words], env=SCREEN) for each in (alone, app)]
    assert told[0].output == told[1].output != ""
    assert told[0].exit_code == told[1].exit_code


@pytest.mark.parametrize("words", [(), ("--help",), ("--language", "ru", "board"), ("perft", "3"), ("bord",)])
def test_whatever_else_is_typed_is_for_all_of_togyz(words: tuple[str, ...]) -> None:
    """It knows what to say of a slip, and all that there is."""
    assert program_app(words) is None


def test_a_program_does_not_load_the_others(tmp_path: Path) -> None:
    """Nor does what ends at once."""
    script = (
        "import sys; sys.argv[1:] = ['table', sys.argv[1]]\n"
        "from firmware_bridge.__main__ import main\n"
        "try:\n    main()\nfinally:\n    print(*sorted(sys.modules))"
    )
    done = subprocess.run(
        [sys.executable, "-c", script, str(tmp_path / "none.toml")],
        capture_output=True,
        text=True,
        check=False,
    )
    loaded = done.stdout.split()
    assert (done.returncode, "firmware_bridge.commands.table" in loaded) == (2, True)
    assert {
        name for name in loaded if name.startswith(("firmware_bridge.bench", "firmware_bridge.hall"))
    } == set()
    assert "firmware_bridge.cli" not in loaded
