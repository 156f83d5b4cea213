"""What a referee is told of the options of an event, and what he hears of presses."""

from __future__ import annotations

from dataclasses import replace

import pytest

from firmware_bridge.board.refereeing.referee import Lying, Referee, watched
from firmware_bridge.board.watching.look import Look
from firmware_bridge.board.watching.reconciler import Differs
from rules.conduct.options import BLITZ, CLASSICAL, RAPID, Conduct
from rules.infractions.evidence import Watched
from rules.position import board_of, play
from tests.firmware_bridge.board.paper import playing
from tests.firmware_bridge.board.refereeing.turns_seen import played, seen


@pytest.mark.parametrize(
    ("conduct", "told"),
    [
        (CLASSICAL, Watched(touch_move=True, adjusting=True, grace_us=0)),
        (RAPID, Watched(touch_move=False, adjusting=False, grace_us=2_000_000)),
        (BLITZ, Watched(touch_move=False, adjusting=False, grace_us=3_000_000)),
        (Conduct(adjusting_by_hand=True), Watched(touch_move=True, adjusting=False, grace_us=0)),
    ],
)
def test_requirements_10_and_42_what_the_event_chose_is_what_is_told(conduct: Conduct, told: Watched) -> None:
    """Touch-move, adjusting by hand, and how long after the press stones may be in hand (2.7.7)."""
    assert watched(conduct) == told


def test_a_ply_behind_a_fault_may_have_been_ended_by_a_press_that_stopped_no_dial() -> None:
    """The arbiter had let the other dial run: the player pressed, and stopped nothing by it."""
    board = playing()
    board.play(1)
    board.wait(1)
    game, now_ms = board.session.game, board.now_us // 1000
    assert len(game.plies) == 1
    ply = play(game.position, 9)
    reply = play(ply.after, 2)
    skipped = list(board_of(reply.after))
    skipped[5], skipped[6] = skipped[5] - 1, skipped[6] + 1
    answered = played(reply, now_ms + 5000)
    fell = tuple(replace(fall, place=6) if fall.place == 5 else fall for fall in answered.fell)
    hands = seen(played(ply, now_ms + 500), replace(answered, fell=fell))
    referee = Referee(CLASSICAL, game)
    referee.pressed_idly(ply.side, (now_ms + 4000) * 1000, game)
    referee.pressed(reply.side, (now_ms + 9000) * 1000)
    at_us = (now_ms + 15_000) * 1000
    look = Look(at_us, at_us - 5_000_000, (), Differs((), None), (), (reply.side,))
    told = referee.judge(Lying(look, game, skipped, hands))
    assert told is not None
    assert (told.side, told.faults, referee.behind) == (reply.side, ("stone_in_neighbour",), (ply,))
