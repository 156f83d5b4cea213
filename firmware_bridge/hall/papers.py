"""What is shipped for whoever writes a client, read once: documents, pages and examples."""

import hashlib
from collections.abc import Mapping
from importlib.resources import files
from importlib.resources.abc import Traversable
from typing import Final

from firmware_bridge.hall.pages import Asset

_TYPES: Final = {
    ".json": "application/json",
    ".md": "text/markdown; charset=utf-8",
    ".py": "text/x-python; charset=utf-8",
    ".mjs": "text/javascript; charset=utf-8",
}
"""What is served, by ending."""


def load_papers() -> Mapping[str, Asset]:
    """Read everything that is shipped for whoever writes a client; by file name, sorted."""
    home = files("firmware_bridge") / "contract"
    entries = [*(home / "documents").iterdir(), *home.iterdir(), *(home / "examples").iterdir()]
    entries.append(files("rules") / "record" / "RECORD.md")  # a record as text is part of what is promised
    shown = {entry.name: entry for entry in entries if _shown(entry, home)}
    return {name: _asset(entry) for name, entry in sorted(shown.items())}


def _shown(entry: Traversable, home: Traversable) -> bool:
    own_code = entry.name.endswith(".py") and (home / entry.name).is_file()
    return entry.is_file() and _ending(entry) in _TYPES and not own_code


def _ending(entry: Traversable) -> str:
    return entry.name[entry.name.rfind(".") :]


def _asset(entry: Traversable) -> Asset:
    body = entry.read_bytes()
    return Asset(body, _TYPES[_ending(entry)], f'"{hashlib.sha256(body).hexdigest()[:24]}"')
