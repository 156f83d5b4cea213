"""Disputes about hands and clock: a pit only touched, a press without a move, a mark laid wrongly."""

from __future__ import annotations

import pytest

from firmware_bridge.emulator.breaches import Breach
from firmware_bridge.emulator.told import Mark, Press, Wait
from rules.position import Side, play
from tests.house.disputes.arbiter import Arbiter
from tests.house.disputes.event import Event, Seat
from tests.house.disputes.holds import all_agree, outline, recorded, warned
from tests.house.disputes.table import QUIET_S, Seated

pytestmark = [pytest.mark.browser]

B, Q = Side.BASTAUSHY, Side.QOSTAUSHY
TO_A_TUZDYK = (1, 3, 2)
"""Behind these plies qostaushy wins a tuzdyk with his pit 1."""


def test_who_lifts_a_pit_and_plays_another_is_warned_and_plays_the_one_he_touched(
    event: Event, seat: Seat, arbiter: Arbiter
) -> None:
    """His ply is taken back, the stones and his dial with it (1.3.4), and the pit he lifted is played."""
    table = seat(Seated(board="board-2", names=("Нұрлан Бек", "Айгүл Сапар")))
    table.sit_down()
    table.play(7, 9)
    before = table.position
    table.play_unseen(6, Breach.TOUCH_MOVE_BROKEN)
    seen = table.wait_for("infraction_seen")
    touched = seen["evidence"]["faults"][0]["places"]
    arbiter.finds_first("board-2", "infraction")
    assert "lifted" in arbiter.reads(".view .case h2")
    arbiter.taps("[data-offer=restored]")
    table.lay(before)
    arbiter.resumes()
    game = all_agree(event, table, arbiter, "playing")
    assert (len(game.plies), game.clock and game.clock.running) == (2, B)
    table.play(touched[0] + 1)
    game = all_agree(event, table, arbiter, "playing")
    assert game.plies[2].number == touched[0] + 1
    warned(table, arbiter, (B, 1, "1.3.4"))
    arbiter.ends("0-1", "resignation")
    _, record = recorded(event, table)
    assert outline(record, "infraction", "suspended", "taken_back", "restored", "warning", "resumed") == [
        "2 infraction bastaushy",
        "2 suspended",
        "2 taken_back",
        "2 restored bastaushy",
        "2 warning bastaushy",
        "2 resumed bastaushy",
    ]
    all_agree(event, table, arbiter, "result")


def test_who_presses_without_a_move_gets_his_dial_back_and_a_warning(
    event: Event, seat: Seat, arbiter: Arbiter
) -> None:
    """The opponent's dial has run for nothing (2.7.9): the position before holds, and the mover moves."""
    table = seat(Seated(board="board-7", names=("Жандос Тілеу", "Сәния Омар")))
    table.sit_down()
    table.play(7)
    table.do(Press(Q))
    table.wait_for("infraction_seen")
    arbiter.finds_first("board-7", "infraction")
    arbiter.sees(".view .case h2", "pressed the clock without a move")
    arbiter.taps("[data-offer=restored]")
    arbiter.resumes()
    game = all_agree(event, table, arbiter, "playing")
    assert game.clock is not None
    assert (game.clock.running, len(game.plies), game.pending_presses) == (Q, 1, ())
    table.play(9)
    all_agree(event, table, arbiter, "playing")
    warned(table, arbiter, (Q, 1, "2.7.9"))
    arbiter.ends("1-0", "resignation")
    _, record = recorded(event, table)
    assert [ply["move"] for ply in record["plies"]] == ["7:6", "9-8"]
    assert outline(record, "infraction", "suspended", "restored", "warning", "resumed") == [
        "1 infraction qostaushy",
        "1 suspended",
        "1 restored qostaushy",
        "1 warning qostaushy",
        "1 resumed qostaushy",
    ]
    all_agree(event, table, arbiter, "result")


def test_a_mark_laid_on_the_wrong_pit_is_moved_to_the_tuzdyk(
    event: Event, seat: Seat, arbiter: Arbiter
) -> None:
    """The ply holds, the mark is carried, and nobody takes the mark for stones."""
    table = seat(Seated(board="board-11", names=("Болат Кенже", "Зере Нұр")))
    table.sit_down()
    table.play(*TO_A_TUZDYK)
    won = play(table.position, 1)
    table.play_unseen(1, Breach.TUZDYK_MARK_WRONG)
    seen = table.wait_for("infraction_seen")
    (wrong,) = (each["pit"] for each in seen["evidence"]["faults"] if each["fault"] == "tuzdyk_mark_wrong")
    arbiter.finds_first("board-11", "infraction")
    arbiter.sees(".view .case h2", "laid no mark on the tuzdyk in pit 1")
    arbiter.sees(".view .case .also", "laid a mark on pit")
    arbiter.taps("[data-offer=corrected]")
    table.do(Mark(wrong, on=False), Mark(won.last_index), Wait(QUIET_S))
    table.sees("the mark lies right", lambda state: state["watch"]["sensed"] == "matches")
    arbiter.resumes()
    game = all_agree(event, table, arbiter, "playing")
    assert game.position == won.after
    table.play(9)
    all_agree(event, table, arbiter, "playing")
    warned(table, arbiter, (Q, 1, "1.4.2"))
    arbiter.ends("0-1", "resignation")
    text, _ = recorded(event, table)
    assert "1x" in text or "1:1x" in text
    all_agree(event, table, arbiter, "result")
