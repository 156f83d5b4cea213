"""The life of a table whose device, cable or host fails, and what only the arbiter knows after that."""

from __future__ import annotations

import pytest

from firmware_bridge.board.inputs import (
    ButtonPressed,
    DeviceArrived,
    DeviceGone,
    Enter,
    Resume,
    ShowClock,
    Suspend,
)
from firmware_bridge.board.session.session import Session
from firmware_bridge.layout import Wiring
from rules.game import (
    ClockPressed,
    GameSuspended,
    Phase,
    fold,
)
from rules.notation.moves import format_short
from rules.position import START, Side, play
from tests.firmware_bridge.board.paper import UNITS, PaperBoard, assigned, moves, phase, playing

B, Q = Side.BASTAUSHY, Side.QOSTAUSHY


def test_a_device_that_comes_back_unchanged_finds_the_clock_running() -> None:
    """A pulled cable stops nothing."""
    board = playing()
    board.take(DeviceGone("cable"))
    assert board.session.watch.sensed == "no_device"
    step = board.take(DeviceArrived(board.now_us, restarted=False))
    assert step.events == ()
    assert step.effects == (ShowClock(),)
    assert phase(board) is Phase.PLAYING


def test_a_device_that_has_restarted_stops_the_clock_until_resumed() -> None:
    """What happened in between nobody knows: a person resumes, from the confirmed position only."""
    board = playing()
    board.play(7)
    board.take(DeviceGone("power"))
    board.take(DeviceArrived(board.now_us, restarted=True))
    assert isinstance(board.events[-1], GameSuspended)
    clock = board.session.game.clock
    assert clock is not None
    assert clock.running is None
    board.put([9.0] * 18 + [0, 0])
    board.wait(0.5)
    refused = board.take(Resume(board.now_us))
    assert "put it right first" in refused.refusal
    assert refused.refused == "not_matching"
    board.show(board.session.game.position)
    board.wait(0.5)
    assert board.take(Resume(board.now_us)).refusal == ""
    assert board.session.game.clock is not None
    assert board.session.game.clock.running is Q


def test_a_ply_made_while_the_clocks_stood_does_not_hinder_resuming() -> None:
    """The player finished his sowing when the clocks were stopped: resumed, he presses, and it is read."""
    board = playing()
    board.take(Suspend(board.now_us, "arbiter"))
    board.play(7, press=False)
    assert board.take(Resume(board.now_us)).refusal == ""
    board.press(B)
    board.wait(0.5)
    assert moves(board) == ["7:6"]


def test_why_a_game_rests_is_known_while_it_does() -> None:
    """For the page and for the next program."""
    board = playing()
    board.take(Suspend(board.now_us, "a fire alarm"))
    assert board.session.game.suspended_reason == "a fire alarm"
    board.wait(0.5)
    board.take(Resume(board.now_us))
    assert board.session.game.suspended_reason is None


def test_resuming_without_a_device_is_refused() -> None:
    """Nobody could see the board."""
    board = playing()
    board.take(Suspend(board.now_us, "arbiter"))
    board.take(DeviceGone("cable"))
    step = board.take(Resume(board.now_us))
    assert "connect the device" in step.refusal
    assert step.refused == "no_device"


def test_a_command_out_of_place_is_refused_in_words() -> None:
    """It says what the table is doing."""
    board = assigned()
    step = board.take(Resume(0))
    assert step.refusal == "`resume` is not possible while the table is setting_up"
    assert step.refused == "phase"


def test_a_session_restored_from_its_events_goes_on_as_if_nothing_had_happened() -> None:
    """After every event of a game the program may die; the next one reads the rest of it."""
    whole = playing()
    for number in (7, 9, 5):
        whole.play(number)
    for cut in range(len(whole.events)):
        told = whole.events[: cut + 1]
        session = Session(wiring=Wiring(), units=UNITS, game=fold(told))
        board = PaperBoard(session, now_us=whole.now_us)
        board.take(DeviceArrived(board.now_us, restarted=False))
        game = session.game
        if game.phase is not Phase.PLAYING:
            continue
        owed = [event for event in whole.events[cut + 1 :] if isinstance(event, ClockPressed)]
        board.show(whole.session.game.position)
        for press in owed:
            board.take(_replayed(press, board))
        board.wait(1)
        assert board.session.game.position == whole.session.game.position, cut


def _replayed(press: ClockPressed, board: PaperBoard) -> object:
    assert press.press is not None
    return ButtonPressed(press.at_us, board.session.seating.button_of(press.side), press.press)


@pytest.mark.parametrize("text", ["7/", "/"])
def test_an_illegal_sowing_cannot_be_entered_as_a_ply(text: str) -> None:
    """That it stands is a ruling of its own, with the position it left."""
    board = playing()
    board.take(Suspend(board.now_us, "cable"))
    told = board.take(Enter(board.now_us, (text,)))
    assert f"'{text}' is no move" in told.refusal
    assert board.session.game.plies == ()


def test_plies_nobody_saw_are_entered_by_the_arbiter() -> None:
    """After a long gap only a person knows them; then the board is watched from there."""
    board = playing()
    lines = [7, 9, 5, 3]
    position = START
    for number in lines:
        position = play(position, number).after
    board.show(position)
    board.take(Suspend(board.now_us, "cable"))
    texts = _texts(*lines)
    wrong = board.take(Enter(board.now_us, (*texts[:2], "1:1")))
    assert "1:1" in wrong.refusal
    assert wrong.refused == "illegal"
    assert board.session.game.plies == ()
    assert board.take(Enter(board.now_us, texts)).refusal == ""
    assert board.session.game.position == position
    board.wait(0.5)
    assert board.take(Resume(board.now_us)).refusal == ""
    board.play(7)
    assert len(board.session.game.plies) == 5


def test_plies_entered_to_the_end_end_the_game() -> None:
    """With the result the stones give."""
    whole = playing()
    whole.play_at_random(3)
    board = playing()
    board.take(Enter(board.now_us, tuple(ply.text for ply in whole.session.game.plies)))
    assert phase(board) is Phase.ENDED
    assert board.session.game.result == whole.session.game.result


def _texts(*numbers: int) -> tuple[str, ...]:
    position, texts = START, []
    for number in numbers:
        sowing = play(position, number)
        texts.append(format_short(sowing))
        position = sowing.after
    return tuple(texts)
