"""Where records come from: files, folders and standard input, line by line in bounded memory.

A named file is read whatever it is called; in folders only those with a suffix of `SUFFIXES` are, hidden ones
never, and a link that leads round in a circle ends there. Whatever cannot be read is an `UnusableError` that
says why, and the next input follows.
"""

from __future__ import annotations

import os
import stat
import sys
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import BinaryIO

from firmware_bridge.commands.common import complaints, later, reason_said, say
from firmware_bridge.commands.record.drawing import printable
from rules.record.json_form import MAX_JSON

SUFFIXES = (".txt", ".pgn", ".json", ".jsonl")
"""How the names of game files end, in letters of either case."""

STDIN = "-"
"""Names standard input."""

MAX_LINE_BYTES = 4 * MAX_JSON + 2
"""Longest line that is kept, in bytes: that of the longest JSON record. What is more is dropped."""

_OPEN_PIPES = ("/dev/stdin", "/dev/fd/", "/proc/self/fd/")
"""A pipe under these names is one that the shell has opened already, such as `<(...)`."""

_ENCODINGS = ((b"\xff\xfe", "UTF-16"), (b"\xfe\xff", "UTF-16"), (b"\x1f\x8b", "gzip"), (b"PK\x03\x04", "zip"))


class UnusableError(Exception):
    """Raised when an input cannot be read; the text says what it is and why not, in the user's language.

    Attributes:
        name: The input.
        why: What is wrong with it.
        line: Where; None: everywhere.
    """

    def __init__(self, name: str, why: str, line: int | None = None) -> None:
        super().__init__(name, why, line)
        self.name = name
        self.why = why
        self.line = line

    def __str__(self) -> str:
        name = printable(self.name)
        return f"{name}: {self.why}" if self.line is None else f"{name}:{self.line}: {self.why}"


@dataclass(frozen=True, slots=True)
class Source:
    """One input.

    Attributes:
        name: How messages call it.
        path: The file; None: standard input.
        size: Bytes of a file; 0: not known.
        found: Whether it was found in a folder; nobody has said that it holds games.
    """

    name: str
    path: Path | None
    size: int = 0
    found: bool = False

    @property
    def stem(self) -> str:
        """What a file that is made of it may be called, without a suffix."""
        return "game" if self.path is None else self.path.stem


def sources_of(inputs: Sequence[str]) -> Iterator[Source | UnusableError]:
    """Yield the files that the words of a command line name; standard input if there are none.

    Args:
        inputs: Files, folders and `-`.
    """
    for name in inputs or (STDIN,):
        if name == STDIN:
            yield Source(say("record.stdin"), None)
            continue
        path = Path(name)
        try:
            is_folder = path.is_dir()
        except OSError as error:
            yield UnusableError(name, _why(error))
            continue
        if not is_folder:
            yield Source(name, path, _size(path))
            continue
        empty = True
        for found in _inside(path, set()):
            empty = False
            yield found
        if empty:
            yield UnusableError(name, say("record.input.no_files", suffixes=" ".join(SUFFIXES)))


def one_source(name: str) -> Source:
    """Return the one file, or standard input, that a word of the command line names."""
    if name == STDIN:
        return Source(say("record.stdin"), None)
    path = Path(name)
    return Source(name, path, _size(path))


def lines_of_source(source: Source, advance: Callable[[int], None] | None = None) -> Iterator[str]:
    """Yield the lines of an input with their ends.

    Args:
        source: The input.
        advance: Is told how many bytes were read.

    Raises:
        UnusableError: It cannot be opened or read, or is no UTF-8 text from some line on.
    """
    if source.path is None:
        if sys.stdin is None or sys.stdin.closed:
            raise UnusableError(source.name, say("record.input.closed"))
        if sys.stdin.isatty():
            complaints.print(say("record.input.terminal"), markup=False)
        yield from _decoded(source.name, sys.stdin.buffer, advance)
        return
    with _opened(source.name, source.path) as file:
        yield from _decoded(source.name, file, advance)


def _decoded(name: str, file: BinaryIO, advance: Callable[[int], None] | None) -> Iterator[str]:
    number = 0
    while True:
        try:
            line = file.readline(MAX_LINE_BYTES)
            # What is binary has no lines: looking for the end of one may mean reading a whole disk.
            whole = line.endswith(b"\n") or len(line) < MAX_LINE_BYTES or b"\0" in line
            read = len(line) + (0 if whole else _drop(file))
        except OSError as error:
            raise UnusableError(name, _why(error), number + 1) from error
        if not line:
            return
        number += 1
        if advance is not None:
            advance(read)
        for head, what in _ENCODINGS:
            if number == 1 and line.startswith(head):
                raise UnusableError(name, say("record.input.encoding", what=what))
        if b"\0" in line:
            raise UnusableError(name, say("record.input.binary"), number)
        try:
            text = line.decode("utf-8")
        except UnicodeDecodeError as error:
            if read > len(line) and error.start > len(line) - 4:
                text = line.decode("utf-8", "ignore")  # the end of the line was cut off, with half a letter
            else:
                column = len(line[: error.start].decode("utf-8")) + 1
                byte = f"0x{line[error.start]:02x}"
                why = say("record.input.not_utf8", column=column, byte=byte)
                raise UnusableError(name, why, number) from error
        yield text.removeprefix("\ufeff")


def _drop(file: BinaryIO) -> int:
    """Read the rest of a line that is too long, and return how many bytes that was."""
    dropped = 0
    while piece := file.readline(1 << 20):
        dropped += len(piece)
        if piece.endswith(b"\n"):
            break
    return dropped


def _opened(name: str, path: Path) -> BinaryIO:
    """Open a file without waiting for anybody.

    Raises:
        UnusableError: It cannot be read, or is no file.
    """
    try:
        fd = os.open(path, os.O_RDONLY | os.O_CLOEXEC | os.O_NONBLOCK | os.O_NOCTTY)
    except OSError as error:
        raise UnusableError(name, _why(error)) from error
    mode = os.fstat(fd).st_mode
    if stat.S_ISFIFO(mode) and str(path).startswith(_OPEN_PIPES):
        os.set_blocking(fd, True)
    elif not stat.S_ISREG(mode):
        os.close(fd)
        raise UnusableError(name, say("record.input.no_file", kind=_kind(mode)))
    return os.fdopen(fd, "rb")


def _kind(mode: int) -> str:
    if stat.S_ISFIFO(mode):
        return say("record.kind.pipe")
    if stat.S_ISDIR(mode):
        return say("record.kind.folder")
    return say("record.kind.device")


def _inside(folder: Path, above: set[tuple[int, int]]) -> Iterator[Source | UnusableError]:
    """Yield the game files of a folder and those below it, by name."""
    try:
        status = folder.stat()
        identity = (status.st_dev, status.st_ino)
        if identity in above:
            return
        entries = sorted(os.scandir(folder), key=lambda entry: entry.name)
    except OSError as error:
        yield UnusableError(str(folder), _why(error))
        return
    for entry in entries:
        if entry.name.startswith("."):
            continue
        path = folder / entry.name
        if _is_folder(entry):
            yield from _inside(path, above | {identity})
        elif entry.name.lower().endswith(SUFFIXES) and (entry.is_symlink() or entry.is_file()):
            yield Source(str(path), path, _size(path), found=True)


def _is_folder(entry: os.DirEntry[str]) -> bool:
    """Tell whether an entry leads to a folder; a link to itself does not."""
    try:
        return entry.is_dir()
    except OSError:
        return False


def _size(path: Path) -> int:
    try:
        status = path.stat()
    except (OSError, ValueError):
        return 0
    return status.st_size if stat.S_ISREG(status.st_mode) else 0


def _why(error: OSError) -> str:
    known = {
        FileNotFoundError: later("record.input.missing"),
        PermissionError: later("record.input.forbidden"),
        IsADirectoryError: later("record.input.folder"),
    }
    for kind, key in known.items():
        if isinstance(error, kind):
            return say(key)
    return say("record.input.unreadable", why=reason_said(error))
