"""What the subcommands share: the screen, the log, and how an error is told."""

from __future__ import annotations

import contextlib
import errno
import logging
import os
import signal
import sys
import time
import unicodedata
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Annotated

import typer
from rich.console import Console
from rich.logging import RichHandler

from firmware_bridge.config import Config, ConfigError, load_config
from firmware_bridge.language import Texts, chosen_language, texts
from firmware_bridge.wire.key_files import KeyFileError

EXIT_READER_GONE = 128 + signal.SIGPIPE
"""As the shell says it of a program that was writing to a pipe nobody reads any more."""


class _Screen(Console):
    """A console whose reader may go away, as `head` does: then the program ends, and says nothing."""

    def on_broken_pipe(self) -> None:
        """End the program."""
        drop_output()
        raise SystemExit(EXIT_READER_GONE)


console = _Screen(highlight=False, emoji=False)
"""Where results go."""

complaints = _Screen(stderr=True, highlight=False, emoji=False)
"""Where logs and errors go."""


def plainly(*lines: str) -> None:
    """Print lines as they are: what looks like markup in a name is none, and no line is folded."""
    for line in lines:
        console.print(line, markup=False, soft_wrap=True)


_STEERING = frozenset({"Cc", "Cf", "Cs", "Zl", "Zp"})

MOST_KINDS = 100
"""Kinds of message that `Seldom` remembers."""

EXIT_FAILED = 1
"""It did not go this time: the same may go later, so a service manager starts the program again."""

EXIT_UNUSABLE = 2
"""What the program was given cannot be used, so it would fail for ever: it is not started again."""


class Speech:
    """The language of this process: the one an option asks for, else the environment's.

    Attributes:
        option: What the command line asks for; None: nothing.
    """

    def __init__(self) -> None:
        self.option: str | None = None

    @property
    def texts(self) -> Texts:
        """The texts of the language that is spoken; a program that has nothing to say reads none.

        Raises:
            CatalogueError: The catalogue is missing or damaged.
        """
        return texts(chosen_language(self.option, os.environ))


speech = Speech()
"""What every command speaks."""


def say(key: str, /, **values: object) -> str:
    """Return the text of `key` in the language of this process, with each `{name}` filled in."""
    return speech.texts.text(key, **values)


def plural(key: str, n: int, /, **values: object) -> str:
    """Return the text of `key` in the form that goes with `n`, which fills `{n}` too."""
    return speech.texts.plural(key, n, **values)


def later(key: str) -> str:
    """Mark a key that is put into words when help is shown; returns it as it is."""
    return key


def code_said(family: str, code: str) -> str:
    """Return a code such as a phase in words; one that has none shows itself."""
    return speech.texts.of(family, code)


KNOWN_ERRORS = (
    "eacces", "eaddrinuse", "eaddrnotavail", "ebusy", "econnrefused", "econnreset", "edquot", "eexist",
    "efbig", "eio", "eisdir", "eloop", "emfile", "enametoolong", "enoent", "enospc", "enotdir", "enotempty",
    "eperm", "erofs", "etimedout",
)  # fmt: skip
"""Errors of the system that have a text of ours, by the names of errno(3): what an arbiter meets."""


def reason_said(error: BaseException | None) -> str:
    """Return what the system says of an error, in the language; one without a text, in the system's words."""
    if not isinstance(error, OSError):
        return str(error or "")
    # A timeout of Python's own has no number; an address that cannot be resolved has a negative one.
    number = error.errno or (errno.ETIMEDOUT if isinstance(error, TimeoutError) else 0)
    code = errno.errorcode.get(number, "").lower()
    return code_said("oserror", code) if code in KNOWN_ERRORS else error.strerror or str(error)


ConfigFile = Annotated[Path, typer.Argument(help=later("cli.config"), metavar="CONFIG")]


def fail(message: str, code: int = EXIT_UNUSABLE) -> typer.Exit:
    """Say what is wrong and return the exit to raise."""
    with contextlib.suppress(OSError):  # nobody is there to read it
        complaints.print("[bold red]togyz:[/]", end=" ")
        complaints.print(harmless(message), markup=False, soft_wrap=True)
    return typer.Exit(code)


def drop_output() -> None:
    """Let standard output go nowhere from now on: what is still held back would fail at the very end."""
    with contextlib.suppress(OSError, ValueError):
        nowhere = os.open(os.devnull, os.O_WRONLY)
        os.dup2(nowhere, sys.stdout.fileno())
        os.close(nowhere)


def harmless(message: str) -> str:
    """Return a message without what would steer a terminal: it quotes names and words of strangers.

    Controls and directions are shown as blanks; its own line ends stay.
    """
    return "".join(
        " " if letter != "\n" and unicodedata.category(letter) in _STEERING else letter for letter in message
    )


def output_gone(error: OSError) -> bool:
    """Tell whether `error` came of standard output that takes nothing more, and if so say so and let it be.

    A full disk behind it, or a reader that has gone.
    """
    try:
        sys.stdout.flush()
        os.write(sys.stdout.fileno(), b"\n")  # unbuffered, what failed is not tried again by flushing
    except OSError:
        drop_output()
        fail(say("cli.output_gone", why=reason_said(error)))
        return True
    return False


@contextmanager
def errors_told(*kinds: type[Exception], code: int = EXIT_UNUSABLE) -> Iterator[None]:
    """Turn errors that say themselves what is wrong into one line and an exit code."""
    try:
        yield
    except kinds as error:
        raise fail(str(error), code) from error


@contextmanager
def keys_told(code: int = EXIT_UNUSABLE) -> Iterator[None]:
    """Turn what is wrong with a file of keys into one line in the language, and an exit code."""
    try:
        yield
    except KeyFileError as error:
        raise fail(f"{error.path}: {code_said('keys', error.fault)}", code) from error


def config_of(path: Path) -> Config:
    """Return the configuration, or leave with what is wrong in it."""
    if not path.exists():  # the slip of everybody's first day, told in the language
        raise fail(f"{path}: {say('record.input.missing')}")
    try:
        return load_config(path)
    except ConfigError as error:
        raise fail("\n".join(mistakes_said(error)) or str(error)) from error


def mistakes_said(error: ConfigError) -> Iterator[str]:
    """Yield what is wrong in a configuration file, a line each, in the language."""
    for mistake in error.mistakes:
        values = dict(mistake.values)
        if isinstance(error.__cause__, OSError):
            values["why"] = reason_said(error.__cause__)
        elif mistake.why:
            key = f"value.{mistake.why}"
            values["why"] = say(key, **mistake.more)
        key = f"setting.{mistake.code}"
        yield f"{error.path}: {say(key, **values)}"


def log_to_stderr() -> None:
    """Log to standard error: in colour for people, one plain line each for a service manager."""
    handler: logging.Handler
    if sys.stderr.isatty():
        handler = RichHandler(console=complaints, show_path=False, rich_tracebacks=False)
        logging.basicConfig(level=logging.INFO, format="%(message)s", datefmt="%H:%M:%S", handlers=[handler])
    else:
        logging.basicConfig(level=logging.INFO, format="%(levelname)s %(name)s: %(message)s")
    # uvicorn.error is uvicorn's log of everything: at INFO it writes a line for each viewer.
    for noisy in ("asyncio", "uvicorn.access", "uvicorn.error", "amqtt", "transitions"):
        logging.getLogger(noisy).setLevel(logging.WARNING)
    asyncio_log = logging.getLogger("asyncio")
    if not any(isinstance(each, Seldom) for each in asyncio_log.filters):
        asyncio_log.addFilter(Seldom())


class Seldom(logging.Filter):
    """Lets the same message through once in a while and counts the others.

    An event loop that has no file left says so, with a traceback, many times a second.

    Args:
        every_s: Seconds between two messages that begin with the same line.
        now_s: A clock, seconds.
    """

    def __init__(self, every_s: float = 10.0, now_s: Callable[[], float] = time.monotonic) -> None:
        super().__init__()
        self._every_s, self._now_s = every_s, now_s
        self._seen: dict[str, tuple[float, int]] = {}

    def filter(self, record: logging.LogRecord) -> bool:
        """Tell whether to write `record`, having added to it how many like it were not written."""
        text = record.getMessage()
        key, now_s = text.partition("\n")[0], self._now_s()
        last_s, dropped = self._seen.get(key, (now_s - self._every_s, 0))
        if now_s - last_s < self._every_s:
            self._seen[key] = (last_s, dropped + 1)
            return False
        if len(self._seen) >= MOST_KINDS:
            self._seen.clear()
        self._seen[key] = (now_s, 0)
        if dropped:
            record.msg, record.args = f"{text}\n({dropped} more like this were not written)", None
        return True
