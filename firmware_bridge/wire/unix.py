"""How a Unix socket is named so that the kernel takes it, however long its path is."""

from __future__ import annotations

import contextlib
import os
from collections.abc import Iterator
from pathlib import Path

MAX_PATH = 107
"""Longest path a Unix socket may have on Linux (sun_path, less its closing zero)."""


@contextlib.contextmanager
def reachable(path: Path) -> Iterator[str]:
    """Give a name for the socket at `path` that may be bound or connected to while this lasts.

    A socket's own path may have 107 bytes; through the open folder the name is always short (proc(5)).

    Raises:
        OSError: The path is too long, and its folder cannot be opened.
    """
    if len(os.fsencode(path)) <= MAX_PATH:
        yield str(path)
        return
    folder = os.open(path.parent, os.O_PATH | os.O_DIRECTORY)
    try:
        yield f"/proc/self/fd/{folder}/{path.name}"
    finally:
        os.close(folder)
