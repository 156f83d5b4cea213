"""The two dials under an arbiter's hand."""

import pytest

from rules import NO_CLOCK, PRESETS, ClockError, Side, TimeControl
from rules.clock import (
    LATENESS_FORFEITS_US,
    LEAST_LATE_CLOCK_US,
    MAX_DIAL_US,
    adjust,
    falls_us,
    late_clock,
    lateness_forfeits,
    lateness_us,
    new_clock,
    press,
    set_dials,
    start,
)
from tests.rules.clocks import MINUTE, NEW, SECOND, TWO_PERIODS, dials, pressed_by_turns

B, Q = Side.BASTAUSHY, Side.QOSTAUSHY


class TestArbiter:
    """What an arbiter does with a clock."""

    def test_he_gives_and_takes_time(self) -> None:
        """2.4.8: on both dials, standing or running, and the running one goes on."""
        assert adjust(NEW, (MINUTE, -10 * SECOND), 0).remaining_us == (120 * SECOND, 50 * SECOND)
        state = adjust(start(NEW, B, 0), (-10 * SECOND, 0), 20 * SECOND)
        assert dials(state, 20 * SECOND) == (30 * SECOND, 60 * SECOND)
        assert dials(state, 25 * SECOND) == (25 * SECOND, 60 * SECOND)
        assert (state.running, state.since_us) == (B, 0)

    def test_a_press_made_before_and_told_after_loses_nothing(self) -> None:
        """The dial runs from where it began."""
        state = press(adjust(start(NEW, B, 0), (MINUTE, 0), 20 * SECOND), B, 15 * SECOND)
        assert dials(state, 15 * SECOND) == ((60 + 60 - 15 + 2) * SECOND, 60 * SECOND)

    def test_no_dial_is_taken_below_zero(self) -> None:
        """The message says what it shows; all of it may be taken."""
        with pytest.raises(
            ClockError,
            match=r"60\.5 s cannot be taken from qostaushy: his dial shows 60 s, and no dial shows less",
        ):
            adjust(NEW, (0, -60_500_000), 0)
        assert adjust(NEW, (0, -60 * SECOND), 0).remaining_us == (60 * SECOND, 0)

    def test_both_flags_down_may_be_given_five_minutes(self) -> None:
        """2.7.14: from zero, however long ago they fell."""
        down = set_dials(start(NEW, B, 0), (0, 0), 100 * SECOND)
        state = adjust(down, (5 * MINUTE, 5 * MINUTE), 200 * SECOND)
        assert dials(state, 200 * SECOND) == (5 * MINUTE, 5 * MINUTE)
        assert falls_us(state) == 500 * SECOND

    @pytest.mark.parametrize("control", [NO_CLOCK, TimeControl.simple(1).observed()])
    def test_only_our_own_clock_is_adjusted(self, control: TimeControl) -> None:
        """Another one is set by hand, and read."""
        with pytest.raises(ClockError, match=f"nothing to adjust: the clock is {control.mode.value}"):
            adjust(new_clock(control), (1, 1), 0)

    def test_a_faulty_clock_is_replaced_and_nothing_is_lost(self) -> None:
        """2.7.10: dials as told, moves, period and the move under way as they were."""
        state = pressed_by_turns(TWO_PERIODS, [SECOND, 2 * SECOND, 3 * SECOND])
        swapped = set_dials(state, (80 * SECOND, 40 * SECOND), 10 * SECOND)
        assert (swapped.moves, swapped.period, swapped.running, swapped.since_us) == (
            (2, 1),
            (1, 0),
            Q,
            3 * SECOND,
        )
        assert dials(swapped, 11 * SECOND) == (80 * SECOND, 39 * SECOND)
        assert set_dials(state, dials(state, 10 * SECOND), 10 * SECOND) == state

    def test_another_control_takes_over_the_moves_made(self) -> None:
        """A quota they fulfil is past, and the dials are exactly as told."""
        state = pressed_by_turns(NEW, [SECOND, 2 * SECOND, 3 * SECOND])
        changed = set_dials(state, (MINUTE, MINUTE), 3 * SECOND, TWO_PERIODS.control)
        assert (changed.control, changed.period) == (TWO_PERIODS.control, (1, 0))
        assert dials(changed, 3 * SECOND) == (MINUTE, MINUTE)

    def test_another_control_begins_with_its_own_first_period(self) -> None:
        """Whichever of the old one it was: a second period that the new one has not is no place to be in."""
        state = pressed_by_turns(TWO_PERIODS, [SECOND, 2 * SECOND, 3 * SECOND])
        assert state.period == (1, 0)
        changed = set_dials(state, (MINUTE, MINUTE), 3 * SECOND, NEW.control)
        assert changed.period == (0, 0)
        assert dials(press(changed, Q, 4 * SECOND), 4 * SECOND) == (MINUTE, 61 * SECOND)

    def test_a_clock_may_be_set_down_after_the_start(self) -> None:
        """2.7.11: the rest of the session in equal halves, near its end a quarter of an hour each."""
        assert late_clock(80 * MINUTE + 1) == (40 * MINUTE, 40 * MINUTE)
        assert late_clock(20 * MINUTE) == (15 * MINUTE, 15 * MINUTE)
        assert late_clock(0) == (LEAST_LATE_CLOCK_US, LEAST_LATE_CLOCK_US) == (15 * MINUTE, 15 * MINUTE)
        assert late_clock(30 * MINUTE + 2) == (15 * MINUTE + 1, 15 * MINUTE + 1)
        without = start(new_clock(NO_CLOCK), B, 0)
        state = set_dials(without, late_clock(80 * MINUTE), MINUTE, PRESETS["classical-60m"])
        assert dials(state, 2 * MINUTE) == (39 * MINUTE, 40 * MINUTE)
        assert falls_us(state) == 41 * MINUTE

    @pytest.mark.parametrize(
        ("first_us", "message"),
        [(-1, "bastaushy's dial cannot show -1e-06 s: 0 s to"), (MAX_DIAL_US + 1, "dial cannot show 2.592e")],
    )
    def test_a_dial_has_its_limits(self, first_us: int, message: str) -> None:
        """From zero to thirty days."""
        with pytest.raises(ClockError, match=message):
            set_dials(NEW, (first_us, 0), 0)
        assert set_dials(NEW, (0, MAX_DIAL_US), 0).remaining_us == (0, MAX_DIAL_US)

    def test_no_clock_cannot_be_set(self) -> None:
        """Unless one is set down."""
        with pytest.raises(ClockError, match="there is no clock to set: the game is played without one"):
            set_dials(new_clock(NO_CLOCK), (0, 0), 0)

    def test_lateness_is_charged_to_who_is_late(self) -> None:
        """2.7.6: as far as he has time, before the clock runs and after."""
        assert lateness_us(NEW, Q, 20 * SECOND, 0) == (0, -20 * SECOND)
        assert lateness_us(NEW, B, MINUTE + 1, 0) == (-MINUTE, 0)
        running = start(NEW, B, 0)
        assert lateness_us(running, B, MINUTE, 10 * SECOND) == (-50 * SECOND, 0)
        assert dials(adjust(running, (-50 * SECOND, 0), 10 * SECOND), 10 * SECOND) == (0, MINUTE)
        for late_us in (0, -SECOND, LATENESS_FORFEITS_US + SECOND):
            with pytest.raises(ClockError, match=f"^{late_us / SECOND:g} s of lateness cannot be charged"):
                lateness_us(NEW, B, late_us, 0)

    def test_more_than_thirty_minutes_late_loses(self) -> None:
        """2.7.6, 2.6.3: exactly thirty do not."""
        assert not lateness_forfeits(LATENESS_FORFEITS_US)
        assert lateness_forfeits(LATENESS_FORFEITS_US + 1)
        assert LATENESS_FORFEITS_US == 30 * MINUTE
