"""Clocks to begin from, and what a test asks of them."""

from rules import ClockState, Period, Side, TimeControl
from rules.clock import new_clock, press, remaining_us, start

B, Q = Side.BASTAUSHY, Side.QOSTAUSHY
SECOND = 1_000_000
MINUTE = 60 * SECOND
CONTROL = TimeControl.simple(60_000, 2_000)
NEW = new_clock(CONTROL)
TWO_PERIODS = new_clock(TimeControl((Period(60_000, 2, 1_000), Period(30_000, None, 5_000))))


def dials(state: ClockState, at_us: int) -> tuple[int, int]:
    """Return what both dials show."""
    return remaining_us(state, B, at_us), remaining_us(state, Q, at_us)


def pressed_by_turns(state: ClockState, at_us: list[int]) -> ClockState:
    """Return the clock after a start at 0 and presses at these moments."""
    state = start(state, B, 0)
    for moment_us in at_us:
        assert state.running is not None
        state = press(state, state.running, moment_us)
    return state
