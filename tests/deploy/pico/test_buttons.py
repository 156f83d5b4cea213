"""Contacts that bounce: one press each, with the time of the first edge (gpiozero#1039, #550)."""

from __future__ import annotations

from collections.abc import Sequence

import pytest

from tests.deploy.pico.hosted import MS, SECOND, Hosted, hosted

pytestmark = pytest.mark.micropython

CLOSES, OPENS = True, False


def bounce(table: Hosted, button: int, edges_us: Sequence[int]) -> int:
    """Let a contact close and open by turns after so many microseconds each; return the time of the first."""
    closed = True
    first_us = table.bench.now_us + edges_us[0]
    for after_us in edges_us:
        table.bench.do(f"world.pass_us({after_us})")
        table.bench.press(button, closed=closed)
        closed = not closed
    table.run(100 * MS)
    return first_us


def presses(table: Hosted) -> list[tuple[int, int]]:
    """Return button and time of all that has come."""
    return [(press.button, press.time_us) for press in table.host.presses.values()]


def test_a_bouncing_contact_is_one_press_at_its_first_edge() -> None:
    """Seven edges within 3 ms, on a loop that does not look meanwhile."""
    with hosted() as table:
        table.run(200 * MS)
        at_us = bounce(table, 0, [700, 400, 300, 500, 200, 600, 300])
        assert presses(table) == [(0, at_us)]


def test_letting_go_is_no_press_however_it_bounces() -> None:
    """Five edges, open at last."""
    with hosted() as table:
        table.run(200 * MS)
        at_us = bounce(table, 1, [100])
        table.bench.press(1, closed=OPENS)
        for closed in (CLOSES, OPENS, CLOSES, OPENS):
            table.bench.do("world.pass_us(800)")
            table.bench.press(1, closed=closed)
        table.run(200 * MS)
        assert presses(table) == [(1, at_us)]


def test_a_touch_shorter_than_the_window_is_none() -> None:
    """2 ms: sparks and static."""
    with hosted() as table:
        table.run(200 * MS)
        bounce(table, 0, [100, 2000])
        assert presses(table) == []
        at_us = bounce(table, 0, [100])
        assert presses(table) == [(0, at_us)], "and the next true press is not swallowed"


def test_a_press_right_behind_a_release_is_not_swallowed() -> None:
    """The level is looked at again behind the window: what it is then, counts."""
    with hosted() as table:
        table.run(200 * MS)
        first_us = bounce(table, 0, [100])
        table.bench.press(0, closed=OPENS)
        table.run(20 * MS)
        second_us = table.bench.now_us
        table.bench.press(0, closed=CLOSES)
        table.run(60 * MS)
        assert presses(table) == [(0, first_us), (0, second_us)]


def test_a_contact_that_chatters_on_is_taken_as_it_stands() -> None:
    """A worn button is a nuisance, a lost press is a lost game: it need never be still while it is held."""
    with hosted() as table:
        table.run(200 * MS)
        began_us = table.bench.now_us
        for _ in range(30):
            table.bench.press(0, closed=CLOSES)
            table.bench.run(3 * MS, step_us=MS)
            table.bench.press(0, closed=OPENS)
            table.bench.run(MS, step_us=MS)
        table.run(300 * MS)
        assert presses(table)[0] == (0, began_us)


def test_a_stamp_newer_than_the_loops_own_reading_is_no_stillness() -> None:
    """The interrupt may come between the two."""
    with hosted() as table:
        table.run(200 * MS)
        contact = "firmware._contacts[0]"
        table.bench.do(f"{contact}.edges(world.ticks() + 90, world.ticks() + 90)")
        assert table.bench.ask(f"{contact}.look(world.ticks(), True)") is False
        for after_us, pressed in ((1000, False), (5100, True)):
            table.bench.do(f"world.pass_us({after_us})")
            assert table.bench.ask(f"{contact}.look(world.ticks(), True)") is pressed


def test_a_word_on_its_way_to_the_shift_register_is_no_press() -> None:
    """The arbiter's button is looked at when the line is its own."""
    with hosted({"fast": False}) as table:
        table.run(40 * MS)
        table.bench.do("world.machines['shift_out'].tx.append(0)")
        table.bench.do("world.set_direction(26, 1)")
        table.bench.do("world.set_pin(26, 0)")
        assert table.bench.ask("firmware._board.closed(2)") is False
        table.bench.do("world.machines['shift_out'].tx.clear()")
        assert table.bench.ask("firmware._board.closed(2)") is True, "the line is low indeed"


def test_an_edge_that_no_interrupt_saw_is_seen_by_its_level() -> None:
    """The arbiter's button has none: it hangs on the data line of the shift register."""
    with hosted() as table:
        table.run(200 * MS)
        assert table.bench.ask("sorted(world.interrupts)") == [21, 22]
        at_us = bounce(table, 2, [100])
        ((button, seen_us),) = presses(table)
        assert button == 2
        assert 0 <= seen_us - at_us <= 2 * MS


@pytest.mark.parametrize("button", [0, 2], ids=["with an interrupt", "on the shift register's line"])
def test_a_button_held_at_power_up_is_no_press_before_it_is_let_go(button: int) -> None:
    """A board that began anew under a player's hand counts no press that he did not make."""
    with hosted({"held": [(21, 22, 26)[button]]}) as table:
        table.run(SECOND)
        assert presses(table) == []
        table.bench.press(button, closed=OPENS)
        table.run(200 * MS)
        at_us = bounce(table, button, [500])
        assert [(each, -2 * MS <= time_us - at_us <= 4 * MS) for each, time_us in presses(table)] == [
            (button, True)
        ]


def test_two_buttons_at_once_are_two_presses_in_order() -> None:
    """Each with its own time and number."""
    with hosted() as table:
        table.run(200 * MS)
        table.bench.press(1)
        first_us = table.bench.now_us
        table.bench.do("world.pass_us(300)")
        table.bench.press(0)
        table.run(100 * MS)
        assert sorted(presses(table), key=lambda press: press[1]) == [(1, first_us), (0, first_us + 300)]


def test_a_stamp_is_right_across_the_turn_of_the_tick_counter() -> None:
    """2^30 microseconds: the counter begins again every 18 minutes."""
    with hosted({"start_us": 2**30 - SECOND}) as table:
        table.run(SECOND - 20 * MS)
        at_us = bounce(table, 0, [19_990, 20, 30, 40, 50])
        assert at_us < SECOND < at_us + 200
        assert presses(table) == [(0, at_us)]
        assert table.host.beats[-1].time_us <= table.bench.now_us < 2 * SECOND
