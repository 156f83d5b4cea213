"""Every fault of the table of reports, with exact values."""

from dataclasses import replace

import pytest

from sensors.frames import STATUS_NOT_READY, STATUS_OK, STATUS_SATURATED
from sensors.simulator.profile import CELL_100_G, CLEAN, RAW_MAX, RAW_MIN, Profile
from sensors.simulator.transport import ChannelFault, SampleFault, broken, clipped, spoilt
from sensors.simulator.world import CellWorld

V = 0x0BCDEF
"""A conversion: 773,615."""
BEFORE = 0x0C1234


@pytest.mark.parametrize(
    ("value", "bits", "read"),
    [(V, 20, 2**20 - 1), (V, 23, 2**23 - 1), (V, 8, 0x0BCDFF), (-V, 20, -1), (-V, 8, -0xBCD01), (5, 3, 7)],
)
def test_a_chip_that_powers_down_in_mid_read_gives_ones_to_the_end(value: int, bits: int, read: int) -> None:
    """2**k-1 where the bits above were zero, a small negative number where they were one."""
    assert spoilt(SampleFault.ALL_ONES, value, BEFORE, bits) == read


@pytest.mark.parametrize("value", [V, -V, 0])
def test_a_chip_clocked_while_not_ready_gives_minus_one(value: int) -> None:
    """All 24 bits are ones."""
    assert spoilt(SampleFault.MINUS_ONE, value, BEFORE, 9) == -1


@pytest.mark.parametrize(
    ("value", "read"), [(V, 2 * V), (-V, -2 * V), (0x400000, RAW_MIN), (0x500000, 0xA00000 - 2**24)]
)
def test_a_clock_gained_doubles_and_overflows(value: int, read: int) -> None:
    """Exactly twice, and what does not fit turns the sign."""
    assert spoilt(SampleFault.DOUBLED, value, BEFORE, 9) == read


@pytest.mark.parametrize(("value", "read"), [(V, 386_807), (-V, -386_808), (1, 0), (-1, -1)])
def test_a_clock_lost_halves(value: int, read: int) -> None:
    """One place down, the sign kept."""
    assert spoilt(SampleFault.HALVED, value, BEFORE, 9) == read


@pytest.mark.parametrize(
    ("fault", "value", "read"),
    [
        (SampleFault.HALF_GAIN, V, 386_807),
        (SampleFault.HALF_GAIN, -V, -386_807),
        (SampleFault.QUARTER_GAIN, V, 193_403),
        (SampleFault.QUARTER_GAIN, -V, -193_403),
    ],
)
def test_a_wrong_number_of_pulses_gives_another_gain(fault: SampleFault, value: int, read: int) -> None:
    """A half or a quarter of the value."""
    assert spoilt(fault, value, BEFORE, 9) == read


@pytest.mark.parametrize(
    ("value", "before", "bits", "read"),
    [(V, BEFORE, 12, 0x0C1DEF), (V, BEFORE, 4, 0x0C123F), (V, V, 12, V), (-1, -4096, 8, -3841)],
)
def test_an_update_in_mid_read_tears_the_value(value: int, before: int, bits: int, read: int) -> None:
    """Upper bits of the conversion before, lower bits of this one; nothing shows where both agree."""
    assert spoilt(SampleFault.TORN, value, before, bits) == read


@pytest.mark.parametrize(("value", "read"), [(V, V - 2**23), (-V, 2**23 - V), (0, RAW_MIN), (-1, RAW_MAX)])
def test_a_first_bit_read_wrongly_flips_the_sign(value: int, read: int) -> None:
    """Half of the range away."""
    assert spoilt(SampleFault.SIGN_FLIPPED, value, BEFORE, 9) == read


@pytest.mark.parametrize(
    ("fault", "pair"),
    [
        (ChannelFault.DEAD, (17, STATUS_OK)),
        (ChannelFault.SATURATED, (8_388_607, STATUS_SATURATED)),
        (ChannelFault.STUCK, (4711, STATUS_OK)),
        (ChannelFault.NOT_READY, (0, STATUS_NOT_READY)),
        (ChannelFault.HALF_GAIN, (386_807, STATUS_OK)),
        (ChannelFault.QUARTER_GAIN, (193_403, STATUS_OK)),
    ],
)
def test_a_lasting_fault_gives_its_own_value_and_status(fault: ChannelFault, pair: tuple[int, int]) -> None:
    """Dead is its noise, saturated the end of the scale, stuck the old value, gone is zero and says so."""
    assert broken(fault, V, stuck=4711, noise=17) == pair


def test_the_ends_of_the_scale_are_saturated() -> None:
    """The limits themselves already are; the last values before them are not."""
    assert clipped(RAW_MAX) == clipped(RAW_MAX + 9) == (RAW_MAX, STATUS_SATURATED)
    assert clipped(RAW_MIN) == clipped(RAW_MIN - 9) == (RAW_MIN, STATUS_SATURATED)
    assert (clipped(RAW_MAX - 1), clipped(RAW_MIN + 1)) == ((RAW_MAX - 1, 0), (RAW_MIN + 1, 0))


def make_world(profile: Profile = CLEAN) -> CellWorld:
    """Twenty cells."""
    return CellWorld([CELL_100_G] * 20, profile, 1)


@pytest.mark.parametrize("fault", SampleFault)
def test_a_world_spoils_the_next_sample_of_a_channel_and_no_other(fault: SampleFault) -> None:
    """Its value is exactly that of the fault, its status is good; a twin without it tells what it was."""
    world, twin = make_world(), make_world()
    before, _ = world.read(0), twin.read(0)
    world.spoil(4, fault, 20)
    reading, clean = world.read(12_500), twin.read(12_500)
    expected = list(clean.raw)
    expected[4] = spoilt(fault, clean.raw[4], before.raw[4], 20)
    assert reading.raw == tuple(expected)
    assert set(reading.status) == {STATUS_OK}
    assert world.read(25_000) == twin.read(25_000)


def test_a_channel_at_another_gain_stays_there_until_it_is_mended() -> None:
    """Half of everything, sample after sample."""
    world, twin = make_world(), make_world()
    world.set_fault(7, ChannelFault.HALF_GAIN)
    for sample in range(5):
        assert world.read(sample * 12_500).raw[7] == int(twin.read(sample * 12_500).raw[7] / 2)
    world.set_fault(7, None)
    assert world.read(100_000) == twin.read(100_000)


def bad_share(profile: Profile, frames: int = 4000) -> float:
    """Share of channel samples that differ from those of a world that would read them well."""
    world = make_world(profile)
    sigma = 38.7 * profile.noise_factor
    means = [cell.mean_raw(0) for cell in world.cells]
    bad = 0
    for frame in range(frames):
        raw = world.read(frame * 12_500).raw
        bad += sum(abs(value - mean) > 8 * sigma for value, mean in zip(raw, means, strict=True))
    return bad / frames / 20


def test_bad_samples_come_at_the_share_of_the_profile() -> None:
    """Two in a hundred are drawn; a sixth or so leaves the value where it was. Clean has none."""
    assert bad_share(CLEAN) == 0.0
    assert 0.012 < bad_share(replace(CLEAN, bad_samples=0.02)) < 0.021


def test_a_pause_in_the_reading_is_not_made_up_for() -> None:
    """After an hour without a sample the next one has no more bad channels than any."""
    world = make_world(replace(CLEAN, bad_samples=0.02))
    before = world.read(0).raw
    after = world.read(3_600_000_000).raw
    assert sum(abs(one - other) > 1000 for one, other in zip(before, after, strict=True)) <= 4
