"""The dials between two CLOCK messages, and the races the protocol page promises to resolve."""

from sensors.device.dials import Dials
from sensors.frames import EDGE_DOWN, EDGE_UP, RUNNING_A, RUNNING_B, RUNNING_NONE, Button, Clock

SECOND = 1_000_000


def clock(
    revision: int, seen: int, at_us: int, running: int, *, armed: int = 1, left_ms: int = 60_000
) -> Clock:
    """A minute a side, two seconds for A's and three for B's press."""
    return Clock(revision, seen, at_us, running, armed, (left_ms, left_ms), (2_000, 3_000))


def press(number: int, button: int, at_us: int) -> Button:
    """A button going down."""
    return Button(number, at_us, button, EDGE_DOWN)


def shown(dials: Dials, now_us: int) -> tuple[int | None, int | None]:
    """Both dials."""
    return dials.shown_us(0, now_us), dials.shown_us(1, now_us)


def test_before_the_first_clock_nothing_is_shown() -> None:
    """Not zero: unknown. A press switches nothing."""
    dials = Dials()
    assert shown(dials, 5) == (None, None)
    assert not dials.switch(press(1, 0, 5))
    assert dials.running == RUNNING_NONE


def test_the_running_dial_counts_down_by_itself_to_zero() -> None:
    """The other stands; below zero nothing is shown; a start in the future has not begun."""
    dials = Dials()
    dials.adopt(clock(1, 0, 10 * SECOND, RUNNING_A), ())
    assert shown(dials, 9 * SECOND) == (60 * SECOND, 60 * SECOND)
    assert shown(dials, 25 * SECOND) == (45 * SECOND, 60 * SECOND)
    assert shown(dials, 100 * SECOND) == (0, 60 * SECOND)


def test_a_press_adds_the_increment_and_starts_the_other_dial() -> None:
    """At once and without the host, back and forth."""
    dials = Dials()
    dials.adopt(clock(1, 0, 0, RUNNING_A), ())
    assert dials.switch(press(1, 0, 10 * SECOND))
    assert dials.running == RUNNING_B
    assert dials.switch(press(2, 1, 14 * SECOND))
    assert dials.running == RUNNING_A
    assert shown(dials, 15 * SECOND) == (51 * SECOND, 59 * SECOND)


def test_some_presses_switch_nothing() -> None:
    """The other side's, the arbiter's, a release, and any press while disarmed or standing."""
    dials = Dials()
    dials.adopt(clock(1, 0, 0, RUNNING_A), ())
    for event in (press(1, 1, 5), press(2, 2, 5), Button(3, 5, 0, EDGE_UP)):
        assert not dials.switch(event)
    dials.adopt(clock(2, 3, 0, RUNNING_A, armed=0), ())
    assert not dials.switch(press(4, 0, 6))
    dials.adopt(clock(3, 4, 0, RUNNING_NONE), ())
    assert not dials.switch(press(5, 0, 7))


def test_a_clock_that_has_not_seen_a_press_does_not_turn_the_dials_back() -> None:
    """However often and late it comes, the dials are as they were."""
    dials = Dials()
    old = clock(20, 6, 0, RUNNING_A)
    dials.adopt(old, ())
    event = press(7, 0, 10 * SECOND)
    assert dials.switch(event)
    before = dials.running, shown(dials, 12 * SECOND)
    for _ in range(3):
        dials.adopt(old, (event,))
        assert (dials.running, shown(dials, 12 * SECOND)) == before
    dials.adopt(clock(21, 7, 10 * SECOND, RUNNING_B), (event,))
    assert dials.running == RUNNING_B
    assert dials.revision == 21


def test_a_clock_made_after_an_unseen_press_gives_the_time_back() -> None:
    """The host counted A two seconds beyond the press; applying it again returns them."""
    dials = Dials()
    dials.adopt(clock(1, 0, 0, RUNNING_A), ())
    event = press(1, 0, 10 * SECOND)
    assert dials.switch(event)
    before = shown(dials, 20 * SECOND)
    dials.adopt(clock(2, 0, 12 * SECOND, RUNNING_A, left_ms=48_000), (event,))
    assert dials.shown_us(0, 20 * SECOND) == before[0]
    assert dials.running == RUNNING_B


def test_a_stop_on_its_way_stops_in_spite_of_a_press() -> None:
    """Nothing runs, so applying again finds nothing to switch."""
    dials = Dials()
    dials.adopt(clock(1, 0, 0, RUNNING_A), ())
    event = press(1, 0, 10 * SECOND)
    assert dials.switch(event)
    dials.adopt(clock(2, 0, 9 * SECOND, RUNNING_NONE), (event,))
    assert dials.running == RUNNING_NONE
