"""`togyz contract`: what a stranger needs to write a client."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from firmware_bridge.commands.common import EXIT_FAILED, console, fail, later, reason_said, say
from firmware_bridge.contract.documents import write_shipped


def contract(
    folder: Annotated[Path, typer.Argument(help=later("cli.contract.folder"), metavar="DIR")],
) -> None:
    """Write the public contract into a folder, and name each file: a line for programs too."""
    try:
        written = write_shipped(folder)
    except OSError as error:
        told = say("cli.contract.unwritable", folder=folder, why=reason_said(error))
        raise fail(told, EXIT_FAILED) from error
    for path in written:
        console.print(str(path), markup=False, soft_wrap=True)
