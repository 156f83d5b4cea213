"""Disputes about agreements: a draw offered twice."""

from __future__ import annotations

import pytest

from firmware_bridge.emulator.told import Press
from rules.position import Side, play
from tests.house.disputes import hands
from tests.house.disputes.arbiter import Arbiter
from tests.house.disputes.event import Event, Seat
from tests.house.disputes.holds import all_agree, outline, recorded, warned
from tests.house.disputes.table import Seated, Table

pytestmark = [pytest.mark.browser]

B, Q = Side.BASTAUSHY, Side.QOSTAUSHY


def offer_with(table: Table, number: int) -> None:
    """Let bastaushy offer a draw between his move and his press (2.6.8)."""
    sowing = play(table.position, number)
    offers = table.kinds().count("draw_offered")
    table.do(*hands.due(sowing, press=False))
    table.press_button("draw a")
    table.wait_for("draw_offered", offers + 1)
    ply = table.state()["ply"]
    table.do(Press(B))
    table.position = sowing.after
    table.sees("the ply", lambda state: state["ply"] == ply + 1)


def test_a_draw_offered_twice_asks_once_and_earns_a_warning(
    event: Event, seat: Seat, arbiter: Arbiter
) -> None:
    """The first is declined; the second asks nothing and is a disturbance (2.6.9, 2.3.9)."""
    table = seat(Seated(board="board-6", names=("Тимур Оразов", "Жанна Рахым")))
    table.sit_down()
    table.play(7, 9)
    offer_with(table, 6)
    assert "Тимур Оразов" in arbiter.finds_first("board-6", "draw")
    arbiter.taps_words("Declined")
    table.wait_for("draw_answered")
    all_agree(event, table, arbiter, "playing")
    table.play(5)
    offer_with(table, 4)
    assert table.folded().draw_open is None
    arbiter.finds_first("board-6", "infraction")
    assert "Тимур Оразов" in arbiter.reads(".view .case h2")
    arbiter.taps("[data-offer=warned]")
    table.play(4)
    game = all_agree(event, table, arbiter, "playing")
    assert (game.draw_offers, game.draw_open, game.result) == ((2, 0), None, None)
    warned(table, arbiter, (B, 1, "2.6.9"))
    arbiter.ends("1-0", "resignation")
    _, record = recorded(event, table)
    kinds = ("draw_offered", "draw_declined", "draw_accepted", "infraction", "warning")
    assert outline(record, *kinds) == [
        "2 draw_offered bastaushy",
        "3 draw_declined qostaushy",
        "4 draw_offered bastaushy",
        "4 infraction bastaushy",
        "5 warning bastaushy",
    ]
    all_agree(event, table, arbiter, "result")
