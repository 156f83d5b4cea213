"""The list of warnings as the ladder reads it."""

from __future__ import annotations

from firmware_bridge.hall.console.attention import Infraction
from firmware_bridge.hall.console.event import ladder
from firmware_bridge.hall.console.views import faults_of
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


def test_what_people_said_against_the_rules_has_its_articles_and_an_unknown_code_has_none() -> None:
    """A warning for it names the article; nothing is made up for a code of a later version."""
    said = Infraction(1, "bastaushy", ("repeated_draw_offer", "of_later"), {}, 0, 0)
    told = {"offender": "bastaushy", "pit": None, "stones": None}
    assert faults_of(said) == [
        {"fault": "repeated_draw_offer", **told, "articles": ["2.6.9", "2.3.9"]},
        {"fault": "of_later", **told, "articles": []},
    ]


def test_a_warning_that_was_taken_back_counts_no_more() -> None:
    """The next one is again of the step that it was (2.4.8)."""
    steps = [
        next_step(ladder([warned(back)]), "Айдос", "event", round_number=1, game="r1-b01").level
        for back in (None, "қателік")
    ]
    assert steps == [2, 1]
