"""The list of warnings as the ladder reads it."""

from __future__ import annotations

from firmware_bridge.hall.console.event import ladder
from firmware_bridge.hall.ledger.values import Warned
from rules.conduct.ladder import next_step


def warned(taken_back: str | None) -> Warned:
    """Return a first warning of the event."""
    return Warned(
        key="b01-1-7",
        person="Айдос",
        level=1,
        board="b01",
        game="r1-b01",
        round=1,
        article="2.4.7",
        given_by="Төреші",
        reason="",
        at_ms=0,
        taken_back=taken_back,
    )


def test_a_warning_that_was_taken_back_counts_no_more() -> None:
    """The next one is again of the step that it was (2.4.8)."""
    steps = [
        next_step(ladder([warned(back)]), "Айдос", "event", round_number=1, game="r1-b01").level
        for back in (None, "қателік")
    ]
    assert steps == [2, 1]
