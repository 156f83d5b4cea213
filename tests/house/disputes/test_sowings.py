"""Disputes about stones: a capture missed or banked wrongly, a sowing that stands, stones spilled."""

from __future__ import annotations

import pytest

from firmware_bridge.emulator.offences import Offence
from firmware_bridge.emulator.told import Lay, Take, Wait
from rules.game import Phase
from rules.notation.moves import format_short
from rules.position import START, Position, Side, board_of, play
from tests.house.disputes.arbiter import Arbiter
from tests.house.disputes.event import Event, Seat
from tests.house.disputes.holds import all_agree, outline, recorded, warned
from tests.house.disputes.table import QUIET_S, Seated

pytestmark = [pytest.mark.browser]

B, Q = Side.BASTAUSHY, Side.QOSTAUSHY
DUE = play(START, 7)
"""7:6: ten stones are won in pit 6."""
SEEN = ".view figure[data-picture=seen] [data-place='{}'] .change"


def as_it_lies(position: Position, *changes: tuple[int, int]) -> Position:
    """Return a position with stones more or less at some places."""
    stones = [*board_of(position)]
    for place, more in changes:
        stones[place] += more
    return Position(tuple(stones[:18]), (stones[18], stones[19]), position.tuzdyks, position.to_move)


def test_a_missed_capture_is_noticed_two_plies_later(event: Event, seat: Seat, arbiter: Arbiter) -> None:
    """Too late to be claimed (94): it stands, the two plies behind it are entered, and the game goes on."""
    table = seat(Seated(board="board-1", names=("Айдос Сейітов", "Әсел Тұрсын")))
    table.sit_down()
    table.play_unseen(7, Offence.CAPTURE_NOT_TAKEN)
    table.wait_for("infraction_seen")
    table.position = left = as_it_lies(DUE.after, (14, 10), (18, -10))
    since = [format_short(table.play_unseen(number)) for number in (9, 1)]
    table.press_button("call b")
    assert "did not take 10 stones from pit 6" in arbiter.finds_first("board-1", "infraction")
    assert arbiter.reads(SEEN.format(14)) == "\N{MINUS SIGN}10"
    arbiter.sees(".view .case .advice", "Claimed too late")
    asked = arbiter.taps(".case .primary[data-offer=stands]")
    assert "Let it stand" in asked
    table.sees("the sowing that stands", lambda state: state["ply"] == 1)
    arbiter.taps_words("Enter moves", confirms=False)
    arbiter.fills(" ".join(since))
    arbiter.confirms()
    table.sees("what lies there", lambda state: state["ply"] == 3 and state["watch"]["sensed"] == "matches")
    arbiter.sees_first("board-1", "called")
    arbiter.taps_words("I have come")
    table.play(2)
    game = all_agree(event, table, arbiter, "playing")
    assert game.plies[0].stood
    assert game.plies[0].after == left
    assert [ply.text for ply in game.plies] == ["7/", *since, "2:2"]
    warned(table, arbiter)
    arbiter.ends("1-0", "resignation")
    text, record = recorded(event, table)
    assert outline(record, "infraction", "illegal_stands", "move_by_arbiter") == [
        "0 infraction bastaushy",
        "1 illegal_stands bastaushy",
        "2 move_by_arbiter qostaushy",
        "3 move_by_arbiter bastaushy",
    ]
    assert "1. 7/" in text
    all_agree(event, table, arbiter, "result")


def test_captured_stones_put_into_the_wrong_kazan_are_carried_to_the_right_one(
    event: Event, seat: Seat, arbiter: Arbiter
) -> None:
    """The clocks stand meanwhile, nobody loses time, and the first warning is in the list of the event."""
    table = seat(Seated(board="board-9", names=("Ерлан Мұрат", "Дана Оспан")))
    table.sit_down()
    table.play_unseen(7, Offence.CAPTURED_TO_OPPONENT)
    table.wait_for("infraction_seen")
    arbiter.finds_first("board-9", "infraction")
    assert "kazan" in arbiter.reads(".view .case h2")
    assert arbiter.reads(SEEN.format(19)) == "\N{MINUS SIGN}10"
    assert arbiter.reads(SEEN.format(18)) == "+10"
    arbiter.taps("[data-offer=corrected]")
    ruled = table.wait_for("position_ruled")
    arbiter.sees_chip("board-9", "put_right", "Being put right")
    assert table.folded().phase is Phase.SUSPENDED
    table.lay(DUE.after)
    arbiter.resumes()
    game = all_agree(event, table, arbiter, "playing")
    assert game.clock is not None
    assert game.clock.running is Q
    assert [*game.plies[0].clock_after_us] == [*game.clock.remaining_us] == ruled["remaining_us"]
    resumed = table.wait_for("game_resumed")
    assert (resumed["running"], resumed["by"]) == ("qostaushy", "Сәуле")
    table.play(9)
    all_agree(event, table, arbiter, "playing")
    warned(table, arbiter, (B, 1, "1.1.2"))
    arbiter.ends("0-1", "resignation")
    text, record = recorded(event, table)
    assert [ply["move"] for ply in record["plies"]] == ["7:6", "9-8"]
    assert outline(record, "infraction", "suspended", "corrected", "warning", "resumed") == [
        "0 infraction bastaushy",
        "0 suspended",
        "1 corrected bastaushy",
        "1 warning bastaushy",
        "1 resumed qostaushy",
    ]
    assert record["plies"][0]["clock_ms"] == [ms // 1000 for ms in ruled["remaining_us"]]
    assert "1. 7:6" in text
    all_agree(event, table, arbiter, "result")


def test_an_illegal_sowing_that_both_let_stand_holds_and_the_game_goes_on(
    event: Event, seat: Seat, arbiter: Arbiter
) -> None:
    """The record says that it was illegal and stands; everything behind it is played from what lies there."""
    table = seat(Seated(board="board-10", names=("Бауыржан Қайрат", "Гүлнар Әлі")))
    table.sit_down()
    table.play_unseen(7, Offence.SKIPPED_PIT, seed=3)
    seen = table.wait_for("infraction_seen")
    lies = table.stones
    arbiter.finds_first("board-10", "infraction")
    asked = arbiter.taps("[data-offer=stands]")
    assert "Let it stand" in asked
    assert seen["faults"][0] == "stone_skipped"
    table.sees("it stands", lambda state: state["ply"] == 1)
    table.position = Position(tuple(lies[:18]), (lies[18], lies[19]), (None, None), Q)
    game = all_agree(event, table, arbiter, "playing")
    assert game.position == table.position
    table.play(9, 6)
    game = all_agree(event, table, arbiter, "playing")
    assert (game.plies[0].text, game.plies[0].stood, len(game.plies)) == ("7/", True, 3)
    warned(table, arbiter)
    arbiter.ends("1/2-1/2", "agreement")
    text, record = recorded(event, table)
    assert record["format"] == 2
    assert outline(record, "illegal_stands") == [
        "1 illegal_stands bastaushy",
    ]
    assert "1. 7/" in text
    all_agree(event, table, arbiter, "result")


def test_stones_spilled_in_blitz_are_laid_back_on_the_time_of_who_spilled_them(
    event: Event, seat: Seat, arbiter: Arbiter
) -> None:
    """No infraction before the press; the spiller's dial runs while he lays the stones back (2.9.7)."""
    table = seat(Seated(board="board-8", names=("Самат Ибраев", "Мөлдір Сәрсен"), control="7m"))
    table.sit_down()
    table.play(7, 9)
    table.do(Take(2, 3), Take(11, 2), Lay(3, 1), Lay(12, 2))
    table.press_button("call b")
    arbiter.finds_first("board-8", "called")
    assert "Мөлдір Сәрсен" in arbiter.reads(".view .focus h2")
    stood = table.folded()
    assert (stood.phase, stood.suspended_reason) == (Phase.SUSPENDED, "call")
    arbiter.taps(".focus .primary")
    table.wait_for("game_resumed")
    assert table.folded().phase is Phase.PLAYING
    table.do(Take(3, 1), Take(12, 2), Lay(11, 2), Lay(2, 3), Wait(QUIET_S))
    game = all_agree(event, table, arbiter, "playing")
    assert stood.clock is not None
    assert game.clock is not None
    first_us, second_us = stood.clock.remaining_us
    assert (game.clock.running, game.clock.remaining_us) == (B, (first_us, second_us))
    table.play(6)
    game = all_agree(event, table, arbiter, "playing")
    assert game.clock is not None
    laid_back_us = first_us - game.clock.remaining_us[0]
    assert (laid_back_us > QUIET_S * 1_000_000, game.clock.remaining_us[1]) == (True, second_us)
    assert not game.incidents
    warned(table, arbiter)
    arbiter.ends("0-1", "resignation")
    _, record = recorded(event, table)
    kinds = ("suspended", "arbiter_called", "call_answered", "time_adjusted", "resumed", "infraction")
    assert outline(record, *kinds) == [
        "2 suspended",
        "2 arbiter_called qostaushy",
        "2 call_answered",
        "2 resumed bastaushy",
    ]
    all_agree(event, table, arbiter, "result")
