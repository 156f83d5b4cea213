"""What is shipped for strangers, as texts and as a folder: the same that the hall serves."""

from __future__ import annotations

from pathlib import Path

from firmware_bridge.hall.papers import load_papers


def shipped() -> dict[str, str]:
    """Return the texts of documents, pages and examples by file name, sorted."""
    return {name: paper.body.decode() for name, paper in load_papers().items()}


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
