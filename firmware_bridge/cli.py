"""`togyz`: the one command. Each subcommand is a file in `commands/`."""

from __future__ import annotations

from typing import Annotated

import typer

from firmware_bridge import __version__
from firmware_bridge.commands import board, broker, control, demo, emulate, hall, perft

app = typer.Typer(
    name="togyz",
    no_args_is_help=True,
    rich_markup_mode="rich",
    pretty_exceptions_enable=False,
    help=(
        "A physical Togyzkumalak board, refereed, logged and broadcast live.\n\n"
        "Try [bold]togyz demo[/] first: it plays a real game of 2009 on an emulated board and shows it "
        "on a web page. A real table needs two programs, each with the same configuration file: "
        "[bold]togyz board[/] at the board and [bold]togyz hall[/] for the pages."
    ),
)


def _show_version(wanted: bool) -> None:  # noqa: FBT001 - typer hands options over by position
    if wanted:
        typer.echo(f"togyz-bridge {__version__}")
        raise typer.Exit


@app.callback()
def _root(
    *,
    version: Annotated[
        bool, typer.Option("--version", callback=_show_version, is_eager=True, help="Print the version.")
    ] = False,
) -> None:
    """Nothing is done before a subcommand is named."""


app.command("demo")(demo.demo)
app.command("board")(board.board)
app.command("hall")(hall.hall)
app.command("emulate")(emulate.emulate)
app.command("control")(control.control)
app.command("broker")(broker.broker)
app.command("perft")(perft.perft_command)


def main() -> None:
    """Run the command line."""
    app()


if __name__ == "__main__":
    main()
