"""The results on disk: one JSON line for each finished task, so that a run can be taken up again."""

from __future__ import annotations

import json
import os
from collections.abc import Iterable
from pathlib import Path
from typing import Any

OTHERWISE = {"version": "measured by another version of the program", "games": "measured on other games"}

WRITTEN_OVER = {"summary.json": b'{\n "version": "', "sweep.png": b"\x89PNG\r\n\x1a\n"}
"""What is made of results, beside them and anew each time, and what each begins with."""


class ResultsError(Exception):
    """Raised when results cannot be read or written; says which file, what is wrong and what to do."""


class Results:
    """A file of results, appended to.

    Args:
        path: The file; its folder is made.
        about: What every line must say of how it was measured, under the keys of `OTHERWISE`: results of
            another program or of other games are not these.

    Attributes:
        lines: What stands in it, by key.

    Raises:
        ResultsError: The file cannot be read or written, is none of results, or was measured otherwise.
            Nothing of it has been changed then.
    """

    def __init__(self, path: Path, about: dict[str, str] | None = None) -> None:
        self._path = path
        self._about = about or {}
        self.lines: dict[str, dict[str, Any]] = {}
        try:
            path.parent.mkdir(parents=True, exist_ok=True)
            if path.exists():
                self._load()
            if not self.lines:
                _refuse_others(path.parent)
            path.touch()
        except OSError as error:
            raise _unusable(path, error) from error

    def _load(self) -> None:
        """Read what is there; a last line torn by a crash is cut off, so that the next begins a line.

        A power cut may leave zeros where the line was to be written.
        """
        data = self._path.read_bytes()
        whole = data.rfind(b"\n") + 1
        for number, text in enumerate(data[:whole].splitlines(), 1):
            line = self._line(text, number)
            self.lines[line["key"]] = line
        torn = data[whole:]
        written = torn.rstrip(b"\0") if self.lines else torn
        if torn and not written.startswith(b'{"key":'[: len(written)]):
            raise ResultsError(f"{self._path}: its last line is no result; choose another folder for --out")
        if torn:
            with self._path.open("r+b") as file:
                file.truncate(whole)

    def _line(self, text: bytes, number: int) -> dict[str, Any]:
        try:
            line = json.loads(text)
        except (ValueError, RecursionError):
            line = None
        if not isinstance(line, dict) or not isinstance(line.get("key"), str) or "task" not in line:
            raise ResultsError(
                f"{self._path}:{number}: no result of this program; choose another folder for --out"
            )
        for name, due in self._about.items():
            if line.get(name, "") != due:
                raise ResultsError(
                    f"{self._path}:{number}: {OTHERWISE[name]} ({line.get(name, '')!r}, now {due!r}); "
                    "choose another folder for --out, or remove these results"
                )
        return line

    def add(self, line: dict[str, Any]) -> None:
        """Write a finished task down.

        Raises:
            ResultsError: The disk refuses.
        """
        text = json.dumps(line, ensure_ascii=False, separators=(",", ":"))
        try:
            with self._path.open("a", encoding="utf-8") as file:
                file.write(text + "\n")
        except OSError as error:
            raise _unusable(self._path, error) from error
        self.lines[line["key"]] = line

    def of(self, keys: Iterable[str]) -> list[dict[str, Any]]:
        """Return the lines of these tasks, as far as they are done."""
        return [self.lines[key] for key in keys if key in self.lines]


def _refuse_others(folder: Path) -> None:
    """Let nothing be written over in a folder without results, but what belonged to removed ones.

    Raises:
        ResultsError: There is something called as what comes of results, and it is none.
    """
    for name, begins in WRITTEN_OVER.items():
        path = folder / name
        if os.path.lexists(path) and not (path.is_file() and path.read_bytes().startswith(begins)):
            raise ResultsError(f"{path}: this is not of this program; choose another folder for --out")


def _unusable(path: Path, error: OSError) -> ResultsError:
    return ResultsError(
        f"{path}: results cannot be kept there ({error.strerror or error}); choose another folder for --out"
    )
