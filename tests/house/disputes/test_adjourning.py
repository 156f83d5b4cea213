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
from tests.house.disputes.table import QUIET_S, Seated, Table

pytestmark = [pytest.mark.browser]

B = Side.BASTAUSHY
WHY = "the hall closes"
NOT_IT = "not those that were committed to"


def adjourn(table: Table, arbiter: Arbiter, sealed: str) -> tuple[str, str]:
    """Postpone the game of the board on show; return the seal, and the code that goes into the envelope."""
    arbiter.taps_words("Adjourn the game", confirms=False)
    arbiter.fills(sealed, "yes", WHY)
    code = arbiter.reads("dialog.confirm .seal-code output")
    arbiter.confirms()
    adjourned = table.wait_for("game_adjourned")
    assert opens(adjourned["seal"], sealed, bytes.fromhex(code.replace(" ", "")))
    assert sealed not in str(table.events()[-2:])
    arbiter.sees_chip(table.board, "adjourned", "Adjourned")
    return adjourned["seal"], code


def open_envelope(table: Table, arbiter: Arbiter, sealed: str, code: str) -> None:
    """Type what the envelope holds, after another move and another code have opened nothing."""
    seal = table.folded().seal
    other = f"{'0' * 8}{code.replace(' ', '')[8:]}"
    for move, typed in (("5-4", code), (sealed, other), (sealed, code)):
        arbiter.taps(".focus .primary", confirms=False)
        arbiter.fills(move, typed)
        if (move, typed) == (sealed, code):
            arbiter.confirms()
            continue
        arbiter.is_refused(NOT_IT)
        assert table.folded().seal == seal
    opened = table.wait_for("seal_opened")
    assert (opened["number"], opened["text"], opened["by"]) == (int(sealed[0]), sealed, CHIEF)
    arbiter.sees(".view .focus", f"Sealed move {sealed}: the player has to play pit {sealed[0]}")


def test_a_sealed_move_is_kept_over_night_opened_and_played(
    event: Event, seat: Seat, arbiter: Arbiter
) -> None:
    """Only the envelope knows it (2.8.2); position and times come back, and it has to be played (2.8.4)."""
    table = seat(Seated(board="board-5", names=("Оразбек Дәулет", "Алуа Мәжит")))
    table.sit_down()
    table.play(7, 9)
    lay = table.position
    sealed = format_short(play(lay, 6))
    arbiter.opens("board-5")
    seal, code = adjourn(table, arbiter, sealed)
    before = all_agree(event, table, arbiter, "adjourned")
    assert before.phase is Phase.SUSPENDED
    table.do(Take(3, table.stones[3]), Wait(QUIET_S))
    table.restart()
    table.sees("the stones that are missing", lambda state: state["watch"]["sensed"] == "differs")
    assert all_agree(event, table, arbiter, "adjourned").clock == before.clock
    open_envelope(table, arbiter, sealed, code)
    table.lay(lay)
    arbiter.resumes()
    game = all_agree(event, table, arbiter, "playing")
    assert game.clock is not None
    assert before.clock is not None
    assert (game.clock.running, game.clock.remaining_us) == (B, before.clock.remaining_us)
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
    assert [words for _, _, _, words in rulings(record, "adjourned")] == [f"{seal}: {CHIEF}: {WHY}"]
    assert sealed in text
    all_agree(event, table, arbiter, "result")
