"""`togyz record convert`: games in another form or notation."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Annotated

import typer

from firmware_bridge.commands.common import EXIT_UNUSABLE, code_said, complaints, fail, later, plural, say
from firmware_bridge.commands.record.converting import FIXED, SUFFIX, Loss, Target, blank_of, converted
from firmware_bridge.commands.record.options import Diagrams, Force, Inputs, OutputFile
from firmware_bridge.commands.record.reading import Game, read_games
from firmware_bridge.commands.record.shell import at_the_edge, progress_of
from firmware_bridge.commands.record.tally import Tally
from firmware_bridge.commands.record.words import error_told
from firmware_bridge.commands.record.writing import Output, OutputError
from rules.errors import RecordFormatError
from rules.notation.forms import Notation

MOST_REFUSALS = 5
"""Files that are named one by one when they cannot be written: mostly a whole folder is written twice."""


def convert(  # noqa: PLR0913 - each is an option of the command line
    inputs: Inputs = None,
    *,
    to: Annotated[Target, typer.Option(help=later("record.cli.to"))] = Target.TEXT,
    notation: Annotated[
        Notation | None, typer.Option(help=later("record.cli.notation"), show_default=False)
    ] = None,
    diagrams: Diagrams = True,
    kazans: Annotated[bool, typer.Option(help=later("record.cli.kazans"))] = False,
    output: OutputFile = None,
    force: Force = False,
) -> None:
    """Convert games; without inputs and `-o` a filter from standard input to standard output."""
    names = inputs or []
    form = FIXED.get(to, notation or Notation.SHORT)
    if notation not in (None, form):
        raise fail(say("record.convert.fixed", target=to.value, notation=form.value), EXIT_UNUSABLE)
    tally = Tally()
    lost: Counter[Loss] = Counter()
    refused: Counter[type] = Counter()
    with at_the_edge(names), progress_of(names, anyway=output not in (None, "-")) as (advance, _):
        with output_to(output, SUFFIX.get(to, ".txt"), force=force) as out:
            for game in tally.sound(read_games(names, advance)):
                with _refusals_counted(tally, game, out, refused):
                    result = converted(game.record, to, form, diagrams=diagrams, kazans=kazans)
                    lost.update(result.lost)
                    out.put(result.text, game.source.stem, game.number, blank_of(to))
        if refused[OutputError] > MOST_REFUSALS:
            fail(plural("record.output.more", refused[OutputError] - MOST_REFUSALS))
        tell_losses(lost, to)
    raise typer.Exit(tally.code)


@contextmanager
def output_to(target: str | None, suffix: str, *, force: bool) -> Iterator[Output]:
    """Open where results go; what cannot be written is told, and ends the run."""
    try:
        with Output(target, suffix, force=force) as out:
            yield out
    except OutputError as error:
        raise fail(str(error), EXIT_UNUSABLE) from error


@contextmanager
def _refusals_counted(tally: Tally, game: Game, out: Output, refused: Counter[type]) -> Iterator[None]:
    """Tell of a game that does not fit into the form, or whose own file cannot be written, and go on."""
    try:
        yield
    except RecordFormatError as error:
        tally.faults += 1
        fail(f"{game.source.name}: {error_told(error)}")
    except OutputError as error:
        if not out.in_folder:
            raise
        tally.unusable += 1
        refused[OutputError] += 1
        if refused[OutputError] <= MOST_REFUSALS:
            fail(str(error))


def tell_losses(lost: Counter[Loss], target: Target) -> None:
    """Warn of what could not be carried."""
    if not lost:
        return
    what = ", ".join(f"{code_said('loss', loss.value)} ({games})" for loss, games in lost.items())
    warning = say("record.convert.lost", target=target.value, what=what)
    complaints.print(f"togyz: {warning}", markup=False, soft_wrap=True)
