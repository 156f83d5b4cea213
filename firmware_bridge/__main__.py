"""`togyz`, and `python -m firmware_bridge`, which is the same."""

from __future__ import annotations

import os
import signal
import sys
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import typer


def main() -> None:
    """Run the command line.

    Until a program of ours listens for Ctrl-C itself, it simply ends: nobody who changes their mind
    in the first second wants to see where an import was interrupted.
    """
    if signal.getsignal(signal.SIGINT) is signal.default_int_handler:
        signal.signal(signal.SIGINT, signal.SIG_DFL)

    _open_what_is_closed()

    from firmware_bridge.commands.common import (  # noqa: PLC0415 - ditto
        EXIT_READER_GONE,
        drop_output,
        output_gone,
    )
    from firmware_bridge.commands.root import run  # noqa: PLC0415 - takes a second, as said above
    from firmware_bridge.programs import program_app  # noqa: PLC0415 - ditto

    try:
        try:
            run(program_app(sys.argv[1:]) or _everything())
        finally:
            if sys.stdout is not None:
                sys.stdout.flush()
    except BrokenPipeError:  # nobody is there to be told
        drop_output()
        sys.exit(EXIT_READER_GONE)
    except OSError as error:
        if not output_gone(error):
            raise
        sys.exit(1)


def _everything() -> typer.Typer:
    """Return `togyz` with all subcommands."""
    from firmware_bridge.cli import app  # noqa: PLC0415 - takes a second

    return app


def _open_what_is_closed() -> None:
    """Put nothing where a standard stream was closed, as by `>&-`: a file of ours would be opened there."""
    for fd in range(3):
        try:
            os.fstat(fd)
        except OSError:
            os.open(os.devnull, os.O_RDWR)  # takes the lowest number that is free


if __name__ == "__main__":
    main()
