"""Readings that cannot be true, one named test for each of the ways a converter is read wrong."""

import math
import random
from collections.abc import Iterable, Sequence

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sensors.calibration import Calibration, ChannelCalibration
from sensors.plausible import STUCK_AFTER, Gate
from sensors.samples import ChannelStatus, Fault, FaultKind, Load, RawSample

OK = ChannelStatus.OK
STONE = 15_000
"""Raw units of a stone: 1.15 g on a 100 g cell of 0.6 mV/V."""
LEVEL = 345_678
"""Where the channel stands in the named tests: a zero far out and some stones."""


class Wire:
    """A gate with one channel, or several that read the same; a stone of 1 g weighs `STONE`."""

    def __init__(
        self, rate_hz: float = 80.0, *, channels: int = 1, sigma: float = 20.0, seed: int = 0
    ) -> None:
        rows = (ChannelCalibration(0.0, float(STONE)),) * channels
        self.gate = Gate(Calibration("b", 1.0, 3.0, rows), rate_hz)
        self.rng = random.Random(seed)
        self.sigma = sigma
        self.channels = channels
        self.now = 0

    def put(self, value: int, status: ChannelStatus = OK) -> Load:
        """Give a value exactly as it is; return what becomes of it."""
        self.now += 12_500
        count = self.channels
        return self.gate.loads(RawSample(self.now, (value,) * count, (status,) * count))[0]

    def hold(self, level: float, samples: int) -> list[Load]:
        """Give a level with noise."""
        return [self.put(round(level + self.rng.gauss(0, self.sigma))) for _ in range(samples)]


def faults(loads: Iterable[Load]) -> list[FaultKind | None]:
    """Return the kind of each fault, None for a load."""
    return [load.kind if isinstance(load, Fault) else None for load in loads]


def doubted(loads: Iterable[Load]) -> int:
    """Return how many of these are faults."""
    return sum(kind is not None for kind in faults(loads))


def is_held_back(value: int, level: int = LEVEL) -> None:
    """Assert that this value, once among good ones, is a passing fault, and the next good one is good."""
    wire = Wire()
    assert faults(wire.hold(level, 40)) == [None] * 40
    bad = wire.put(value)
    assert isinstance(bad, Fault), value
    assert (bad.kind, bad.channel, bad.values[0]) == (FaultKind.UNCONFIRMED, 0, value)
    assert bad.detail.startswith(f"channel 0: {value} after ")
    good = wire.hold(level, 40)
    assert faults(good) == [None] * 40
    assert all(isinstance(load, float) and abs(load - level / STONE) < 0.01 for load in good)


# --- the table of faults of the transport, each as one bad sample with a good status -----------------


@pytest.mark.parametrize("power", range(23))
def test_a_power_down_in_mid_read_leaves_two_to_the_k_minus_one(power: int) -> None:
    """2^k-1: 0, 1, 3, 7 .. 4194303; the clock was high too long and the trailing bits are ones."""
    is_held_back((1 << power) - 1)


@pytest.mark.parametrize("value", [-2, -3, -5, -8, -16, -33, -64])
def test_a_power_down_in_mid_read_leaves_a_small_negative(value: int) -> None:
    """The same, with the sign bit up."""
    is_held_back(value)


def test_a_converter_read_while_not_ready_gives_minus_one() -> None:
    """0xFFFFFF: all bits up."""
    is_held_back(-1)


@pytest.mark.parametrize("level", [345_678, -345_678, 23_456])
def test_a_lost_clock_doubles_the_value(level: int) -> None:
    """Exactly, and the lowest bit is what comes next."""
    is_held_back(2 * level, level)
    is_held_back(2 * level + 1, level)


def test_a_lost_clock_doubles_beyond_the_end_of_the_range() -> None:
    """The top bit falls off: 5000000 becomes 10000000 - 2^24."""
    is_held_back(2 * 5_000_000 - (1 << 24), 5_000_000)


@pytest.mark.parametrize("level", [345_678, -345_678, 23_456])
def test_a_gained_clock_halves_the_value(level: int) -> None:
    """Exactly."""
    is_held_back(level // 2, level)


@pytest.mark.parametrize("level", [345_678, -345_678])
def test_a_wrong_clock_turns_the_sign(level: int) -> None:
    """The value with the other sign, or with the sign bit alone turned."""
    is_held_back(-level, level)
    is_held_back(level - (1 << 23) if level > 0 else level + (1 << 23), level)


@pytest.mark.parametrize("gain", [2, 4])
def test_a_wrong_number_of_trailing_pulses_changes_the_gain(gain: int) -> None:
    """A half at gain 64, a quarter at gain 32."""
    is_held_back(LEVEL // gain)


@pytest.mark.parametrize("bits", [14, 16, 18, 20])
def test_an_update_in_mid_read_tears_the_value(bits: int) -> None:
    """The upper bits of one conversion, the lower ones of the next, which a carry lies between."""
    boundary = 1 << bits
    is_held_back(boundary | (boundary - 1), boundary)  # 1|0000 is followed by 0|1111
    is_held_back(0, boundary - 50)  # the other way round


@pytest.mark.parametrize("value", [8_388_607, -8_388_608, -8_388_607])
@pytest.mark.parametrize("status", [OK, ChannelStatus.SATURATED])
def test_one_value_at_the_end_of_the_range_is_a_spike(value: int, status: ChannelStatus) -> None:
    """An overload lasts; whether the device noticed makes no difference."""
    wire = Wire()
    wire.hold(LEVEL, 40)
    assert faults([wire.put(value, status)]) == [FaultKind.SPIKE]
    assert faults(wire.hold(LEVEL, 40)) == [None] * 40


def test_an_open_wire_is_saturated_with_its_third_value() -> None:
    """Constant at the end of the range: a wiring fault, not a weight; and named, not as stuck."""
    wire = Wire()
    wire.hold(LEVEL, 40)
    kinds = faults([wire.put(8_388_607) for _ in range(60)])
    assert kinds == [FaultKind.SPIKE] * 2 + [FaultKind.SATURATED] * 58
    assert faults(wire.hold(LEVEL, 40))[-30:] == [None] * 30


@pytest.mark.parametrize("after", [0, 40])
def test_a_stuck_converter_is_a_fault(after: int) -> None:
    """The identical value again and again, from the beginning on or later, named with what to do."""
    wire = Wire()
    wire.hold(LEVEL, after)
    loads = [wire.put(LEVEL) for _ in range(STUCK_AFTER + 20)]
    assert faults(loads[:STUCK_AFTER]).count(FaultKind.STUCK) == 0
    assert faults(loads[STUCK_AFTER + 1 :]) == [FaultKind.STUCK] * 19
    assert isinstance(loads[-1], Fault)
    assert loads[-1].detail.startswith("channel 0: the converter gives 345678 again and again")
    assert "power the device off and on" in loads[-1].detail
    assert faults(wire.hold(LEVEL, 40)) == [None] * 40


def test_a_converter_stuck_at_minus_one_is_a_fault() -> None:
    """A value that a cut-off read leaves confirms no other: held back until it is called stuck."""
    wire = Wire()
    wire.hold(LEVEL, 40)
    kinds = faults([wire.put(-1) for _ in range(100)])
    assert None not in kinds
    assert kinds[-1] is FaultKind.STUCK


def test_a_missing_conversion_does_not_hide_that_it_is_stuck() -> None:
    """A converter slower than the frames is not ready in every fifth; 6 repetitions of 24 are missing."""
    wire = Wire()
    wire.hold(LEVEL, 40)
    kinds = [
        faults([wire.put(LEVEL) if k % 5 else wire.put(0, ChannelStatus.NOT_READY)])[0] for k in range(40)
    ]
    assert kinds[-1] is FaultKind.STUCK


@pytest.mark.parametrize(
    ("status", "kind"),
    [
        (ChannelStatus.NOT_READY, FaultKind.NOT_READY),
        (ChannelStatus.EXCLUDED, FaultKind.EXCLUDED),
        (ChannelStatus.READ_ERROR, FaultKind.READ_ERROR),
    ],
)
def test_what_the_device_says_is_believed_at_once(status: ChannelStatus, kind: FaultKind) -> None:
    """And the load is back with the next good sample."""
    wire = Wire()
    wire.hold(LEVEL, 40)
    assert faults([wire.put(0, status)]) == [kind]
    assert faults(wire.hold(LEVEL, 40)) == [None] * 40


# --- after a bad sample --------------------------------------------------------------------------------


def test_what_follows_a_cut_off_read_is_suspect_too() -> None:
    """The overrun, leading bits of it, the wrong gain: three different ones, and none goes through."""
    wire = Wire()
    wire.hold(LEVEL, 40)
    assert faults([wire.put(v) for v in (65_535, 2 * LEVEL + 1, LEVEL // 4)]) == [FaultKind.UNCONFIRMED] * 3
    assert faults(wire.hold(LEVEL, 5)) == [None] * 5


def test_a_device_that_distrusts_a_reading_makes_the_next_three_suspect() -> None:
    """As the protocol says; two that agree are believed all the same."""
    wire = Wire()
    wire.hold(LEVEL, 40)
    wire.put(0, ChannelStatus.READ_ERROR)
    assert faults([wire.put(v) for v in (900_000, 700_000, 500_000)]) == [FaultKind.UNCONFIRMED] * 3
    wire.put(0, ChannelStatus.READ_ERROR)
    assert faults([wire.put(v) for v in (900_000, 900_040, 900_010)]) == [FaultKind.UNCONFIRMED, None, None]


@pytest.mark.parametrize("rate", [10.0, 80.0])
def test_one_bad_sample_in_a_hundred_starves_no_channel(rate: float) -> None:
    """No good sample is lost by it but a few, no bad one goes through but a few in a thousand."""
    wire = Wire(rate, seed=4)
    lost = passed = 0
    for _ in range(20_000):
        bad = wire.rng.random() < 0.01
        wrong = wire.rng.choice([-1, 1023, 65_535, 2 * LEVEL, LEVEL // 2, LEVEL // 4, -LEVEL, 300_000])
        load = wire.put(wrong) if bad else wire.hold(LEVEL, 1)[0]
        lost += not bad and isinstance(load, Fault)
        passed += bad and not isinstance(load, Fault)
    assert lost <= 10
    assert passed <= 2


def test_too_many_bad_samples_are_a_named_fault() -> None:
    """A third of them over a second; it says what to do, and ends when the channel is well again."""
    wire = Wire()
    wire.hold(LEVEL, 80)
    loads = [wire.put(-1) if k % 3 == 0 else wire.hold(LEVEL, 1)[0] for k in range(160)]
    fault = loads[-2]
    assert isinstance(fault, Fault)
    assert fault.kind is FaultKind.RESTLESS
    assert fault.detail.startswith("channel 0: a fifth of its readings and more cannot be true: check the ")
    assert faults(loads[-80:]) == [FaultKind.RESTLESS] * 80
    well = faults(wire.hold(LEVEL, 160))
    assert well[0] is FaultKind.RESTLESS
    assert well[90:] == [None] * 70


# --- what must get through ---------------------------------------------------------------------------


def response(seconds_in_samples: float) -> float:
    """Return the share of a step that shows after so many conversions (a fourth-order averaging filter)."""
    points = (0.0, 1 / 24, 0.5, 23 / 24, 1.0)
    whole = min(int(max(0.0, seconds_in_samples)), 3)
    part = min(max(seconds_in_samples - whole, 0.0), 1.0)
    return points[whole] + (points[whole + 1] - points[whole]) * part


@pytest.mark.parametrize("stones", [1, -1, 2, -9, 40, 0.5])
@pytest.mark.parametrize("phase", [0.0, 0.3, 0.6, 0.9])
def test_a_step_costs_one_sample(stones: float, phase: float) -> None:
    """A stone, a lifted pit, a handful: through the converter's filter, at any moment of its clock."""
    wire = Wire(seed=int(phase * 10))
    wire.hold(LEVEL, 40)
    loads = [wire.hold(LEVEL + stones * STONE * response(k + phase), 1)[0] for k in range(40)]
    assert doubted(loads) <= 1
    assert loads[5] == pytest.approx(LEVEL / STONE + stones, abs=0.01)


@pytest.mark.parametrize("level", [100, STONE, 2 * STONE, 4 * STONE, -STONE])
def test_a_step_that_looks_like_a_fault_is_believed_too(level: int) -> None:
    """One stone more may just double the value, the last but one halve it: the next sample agrees."""
    for target in (2 * level, level // 2, level // 4, -level, level + STONE, 30, -30):
        if abs(target - level) > STONE // 2:
            wire = Wire()
            wire.hold(level, 40)
            assert faults(wire.hold(target, 10))[3:] == [None] * 7


@pytest.mark.parametrize("hertz", [30, 37, 40, 53, 71, 80, 100])
@pytest.mark.parametrize("rate", [10, 80])
def test_ringing_goes_through(hertz: int, rate: int) -> None:
    """A stone falls every 0.25 s, the cell rings with four stones: most is seen, nothing is a fault."""
    wire = Wire(rate, seed=hertz)
    wire.hold(LEVEL, 40)
    seen: list[Load] = []
    for k in range(8 * rate):
        since = (k / rate) % 0.25 if k < 6 * rate else 9.0
        swing = 4 * STONE * math.exp(-since / 0.06) * math.sin(2 * math.pi * hertz * since)
        seen += wire.hold(LEVEL + swing, 1)
    assert doubted(seen) < 0.25 * len(seen)
    assert faults(seen[-rate:]) == [None] * rate
    assert not any(isinstance(load, Fault) and "a fifth" in load.detail for load in seen)


@pytest.mark.parametrize("rate", [10, 80])
def test_a_hand_goes_through(rate: int) -> None:
    """It presses with twenty grams, trembling by half a stone eleven times a second."""
    wire = Wire(rate)
    wire.hold(LEVEL, 40)
    seen: list[Load] = []
    for k in range(10 * rate):
        push = 20 * STONE * (1 - math.cos(2 * math.pi * k / rate / 3)) / 2
        seen += wire.hold(LEVEL + push + 0.5 * STONE * math.sin(2 * math.pi * 11 * k / rate), 1)
    assert doubted(seen) < 0.2 * len(seen)
    assert not any(isinstance(load, Fault) and "a fifth" in load.detail for load in seen)


def test_a_noisy_channel_is_not_gated_by_its_noise() -> None:
    """A fifth of a stone of noise, once it is known, holds nearly nothing back."""
    wire = Wire(sigma=0.2 * STONE, seed=2)
    wire.gate.expect_noise([0.2])
    assert doubted(wire.hold(LEVEL, 2000)) < 10
    assert faults([wire.put(-1)]) == [FaultKind.UNCONFIRMED]


def test_a_channel_is_judged_by_itself() -> None:
    """A bad value on one is no matter of the other."""
    rows = (ChannelCalibration(0.0, float(STONE)), ChannelCalibration(1000.0, -float(STONE)))
    gate = Gate(Calibration("b", 1.0, 3.0, rows), 80.0)
    for k in range(30):
        gate.loads(RawSample(k, (LEVEL + k % 7, 1000 - 3 * STONE + k % 5), (OK, OK)))
    bad, good = gate.loads(RawSample(31, (-1, 1000 - 3 * STONE + 2), (OK, OK)))
    assert isinstance(bad, Fault)
    assert good == pytest.approx(3.0, abs=0.001)


def test_another_number_of_channels_is_only_converted() -> None:
    """Such a device is refused elsewhere; what is beyond the calibration is named."""
    gate = Gate(Calibration("b", 1.0, 3.0, (ChannelCalibration(0.0, 1000.0),)), 0.0)
    assert faults(gate.loads(RawSample(0, (1000, 5), (OK, OK)))) == [None, FaultKind.UNCALIBRATED]
    assert gate.loads(RawSample(1, (), ())) == ()


@given(st.lists(st.integers(-(1 << 23), (1 << 23) - 1), min_size=1, max_size=60), st.data())
def test_every_load_is_the_value_that_was_given(values: Sequence[int], data: st.DataObject) -> None:
    """Whatever comes: a load is never made up, and two samples in a row that agree are believed."""
    wire = Wire()
    before: Sequence[int] = ()
    for value in values:
        status = data.draw(st.sampled_from([OK, OK, OK, *ChannelStatus]))
        load = wire.put(value, status)
        if not isinstance(load, Fault):
            assert status is OK
            assert load == value / STONE
        elif before and status is OK and abs(value) < (1 << 23) - 1 and value != before[0]:
            assert "a fifth" in load.detail or abs(value - before[0]) >= 0.3 * STONE
        before = (value,) if status is OK and abs(value) < (1 << 23) - 1 else ()
