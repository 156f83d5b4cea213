"""A press is judged by what lay there at that moment, whatever hands have done since."""

from __future__ import annotations

import random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from firmware_bridge.board.counting.belief import Belief
from firmware_bridge.board.counting.lots import stones_due
from firmware_bridge.board.session.decisions import committed
from firmware_bridge.board.watching.look import Look
from firmware_bridge.board.watching.reconciler import Played, Same
from firmware_bridge.board.watching.snapshot import YOUNG_US
from firmware_bridge.board.watching.watcher import Watcher
from firmware_bridge.layout import Seating, Wiring
from rules.position import START, Position, Side, Sowing, legal_moves, play
from sensors.settle import ChannelReading, ReadingState
from tests.firmware_bridge.board.hands.courses import Course
from tests.firmware_bridge.board.paper import UNITS

B, Q = Side.BASTAUSHY, Side.QOSTAUSHY
SECOND = 1_000_000
FIRST = play(START, 7)
SECOND_PLY = play(FIRST.after, 9)


def watching(belief: Belief | None = None) -> Watcher:
    """Return the eye on a board on which the start was confirmed."""
    return Watcher(Seating(Wiring(), "a"), UNITS, belief or Belief.exactly(stones_due(START)))


class Table:
    """An eye that follows a course, and commits what is final as a session does."""

    def __init__(self, course: Course) -> None:
        """Watch from the start position."""
        self.course = course
        self.watcher = watching()
        self.position = START
        self.plies: list[Sowing] = []
        self.pressed: list[tuple[Side, int]] = []
        self.looks: list[Look] = []

    def watch(self, since_us: int, until_us: int, step_us: int = 25_000) -> None:
        """Look at the board again and again."""
        for now_us in range(since_us, until_us + 1, step_us):
            known = [(side, at_us) for side, at_us in self.pressed if at_us <= now_us]
            sides, times = [side for side, _ in known], [at_us for _, at_us in known]
            channels = self.course.channels(now_us)
            look = self.watcher.look(now_us, channels, self.position, tuple(sides), times)
            self.looks.append(look)
            played = committed(look)
            if played is not None:
                self.watcher.confirm(look.readings, played[0].weighed)
                self.plies += played[0].plies
                self.position = self.plies[-1].after
                del self.pressed[: len(look.presses)]


def test_a_press_waits_while_no_place_at_all_can_be_read() -> None:
    """Every place moves for a moment when samples have been missing: no look at it may fail."""
    nothing = (ChannelReading(ReadingState.MOVING, None, None, "no samples for 0.5 s"),) * 20
    look = watching().look(2 * SECOND, nothing, START, (B,), (SECOND,))
    assert look.verdict is None


@settings(max_examples=40)
@given(
    gap_us=st.integers(0, 250_000),
    lag_us=st.integers(0, 100_000),
    pick=st.integers(0, 8),
    restless=st.booleans(),
)
def test_a_ply_is_final_although_the_next_player_has_long_begun(
    gap_us: int, lag_us: int, pick: int, *, restless: bool
) -> None:
    """His hand is on the board before all has been quiet together; the stretches that are over tell."""
    course = Course(lag_us)
    course.put(SECOND, stones_due(FIRST.after))
    moves = legal_moves(FIRST.after)
    next_us = 1_600_000 + YOUNG_US + gap_us
    lifted = [*map(float, stones_due(FIRST.after))]
    lifted[9 + moves[pick % len(moves)] - 1] = 0.0
    course.put(next_us, lifted)
    if restless:
        for number in range(12):
            course.touch(next_us + number * 200_000, number + 1)
    table = Table(course)
    table.pressed.append((B, 1_600_000))
    table.watch(1_500_000, 3 * SECOND)
    assert table.plies == [FIRST]


@settings(max_examples=80)
@given(
    before_us=st.integers(50_000, SECOND),
    lag_us=st.integers(0, 100_000),
    source=st.integers(0, 19),
    target=st.integers(0, 19),
    begun=st.booleans(),
)
def test_an_offence_before_the_press_is_never_missed(
    before_us: int, lag_us: int, source: int, target: int, *, begun: bool
) -> None:
    """A stone that came elsewhere just before it, although the board lay legal until then."""
    course = Course(lag_us)
    course.put(SECOND, stones_due(FIRST.after))
    press_us = 3 * SECOND
    if source == target or not stones_due(FIRST.after)[source]:
        return
    course.move(press_us - before_us, source, target)
    if begun:  # the opponent moves on as soon as he may: the legal stretch must not come back
        course.put(press_us + 400_000, stones_due(SECOND_PLY.after))
    table = Table(course)
    table.pressed.append((B, press_us))
    table.watch(2 * SECOND, press_us + 2 * SECOND)
    assert table.plies == []


def test_a_place_touched_before_the_press_makes_it_wait_until_it_is_quiet() -> None:
    """What lies there is not known before; then it is, and the ply counts."""
    course = Course()
    course.put(SECOND, stones_due(FIRST.after))
    course.touch(2_900_000, 14)
    table = Table(course)
    table.pressed.append((B, 3 * SECOND))
    table.watch(3 * SECOND, 3_225_000)
    assert table.plies == []
    table.watch(3_250_000, 3_300_000)
    assert table.plies == [FIRST]
    course = Course()
    course.put(SECOND, stones_due(FIRST.after))
    for again in range(20):
        course.touch(2_900_000 + again * 250_000, 14)
    table = Table(course)
    table.pressed.append((B, 3 * SECOND))
    table.watch(3 * SECOND, 7 * SECOND)
    assert table.plies == []


def test_the_second_press_does_not_hide_the_first() -> None:
    """Told late and together, each is judged by its own moment, in order."""
    course = Course()
    course.put(SECOND, stones_due(FIRST.after))
    course.put(3 * SECOND, stones_due(SECOND_PLY.after))
    table = Table(course)
    table.pressed += [(B, 2 * SECOND), (Q, 4 * SECOND)]
    table.watch(5 * SECOND, 5 * SECOND + 50_000)
    assert table.plies == [FIRST, SECOND_PLY]
    assert [look.presses for look in table.looks[:2]] == [(B,), (Q,)]


@pytest.mark.parametrize("wrong", ["first", "second"])
def test_an_offence_is_found_at_its_own_press(wrong: str) -> None:
    """The first ply counts if it was right; one that was not is not hidden by a second press."""
    course = Course()
    course.put(SECOND, stones_due(FIRST.after))
    if wrong == "first":
        course.move(1_500_000, 12, 13)
    after = [*stones_due(SECOND_PLY.after)]
    after[2], after[3] = after[2] - 1, after[3] + 1
    course.put(3 * SECOND, after)
    table = Table(course)
    table.pressed += [(B, 2 * SECOND), (Q, 4 * SECOND)]
    table.watch(5 * SECOND, 6 * SECOND)
    assert table.plies == ([FIRST] if wrong == "second" else [])


def test_nothing_is_judged_before_a_press_is_old_enough() -> None:
    """A change made just before it may not have been noticed yet."""
    course = Course()
    course.put(SECOND, stones_due(FIRST.after))
    table = Table(course)
    table.pressed.append((B, 3 * SECOND))
    table.watch(3 * SECOND, 3 * SECOND + YOUNG_US - 1, step_us=5_000)
    assert table.plies == []
    assert not any(look.young for look in table.looks)
    table.watch(3 * SECOND + YOUNG_US, 3 * SECOND + YOUNG_US)
    assert table.plies == [FIRST]


@pytest.mark.parametrize(("period_us", "waits"), [(12_500, False), (25_000, False), (100_000, True)])
def test_a_slow_device_waits_longer(period_us: int, *, waits: bool) -> None:
    """A converter shows a step after four conversions, so that many and one are waited for."""
    watcher = watching()
    course = Course()
    for number in range(400):
        watcher.looks_now(number * period_us, course.channels(number * period_us))
    assert (watcher.young_us > YOUNG_US) is waits
    assert watcher.young_us >= max(YOUNG_US, 4.5 * period_us)
    young_us = watcher.young_us
    now_us = 400 * period_us + 20 * SECOND
    watcher.looks_now(now_us, course.channels(now_us))
    assert watcher.young_us == young_us  # a hole in the samples is no rate
    at_us = 100 * SECOND
    course.put(at_us - 2 * SECOND, stones_due(FIRST.after))
    early = at_us + young_us - 1
    assert not watcher.look(early, course.channels(early), START, (B,), (at_us,)).young
    late = at_us + young_us
    look = watcher.look(late, course.channels(late), START, (B,), (at_us,))
    assert isinstance(look.verdict, Played)
    assert look.young


def test_a_look_is_taken_when_something_changes_and_when_it_is_time() -> None:
    """More often while a press waits; a machine that looked at every sample would run hot."""
    watcher = watching()
    course = Course()

    def due(now_us: int, *, pressed: bool = False) -> bool:
        return watcher.looks_now(now_us, course.channels(now_us), pressed=pressed)

    assert due(SECOND)
    watcher.look(SECOND, course.channels(SECOND), START, (), ())
    assert not due(SECOND + 12_500)
    assert due(SECOND + 37_500, pressed=True)
    assert not due(SECOND + 50_000)
    assert due(SECOND + 200_000)
    watcher.look(SECOND + 200_000, course.channels(SECOND + 200_000), START, (), ())
    course.touch(SECOND + 160_000, 4)
    assert due(SECOND + 212_500)
    assert not due(SECOND + 225_000)


def test_presses_of_both_that_played_nothing_explain_no_ply_to_come() -> None:
    """A player who pressed by mistake and was answered in kind has not played."""
    course = Course()
    table = Table(course)
    table.pressed += [(B, SECOND), (Q, 2 * SECOND)]
    table.watch(2 * SECOND, 3 * SECOND)
    assert type(table.looks[-1].verdict) is Same
    course.put(3 * SECOND, stones_due(FIRST.after))
    table.watch(3_025_000, 4 * SECOND)
    assert table.plies == []
    (last,) = table.looks[-1:]
    assert isinstance(last.verdict, Played)
    assert last.presses == ()
    table.pressed.append((B, 4 * SECOND))
    table.watch(4_025_000, 5 * SECOND)
    assert table.plies == [FIRST]


@settings(max_examples=15)
@given(seed=st.integers(0, 1_000_000), pace_us=st.integers(750_000, 2_000_000))
def test_a_game_played_without_a_pause_is_followed_ply_by_ply(seed: int, pace_us: int) -> None:
    """Each player lifts his stones a third of a second after the press."""
    rng = random.Random(seed)
    course = Course()
    table = Table(course)
    position: Position = START
    played: list[Sowing] = []
    for number in range(6):
        ply = play(position, rng.choice(legal_moves(position)))
        at_us = SECOND + number * pace_us
        lifted = [*map(float, stones_due(position))]
        lifted[ply.side.index * 9 + ply.number - 1] = 0.0
        course.put(at_us, lifted)
        course.put(at_us + 100_000, stones_due(ply.after))
        table.pressed.append((ply.side, at_us + 400_000))
        played.append(ply)
        position = ply.after
    table.watch(SECOND, SECOND + 6 * pace_us + SECOND, step_us=50_000)
    assert table.plies == played
