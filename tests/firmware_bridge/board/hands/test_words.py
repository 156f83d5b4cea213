"""Every event of the hands has its line."""

from __future__ import annotations

from typing import get_args

import pytest

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
    When,
)
from firmware_bridge.board.hands.words import in_words
from rules.position import Side

NOW, NINE, ONE = When(1, 0, 2), Amount(9, 9, 9), Amount(1, 0, 1)
B, Q = Side.BASTAUSHY, Side.QOSTAUSHY

LINES = {
    Lifted(NOW, B, 3, NINE): "bastaushy lifts 9 from bastaushy 4",
    Lifted(NOW, Q, 9, NINE, early=True): (
        "qostaushy lifts 9 from qostaushy 1, before the other's turn was over"
    ),
    Fell(NOW, B, 4, ONE): "1 (0..1) into bastaushy 5",
    TakenUp(NOW, B, 4, ONE): "bastaushy takes 1 (0..1) up again from bastaushy 5",
    TakenUp(NOW, B, 12, NINE, tuzdyk=True): "bastaushy takes 9 up out of the tuzdyk from qostaushy 4",
    Captured(NOW, B, 17, NINE): "bastaushy captures 9 from qostaushy 9",
    Banked(NOW, B, Q, NINE, None): "9 into qostaushy kazan",
    MarkLaid(NOW, 11): "a mark is laid on qostaushy 3",
    HandRests(NOW, 18, -0.42): "something rests on bastaushy kazan: -0.4",
    Touched(NOW, 0, 3): "bastaushy 1 is touched",
    Extra(NOW, 0, NINE): "9 too many on bastaushy 1",
    Missing(NOW, Q, ONE): "qostaushy has pressed, missing: 1 (0..1)",
    Unseen(NOW, 19, "cut"): "qostaushy kazan cannot be read: cut",
    HandsEmpty(NOW): "hands are empty",
}


@pytest.mark.parametrize("event", LINES, ids=lambda event: type(event).__name__)
def test_an_event_of_the_hands_is_a_line(event: SowingEvent) -> None:
    """With bounds where the number is not exact."""
    assert in_words(event) == LINES[event]


def test_no_event_of_the_hands_is_without_a_line() -> None:
    """All kinds are above."""
    assert {type(event) for event in LINES} == set(get_args(SowingEvent))
