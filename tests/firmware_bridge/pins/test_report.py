"""What header pins report of themselves, and what they complain of."""

from __future__ import annotations

import json
from pathlib import PurePosixPath

from firmware_bridge.pins.header_device import HeaderDevice, HeaderSettings
from firmware_bridge.pins.report import complaints, file_of, report
from tests.sensors.test_hx711_bus import SECOND, Bench, board


def test_the_report_lies_beside_the_port() -> None:
    """In a folder of the program's own."""
    assert file_of(PurePosixPath("run/table-7")) == PurePosixPath("run/table-7.pins/report.json")


def test_the_report_says_how_the_converters_fare() -> None:
    """As JSON: rates, discarded readings, and each channel."""
    bench = Bench(board(3))
    bench.run(2 * SECOND)
    bench.world.converters[1].gone = True
    bench.run(SECOND)
    settings = HeaderSettings(board_id="b", firmware="togyz-pins 9", cells=3)
    header = HeaderDevice(settings, 5, bench.bus)
    said = json.loads(json.dumps(report(header, settings, bench.bus, 7_250_000, pid=3)))
    assert said["form"] == 1
    assert (said["board"], said["boot_id"], said["uptime_s"], said["pid"]) == ("b", 5, 7.2, 3)
    found = said["converters"]
    assert found["rate_wired_hz"] == 80
    assert 76 <= found["rate_measured_hz"] <= 84
    assert (found["discarded"], found["overlong"], found["slow"]) == (0, 0, 0)
    assert found["reads"] > 200
    assert [channel["excluded"] for channel in found["channels"]] == [False, True, False]


def test_a_healthy_bus_gives_no_cause_for_complaint() -> None:
    """Nor does one of which nothing is known yet."""
    bench = Bench(board(3))
    assert complaints(bench.bus, 80) == []
    bench.run(2 * SECOND)
    assert complaints(bench.bus, 80) == []


def test_a_rate_that_is_strapped_otherwise_is_told_with_what_to_do() -> None:
    """10.8 a second where 80 are configured (garethky/klipper#14)."""
    bench = Bench(board(2, hz=10.8))
    bench.run(4 * SECOND)
    (told,) = complaints(bench.bus, 80)
    assert told.startswith("the converters give 10.8 samples a second, not about 80: wire their RATE pins")


def test_a_converter_that_does_not_answer_is_named() -> None:
    """By its channel."""
    bench = Bench(board(3))
    bench.run(SECOND)
    bench.world.converters[2].gone = True
    bench.run(SECOND)
    (told,) = complaints(bench.bus, 80)
    assert told.startswith("channel 2: its converter does not answer and is not waited for")


def test_discarded_readings_are_told_from_one_in_a_hundred_on() -> None:
    """With the longest time the clock was high."""
    bench = Bench(board(1))
    bench.run(SECOND)
    for _ in range(2):
        bench.world.preempt = {3: 130_000}
        bench.run(SECOND // 2)
    (told,) = complaints(bench.bus, 80)
    assert "of the last readings were discarded: the clock was high for up to 131 us where 50 are" in told
