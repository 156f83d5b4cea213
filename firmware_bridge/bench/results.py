"""The results on disk: one JSON line for each finished task, so that a run can be taken up again."""

from __future__ import annotations

import errno
import json
import os
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any, Self

OTHERWISE = {"version": "measured by another version of the program", "games": "measured on other games"}


WRITTEN_OVER = {"summary.json": b'{\n "version": "', "sweep.png": b"\x89PNG\r\n\x1a\n"}
"""What is made of results, beside them and anew each time, and what each begins with."""


class ResultsError(Exception):
    """Raised when results cannot be read or written; says which file, what is wrong and what to do."""


class UnkeptError(ResultsError):
    """Raised when the disk refuses to keep results; its cause is what the system says.

    Args:
        path: The file.
        error: What the system says.
    """

    def __init__(self, path: Path, error: OSError) -> None:
        why = error.strerror or error
        super().__init__(f"{path}: results cannot be kept there ({why}); choose another folder for --out")
        self.path = path


class Results:
    """A file of results, appended to.

    Attributes:
        lines: What stands in it, by key.
    """

    def __init__(self, path: Path, lines: dict[str, dict[str, Any]]) -> None:
        """Go on behind `lines`, which are all that the file holds; see `open`."""
        self._path = path
        self.lines = lines

    @classmethod
    def open(cls, path: Path, about: Mapping[str, str] | None = None) -> Self:
        """Open a file of results, or make one, and its folder.

        Args:
            path: The file.
            about: What every line must say of how it was measured, under the keys of `OTHERWISE`: results of
                another program or of other games are not these.

        Raises:
            UnkeptError: The file cannot be read or written.
            ResultsError: It is none of results, or was measured otherwise.
                Nothing of it has been changed then.
        """
        try:
            path.parent.mkdir(parents=True, exist_ok=True)
            lines = _lines(path, about or {}) if path.exists() else {}
            if not lines:
                _refuse_others(path.parent)
            path.touch()
        except FileExistsError:  # that something is there is well, that it is no folder is not
            error = NotADirectoryError(errno.ENOTDIR, os.strerror(errno.ENOTDIR))
            raise UnkeptError(path, error) from error
        except OSError as error:
            raise UnkeptError(path, error) from error
        return cls(path, lines)

    def add(self, line: dict[str, Any]) -> None:
        """Write a finished task down.

        Raises:
            UnkeptError: The disk refuses.
        """
        text = json.dumps(line, ensure_ascii=False, separators=(",", ":"))
        try:
            with self._path.open("a", encoding="utf-8") as file:
                file.write(text + "\n")
        except OSError as error:
            raise UnkeptError(self._path, error) from error
        self.lines[line["key"]] = line

    def of(self, keys: Iterable[str]) -> list[dict[str, Any]]:
        """Return the lines of these tasks, as far as they are done."""
        return [self.lines[key] for key in keys if key in self.lines]


def _lines(path: Path, about: Mapping[str, str]) -> dict[str, dict[str, Any]]:
    """Return what is there by key; a last line torn by a crash is cut off, so that the next begins a line.

    A power cut may leave zeros where the line was to be written.

    Raises:
        ResultsError: Something there is no result, or was measured otherwise.
        OSError: The file cannot be read or written.
    """
    data = path.read_bytes()
    whole = data.rfind(b"\n") + 1
    lines = {}
    for number, text in enumerate(data[:whole].splitlines(), 1):
        line = _line(text, f"{path}:{number}", about)
        lines[line["key"]] = line
    torn = data[whole:]
    written = torn.rstrip(b"\0") if lines else torn
    if torn and not written.startswith(b'{"key":'[: len(written)]):
        raise ResultsError(f"{path}: its last line is no result; choose another folder for --out")
    if torn:
        with path.open("r+b") as file:
            file.truncate(whole)
    return lines


def _line(text: bytes, where: str, about: Mapping[str, str]) -> dict[str, Any]:
    """Return one line of results; `where` it stands is named if it is none."""
    try:
        line = json.loads(text)
    except (ValueError, RecursionError):
        line = None
    if not isinstance(line, dict) or not isinstance(line.get("key"), str) or "task" not in line:
        raise ResultsError(f"{where}: no result of this program; choose another folder for --out")
    for name, due in about.items():
        if line.get(name, "") != due:
            raise ResultsError(
                f"{where}: {OTHERWISE[name]} ({line.get(name, '')!r}, now {due!r}); "
                "choose another folder for --out, or remove these results"
            )
    return line


def _refuse_others(folder: Path) -> None:
    """Let nothing be written over in a folder without results, but what belonged to removed ones.

    Raises:
        ResultsError: There is something called as what comes of results, and it is none.
        OSError: It cannot be read.
    """
    for name, begins in WRITTEN_OVER.items():
        path = folder / name
        if os.path.lexists(path) and not (path.is_file() and path.read_bytes().startswith(begins)):
            raise ResultsError(f"{path}: this is not of this program; choose another folder for --out")
