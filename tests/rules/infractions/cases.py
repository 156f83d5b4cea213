"""How an exact example of a fault is written down: a position, what hands did, and what is to be told.

A position is written as bastaushy's pits / qostaushy's pits / kazans / tuzdyks / who is to move. What hands
did is written stroke by stroke: a place alone for a stone that falls there, L, T and B for stones lifted,
taken and banked, `x2` for two of them.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

from rules import Position, Side
from rules.infractions.evidence import KAZANS, PLACES, Evidence, Hand, Stroke
from rules.infractions.kinds import Fault
from rules.position import board_of
from tests.rules.boards import board, turned

BAS, QOS = Side.BASTAUSHY, Side.QOSTAUSHY

_HANDS = {"L": Hand.LIFT, "T": Hand.TAKE, "B": Hand.BANK}


@dataclass(frozen=True, slots=True)
class Case:
    """An example of a fault.

    Attributes:
        fault: What was done.
        position: The position before, in one line.
        strokes: What hands did, in one line.
        articles: The articles offended against, parted by spaces.
        pit: The place that is named.
        stones: The stones that are named.
        due: The number of the pit whose sowing was due; None: none.
        presses: Who pressed; None: the player to move.
        in_hand: Stones in the players' hands at the press.
        marks: Pits on which a mark was laid.
        touched: Places touched without a change.
        early: Who lifted before the other's press.
    """

    fault: Fault
    position: str
    strokes: str
    articles: str
    pit: int | None
    stones: int | None
    due: int | None
    presses: tuple[Side, ...] | None = None
    in_hand: tuple[int, int] = (0, 0)
    marks: tuple[int, ...] = ()
    early: Side | None = None

    @property
    def before(self) -> Position:
        """The position before."""
        return position_of(self.position)

    @property
    def evidence(self) -> Evidence:
        """All that a perfect board sees of it."""
        strokes = strokes_of(self.strokes)
        return Evidence(
            before=self.before,
            seen=after(self.before, strokes),
            strokes=strokes,
            presses=(self.before.to_move,) if self.presses is None else self.presses,
            in_hand=self.in_hand,
            marks=self.marks,
            early=self.early,
        )


def position_of(text: str) -> Position:
    """Return a position written in one line."""
    first, second, kazans, tuzdyks, mover = text.split(" / ")
    banked = [int(stones) for stones in kazans.split()]
    won = [None if number == "-" else int(number) for number in tuzdyks.split()]
    return board(first, second, (banked[0], banked[1]), (won[0], won[1]), Side(mover))


def strokes_of(text: str) -> tuple[Stroke, ...]:
    """Return strokes written in one line."""
    return tuple(_stroke(word) for word in text.split())


def _stroke(word: str) -> Stroke:
    hand = _HANDS.get(word[0], Hand.FALL)
    place, _, stones = word.removeprefix(word[0] if word[0] in _HANDS else "").partition("x")
    return Stroke(hand, int(place), int(stones or 1), int(stones or 1))


def after(before: Position, strokes: tuple[Stroke, ...]) -> tuple[int, ...]:
    """Return the twenty places after hands were at work."""
    stones = list(board_of(before))
    for stroke in strokes:
        stones[stroke.place] += -stroke.low if stroke.hand.takes else stroke.low
    return tuple(stones)


def turned_evidence(evidence: Evidence) -> Evidence:
    """Return the same evidence with the players changed over."""
    held = evidence.in_hand
    return replace(
        evidence,
        before=turned(evidence.before),
        seen=tuple(evidence.seen[_across(place)] for place in range(PLACES)),
        strokes=evidence.strokes
        and tuple(replace(stroke, place=_across(stroke.place)) for stroke in evidence.strokes),
        presses=tuple(side.opponent for side in evidence.presses),
        in_hand=held and (held[1], held[0]),
        marks=evidence.marks and tuple(_across(pit) for pit in evidence.marks),
        early=evidence.early and evidence.early.opponent,
    )


def _across(place: int) -> int:
    """Return the place that lies for one player as this one does for the other."""
    return (place + 9) % 18 if place < KAZANS else 2 * KAZANS + 1 - place
