"""Channels that count: running numbers become pulses since the first sample."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sensors.frames import PULSES_WRAP
from sensors.pulses import MOST_AT_ONCE, PulseCounter
from sensors.samples import ChannelStatus, Fault, FaultKind

OK = ChannelStatus.OK
FRAME = 12_500


def taken(*numbers: int) -> list[int | str]:
    """Return what a counter makes of these numbers, one a sample; a fault's text in its place."""
    counter = PulseCounter(3)
    found = [counter.take(k * FRAME, number, OK) for k, number in enumerate(numbers)]
    return [item.detail if isinstance(item, Fault) else item for item in found]


@given(st.integers(0, PULSES_WRAP - 1), st.lists(st.integers(0, MOST_AT_ONCE), max_size=30))
def test_pulses_are_counted_from_the_first_sample_on(first: int, passed: list[int]) -> None:
    """From any number, through the wrap too."""
    numbers = [(first + sum(passed[:k])) % PULSES_WRAP for k in range(len(passed) + 1)]
    assert taken(*numbers) == [sum(passed[:k]) for k in range(len(passed) + 1)]


def test_a_lost_second_loses_no_pulse() -> None:
    """The number runs on in the device; 300 pulses in a second are a busy pit."""
    counter = PulseCounter(0)
    counter.take(0, 5, OK)
    assert counter.take(1_000_000, 305, OK) == 300


def test_a_restarted_device_counts_on() -> None:
    """It begins again at zero; what has passed since is added."""
    assert taken(70_000, 70_002, 3, 4) == [0, 2, 5, 6]


def test_a_jump_that_stones_cannot_make_is_a_named_fault() -> None:
    """Once it is confirmed, counting goes on from there without it; a single one changes nothing."""
    jump = (
        "channel 3: its number jumped from 70000 to 90000, more than stones can make: "
        "check the sensor and its wire"
    )
    assert taken(70_000, 90_000, 70_001) == [0, jump, 1]
    assert taken(70_000, 90_000, 90_000, 90_002) == [0, jump, 0, 2]
    assert taken(70_000, 90_000, 200_000)[2] == jump.replace("to 90000", "to 200000")


@pytest.mark.parametrize("raw", [-1, PULSES_WRAP, -8_388_608])
def test_a_number_outside_the_range_is_none(raw: int) -> None:
    """A converter's value is no number of pulses."""
    fault = PulseCounter(3).take(0, raw, OK)
    assert isinstance(fault, Fault)
    assert (fault.kind, fault.channel) == (FaultKind.NO_COUNTER, 3)
    assert fault.detail.startswith(f"channel 3: {raw} is no running number of pulses: ")


def test_what_the_device_says_of_it_is_a_fault() -> None:
    """And the pulses meanwhile are not lost."""
    counter = PulseCounter(0)
    counter.take(0, 5, OK)
    fault = counter.take(FRAME, 0, ChannelStatus.EXCLUDED)
    assert isinstance(fault, Fault)
    assert fault.kind is FaultKind.EXCLUDED
    assert counter.take(2 * FRAME, 6, OK) == 1
