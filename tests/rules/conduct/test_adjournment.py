"""Postponing a game and taking it up again."""

from dataclasses import replace
from typing import Any

import pytest
from hypothesis import given

from rules import START, Side
from rules.conduct.adjournment import Resumption, move_binds, other_move_played, postponed, resumed
from rules.conduct.codes import Code
from rules.conduct.options import CLASSICAL, Conduct
from rules.conduct.proposal import ClockAction, Decider
from rules.conduct.sealing import seal
from tests.rules.conduct.test_sealing import SALT, TEXTS

B = Side.BASTAUSHY


def opened(text: str, written: str | None = None, conduct: Conduct = CLASSICAL, **more: Any) -> Resumption:
    """Return how a game goes on in which `written` was sealed and `text` stands in the envelope."""
    commitment = seal(text if written is None else written, SALT)
    return resumed(conduct, START, commitment, text, more.pop("salt", SALT), **more)


@pytest.mark.parametrize("decider", [Decider.ARBITER, Decider.ARBITER_WITH_CHIEF])
def test_requirement_34_only_the_panel_postpones(decider: Decider) -> None:
    """2.8.1."""
    found = postponed(decider, begun=True)
    assert (found.code, found.articles) == (Code.POSTPONED_BY_PANEL_ONLY, ("2.8.1",))
    assert (found.decider, found.clock) == (Decider.PANEL, ClockAction.KEEP)


def test_requirement_35_a_game_that_has_begun_is_postponed_with_a_sealed_move() -> None:
    """2.8.2; one that has not needs none."""
    found = postponed(Decider.PANEL, begun=True)
    assert (found.code, found.clock) == (Code.POSTPONED_WITH_SEALED_MOVE, ClockAction.STOP)
    assert found.articles == ("2.8.1", "2.8.2", "2.8.3")
    before = postponed(Decider.PANEL, begun=False)
    assert (before.code, before.clock) == (Code.POSTPONED, ClockAction.KEEP)


@pytest.mark.parametrize("text", ["7:6", "79:610", "76", " 7 : 6! "])
def test_requirement_36_the_sealed_move_is_compulsory(text: str) -> None:
    """2.8.4: read aloud, and its player's clock is started."""
    found = opened(text)
    assert (found.code, found.articles) == (Code.SEALED_MOVE_PLAYED, ("2.8.4",))
    assert (found.number, found.compulsory) == (7, True)
    assert (found.clock, found.runs, found.side) == (ClockAction.RUN, B, B)


@pytest.mark.parametrize(
    ("text", "code"),
    [
        ("7-6", Code.SEALED_MOVE_ILLEGAL),
        ("1-1", Code.SEALED_MOVE_ILLEGAL),
        ("scrawl", Code.SEALED_MOVE_UNREADABLE),
        ("", Code.SEALED_MOVE_UNREADABLE),
        ("_-_", Code.SEALED_MOVE_UNREADABLE),
        (":6", Code.SEALED_MOVE_UNREADABLE),
        ("7:", Code.SEALED_MOVE_UNREADABLE),
    ],
)
def test_requirement_36_an_illegal_or_unreadable_one_is_for_the_panel(text: str, code: Code) -> None:
    """Silent: the panel decides, or the event has chosen that it loses."""
    found = opened(text)
    assert (found.code, found.decider, found.score) == (code, Decider.PANEL, None)
    assert (found.articles, found.number, found.compulsory) == (("2.8.4", "2.4.5"), None, False)
    strict = opened(text, conduct=replace(CLASSICAL, bad_sealed_move="loses"))
    assert (strict.code, strict.decider, strict.score) == (code, Decider.PANEL, "0-1")
    assert strict.articles == ()


def test_requirement_35_a_move_that_was_not_sealed_is_not_played() -> None:
    """Nor one from an envelope that was not shown whole to both (2.8.3)."""
    for found in (
        opened("9-8", "7:6"),
        opened("7:6", salt=SALT + b"x"),
        opened("7:6", intact=False),
    ):
        assert (found.code, found.articles) == (Code.SEAL_BROKEN, ("2.8.3", "2.4.5"))
        assert (found.number, found.compulsory, found.decider) == (None, False, Decider.PANEL)


def test_requirement_36_another_move_than_the_sealed_one_is_not_free() -> None:
    """2.8.4."""
    found = other_move_played(B)
    assert (found.code, found.articles, found.side) == (Code.SEALED_MOVE_NOT_PLAYED, ("2.8.4",), B)
    bound = move_binds(B)
    assert (bound.code, bound.articles, bound.side) == (Code.SEALED_MOVE_BINDS, ("2.8.4",), B)


@given(TEXTS)
def test_whatever_was_written_a_game_can_be_resumed_with_it(text: str) -> None:
    """A move is compulsory, or the panel is asked."""
    found = opened(text)
    assert found.compulsory is (found.number is not None) is (found.decider is Decider.ARBITER)
