"""The two dials: what each player has left, through periods, increments, delays and an arbiter's corrections.

Pure: a state and a moment go in, a state comes out. Moments are *table time*, microseconds on the board's own
monotonic timeline. A dial never shows less than zero, and whether a fallen flag loses is not decided here
(2.9.9): `rules.flags` answers that.

A dial is in one of these states; what is not in the table raises `ClockError`:

    standing    start, resume -> the side's dial runs
                adjust, set_dials, count_moves -> standing
    running     press -> the other side's dial runs
                stop -> standing
                adjust, set_dials, count_moves -> running on

With a delay the running dial stands at first. With a quota the time of the next period is added at the move
that fulfils it, so that what was left stays (2.7.16). Without a clock of our own (`ClockMode.NONE`) both
dials show zero, and whose turn it is to press is still known.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

from rules.errors import ClockError
from rules.position import Side
from rules.time_control import ClockMode, Period, TimeControl

LEAST_LATE_CLOCK_US = 15 * 60 * 1_000_000
"""The least time on each dial of a clock that is set down near the end of a session (2.7.11)."""

LATENESS_FORFEITS_US = 30 * 60 * 1_000_000
"""Who comes later than this has lost (2.7.6)."""

MAX_DIAL_US = 30 * 24 * 60 * 60 * 1_000_000
"""Most time a dial can be set to: thirty days, so that no sum of corrections leaves 64 bits."""

Pair = tuple[int, int]
"""One number for [bastaushy, qostaushy]."""


@dataclass(frozen=True, slots=True)
class ClockState:
    """Both dials as of the last change. Pairs are [bastaushy, qostaushy].

    Attributes:
        control: The time control.
        remaining_us: What both had left in microseconds when the state began, 0 or more.
        running: Whose dial runs; None: both stand.
        since_us: Table time since when it runs, in microseconds; None: both stand.
        moves: How many moves both have made.
        period: Index into the control's periods that both are in.
        spent_us: What both had spent on their move under way when the state began, in microseconds: it uses
            up the delay and counts for the limit of a move.
    """

    control: TimeControl
    remaining_us: Pair
    running: Side | None
    since_us: int | None
    moves: Pair = (0, 0)
    period: Pair = (0, 0)
    spent_us: Pair = (0, 0)


def new_clock(control: TimeControl) -> ClockState:
    """Return a standing clock with the time of the first period on both dials."""
    full_us = control.base_ms * 1000
    return ClockState(control, (full_us, full_us), None, None)


# --- what can be done -----------------------------------------------------------------------------


def start(state: ClockState, side: Side, at_us: int) -> ClockState:
    """Return the clock with the dial of `side` running from `at_us` (2.7.5).

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


def press(state: ClockState, side: Side, at_us: int, *, counts: bool = True) -> ClockState:
    """Return the clock after `side` has ended his move (2.7.7): the other dial runs.

    His increment is added, and the next period's time if the move fulfils a quota.

    Args:
        state: The clock before.
        side: Who pressed.
        at_us: When.
        counts: Whether the press ends a move that was not counted yet.

    Raises:
        ClockError: His dial does not run, or `at_us` lies before the moment it began to.
    """
    if state.running is not side:
        running = "both dials stand" if state.running is None else f"{state.running.value}'s dial runs"
        raise ClockError(f"{side.value} cannot press at {at_us} us: {running}")
    stopped = stop(state, at_us)
    adds_us = _period(stopped, side).increment_ms * 1000 if stopped.control.periods else 0
    pressed = replace(
        stopped,
        remaining_us=_with(stopped.remaining_us, side, stopped.remaining_us[side.index] + adds_us),
        spent_us=_with(stopped.spent_us, side, 0),
    )
    counted = count_moves(pressed, side, pressed.moves[side.index] + counts, at_us)
    return replace(counted, running=side.opponent, since_us=at_us)


def stop(state: ClockState, at_us: int) -> ClockState:
    """Return the clock with both dials standing.

    Raises:
        ClockError: No dial runs, or `at_us` lies before the moment it began to.
    """
    side, since_us = state.running, state.since_us
    if side is None or since_us is None:
        raise ClockError(f"cannot stop the clock at {at_us} us: both dials stand")
    if at_us < since_us:
        raise ClockError(f"{at_us} us lies before {since_us} us, when the dial began to run")
    return replace(
        state,
        remaining_us=_with(state.remaining_us, side, remaining_us(state, side, at_us)),
        running=None,
        since_us=None,
        spent_us=_with(state.spent_us, side, state.spent_us[side.index] + at_us - since_us),
    )


def count_moves(state: ClockState, side: Side, made: int, at_us: int) -> ClockState:
    """Return the clock that knows at `at_us` that `side` has made at least `made` moves.

    Each quota fulfilled by them begins the next period, and its time is added to what is left (2.7.16). A
    count below the one known changes nothing.
    """
    made = max(made, state.moves[side.index])
    state = replace(state, moves=_with(state.moves, side, made))
    while (due := moves_to_quota(state, side)) is not None and due <= 0:
        left_us = remaining_us(state, side, at_us)
        period = state.period[side.index] + 1
        state = replace(state, period=_with(state.period, side, period))
        state = _showing(state, side, left_us + state.control.periods[period].time_ms * 1000, at_us)
    return state


def adjust(state: ClockState, delta_us: Pair, at_us: int) -> ClockState:
    """Return the clock after an arbiter gave or took time (2.4.8, 2.7.14, 2.9.3), running on as it ran.

    Raises:
        ClockError: More is to be taken than a dial shows, a dial would pass MAX_DIAL_US, or there is no clock
            of ours.
    """
    if state.control.mode is not ClockMode.OWN:
        raise ClockError(f"there is nothing to adjust: the clock is {state.control.mode.value}")
    first_us, second_us = (remaining_us(state, side, at_us) + delta_us[side.index] for side in Side)
    for side, wanted_us in zip(Side, (first_us, second_us), strict=True):
        if wanted_us < 0:
            change_us = delta_us[side.index]
            raise ClockError(
                f"{_seconds(-change_us)} cannot be taken from {side.value}: his dial shows "
                f"{_seconds(wanted_us - change_us)}, and no dial shows less than zero"
            )
    return set_dials(state, (first_us, second_us), at_us)


def set_dials(
    state: ClockState, dials_us: Pair, at_us: int, control: TimeControl | None = None
) -> ClockState:
    """Return the clock showing this at `at_us`, running on as it ran, with nothing else lost.

    This is how a faulty clock is replaced (2.7.10), how a reading of an observed one is taken over, and how
    one is set down in a game that began without (2.7.11, see `late_clock`). A dial that runs goes on from the
    moment it began, so that a press made before `at_us` and told after it is still counted rightly.

    Args:
        state: The clock before; moves made and time spent on the move under way are kept.
        dials_us: What the dials show at `at_us`, in microseconds, 0..MAX_DIAL_US.
        at_us: When.
        control: The control of the new clock; None: the same. The quotas of a new one that the moves made
            fulfil already are past, and add nothing: `dials_us` is the whole truth.

    Raises:
        ClockError: A dial is out of its range, or the game is played without a clock.
    """
    control = state.control if control is None else control
    if control.mode is ClockMode.NONE:
        raise ClockError("there is no clock to set: the game is played without one")
    for side in Side:
        if not 0 <= dials_us[side.index] <= MAX_DIAL_US:
            raise ClockError(
                f"{side.value}'s dial cannot show {_seconds(dials_us[side.index])}: "
                f"0 s to {_seconds(MAX_DIAL_US)}"
            )
    if control != state.control:
        state = replace(state, control=control, period=(0, 0))
    for side in Side:
        state = count_moves(state, side, 0, at_us)
        state = _showing(state, side, dials_us[side.index], at_us)
    return state


def put(state: ClockState, dials_us: Pair, moves: Pair, running: Side | None, at_us: int) -> ClockState:
    """Return the clock as an arbiter sets it with another position: so many moves are made, this is left.

    The periods are those that the moves made have come to; `dials_us` is the whole truth, no period adds to
    it. Whoever is to move has spent nothing on his move.

    Args:
        state: The clock before, running or standing.
        dials_us: What the dials show at `at_us`, in microseconds, 0..MAX_DIAL_US; without a clock of ours 0.
        moves: How many moves both have made.
        running: Whose dial runs from `at_us`; None: both stand.
        at_us: When.

    Raises:
        ClockError: A dial is out of its range.
    """
    fresh = ClockState(state.control, state.remaining_us, None, None, moves)
    if state.control.mode is not ClockMode.NONE:
        fresh = set_dials(fresh, dials_us, at_us)
    elif dials_us != (0, 0):
        raise ClockError("there is no clock to set: the game is played without one")
    return fresh if running is None else start(fresh, running, at_us)


# --- questions ------------------------------------------------------------------------------------


def remaining_us(state: ClockState, side: Side, at_us: int) -> int:
    """Return what the dial of `side` shows at `at_us`, in microseconds, 0 or more.

    Asked about a moment before the running dial's start, it answers with what stood there then.
    """
    return max(0, state.remaining_us[side.index] - _used_us(state, side, at_us))


def delay_left_us(state: ClockState, at_us: int) -> int:
    """Return how long the running dial still stands at `at_us`, in microseconds; 0 when both stand."""
    if state.running is None or state.since_us is None:
        return 0
    return max(0, _free_us(state, state.running) - max(0, at_us - state.since_us))


def falls_us(state: ClockState) -> int | None:
    """Return when the running dial's flag falls, in table time; None: it never does as things stand.

    That is when the dial reaches zero, or before that when the move takes longer than its limit. A dial that
    shows zero when the move begins is down at once: a delay gives time to think, and no time back. A clock
    that is only observed, or none at all, has no flag of ours.
    """
    side, control = state.running, state.control
    if side is None or state.since_us is None or control.mode is not ClockMode.OWN:
        return None
    left_us = state.remaining_us[side.index]
    falls = state.since_us + (_free_us(state, side) + left_us if left_us else 0)
    if control.move_limit_ms is not None:
        limit_us = max(0, control.move_limit_ms * 1000 - state.spent_us[side.index])
        falls = min(falls, state.since_us + limit_us)
    return falls


def flagged(state: ClockState, side: Side, at_us: int) -> bool:
    """Return whether the flag of `side` is down at `at_us`: dial at zero, or a move took too long."""
    if state.control.mode is not ClockMode.OWN:
        return False
    falls = falls_us(state) if state.running is side else None
    return remaining_us(state, side, at_us) == 0 or (falls is not None and at_us >= falls)


def moves_to_quota(state: ClockState, side: Side) -> int | None:
    """Return how many moves `side` still has to make in his period; None: no quota is left."""
    periods = state.control.periods[: state.period[side.index] + 1]
    if not periods or periods[-1].moves is None:
        return None
    return sum(period.moves or 0 for period in periods) - state.moves[side.index]


def press_adds_us(state: ClockState, side: Side) -> int:
    """Return what the next press of `side` adds to his dial: increment, and a next period it begins."""
    if not state.control.periods:
        return 0
    adds_ms = _period(state, side).increment_ms
    if moves_to_quota(state, side) == 1:
        adds_ms += state.control.periods[state.period[side.index] + 1].time_ms
    return adds_ms * 1000


def lateness_us(state: ClockState, side: Side, late_us: int, at_us: int) -> Pair:
    """Return what `adjust` is to be given for the lateness of `side`: it is taken off his dial (2.7.6).

    As far as the dial goes at `at_us`. Where his dial has run while he was missing nothing is to be charged.

    Raises:
        ClockError: He has lost by it, or is not late at all.
    """
    if lateness_forfeits(late_us) or late_us <= 0:
        raise ClockError(f"{_seconds(late_us)} of lateness cannot be charged: up to 30 minutes (2.7.6)")
    return _with((0, 0), side, -min(late_us, remaining_us(state, side, at_us)))


def lateness_forfeits(late_us: int) -> bool:
    """Return whether who comes so late has lost: more than thirty minutes after the start (2.7.6, 2.6.3)."""
    return late_us > LATENESS_FORFEITS_US


def late_clock(session_left_us: int) -> Pair:
    """Return the dials of a clock that is set down after the start: the rest in equal halves (2.7.11).

    Near the end of the session each gets fifteen minutes all the same.
    """
    half_us = max(session_left_us // 2, LEAST_LATE_CLOCK_US)
    return half_us, half_us


def _showing(state: ClockState, side: Side, left_us: int, at_us: int) -> ClockState:
    """Return the clock whose dial of `side` shows `left_us` at `at_us`, without touching when it began."""
    used_us = _used_us(state, side, at_us)
    return replace(state, remaining_us=_with(state.remaining_us, side, left_us + used_us))


def _used_us(state: ClockState, side: Side, at_us: int) -> int:
    """Return how long the dial of `side` has been losing time since the state began."""
    if state.running is not side or state.since_us is None:
        return 0
    return max(0, at_us - state.since_us - _free_us(state, side))


def _period(state: ClockState, side: Side) -> Period:
    return state.control.periods[state.period[side.index]]


def _free_us(state: ClockState, side: Side) -> int:
    """Return how much of the delay the move under way had left when the state began."""
    if not state.control.periods:
        return 0
    return max(0, _period(state, side).delay_ms * 1000 - state.spent_us[side.index])


def _with(pair: Pair, side: Side, value: int) -> Pair:
    return (value, pair[1]) if side is Side.BASTAUSHY else (pair[0], value)


def _seconds(time_us: int) -> str:
    return f"{time_us / 1_000_000:g} s"
