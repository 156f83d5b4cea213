"""The results on disk: one JSON line for each finished task, so that a run can be taken up again."""

from __future__ import annotations

import json
from collections.abc import Iterable
from pathlib import Path
from typing import Any


class Results:
    """A file of results, appended to.

    Args:
        path: The file; its folder is made.

    Attributes:
        lines: What stands in it, by key.
    """

    def __init__(self, path: Path) -> None:
        path.parent.mkdir(parents=True, exist_ok=True)
        self._path = path
        self.lines: dict[str, dict[str, Any]] = {}
        if path.exists():
            self._load()

    def _load(self) -> None:
        """Read what is there; a last line torn by a crash is cut off, so that the next begins a line."""
        data = self._path.read_bytes()
        whole = data.rfind(b"\n") + 1
        if whole < len(data):
            with self._path.open("r+b") as file:
                file.truncate(whole)
        for text in data[:whole].splitlines():
            line = json.loads(text)
            self.lines[line["key"]] = line

    def add(self, line: dict[str, Any]) -> None:
        """Write a finished task down."""
        text = json.dumps(line, ensure_ascii=False, separators=(",", ":"))
        with self._path.open("a", encoding="utf-8") as file:
            file.write(text + "\n")
        self.lines[line["key"]] = line

    def of(self, keys: Iterable[str]) -> list[dict[str, Any]]:
        """Return the lines of these tasks, as far as they are done."""
        return [self.lines[key] for key in keys if key in self.lines]
