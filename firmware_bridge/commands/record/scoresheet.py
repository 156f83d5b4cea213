"""One game as an arbiter's sheet, in lines for a screen or a text file.

Pure: a record and the texts of a language in, lines out. What a record does not hold is worked out from its
moves: kazans after each, a board after every tenth full move, the end.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass

from rich.cells import cell_len

from firmware_bridge.commands.record.drawing import (
    UNICODE,
    Ink,
    Labels,
    Line,
    Signs,
    draw,
    fitted,
    printable,
    right,
)
from firmware_bridge.commands.record.speaking import Texts
from rules.notation.forms import Notation, format_move
from rules.position import Position, Side, Sowing
from rules.record.model import POSITION_KINDS, Dials, GameRecord, RecordPly, placed
from rules.record.text import DIAGRAM_EVERY, format_ply

_INDENT = "  "
_BLANK: Line = (("", Ink.PLAIN),)


@dataclass(frozen=True, slots=True, kw_only=True)
class Look:
    """How a sheet is to look.

    Attributes:
        width: Columns there are.
        notation: How moves are written.
        bottom: Who sits below in the boards.
        diagrams: Whether boards are drawn between the moves.
        pit_names: Whether the names of the pits are shown with the boards.
        signs: The characters of the boards.
    """

    width: int = 80
    notation: Notation = Notation.SHORT
    bottom: Side = Side.BASTAUSHY
    diagrams: bool = True
    pit_names: bool = False
    signs: Signs = UNICODE


def labels_of(record: GameRecord, texts: Texts, *, pit_names: bool) -> Labels:
    """Return the words for the boards of a game."""
    sides = [texts.of("side", side.value) for side in Side]
    names = [printable(name or "") for name in (record.tags.bastaushy, record.tags.qostaushy)]
    players = [f"{side}  {name}".rstrip() for side, name in zip(sides, names, strict=True)]
    kazan = texts.text("record.kazan")
    return Labels(
        players=(players[0], players[1]),
        kazans=(f"{kazan}: {sides[0]}", f"{kazan}: {sides[1]}"),
        to_move=texts.text("record.turn"),
        pits=tuple(texts.of("pit", str(number)) for number in range(1, 10)) if pit_names else (),
    )


def board_lines(
    position: Position, labels: Labels, look: Look, last: Sowing | None = None
) -> tuple[Line, ...]:
    """Return the board as it is to look."""
    return draw(position, labels, width=look.width, bottom=look.bottom, last=last, signs=look.signs)


def sheet_lines(record: GameRecord, texts: Texts, look: Look) -> Iterator[Line]:
    """Yield the lines of a whole game's sheet, none wider than the look allows."""
    yield from head_lines(record, texts, look.width)
    if record.plies:
        yield _BLANK
        yield from _table(record, texts, look)
    elif notes := _notes(record, texts):
        yield _BLANK
        yield from _no_ply(notes, look.width)
    yield _BLANK
    yield from _end(record, texts, look.width)


def head_lines(record: GameRecord, texts: Texts, width: int) -> Iterator[Line]:
    """Yield the head of the sheet (1.6.4): what each of its tags says."""
    rows = [(texts.of("record", name), value) for name, value in record.tags.known()]
    rows += list(record.tags.other)
    if record.recorder is not None:
        rows.append((texts.text("record.recorder"), record.recorder))
    yield from _facts(rows, width)


def ply_lines(record: GameRecord, ply: int, texts: Texts, look: Look) -> Iterator[Line]:
    """Yield the board after so many plies, and the last move in words.

    Args:
        record: The game.
        ply: 0, the start, to the number of its plies.
        texts: The texts of a language.
        look: How it is to look.
    """
    labels = labels_of(record, texts, pit_names=look.pit_names)
    if ply == 0:
        yield from board_lines(record.stop(0).after, labels, look)
        return
    played, stop = record.plies[ply - 1], record.stop(ply)
    way = played.sowing if stop.after == stop.left else None
    yield from board_lines(stop.after, labels, look, way)
    yield _BLANK
    said = f"{_reference(record, ply)} {_move(played, look.notation)}"
    if played.sowing is not None:
        said += f": {way_told(played.sowing, texts)}"
    yield from _wrapped(said, look.width, Ink.PLAIN)
    for note in _notes(record, texts, POSITION_KINDS).get(ply, ()):
        yield from _wrapped(note, look.width, Ink.WAY)


def way_told(sowing: Sowing, texts: Texts) -> str:
    """Return in words what a move did."""
    side = texts.of("side", sowing.side.value)
    row = sowing.side if sowing.last_index // 9 == sowing.side.index else sowing.side.opponent
    parts = [
        texts.plural("record.way.lifted", sowing.stones, side=side, pit=sowing.number),
        texts.text("record.way.last", pit=sowing.last_number, side=texts.of("side", row.value)),
    ]
    if sowing.tuzdyk is not None:
        parts.append(texts.text("record.way.tuzdyk", pit=sowing.tuzdyk))
    elif sowing.captured:
        parts.append(texts.plural("record.way.taken", sowing.captured))
    parts.append(texts.text("record.way.kazan", kazan=sowing.after.kazans[sowing.side.index]))
    return ", ".join(parts)


def _table(record: GameRecord, texts: Texts, look: Look) -> Iterator[Line]:
    """Yield the moves in two columns, with what was noted and the boards between them."""
    clocks = any(ply.clock_ms is not None for ply in record.plies)
    moves = [_move(ply, look.notation) for ply in record.plies]
    heads = [texts.of("side", side.value) for side in Side]
    measure = _Measure(max(map(cell_len, (*moves, *heads))), texts, clocks=clocks)
    yield measure.head(heads)
    notes = _notes(record, texts)
    labels = labels_of(record, texts, pit_names=look.pit_names)
    yield from _no_ply(notes, look.width)
    stops = list(record.course())
    placings = {ruling.ply for ruling in record.rulings if ruling.kind in POSITION_KINDS}
    ply = 1
    while ply <= len(record.plies):
        number = stops[ply - 1].next_number
        first = ply
        cells = ["", ""]
        while ply <= len(record.plies) and stops[ply - 1].next_number == number:
            played = record.plies[ply - 1]
            cells[played.side.index] = measure.half(moves[ply - 1], played, stops[ply].left)
            ply += 1
        yield measure.row(number, cells)
        for noted in range(first, ply):
            for note in notes.get(noted, ()):
                yield from _wrapped(f"{_reference(record, noted)} {note}", look.width, Ink.WAY, hang=7)
        tenth = number % DIAGRAM_EVERY == 0 and record.plies[ply - 2].side is Side.QOSTAUSHY
        if look.diagrams and (tenth or not placings.isdisjoint(range(first, ply))):
            yield _BLANK
            yield from board_lines(stops[ply - 1].after, labels, look)
            if ply <= len(record.plies):
                yield _BLANK


class _Measure:
    """The columns of the table of moves."""

    def __init__(self, move: int, texts: Texts, *, clocks: bool) -> None:
        self._move = max(move, 8)
        self._kazan_head, self._clock_head = texts.text("record.kazan"), texts.text("record.clock")
        self._kazan = max(cell_len(self._kazan_head), 3) + 1
        self._clock = max(cell_len(self._clock_head), 7) + 1 if clocks else 0

    def head(self, sides: Sequence[str]) -> Line:
        """Return the line of the columns' names."""
        halves = [
            fitted(side, self._move)
            + right(self._kazan_head, self._kazan)
            + (right(self._clock_head, self._clock) if self._clock else "")
            for side in sides
        ]
        return ((f"{_INDENT}     " + "  ".join(halves), Ink.PLAYER),)

    def half(self, move: str, ply: RecordPly, left: Position) -> str:
        """Return one player's part of a row; `left` is what his move left on the board."""
        kazan = f"{left.kazans[ply.side.index]:>{self._kazan}}"
        shown = clock_said(None if ply.clock_ms is None else ply.clock_ms[ply.side.index])
        return fitted(move, self._move) + kazan + (right(shown, self._clock) if self._clock else "")

    def row(self, number: int, cells: Sequence[str]) -> Line:
        """Return the row of a full move; an empty cell is a move that was not played."""
        half = self._move + self._kazan + self._clock
        first = cells[0] or fitted("...", half)
        return ((f"{_INDENT}{number:>3}. ", Ink.NUMBER), (f"{first}  {cells[1]}", Ink.PLAIN))


def _notes(record: GameRecord, texts: Texts, kinds: Collection[str] = ()) -> dict[int, list[str]]:
    """Return what was ruled and remarked, in words, by the ply it follows; `kinds`: only such rulings."""
    notes: dict[int, list[str]] = {}
    for ruling in record.rulings:
        if kinds and ruling.kind not in kinds:
            continue
        what = texts.of("ruling", ruling.kind)
        whom = "" if ruling.side is None else f" ({texts.of('side', ruling.side.value)})"
        said = placed(ruling).words if ruling.kind in POSITION_KINDS else ruling.text
        words = f": {_reason_said(said, texts)}" if said else ""
        notes.setdefault(ruling.ply, []).append(f"{what}{whom}{words}")
    for comment in () if kinds else record.comments:
        quoted = texts.text("record.fault.word", word=printable(comment.text))
        notes.setdefault(comment.ply, []).append(quoted)
    return notes


def _reason_said(ruling: str, texts: Texts) -> str:
    """Return the text of a ruling, with codes at its beginning or its end in words: `+1m: arbiter`."""
    first, *rest = ruling.split(": ")
    parts = [
        _code_said(
            first, ("ruled", "fault") if rest else ("ruled", "fault", "reason", "pause", "side"), texts
        )
    ]
    parts += [_code_said(part, ("side",), texts) for part in rest[:-1]]
    parts += [_code_said(part, ("reason", "pause", "side"), texts) for part in rest[-1:]]
    return ": ".join(parts)


def _code_said(code: str, families: Sequence[str], texts: Texts) -> str:
    """Return a code in the words of the first family that knows it; anything else as it is."""
    known = next((family for family in families if texts.knows(f"{family}.{code}")), None)
    return printable(code) if known is None else texts.of(known, code)


def _no_ply(notes: dict[int, list[str]], width: int) -> Iterator[Line]:
    for note in notes.get(0, ()):
        yield from _wrapped(note, width, Ink.WAY, hang=7)


def _end(record: GameRecord, texts: Texts, width: int) -> Iterator[Line]:
    """Yield how the game ended, and what was written down about that."""
    rows = [(texts.text("record.result"), result_said(record, texts))]
    kazans = record.final_kazans
    rows.append((texts.text("record.kazan"), f"{kazans[0]} : {kazans[1]}"))
    if record.remaining_ms is not None:
        rows.append((texts.text("record.remaining"), dials_said(record.remaining_ms)))
    if any(record.signed):
        signed = [texts.of("side", side.value) for side in Side if record.signed[side.index]]
        rows.append((texts.text("record.signed"), ", ".join(signed)))
    yield from _facts(rows, width)


def result_said(record: GameRecord, texts: Texts) -> str:
    """Return the result of a game with its reason, or who is to move."""
    score, reason = record.result, record.reason
    ending = record.outcome
    if score is None and ending is not None:
        score, reason = ending.score, reason or ending.reason.value
    elif reason is None and ending is not None:
        reason = ending.reason.value
    if score is None:
        side = texts.of("side", record.position.to_move.value)
        return texts.text("record.unfinished", side=side)
    winner = {"1-0": "bastaushy", "0-1": "qostaushy"}.get(score, "draw")
    said = f"{score} – {texts.of('result', winner)}"
    if reason is None:
        return said
    known = texts.of("reason", reason) if texts.knows(f"reason.{reason}") else printable(reason)
    return f"{said} ({known})"


def clock_said(shown_ms: int | None) -> str:
    """Return what a dial shows, whole seconds; a dash where nobody knows."""
    if shown_ms is None:
        return "–"
    seconds = shown_ms // 1000
    return f"{seconds // 3600}:{seconds // 60 % 60:02}:{seconds % 60:02}"


def dials_said(dials: Dials) -> str:
    """Return what both dials show."""
    return " – ".join(map(clock_said, dials))


def _move(ply: RecordPly, notation: Notation) -> str:
    if notation is Notation.TOTAL and ply.sowing is not None:  # its kazan has a column of its own
        return f"{format_move(ply.sowing, notation)}{ply.move.judgement}{'=' * ply.move.draw_offered}"
    return format_ply(ply, notation)


def _reference(record: GameRecord, ply: int) -> str:
    side = record.plies[ply - 1].side
    return f"{record.full_number(ply)}{'.' if side is Side.BASTAUSHY else '...'}"


def _facts(rows: Sequence[tuple[str, str]], width: int) -> Iterator[Line]:
    """Yield rows of a name and what it says, the second column under itself."""
    room = max((cell_len(name) for name, _ in rows), default=0)
    room = min(room, width // 3)
    for name, value in rows:
        columns = width - len(_INDENT) - room - 2
        for place, part in enumerate(wrap(printable(value), columns)):
            left = fitted(printable(name), room) if place == 0 else " " * room
            yield ((f"{_INDENT}{left}  ", Ink.PLAYER), (part, Ink.PLAIN))


def _wrapped(text: str, width: int, ink: Ink, hang: int = 2) -> Iterator[Line]:
    for part in wrap(text, width - hang):
        yield ((" " * hang + part, ink),)


def wrap(text: str, columns: int) -> list[str]:
    """Return a text in lines of at most so many columns, one at least; words too long are cut."""
    lines = [""]
    for long_word in text.split():
        word = long_word
        if lines[-1] and cell_len(lines[-1]) + 1 + cell_len(word) > columns:
            lines.append("")
        while cell_len(word) > columns:
            head = _front(word, columns)
            lines[-1:] = [head, ""]
            word = word[len(head) :]
        lines[-1] += f" {word}" if lines[-1] else word
    return lines if lines[-1] or len(lines) == 1 else lines[:-1]


def _front(word: str, columns: int) -> str:
    """Return as much of a word as fits, one character at least."""
    size = 1
    while size < len(word) and cell_len(word[: size + 1]) <= columns:
        size += 1
    return word[:size]
