"""A bus of converters, in a time of its own."""

from collections.abc import Callable, Sequence

import pytest

from sensors.calibration import Calibration, ChannelCalibration
from sensors.frames import (
    STATUS_EXCLUDED,
    STATUS_NOT_READY,
    STATUS_OK,
    STATUS_READ_ERROR,
)
from sensors.hx711_bus import EXCLUDED_AFTER, Bus, Sample
from sensors.plausible import Gate
from sensors.samples import ChannelStatus, Fault, FaultKind, RawSample
from tests.sensors.converters import Converter, ConverterWorld

MS = 1_000
SECOND = 1_000_000


class Bench:
    """A bus and its converters."""

    def __init__(self, converters: Sequence[Converter], rate_hz: float = 80.0) -> None:
        self.world = ConverterWorld(converters)
        self.bus = Bus(self.world, len(converters), rate_hz)
        self.samples: list[Sample] = []
        self.bus.begin(0)

    @property
    def now_us(self) -> int:
        """Device time."""
        return self.world.now // 1000

    def run(self, lasts_us: int, each: Callable[[], None] = lambda: None) -> list[Sample]:
        """Let time pass; return the samples that came meanwhile. `each` is called behind every sample."""
        end_us, before = self.now_us + lasts_us, len(self.samples)
        while self.now_us < end_us:
            found = self.bus.poll(self.now_us)
            if found is not None:
                self.samples.append(found)
                each()
            self.world.pass_us(max(200, min(self.bus.next_us, end_us) - self.now_us))
        return self.samples[before:]

    def statuses(self, lasts_us: int, channel: int) -> list[int]:
        """Return how a channel fares for a while."""
        return [sample.status[channel] for sample in self.run(lasts_us)]


def board(count: int = 20, hz: float = 80.0) -> list[Converter]:
    """Return converters whose oscillators and phases differ."""
    period = round(1e9 / hz)
    return [
        Converter(
            raw=100_000 + 1_111 * channel,
            period_ns=round(period * (1 + 0.002 * channel)),
            phase_ns=period + 311_000 * channel,
        )
        for channel in range(count)
    ]


def test_twenty_free_running_converters_are_read_all_at_once() -> None:
    """Every channel with its own number, at the rate of the slowest (bogde/HX711#28, #35)."""
    bench = Bench(board())
    bench.run(SECOND)
    found = bench.run(2 * SECOND)
    assert 140 <= len(found) <= 162
    good = sum(status == STATUS_OK for sample in found for status in sample.status)
    assert good > 0.97 * 20 * len(found)
    for sample in found:
        for channel, (raw, status) in enumerate(zip(sample.raw, sample.status, strict=True)):
            assert status != STATUS_OK or raw == 100_000 + 1_111 * channel


def test_the_rate_is_measured_not_assumed() -> None:
    """A RATE pin that is strapped low gives ten where eighty are configured (garethky/klipper#14)."""
    bench = Bench(board(3, hz=10.8), rate_hz=80.0)
    found = bench.run(5 * SECOND)
    assert bench.bus.rate_hz == pytest.approx(10.8, rel=0.02)
    assert {sample.status for sample in found[10:]} == {(STATUS_OK,) * 3}


def test_a_program_that_slept_does_not_measure_its_own_sleep() -> None:
    """Or it would wait for a missing converter as long as it slept."""
    bench = Bench(board(3))
    bench.run(SECOND)
    bench.world.pass_us(3_600 * SECOND)
    bench.run(500 * MS)
    assert bench.bus.rate_hz == pytest.approx(80, rel=0.05)
    bench.world.converters[1].gone = True
    assert bench.run(500 * MS)[-1].status == (STATUS_OK, STATUS_EXCLUDED, STATUS_OK)


def test_a_converter_that_begins_anew_by_itself_is_not_trusted_at_once() -> None:
    """A conversion that takes unusually long is evidence of it (bogde/HX711#216)."""
    bench = Bench(board(3))
    bench.run(SECOND)
    bench.world.converters[1].reset(bench.world.now)
    found = bench.run(500 * MS)
    late = [sample.status[1] for sample in found].index(STATUS_NOT_READY)
    assert [sample.status[1] for sample in found[late + 1 : late + 5]] == [
        *[STATUS_READ_ERROR] * 3,
        STATUS_OK,
    ]
    assert {sample.status[0] for sample in found} == {STATUS_OK}


def test_a_converter_that_is_gone_holds_up_nobody() -> None:
    """It is missed, then no longer waited for; the others come at full rate (bogde/HX711#24)."""
    bench = Bench(board(4))
    bench.run(SECOND)
    bench.world.converters[2].gone = True
    lost = bench.run(500 * MS)
    assert [sample.status[2] for sample in lost[:5]] == [
        *[STATUS_NOT_READY] * (EXCLUDED_AFTER - 1),
        *[STATUS_EXCLUDED] * 3,
    ]
    assert all(sample.status[0] == STATUS_OK for sample in lost)
    assert len(bench.run(SECOND)) >= 75


def test_a_converter_that_comes_back_is_taken_back() -> None:
    """After four good readings, with its own number."""
    bench = Bench(board(4))
    bench.run(SECOND)
    bench.world.converters[2].gone = True
    bench.run(SECOND)
    bench.world.converters[2].gone = False
    found = bench.run(SECOND)
    assert found[-1].status[2] == STATUS_OK
    assert found[-1].raw[2] == 102_222
    back = [sample.status[2] for sample in found].index(STATUS_OK)
    assert 3 <= back <= 20


def test_a_slower_converter_is_taken_back_too() -> None:
    """It is not ready at every reading of the others while nobody waits for it."""
    converters = board(2)
    converters[1].period_ns = round(converters[0].period_ns * 1.35)
    converters[1].gone = True
    bench = Bench(converters)
    bench.run(3 * SECOND)
    converters[1].gone = False
    assert bench.run(SECOND)[-1].status == (STATUS_OK, STATUS_OK)


def test_with_all_converters_gone_samples_go_on_and_say_so() -> None:
    """The host must hear that nothing is there, and hear it when something is."""
    converters = board(2)
    bench = Bench(converters)
    bench.run(SECOND)
    for each in converters:
        each.gone = True
    found = bench.run(3 * SECOND)
    assert found[-1].status == (STATUS_EXCLUDED,) * 2
    assert len(found) >= 20
    for each in converters:
        each.gone = False
    assert bench.run(2 * SECOND)[-1].status == (STATUS_OK,) * 2


def test_a_clock_high_for_too_long_makes_read_errors_and_a_new_beginning() -> None:
    """Nothing is handed on from it, nor from those behind it until four were good (bogde/HX711#216)."""
    bench = Bench(board(3))
    bench.run(SECOND)
    bench.world.preempt = {7: 130_000}
    found = bench.run(SECOND)
    bad = next(index for index, sample in enumerate(found) if STATUS_READ_ERROR in sample.status)
    assert found[bad].status == (STATUS_READ_ERROR,) * 3
    assert found[bad].raw == (0, 0, 0)
    assert [sample.status[0] for sample in found[bad : bad + 3]] == [STATUS_READ_ERROR, STATUS_OK, STATUS_OK]
    late_us = found[bad + 1].time_us - found[bad].time_us
    assert 95 * MS <= late_us <= 130 * MS  # settled, and three readings that were good and not handed on
    assert found[-1].raw == (100_000, 101_111, 102_222)
    assert bench.bus.counters.overlong == 1
    assert bench.bus.counters.longest_high_ns >= 130_000
    assert bench.bus.counters.resets == 2
    assert bench.bus.discarded == pytest.approx(1 / bench.bus.counters.reads)


def test_a_discarded_reading_now_and_then_makes_no_channel_restless() -> None:
    """The host counts read errors: it is told of the reading, not of the three behind it."""
    bench = Bench(board(2))
    bench.run(SECOND)
    gate = Gate(Calibration("b", 5.0, 3.0, (ChannelCalibration(0.0, 1000.0),) * 2), 80)
    for each in bench.world.converters:
        each.noise = 20
    faults = []
    for _ in range(40):
        bench.world.preempt = {5: 130_000}
        for sample in bench.run(500 * MS):
            status = tuple(ChannelStatus(code) for code in sample.status)
            faults += [
                load.kind
                for load in gate.loads(RawSample(sample.time_us, sample.raw, status))
                if isinstance(load, Fault)
            ]
    assert set(faults) == {FaultKind.READ_ERROR}
    assert len(faults) == 80


def test_no_overlong_pulse_ever_leaves_a_wrong_number() -> None:
    """Wherever it strikes, and however long it is."""
    bench = Bench(board(5))
    bench.run(SECOND)
    for pulse in range(25):
        for lost_us in (45, 52, 61, 400, 20_000):
            bench.world.preempt = {pulse: lost_us * 1000}
            for sample in bench.run(250 * MS):
                for channel, (raw, status) in enumerate(zip(sample.raw, sample.status, strict=True)):
                    assert status != STATUS_OK or raw == 100_000 + 1_111 * channel, (pulse, lost_us)


@pytest.mark.parametrize("fault", ["deaf", "echo"])
def test_a_pulse_lost_or_gained_by_one_converter_harms_that_one_only(fault: str) -> None:
    """It may double or halve its number (bogde/HX711#35); none of that is handed on."""
    bench = Bench(board(3))
    bench.run(SECOND)
    for _ in range(6):
        setattr(bench.world.converters[1], fault, 1)
        for sample in bench.run(400 * MS):
            assert sample.status[0] == sample.status[2] == STATUS_OK
            assert sample.status[1] != STATUS_OK or sample.raw[1] == 101_111
    assert bench.run(100 * MS)[-1].status[1] == STATUS_OK


def test_a_reading_so_slow_that_it_may_hold_two_conversions_is_discarded() -> None:
    """The clock was never high for long, but the converters went on meanwhile (olkal/HX711_ADC#81)."""
    bench = Bench(board(3))
    bench.run(SECOND)
    bench.world.read_ns = 300_000  # the machine is busy elsewhere, with the clock low
    found = bench.run(100 * MS)
    assert bench.bus.counters.overlong == 0
    assert bench.bus.counters.slow == len(found)
    assert {sample.status for sample in found} == {(STATUS_READ_ERROR,) * 3}
    bench.world.read_ns = 0
    reads = bench.bus.counters.reads
    behind = bench.run(100 * MS)
    assert {sample.status for sample in behind} == {(STATUS_OK,) * 3}
    assert bench.bus.counters.reads - reads == len(behind) + 3


def test_a_machine_that_always_reads_slowly_does_not_take_its_own_pace_for_theirs() -> None:
    """A reading of 20 ms holds two conversions of 12.5, however seldom it reads."""
    bench = Bench(board(3))
    bench.world.read_ns = 850_000
    found = bench.run(3 * SECOND)
    assert STATUS_OK not in {status for sample in found for status in sample.status}
    assert bench.bus.counters.longest_read_ns > 20_000_000
    assert bench.bus.discarded == 1


def test_a_line_at_ground_is_a_read_error_and_makes_the_others_begin_anew_once_at_most() -> None:
    """It seems ready and brings zeros; but it is not high after the last pulse."""
    bench = Bench(board(3))
    bench.run(SECOND)
    resets = bench.bus.counters.resets
    bench.world.converters[1].shorted = True
    found = bench.run(40 * SECOND)
    assert {sample.status[1] for sample in found} == {STATUS_READ_ERROR}
    faults = list(bench.bus.faults())[1]
    assert (faults["desynced"], faults["rejected"]) == (len(found), 0)
    assert bench.bus.counters.resets <= resets + 1
    assert found[-1].status[0] == STATUS_OK


def test_a_dead_channel_at_the_start_delays_the_first_samples_by_less_than_two_seconds() -> None:
    """The rate of the others is not known yet, so it is waited for as for one of ten a second."""
    converters = board(20)
    converters[13].gone = True
    bench = Bench(converters)
    found = bench.run(2 * SECOND)
    assert found[-1].status[13] == STATUS_EXCLUDED
    assert sum(status == STATUS_OK for status in found[-1].status) == 19


def test_what_befell_each_channel_is_counted() -> None:
    """For the report."""
    bench = Bench(board(2))
    bench.run(SECOND)
    bench.world.converters[1].gone = True
    bench.run(SECOND)
    here, gone = bench.bus.faults()
    assert here == {"excluded": False, "missed": 0, "desynced": 0, "rejected": 0}
    assert gone["excluded"]
    assert gone["missed"] > 3
