"""The programs that run for days, and what is asked often: `togyz` with one subcommand alone.

To load every subcommand takes as long again as to load one, and a board that is started again in the middle
of a game must not wait for the bench. What is printed is the same.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from importlib import import_module
from types import MappingProxyType
from typing import Final

import typer

from firmware_bridge.commands.common import later
from firmware_bridge.commands.root import new_app
from firmware_bridge.commands.spoken import SpokenCommand

PROGRAMS: Final[Mapping[str, str]] = MappingProxyType(
    {
        "board": later("cli.board.help"),
        "broker": later("cli.broker.help"),
        "control": later("cli.control.help"),
        "emulate": later("cli.emulate.help"),
        "hall": later("cli.hall.help"),
        "pins": later("cli.pins.help"),
        "table": later("cli.table.help"),
    }
)
"""Each is a function of its own name in the file of its name in `commands/`; with its help."""

GROUPS: Final[Mapping[str, str]] = MappingProxyType(
    {
        "event": "firmware_bridge.commands.event",
        "record": "firmware_bridge.commands.record.app",
        "trace": "firmware_bridge.commands.trace.app",
    }
)
"""Where the `app` of each lies; they are asked in scripts, again and again."""


def program_app(words: Sequence[str]) -> typer.Typer | None:
    """Return `togyz` with the subcommand that a command line begins with; None: with none of these."""
    name = words[0] if words else ""
    app = new_app()
    if name in PROGRAMS:
        function = getattr(import_module(f"firmware_bridge.commands.{name}"), name)
        app.command(name, cls=SpokenCommand, help=PROGRAMS[name])(function)
    elif name in GROUPS:
        app.add_typer(import_module(GROUPS[name]).app, name=name)
    else:
        return None
    return app
