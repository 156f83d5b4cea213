"""Samples as columns of bytes: what one piece of a block holds. Pure; TRACE.md, section 4.

Twenty cells lie still most of the time, so what is new in a value is the converter's noise: about 40 units
(HX711 data sheet, 90 nV at 80 samples a second) or more: seven bits that nothing can make smaller. Each
channel is foretold in three ways and written by the best: how far each value is off, without a sign, its low
bits as they are, its high bits in planes of bytes, which the deflate of the block makes small.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from itertools import accumulate, groupby, pairwise

from sensors.samples import ChannelStatus, RawSample

MOST_SAMPLES = 4096
"""Samples in one piece: fifty seconds at 80 a second; bounds what a reader makes of one piece."""

MOST_CHANNELS = 255
"""The wire counts channels in one byte."""

MOST_PLANES = 5
"""Bytes of a difference between two values of 32 bits."""

LONGEST_NUMBER = 10
"""Bytes of a varint of 64 bits."""

MOST_RAW_BITS = 32

KEPT_BITS = 6
"""Bits of the median left to the deflate, whose codes fit them; what lies below is noise through and through,
and would only lend it false repetitions. Measured on a nominal game: 5 and 8 give 4 and 7 % more."""

TREND_BITS = 2
"""The trend follows by a quarter: noise has a seventh more power, not twice; a step is over in ten values."""

_STILL, _STEPS, _TREND = 0, 1, 2
"""What foretells a channel's values: one value for all, the value before, or the trend of those before."""

_STATUS = {status.value: status for status in ChannelStatus}


def put_number(out: bytearray, number: int) -> None:
    """Append a whole number, 0 or more, seven bits a byte, the low ones first; 0x80 says that more follow."""
    while number > 0x7F:
        out.append(number & 0x7F | 0x80)
        number >>= 7
    out.append(number)


class Cursor:
    """Reads numbers and bytes from the front of `data`.

    Attributes:
        at: Offset of what comes next.
    """

    def __init__(self, data: bytes) -> None:
        self.data = data
        self.at = 0

    def number(self) -> int:
        """Return the next number.

        Raises:
            ValueError: It is cut short, or longer than 64 bits need.
        """
        number = 0
        for shift in range(0, 7 * LONGEST_NUMBER, 7):
            byte = self.take(1)[0]
            number |= (byte & 0x7F) << shift
            if byte < 0x80:
                return number
        raise ValueError("a number that has no end")

    def signed(self) -> int:
        """Return the next number with a sign."""
        return _signed(self.number())

    def take(self, size: int) -> bytes:
        """Return the next `size` bytes.

        Raises:
            ValueError: There are not so many.
        """
        end = self.at + size
        if end > len(self.data):
            raise ValueError("cut short")
        found = self.data[self.at : end]
        self.at = end
        return found

    @property
    def done(self) -> bool:
        """Whether nothing is left."""
        return self.at == len(self.data)


def _unsigned(number: int) -> int:
    return number << 1 if number >= 0 else ~(number << 1)


def _signed(number: int) -> int:
    return number >> 1 ^ -(number & 1)


def pack_samples(samples: Sequence[RawSample]) -> bytes:
    """Return the bytes of consecutive samples, 1 to `MOST_SAMPLES`, all of the same channels."""
    channels = len(samples[0].raw)
    assert 0 < len(samples) <= MOST_SAMPLES, "the caller cuts longer runs"
    out = bytearray()
    put_number(out, len(samples))
    put_number(out, channels)
    _put_times(out, [sample.time_us for sample in samples])
    _put_status(out, samples, channels)
    for column in zip(*[sample.raw for sample in samples], strict=True):
        _put_column(out, column)
    return bytes(out)


def unpack_samples(data: bytes) -> list[RawSample]:
    """Return the samples in the bytes of a piece.

    Raises:
        ValueError: They are none; says why.
    """
    cursor = Cursor(data)
    count, channels = cursor.number(), cursor.number()
    if not 0 < count <= MOST_SAMPLES or channels > MOST_CHANNELS:
        raise ValueError(f"{count} samples of {channels} channels in one piece")
    times = _take_times(cursor, count)
    states = _take_status(cursor, count, channels)
    columns = [_take_column(cursor, count) for _ in range(channels)]
    if not cursor.done:
        raise ValueError(f"{len(data) - cursor.at} bytes behind the last channel")
    rows = zip(*columns, strict=True) if channels else ((),) * count
    return [RawSample(time, raw, status) for time, raw, status in zip(times, rows, states, strict=True)]


# --- times: the steps between samples hardly change ------------------------------------------------------


def _put_times(out: bytearray, times: Sequence[int]) -> None:
    put_number(out, times[0])
    before = 0
    for first, second in pairwise(times):
        put_number(out, _unsigned(second - first - before))
        before = second - first


def _take_times(cursor: Cursor, count: int) -> list[int]:
    first = cursor.number()
    steps = accumulate(cursor.signed() for _ in range(count - 1))
    return list(accumulate(steps, initial=first))


# --- status: nearly always the same all over the piece ----------------------------------------------------


def _put_status(out: bytearray, samples: Sequence[RawSample], channels: int) -> None:
    flat = [sample.status[channel].value for channel in range(channels) for sample in samples]
    for value, run in groupby(flat):
        put_number(out, value)
        put_number(out, sum(1 for _ in run))


def _take_status(cursor: Cursor, count: int, channels: int) -> list[tuple[ChannelStatus, ...]]:
    flat: list[ChannelStatus] = []
    while len(flat) < count * channels:
        status, run = _STATUS.get(cursor.number()), cursor.number()
        if status is None or not 0 < run <= count * channels - len(flat):
            raise ValueError("a status that is none, or too many of them")
        flat += [status] * run
    if all(status is ChannelStatus.OK for status in flat):
        return [(ChannelStatus.OK,) * channels] * count
    return [tuple(flat[sample::count]) for sample in range(count)]


# --- values -----------------------------------------------------------------------------------------------


def _put_column(out: bytearray, column: Sequence[int]) -> None:
    found = []
    for way, base in ((_STILL, sorted(column)[len(column) // 2]), (_STEPS, column[0]), (_TREND, column[0])):
        numbers = list(map(_unsigned, _ERRORS[way](column, base)))
        found.append((sum(map(int.bit_length, numbers)), way, base, numbers))
    _bits, way, base, numbers = min(found)
    raw_bits = min(max(sorted(numbers)[len(numbers) // 2].bit_length() - KEPT_BITS, 0), MOST_RAW_BITS)
    high = [number >> raw_bits for number in numbers]
    planes = (max(high).bit_length() + 7) // 8
    out += bytes([way, raw_bits, planes])
    put_number(out, _unsigned(base))
    out += _packed([number & ((1 << raw_bits) - 1) for number in numbers], raw_bits)
    for plane in range(planes):
        out += bytes([number >> 8 * plane & 0xFF for number in high])


def _take_column(cursor: Cursor, count: int) -> list[int]:
    way, raw_bits, planes = cursor.take(3)
    base = cursor.signed()
    if way not in _ERRORS or raw_bits > MOST_RAW_BITS or planes > MOST_PLANES:
        raise ValueError("a channel written in no known way")
    numbers = _unpacked(cursor.take((count * raw_bits + 7) // 8), count, raw_bits)
    for plane in range(planes):
        shift = raw_bits + 8 * plane
        numbers = [number | byte << shift for number, byte in zip(numbers, cursor.take(count), strict=True)]
    return _values(way, base, map(_signed, numbers))


def _packed(numbers: Sequence[int], bits: int) -> bytes:
    """Return numbers of so many bits each, the first in the lowest bits."""
    if not bits:
        return b""
    digits = "".join([format(number, f"0{bits}b") for number in reversed(numbers)])
    return int(digits, 2).to_bytes((len(numbers) * bits + 7) // 8, "little")


def _unpacked(data: bytes, count: int, bits: int) -> list[int]:
    if not bits:
        return [0] * count
    digits = format(int.from_bytes(data, "little"), f"0{count * bits}b")
    if len(digits) > count * bits:
        raise ValueError("bits behind the last value of a channel")
    return [int(digits[at : at + bits], 2) for at in range((count - 1) * bits, -1, -bits)]


def _steps(column: Sequence[int], base: int) -> list[int]:
    return [column[0] - base, *(second - first for first, second in pairwise(column))]


def _trend(column: Sequence[int], base: int) -> list[int]:
    errors = []
    sum_ = base << TREND_BITS
    for value in column:
        error = value - (sum_ >> TREND_BITS)
        sum_ += error
        errors.append(error)
    return errors


_ERRORS: Mapping[int, Callable[[Sequence[int], int], Iterable[int]]] = {
    _STILL: lambda column, base: [value - base for value in column],
    _STEPS: _steps,
    _TREND: _trend,
}


def _values(way: int, base: int, errors: Iterable[int]) -> list[int]:
    """Undo `_ERRORS`."""
    if way == _STILL:
        return [base + error for error in errors]
    if way == _STEPS:
        return list(accumulate(errors, initial=base))[1:]
    values = []
    sum_ = base << TREND_BITS
    for error in errors:
        values.append((sum_ >> TREND_BITS) + error)
        sum_ += error
    return values
