"""Game records as text: tags, a blank line, moves with what was noted between them, the result.

    [Bastaushy "Қалам Бастаушыұлы"]
    [Qostaushy "Қағаз Қостаушықызы"]
    [Result "1-0"]
    [Reason "resignation"]

    1. 3-2 {%clock 1:29:58 1:30:00} 9-8! {%clock 1:29:58 1:29:41}
    {%ruling warning qostaushy: spoke to a spectator}
    {A rare beginning.}
    2. 7:8= 4:4
    1-0

An illegal sowing that stands is written `7/`, or `/` where nobody knows the pit; what it left stands in the
ruling behind it. After every tenth full move stands a diagram. It follows from the rest, so it is written
anew each time and, in reading, checked pit by pit. So are kazans in brackets. The grammar, for those who
write a reader of their own, is in RECORD.md beside this file; `rules.record.notes` has what stands in
comments, `rules.record.files` where one game ends and the next begins.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

from rules.errors import RecordError, RecordFormatError, due
from rules.notation.forms import format_stood
from rules.notation.moves import Notation, format_move_text
from rules.notation.positions import format_diagram
from rules.position import Position, Side
from rules.record.check import check_record
from rules.record.files import MAX_GAME, split_games
from rules.record.model import GameRecord, RecordPly, Stood, Tags
from rules.record.notes import format_dials, format_ruling, format_words
from rules.record.reader import RecordReader
from rules.record.tags import format_tags

WIDTH = 100
"""Longest line of moves without comments, in characters."""

DIAGRAM_EVERY = 10
"""Full moves between two diagrams, as on the official sheet."""


@dataclass(frozen=True, slots=True)
class RecordFault:
    """A game of a file that could not be read.

    Attributes:
        first_line: The line of the file where it begins.
        tags: Its tags as far as they were read.
        error: What is wrong with it, and where in the file.
    """

    first_line: int
    tags: Tags
    error: RecordError


def format_record(
    record: GameRecord,
    notation: Notation = Notation.SHORT,
    *,
    diagrams: bool = True,
    kazans: bool = False,
) -> str:
    """Return the record as text that `parse_record` reads back without a difference.

    Args:
        record: The game.
        notation: How to write the moves.
        diagrams: Whether to draw the board after every tenth full move.
        kazans: Whether to write the mover's kazan behind every move.

    Raises:
        RecordFormatError: The record cannot be, or is longer than MAX_GAME characters.
    """
    check_record(record)
    tags = list(format_tags(record))
    lines = _moves(record, notation, diagrams=diagrams, kazans=kazans)
    text = "\n".join((*tags, *[""][: len(tags)], *lines, record.result or "*", ""))
    if len(text) > MAX_GAME:
        raise RecordFormatError(
            "record", len(text), due("shorter", f"a text of at most {MAX_GAME} characters", most=MAX_GAME)
        )
    return text


def parse_record(text: str) -> GameRecord:
    """Return the one game of a text, in whatever notation its moves are.

    Raises:
        RecordError: It is no record, contradicts itself or holds another game; names line, column and word.
    """
    games = split_games(text.split("\n"))
    game = next(games, None)
    if game is None or game.only_remarks:
        raise RecordError(1, 1, "", due("game", "a game: a tag, a move or a result"))
    if game.error is not None:
        raise game.error
    record = RecordReader(game).read()
    for other in games:
        if other.only_remarks:
            continue
        expected = due("one_game", "one game and no other; read_records reads many")
        raise RecordError(other.first_line, 1, other.lines[0] if other.lines else "", expected)
    return record


def read_records(lines: Iterable[str]) -> Iterator[GameRecord | RecordFault]:
    """Yield the games of a text one by one; for one that cannot be read a fault, and the next follows.

    Nothing is read beyond the line that begins the next game, and one game at a time is kept. Lines from
    somebody not trusted come best through `lines_of`. Remarks that belong to no game are passed over.

    Args:
        lines: The lines, with or without their ends.
    """
    for game in split_games(lines):
        reader = RecordReader(game)
        try:
            if game.error is not None:
                reader.read_tags()
                raise game.error
            if game.only_remarks:
                continue
            yield reader.read()
        except RecordError as error:
            yield RecordFault(game.first_line, reader.tags, error)


def format_ply(ply: RecordPly, notation: Notation = Notation.SHORT, *, with_kazan: bool = False) -> str:
    """Return a ply with what stands behind it, such as `7:6!=(10)`; `7/` if it is no legal one but stands.

    Args:
        ply: The ply.
        notation: How to write a legal move.
        with_kazan: Whether the mover's kazan stands behind a legal move.
    """
    move = ply.move
    if isinstance(move, Stood):
        return f"{format_stood(move.number)}{move.judgement}{'=' if move.draw_offered else ''}"
    return format_move_text(move, notation, with_kazan=with_kazan)


def _moves(record: GameRecord, notation: Notation, *, diagrams: bool, kazans: bool) -> Iterator[str]:
    """Yield the lines between tags and result."""
    notes = _notes(record)
    yield from notes.get(0, ())
    unit: list[str] = []
    units: list[str] = []
    before, *behind = record.course()
    for ply, (played, stop) in enumerate(zip(record.plies, behind, strict=True), 1):
        number, mover = before.next_number, played.side.index
        before = stop
        if mover == 0:
            unit.append(f"{number}.")
        elif not unit:
            unit.append(f"{number}...")
        unit.append(format_ply(played, notation, with_kazan=kazans))
        if played.clock_ms is not None:
            unit.append(f"{{%clock {format_dials(played.clock_ms)}}}")
        below = list(notes.get(ply, ()))
        if diagrams and mover == 1 and number % DIAGRAM_EVERY == 0:
            below.append(_diagram(stop.after))
        if below or mover == 1:
            units.append(" ".join(unit))
            unit = []
        if below:
            yield from _wrapped(units)
            yield from below
            units = []
    yield from _wrapped([*units, *[" ".join(unit)][: len(unit)]])


def _notes(record: GameRecord) -> dict[int, list[str]]:
    """Return rulings, then comments, by the ply they follow."""
    notes: dict[int, list[str]] = {}
    for ruling in record.rulings:
        notes.setdefault(ruling.ply, []).append(f"{{{format_ruling(ruling)}}}")
    for comment in record.comments:
        notes.setdefault(comment.ply, []).append(f"{{{format_words(comment.text)}}}")
    return notes


def _diagram(position: Position) -> str:
    return f"{{%diagram\n{format_diagram(position, Side.BASTAUSHY)}\n}}"


def _wrapped(units: Sequence[str]) -> Iterator[str]:
    """Yield lines of full moves, as many on each as fit."""
    line = ""
    for unit in units:
        longer = f"{line}  {unit}" if line else unit
        if line and len(longer) > WIDTH:
            yield line
            longer = unit
        line = longer
    if line:
        yield line
