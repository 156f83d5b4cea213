"""The file in which a calibration under way survives a power cut."""

from __future__ import annotations

import logging
from pathlib import Path
from typing import Final

from firmware_bridge.calibrating.progress import Progress, ProgressError, format_progress, parse_progress
from sensors.calibration_file import replace_file

log = logging.getLogger(__name__)

NAME: Final = "calibrating.json"
MOST_BYTES: Final = 1 << 20


class Kept:
    """The progress of one board on disk.

    Args:
        folder: the board's state folder; it is made when something is to be kept.
    """

    def __init__(self, folder: Path) -> None:
        self.path = folder / NAME

    def read(self) -> Progress | None:
        """Return what was kept; None: nothing, or nothing that can be used, which is logged."""
        try:
            with self.path.open("rb") as file:
                return parse_progress(file.read(MOST_BYTES).decode())
        except FileNotFoundError:
            return None
        except (OSError, UnicodeDecodeError, ProgressError) as error:
            log.warning("%s: calibrating begins anew, what was kept cannot be used: %s", self.path, error)
            return None

    def write(self, progress: Progress) -> None:
        """Keep it.

        Raises:
            OSError: it cannot be written.
        """
        self.path.parent.mkdir(parents=True, exist_ok=True)
        replace_file(self.path, format_progress(progress))

    def forget(self) -> None:
        """Take it away; nothing if there is none.

        Raises:
            OSError: it cannot be taken away.
        """
        self.path.unlink(missing_ok=True)
