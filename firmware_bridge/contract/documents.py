"""What is shipped for strangers: the documents made by `generate`, the page, the examples.

Everything is read from the package, so that an installed program has it too.
"""

from __future__ import annotations

from importlib.resources import files
from importlib.resources.abc import Traversable
from pathlib import Path
from typing import Final

_HOME: Final = files("firmware_bridge") / "contract"
_ENDINGS: Final = (".json", ".md", ".py", ".mjs")


def shipped() -> dict[str, str]:
    """Return the texts of documents, page and examples by file name, sorted."""
    entries = [*(_HOME / "documents").iterdir(), _HOME / "CONTRACT.md", *(_HOME / "examples").iterdir()]
    return {entry.name: entry.read_text("utf-8") for entry in sorted(entries, key=_name) if _wanted(entry)}


def write_shipped(folder: Path) -> list[Path]:
    """Write all that is shipped into a folder, which is made if need be; return the files, sorted.

    Raises:
        OSError: The folder cannot be made or written.
    """
    folder.mkdir(parents=True, exist_ok=True)
    written = []
    for name, text in shipped().items():
        path = folder / name
        path.write_text(text, encoding="utf-8")
        written.append(path)
    return written


def _name(entry: Traversable) -> str:
    return entry.name


def _wanted(entry: Traversable) -> bool:
    return entry.is_file() and entry.name.endswith(_ENDINGS)
