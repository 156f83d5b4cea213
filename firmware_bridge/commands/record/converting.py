"""What a record becomes in another form, and what that form cannot carry. Pure."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from enum import Enum

from rules.errors import RecordFormatError, due
from rules.notation.forms import Notation
from rules.notation.moves import MoveText
from rules.notation.movetext import format_moves
from rules.notation.positions import format_fen
from rules.position import START
from rules.record.json_form import format_record_json
from rules.record.model import POSITION_KINDS, GameRecord
from rules.record.text import format_record


class Target(Enum):
    """A form that records are converted to."""

    TEXT = "text"
    """Our own, with everything."""
    JSON = "json"
    """One JSON object a line, with everything."""
    PLAYSTRATEGY = "playstrategy"
    """Tags and moves as PlayStrategy writes them."""
    PLAYOK = "playok"
    """Tags and moves as PlayOK writes them."""
    MOVES = "moves"
    """Nothing but moves and result."""
    FEN = "fen"
    """The position at the end, one line a game."""


SUFFIX = {Target.JSON: ".json", Target.PLAYSTRATEGY: ".pgn", Target.PLAYOK: ".pgn"}
"""How files are called that hold a form; all others end in `.txt`."""

FIXED = {
    Target.PLAYSTRATEGY: Notation.PLAYSTRATEGY,
    Target.PLAYOK: Notation.TOTAL,
    Target.JSON: Notation.SHORT,
}
"""The forms that have one notation and no other."""

_FOREIGN_TAGS = (
    ("Event", "event"),
    ("Site", "city"),
    ("Date", "date"),
    ("Round", "round"),
    ("White", "bastaushy"),
    ("Black", "qostaushy"),
    ("TimeControl", "time_control"),
)
_FOREIGN_NAMES = frozenset(name for _, name in _FOREIGN_TAGS)


class Loss(Enum):
    """Something of a record that a form cannot carry."""

    CLOCKS = "clocks"
    RULINGS = "rulings"
    COMMENTS = "comments"
    JUDGEMENTS = "judgements"
    DRAW_OFFERS = "draw_offers"
    REASON = "reason"
    TAGS = "tags"
    SIGNATURES = "signatures"


@dataclass(frozen=True, slots=True)
class Converted:
    """A record in another form.

    Attributes:
        text: It, with the end of its last line.
        lost: What is not in it.
    """

    text: str
    lost: tuple[Loss, ...] = ()


def blank_of(target: Target) -> str:
    """Return what stands between two games of one file."""
    return "" if target in (Target.JSON, Target.FEN) else "\n"


def converted(
    record: GameRecord, target: Target, notation: Notation, *, diagrams: bool = True, kazans: bool = False
) -> Converted:
    """Return a record in another form.

    Only text of our own and JSON can say that an illegal sowing stands or that a position was set.

    Args:
        record: The game.
        target: The form.
        notation: How moves are written, where the form leaves a choice.
        diagrams: Whether text has a diagram after every tenth full move.
        kazans: Whether text has the mover's kazan behind every move.

    Raises:
        RecordFormatError: The record is too long for the form, or the form has no words for it.
    """
    if target is Target.JSON:
        return Converted(format_record_json(record) + "\n")
    if target is Target.TEXT:
        return Converted(format_record(record, notation, diagrams=diagrams, kazans=kazans))
    if target is Target.FEN:
        number = record.full_number(len(record.plies) + 1)
        return Converted(format_fen(record.position, number) + "\n")
    moves = _legal_moves(record, target)
    if target is Target.MOVES:
        return Converted(_moves(record, moves, notation), tuple(_lost(record, target)))
    head = "".join(f"{line}\n" for line in _foreign_head(record, target))
    bare = [MoveText(move.sowing) for move in moves]
    return Converted(f"{head}\n{_moves(record, bare, FIXED[target])}", tuple(_lost(record, target)))


def _legal_moves(record: GameRecord, target: Target) -> list[MoveText]:
    """Return the moves, each of which is played from the position that the one before it left."""
    for place, ruling in enumerate(record.rulings):
        if ruling.kind in POSITION_KINDS:
            told = f"only legal moves: {target.value} cannot say where an arbiter placed stones"
            expected = due("legal_only", told, target=target.value)
            raise RecordFormatError(f"rulings[{place}]", ruling.kind, expected)
    return [ply.move for ply in record.plies if isinstance(ply.move, MoveText)]


def _moves(record: GameRecord, moves: Sequence[MoveText], notation: Notation) -> str:
    """Return moves and result."""
    lines = format_moves(moves, notation, first=record.start_number)
    return "\n".join(filter(None, (lines, record.result or "*"))) + "\n"


def _foreign_head(record: GameRecord, target: Target) -> Iterator[str]:
    for name, field in _FOREIGN_TAGS:
        value = getattr(record.tags, field)
        if value is not None or name in ("White", "Black"):
            yield _tag(name, value or "?")
    yield _tag("Result", record.result or "*")
    if target is Target.PLAYSTRATEGY:
        yield _tag("Variant", "Togyzkumalak")
    if (record.start, record.start_number) != (START, 1):
        yield _tag("FEN", format_fen(record.start, record.start_number))


def _tag(name: str, value: str) -> str:
    escaped = value.replace("\\", "\\\\").replace('"', '\\"')
    return f'[{name} "{escaped}"]'


def _lost(record: GameRecord, target: Target) -> Iterator[Loss]:
    """Yield what a form other than ours leaves out of the record."""
    foreign = target is not Target.MOVES
    moves = [ply.move for ply in record.plies]
    names = {name for name, _ in record.tags.known()} - (_FOREIGN_NAMES if foreign else frozenset())
    losses = (
        (Loss.CLOCKS, record.remaining_ms or any(ply.clock_ms is not None for ply in record.plies)),
        (Loss.RULINGS, record.rulings),
        (Loss.COMMENTS, record.comments),
        (Loss.JUDGEMENTS, foreign and any(move.judgement for move in moves)),
        (Loss.DRAW_OFFERS, foreign and any(move.draw_offered for move in moves)),
        (Loss.REASON, record.reason),
        (Loss.TAGS, names or record.tags.other),
        (Loss.SIGNATURES, any(record.signed) or record.recorder is not None),
    )
    yield from (loss for loss, lost in losses if lost)
