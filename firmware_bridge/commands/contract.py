"""`togyz contract`: what a stranger needs to write a client."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from firmware_bridge.commands.common import EXIT_FAILED, console, fail
from firmware_bridge.contract.documents import write_shipped


def contract(
    folder: Annotated[Path, typer.Argument(help="Where to; made if need be.", metavar="DIR")],
) -> None:
    """Write the public contract into a folder: page, schemas, AsyncAPI, OpenAPI and two example clients.

    Begin with CONTRACT.md. A running hall serves the same files under /contract/.
    """
    try:
        written = write_shipped(folder)
    except OSError as error:
        raise fail(f"{folder}: cannot be written: {error.strerror or error}", EXIT_FAILED) from error
    for path in written:
        console.print(str(path), markup=False, soft_wrap=True)
