"""The life of a table, driven as people drive it."""

from __future__ import annotations

import pytest

from firmware_bridge.board.counting import stones_due
from firmware_bridge.board.inputs import (
    Acknowledge,
    ButtonPressed,
    DeviceArrived,
    DeviceGone,
    End,
    Enter,
    Release,
    Resume,
    ShowClock,
    Start,
    Suspend,
)
from firmware_bridge.board.session import Session
from firmware_bridge.layout import Seat, Wiring
from rules.game import (
    ClockPressed,
    FlagFell,
    GameEnded,
    GameSuspended,
    MovePlayed,
    Phase,
    PressId,
    SetupLost,
    fold,
)
from rules.notation import format_short
from rules.position import START, Position, Side, outcome, play
from tests.firmware_bridge.board.paper import UNITS, PaperBoard, assigned, playing

B, Q = Side.BASTAUSHY, Side.QOSTAUSHY


def _moves(board: PaperBoard) -> list[str]:
    return [event.text for event in board.events if isinstance(event, MovePlayed)]


def phase(board: PaperBoard) -> Phase:
    """Return the table's phase."""
    return board.session.game.phase


def _notes(board: PaperBoard) -> list[tuple[str, int | None]]:
    return [(note.code, note.place) for note in board.session.watch.notes]


# --- before the game --------------------------------------------------------------------------------


def test_a_board_set_up_and_two_presses_start_the_game() -> None:
    """9 x 18 is checked, each player confirms with his own button, bastaushy's clock runs."""
    board = playing()
    assert phase(board) is Phase.PLAYING
    assert board.session.game.clock is not None
    assert board.session.game.clock.running is B
    assert board.session.watch.sensed == "matches"


def test_a_board_not_set_up_is_told_pit_by_pit_and_does_not_start() -> None:
    """Each wrong pit is named with what lies there and what is due."""
    board = assigned()
    stones = list(stones_due(START))
    stones[6], stones[12] = 8, 10
    board.put(stones)
    board.wait(0.5)
    board.press(B)
    board.press(Q)
    assert phase(board) is Phase.SETTING_UP
    assert _notes(board) == [("not_set_up", 6), ("not_set_up", 12)]
    assert [note.detail for note in board.session.watch.notes] == [
        "bastaushy 7: 8 stones, due 9",
        "qostaushy 4: 10 stones, due 9",
    ]
    board.show(START)
    board.wait(0.5)
    board.press(B)
    board.press(Q)
    assert phase(board) is Phase.PLAYING


def test_a_set_up_that_is_undone_must_be_confirmed_anew() -> None:
    """After one player's press the stones are moved: both must confirm again."""
    board = assigned()
    board.wait(0.5)
    board.press(B)
    stones = list(stones_due(START))
    stones[0], stones[1] = 10, 8
    board.put(stones)
    board.wait(0.5)
    assert any(isinstance(event, SetupLost) for event in board.events)
    board.press(Q)
    board.show(START)
    board.wait(0.5)
    board.press(Q)
    assert phase(board) is Phase.SETTING_UP
    assert board.session.game.ready == (False, True)


def test_a_hand_over_the_board_does_not_undo_the_set_up() -> None:
    """Movement is no other board."""
    board = assigned()
    board.wait(0.5)
    board.press(B)
    board.moving = {3, 4}
    board.wait(1)
    assert board.session.watch.sensed == "moving"
    board.press(Q)
    assert phase(board) is Phase.READY
    board.moving = set()
    board.wait(0.2)
    assert phase(board) is Phase.PLAYING


@pytest.mark.parametrize("wrong", ["missing", "over", "unread", "unplugged"])
def test_no_game_starts_on_a_board_that_is_not_seen_set_up(wrong: str) -> None:
    """Checked, and then disturbed in whatever way before the second press: both must confirm anew."""
    board = assigned()
    board.wait(0.5)
    board.press(B)
    match wrong:
        case "missing":
            board.put([7.0, *stones_due(START)[1:]])
        case "over":
            board.add(5, 3 * UNITS.stone_g)
        case "unread":
            board.broken = {4: "saturated"}
        case _:
            board.take(DeviceGone("cable"))
    if wrong != "unplugged":
        board.wait(0.5)
    board.press(Q)
    assert phase(board) is not Phase.PLAYING
    assert board.session.game.clock is not None
    assert board.session.game.clock.running is None


def test_the_arbiter_cannot_start_what_is_not_seen_set_up_either() -> None:
    """Refused in words, and changed nothing."""
    board = assigned(start_when_ready=False)
    board.wait(0.5)
    board.press(Q)
    board.press(B)
    board.moving = {3}
    board.wait(0.5)
    assert "nine stones are not seen in each pit now (moving)" in board.take(Start(board.now_us)).refusal
    assert phase(board) is Phase.READY


def test_where_the_arbiter_starts_the_clocks_presses_alone_do_not() -> None:
    """Both are ready; the clock waits for the announcement (2.7.5)."""
    board = assigned(start_when_ready=False)
    board.wait(0.5)
    board.press(Q)
    board.press(B)
    assert phase(board) is Phase.READY
    board.take(Start(board.now_us))
    assert phase(board) is Phase.PLAYING


def test_the_arbiters_button_and_a_second_press_change_nothing() -> None:
    """They are acknowledged, so that the device can forget them."""
    board = assigned()
    board.wait(0.5)
    board.press(B)
    step = board.press(B)
    assert step.events == ()
    assert step.effects == (Acknowledge(PressId(1, 2)),)


# --- the game ---------------------------------------------------------------------------------------


@pytest.mark.parametrize("seat", ["a", "b"])
def test_a_ply_is_committed_by_the_press(seat: Seat) -> None:
    """Shown alone it is work in progress; after the press it is a move, whoever sits where."""
    board = playing(seat)
    board.play(7, press=False)
    assert _moves(board) == []
    assert board.session.watch.sensed == "moving"
    board.press(B)
    board.wait(0.5)
    assert _moves(board) == ["7:6"]
    board.play(9)
    assert _moves(board)[1:] == [event.text for event in board.events if isinstance(event, MovePlayed)][1:]
    assert len(board.session.game.plies) == 2


def test_the_press_switches_the_clock_at_its_own_time() -> None:
    """Not when the stones were read, and with the increment."""
    board = playing()
    started = board.now_us
    board.play(7, press=False)
    at_us = board.now_us
    step = board.press(B)
    assert step.effects == (Acknowledge(PressId(1, 3)), ShowClock())
    clock = board.session.game.clock
    assert clock is not None
    assert clock.running is Q
    assert clock.since_us == at_us
    assert clock.remaining_us[0] == 600_000_000 - (at_us - started) + 5_000_000


def test_the_wrong_players_press_changes_nothing() -> None:
    """A button that has nothing to stop is acknowledged and forgotten."""
    board = playing()
    step = board.press(Q)
    assert step.events == ()
    assert step.effects == (Acknowledge(PressId(1, 3)),)


def test_a_press_told_late_keeps_its_own_time_but_never_runs_before_the_clock() -> None:
    """After the clocks were stopped and resumed, an older press counts from the resumption."""
    board = playing()
    board.wait(1)
    early = board.now_us
    board.take(Suspend(board.now_us, "arbiter"))
    board.wait(5)
    board.take(Resume(board.now_us))
    resumed = board.now_us
    board.press(B, at_us=early)
    clock = board.session.game.clock
    assert clock is not None
    assert clock.since_us == resumed


def test_nothing_is_committed_from_a_board_that_moves_after_the_press() -> None:
    """The stretch after the press must be quiet."""
    board = playing()
    board.play(7, press=False)
    board.press(B)
    board.moving = {11}
    board.wait(2)
    assert _moves(board) == []
    board.moving = set()
    board.wait(0.5)
    assert _moves(board) == ["7:6"]


def test_two_plies_played_before_the_board_came_to_rest_are_both_read() -> None:
    """Two presses and one quiet board: both plies, in order."""
    board = playing()
    first = play(START, 7)
    second = play(first.after, 9)
    board.moving = {0}
    board.wait(0.3)
    board.press(B)
    board.wait(0.3)
    board.show(second.after)
    board.press(Q)
    board.moving = set()
    board.wait(1)
    assert [(event.side, event.number) for event in board.events if isinstance(event, MovePlayed)] == [
        (B, 7),
        (Q, 9),
    ]


def test_a_board_that_no_play_explains_is_told_and_never_becomes_a_move() -> None:
    """A stone sown into the neighbour's pit: named after a while, put right at any time."""
    board = playing()
    sowing = play(START, 7)
    stones = list(stones_due(sowing.after))
    stones[9], stones[10] = stones[9] - 1, stones[10] + 1
    board.put(stones)
    board.wait(0.5)
    board.press(B)
    board.wait(2)
    assert board.session.watch.sensed == "moving"
    board.wait(2)
    assert board.session.watch.sensed == "differs"
    assert _notes(board) == [("board_differs", 9), ("board_differs", 10)]
    assert _moves(board) == []
    board.show(sowing.after)
    board.wait(0.5)
    assert _moves(board) == ["7:6"]
    assert board.session.watch.sensed == "matches"


def test_a_foreign_object_left_lying_is_told_without_a_press() -> None:
    """A moment is a hand; what lies still for long is none, and the arbiter hears of it."""
    board = playing()
    board.add(3, 6 * UNITS.stone_g)
    board.wait(5)
    assert board.session.watch.sensed == "moving"
    board.wait(8)
    assert board.session.watch.sensed == "differs"
    assert [note.detail for note in board.session.watch.notes] == ["6 stones too many"]
    board.add(3, -6 * UNITS.stone_g)
    board.wait(1)
    assert board.session.watch.sensed == "matches"


def test_a_ply_shown_and_not_pressed_may_be_thought_over_for_long() -> None:
    """It is no fault however long it lies there."""
    board = playing()
    board.play(7, press=False)
    board.wait(60)
    assert board.session.watch.sensed == "moving"
    assert board.session.watch.notes == ()


def test_missing_stones_are_counted() -> None:
    """Stones in a hand after the press."""
    board = playing()
    stones = list(stones_due(play(START, 7).after))
    stones[15] = 0
    board.put(stones)
    board.press(B)
    board.wait(4)
    assert [note.detail for note in board.session.watch.notes] == ["9 stones missing"]


def test_a_press_without_a_move_and_back_again_explains_no_later_ply() -> None:
    """Both press, nothing was played; then the first ply is played and pressed."""
    board = playing()
    board.press(B)
    board.wait(0.5)
    board.press(Q)
    board.wait(0.5)
    board.play(7)
    assert _moves(board) == ["7:6"]


def test_a_cell_that_cannot_be_read_is_named_and_stops_nothing() -> None:
    """While it is broken no move is read; when it comes back the game goes on."""
    board = playing()
    board.broken = {4: "saturated"}
    board.play(7)
    assert board.session.watch.sensed == "unreadable"
    assert [note.detail for note in board.session.watch.notes] == ["bastaushy 5: saturated"]
    assert _moves(board) == []
    board.broken = {}
    board.wait(0.5)
    assert _moves(board) == ["7:6"]


def test_slow_drift_is_followed_and_a_sudden_load_is_not() -> None:
    """Zeros follow a twentieth of a stone a second, a stone laid down does not vanish in them."""
    board = playing()
    for _ in range(200):
        board.extra_g[3] += 0.02 * UNITS.stone_g
        board.wait(1)
    assert board.session.watch.sensed == "matches"
    board.play(7)
    assert _moves(board) == ["7:6"]
    board.add(3, UNITS.stone_g)
    board.wait(60)
    board.press(Q)
    board.wait(4)
    assert board.session.watch.sensed == "differs"


def test_a_zero_about_to_be_followed_no_longer_is_named() -> None:
    """The game goes on meanwhile; a technician looks at the cell."""
    board = playing()
    for _ in range(110):
        board.extra_g[3] += 0.05 * UNITS.stone_g
        board.wait(1)
    assert [(note.code, note.place) for note in board.session.watch.notes] == [("drift", 3)]
    assert board.session.watch.sensed == "matches"


def test_a_fallen_flag_is_written_once_and_ends_nothing() -> None:
    """The dial reached zero; what follows is the arbiter's (2.9.9)."""
    board = playing()
    started = board.now_us
    board.now_us += 600 * 1_000_000
    board.wait(1)
    assert not any(isinstance(event, FlagFell) for event in board.events), "a press may still be on its way"
    board.wait(3)
    assert [event for event in board.events if isinstance(event, FlagFell)] == [
        FlagFell(at_us=started + 600_000_000, side=B)
    ]
    assert phase(board) is Phase.PLAYING
    board.play(7)
    assert _moves(board) == ["7:6"]


def test_a_press_just_in_time_and_told_late_drops_no_flag() -> None:
    """Its frame was lost once and came again after the zero had been passed."""
    board = playing()
    started = board.now_us
    board.play(7, press=False)
    board.now_us = started + 600_000_000 + 200_000
    board.wait(0.2)
    board.press(B, at_us=started + 599_950_000)
    board.wait(3)
    assert not any(isinstance(event, FlagFell) for event in board.events)
    assert board.session.game.flags == (False, False)


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


def test_a_habitual_press_after_the_last_ply_confirms_nothing() -> None:
    """Nobody need press after 82, but hands do; a confirmation comes later."""
    board = playing()
    board.take(End(board.now_us, "1-0", "resignation"))
    board.press(B)
    assert board.session.game.confirmed == (False, False)
    board.wait(5)
    board.press(B)
    assert board.session.game.confirmed == (True, False)


def test_a_game_not_begun_may_be_released() -> None:
    """Wrong names are found before the first move."""
    board = assigned()
    assert board.take(Release(0)).refusal == ""
    assert phase(board) is Phase.RELEASED


def _texts(*numbers: int) -> tuple[str, ...]:
    position, texts = START, []
    for number in numbers:
        sowing = play(position, number)
        texts.append(format_short(sowing))
        position = sowing.after
    return tuple(texts)


def test_a_press_at_the_last_moment_too_late_drops_the_flag_first() -> None:
    """The increment of a late press does not hide that the time was over."""
    board = playing()
    board.play(7, press=False)
    board.now_us += 600 * 1_000_000
    step = board.press(B)
    assert [type(event) for event in step.events] == [FlagFell, ClockPressed]
    assert board.session.game.flags == (True, False)


@pytest.mark.parametrize("seed", range(4))
def test_whole_games_to_the_end_are_read_move_by_move(seed: int) -> None:
    """Tuzdyk marks, 82, atsyrau before and after the sweep: the game ends by itself, unpressed."""
    board = playing("a" if seed % 2 else "b")
    numbers = board.play_at_random(seed)
    game = board.session.game
    assert [ply.number for ply in game.plies] == numbers
    assert game.phase is Phase.ENDED
    assert outcome(game.position) is not None
    ended = board.events[-1]
    assert isinstance(ended, GameEnded)
    assert fold(board.events) == game


def test_after_the_end_hands_may_do_what_they_like() -> None:
    """Pouring the stones together commits nothing and alarms nobody; both confirm the result."""
    board = playing()
    board.take(End(board.now_us, "1-0", "resignation"))
    board.put([0] * 18 + [100, 62])
    board.wait(10)
    assert board.session.watch.sensed == "idle"
    board.press(B)
    board.press(Q)
    assert board.session.game.confirmed == (True, True)
    assert phase(board) is Phase.ENDED
    board.take(Release(board.now_us))
    assert phase(board) is Phase.RELEASED


# --- the device and the host ------------------------------------------------------------------------


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
    assert _moves(board) == ["7:6"]


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
    assert "connect the device" in board.take(Resume(board.now_us)).refusal


def test_a_command_out_of_place_is_refused_in_words() -> None:
    """It says what the table is doing."""
    board = assigned()
    assert board.take(Resume(0)).refusal == "`resume` is not possible while the table is setting_up"


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


def test_positions_are_whole() -> None:
    """The paper board itself is honest: 162 stones."""
    position: Position = START
    assert sum(stones_due(position)) == 162
