"""`togyz record diagram`: one position drawn, printed, as FEN or as JSON."""

from __future__ import annotations

import json
import re
import sys
from dataclasses import dataclass, field
from enum import Enum
from itertools import chain
from typing import Annotated

import typer

from firmware_bridge.commands.common import EXIT_FAILED, EXIT_UNUSABLE, fail, later, say, speech
from firmware_bridge.commands.record.options import Ascii, Bottom, GameNumber, PitNames, Width
from firmware_bridge.commands.record.plies import ply_meant
from firmware_bridge.commands.record.reading import Foreign, Game, read_lines
from firmware_bridge.commands.record.scoresheet import Look, board_lines, labels_of
from firmware_bridge.commands.record.shell import at_the_edge, screen_width, show_lines, signs_of_screen
from firmware_bridge.commands.record.sources import (
    STDIN,
    Source,
    UnusableError,
    lines_of_source,
    one_source,
)
from firmware_bridge.commands.record.words import error_told, fault_told
from rules.errors import PositionFormatError, RecordError
from rules.notation.movetext import parse_moves
from rules.notation.positions import format_diagram, format_fen, parse_fen
from rules.position import START, Position, Side, Sowing
from rules.position_json import position_to_json
from rules.record.model import GameRecord, Tags

_FEN = re.compile(r"\s*\S+/\S+\s+\d+\s+\d+\s+[SNsn]\s+\d+\s*")


class Form(Enum):
    """How a position is written."""

    BOARD = "board"
    """Drawn for a terminal."""
    PRINTED = "printed"
    """Four lines, as in books."""
    FEN = "fen"
    """PlayStrategy's line."""
    JSON = "json"
    """A JSON object."""


@dataclass(frozen=True, slots=True)
class _Shown:
    """The position that is wanted.

    Attributes:
        position: It.
        number: The number of the next full move.
        last: The move that led there; None: none is known.
        tags: Who plays.
    """

    position: Position
    number: int = 1
    last: Sowing | None = None
    tags: Tags = field(default_factory=Tags)


def diagram(  # noqa: PLR0913 - each is an option of the command line
    source: Annotated[
        str | None,
        typer.Argument(help=later("record.cli.diagram_input"), metavar="INPUT", show_default=False),
    ] = None,
    *,
    fen: Annotated[str | None, typer.Option(help=later("record.cli.fen"), show_default=False)] = None,
    moves: Annotated[str | None, typer.Option(help=later("record.cli.moves"), show_default=False)] = None,
    game: GameNumber = None,
    ply: Annotated[
        str | None,
        typer.Option("--ply", help=later("record.cli.diagram_ply"), metavar="PLY", show_default=False),
    ] = None,
    form: Annotated[Form, typer.Option(help=later("record.cli.form"))] = Form.BOARD,
    bottom: Bottom = Side.BASTAUSHY,
    pit_names: PitNames = False,
    width: Width = None,
    ascii_only: Ascii = False,
) -> None:
    """Draw one position."""
    with at_the_edge():
        if source is not None and fen is not None:
            raise fail(say("record.diagram.two_sources"), EXIT_UNUSABLE)
        if source is not None or (fen is None and moves is None):
            shown = _of_input(source or STDIN, game or 1, ply)
        elif fen is not None:
            shown = _of_fen(fen)
        else:
            shown = _Shown(START)
        shown = _played(shown, moves)
        look = Look(
            width=screen_width(width),
            bottom=bottom,
            pit_names=pit_names,
            signs=signs_of_screen(ascii_only=ascii_only),
        )
        _print(shown, form, look)


def _print(shown: _Shown, form: Form, look: Look) -> None:
    if form is Form.PRINTED:
        sys.stdout.write(format_diagram(shown.position, look.bottom) + "\n")
    elif form is Form.FEN:
        sys.stdout.write(format_fen(shown.position, shown.number) + "\n")
    elif form is Form.JSON:
        sys.stdout.write(json.dumps(position_to_json(shown.position), ensure_ascii=False) + "\n")
    else:
        labels = labels_of(GameRecord(tags=shown.tags), speech.texts, pit_names=look.pit_names)
        show_lines(board_lines(shown.position, labels, look, shown.last))


def _of_fen(text: str) -> _Shown:
    try:
        return _Shown(*parse_fen(text))
    except PositionFormatError as error:
        raise fail(error_told(error), EXIT_UNUSABLE) from error


def _of_input(name: str, game: int, ply: str | None) -> _Shown:
    """Return the position of an input: a line of FEN, or a game after some ply."""
    try:
        source = one_source(name)
        lines = lines_of_source(source)
        first = next(lines, "")
        if _FEN.fullmatch(first):
            if ply is not None:
                raise fail(say("record.diagram.no_ply"), EXIT_UNUSABLE)
            return _of_fen(first)
        return _of_games(source, chain([first], lines), game, ply)
    except UnusableError as error:
        raise fail(str(error), EXIT_UNUSABLE) from error


def _of_games(source: Source, lines: chain[str], game: int, ply: str | None) -> _Shown:
    for found in read_lines(lines, source):
        if isinstance(found, UnusableError):
            raise found
        if isinstance(found, Foreign) or found.number != game:
            continue
        if not isinstance(found, Game):
            raise fail(fault_told(found), EXIT_FAILED)
        record = found.record
        plies = len(record.plies) if ply is None else ply_meant(ply, record)
        stop = record.stop(plies)
        last = record.plies[plies - 1].sowing if plies and stop.after == stop.left else None
        return _Shown(stop.after, stop.next_number, last, record.tags)
    raise fail(say("record.no_such_game", n=game), EXIT_UNUSABLE)


def _played(shown: _Shown, moves: str | None) -> _Shown:
    """Return the position after some more moves."""
    if not moves:
        return shown
    try:
        played = parse_moves(moves, shown.position)
    except RecordError as error:
        raise fail(f"--moves, {error.column}: {error_told(error)}", EXIT_UNUSABLE) from error
    if not played:
        return shown
    before = 2 * shown.number - 2 + shown.position.to_move.index
    last = played[-1].sowing
    return _Shown(last.after, (before + len(played)) // 2 + 1, last, shown.tags)
