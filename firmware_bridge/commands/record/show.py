"""`togyz record show`: games as an arbiter's sheet."""

from __future__ import annotations

from collections.abc import Iterator

import typer

from firmware_bridge.commands.common import EXIT_UNUSABLE, fail, say, speech
from firmware_bridge.commands.record.drawing import Ink, Line
from firmware_bridge.commands.record.options import (
    Ascii,
    Bottom,
    Diagrams,
    GameNumber,
    InNotation,
    Inputs,
    PitNames,
    PlyText,
    Width,
)
from firmware_bridge.commands.record.plies import ply_meant
from firmware_bridge.commands.record.reading import Game, read_games
from firmware_bridge.commands.record.scoresheet import Look, head_lines, ply_lines, sheet_lines
from firmware_bridge.commands.record.shell import at_the_edge, screen_width, show_lines, signs_of_screen
from firmware_bridge.commands.record.tally import Tally
from rules.notation.forms import Notation
from rules.position import Side


def show(  # noqa: PLR0913 - each is an option of the command line
    inputs: Inputs = None,
    *,
    game: GameNumber = None,
    ply: PlyText = None,
    notation: InNotation = Notation.SHORT,
    diagrams: Diagrams = True,
    bottom: Bottom = Side.BASTAUSHY,
    pit_names: PitNames = False,
    width: Width = None,
    ascii_only: Ascii = False,
) -> None:
    """Show games as an arbiter's sheet, or the board after one of their plies."""
    names = inputs or []
    tally = Tally()
    with at_the_edge(names):
        look = Look(
            width=screen_width(width),
            notation=notation,
            bottom=bottom,
            diagrams=diagrams,
            pit_names=pit_names,
            signs=signs_of_screen(ascii_only=ascii_only),
        )
        shown = 0
        for found in tally.sound(read_games(names)):
            if game in (None, found.number):
                lines = list(_lines(found, ply, look))
                if shown:
                    show_lines([((look.signs.across * look.width, Ink.FRAME),)])
                show_lines(lines)
                shown += 1
        if game is not None and not shown:
            raise fail(say("record.no_such_game", n=game), EXIT_UNUSABLE)
    raise typer.Exit(tally.code)


def _lines(found: Game, ply: str | None, look: Look) -> Iterator[Line]:
    """Yield what is shown of one game.

    Raises:
        typer.Exit: It has no such ply.
    """
    record = found.record
    if ply is None:
        yield from sheet_lines(record, speech.texts, look)
        return
    wanted = ply_meant(ply, record)
    yield from head_lines(record, speech.texts, look.width)
    yield (("", Ink.PLAIN),)
    yield from ply_lines(record, wanted, speech.texts, look)
