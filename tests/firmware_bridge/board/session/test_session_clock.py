"""The clock at a table: the arbiter's hand on it, quotas, delays, and games without one."""

from __future__ import annotations

import pytest

from firmware_bridge.board.inputs import (
    Adjust,
    Assign,
    DeviceArrived,
    End,
    Enter,
    Late,
    Resume,
    SetClock,
    ShowClock,
    Suspend,
)
from rules.clock import remaining_us
from rules.events import ClockAdjusted, ClockSet, FlagFell, GameSuspended
from rules.game import Phase
from rules.position import Side
from rules.record.of_game import record_of
from rules.time_control import NO_CLOCK, PRESETS, Period, TimeControl
from tests.firmware_bridge.board.paper import (
    CONTROL,
    SECOND,
    PaperBoard,
    assigned,
    moves,
    new_session,
    phase,
    playing,
)

B, Q = Side.BASTAUSHY, Side.QOSTAUSHY
MINUTE = 60 * SECOND


def playing_with(control: TimeControl) -> PaperBoard:
    """Return a board whose game of this control has just started."""
    board = PaperBoard(new_session())
    board.take(DeviceArrived(0, restarted=False))
    board.take(Assign(at_us=0, game_id="g", names=("A", "B"), starter_seat="a", control=control))
    board.wait(0.5)
    board.press(B)
    board.press(Q)
    assert phase(board) is Phase.PLAYING
    return board


def dials(board: PaperBoard) -> tuple[int, int]:
    """Return what both dials show now, in whole seconds."""
    clock = board.session.game.clock
    assert clock is not None
    return remaining_us(clock, B, board.now_us) // SECOND, remaining_us(clock, Q, board.now_us) // SECOND


def flags(board: PaperBoard) -> list[Side]:
    """Return whose flag was told to have fallen, in order."""
    return [event.side for event in board.events if isinstance(event, FlagFell)]


class TestAdjusting:
    """`togyz control CONFIG adjust`."""

    def test_time_given_is_written_down_and_shown(self) -> None:
        """2.4.8: while the clock runs on."""
        board = playing()
        board.wait(10)
        step = board.take(Adjust(board.now_us, (60 * SECOND, -30 * SECOND), "2.4.8"))
        assert step.events == (
            ClockAdjusted(at_us=board.now_us, delta_us=(60 * SECOND, -30 * SECOND), reason="2.4.8"),
        )
        assert (step.effects, step.refusal) == ((ShowClock(),), "")
        assert dials(board) == (650, 570)

    def test_it_may_be_given_while_the_game_is_suspended(self) -> None:
        """And counts when it is resumed."""
        board = playing()
        board.wait(1)
        board.take(Suspend(board.now_us, "arbiter"))
        assert board.take(Adjust(board.now_us, (0, 60 * SECOND), "noise")).refusal == ""
        board.wait(1)
        assert board.take(Resume(board.now_us)).refusal == ""
        assert dials(board) == (599, 660)

    def test_more_than_there_is_is_refused_in_words(self) -> None:
        """Nothing is written, shown or changed."""
        board = playing()
        before = board.session.game
        step = board.take(Adjust(board.now_us, (0, -601 * SECOND), "2.4.8"))
        assert step.refusal == (
            "601 s cannot be taken from qostaushy: his dial shows 600 s, and no dial shows less than zero"
        )
        assert (step.events, step.effects, board.session.game) == ((), (), before)

    def test_there_is_nothing_to_adjust_before_the_game_and_after_it(self) -> None:
        """The words say where the table is."""
        board = assigned()
        assert board.take(Adjust(0, (1, 1), "")).refusal == (
            "`adjust` is not possible while the table is setting_up"
        )
        board = playing()
        board.take(End(board.now_us, "1-0", "resignation"))
        assert "while the table is ended" in board.take(Adjust(board.now_us, (1, 1), "")).refusal

    def test_a_flag_that_is_down_is_told_before_time_is_given(self) -> None:
        """Though a press might still have been on its way; given time raises it (2.7.14)."""
        board = playing()
        fell_us = board.now_us + 600 * SECOND
        board.now_us = fell_us + SECOND // 2
        step = board.take(Adjust(board.now_us, (5 * MINUTE, 5 * MINUTE), "2.7.14"))
        assert step.events[0] == FlagFell(at_us=fell_us, side=B)
        assert isinstance(step.events[1], ClockAdjusted)
        assert board.session.game.flags == (False, False)
        assert dials(board) == (300, 900)

    def test_a_refusal_does_not_forget_the_flag(self) -> None:
        """It fell all the same."""
        board = playing()
        board.now_us += 601 * SECOND
        step = board.take(Adjust(board.now_us, (-SECOND, 0), "2.4.8"))
        assert "his dial shows 0 s" in step.refusal
        assert [type(event) for event in step.events] == [FlagFell]
        assert board.session.game.flags == (True, False)

    def test_a_flag_down_is_told_before_the_clocks_are_stopped(self) -> None:
        """Standing dials never fall, so nobody would hear of it later."""
        board = playing()
        board.now_us += 601 * SECOND
        step = board.take(Suspend(board.now_us, "arbiter"))
        assert [type(event) for event in step.events] == [FlagFell, GameSuspended]


class TestLateness:
    """`togyz control CONFIG adjust --late` (2.7.6)."""

    def test_it_is_charged_before_the_start(self) -> None:
        """While the board waits for who is late, and once both are there; as far as his dial goes."""
        board = assigned()
        board.wait(0.5)
        assert phase(board) is Phase.SETTING_UP
        step = board.take(Late(board.now_us, Q, 2 * MINUTE, "2.7.6"))
        (event,) = step.events
        assert isinstance(event, ClockAdjusted)
        assert (event.delta_us, event.reason) == ((0, -2 * MINUTE), "2.7.6")
        board.press(B)
        board.press(Q)
        assert (phase(board), dials(board)[1]) == (Phase.PLAYING, 480)
        board.take(Late(board.now_us, Q, 20 * MINUTE, "2.7.6"))
        assert dials(board)[1] == 0

    def test_who_does_not_come_loses_a_game_that_never_began(self) -> None:
        """2.7.6: the arbiter ends it, the result is confirmed, and there is a record of no moves."""
        board = assigned()
        board.wait(0.5)
        assert board.take(End(board.now_us, "1-0", "forfeit")).refusal == ""
        game = board.session.game
        assert (phase(board), game.result, game.result_reason) == (Phase.ENDED, "1-0", "forfeit")
        board.wait(30)
        board.press(B)
        assert board.session.game.confirmed == (True, False)
        record = record_of(board.events)
        assert (record.plies, record.result, record.reason) == ((), "1-0", "forfeit")

    def test_who_has_lost_by_it_is_charged_nothing(self) -> None:
        """More than thirty minutes: the arbiter ends the game."""
        board = playing()
        step = board.take(Late(board.now_us, Q, 31 * MINUTE, "2.7.6"))
        assert "more than thirty minutes late is lost (2.7.6)" in step.refusal
        assert (step.refused, step.events) == ("forfeit", ())
        assert [(each.result, each.reason) for each in step.proposals] == [("1-0", "forfeit")]
        assert "while the table is unassigned" in (
            PaperBoard(new_session()).take(Late(0, Q, MINUTE, "")).refusal
        )


class TestSetting:
    """`togyz control CONFIG clock`."""

    def test_a_faulty_clock_is_replaced(self) -> None:
        """2.7.10: the dial that was not told keeps what it shows."""
        board = playing()
        board.wait(10)
        step = board.take(SetClock(board.now_us, (None, 500 * SECOND), None, "2.7.10"))
        assert step.effects == (ShowClock(),)
        (event,) = step.events
        assert isinstance(event, ClockSet)
        assert (event.control, event.reason) == (CONTROL, "2.7.10")
        assert dials(board) == (590, 500)

    def test_a_clock_is_set_down_in_a_game_without_one(self) -> None:
        """2.7.11: it counts from then on, and can flag."""
        board = playing_with(NO_CLOCK)
        board.wait(60)
        assert (
            board.take(SetClock(board.now_us, (15 * MINUTE,) * 2, PRESETS["classical-60m"], "")).refusal == ""
        )
        board.wait(10)
        assert dials(board) == (890, 900)

    def test_no_clock_cannot_be_set(self) -> None:
        """The refusal says why."""
        board = playing_with(NO_CLOCK)
        assert board.take(SetClock(board.now_us, (SECOND, None), None, "")).refusal == (
            "there is no clock to set: the game is played without one"
        )

    def test_a_table_without_a_game_has_no_clock(self) -> None:
        """Unassigned: refused by the table of inputs."""
        board = PaperBoard(new_session())
        assert "while the table is unassigned" in board.take(SetClock(0, (1, 1), None, "")).refusal


class TestPeriods:
    """Quotas at the table."""

    CONTROL = TimeControl((Period(60_000, 2), Period(30_000)))

    def test_the_press_that_fulfils_the_quota_adds_the_next_period(self) -> None:
        """2.7.16: and the plies that are read after it add nothing more."""
        board = playing_with(self.CONTROL)
        for number in (7, 9, 5):
            board.play(number)
        board.wait(1)
        clock = board.session.game.clock
        assert clock is not None
        assert (clock.moves, clock.period) == ((2, 1), (1, 0))
        assert dials(board)[0] in (87, 88)

    def test_plies_entered_by_the_arbiter_count_for_the_quota(self) -> None:
        """2.7.13: what counts are the moves made."""
        board = playing_with(self.CONTROL)
        board.take(Suspend(board.now_us, "arbiter"))
        whole = playing()
        for number in (7, 9, 5, 4):
            whole.play(number)
        board.take(Enter(board.now_us, tuple(moves(whole))))
        clock = board.session.game.clock
        assert clock is not None
        assert clock.period == (1, 1)
        assert dials(board) == (90, 90)

    def test_a_flag_at_a_quota_that_was_made_goes_up_and_may_fall_again(self) -> None:
        """2.7.13: he stops the clocks, counts the moves, and enters the one that nobody saw."""
        board = playing_with(self.CONTROL)
        for number in (7, 9):
            board.play(number)
        board.wait(70)
        assert board.session.game.flags == (True, False)
        board.take(Suspend(board.now_us, "2.7.13"))
        whole = playing()
        for number in (7, 9, 5):
            whole.play(number)
        board.take(Enter(board.now_us, tuple(moves(whole)[2:])))
        assert board.session.game.flags == (False, False)
        assert dials(board)[0] == 30


class TestFlag:
    """When a flag is told."""

    def test_a_delay_puts_it_off(self) -> None:
        """At the moment it fell: the delay and the time for the game."""
        board = playing_with(TimeControl((Period(10_000, delay_ms=5_000),)))
        started_us = board.now_us
        board.wait(16)
        assert flags(board) == []
        board.wait(1)
        assert flags(board) == [B]
        (fell,) = [event for event in board.events if isinstance(event, FlagFell)]
        assert fell.at_us == started_us + 15 * SECOND

    def test_a_move_that_takes_too_long_drops_it(self) -> None:
        """Though there is time on the dial; the game goes on until somebody calls it (2.9.9)."""
        board = playing_with(TimeControl((Period(600_000),), move_limit_ms=10_000))
        board.wait(12)
        assert flags(board) == [B]
        board.play(7)
        assert moves(board) == ["7:6"]
        assert phase(board) is Phase.PLAYING

    @pytest.mark.parametrize("control", [NO_CLOCK, TimeControl.simple(1_000).observed()])
    def test_a_clock_that_is_not_ours_never_drops_one(self, control: TimeControl) -> None:
        """And presses confirm moves all the same."""
        board = playing_with(control)
        board.wait(30)
        for number in (7, 9, 5):
            board.play(number)
        assert flags(board) == []
        assert len(moves(board)) == 3
        assert {type(event).__name__ for event in board.events[-2:]} == {"ClockPressed", "MovePlayed"}

    def test_an_observed_clock_is_read_by_the_arbiter(self) -> None:
        """The reading is kept, and what is shown goes on from it."""
        observed = TimeControl.simple(600_000).observed()
        board = playing_with(observed)
        board.wait(10)
        board.take(SetClock(board.now_us, (500 * SECOND, 600 * SECOND), None, "read"))
        board.wait(5)
        assert dials(board) == (495, 600)
        (event,) = [event for event in board.events if isinstance(event, ClockSet)]
        assert event.control == observed
