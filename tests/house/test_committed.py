"""What holds for every committed file: the checks find what they are for."""

from __future__ import annotations

import ast
import subprocess
from pathlib import Path

import pytest

from tests.house.committed import (
    FILE_LINES_AIM,
    FILE_LINES_MAX,
    FUNCTION_LINES_MAX,
    ROOT,
    committed_files,
    function_lines,
    shell_scripts,
    size_complaints,
    size_warnings,
    text_complaints,
    top_level_complaints,
)

# Written in pieces, or this file would be its own first find.
WORK = "/" + "work"
HOME = "/" + "home/"
INDEX = "py" + "pi.org"


def write(folder: Path, name: str, text: str) -> Path:
    """Put a file into the folder and return its path."""
    path = folder / name
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text, encoding="utf-8")
    return path


@pytest.mark.parametrize("text", [f"cd {WORK}/x", f'"{WORK}"', f"see {HOME}pi/x", f"https://{INDEX}/simple"])
def test_a_path_or_host_of_one_machine_is_found(text: str, tmp_path: Path) -> None:
    """The complaint names file, line and what was found."""
    found = list(text_complaints([write(tmp_path, "a.md", f"first\n{text}\n")], tmp_path))
    assert len(found) == 1
    assert found[0].startswith("a.md:2: '")


@pytest.mark.parametrize(
    "text", [f"net{WORK}ers", f"a{WORK}/b", f"{WORK}shop", f"https://x.example{HOME}", f"~{HOME}"]
)
def test_what_only_looks_like_such_a_path_passes(text: str, tmp_path: Path) -> None:
    """Parts of longer words, relative paths and addresses are left alone."""
    assert list(text_complaints([write(tmp_path, "a.md", text)], tmp_path)) == []


def test_a_file_that_is_no_text_is_left_alone(tmp_path: Path) -> None:
    """Pictures and recordings are not searched for words."""
    path = tmp_path / "a.png"
    path.write_bytes(b"\x89PNG\xff" + WORK.encode())
    assert list(text_complaints([path], tmp_path)) == []


def test_a_long_file_is_warned_of_and_then_refused(tmp_path: Path) -> None:
    """Up to the aim nothing is said, above it a warning, above the limit a complaint."""
    fine, long, too_long = (
        write(tmp_path, f"{count}.py", "x = 1\n" * count)
        for count in (FILE_LINES_AIM, FILE_LINES_MAX, FILE_LINES_MAX + 1)
    )
    assert list(size_warnings([fine, long, too_long], tmp_path)) == ["450.py:1: 450 lines, the aim is 400"]
    assert list(size_complaints([fine, long, too_long], tmp_path)) == [
        "451.py:1: 451 lines, at most 450: split it by subject"
    ]


def test_a_long_function_is_refused(tmp_path: Path) -> None:
    """The docstring does not count, everything else does, nested functions too."""
    body = "        x = 1\n" * FUNCTION_LINES_MAX
    path = write(
        tmp_path, "a.py", f'class A:\n    async def f(self):\n        """One.\n\n        """\n{body}'
    )
    assert list(size_complaints([path], tmp_path)) == [
        "a.py:2: f has 61 lines besides its docstring, at most 60: name its steps"
    ]


def test_a_docstring_does_not_count() -> None:
    """A function is as long as its signature and its statements."""
    function = ast.parse('def f(\n    a,\n):\n    """One.\n\n    Two.\n    """\n    return a\n').body[0]
    assert isinstance(function, ast.FunctionDef)
    assert function_lines(function) == 4


def test_the_top_of_the_house_takes_no_new_drawers(tmp_path: Path) -> None:
    """Known names and dot files pass, a new name is refused."""
    files = [tmp_path / "rules" / "clock.py", tmp_path / ".gitignore", tmp_path / "notes.txt"]
    assert list(top_level_complaints(files, tmp_path)) == [
        "notes.txt: not a drawer of the house (tests/house/committed.py lists them)"
    ]


def test_shell_scripts_are_known_by_ending_or_first_line(tmp_path: Path) -> None:
    """A script without an ending is seen too, a Python program is not taken for one."""
    first = write(tmp_path, "a.sh", "true\n")
    second = write(tmp_path, "run", "#!/usr/bin/env bash\ntrue\n")
    third = write(tmp_path, "tool", "#!/usr/bin/env python3\n")
    assert shell_scripts([first, second, third]) == [first, second]


def test_files_to_be_committed_are_seen_and_ignored_ones_are_not(tmp_path: Path) -> None:
    """Both `git add`ed and merely new files count; what .gitignore names does not, nor what was deleted."""
    subprocess.run(["git", "-C", str(tmp_path), "init", "--quiet"], check=True)
    for name in (".gitignore", "added", "new", "ignored", "deleted"):
        write(tmp_path, name, "ignored\n")
    subprocess.run(["git", "-C", str(tmp_path), "add", "added", "deleted"], check=True)
    (tmp_path / "deleted").unlink()
    assert [path.name for path in committed_files(tmp_path)] == [".gitignore", "added", "new"]


@pytest.mark.parametrize("name", [".venv", "venv", "env"])
def test_a_virtual_environment_in_the_clone_is_none_of_our_files(name: str, tmp_path: Path) -> None:
    """Whatever it holds, the checks do not look at it."""
    subprocess.run(["git", "init", "-q", str(tmp_path)], check=True)
    write(tmp_path, ".gitignore", (ROOT / ".gitignore").read_text(encoding="utf-8"))
    write(tmp_path, f"{name}/lib/theirs.py", f"cd {WORK}/x")
    assert committed_files(tmp_path) == [tmp_path / ".gitignore"]
