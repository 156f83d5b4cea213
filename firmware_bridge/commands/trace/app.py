"""The verbs of `togyz trace`."""

from __future__ import annotations

import typer

from firmware_bridge.commands.common import later
from firmware_bridge.commands.spoken import SpokenCommand, SpokenGroup
from firmware_bridge.commands.trace import cut, info, plot, record, replay

app = typer.Typer(cls=SpokenGroup, no_args_is_help=True, rich_markup_mode="rich", help=later("trace.help"))

app.command("record", cls=SpokenCommand, help=later("trace.record.help"))(record.record)
app.command("info", cls=SpokenCommand, help=later("trace.info.help"))(info.info)
app.command("replay", cls=SpokenCommand, help=later("trace.replay.help"))(replay.replay)
app.command("cut", cls=SpokenCommand, help=later("trace.cut.help"))(cut.cut)
app.command("plot", cls=SpokenCommand, help=later("trace.plot.help"))(plot.plot)
