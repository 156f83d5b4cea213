"""What the verbs share at the edge: how they print, show progress, and end when somebody stops them."""

from __future__ import annotations

import os
import signal
import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from types import FrameType
from typing import Any

import typer
from rich.console import Console
from rich.progress import BarColumn, DownloadColumn, Progress, TextColumn, TimeRemainingColumn
from rich.text import Text

from firmware_bridge.commands.common import EXIT_READER_GONE, EXIT_UNUSABLE, drop_output, fail, say
from firmware_bridge.commands.record.drawing import ASCII, UNICODE, Ink, Line, Signs, plain
from firmware_bridge.commands.record.options import NARROWEST_SCREEN
from firmware_bridge.commands.record.sources import STDIN, Source, sources_of
from firmware_bridge.signals import heard_by

_STYLES = {
    Ink.FRAME: "yellow",
    Ink.NUMBER: "dim",
    Ink.PLAYER: "bold",
    Ink.EMPTY: "dim",
    Ink.TUZDYK: "bold magenta",
    Ink.KAZAN: "bold cyan",
    Ink.ORIGIN: "bold green",
    Ink.WAY: "green",
    Ink.LAST: "bold red",
}


class _StoppedError(BaseException):
    """Raised in the main thread by a signal."""

    def __init__(self, number: int) -> None:
        super().__init__(number)
        self.number = number


def _stop(number: int, _frame: FrameType | None) -> None:
    for each in (signal.SIGINT, signal.SIGTERM):
        signal.signal(each, signal.SIG_IGN)  # one is enough: a second would cut short the tidying up
    raise _StoppedError(number)


@contextmanager
def at_the_edge(inputs: Sequence[str] = ()) -> Iterator[None]:
    """Run a verb: what it began is tidied up when it is stopped, and a reader that goes away is no error.

    Args:
        inputs: The words of the command line that name inputs.
    """
    if list(inputs).count(STDIN) > 1:
        raise fail(say("record.cli.stdin_twice"), EXIT_UNUSABLE)
    if sys.stdout is None:  # closed: what is said there fails as on a full disk, and nothing else does
        sys.stdout = os.fdopen(os.open(os.devnull, os.O_RDONLY), "w")
    for stream in (sys.stdout, sys.stderr):
        _speak_utf8(stream)
    with heard_by(_stop, (signal.SIGINT, signal.SIGTERM)):
        try:
            yield
            sys.stdout.flush()
        except _StoppedError as stopped:
            raise typer.Exit(128 + stopped.number) from stopped
        except BrokenPipeError as error:
            drop_output()
            raise typer.Exit(EXIT_READER_GONE) from error


def _speak_utf8(stream: Any) -> None:
    """Write records as UTF-8 whatever the locale says; a screen keeps its own encoding."""
    if hasattr(stream, "reconfigure"):
        encoding = None if stream.isatty() else "utf-8"
        stream.reconfigure(encoding=encoding, errors="backslashreplace")


def screen_width(wanted: int | None) -> int:
    """Return the columns to draw in: those wanted, else the terminal's, else 80."""
    return max(wanted or Console().width, NARROWEST_SCREEN)


def signs_of_screen(*, ascii_only: bool) -> Signs:
    """Return the characters that standard output can show."""
    spoken = (sys.stdout.encoding or "").lower().replace("-", "")
    return ASCII if ascii_only or not spoken.startswith("utf") else UNICODE


def show_lines(lines: Sequence[Line]) -> None:
    """Print lines: in colours on a terminal, else as they are."""
    console = Console(highlight=False, emoji=False, soft_wrap=True)
    if not console.is_terminal or console.no_color or console.is_dumb_terminal:
        sys.stdout.write(plain(tuple(lines)))
        return
    for line in lines:
        text = Text()
        for piece, ink in line:
            text.append(piece, _STYLES.get(ink, ""))
        text.rstrip()
        console.print(text)


@contextmanager
def progress_of(
    inputs: Sequence[str], *, anyway: bool = True
) -> Iterator[tuple[Callable[[int], None], Callable[[str], None]]]:
    """Show on standard error how far reading has come, where that is a terminal.

    Args:
        inputs: The words of the command line that name inputs.
        anyway: False: only where what is printed does not go to the same screen.

    Yields:
        What is told how many bytes were read, and what prints a text of lines on standard output meanwhile.
    """
    errors = Console(stderr=True, highlight=False, emoji=False)
    if not errors.is_terminal or (sys.stdout.isatty() and not anyway):
        yield _nothing, _print
        return
    total = sum(source.size for source in sources_of(inputs) if isinstance(source, Source))
    columns = (TextColumn("{task.description}"), BarColumn(), DownloadColumn(), TimeRemainingColumn())
    bar = Progress(*columns, console=errors, transient=True, redirect_stdout=False, redirect_stderr=False)
    with bar:
        task = bar.add_task("togyz record", total=total or None)
        # Where both streams are one screen, the bar has to make room for what is printed.
        one_screen = sys.stdout.isatty()
        yield (
            lambda read: bar.advance(task, read),
            (lambda text: errors.print(text, markup=False, soft_wrap=True, end="")) if one_screen else _print,
        )


def _nothing(_read: int) -> None:
    """Do nothing."""


def _print(text: str) -> None:
    sys.stdout.write(text)
