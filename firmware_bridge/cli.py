"""`togyz`: the one command. Each subcommand is a file in `commands/`."""

from __future__ import annotations

from firmware_bridge.commands import (
    account,
    bench,
    board,
    broker,
    calibrate,
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
from firmware_bridge.commands.common import later
from firmware_bridge.commands.event import app as event
from firmware_bridge.commands.record.app import app as record
from firmware_bridge.commands.root import new_app, run
from firmware_bridge.commands.spoken import SpokenCommand
from firmware_bridge.commands.trace.app import app as trace

app = new_app()

app.command("demo", cls=SpokenCommand, help=later("cli.demo.help"))(demo.demo)
app.command("board", cls=SpokenCommand, help=later("cli.board.help"))(board.board)
app.command("hall", cls=SpokenCommand, help=later("cli.hall.help"))(hall.hall)
app.command("calibrate", cls=SpokenCommand, help=later("cli.calibrate.help"))(calibrate.calibrate)
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
    run(app)


if __name__ == "__main__":
    main()
