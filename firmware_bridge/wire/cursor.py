"""The outbox's cursor on disk: one small file beside the journal.

Losing it costs nothing but repetition, so whatever cannot be read counts as "from the start".
"""

import json
import os
from pathlib import Path

from firmware_bridge.wire.regular import read_regular


def load_cursor(path: Path, event: str, board: str) -> int:
    """Read up to which journal number the broker has everything.

    Returns:
        The number; 0 when the file is missing, damaged, or of another event or board.
    """
    try:
        stored = json.loads(read_regular(path))
        if stored["event"] != event or stored["board"] != board:
            return 0
        confirmed = stored["confirmed"]
    except (OSError, ValueError, TypeError, KeyError, RecursionError):
        return 0
    return confirmed if type(confirmed) is int and confirmed > 0 else 0


def save_cursor(path: Path, event: str, board: str, confirmed: int) -> None:
    """Write the number durably; after a power cut the old or the new one stands there.

    Waits for the disk: call it in a thread.

    Raises:
        OSError: The disk is full, gone or read-only.
    """
    draft = path.with_name(path.name + ".new")
    with draft.open("w", encoding="ascii") as file:
        json.dump({"event": event, "board": board, "confirmed": confirmed}, file)
        file.flush()
        os.fsync(file.fileno())
    draft.replace(path)
    directory = os.open(path.parent, os.O_RDONLY | os.O_DIRECTORY)
    try:
        os.fsync(directory)
    finally:
        os.close(directory)
