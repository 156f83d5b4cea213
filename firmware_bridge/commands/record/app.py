"""The verbs of `togyz record`."""

from __future__ import annotations

import typer

from firmware_bridge.commands.common import later
from firmware_bridge.commands.record import check, convert, diagram, merge, restore, show
from firmware_bridge.commands.spoken import SpokenCommand, SpokenGroup

app = typer.Typer(
    cls=SpokenGroup, no_args_is_help=True, rich_markup_mode="rich", help=later("record.cli.help")
)

app.command("show", cls=SpokenCommand, help=later("record.show.help"))(show.show)
app.command("check", cls=SpokenCommand, help=later("record.check.help"))(check.check)
app.command("convert", cls=SpokenCommand, help=later("record.convert.help"))(convert.convert)
app.command("restore", cls=SpokenCommand, help=later("record.restore.help"))(restore.restore)
app.command("diagram", cls=SpokenCommand, help=later("record.diagram.help"))(diagram.diagram)
app.command("merge", cls=SpokenCommand, help=later("record.merge.help"))(merge.merge)
