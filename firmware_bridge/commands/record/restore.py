"""`togyz record restore`: which game a score sheet with holes can be."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from typing import Annotated

import typer

from firmware_bridge.commands.common import EXIT_FAILED, EXIT_UNUSABLE, complaints, fail, later, say, speech
from firmware_bridge.commands.record.convert import output_to
from firmware_bridge.commands.record.drawing import Line, plain, printable
from firmware_bridge.commands.record.options import Ascii, Bottom, Force, InNotation, OutputFile, Width
from firmware_bridge.commands.record.restoring import Teller
from firmware_bridge.commands.record.scoresheet import Look
from firmware_bridge.commands.record.shell import at_the_edge, screen_width, show_lines, signs_of_screen
from firmware_bridge.commands.record.sources import Source, UnusableError, lines_of_source, one_source
from firmware_bridge.commands.record.words import error_told
from rules.errors import RecordError, RecordFormatError
from rules.notation.forms import Notation
from rules.notation.moves import MoveText
from rules.notation.movetext import format_moves
from rules.position import Side, Sowing, outcome
from rules.record.model import GameRecord, RecordPly, Tags
from rules.record.text import format_record, read_records
from rules.sheets.answers import Unique
from rules.sheets.restore import restore as restored
from rules.sheets.sheet import Sheet
from rules.sheets.text import read_sheet, with_tags

MAX_SHEET = 1_000_000
"""Longest sheet in characters; honest ones have a few thousand."""


def restore(  # noqa: PLR0913 - each is an option of the command line
    sheets: Annotated[
        list[str] | None,
        typer.Argument(help=later("record.cli.sheets"), metavar="SHEET", show_default=False),
    ] = None,
    *,
    limit: Annotated[int, typer.Option(min=1, max=10_000, help=later("record.cli.limit"))] = 25,
    notation: InNotation = Notation.SHORT,
    output: OutputFile = None,
    force: Force = False,
    bottom: Bottom = Side.BASTAUSHY,
    width: Width = None,
    ascii_only: Ascii = False,
) -> None:
    """Find the missing moves of one game from its sheets."""
    words = sheets or ["-"]
    with at_the_edge(words):
        texts, read = zip(*map(_read, words), strict=True)
        names = [printable(one_source(word).name) for word in words]
        look = Look(width=screen_width(width), bottom=bottom, signs=signs_of_screen(ascii_only=ascii_only))
        try:
            # A wide gap takes a while on a small computer.
            with complaints.status(say("record.restore.searching")):
                answer = restored(*read, limit=limit)
        except ValueError as error:
            raise fail(str(error), EXIT_UNUSABLE) from error
        teller = Teller(read, names, speech.texts, look, limit=limit)
        _tell(list(teller.lines(answer)), aside=output == "-")
        if not isinstance(answer, Unique):
            if output is not None:
                fail(say("record.restore.not_written", file=output))
            raise typer.Exit(EXIT_FAILED)
        if output is None:
            moves = [MoveText(sowing) for sowing in answer.sowings]
            sys.stdout.write("\n" + format_moves(moves, notation, width=look.width) + "\n")
            return
        record = _record(answer.sowings, read, texts)
        with output_to(output, ".txt", force=force) as out:
            out.put(_text(record, notation), one_source(words[0]).stem, 1, "")


def _tell(lines: Sequence[Line], *, aside: bool) -> None:
    """Print the answer; on standard error where standard output is to have the record alone."""
    if aside:
        sys.stderr.write(plain(tuple(lines)))
    else:
        show_lines(lines)


def _read(name: str) -> tuple[str, Sheet]:
    """Return a sheet and its text, or leave with what is wrong with it."""
    source = one_source(name)
    try:
        text = _text_of(source)
        return text, read_sheet(text)
    except UnusableError as error:
        raise fail(str(error), EXIT_UNUSABLE) from error
    except RecordError as error:
        where = f"{source.name}:{error.line}:{error.column}:"
        raise fail(f"{where} {error_told(error)}", EXIT_UNUSABLE) from error


def _text_of(source: Source) -> str:
    """Return the text of a sheet.

    Raises:
        UnusableError: It cannot be read, is empty or no sheet of this world.
    """
    kept: list[str] = []
    size = 0
    for line in lines_of_source(source):
        kept.append(line)
        size += len(line)
        if size > MAX_SHEET:
            raise UnusableError(source.name, say("record.restore.long", most=MAX_SHEET))
    text = "".join(kept)
    if not text.strip():
        raise UnusableError(source.name, say("record.input.empty"))
    return text


def _record(sowings: Sequence[Sowing], sheets: Sequence[Sheet], texts: Sequence[str]) -> GameRecord:
    """Return the game with what the heads of its sheets say; the first that says something is taken."""
    tags = [_tags(text) for text in texts]
    known: dict[str, str] = {}
    other: dict[str, str] = {}
    for head in tags:
        known = {**dict(head.known()), **known}
        other = {**dict(head.other), **other}
    result = next((sheet.result for sheet in sheets if sheet.result is not None), None)
    ending = outcome(sowings[-1].after) if sowings else None
    if result is None and ending is not None:
        result = ending.score
    plies = tuple(RecordPly(MoveText(sowing)) for sowing in sowings)
    return GameRecord(tags=Tags(**known, other=tuple(other.items())), plies=plies, result=result)


def _tags(text: str) -> Tags:
    """Return the tags of a sheet; of its moves nothing needs to be sound."""
    found = next(read_records(with_tags(text).split("\n")), None)
    if found is None:
        return Tags()
    return found.tags


def _text(record: GameRecord, notation: Notation) -> str:
    try:
        return format_record(record, notation)
    except RecordFormatError as error:
        raise fail(error_told(error), EXIT_UNUSABLE) from error
