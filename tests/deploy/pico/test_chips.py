"""Twenty HX711 on one clock: the PIO program instruction by instruction, against chips that feel its edges.

The faults are those that users of these chips report (design notes on sensing; each test names a report).
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager

import pytest

from sensors import frames
from tests.deploy.pico.hosted import MS, SECOND, Hosted, hosted

pytestmark = pytest.mark.micropython

CHANNELS = 20
OK = (0,) * CHANNELS
PERIOD_US = 10_700
"""93 conversions a second, as measured by a user of chips strapped to 80 (olkal/HX711_ADC#81)."""

OTHER = 7
"""A channel that has nothing to do with what is going on."""


@contextmanager
def chips(*, settle: bool = True, **settings: object) -> Iterator[Hosted]:
    """Power twenty chips with the values 1000, 1001 .. on a board whose loop goes round every 0.5 ms."""
    known = {"fast": False, "period_us": PERIOD_US, **settings}
    with hosted(known, step_us=500, exchange_us=20 * MS) as table:
        table.bench.do("[setattr(chip, 'value', 1000 + pin * 2) for pin, chip in world.chips.items()]")
        if settle:
            table.run(240 * MS)
        yield table


def values(found: Sequence[frames.Data], channel: int) -> list[int | str]:
    """Return what came of a channel: values, and the names of what were none."""
    names = {1: "not ready", 2: "saturated", 3: "excluded", 4: "error"}
    return [data.raw[channel] if data.status[channel] == 0 else names[data.status[channel]] for data in found]


def test_every_chip_is_read_with_clocks_it_can_bear() -> None:
    """All values arrive; a clock is high for 0.2 to 50 us, at gain 128, and each conversion is read once."""
    with chips() as table:
        reads = table.bench.ask("world.chips[3].reads")
        found = table.run(300 * MS)
        assert found[0].raw == tuple(1000 + 2 * channel for channel in range(CHANNELS))
        assert {data.status for data in found} == {OK}
        assert 26 <= len(found) <= 29
        assert abs(table.bench.ask("world.chips[3].reads") - reads - len(found)) <= 1
        for chip in (0, 19):
            assert table.bench.ask(f"world.chips[{chip}].shortest_ns") >= 200
            assert table.bench.ask(f"world.chips[{chip}].longest_ns") <= 50_000
            assert table.bench.ask(f"world.chips[{chip}].gain") == 128


def test_negative_values_and_both_ends_of_the_range() -> None:
    """24 bits, two's complement; an open wire stands at an end, and that is no weight (bogde/HX711#132)."""
    with chips() as table:
        for channel, value in ((0, -1234567), (1, 0x7FFFFF), (2, -0x800000), (3, 0x7FFFFE), (4, 0)):
            table.bench.do(f"world.chips[{channel}].value = {value}")
        last = table.run(200 * MS)[-1]
        assert last.raw[:5] == (-1234567, 0x7FFFFF, -0x800000, 0x7FFFFE, 0)
        assert last.status[:5] == (0, 2, 2, 0, 0)


def test_a_full_fifo_waits_with_the_clock_low() -> None:
    """The processor may be away for as long as it likes: the chips are not switched off, nothing is lost."""
    with chips() as table:
        machine = "world.machines['read_chips']"
        table.bench.do("world.pass_us(11000)")
        table.bench.do(f"{machine}.put(0)")
        table.bench.do(f"{machine}.run()")
        assert table.bench.ask(f"{machine}.stalled") == "push"
        assert table.bench.ask(f"len({machine}.rx)") == 4
        assert table.bench.ask("world._driven >> 20 & 1") == 0
        table.bench.do("world.pass_us(5000)")
        table.bench.do(f"{machine}.get(firmware._cells.words)")
        table.bench.do("firmware._cells._ready = firmware._cells._all")
        table.bench.do("firmware._cells.take(world.ticks())")
        assert table.bench.ask("list(firmware._cells.raw)") == [1000 + 2 * n for n in range(CHANNELS)]


def test_chips_out_of_step_are_read_when_the_slowest_is_ready() -> None:
    """The gate: reading one after another loses all but the first (bogde/HX711#28)."""
    with chips(apart_us=530) as table:
        found = table.run(400 * MS)
        assert {data.status for data in found} == {OK}
        assert 34 <= len(found) <= 38


def test_a_dead_chip_is_given_up_and_taken_back() -> None:
    """The naive reader hangs for ever (bogde/HX711#24, #28); here the others lose a tenth of a second."""
    with chips() as table:
        table.bench.do("world.chips[5].dead = True")
        found = table.run(SECOND)
        assert values(found, 5)[-1] == "excluded"
        assert "not ready" in values(found, 5)
        assert set(values(found, OTHER)) == {1000 + 2 * OTHER}
        assert len(found) >= 85, "the others come at full rate"
        table.bench.do("world.chips[5].dead = False")
        found = table.run(400 * MS)
        back = values(found, 5)
        assert back.count("error") == 3, "suspect at first"
        assert back[-1] == 1010


def test_a_board_without_a_living_chip_goes_on_saying_so() -> None:
    """All excluded, a few times a second: presses and the clock need no cell, and nothing floods the line."""
    with chips() as table:
        table.bench.do("[setattr(chip, 'dead', True) for chip in world.chips.values()]")
        table.run(SECOND)
        fed = table.bench.ask("world.feedings")
        found = table.run(2 * SECOND)
        assert {data.status for data in found} == {(3,) * CHANNELS}
        assert 10 <= len(found) <= 120
        assert table.bench.ask("world.feedings") > fed
        table.bench.do("[setattr(chip, 'dead', False) for chip in world.chips.values()]")
        assert table.run(600 * MS)[-1].status == OK


def test_a_chip_strapped_to_another_rate_holds_up_nobody() -> None:
    """10.8 a second where 80 is configured (garethky/klipper#14): the others come at theirs."""
    with chips() as table:
        table.bench.do("world.chips[5].period_ns = 85600000")
        found = table.run(SECOND)
        assert values(found[-20:], 5) == ["excluded"] * 20
        assert len(found) >= 80
        assert set(values(found, OTHER)) == {1000 + 2 * OTHER}


def test_a_slow_chip_from_the_start_is_found_out_too() -> None:
    """The board does not learn its rate from the slowest."""
    with chips(settle=False, apart_us=530) as table:
        table.bench.do("world.chips[5].period_ns = 85600000")
        table.run(1200 * MS)
        found = table.run(400 * MS)
        assert len(found) >= 30
        assert set(values(found, 5)) == {"excluded"}
        assert set(values(found, OTHER)) == {1000 + 2 * OTHER}


def test_a_board_strapped_to_ten_a_second_is_read_at_ten() -> None:
    """Whatever config.py says: the chips say when they are ready."""
    with chips(period_us=85_600, settle=False) as table:
        table.run(2 * SECOND)
        found = table.run(2 * SECOND)
        assert {data.status for data in found} == {OK}
        assert 22 <= len(found) <= 24


def test_nobody_is_given_up_for_a_long_first_conversion() -> None:
    """Behind a long clock each chip takes four of its conversions, the slow ones longer than the quick."""
    with chips(period_us=85_600, settle=False, apart_us=4_200) as table:
        slow = "[setattr(world.chips[n], 'period_ns', 100000000) for n in range(4)]"
        quick = "[setattr(world.chips[n], 'period_ns', 70000000) for n in range(4, 20)]"
        table.bench.do(slow)
        table.bench.do(quick)
        table.run(2500 * MS)
        table.bench.do("firmware._cells._wake_soon = True")
        found = table.run(1500 * MS)
        assert {code for data in found for code in data.status} == {0, 1}
        assert found[-1].status == OK


@pytest.mark.parametrize("bit", [3, 8, 14])
def test_a_clock_high_for_too_long_makes_errors_and_no_numbers(bit: int) -> None:
    """The chip sleeps in mid-read and leaves 2^k-1 (bogde/HX711#83); it and what follows is not believed."""
    with chips() as table:
        table.bench.do(f"world.chips[5].naps_at = {bit}")
        found = values(table.run(600 * MS), 5)
        assert found[-1] == 1010
        assert {value for value in found if not isinstance(value, str)} == {1010}
        assert found.count("error") == 4
        assert "not ready" in found, "a conversion after sleep is long (bogde/HX711#216)"


def test_a_register_changed_in_mid_read_is_an_error() -> None:
    """DOUT is high for 75 us at each update (olkal/HX711_ADC#81): the rest of the bits are ones."""
    with chips() as table:
        table.bench.do("world.chips[5].updates_at = 9")
        found = values(table.run(300 * MS), 5)
        assert found.count("error") == 4
        assert {value for value in found if not isinstance(value, str)} == {1010}


def test_a_lost_clock_is_seen_behind_the_gain_pulses() -> None:
    """The chip has a bit left and DOUT is low: the doubled value never gets out (RobTillaart/HX711 #11)."""
    with chips() as table:
        table.bench.do("world.chips[5].loses = 4")
        found = values(table.run(300 * MS), 5)
        assert found.count("error") == 4
        assert {value for value in found if not isinstance(value, str)} == {1010}


def test_a_gained_clock_spoils_one_value_and_no_more() -> None:
    """One more pulse selects another gain (RobTillaart/HX711#27): every read selects the right one again.

    The device cannot see it; a quarter for one sample is what `sensors.plausible` holds back.
    """
    with chips() as table:
        table.bench.do("world.chips[5].doubles = 25")
        found = values(table.run(300 * MS), 5)
        assert [value for value in found if value != 1010] == [252]


def test_clocked_while_not_ready_gives_no_number() -> None:
    """-1 in naive readers (ggurov/hx711#5): a chip that was not ready at the look has no value."""
    with chips() as table:
        table.bench.do("world.chips[5].period_ns = 24000000")
        found = values(table.run(SECOND), 5)
        assert {value for value in found if not isinstance(value, str)} <= {1010}
        assert "not ready" in found


def test_when_all_chips_slept_the_clock_is_held_high_and_they_settle() -> None:
    """At least 10 ms, as Linux' driver found, and four conversions are not believed."""
    with chips() as table:
        table.bench.do("[setattr(chip, 'naps_at', 5) for chip in world.chips.values()]")
        table.bench.do("firmware._cells._woken = (world.ticks() - 3000000) & 0x3FFFFFFF")
        found = table.run(800 * MS)
        seen = values(found, OTHER)
        assert seen[-1] == 1000 + 2 * OTHER
        assert {value for value in seen if not isinstance(value, str)} == {1000 + 2 * OTHER}
        assert seen.count("not ready") >= 4
        high_us = max(table.bench.ask("[chip.slept_ns // 1000 for chip in world.chips.values()]"))
        assert 10_000 <= high_us <= 20_000


def test_other_gains_are_selected_by_their_pulses() -> None:
    """Three pulses: gain 64."""
    with chips(GAIN_PULSES=3) as table:
        assert table.bench.ask("{chip.gain for chip in world.chips.values()} == {64}")
        assert table.run(100 * MS)[-1].raw[:2] == (500, 501)


def test_the_watchdog_is_fed_by_samples_and_by_nothing_else() -> None:
    """A loop that goes round without reading is no life."""
    with chips() as table:
        fed = table.bench.ask("world.feedings")
        found = table.run(400 * MS)
        assert abs(table.bench.ask("world.feedings") - fed - len(found)) <= 1
        table.bench.do("firmware._cells.due = lambda ticks, levels: 0")
        fed = table.bench.ask("world.feedings")
        table.run(200 * MS)
        assert table.bench.ask("world.feedings") == fed
        assert table.bench.ask("world.watchdog_ms") == 8000
