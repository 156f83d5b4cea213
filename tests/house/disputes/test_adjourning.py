"""A dispute about a game postponed: a sealed move, a night, and its opening."""

from __future__ import annotations

import pytest

from firmware_bridge.emulator.told import Take, Wait
from rules.conduct.sealing import opens
from rules.game import Phase
from rules.notation.moves import format_short
from rules.position import Side, play
from tests.house.disputes.arbiter import Arbiter
from tests.house.disputes.event import CHIEF, Event, Seat
from tests.house.disputes.holds import all_agree, outline, recorded, rulings, warned
from tests.house.disputes.table import QUIET_S, Seated

pytestmark = [pytest.mark.browser]

B = Side.BASTAUSHY


def test_a_sealed_move_is_kept_over_night_opened_and_played(
    event: Event, seat: Seat, arbiter: Arbiter
) -> None:
    """Only the envelope knows it (2.8.2); position and times come back, and it has to be played (2.8.4)."""
    table = seat(Seated(board="board-5", names=("Оразбек Дәулет", "Алуа Мәжит")))
    table.sit_down()
    table.play(7, 9)
    sealed = format_short(play(table.position, 6))
    arbiter.opens("board-5")
    arbiter.taps_words("Adjourn the game", confirms=False)
    arbiter.fills(sealed, "yes", "the hall closes")
    code = arbiter.reads("dialog.confirm .seal-code output")
    arbiter.confirms()
    adjourned = table.wait_for("game_adjourned")
    assert opens(adjourned["seal"], sealed, bytes.fromhex(code.replace(" ", "")))
    assert sealed not in str(table.events()[-2:])
    arbiter.sees_chip("board-5", "adjourned", "Adjourned")
    before = all_agree(event, table, arbiter, "adjourned")
    assert (before.phase, before.clock and before.clock.running) == (Phase.SUSPENDED, None)

    lay = table.position
    table.do(Take(3, table.stones[3]), Wait(QUIET_S))
    table.restart()
    table.sees("the stones that are missing", lambda state: state["watch"]["sensed"] == "differs")
    over_night = all_agree(event, table, arbiter, "adjourned")
    assert over_night.clock == before.clock

    arbiter.taps(".focus .primary", confirms=False)
    arbiter.fills(sealed, code)
    arbiter.confirms()
    opened = table.wait_for("seal_opened")
    assert (opened["number"], opened["text"], opened["by"]) == (6, sealed, CHIEF)
    arbiter.sees(".view .focus", f"Sealed move {sealed}: the player has to play pit 6")
    table.lay(lay)
    arbiter.sees(".view .focus", "lie right")
    arbiter.taps(".focus .primary")
    game = all_agree(event, table, arbiter, "playing")
    assert game.clock is not None
    assert before.clock is not None
    assert (game.clock.running, game.clock.remaining_us) == (B, before.clock.remaining_us)
    assert game.sealed_number == 6
    table.play(6)
    game = all_agree(event, table, arbiter, "playing")
    assert (game.plies[2].text, game.sealed_number, game.incidents) == (sealed, None, ())
    warned(table, arbiter)
    arbiter.ends("0-1", "resignation")
    text, record = recorded(event, table)
    assert outline(record, "suspended", "adjourned", "seal_opened", "resumed") == [
        "2 suspended",
        "2 adjourned",
        "2 seal_opened",
        "2 resumed bastaushy",
    ]
    (told,) = (words for _, _, _, words in rulings(record, "adjourned"))
    assert told == f"{adjourned['seal']}: {CHIEF}: the hall closes"
    assert sealed in text
    all_agree(event, table, arbiter, "result")
