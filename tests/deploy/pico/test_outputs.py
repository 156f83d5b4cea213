"""Lamps, buzzer and dials as they are seen and heard: the lines behind the shift register, two TM1637."""

from __future__ import annotations

from collections.abc import Callable
from itertools import pairwise

import pytest

from sensors import frames
from tests.deploy.pico.hosted import MS, SECOND, Hosted, hosted

pytestmark = pytest.mark.micropython

LAMP_A, LAMP_B, ATTENTION, ARBITER, BUZZER = 3, 4, 5, 6, 7
"""Outputs of the shift register, as config.py has them."""


def lamps(table: Hosted, on: int, blink: int) -> None:
    """Have the host say what burns."""
    table.host.put(frames.LAMPS, frames.pack_lamps(frames.Lamps(on, blink)))


def watch(table: Hosted, output: int, us: int, *, meanwhile: Callable[[], None] = lambda: None) -> str:
    """Return how an output stands every 20 ms, as # and dots."""
    seen = ""
    for _ in range(us // (20 * MS)):
        meanwhile()
        table.run(20 * MS)
        seen += "#" if (table.bench.ask("world.lines") >> output) & 1 else "."
    return seen


def shown(table: Hosted) -> list[str]:
    """Return what the two displays show; no chip may have stumbled over its lines."""
    assert table.bench.ask("[display.faults for display in world.displays]") == [[], []]
    found: list[str] = table.bench.ask("[display.text for display in world.displays]")
    return found


def clock(table: Hosted, *left_ms: int, running: int = 0, ago_us: int = 0) -> None:
    """Have the host set the dials."""
    at_us = table.bench.now_us - ago_us
    told = frames.Clock(1, 99, at_us, running, 1, (left_ms[0], left_ms[1]), (0, 0))
    table.host.put(frames.CLOCK, frames.pack_clock(told))
    table.run(80 * MS)


def test_a_lamp_blinks_twice_a_second_and_a_repetition_disturbs_nothing() -> None:
    """LAMPS is refreshed every second or two."""
    with hosted() as table:
        lamps(table, 1 << 0, 1 << 3)
        seen = watch(table, ARBITER, 2 * SECOND, meanwhile=lambda: lamps(table, 1 << 0, 1 << 3))
        assert watch(table, LAMP_A, 200 * MS) == "#" * 10
        assert watch(table, LAMP_B, 200 * MS) == "." * 10
        changes = sum(before != after for before, after in pairwise(seen))
        assert changes in (7, 8), seen
        assert 40 <= seen.count("#") <= 60


def test_attention_burns_while_no_host_is_heard() -> None:
    """And is what the host says afterwards."""
    with hosted() as table:
        table.bench.run(100 * MS)
        assert table.bench.ask("world.lines") >> ATTENTION & 1 == 1
        table.run(200 * MS)
        assert watch(table, ATTENTION, 100 * MS) == "....."
        table.bench.run(2_200 * MS)
        assert table.bench.ask("world.lines") >> ATTENTION & 1 == 1


@pytest.mark.parametrize(
    ("pattern", "seen"),
    [
        (0, "." * 30),
        (1, "#" * 20 + "." * 10),
        (2, "#" * 9 + ".." + "#" * 9 + "." * 10),
        (3, ("#" * 5 + "." * 5) * 3),
    ],
)
def test_sounds(pattern: int, seen: str) -> None:
    """One tone, two tones, beeping; what is unknown is one tone."""
    with hosted() as table:
        table.run(200 * MS)
        duration_ms = 600 if pattern == 3 else 400
        table.host.put(frames.BUZZER, frames.pack_buzzer(frames.Buzzer(pattern, duration_ms)))
        heard = watch(table, BUZZER, 600 * MS)
        assert sum(a != b for a, b in zip(heard, seen, strict=True)) <= 4, heard


def test_a_new_sound_replaces_an_old_one_and_none_lasts_longer_than_5_s() -> None:
    """A hall is quiet."""
    with hosted() as table:
        table.run(200 * MS)
        table.host.put(frames.BUZZER, frames.pack_buzzer(frames.Buzzer(frames.SOUND_BEEPING, 65_000)))
        table.run(SECOND)
        table.host.put(frames.BUZZER, frames.pack_buzzer(frames.Buzzer(9, 65_000)))
        assert watch(table, BUZZER, 4_900 * MS) == "#" * 245
        table.run(200 * MS)
        assert watch(table, BUZZER, 100 * MS) == "....."


@pytest.mark.parametrize(
    ("left_ms", "text"),
    [
        (3_723_000, " 1:02"),
        (36_000_000, "10:00"),
        (3_600_000, " 1:00"),
        (3_599_001, " 1:00"),
        (3_599_000, "59:59"),
        (300_000, " 5:00"),
        (59_500, " 1:00"),
        (10_000, " 0:10"),
        (9_999, " 9:9 "),
        (100, " 0:1 "),
        (0, " 0:00"),
        (-5_000, " 0:00"),
    ],
)
def test_what_a_standing_dial_shows(left_ms: int, text: str) -> None:
    """Hours and minutes, minutes and seconds, seconds and tenths; below zero it stays at zero."""
    with hosted() as table:
        table.run(100 * MS)
        assert shown(table) == ["--:--", "--:--"]
        clock(table, left_ms, 300_000)
        assert shown(table) == [text, " 5:00"]


def test_a_running_dial_counts_down_and_its_colon_blinks() -> None:
    """The other's stands still."""
    with hosted() as table:
        table.run(100 * MS)
        clock(table, 65_000, 300_000, running=frames.RUNNING_A)
        seen = []
        for _ in range(30):
            table.run(100 * MS)
            left, right = shown(table)
            assert right == " 5:00"
            seen.append(left)
        assert {text[2] for text in seen} == {":", " "}
        digits = [text.replace(":", "").replace(" ", "") for text in seen]
        assert digits == sorted(digits, reverse=True)
        assert (digits[0], digits[-1]) == ("105", "102")


def test_a_running_dial_without_time_blinks() -> None:
    """Whether the flag has fallen is the host's to say; that nothing is left is to be seen."""
    with hosted() as table:
        table.run(1_600 * MS)
        clock(table, 1_000, 300_000, running=frames.RUNNING_A, ago_us=1_500 * MS)
        seen = set()
        for _ in range(15):
            table.run(100 * MS)
            seen.add(shown(table)[0])
        assert seen == {" 0:00", "     "}


def test_a_press_is_seen_within_a_blink() -> None:
    """20 ms behind the debouncing, without any word of the host."""
    with hosted() as table:
        table.run(100 * MS)
        clock(table, 100_000, 200_000, running=frames.RUNNING_A)
        table.run(SECOND)
        table.bench.press(0)
        table.bench.run(26 * MS, step_us=MS)
        standing = shown(table)[0]
        table.run(1_500 * MS)
        assert shown(table)[0] == standing
        assert shown(table)[1].replace(" ", ":") != ":3:20"


def test_the_shift_register_is_written_by_its_program() -> None:
    """The same levels, instruction by instruction: both displays show it, the button's line is let go."""
    with hosted({"fast": False}) as table:
        table.run(200 * MS)
        assert shown(table) == ["--:--", "--:--"]
        clock(table, 300_000, 59_000)
        table.run(40 * MS)
        assert shown(table) == [" 5:00", " 0:59"]
        lamps(table, 1, 0)
        table.run(60 * MS)
        assert (table.bench.ask("world.lines") >> LAMP_A) & 1
        assert table.bench.ask("world._outs & 1 << 26") == 0
        table.bench.press(2)
        table.run(100 * MS)
        assert [press.button for press in table.host.presses.values()] == [2]


def test_pins_may_stand_for_the_outputs_of_the_shift_register() -> None:
    """A board with pins to spare needs no register."""
    outputs = {"dial_clock": 16, "dial_a": 17, "dial_b": 18, "lamp_a": 19, "buzzer": 28}
    pins = {"dout": list(range(8)), "shift": None}
    with hosted({"OUTPUTS": outputs, "PINS": pins}) as table:
        table.run(200 * MS)
        lamps(table, 1, 0)
        table.host.put(frames.BUZZER, frames.pack_buzzer(frames.Buzzer(1, 500)))
        table.run(60 * MS)
        assert table.bench.ask("world._driven >> 19 & 1") == 1
        assert table.bench.ask("world._driven >> 28 & 1") == 1
        assert table.bench.ask("world._driven >> 16 & 7") == 7, "the displays' lines rest high"
