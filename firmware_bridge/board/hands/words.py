"""What hands were seen to do, as lines for whoever looks into a trace (pure)."""

from __future__ import annotations

from firmware_bridge.board.hands.events import (
    Amount,
    Banked,
    Captured,
    Extra,
    Fell,
    HandRests,
    HandsEmpty,
    Lifted,
    MarkLaid,
    Missing,
    SowingEvent,
    TakenUp,
    Touched,
    Unseen,
)
from firmware_bridge.layout import PITS, place_name


def in_words(event: SowingEvent) -> str:
    """Return an event as a line; bounds are named where the number of stones is not exact."""
    match event:
        case HandsEmpty():
            return "hands are empty"
        case Missing():
            return f"{event.side.value} has pressed, missing: {_stones(event.amount)}"
        case Banked():
            return f"{_stones(event.amount)} into {place_name(PITS + event.kazan.index)}"
    return _at_a_place(event, place_name(event.place))


def _at_a_place(
    event: Lifted | Fell | TakenUp | Captured | MarkLaid | HandRests | Touched | Extra | Unseen, place: str
) -> str:
    match event:
        case Lifted():
            early = ", before the other's turn was over" if event.early else ""
            return f"{event.side.value} lifts {_stones(event.amount)} from {place}{early}"
        case Fell():
            return f"{_stones(event.amount)} into {place}"
        case TakenUp():
            why = "out of the tuzdyk" if event.tuzdyk else "again"
            return f"{event.side.value} takes {_stones(event.amount)} up {why} from {place}"
        case Captured():
            return f"{event.side.value} captures {_stones(event.amount)} from {place}"
        case MarkLaid():
            return f"a mark is laid on {place}"
        case HandRests():
            return f"something rests on {place}: {event.weight:+.1f}"
    return _of_the_place(event, place)


def _of_the_place(event: Touched | Extra | Unseen, place: str) -> str:
    match event:
        case Touched():
            return f"{place} is touched"
        case Extra():
            return f"{_stones(event.amount)} too many on {place}"
    return f"{place} cannot be read: {event.reason}"


def _stones(amount: Amount) -> str:
    exact = amount.low == amount.high
    return f"{amount.stones}" if exact else f"{amount.stones} ({amount.low}..{amount.high})"
