"""`make check`: every check of the house, one line each, and a verdict.

A failing check does not stop the ones after it; what it found is printed under its line.
A check whose tool this machine lacks is skipped by name.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import textwrap
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from pathlib import Path

from tests.house import committed, pins, pure_files

ROOT = committed.ROOT


@dataclass(frozen=True, slots=True)
class Finding:
    """What a check came to.

    Attributes:
        ok: True if all is well, False if not, None if the check could not be made.
        text: What was found, or why it was not made; may be empty.
    """

    ok: bool | None
    text: str = ""


def tool(*command: str) -> Finding:
    """Run a program at the root of the house; its exit code is the finding."""
    done = subprocess.run(
        command,
        cwd=ROOT,
        check=False,
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        encoding="utf-8",
        env={**os.environ, "NO_COLOR": "1", "TERM": "dumb"},
    )
    return Finding(ok=done.returncode == 0, text=done.stdout if done.returncode else "")


def module(*command: str) -> Finding:
    """Run a module with the interpreter that runs this check."""
    return tool(sys.executable, "-m", *command)


def complaints(lines: Iterable[str], warnings: Iterable[str] = ()) -> Finding:
    """Turn lines of complaint into a finding: none is good. Warnings are told but spoil nothing."""
    found = list(lines)
    return Finding(ok=not found, text="\n".join([*found, *(f"(warning) {line}" for line in warnings)]))


def import_contract() -> Finding:
    """Hold the rooms to .importlinter."""
    # The program stands beside the interpreter; import-linter has no `python -m` door.
    return tool(str(Path(sys.executable).with_name("lint-imports")))


def shellcheck() -> Finding:
    """Look through the shell scripts."""
    beside = Path(sys.executable).with_name("shellcheck")
    program = str(beside) if beside.exists() else shutil.which("shellcheck")
    if program is None:
        return Finding(ok=None, text="no shellcheck on this machine (apt-get install shellcheck)")
    return tool(program, *map(str, committed.shell_scripts(committed.committed_files())))


def pure() -> Finding:
    """Look through the pure files."""
    return complaints(map(str, pure_files.check_pure_files(ROOT)))


def text() -> Finding:
    """Look for what must not be committed."""
    return complaints(committed.text_complaints(committed.committed_files()))


def sizes() -> Finding:
    """Measure files and functions."""
    files = committed.committed_files()
    return complaints(committed.size_complaints(files), committed.size_warnings(files))


def top_level() -> Finding:
    """Look at the names at the top."""
    return complaints(committed.top_level_complaints(committed.committed_files()))


def pinned() -> Finding:
    """Hold the pins to pyproject.toml."""
    return complaints(pins.complaints(ROOT))


CHECKS: tuple[tuple[str, Callable[[], Finding]], ...] = (
    ("ruff check", lambda: module("ruff", "check", "--output-format=concise")),
    ("ruff format", lambda: module("ruff", "format", "--check")),
    ("mypy --strict", lambda: module("mypy", "--strict")),
    ("who may import whom", import_contract),
    ("pure files", pure),
    ("pins", pinned),
    ("paths and hosts in text", text),
    ("sizes", sizes),
    ("top-level names", top_level),
    ("shellcheck", shellcheck),
)


def main() -> int:
    """Make all checks, print a line for each and the verdict; return the exit code."""
    tally = {True: 0, False: 0, None: 0}
    words = {True: "ok", False: "FAIL", None: "skip"}
    for name, check in CHECKS:
        finding = check()
        tally[finding.ok] += 1
        reason = f": {finding.text}" if finding.ok is None else ""
        sys.stdout.write(f"{words[finding.ok]:<5}{name}{reason}\n")
        if finding.ok is not None and finding.text.strip():
            sys.stdout.write(textwrap.indent(finding.text.strip("\n"), "     ") + "\n")
        sys.stdout.flush()
    skipped = f", {tally[None]} skipped" if tally[None] else ""
    sys.stdout.write(f"check: {tally[True]} passed, {tally[False]} failed{skipped}\n")
    return 1 if tally[False] else 0


if __name__ == "__main__":
    sys.exit(main())
