"""Where results go: standard output, one file, or a folder with a file for each game.

A file is written beside its place under a hidden name and put there whole, so that nobody ever finds half of
one, whatever stops us. What stands there already is replaced only when the user says so.
"""

from __future__ import annotations

import contextlib
import os
import re
import secrets
import stat
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Self, TextIO

from firmware_bridge.commands.common import reason_said, say


class OutputError(OSError):
    """Raised when a result cannot be written; the text names the file and says why."""


@contextmanager
def whole_file(path: Path, *, force: bool) -> Iterator[TextIO]:
    """Write a file that appears at its place when everything is in it, and not at all on any error.

    A pipe or a device, such as `/dev/null`, is simply written to.

    Raises:
        OutputError: It cannot be written, or something stands there and `force` does not hold.
    """
    mode = _mode_for(path, force=force)
    if mode is not None and not stat.S_ISREG(mode):
        try:
            file = path.open("w", encoding="utf-8", newline="\n")
        except OSError as error:
            raise _refused(path, error) from error
        with file:
            yield file
        return
    # The name is known before the file is there: a signal may come between any two steps.
    draft = path.parent / f".{path.name[:40]}.{secrets.token_hex(8)}.part"
    try:
        with _drafted(draft, path) as drafted:
            yield drafted
            _finish(drafted, path)
        _place(draft, path, force=force)
    finally:
        _throw_away(draft)


def _drafted(draft: Path, path: Path) -> TextIO:
    """Return a new file that nobody else can read yet.

    Raises:
        OutputError: It cannot be made; names the file it is to become.
    """
    try:
        fd = os.open(draft, os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_CLOEXEC, 0o600)
    except OSError as error:
        raise _refused(path, error) from error
    return os.fdopen(fd, "w", encoding="utf-8", newline="\n")


def _throw_away(draft: Path) -> None:
    """Remove a draft, even when a signal comes just now; a second one stops nothing (`shell.at_the_edge`)."""
    try:
        with contextlib.suppress(OSError):
            draft.unlink()
    except BaseException:
        with contextlib.suppress(OSError):
            draft.unlink()
        raise


def _mode_for(path: Path, *, force: bool) -> int | None:
    """Return what stands where a file is to be written; None: nothing.

    Raises:
        OutputError: It may not be replaced, or cannot be looked at.
    """
    try:
        mode = path.stat().st_mode
    except FileNotFoundError:
        return None
    except OSError as error:
        raise _refused(path, error) from error
    if stat.S_ISDIR(mode):
        raise OutputError(f"{path}: {say('record.input.folder')}")
    if stat.S_ISREG(mode) and not force:
        raise OutputError(say("record.output.exists", file=path))
    return mode


def _is_folder(path: Path) -> bool:
    try:
        return path.is_dir()
    except OSError as error:  # a name that no file system takes
        raise _refused(path, error) from error


def _finish(file: TextIO, path: Path) -> None:
    """Bring a draft to the disk, with the permissions of the file it replaces, else the usual ones."""
    try:
        file.flush()
        os.fsync(file.fileno())
        mask = os.umask(0)
        os.umask(mask)
        mode = stat.S_IMODE(path.stat().st_mode) if path.exists() else 0o666 & ~mask
        os.fchmod(file.fileno(), mode)
    except OSError as error:
        raise _refused(path, error) from error


def _place(draft: Path, path: Path, *, force: bool) -> None:
    try:
        if force:
            draft.replace(path)
            return
        try:
            os.link(draft, path)  # unlike a rename, never replaces what has appeared there meanwhile
        except FileExistsError as error:
            raise OutputError(say("record.output.exists", file=path)) from error
        except OSError:  # a file system without hard links
            if path.exists():
                raise OutputError(say("record.output.exists", file=path)) from None
            draft.replace(path)
    except OutputError:
        raise
    except OSError as error:
        raise _refused(path, error) from error


def _refused(path: Path, error: OSError) -> OutputError:
    return OutputError(say("record.output.refused", file=path, why=reason_said(error)))


class Output:
    """Takes texts of games and puts them where they belong.

    Attributes:
        in_folder: Whether each game gets a file of its own.
        written: The files that were written into a folder so far.
    """

    def __init__(self, target: str | None, suffix: str, *, force: bool) -> None:
        """Make ready; nothing is opened before the first game.

        Args:
            target: A file, a folder that is there or ends in a slash, `-` or None: standard output.
            suffix: How the names of files in a folder end.
            force: Whether files may be replaced.

        Raises:
            OutputError: The one file cannot be written.
        """
        self._path = None if target in (None, "-") else Path(str(target))
        self.in_folder = self._path is not None and (str(target).endswith("/") or _is_folder(self._path))
        self._suffix, self._force = suffix, force
        self._stack = contextlib.ExitStack()
        self._file: TextIO | None = None
        self._any = False
        self.written: set[Path] = set()
        if self._path is not None and not self.in_folder:
            _mode_for(self._path, force=force)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *exc: object) -> None:
        """Finish the one file, or throw its draft away after an error."""
        self._stack.__exit__(*exc)  # type: ignore[arg-type] # three of them

    def put(self, text: str, stem: str, number: int, blank: str) -> None:
        """Write one game.

        Args:
            text: The game.
            stem: What its file in a folder is called, without suffix.
            number: Which game of that input it is, from 1.
            blank: What stands between two games of one file.

        Raises:
            OutputError: It cannot be written.
        """
        if self.in_folder:
            self._put_alone(text, stem, number)
            return
        if self._file is None:
            self._file = self._opened()
        try:
            self._file.write((blank if self._any else "") + text)
        except OSError as error:
            if self._path is None:
                raise
            raise _refused(self._path, error) from error
        self._any = True

    def _opened(self) -> TextIO:
        if self._path is None:
            return sys.stdout
        return self._stack.enter_context(whole_file(self._path, force=self._force))

    def _put_alone(self, text: str, stem: str, number: int) -> None:
        assert self._path is not None
        stem = re.sub(r"[^\w.-]+", "_", stem).strip("._")[:100] or "game"
        path = self._path / f"{stem}{'' if number == 1 else f'-{number}'}{self._suffix}"
        again = 1
        while path in self.written:  # two inputs of one name, from two folders
            again += 1
            path = self._path / f"{stem}_{again}{'' if number == 1 else f'-{number}'}{self._suffix}"
        try:
            self._path.mkdir(parents=True, exist_ok=True)
        except OSError as error:
            raise _refused(self._path, error) from error
        with whole_file(path, force=self._force) as file:
            file.write(text)
        self.written.add(path)
