"""What holds for every committed file: its text, its size, and its place at the top of the house.

Like pure_files.py this reads source text only; `make check` runs it, and so do tests.
"""

from __future__ import annotations

import ast
import os
import re
import subprocess
from collections.abc import Iterable, Iterator
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]

# The drawers of the house; besides them only files whose name begins with a dot.
TOP_LEVEL = frozenset(
    {
        "rules",
        "sensors",
        "firmware_bridge",
        "tests",
        "deploy",
        "systemd",
        "README.md",
        "CHANGELOG.md",
        "CONTRIBUTING.md",
        "LICENSE",
        "MANIFEST.in",
        "Makefile",
        "pyproject.toml",
    }
)

FILE_LINES_AIM = 400
FILE_LINES_MAX = 450
FUNCTION_LINES_MAX = 60
SIZED_SUFFIXES = frozenset({".py", ".sh", ".js", ".css", ".html"})

# What only one machine has, and where packages come from is each machine's own affair.
FORBIDDEN_TEXT: tuple[tuple[re.Pattern[str], str], ...] = (
    (
        re.compile(r"(?<![\w.})~-])/(?:work(?![\w-])|home/)"),
        "a path of one machine: take it from a setting, or from the place of the file",
    ),
    (
        re.compile(
            # In pieces, so that this file does not name what it forbids to name.
            r"\b(?:(?:p(?:ypi|ythonhosted|iwheels)|npmjs)\.(?:com|org)|deb\.(?:debian)\.org"
            r"|archive\.(?:raspberrypi)\.\w+|crates\.(?:io)|conda\.(?:anaconda)\.org)\b"
        ),
        "a package host by name: each machine has its own settings for that",
    ),
)


def committed_files(root: Path = ROOT) -> list[Path]:
    """Return the files that are committed or would be with the next `git add`, sorted.

    Raises:
        subprocess.CalledProcessError: If root is no git work tree.
        FileNotFoundError: If git is not installed.
    """
    # A checkout of another user is still this checkout; a hook's GIT_DIR is another one.
    surroundings = {name: value for name, value in os.environ.items() if not name.startswith("GIT_")}
    listed = subprocess.run(
        [
            *("git", "-c", "safe.directory=*", "-C", str(root)),
            *("ls-files", "-z", "--cached", "--others", "--exclude-standard"),
        ],
        check=True,
        capture_output=True,
        env=surroundings,
    ).stdout.decode()
    return sorted(path for name in listed.split("\0") if name and (path := root / name).is_file())


def read_text(path: Path) -> str | None:
    """Return a file's text, or None if it is not UTF-8 text."""
    try:
        text = path.read_text(encoding="utf-8")
    except UnicodeDecodeError:
        return None
    return None if "\0" in text else text


def text_complaints(files: Iterable[Path], root: Path = ROOT) -> Iterator[str]:
    """Yield `file:line: ...` for each line that holds what must not be committed."""
    for path in files:
        for number, line in enumerate((read_text(path) or "").splitlines(), start=1):
            for pattern, why in FORBIDDEN_TEXT:
                match = pattern.search(line)
                if match:
                    yield f"{path.relative_to(root)}:{number}: {match.group()!r} is {why}"


def size_complaints(files: Iterable[Path], root: Path = ROOT) -> Iterator[str]:
    """Yield `file:line: ...` for each file and function that is too long to be read in one go.

    A file may have FILE_LINES_MAX lines, a function FUNCTION_LINES_MAX besides its docstring.
    """
    for path, text in _sized(files):
        lines = text.count("\n")
        if lines > FILE_LINES_MAX:
            yield f"{path.relative_to(root)}:1: {lines} lines, at most {FILE_LINES_MAX}: split it by subject"
        if path.suffix == ".py":
            for function in _functions(text):
                length = function_lines(function)
                if length > FUNCTION_LINES_MAX:
                    yield (
                        f"{path.relative_to(root)}:{function.lineno}: {function.name} has {length} lines "
                        f"besides its docstring, at most {FUNCTION_LINES_MAX}: name its steps"
                    )


def size_warnings(files: Iterable[Path], root: Path = ROOT) -> Iterator[str]:
    """Yield a line for each file that is longer than the aim but not yet too long."""
    for path, text in _sized(files):
        lines = text.count("\n")
        if FILE_LINES_AIM < lines <= FILE_LINES_MAX:
            yield f"{path.relative_to(root)}:1: {lines} lines, the aim is {FILE_LINES_AIM}"


def function_lines(function: ast.FunctionDef | ast.AsyncFunctionDef) -> int:
    """Return a function's length in lines, from `def` to its last line, without its docstring."""
    end = function.end_lineno or function.lineno
    docstring = 0
    if ast.get_docstring(function, clean=False) is not None:
        first = function.body[0]
        docstring = (first.end_lineno or first.lineno) - first.lineno + 1
    return end - function.lineno + 1 - docstring


def top_level_complaints(files: Iterable[Path], root: Path = ROOT) -> Iterator[str]:
    """Yield a line for each name at the top of the house that has no place there."""
    names = {path.relative_to(root).parts[0] for path in files}
    for name in sorted(names):
        if name not in TOP_LEVEL and not name.startswith("."):
            yield f"{name}: not a drawer of the house (tests/house/committed.py lists them)"


def shell_scripts(files: Iterable[Path]) -> list[Path]:
    """Return the files that a shell runs: by their ending or their first line."""
    return [
        path
        for path in files
        if path.suffix == ".sh"
        or re.match(r"#!.*\b(?:ba|da)?sh\b", (read_text(path) or "").partition("\n")[0])
    ]


def _sized(files: Iterable[Path]) -> Iterator[tuple[Path, str]]:
    for path in files:
        text = read_text(path) if path.suffix in SIZED_SUFFIXES else None
        if text is not None:
            yield path, text


def _functions(text: str) -> Iterator[ast.FunctionDef | ast.AsyncFunctionDef]:
    for node in ast.walk(ast.parse(text)):
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
            yield node
