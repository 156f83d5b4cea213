"""What the device's dials are told, and what an emulated device makes of it."""

from __future__ import annotations

from dataclasses import replace

import pytest

from firmware_bridge.board.dials import clock_view
from firmware_bridge.layout import Seat, Seating, Wiring
from rules.clock import new_clock, press, start
from rules.game import Game, Phase
from rules.position import Side
from rules.time_control import NO_CLOCK, Period, TimeControl
from sensors import frames
from sensors.device.dials import Dials
from sensors.host_frames import pack_view
from sensors.link_events import ClockView

B, Q = Side.BASTAUSHY, Side.QOSTAUSHY
SECOND = 1_000_000
BOOT_US = 7_000_000
"""How far the device's time lies behind table time in these tests."""


def playing(control: TimeControl, *pressed_at_us: int) -> Game:
    """Return a game whose clock was started at 0 and pressed at these moments."""
    clock = start(new_clock(control), B, 0)
    for at_us in pressed_at_us:
        assert clock.running is not None
        clock = press(clock, clock.running, at_us)
    return Game(phase=Phase.PLAYING, control=control, clock=clock)


def view(game: Game, at_us: int, seat: Seat = "a") -> ClockView:
    """Return what the dials are told."""
    return clock_view(game, Seating(Wiring(), seat), at_us, lambda us: us + BOOT_US, events_seen=4)


def device(shown: ClockView) -> Dials:
    """Return an emulated device that was told this, through the bytes of the link."""
    dials = Dials()
    dials.adopt(frames.unpack_clock(pack_view(shown, 1)), ())
    return dials


def pressed(number: int, button: int, at_us: int) -> frames.Button:
    """Return a button going down at a table time."""
    return frames.Button(number, at_us + BOOT_US, button, frames.EDGE_DOWN)


def test_before_any_game_the_dials_stand_at_zero() -> None:
    """Disarmed: a press asks nothing of them."""
    shown = view(Game(), 5)
    assert (shown.events_seen, shown.at_us, shown.running, shown.armed) == (4, 5 + BOOT_US, 0, False)
    assert (shown.remaining_ms, shown.increment_ms) == ((0, 0), (0, 0))


@pytest.mark.parametrize(
    ("seat", "running", "left_ms"), [("a", 2, (59_000, 58_000)), ("b", 1, (58_000, 59_000))]
)
def test_each_dial_is_that_of_who_sits_there(seat: Seat, running: int, left_ms: tuple[int, int]) -> None:
    """Dial A is side a's, whoever that is."""
    game = playing(TimeControl.simple(60_000), SECOND)
    shown = view(game, 3 * SECOND, seat)
    assert (shown.events_seen, shown.at_us, shown.running) == (4, 3 * SECOND + BOOT_US, running)
    assert (shown.armed, shown.remaining_ms, shown.increment_ms) == (True, left_ms, (0, 0))
    assert not view(replace(game, phase=Phase.SUSPENDED), 3 * SECOND).armed


def test_a_moment_before_the_clock_was_started_is_its_start() -> None:
    """A press told late may be newer than the newest sample."""
    assert view(playing(TimeControl.simple(60_000), 5 * SECOND), 0).at_us == 5 * SECOND + BOOT_US


def test_a_delay_is_a_moment_in_the_devices_future() -> None:
    """The dial stands until then and runs after, as the game's own clock does."""
    game = playing(TimeControl((Period(60_000, delay_ms=5_000),)))
    shown = view(game, 2 * SECOND)
    assert (shown.at_us, shown.remaining_ms) == (5 * SECOND + BOOT_US, (60_000, 60_000))
    dials = device(shown)
    assert [dials.shown_us(0, at * SECOND + BOOT_US) for at in (2, 5, 8)] == [
        60 * SECOND,
        60 * SECOND,
        57 * SECOND,
    ]
    assert view(game, 8 * SECOND).remaining_ms == (57_000, 60_000)


def test_a_press_within_a_delay_is_put_right_by_the_next_clock() -> None:
    """Until then the device shows the unused delay too much (PROTOCOL.md section 9)."""
    control = TimeControl((Period(60_000, delay_ms=5_000),))
    dials = device(view(playing(control), 0))
    assert dials.switch(pressed(5, 0, 2 * SECOND))
    assert dials.shown_us(0, 2 * SECOND + BOOT_US) == 63 * SECOND
    dials = device(view(playing(control, 2 * SECOND), 2 * SECOND))
    assert dials.shown_us(0, 2 * SECOND + BOOT_US) == 60 * SECOND
    assert dials.shown_us(1, 7 * SECOND + BOOT_US) == 60 * SECOND
    assert dials.shown_us(1, 8 * SECOND + BOOT_US) == 59 * SECOND


def test_the_press_that_fulfils_a_quota_shows_the_next_period_at_once() -> None:
    """The device needs no host for it: increment and next period come together."""
    control = TimeControl((Period(60_000, 2, 1_000), Period(30_000, None, 3_000)))
    told = view(playing(control, SECOND, 2 * SECOND), 2 * SECOND)
    assert told.increment_ms == (31_000, 31_000)
    dials = device(told)
    assert dials.switch(pressed(5, 0, 4 * SECOND))
    after = view(playing(control, SECOND, 2 * SECOND, 4 * SECOND), 4 * SECOND)
    assert after.increment_ms == (3_000, 31_000)
    assert dials.shown_us(0, 4 * SECOND + BOOT_US) == after.remaining_ms[0] * 1000 == 89 * SECOND


@pytest.mark.parametrize("control", [NO_CLOCK, TimeControl.simple(60_000, 5_000).observed()])
def test_where_the_clock_is_not_ours_the_dials_are_dark_and_still_switch(control: TimeControl) -> None:
    """Zero and zero; whose turn it is can be seen, and a press confirms his move."""
    told = view(playing(control, SECOND), 2 * SECOND)
    assert (told.running, told.armed, told.remaining_ms, told.increment_ms) == (2, True, (0, 0), (0, 0))
    dials = device(told)
    assert dials.switch(pressed(5, 1, 3 * SECOND))
    assert (dials.running, dials.shown_us(0, 9 * SECOND), dials.shown_us(1, 9 * SECOND)) == (1, 0, 0)
