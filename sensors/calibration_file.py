"""Calibration files on disk: read whole, replaced whole."""

import os
from pathlib import Path

from sensors.calibration import Calibration, CalibrationError, format_calibration, parse_calibration

MAX_BYTES = 1 << 20
"""More than a hundred times what 52 channels need; beyond it the file is something else."""


def load_calibration(path: Path) -> Calibration:
    """Return the calibration in the file.

    Raises:
        CalibrationError: if the file cannot be read or used; the message names file, key and value.
    """
    if path.is_fifo():
        # Opening a pipe would wait for a writer that never comes.
        raise CalibrationError(f"calibration {path}: is a pipe; name a file")
    try:
        with path.open("rb") as file:
            content = file.read(MAX_BYTES + 1)
        if len(content) > MAX_BYTES:
            raise CalibrationError(f"calibration {path}: more than {MAX_BYTES} bytes, not a calibration")
        text = content.decode()
    except OSError as error:
        raise CalibrationError(f"calibration {path}: cannot be read: {error.strerror}") from error
    except UnicodeDecodeError as error:
        raise CalibrationError(f"calibration {path}: not UTF-8: {error}") from error
    return parse_calibration(text, str(path))


def save_calibration(path: Path, calibration: Calibration) -> None:
    """Write the calibration; at any moment, even of a power cut, the file is the old one or the new one.

    What the value holds is checked first by reading its text back. A symlink stays one.

    Raises:
        CalibrationError: if the value would be refused when loaded.
        OSError: if it cannot be written; the old file is then untouched.
    """
    text = format_calibration(calibration)
    parse_calibration(text, str(path))
    target = path.resolve()
    temporary = target.with_name(f".{target.name}.{os.getpid()}.tmp")
    try:
        with temporary.open("w", encoding="utf-8") as file:
            file.write(text)
            file.flush()
            os.fsync(file.fileno())
        temporary.replace(target)
    finally:
        temporary.unlink(missing_ok=True)
    directory = os.open(target.parent, os.O_RDONLY | os.O_DIRECTORY)
    try:
        os.fsync(directory)  # so that the new name itself survives a power cut
    finally:
        os.close(directory)
