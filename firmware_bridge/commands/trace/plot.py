"""`togyz trace plot`: the channels over time, with presses and decisions over them."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from firmware_bridge.commands.common import fail, later
from firmware_bridge.commands.trace.options import TraceFileArgument


def plot(
    file: TraceFileArgument,
    out: Annotated[Path, typer.Argument(help=later("trace.plot.out"), metavar="OUT.png")],
) -> None:
    """Draw a trace."""
    raise fail(f"{file} {out}")
