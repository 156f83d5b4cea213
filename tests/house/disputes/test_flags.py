"""Disputes about time: a flag with exactly half of the stones, both flags, a player who comes too late."""

from __future__ import annotations

import pytest

from firmware_bridge.emulator.told import Press
from rules.position import Side
from tests.house.disputes.arbiter import Arbiter
from tests.house.disputes.event import Event, Seat
from tests.house.disputes.holds import all_agree, outline, recorded, warned
from tests.house.disputes.table import Seated

pytestmark = [pytest.mark.browser]

B, Q = Side.BASTAUSHY, Side.QOSTAUSHY
TO_HALF = (9, 3, 8, 1, 6, 3, 1, 1, 4, 1, 7, 1, 9, 1)
"""Behind these plies, found by search, bastaushy has exactly 81 stones and is to move."""


def set_dials(arbiter: Arbiter, first: str | None, second: str | None) -> None:
    """Set the dials of the board on show, as after a clock was exchanged (2.7.10)."""
    arbiter.taps_words("Set the dials", confirms=False)
    arbiter.fills(first, second)
    arbiter.confirms()


def test_a_flag_that_falls_with_exactly_half_of_the_stones_is_a_draw(
    event: Event, seat: Seat, arbiter: Arbiter
) -> None:
    """The regulations are silent about 81, `000` says a draw; and the flag must be called first."""
    table = seat(Seated(board="board-3", names=("Дәурен Қали", "Назым Әбіл")))
    table.sit_down()
    table.play(*TO_HALF)
    assert table.position.kazans == (81, 10)
    arbiter.opens("board-3")
    set_dials(arbiter, "15s", None)
    table.wait_for("flag_fell")
    assert "Дәурен Қали" in arbiter.sees_first("board-3", "flag")
    assert table.folded().result is None
    arbiter.sees(".view .focus h2", "Дәурен Қали")
    asked = arbiter.taps(".focus .primary")
    assert "1/2-1/2" in asked
    table.wait_for("game_ended")
    game = all_agree(event, table, arbiter, "result")
    assert (game.result, game.flags, game.flags_called) == ("1/2-1/2", (True, False), (True, False))
    assert arbiter.dials()[0] == "0:00.0"
    warned(table, arbiter)
    text, record = recorded(event, table)
    assert outline(record, "clock_set", "flag", "flag_called") == [
        "14 clock_set",
        "14 flag bastaushy",
        "14 flag_called bastaushy",
    ]
    assert record["remaining_ms"][0] == 0
    assert "1/2-1/2" in text


def test_of_two_fallen_flags_the_clock_knows_which_was_first(
    event: Event, seat: Seat, arbiter: Arbiter
) -> None:
    """Bastaushy's is not called, he moves on, and qostaushy's falls as well: the first decides (2.7.14)."""
    table = seat(Seated(board="board-4", names=("Серік Асан", "Ләззат Құрман")))
    table.sit_down()
    table.play(7, 9)
    arbiter.opens("board-4")
    set_dials(arbiter, "15s", "30s")
    table.wait_for("flag_fell")
    table.play(6)
    table.wait_for("flag_fell", 2)
    arbiter.sees_first("board-4", "flag")
    arbiter.sees(".view .focus h2", "Серік Асан, Ләззат Құрман")
    asked = arbiter.taps(".focus .primary")
    assert "0-1" in asked
    table.wait_for("game_ended")
    game = all_agree(event, table, arbiter, "result")
    assert (game.result, game.result_reason, game.flags, game.first_flag) == ("0-1", "flag", (True, True), B)
    assert arbiter.dials() == ("0:00.0", "0:00.0")
    warned(table, arbiter)
    _, record = recorded(event, table)
    assert outline(record, "flag", "flag_called") == [
        "2 flag bastaushy",
        "3 flag qostaushy",
        "3 flag_called bastaushy",
        "3 flag_called qostaushy",
    ]
    assert record["remaining_ms"] == [0, 0]


def test_a_player_who_is_late_by_31_minutes_has_lost(event: Event, seat: Seat, arbiter: Arbiter) -> None:
    """More than thirty minutes lose (2.7.6); who was there gets the point, and no dial has run."""
    table = seat(Seated(board="board-12", names=("Ақан Сері", "Балым Жұма"), start="arbiter"))
    table.sees("the set-up", lambda state: state["watch"]["sensed"] == "matches")
    table.do(Press(Q))
    table.wait_for("player_ready")
    assert "Ақан Сері" in arbiter.finds_first("board-12", "not_started")
    arbiter.taps_words("Late: Ақан Сері", confirms=False)
    arbiter.fills("31")
    arbiter.sees("dialog.confirm[open] .danger", "Ақан Сері loses: 0-1 (2.7.6)")
    arbiter.confirms()
    table.wait_for("game_ended")
    game = all_agree(event, table, arbiter, "result")
    assert (game.result, game.result_reason, len(game.plies)) == ("0-1", "forfeit", 0)
    assert game.clock is not None
    assert game.clock.remaining_us == (7_200_000_000, 7_200_000_000)
    warned(table, arbiter)
    text, record = recorded(event, table)
    assert (record["result"], record["reason"], record["plies"]) == ("0-1", "forfeit", [])
    assert "0-1" in text
