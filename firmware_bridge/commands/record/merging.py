"""Several records of one game made into one. Pure.

What only one says is taken; what they say alike is taken; a moment where they contradict each other is a
`Conflict`, and who is to be believed must be said. A record that ends earlier contradicts nothing: a player
short of time may stop writing (2.3.5).
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import TypeVar

from rules.notation.forms import format_short, format_stood
from rules.notation.moves import Judgement
from rules.notation.positions import format_fen
from rules.position import Position, Sowing
from rules.record.model import (
    MAX_COMMENT,
    POSITION_KINDS,
    Comment,
    Dials,
    GameRecord,
    RecordPly,
    Ruling,
    Stood,
    Tags,
    placed,
)

_T = TypeVar("_T")


@dataclass(frozen=True, slots=True)
class Conflict:
    """Two records that contradict each other.

    Attributes:
        ply: After how many plies of the game; None: in what is said about the whole game.
        what: The part: the field of a tag, or `start`, `move`, `position`, `judgement`, `clock`, `result`,
            `reason`, `remaining`.
        first: What the records before say.
        second: What the next record says.
        record: Which record that is, from 0.
    """

    ply: int | None
    what: str
    first: str
    second: str
    record: int


@dataclass(frozen=True, slots=True)
class Merged:
    """What came of it.

    Attributes:
        record: The one record.
        conflicts: What was decided for it, in favour of whom was asked for.
    """

    record: GameRecord
    conflicts: tuple[Conflict, ...]


def merge_records(records: Sequence[GameRecord], *, second: bool = False) -> Merged:
    """Return one record of all, and every contradiction; in each one side was taken.

    Args:
        records: At least one, all of the same game.
        second: True: the later record is believed; False: the earlier one.
    """
    conflicts: list[Conflict] = []
    merged = records[0]
    for number, record in enumerate(records[1:], 1):
        merger = _Merger(number, second=second)
        merged = merger.merge(merged, record)
        conflicts += merger.conflicts
    return Merged(merged, tuple(conflicts))


def with_remarks(merged: Merged, remark: Callable[[Conflict], str]) -> GameRecord:
    """Return the record with a comment for every decision, at its place.

    Args:
        merged: The record and what was decided.
        remark: Puts a decision into words.
    """
    record = merged.record
    comments = [
        Comment(min(one.ply or 0, len(record.plies)), remark(one)[:MAX_COMMENT]) for one in merged.conflicts
    ]
    return replace(record, comments=_in_order((*record.comments, *comments)))


class _Merger:
    """Merges two records and keeps what they contradict each other about."""

    def __init__(self, number: int, *, second: bool) -> None:
        self.conflicts: list[Conflict] = []
        self._number, self._second = number, second

    def merge(self, first: GameRecord, second: GameRecord) -> GameRecord:
        """Return what both say."""
        if (first.start, first.start_number) != (second.start, second.start_number):
            said = (f"{record.start} ({record.start_number})" for record in (first, second))
            self._conflict(0, "start", *said)
            return second if self._second else first
        if _placings(first, 0) != _placings(second, 0):
            self._conflict(0, "position", _placed_said(first, 0), _placed_said(second, 0))
            return second if self._second else first
        plies, agreed = self._plies(first, second)
        # What was noted on a way that is not the game's is left out with that way.
        parted = agreed < min(len(first.plies), len(second.plies))
        mosts = [agreed if parted and other else len(plies) for other in (self._second, not self._second)]
        records = tuple(zip((first, second), mosts, strict=True))
        comments = [note for one, ply in records for note in one.comments if note.ply <= ply]
        remaining = self._dials(None, "remaining", first.remaining_ms, second.remaining_ms)
        return replace(
            first,
            tags=self._tags(first.tags, second.tags),
            plies=plies,
            rulings=_in_order(_rulings(records)),
            comments=_in_order(comments),
            result=self._either(None, "result", first.result, second.result),
            reason=self._either(None, "reason", first.reason, second.reason),
            remaining_ms=remaining,
            recorder=_both_names(first.recorder, second.recorder),
            signed=(first.signed[0] or second.signed[0], first.signed[1] or second.signed[1]),
        )

    def _plies(self, first: GameRecord, second: GameRecord) -> tuple[tuple[RecordPly, ...], int]:
        """Return the moves, from where they part those of the record that is believed, and how many agree."""
        plies: list[RecordPly] = []
        believed = second.plies if self._second else first.plies
        for ply, (one, other) in enumerate(zip(first.plies, second.plies, strict=False), 1):
            if _played(one) != _played(other):
                self._conflict(ply, "move", _bare(one), _bare(other))
                return (*plies, *believed[ply - 1 :]), ply - 1
            if not _placed_alike(first, second, ply):
                self._conflict(ply, "position", _placed_said(first, ply), _placed_said(second, ply))
                return (*plies, *believed[ply - 1 :]), ply - 1
            plies.append(self._ply(ply, one, other))
        return (*plies, *max(first.plies, second.plies, key=len)[len(plies) :]), len(plies)

    def _ply(self, ply: int, first: RecordPly, second: RecordPly) -> RecordPly:
        marks = (first.move.judgement or None, second.move.judgement or None)
        judgement: Judgement = self._either(ply, "judgement", *marks) or ""
        offered = first.move.draw_offered or second.move.draw_offered
        move = replace(first.move, judgement=judgement, draw_offered=offered)
        return RecordPly(move, self._dials(ply, "clock", first.clock_ms, second.clock_ms))

    def _dials(self, ply: int | None, what: str, first: Dials | None, second: Dials | None) -> Dials | None:
        if first is None or second is None:
            return first or second
        return (
            self._either(ply, what, first[0], second[0]),
            self._either(ply, what, first[1], second[1]),
        )

    def _tags(self, first: Tags, second: Tags) -> Tags:
        one, other = dict(first.known()), dict(second.known())
        names = dict.fromkeys((*one, *other))
        known = {name: self._either(None, name, one.get(name), other.get(name)) for name in names}
        mine, theirs = dict(first.other), dict(second.other)
        kept = {
            name: self._either(None, name, mine.get(name), theirs.get(name))
            for name in dict.fromkeys((*mine, *theirs))
        }
        pairs = tuple((name, value) for name, value in kept.items() if value is not None)
        return Tags(**known, other=pairs)

    def _either(self, ply: int | None, what: str, first: _T | None, second: _T | None) -> _T | None:
        if first is None or second is None:
            return second if first is None else first
        if first == second:
            return first
        self._conflict(ply, what, str(first), str(second))
        return second if self._second else first

    def _conflict(self, ply: int | None, what: str, first: str, second: str) -> None:
        self.conflicts.append(Conflict(ply, what, first, second, self._number))


def _played(ply: RecordPly) -> Sowing | Stood:
    """Return what was played, without what somebody thought of it."""
    move = ply.move
    return Stood(move.side, move.number) if isinstance(move, Stood) else move.sowing


def _bare(ply: RecordPly) -> str:
    """Return what was played as text."""
    move = ply.move
    return format_stood(move.number) if isinstance(move, Stood) else format_short(move.sowing)


def _placings(record: GameRecord, ply: int) -> list[Position]:
    """Return where rulings behind a ply placed the stones, in order."""
    return [
        placed(ruling).position
        for ruling in record.rulings
        if ruling.ply == ply and ruling.kind in POSITION_KINDS
    ]


def _placed_alike(first: GameRecord, second: GameRecord, ply: int) -> bool:
    """Return whether rulings behind a ply do not contradict; who wrote no more may have noted none."""
    one, other = _placings(first, ply), _placings(second, ply)
    if ply == len(second.plies) and len(other) < len(one):
        return one[: len(other)] == other
    if ply == len(first.plies) and len(one) < len(other):
        return other[: len(one)] == one
    return one == other


def _placed_said(record: GameRecord, ply: int) -> str:
    """Return where the stones lie behind a ply."""
    stop = record.stop(ply)
    return format_fen(stop.after, stop.next_number)


def _rulings(records: Sequence[tuple[GameRecord, int]]) -> list[Ruling]:
    """Return the rulings of two records up to a ply each; those that place stones from who tells more."""
    of_each = [[ruling for ruling in record.rulings if ruling.ply <= most] for record, most in records]
    one, other = (Counter(it.ply for it in rulings if it.kind in POSITION_KINDS) for rulings in of_each)
    first = [it for it in of_each[0] if it.kind not in POSITION_KINDS or one[it.ply] >= other[it.ply]]
    second = [it for it in of_each[1] if it.kind not in POSITION_KINDS or other[it.ply] > one[it.ply]]
    return [*first, *second]


_N = TypeVar("_N", Ruling, Comment)


def _in_order(notes: Sequence[_N]) -> tuple[_N, ...]:
    """Return notes by their ply, each once."""
    return tuple(sorted(dict.fromkeys(notes), key=lambda note: note.ply))


def _both_names(first: str | None, second: str | None) -> str | None:
    names = dict.fromkeys(name for name in (first, second) if name)
    return "; ".join(names) or None
