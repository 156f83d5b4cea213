"""`togyz perft`: count legal sequences of moves, to check the rules and their speed."""

from __future__ import annotations

import time
from typing import Annotated

import typer
from rich.live import Live
from rich.table import Table

from firmware_bridge.commands.common import console, later, say
from rules.perft import perft
from rules.position import START


def perft_command(
    depth: Annotated[int, typer.Argument(min=1, max=10, help=later("cli.perft.depth"))] = 5,
) -> None:
    """Count the legal sequences of moves from the start position, ply by ply."""
    heads = (
        say("cli.perft.plies"),
        say("cli.perft.sequences"),
        say("cli.perft.seconds"),
        say("cli.perft.rate"),
    )
    table = Table(*heads, title=say("cli.perft.title"))
    for column in table.columns:
        column.justify = "right"
    with Live(table, console=console, auto_refresh=False, transient=True) as shown:  # the tenth takes minutes
        for plies in range(1, depth + 1):
            began = time.perf_counter()
            count = perft(START, plies)
            took = time.perf_counter() - began
            table.add_row(str(plies), f"{count:,}", f"{took:.3f}", f"{count / max(took, 1e-9):,.0f}")
            shown.refresh()
    console.print(table)
