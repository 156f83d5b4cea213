"""One reading of HX711 converters: the pulses and the numbers."""

import pytest

from sensors.hx711 import BITS, MOST_HIGH_NS, RAW_MAX, RAW_MIN, decode, shift
from tests.sensors.converters import Converter, ConverterWorld

SECOND_NS = 1_000_000_000


def ready_world(*raws: int) -> ConverterWorld:
    """Return converters that all have a conversion ready."""
    world = ConverterWorld([Converter(raw=raw) for raw in raws])
    world.pass_us(20_000)
    assert world.read_data() == 0
    return world


@pytest.mark.parametrize(
    ("bits", "raw"),
    [
        ("0" * 24, 0),
        ("0" * 23 + "1", 1),
        ("1" * 24, -1),
        ("0" + "1" * 23, RAW_MAX),
        ("1" + "0" * 23, RAW_MIN),
        ("110000000000000000000101", -4194299),
    ],
)
def test_bits_are_a_number_in_twos_complement(bits: str, raw: int) -> None:
    """The highest first."""
    assert decode(int(bit) for bit in bits) == raw


def test_a_conversion_has_24_bits() -> None:
    """A reading that was given up is no number."""
    with pytest.raises(ValueError, match="a conversion has 24 bits, not 23"):
        decode([0] * 23)


def test_all_converters_are_read_by_the_same_pulses() -> None:
    """Twenty of them, each with its own number (RobTillaart/HX711#40)."""
    raws = [12_345 * (channel - 10) for channel in range(20)]
    world = ready_world(*raws)
    found = shift(world)
    assert [found.raw(channel) for channel in range(20)] == raws
    assert found.rested == (1 << 20) - 1
    assert world.pulses == 25
    assert not found.overlong


@pytest.mark.parametrize(("gain", "share"), [(128, 1.0), (64, 0.5), (32, 0.25)])
def test_every_reading_chooses_the_gain_of_the_next(gain: int, share: float) -> None:
    """A converter that fell back to another gain is put right by the next reading (RobTillaart/HX711#27)."""
    world = ready_world(80_000)
    world.converters[0].gain = 0.25
    shift(world, gain)
    world.pass_us(20_000)
    assert shift(world, gain).raw(0) == 80_000 * share


def test_the_clock_is_up_and_down_at_once_and_lines_are_read_while_it_is_low() -> None:
    """However many converters there are and however slowly they are read."""
    world = ready_world(*[5] * 20)
    assert shift(world).longest_high_ns < 5 * world.PIN_NS


@pytest.mark.parametrize("pulse", [0, 1, 12, 23, 24])
def test_a_clock_high_for_too_long_is_seen_and_the_reading_given_up(pulse: int) -> None:
    """Whichever pulse it was; the converters may have powered down (bogde/HX711#83)."""
    world = ready_world(80_000)
    world.preempt = {pulse: MOST_HIGH_NS + 1_000}
    found = shift(world)
    assert found.overlong
    assert found.longest_high_ns > MOST_HIGH_NS
    assert world.pulses == pulse + 1
    assert len(found.words) == min(pulse, BITS)


def test_without_the_measurement_a_powered_down_converter_gives_ones() -> None:
    """What the check keeps out: 2^k-1, the pattern of bogde/HX711#83."""
    world = ready_world(0)
    world.preempt = {12: 70_000}
    words = []
    for _ in range(BITS):
        world.set_clock(high=True)
        world.set_clock(high=False)
        words.append(world.read_data())
    assert decode(words) == 2**12 - 1


def test_a_converter_that_lost_count_has_its_line_low_at_the_end() -> None:
    """Its own last pulse is still to come; the others are as they should be."""
    world = ready_world(80_000, 80_000)
    world.converters[1].deaf = 1
    found = shift(world)
    assert found.rested == 0b01
    assert found.raw(0) == 80_000
    assert found.raw(1) == 40_000  # half: one clock lost
