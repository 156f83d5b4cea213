"""Which numbers of a converter may be handed on."""

import pytest

from sensors.frames import STATUS_OK, STATUS_READ_ERROR, STATUS_SATURATED
from sensors.hx711 import RAW_MAX, RAW_MIN
from sensors.hx711_trust import GOOD_AFTER, Trust
from sensors.simulator.transport import SampleFault, spoilt

REFUSED = (0, STATUS_READ_ERROR)


def trusted(raw: int = 300_000) -> Trust:
    """Return a converter that has given this number often enough."""
    trust = Trust()
    for _ in range(GOOD_AFTER):
        trust.take(raw)
    assert trust.take(raw) == (raw, STATUS_OK)
    return trust


def test_the_first_three_numbers_are_not_handed_on() -> None:
    """A converter that has just begun has not settled."""
    trust = Trust()
    assert [trust.take(5_000 + each)[1] for each in range(5)] == [STATUS_READ_ERROR] * 3 + [STATUS_OK] * 2


def test_after_a_bad_reading_four_good_ones_are_needed() -> None:
    """The one after may hold its bits, the next a wrong gain (Klipper3d/klipper#6659)."""
    trust = trusted()
    trust.doubt()
    assert [trust.take(300_000 + each)[1] for each in range(5)] == [STATUS_READ_ERROR] * 3 + [STATUS_OK] * 2


def test_a_bad_reading_between_begins_the_count_anew() -> None:
    """Three good, one bad, and four more."""
    trust = trusted()
    trust.doubt()
    for _ in range(3):
        assert trust.take(300_000) == REFUSED
    trust.doubt()
    assert [trust.take(300_000)[1] for _ in range(4)] == [STATUS_READ_ERROR] * 3 + [STATUS_OK]


@pytest.mark.parametrize("raw", [-1, -7, 2**9 - 1, 2**17 - 1, 0, 0x123FFF, -(2**20) + 0xFFF])
def test_what_a_cut_off_reading_leaves_is_refused(raw: int) -> None:
    """-1, small negatives, 2^k-1, many ones at the end, where they jump (bogde/HX711#83; ggurov/hx711#5)."""
    trust = trusted()
    assert trust.take(raw) == REFUSED
    assert trust.rejected == 1


@pytest.mark.parametrize("raw", [-1, 3, 2**9 - 1])
def test_without_a_jump_such_a_number_is_as_good_as_any(raw: int) -> None:
    """A cell may well rest near zero."""
    trust = trusted(raw + 900)
    assert trust.take(raw) == (raw, STATUS_OK)


@pytest.mark.parametrize("last", [300_000, -300_000, 1_234_567])
@pytest.mark.parametrize(
    "fault",
    [
        SampleFault.DOUBLED,
        SampleFault.HALVED,
        SampleFault.HALF_GAIN,
        SampleFault.QUARTER_GAIN,
        SampleFault.SIGN_FLIPPED,
        SampleFault.MINUS_ONE,
    ],
)
def test_a_fault_of_the_wires_is_refused(fault: SampleFault, last: int) -> None:
    """Each kind the simulator knows but those that only the next sample tells (RobTillaart/HX711#27, #35)."""
    assert trusted(last).take(spoilt(fault, last + 50, last, 12)) == REFUSED


def test_a_load_that_looks_like_a_fault_is_late_by_three() -> None:
    """A load may double; the numbers then agree with each other, as those of a fault do not."""
    trust = trusted(100_000)
    found = [trust.take(200_000 + each) for each in range(6)]
    assert [status for _, status in found] == [STATUS_READ_ERROR] * 4 + [STATUS_OK] * 2
    assert trust.rejected == 1


def test_ones_that_repeat_exactly_confirm_nothing() -> None:
    """A line that is stuck gives them for ever."""
    trust = trusted()
    assert {trust.take(-1) for _ in range(20)} == {REFUSED}


def test_a_change_of_the_load_is_handed_on_at_once() -> None:
    """A stone that falls is no fault."""
    trust = trusted(100_000)
    assert trust.take(104_300) == (104_300, STATUS_OK)


@pytest.mark.parametrize("last", [300_000, 500])
@pytest.mark.parametrize("end", [RAW_MIN, RAW_MAX])
def test_an_end_of_the_range_is_saturated(end: int, last: int) -> None:
    """An open wire, not a weight (bogde/HX711#132; tatobari/hx711py#7)."""
    trust = trusted(last)
    assert trust.take(end) == (end, STATUS_SATURATED)
