"""The two dials."""

from collections.abc import Callable

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rules import (
    NO_CLOCK,
    PRESETS,
    ClockError,
    ClockState,
    Period,
    Side,
    TimeControl,
)
from rules.clock import (
    adjust,
    count_moves,
    delay_left_us,
    falls_us,
    flagged,
    moves_to_quota,
    new_clock,
    press,
    press_adds_us,
    remaining_us,
    resume,
    set_dials,
    start,
    stop,
)
from tests.rules.clocks import NEW, SECOND, TWO_PERIODS, dials, pressed_by_turns
from tests.rules.occurrences import controls

B, Q = Side.BASTAUSHY, Side.QOSTAUSHY


class TestDials:
    """Running, pressing and standing."""

    def test_a_new_clock_stands_with_the_full_time(self) -> None:
        """On both dials, for ever."""
        assert dials(NEW, 10**15) == (60 * SECOND, 60 * SECOND)
        assert (NEW.running, NEW.since_us) == (None, None)

    def test_only_the_running_dial_loses_time(self) -> None:
        """Microsecond by microsecond."""
        state = start(NEW, B, 5 * SECOND)
        assert dials(state, 5 * SECOND) == (60 * SECOND, 60 * SECOND)
        assert dials(state, 8 * SECOND + 1) == (57 * SECOND - 1, 60 * SECOND)

    def test_a_press_adds_the_increment_and_starts_the_other_dial(self) -> None:
        """At the same moment."""
        state = press(start(NEW, B, 0), B, 10 * SECOND)
        assert (state.running, state.since_us) == (Q, 10 * SECOND)
        assert dials(state, 10 * SECOND) == (52 * SECOND, 60 * SECOND)
        state = press(state, Q, 13 * SECOND)
        assert dials(state, 14 * SECOND) == (51 * SECOND, 59 * SECOND)

    def test_only_who_is_running_can_press(self) -> None:
        """The message says whose dial runs."""
        with pytest.raises(ClockError, match="qostaushy cannot press at 7 us: bastaushy's dial runs"):
            press(start(NEW, B, 0), Q, 7)
        with pytest.raises(ClockError, match="bastaushy cannot press at 7 us: both dials stand"):
            press(NEW, B, 7)

    def test_a_stopped_clock_keeps_its_times(self) -> None:
        """The time in between counts for nobody, and another side may go on."""
        state = stop(start(NEW, B, 0), 10 * SECOND)
        assert dials(state, 99 * SECOND) == (50 * SECOND, 60 * SECOND)
        state = resume(state, Q, 100 * SECOND)
        assert dials(state, 101 * SECOND) == (50 * SECOND, 59 * SECOND)

    def test_a_standing_clock_cannot_be_stopped(self) -> None:
        """Nor a running one be started."""
        with pytest.raises(ClockError, match="cannot stop the clock at 7 us: both dials stand"):
            stop(NEW, 7)
        with pytest.raises(ClockError, match="bastaushy's dial cannot start at 7 us: qostaushy's runs"):
            start(start(NEW, Q, 0), B, 7)
        with pytest.raises(ClockError, match="dial cannot start"):
            resume(start(NEW, B, 0), B, 7)

    def test_time_does_not_run_backwards(self) -> None:
        """Telling is refused; asking answers what stood there."""
        state = start(NEW, B, 100)
        with pytest.raises(ClockError, match="99 us lies before 100 us, when the dial began to run"):
            stop(state, 99)
        with pytest.raises(ClockError, match="99 us lies before 100 us"):
            press(state, B, 99)
        assert press(state, B, 100).remaining_us == (62 * SECOND, 60 * SECOND)
        assert dials(state, 99) == (60 * SECOND, 60 * SECOND)

    def test_a_dial_never_shows_less_than_zero(self) -> None:
        """And is flagged from the microsecond it shows zero."""
        state = start(NEW, Q, 0)
        assert not flagged(state, Q, 60 * SECOND - 1)
        assert flagged(state, Q, 60 * SECOND)
        assert flagged(state, Q, 10**15)
        assert remaining_us(state, Q, 10**15) == 0
        assert not flagged(state, B, 10**15)
        assert stop(state, 61 * SECOND).remaining_us == (60 * SECOND, 0)

    def test_a_press_after_the_flag_adds_to_zero(self) -> None:
        """What a fallen flag means is decided elsewhere."""
        assert press(start(NEW, B, 0), B, 70 * SECOND).remaining_us == (2 * SECOND, 60 * SECOND)

    @given(st.lists(st.integers(0, 2 * SECOND), max_size=20))
    def test_no_time_is_lost_between_the_dials(self, thinking_us: list[int]) -> None:
        """What has passed and what is left add up to what was given."""
        state, now_us = start(NEW, B, 0), 0
        for think_us in thinking_us:
            assert state.running is not None
            now_us += think_us
            state = press(state, state.running, now_us)
        given_us = 120 * SECOND + len(thinking_us) * 2 * SECOND
        assert sum(dials(state, now_us)) + now_us == given_us


DELAYED = new_clock(TimeControl((Period(60_000, delay_ms=5_000),)))


class TestPeriods:
    """Quotas and what is carried (2.7.4, 2.7.13, 2.7.16)."""

    def test_what_is_left_goes_into_the_next_period(self) -> None:
        """2.7.16: at the press that fulfils the quota; that move's increment is still the first period's."""
        state = pressed_by_turns(TWO_PERIODS, [10 * SECOND, 20 * SECOND, 30 * SECOND])
        assert state.period == (1, 0)
        assert state.moves == (2, 1)
        assert dials(state, 30 * SECOND) == (72 * SECOND, 51 * SECOND)

    def test_in_the_next_period_its_own_increment_counts(self) -> None:
        """And no further time is added, however many moves are made."""
        state = pressed_by_turns(TWO_PERIODS, [SECOND * second for second in range(1, 8)])
        assert state.period == (1, 1)
        assert dials(state, 7 * SECOND) == ((60 + 2 + 30 + 10 - 4) * SECOND, (60 + 2 + 30 + 5 - 3) * SECOND)

    def test_how_many_moves_are_left_is_known(self) -> None:
        """None in the last period, and none without a clock."""
        state = pressed_by_turns(TWO_PERIODS, [1, 2, 3])
        assert [moves_to_quota(state, side) for side in Side] == [None, 1]
        assert moves_to_quota(new_clock(NO_CLOCK), B) is None
        assert moves_to_quota(new_clock(PRESETS["classical-90m-30m"]), Q) == 30

    def test_what_a_press_will_add_is_known_before(self) -> None:
        """The increment, and with the last move of a quota the next period: a device switches by itself."""
        state = pressed_by_turns(TWO_PERIODS, [1, 2])
        assert press_adds_us(TWO_PERIODS, B) == SECOND
        assert press_adds_us(state, B) == 31 * SECOND
        assert press_adds_us(press(state, B, 3), B) == 5 * SECOND
        assert press_adds_us(new_clock(NO_CLOCK), B) == 0

    def test_moves_counted_otherwise_fulfil_a_quota_too(self) -> None:
        """2.7.13: the moves made are what counts; the running dial goes on, never below zero."""
        running = start(TWO_PERIODS, B, 0)
        state = count_moves(running, B, 2, 90 * SECOND)
        assert (state.running, state.since_us, state.period) == (B, 0, (1, 0))
        assert dials(state, 90 * SECOND) == (30 * SECOND, 60 * SECOND)
        assert dials(state, 100 * SECOND) == (20 * SECOND, 60 * SECOND)
        assert count_moves(state, B, 1, 0) == state

    def test_several_quotas_may_be_fulfilled_at_once(self) -> None:
        """Each adds its period."""
        long = new_clock(TimeControl((Period(1_000, 2), Period(2_000, 3), Period(4_000))))
        assert count_moves(long, Q, 4, 0).remaining_us == (SECOND, 3 * SECOND)
        assert count_moves(long, Q, 5, 0).remaining_us == (SECOND, 7 * SECOND)

    def test_a_press_for_a_move_counted_already_counts_none(self) -> None:
        """But switches the dials and adds the increment."""
        state = press(start(TWO_PERIODS, B, 0), B, 0, counts=False)
        assert (state.moves, state.running, state.remaining_us) == ((0, 0), Q, (61 * SECOND, 60 * SECOND))


class TestDelay:
    """The dial stands at the start of each move."""

    def test_the_dial_stands_while_the_delay_lasts(self) -> None:
        """And loses what comes after it."""
        state = start(DELAYED, B, 0)
        assert [delay_left_us(state, at) for at in (-1, 0, 2 * SECOND, 9 * SECOND)] == [
            5 * SECOND,
            5 * SECOND,
            3 * SECOND,
            0,
        ]
        assert dials(state, 5 * SECOND) == (60 * SECOND, 60 * SECOND)
        assert dials(state, 6 * SECOND) == (59 * SECOND, 60 * SECOND)
        assert delay_left_us(DELAYED, 0) == 0

    def test_an_unused_delay_is_not_saved(self) -> None:
        """Each move begins with a new one, the same for everybody."""
        state = pressed_by_turns(DELAYED, [2 * SECOND, 9 * SECOND])
        assert dials(state, 9 * SECOND) == (60 * SECOND, 58 * SECOND)
        assert dials(state, 15 * SECOND) == (59 * SECOND, 58 * SECOND)

    def test_a_dial_at_zero_is_down_before_its_delay_is_over(self) -> None:
        """Whoever presses at the very end has nothing left, and the delay gives nothing back."""
        state = pressed_by_turns(DELAYED, [65 * SECOND, 66 * SECOND])
        assert remaining_us(state, B, 66 * SECOND) == 0
        assert flagged(state, B, 66 * SECOND)
        assert falls_us(state) == 66 * SECOND

    def test_a_stop_does_not_renew_the_delay(self) -> None:
        """The same move goes on; the other side's begins anew."""
        state = stop(start(DELAYED, B, 4 * SECOND), 6 * SECOND)
        assert delay_left_us(resume(state, B, 10 * SECOND), 10 * SECOND) == 3 * SECOND
        assert delay_left_us(resume(state, Q, 10 * SECOND), 10 * SECOND) == 5 * SECOND
        again = stop(resume(state, B, 10 * SECOND), 11 * SECOND)
        assert delay_left_us(resume(again, B, 20 * SECOND), 20 * SECOND) == 2 * SECOND
        assert dials(resume(state, B, 10 * SECOND), 14 * SECOND) == (59 * SECOND, 60 * SECOND)


class TestFlag:
    """When a flag falls."""

    @pytest.mark.parametrize(
        ("control", "presses", "falls"),
        [
            (TimeControl.simple(60_000, 2_000), [], 60 * SECOND),
            (TimeControl.simple(60_000, 2_000), [SECOND, 2 * SECOND], 2 * SECOND + 61 * SECOND),
            (DELAYED.control, [], 65 * SECOND),
            (TWO_PERIODS.control, [1 * SECOND, 2 * SECOND, 3 * SECOND, 4 * SECOND], 94 * SECOND),
            (TimeControl((Period(60_000),), move_limit_ms=20_000), [], 20 * SECOND),
            (TimeControl((Period(10_000),), move_limit_ms=20_000), [], 10 * SECOND),
            (TimeControl((Period(60_000),), move_limit_ms=20_000), [9 * SECOND], 29 * SECOND),
            (TimeControl.simple(60_000).observed(), [], None),
            (NO_CLOCK, [], None),
        ],
    )
    def test_the_moment_is_known_beforehand(
        self, control: TimeControl, presses: list[int], falls: int | None
    ) -> None:
        """With increment, delay, periods and limits; never on a clock that is not ours."""
        state = pressed_by_turns(new_clock(control), presses)
        side = state.running
        assert side is not None
        assert falls_us(state) == falls
        if falls is not None:
            assert not flagged(state, side, falls - 1)
            assert flagged(state, side, falls)
        assert flagged(state, side, 10**15) is (falls is not None)
        assert not flagged(state, side.opponent, 10**15)

    def test_a_standing_clock_has_none(self) -> None:
        """Nor does a limit count while it stands; a dial at zero stays flagged."""
        limited = new_clock(TimeControl((Period(60_000),), move_limit_ms=20_000))
        assert falls_us(limited) is None
        stopped = stop(start(limited, B, 0), 15 * SECOND)
        assert not flagged(stopped, B, 10**15)
        assert falls_us(resume(stopped, B, 100 * SECOND)) == 105 * SECOND
        assert flagged(stop(start(limited, B, 0), 60 * SECOND), B, 60 * SECOND)
        assert falls_us(resume(stop(start(limited, B, 0), 21 * SECOND), B, 50 * SECOND)) == 50 * SECOND

    def test_the_move_under_way_may_be_completed_after_it(self) -> None:
        """2.9.8: the press is taken, and the dial goes on from zero."""
        state = press(start(NEW, B, 0), B, 75 * SECOND)
        assert dials(state, 75 * SECOND) == (2 * SECOND, 60 * SECOND)


class TestNoClock:
    """A game without a clock (requirement 22: custom)."""

    def test_presses_go_by_turns_and_nothing_is_counted(self) -> None:
        """Zero on both dials, for ever."""
        state = pressed_by_turns(new_clock(NO_CLOCK), [SECOND, 2 * SECOND, 3 * SECOND])
        assert (state.running, state.moves) == (Q, (2, 1))
        assert dials(state, 10**12) == (0, 0)
        assert delay_left_us(state, 0) == 0
        with pytest.raises(ClockError, match="bastaushy cannot press at 4 us: qostaushy's dial runs"):
            press(state, B, 4)


STANDING, RUNNING = "standing", "running"


@pytest.mark.parametrize(
    ("found", "deed", "left"),
    [
        (STANDING, lambda state: start(state, B, 5), RUNNING),
        (STANDING, lambda state: resume(state, B, 5), RUNNING),
        (STANDING, lambda state: press(state, B, 5), None),
        (STANDING, lambda state: stop(state, 5), None),
        (STANDING, lambda state: adjust(state, (5, 0), 5), STANDING),
        (STANDING, lambda state: set_dials(state, (5, 5), 5), STANDING),
        (STANDING, lambda state: count_moves(state, B, 5, 5), STANDING),
        (RUNNING, lambda state: start(state, Q, 5), None),
        (RUNNING, lambda state: resume(state, B, 5), None),
        (RUNNING, lambda state: press(state, B, 5), RUNNING),
        (RUNNING, lambda state: press(state, Q, 5), None),
        (RUNNING, lambda state: stop(state, 5), STANDING),
        (RUNNING, lambda state: adjust(state, (5, 0), 5), RUNNING),
        (RUNNING, lambda state: set_dials(state, (5, 5), 5), RUNNING),
        (RUNNING, lambda state: count_moves(state, B, 5, 5), RUNNING),
    ],
)
def test_the_table_of_states(found: str, deed: Callable[[ClockState], ClockState], left: str | None) -> None:
    """What may be done with a clock that stands, and with one that runs; None: it is refused."""
    state = NEW if found == STANDING else start(NEW, B, 0)
    if left is None:
        with pytest.raises(ClockError):
            deed(state)
    else:
        assert (deed(state).running is not None) == (left == RUNNING)
        assert (deed(state).since_us is not None) == (left == RUNNING)


class TestConservation:
    """Time is neither made nor lost, whatever happens."""

    @given(controls(), st.lists(st.tuples(st.integers(0, 9), st.integers(0, 20 * SECOND)), max_size=30))
    def test_dials_and_time_spent_are_what_was_given(
        self, control: TimeControl, happenings: list[tuple[int, int]]
    ) -> None:
        """Through presses, stops, adjustments and settings; and no dial is ever below zero."""
        state, now_us, given_us = new_clock(control), 0, 2 * control.base_ms * 1000
        for kind, passed_us in happenings:
            side = state.running
            if side is not None:
                runs_us = max(0, passed_us - delay_left_us(state, now_us))
                given_us -= min(runs_us, remaining_us(state, side, now_us))
            now_us += passed_us
            if side is None:
                state = start(state, Side(list(Side)[kind % 2]), now_us)
            elif kind < 6:
                given_us += press_adds_us(state, side)
                state = press(state, side, now_us)
            elif kind == 6:
                state = stop(state, now_us)
            elif kind == 7 and control.mode is TimeControl.simple(1).mode:
                delta_us = (passed_us, -min(passed_us, remaining_us(state, Q, now_us)))
                given_us += sum(delta_us)
                state = adjust(state, delta_us, now_us)
            elif kind == 8 and control != NO_CLOCK:
                given_us += 10 * SECOND - sum(dials(state, now_us))
                state = set_dials(state, (4 * SECOND, 6 * SECOND), now_us)
            else:
                before_us = sum(dials(state, now_us))
                state = count_moves(state, side, state.moves[side.index] + 1, now_us)
                given_us += sum(dials(state, now_us)) - before_us
            assert sum(dials(state, now_us)) == given_us
            assert min(state.remaining_us) >= 0

    @given(controls(), st.lists(st.integers(0, 30 * SECOND), min_size=1, max_size=20))
    def test_a_dial_loses_what_its_own_moves_took_beyond_their_delays(
        self, control: TimeControl, thinking_us: list[int]
    ) -> None:
        """Counted by a second hand: press by press, period by period."""
        left_us = [control.base_ms * 1000] * 2
        quotas: list[list[Period]] = [list(control.periods), list(control.periods)]
        made = [0, 0]
        state, now_us = start(new_clock(control), B, 0), 0
        for turn, think_us in enumerate(thinking_us):
            mover = turn % 2
            now_us += think_us
            state = press(state, (B, Q)[mover], now_us)
            made[mover] += 1
            if quotas[mover]:
                period = quotas[mover][0]
                left_us[mover] = max(0, left_us[mover] - max(0, think_us - period.delay_ms * 1000))
                left_us[mover] += period.increment_ms * 1000
                if period.moves == made[mover]:
                    made[mover] = 0
                    quotas[mover].pop(0)
                    left_us[mover] += quotas[mover][0].time_ms * 1000
            assert list(state.remaining_us) == left_us
            assert (state.running, state.since_us) == ((Q, B)[mover], now_us)

    @given(controls(), st.lists(st.integers(0, 30 * SECOND), max_size=10), st.integers(0, 10**12))
    def test_the_flag_is_down_from_the_moment_it_falls(
        self, control: TimeControl, thinking_us: list[int], later_us: int
    ) -> None:
        """And not a microsecond earlier."""
        moments = [sum(thinking_us[: number + 1]) for number in range(len(thinking_us))]
        state = pressed_by_turns(new_clock(control), moments)
        falls, side = falls_us(state), state.running
        assert side is not None
        assert state.since_us is not None
        at_us = state.since_us + later_us
        assert flagged(state, side, at_us) == (falls is not None and at_us >= falls)
