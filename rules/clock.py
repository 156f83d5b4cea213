"""The two dials: minutes for the game and an increment for each move.

Pure: a state and a moment go in, a state comes out. Moments are *table time*, microseconds on the board's own
monotonic timeline. A dial never shows less than zero, and whether a fallen flag loses is not decided here
(2.9.9).
"""

from __future__ import annotations

from dataclasses import dataclass, replace

from rules.errors import ClockError, shown
from rules.position import Side

MAX_BASE_MS = 24 * 60 * 60 * 1000
"""Longest time for a game: one day. The longest of the regulations is two hours (2.7.4)."""

MAX_INCREMENT_MS = 60 * 60 * 1000
"""Longest increment: one hour, so that 400 moves of both still fit into the 32-bit dials of a device."""


@dataclass(frozen=True, slots=True)
class TimeControl:
    """How much time a player gets.

    Attributes:
        base_ms: Time for the game in milliseconds, 1..MAX_BASE_MS.
        increment_ms: Time added by each press in milliseconds, 0..MAX_INCREMENT_MS.

    Raises:
        ClockError: A value is out of its range.
    """

    base_ms: int
    increment_ms: int

    def __post_init__(self) -> None:
        if not 1 <= self.base_ms <= MAX_BASE_MS:
            raise ClockError(f"base_ms {shown(self.base_ms)} is not 1 to {MAX_BASE_MS} ms")
        if not 0 <= self.increment_ms <= MAX_INCREMENT_MS:
            raise ClockError(f"increment_ms {shown(self.increment_ms)} is not 0 to {MAX_INCREMENT_MS} ms")


@dataclass(frozen=True, slots=True)
class ClockState:
    """Both dials as of the last change.

    Attributes:
        control: The time control, for its increment.
        remaining_us: What [bastaushy, qostaushy] had left in microseconds when the state began, 0 or more.
        running: Whose dial runs; None: both stand.
        since_us: Table time since when it runs, in microseconds; None: both stand.
    """

    control: TimeControl
    remaining_us: tuple[int, int]
    running: Side | None
    since_us: int | None


def new_clock(control: TimeControl) -> ClockState:
    """Return a standing clock with the full time on both dials."""
    full_us = control.base_ms * 1000
    return ClockState(control, (full_us, full_us), None, None)


def start(state: ClockState, side: Side, at_us: int) -> ClockState:
    """Return the clock with the dial of `side` running from `at_us`.

    Raises:
        ClockError: A dial runs already.
    """
    if state.running is not None:
        raise ClockError(f"{side.value}'s dial cannot start at {at_us} us: {state.running.value}'s runs")
    return replace(state, running=side, since_us=at_us)


def resume(state: ClockState, side: Side, at_us: int) -> ClockState:
    """Return a stopped clock running on for `side` from `at_us`; the time in between counts for nobody.

    Raises:
        ClockError: A dial runs already.
    """
    return start(state, side, at_us)


def press(state: ClockState, side: Side, at_us: int) -> ClockState:
    """Return the clock after `side` has ended his move: his increment is added and the other dial runs.

    Raises:
        ClockError: His dial does not run, or `at_us` lies before the moment it began to.
    """
    if state.running is not side:
        running = "both dials stand" if state.running is None else f"{state.running.value}'s dial runs"
        raise ClockError(f"{side.value} cannot press at {at_us} us: {running}")
    stopped = stop(state, at_us)
    remaining_us = list(stopped.remaining_us)
    remaining_us[side.index] += state.control.increment_ms * 1000
    return ClockState(state.control, (remaining_us[0], remaining_us[1]), side.opponent, at_us)


def stop(state: ClockState, at_us: int) -> ClockState:
    """Return the clock with both dials standing.

    Raises:
        ClockError: No dial runs, or `at_us` lies before the moment it began to.
    """
    if state.since_us is None:
        raise ClockError(f"cannot stop the clock at {at_us} us: both dials stand")
    if at_us < state.since_us:
        raise ClockError(f"{at_us} us lies before {state.since_us} us, when the dial began to run")
    first, second = (remaining_us(state, side, at_us) for side in Side)
    return ClockState(state.control, (first, second), None, None)


def remaining_us(state: ClockState, side: Side, at_us: int) -> int:
    """Return what the dial of `side` shows at `at_us`, in microseconds, 0 or more.

    Asked about a moment before the running dial's start, it answers with what stood there then.
    """
    left_us = state.remaining_us[side.index]
    if state.running is not side or state.since_us is None:
        return left_us
    return max(0, left_us - max(0, at_us - state.since_us))


def flagged(state: ClockState, side: Side, at_us: int) -> bool:
    """Return whether the dial of `side` shows zero at `at_us`."""
    return remaining_us(state, side, at_us) == 0
