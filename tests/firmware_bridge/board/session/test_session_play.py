"""The life of a table while it is played on, driven as people drive it."""

from __future__ import annotations

import pytest

from firmware_bridge.board.counting.lots import stones_due
from firmware_bridge.board.inputs import (
    Acknowledge,
    Adjust,
    End,
    Release,
    Resume,
    ShowClock,
    Suspend,
)
from firmware_bridge.layout import Seat
from rules.game import (
    ClockPressed,
    FlagFell,
    GameEnded,
    MovePlayed,
    Phase,
    PressId,
    fold,
)
from rules.notation.forms import format_short
from rules.position import START, Side, outcome, play
from rules.record.of_game import record_of
from tests.firmware_bridge.board.paper import UNITS, moves, notes, phase, playing, sensed

B, Q = Side.BASTAUSHY, Side.QOSTAUSHY


@pytest.mark.parametrize("seat", ["a", "b"])
def test_a_ply_is_committed_by_the_press(seat: Seat) -> None:
    """Shown alone it is work in progress; after the press it is a move, whoever sits where."""
    board = playing(seat)
    board.play(7, press=False)
    assert moves(board) == []
    assert sensed(board) == "moving"
    board.press(B)
    board.wait(0.5)
    assert moves(board) == ["7:6"]
    board.play(9)
    assert moves(board) == ["7:6", "9-8"]
    assert [ply.side for ply in board.session.game.plies] == [B, Q]


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
    assert moves(board) == []
    board.moving = set()
    board.wait(0.5)
    assert moves(board) == ["7:6"]


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
    assert sensed(board) == "moving"
    board.wait(2)
    assert sensed(board) == "differs"
    assert notes(board) == [("board_differs", 9), ("board_differs", 10)]
    assert moves(board) == []
    board.show(sowing.after)
    board.wait(0.5)
    assert moves(board) == ["7:6"]
    assert sensed(board) == "matches"


def test_a_foreign_object_left_lying_is_told_without_a_press() -> None:
    """A moment is a hand; what lies still for long is none, and the arbiter hears of it."""
    board = playing()
    board.add(3, 6 * UNITS.stone_g)
    board.wait(5)
    assert sensed(board) == "moving"
    board.wait(8)
    assert sensed(board) == "differs"
    assert [note.detail for note in board.session.watch.notes] == ["6 stones too many"]
    board.add(3, -6 * UNITS.stone_g)
    board.wait(1)
    assert sensed(board) == "matches"


def test_a_ply_shown_and_not_pressed_may_be_thought_over_for_long() -> None:
    """It is no fault however long it lies there."""
    board = playing()
    board.play(7, press=False)
    board.wait(60)
    assert sensed(board) == "moving"
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
    assert moves(board) == ["7:6"]


def test_one_cell_that_cannot_be_read_is_named_and_the_game_goes_on() -> None:
    """What lies there is told by the other nineteen, for there are 162 stones."""
    board = playing()
    board.broken = {4: "saturated"}
    board.play(7)
    assert moves(board) == ["7:6"]
    (move,) = [event for event in board.events if isinstance(event, MovePlayed)]
    assert move.evidence["unread"] == [4]
    board.wait(0.5)
    assert sensed(board) == "matches"
    assert [note.detail for note in board.session.watch.notes] == ["bastaushy 5: saturated"]
    board.broken = {}
    board.play(9)
    assert moves(board) == ["7:6", "9-8"]
    assert not board.session.belief.places[4].blind


def test_two_cells_that_cannot_be_read_are_named_and_stop_the_reading() -> None:
    """In which of them a stone lies nobody can tell; when one comes back the game goes on."""
    board = playing()
    board.broken = {4: "saturated", 11: "stuck"}
    board.play(7)
    assert sensed(board) == "unreadable"
    told = ["bastaushy 5: saturated", "qostaushy 3: stuck"]
    assert [note.detail for note in board.session.watch.notes] == told
    assert moves(board) == []
    board.broken = {}
    board.wait(0.5)
    assert moves(board) == ["7:6"]


def test_slow_drift_is_followed_and_a_sudden_load_is_not() -> None:
    """Zeros follow a twentieth of a stone a second, a stone laid down does not vanish in them."""
    board = playing()
    for _ in range(200):
        board.extra_g[3] += 0.02 * UNITS.stone_g
        board.wait(1)
    assert sensed(board) == "matches"
    board.play(7)
    assert moves(board) == ["7:6"]
    board.add(3, UNITS.stone_g)
    board.wait(60)
    board.press(Q)
    board.wait(4)
    assert sensed(board) == "differs"


def test_requirement_9_moves_are_written_down_however_little_time_is_left() -> None:
    """A player short of time may stop writing (2.3.5); the board does not."""
    board = playing()
    board.take(Adjust(board.now_us, (-590_000_000, -590_000_000), "2.4.8"))
    board.play(7)
    board.play(9)
    clock = board.session.game.clock
    assert clock is not None
    assert all(dial_us < 20_000_000 for dial_us in clock.remaining_us)
    assert [format_short(sowing) for sowing in record_of(board.events).sowings] == ["7:6", "9-8"]


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
    assert moves(board) == ["7:6"]


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


def test_a_habitual_press_after_the_last_ply_confirms_nothing() -> None:
    """Nobody need press after 82, but hands do; a confirmation comes later."""
    board = playing()
    board.take(End(board.now_us, "1-0", "resignation"))
    board.press(B)
    assert board.session.game.confirmed == (False, False)
    board.wait(5)
    board.press(B)
    assert board.session.game.confirmed == (True, False)


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
    assert sensed(board) == "idle"
    board.press(B)
    board.press(Q)
    assert board.session.game.confirmed == (True, True)
    assert phase(board) is Phase.ENDED
    board.take(Release(board.now_us))
    assert phase(board) is Phase.RELEASED


def test_the_paper_board_keeps_all_162_stones() -> None:
    """The paper board itself is honest: 162 stones, however long was played on it."""
    board = playing()
    for number in (7, 9, 5, 3):
        board.play(number)
        assert sum(board.stones) == 162


def test_a_zero_about_to_be_followed_no_longer_is_named() -> None:
    """The game goes on meanwhile; a technician looks at the cell."""
    board = playing()
    for _ in range(110):
        board.extra_g[3] += 0.05 * UNITS.stone_g
        board.wait(1)
    assert [(note.code, note.place) for note in board.session.watch.notes] == [("drift", 3)]
    assert sensed(board) == "matches"
