"""The programs that run for days, and what is asked of them: `togyz` with one subcommand alone.

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


def program_app(words: Sequence[str]) -> typer.Typer | None:
    """Return `togyz` with the subcommand that a command line begins with; None: with none of these."""
    if not words or words[0] not in PROGRAMS:
        return None
    app, name = new_app(), words[0]
    function = getattr(import_module(f"firmware_bridge.commands.{name}"), name)
    app.command(name, cls=SpokenCommand, help=PROGRAMS[name])(function)
    return app
