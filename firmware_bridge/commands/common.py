"""What the subcommands share: the screen, the log, and how an error is told."""

from __future__ import annotations

import logging
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Annotated

import typer
from rich.console import Console
from rich.logging import RichHandler

from firmware_bridge.config import Config, ConfigError, load_config

console = Console(highlight=False)
"""Where results go."""

complaints = Console(stderr=True, highlight=False)
"""Where logs and errors go."""

ConfigFile = Annotated[
    Path, typer.Argument(help="The board's configuration file (TOML); see the README.", metavar="CONFIG")
]

EXIT_FAILED = 1
EXIT_UNUSABLE = 2


def fail(message: str, code: int = EXIT_UNUSABLE) -> typer.Exit:
    """Say what is wrong and return the exit to raise."""
    complaints.print("[bold red]togyz:[/]", end=" ")
    complaints.print(message, markup=False, soft_wrap=True)
    return typer.Exit(code)


@contextmanager
def errors_told(*kinds: type[Exception]) -> Iterator[None]:
    """Turn errors that say themselves what is wrong into one line and an exit code."""
    try:
        yield
    except kinds as error:
        raise fail(str(error)) from error


def config_of(path: Path) -> Config:
    """Return the configuration, or leave with what is wrong in it."""
    with errors_told(ConfigError):
        return load_config(path)


def log_to_stderr() -> None:
    """Log to standard error: in colour for people, one plain line each for a service manager."""
    handler: logging.Handler
    if sys.stderr.isatty():
        handler = RichHandler(console=complaints, show_path=False, rich_tracebacks=False)
        logging.basicConfig(level=logging.INFO, format="%(message)s", datefmt="%H:%M:%S", handlers=[handler])
    else:
        logging.basicConfig(level=logging.INFO, format="%(levelname)s %(name)s: %(message)s")
    for noisy in ("asyncio", "uvicorn.access", "amqtt", "transitions"):
        logging.getLogger(noisy).setLevel(logging.WARNING)
