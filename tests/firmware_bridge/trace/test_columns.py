"""Samples as columns of bytes."""

from __future__ import annotations

import contextlib
import random
import zlib

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from firmware_bridge.trace.columns import Cursor, pack_samples, put_number, unpack_samples
from sensors.samples import ChannelStatus, RawSample

STEPS = st.integers(-(2**20), 2**33)
VALUES = st.one_of(
    st.integers(-(2**31), 2**31 - 1), st.integers(-40, 40), st.sampled_from([0, 2**23 - 1, -(2**23)])
)


@st.composite
def runs(draw: st.DrawFn) -> list[RawSample]:
    """Return samples of one device, with any values, states and steps of time."""
    channels, count = draw(st.integers(0, 3)), draw(st.integers(1, 8))
    time_us = draw(st.integers(0, 2**63))
    samples = []
    for _ in range(count):
        raw = draw(st.tuples(*[VALUES] * channels))
        status = draw(st.tuples(*[st.sampled_from(ChannelStatus)] * channels))
        samples.append(RawSample(time_us, raw, status))
        time_us = max(0, time_us + draw(STEPS))
    return samples


@settings(max_examples=60)
@given(runs())
def test_every_sample_is_read_as_it_was_written(samples: list[RawSample]) -> None:
    """Whatever the device said, in whatever order of time."""
    assert unpack_samples(pack_samples(samples)) == samples


@settings(max_examples=40)
@given(runs(), st.data())
def test_samples_cut_short_are_refused(samples: list[RawSample], data: st.DataObject) -> None:
    """No front of the bytes of a piece is a piece."""
    packed = pack_samples(samples)
    size = data.draw(st.integers(0, len(packed) - 1))
    with pytest.raises(ValueError, match=r"."):
        unpack_samples(packed[:size])


@given(st.binary(max_size=200))
def test_any_bytes_are_samples_or_refused(data: bytes) -> None:
    """A piece made by somebody else ends in a value or a ValueError, soon."""
    with contextlib.suppress(ValueError):
        unpack_samples(data)


@pytest.mark.parametrize("channels", [255, 0])
def test_a_piece_that_promises_too_much_is_refused_before_anything_is_made_of_it(channels: int) -> None:
    """Four billion samples in ten bytes."""
    promise = bytearray()
    put_number(promise, 2**32)
    put_number(promise, channels)
    with pytest.raises(ValueError, match=f"4294967296 samples of {channels} channels"):
        unpack_samples(bytes(promise))


def test_a_number_without_an_end_is_refused() -> None:
    """Eleven bytes that all say that more follow."""
    with pytest.raises(ValueError, match="no end"):
        Cursor(b"\xff" * 11).number()


def test_noise_at_rest_takes_hardly_more_than_the_noise() -> None:
    """A nominal channel's noise has 8.9 bits a value (normal, 116 units); the file takes less than 9.4."""
    source = random.Random(1)
    channels, count = 20, 800
    samples = [
        RawSample(
            12_500 * number,
            tuple(round(source.gauss(90_000 * channel, 116)) for channel in range(channels)),
            (ChannelStatus.OK,) * channels,
        )
        for number in range(count)
    ]
    bits = 8 * len(zlib.compress(pack_samples(samples), 6)) / (channels * count)
    assert bits < 9.4


def test_each_way_of_foretelling_is_taken_where_it_is_best_and_undone() -> None:
    """Noise at rest, stairs without noise, and noise on a slope."""
    source = random.Random(2)
    columns = (
        [round(source.gauss(5_000, 100)) for _ in range(400)],
        [30_000 * (number // 40) for number in range(400)],
        [round(source.gauss(10 * number, 300)) for number in range(400)],
    )
    for way, column in enumerate(columns):
        samples = [RawSample(12_500 * at, (value,), (ChannelStatus.OK,)) for at, value in enumerate(column)]
        packed = pack_samples(samples)
        cursor = Cursor(packed)
        for _ in range(2 + 1 + 399 + 2):  # how many, of how many; times; one state and how often
            cursor.number()
        assert cursor.take(1)[0] == way
        assert unpack_samples(packed) == samples
