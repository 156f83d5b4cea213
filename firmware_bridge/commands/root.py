"""What `togyz` is before a subcommand is named."""

from __future__ import annotations

import sys
from typing import Annotated

import typer

from firmware_bridge import __version__
from firmware_bridge.commands.common import EXIT_FAILED, fail, later
from firmware_bridge.commands.spoken import SpokenGroup
from firmware_bridge.language import CatalogueError, Language


def new_app() -> typer.Typer:
    """Return `togyz` without any subcommand."""
    app = typer.Typer(
        name="togyz",
        cls=SpokenGroup,
        no_args_is_help=True,
        rich_markup_mode="rich",
        pretty_exceptions_enable=False,
        help=later("cli.help"),
    )
    app.callback()(_root)
    return app


def run(app: typer.Typer) -> None:
    """Run the command line."""
    try:
        app()
    except CatalogueError as error:
        sys.exit(fail(str(error), EXIT_FAILED).exit_code)


def _show_version(wanted: bool) -> None:  # noqa: FBT001 - typer hands options over by position
    if wanted:
        typer.echo(f"togyz-bridge {__version__}")
        raise typer.Exit


def _root(
    *,
    version: Annotated[
        bool,
        typer.Option("--version", callback=_show_version, is_eager=True, help=later("cli.version")),
    ] = False,
    language: Annotated[Language | None, typer.Option(show_default=False, help=later("cli.language"))] = None,
) -> None:
    """Nothing is done before a subcommand is named; the language is chosen by `SpokenGroup`."""
