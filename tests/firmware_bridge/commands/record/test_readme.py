"""What the README shows of game records is what the commands print.

`python -m tests.firmware_bridge.commands.record.test_readme` writes it anew.
"""

from __future__ import annotations

import os
import re
import shlex
import tempfile
from pathlib import Path

import pytest

from tests.firmware_bridge.commands.record.games import GAME_2009, PRINTED_2009, ROOT, run

README = ROOT / "README.md"
_BLOCK = re.compile(r"```console\n\$ (togyz record [^\n]+)\n(.*?)```", re.DOTALL)


def printed(line: str) -> str:
    """Return what a line of commands prints, each reading what the one before it printed."""
    text = output = ""
    for command in line.split(" | "):
        told = run(*shlex.split(command)[2:], text=text)
        text, output = told.stdout, output + told.stderr
    return output + text


def laid_out(folder: Path) -> None:
    """Put the files there that the README speaks of."""
    (folder / "game.txt").write_text(GAME_2009, encoding="utf-8")
    (folder / "sheet.txt").write_text(PRINTED_2009, encoding="utf-8")
    games = folder / "games" / "2009"
    games.mkdir(parents=True)
    (games / "final.txt").write_text(GAME_2009, encoding="utf-8")
    (games / "typed.txt").write_text(GAME_2009.replace("4. 24x", "4. 25x"), encoding="utf-8")


def test_the_readme_shows_what_is_printed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Every block of it."""
    laid_out(tmp_path)
    monkeypatch.chdir(tmp_path)
    blocks = _BLOCK.findall(README.read_text(encoding="utf-8"))
    assert len(blocks) >= 4
    for line, shown in blocks:
        assert printed(line) == shown, line


def main() -> None:
    """Write the README anew."""
    text = README.read_text(encoding="utf-8")
    with tempfile.TemporaryDirectory() as folder:
        laid_out(Path(folder))
        os.chdir(folder)
        text = _BLOCK.sub(lambda block: f"```console\n$ {block[1]}\n{printed(block[1])}```", text)
    README.write_text(text, encoding="utf-8")


if __name__ == "__main__":
    main()
