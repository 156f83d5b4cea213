"""What a ruling leaves to the board: the stones that are seen, and the dials as they stand."""

from __future__ import annotations

import pytest

from firmware_bridge.board.incident_inputs import Rule
from firmware_bridge.board.session.incident_rulings import NOBODY_SEES, ruled
from rules.clock import remaining_us
from rules.errors import PositionFormatError
from rules.position import START, Side, board_of, play
from tests.firmware_bridge.board.paper import playing

LYING = board_of(play(START, 7).after)


@pytest.mark.parametrize("seen", [(), (*LYING[:3], None, *LYING[4:])])
def test_what_nobody_sees_cannot_be_let_stand(seen: tuple[int | None, ...]) -> None:
    """Neither a board that nobody has looked at, nor one with a place unread (house law 6)."""
    board = playing()
    with pytest.raises(PositionFormatError) as refused:
        ruled(board.session.game, Rule(at_us=board.now_us, decision="stands", number=7), seen)
    assert (refused.value.where, refused.value.value, refused.value.expected) == (
        "position",
        "unread",
        NOBODY_SEES,
    )


def test_a_dial_that_a_ruling_does_not_name_stays_as_it_stands() -> None:
    """At the moment of the ruling; the other shows what it says."""
    board = playing()
    board.wait(3)
    game, at_us = board.session.game, board.now_us
    assert game.clock is not None
    first_us, second_us = (remaining_us(game.clock, side, at_us) for side in Side)
    assert first_us != second_us
    event = ruled(game, Rule(at_us=at_us, decision="restored"), LYING)
    assert event.remaining_us == (first_us, second_us)
    event = ruled(game, Rule(at_us=at_us, decision="restored", dials_us=(None, 5_000_000)), LYING)
    assert event.remaining_us == (first_us, 5_000_000)
