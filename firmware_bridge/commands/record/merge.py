"""`togyz record merge`: several records of one game made into one."""

from __future__ import annotations

from typing import Annotated

import typer

from firmware_bridge.commands.common import EXIT_FAILED, EXIT_UNUSABLE, code_said, fail, later, say
from firmware_bridge.commands.record.convert import output_to
from firmware_bridge.commands.record.converting import SUFFIX, Target, converted
from firmware_bridge.commands.record.merging import Conflict, Merged, merge_records, with_remarks
from firmware_bridge.commands.record.options import Force, InNotation, OutputFile, Prefer
from firmware_bridge.commands.record.reading import Game, read_games
from firmware_bridge.commands.record.restoring import reference
from firmware_bridge.commands.record.scoresheet import clock_said
from firmware_bridge.commands.record.shell import at_the_edge
from firmware_bridge.commands.record.tally import Tally
from firmware_bridge.commands.record.words import error_told
from rules.errors import RecordFormatError
from rules.notation.forms import Notation

MOST_RECORDS = 100
"""Records of one game; two players, an arbiter and a board make four."""


def merge(
    inputs: Annotated[list[str], typer.Argument(help=later("record.cli.merge_inputs"), metavar="INPUT")],
    *,
    prefer: Annotated[
        Prefer | None, typer.Option(help=later("record.cli.prefer"), show_default=False)
    ] = None,
    to: Annotated[Target, typer.Option(help=later("record.cli.merge_to"))] = Target.TEXT,
    notation: InNotation = Notation.SHORT,
    output: OutputFile = None,
    force: Force = False,
) -> None:
    """Merge records of the same game."""
    if to not in (Target.TEXT, Target.JSON):
        raise fail(say("record.merge.forms"), EXIT_UNUSABLE)
    with at_the_edge(inputs):
        games = _games(inputs)
        merged = merge_records([game.record for game in games], second=prefer is Prefer.SECOND)
        names = [f"{game.source.name}" for game in games]
        for conflict in merged.conflicts:
            fail(_conflict_told(merged, conflict, names))
        if merged.conflicts and prefer is None:
            raise fail(say("record.merge.refused"), EXIT_FAILED)
        record = with_remarks(merged, lambda one: _remark(merged, one, names, prefer or Prefer.FIRST))
        try:
            text = converted(record, to, notation).text
        except RecordFormatError as error:
            raise fail(say("record.merge.unsound", why=error_told(error)), EXIT_FAILED) from error
        with output_to(output, SUFFIX.get(to, ".txt"), force=force) as out:
            out.put(text, games[0].source.stem, 1, "")


def _games(inputs: list[str]) -> list[Game]:
    """Return the records, at least two, or leave with what is wrong with them."""
    tally = Tally()
    games: list[Game] = []
    for game in tally.sound(read_games(inputs)):
        games.append(game)
        if len(games) > MOST_RECORDS:
            raise fail(say("record.merge.too_many", most=MOST_RECORDS), EXIT_UNUSABLE)
    if tally.code:
        raise typer.Exit(EXIT_UNUSABLE)
    if len(games) < 2:
        raise fail(say("record.merge.too_few"), EXIT_UNUSABLE)
    return games


def _conflict_told(merged: Merged, conflict: Conflict, names: list[str]) -> str:
    first, second = _values(conflict)
    earlier = names[0] if conflict.record == 1 else say("record.merge.before")
    return say(
        "record.merge.conflict",
        what=_what(merged, conflict),
        first=f"{first} ({earlier})",
        second=f"{second} ({names[conflict.record]})",
    )


def _remark(merged: Merged, conflict: Conflict, names: list[str], prefer: Prefer) -> str:
    kept, other = _values(conflict)
    whose = names[0] if conflict.record == 1 else say("record.merge.before")
    theirs = names[conflict.record]
    if prefer is Prefer.SECOND:
        kept, other, whose, theirs = other, kept, theirs, whose
    return say(
        "record.merge.remark",
        what=_what(merged, conflict),
        kept=kept,
        whose=whose,
        other=other,
        theirs=theirs,
    )


def _values(conflict: Conflict) -> tuple[str, str]:
    if conflict.what in ("clock", "remaining"):
        return clock_said(int(conflict.first)), clock_said(int(conflict.second))
    if conflict.what == "reason":
        return code_said("reason", conflict.first), code_said("reason", conflict.second)
    return conflict.first, conflict.second


def _what(merged: Merged, conflict: Conflict) -> str:
    what = code_said("record", conflict.what)
    if not conflict.ply:
        return what
    ply = conflict.ply + 2 * (merged.record.start_number - 1) + merged.record.start.to_move.index
    return f"{reference(ply)} {what}"
