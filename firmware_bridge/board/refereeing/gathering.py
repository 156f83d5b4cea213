"""What was seen at a table as evidence for the rulebook (pure)."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from firmware_bridge.board.hands.events import Amount, Seen, Turn, When
from firmware_bridge.layout import PITS
from rules.infractions.evidence import Evidence, Hand, Stroke
from rules.position import Position, Side


@dataclass(frozen=True, slots=True)
class PressSeen:
    """A press, with what hands held at that moment.

    Attributes:
        side: Who pressed.
        at_us: When, in table time.
        in_hand: Stones that [bastaushy, qostaushy] held, captured ones on their way among them; None: no
            cells watch the hands.
    """

    side: Side
    at_us: int
    in_hand: tuple[int, int] | None


def held_by(seen: Seen) -> tuple[int, int]:
    """Return how many stones [bastaushy, qostaushy] hold."""
    first, second = (
        sum(turn.in_hand + turn.carried for turn in seen.turns if turn.side is side) for side in Side
    )
    return first, second


def gathered(
    position: Position,
    stones: Sequence[int | None],
    seen: Seen | None,
    presses: Sequence[PressSeen],
    marks: Iterable[int],
) -> Evidence:
    """Return the evidence of a turn.

    Args:
        position: The last confirmed position.
        stones: What lies at the twenty places; None: it cannot be told.
        seen: What hands have done since; None: nobody watched them.
        presses: The presses since, oldest first.
        marks: The places on which a tuzdyk's mark was seen to be laid.
    """
    last = presses[-1] if presses else None
    return Evidence(
        before=position,
        seen=tuple(stones),
        strokes=None if seen is None or seen.unseen else strokes_of(seen.turns),
        presses=tuple(press.side for press in presses),
        in_hand=None if last is None else last.in_hand,
        marks=None if seen is None else tuple(marks),
        touched=frozenset() if seen is None else seen.touched,
        early=None if seen is None else next((turn.side for turn in seen.turns if turn.early), None),
    )


def strokes_of(turns: Iterable[Turn]) -> tuple[Stroke, ...]:
    """Return what hands did in the order of time."""
    told: list[tuple[When, Hand, int, Amount]] = []
    for turn in turns:
        told += [(item.when, Hand.LIFT, item.place, item.amount) for item in turn.lifted]
        told += [(item.when, Hand.FALL, item.place, item.amount) for item in turn.fell]
        told += [(item.when, Hand.TAKE, item.place, item.amount) for item in turn.taken_up]
        told += [(item.when, Hand.TAKE, item.place, item.amount) for item in turn.captured]
        told += [(item.when, Hand.BANK, PITS + item.kazan.index, item.amount) for item in turn.banked]
    told.sort(key=lambda item: item[0].at_us)
    return tuple(Stroke(hand, place, amount.low, amount.high) for _, hand, place, amount in told)
