"""`togyz`: the one command. Each subcommand is a file in `commands/`."""

from __future__ import annotations

import sys
from typing import Annotated

import typer

from firmware_bridge import __version__
from firmware_bridge.commands import (
    account,
    bench,
    board,
    broker,
    card,
    contract,
    control,
    demo,
    doctor,
    emulate,
    enrol,
    find,
    hall,
    perft,
    pins,
    table,
)
from firmware_bridge.commands.common import EXIT_FAILED, fail, later
from firmware_bridge.commands.event import app as event
from firmware_bridge.commands.record.app import app as record
from firmware_bridge.commands.spoken import SpokenCommand, SpokenGroup
from firmware_bridge.commands.trace.app import app as trace
from firmware_bridge.language import CatalogueError, Language

app = typer.Typer(
    name="togyz",
    cls=SpokenGroup,
    no_args_is_help=True,
    rich_markup_mode="rich",
    pretty_exceptions_enable=False,
    help=later("cli.help"),
)


def _show_version(wanted: bool) -> None:  # noqa: FBT001 - typer hands options over by position
    if wanted:
        typer.echo(f"togyz-bridge {__version__}")
        raise typer.Exit


@app.callback()
def _root(
    *,
    version: Annotated[
        bool,
        typer.Option("--version", callback=_show_version, is_eager=True, help=later("cli.version")),
    ] = False,
    language: Annotated[Language | None, typer.Option(show_default=False, help=later("cli.language"))] = None,
) -> None:
    """Nothing is done before a subcommand is named; the language is chosen by `SpokenGroup`."""


app.command("demo", cls=SpokenCommand, help=later("cli.demo.help"))(demo.demo)
app.command("board", cls=SpokenCommand, help=later("cli.board.help"))(board.board)
app.command("hall", cls=SpokenCommand, help=later("cli.hall.help"))(hall.hall)
app.command("account", cls=SpokenCommand, help=later("cli.account.help"))(account.account)
app.command("emulate", cls=SpokenCommand, help=later("cli.emulate.help"))(emulate.emulate)
app.command("pins", cls=SpokenCommand, help=later("cli.pins.help"))(pins.pins)
app.command("control", cls=SpokenCommand, help=later("cli.control.help"))(control.control)
app.command("broker", cls=SpokenCommand, help=later("cli.broker.help"))(broker.broker)
app.command("doctor", cls=SpokenCommand, help=later("cli.doctor.help"))(doctor.doctor)
app.command("find", cls=SpokenCommand, help=later("cli.find.help"))(find.find)
app.command("enrol", cls=SpokenCommand, help=later("cli.enrol.help"))(enrol.enrol)
app.command("card", cls=SpokenCommand, help=later("cli.card.help"))(card.card)
app.command("contract", cls=SpokenCommand, help=later("cli.contract.help"))(contract.contract)
app.command("table", cls=SpokenCommand, help=later("cli.table.help"))(table.table)
app.command("perft", cls=SpokenCommand, help=later("cli.perft.help"))(perft.perft_command)
app.add_typer(record, name="record")
app.add_typer(event, name="event")
app.add_typer(bench.app, name="bench")
app.add_typer(trace, name="trace")


def main() -> None:
    """Run the command line."""
    try:
        app()
    except CatalogueError as error:
        sys.exit(fail(str(error), EXIT_FAILED).exit_code)


if __name__ == "__main__":
    main()
