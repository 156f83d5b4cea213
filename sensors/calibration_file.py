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


def previous_of(path: Path) -> Path:
    """Return where the calibration before the one in `path` is kept: `calibration.json.1`."""
    return path.with_name(f"{path.name}.1")


def save_calibration(path: Path, calibration: Calibration) -> None:
    """Write the calibration; at any moment, even of a power cut, the file is the old one or the new one.

    What the value holds is checked first by reading its text back. A symlink stays one. A file that was there
    and holds another text is kept as `previous_of(path)`, whose own content is then gone; nothing ever reads
    that by itself.

    Raises:
        CalibrationError: if the value would be refused when loaded.
        OSError: if it cannot be written; the old file is then untouched.
    """
    text = format_calibration(calibration)
    parse_calibration(text, str(path))
    try:
        before = path.read_text(encoding="utf-8")
    except (FileNotFoundError, UnicodeDecodeError):
        before = text
    if before != text:
        replace_file(previous_of(path), before)
    replace_file(path, text)


def restore_previous(path: Path) -> Calibration:
    """Put the calibration before back in its place, and keep the present one in its stead; return it.

    A present file that is no text, as a damaged card leaves it, is dropped.

    Raises:
        CalibrationError: if there is none before, or it cannot be used; nothing has changed then.
        OSError: if it cannot be written.
    """
    previous = load_calibration(previous_of(path))
    try:
        present = path.read_text(encoding="utf-8")
    except (FileNotFoundError, UnicodeDecodeError):
        present = None
    replace_file(path, format_calibration(previous))  # first: this is the one that is wanted
    if present is not None:
        replace_file(previous_of(path), present)
    return previous


def replace_file(path: Path, text: str) -> None:
    """Replace a file whole, on disk when this returns: write beside it, then rename. A symlink stays one.

    Raises:
        OSError: if it cannot be written; the old file is then untouched.
    """
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
