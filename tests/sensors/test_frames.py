"""Frames: exact bytes, round trips, and everything that is no frame."""

import contextlib
import random
import struct
import zlib
from collections.abc import Callable
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sensors import frames
from tests.sensors.reference_device import build, cut, decode, encode

Pack = Callable[[Any], bytes]
Unpack = Callable[[bytes], Any]

u8 = st.integers(0, 0xFF)
u16 = st.integers(0, 0xFFFF)
u32 = st.integers(0, 0xFFFFFFFF)
times = st.integers(0, (1 << 60) - 1)
i32 = st.integers(-(1 << 31), (1 << 31) - 1)
texts = st.text(st.characters(codec="utf-8", min_codepoint=32, exclude_characters="\x7f"), max_size=8)

hellos = st.builds(
    frames.Hello,
    st.just(1),
    u8,
    u32,
    st.integers(1, 0xFFFFFFFF),
    u8,
    times,
    st.integers(1, 1000),
    u16,
    st.integers(0, 52),
    u8,
    st.integers(1, 0xFFFFFFFF),
    texts,
    texts,
)
channels = st.lists(st.tuples(st.integers(0, 15), i32), max_size=52)
datas = st.builds(
    lambda low, pairs: frames.Data(low, tuple(p[0] for p in pairs), tuple(p[1] for p in pairs)), u32, channels
)
buttons = st.builds(frames.Button, st.integers(1, 0xFFFFFFFF), times, u8, st.integers(0, 1))
clocks = st.builds(
    frames.Clock,
    u32,
    u32,
    times,
    st.integers(0, 2),
    st.integers(0, 1),
    st.tuples(i32, i32),
    st.tuples(u32, u32),
)
HELLO = frames.Hello(1, 0, 31, 7, 1, 5, 1, 8000, 20, 3, 1, "a", "b")

ROUND_TRIPS = [
    (frames.pack_hello, frames.unpack_hello, hellos),
    (frames.pack_data, frames.unpack_data, datas),
    (frames.pack_button, frames.unpack_button, buttons),
    (frames.pack_beat, frames.unpack_beat, st.builds(frames.Beat, times, u32, u32, u32)),
    (frames.pack_hello_request, frames.unpack_hello_request, st.builds(frames.HelloRequest, u8, u8)),
    (frames.pack_button_ack, frames.unpack_button_ack, st.builds(frames.ButtonAck, u32, u32)),
    (frames.pack_clock, frames.unpack_clock, clocks),
    (frames.pack_lamps, frames.unpack_lamps, st.builds(frames.Lamps, u16, u16)),
    (frames.pack_buzzer, frames.unpack_buzzer, st.builds(frames.Buzzer, u8, u16)),
]
UNPACKERS = [unpack for _pack, unpack, _messages in ROUND_TRIPS]

COBS = [
    ("11 22 33", "04 11 22 33"),
    ("11 00 22", "02 11 02 22"),
    ("00", "01 01"),
    ("00 00", "01 01 01"),
    ("11 00 00", "02 11 01 01"),
    ("", "01"),
    ("01" * 250, "FB" + "01" * 250),
]


@pytest.mark.parametrize(("body", "encoded"), COBS)
def test_cobs_has_exactly_these_bytes(body: str, encoded: str) -> None:
    """The table of PROTOCOL.md and its edges, both ways."""
    assert frames.cobs_encode(bytes.fromhex(body)) == bytes.fromhex(encoded)
    assert frames.cobs_decode(bytes.fromhex(encoded)) == bytes.fromhex(body)


@given(st.binary(max_size=250))
def test_cobs_costs_one_byte_and_leaves_no_zero(body: bytes) -> None:
    """Every body comes back, as the reference writes it too."""
    encoded = frames.cobs_encode(body)
    assert len(encoded) == len(body) + 1
    assert 0 not in encoded
    assert encoded + b"\x00" == encode(body)
    assert frames.cobs_decode(encoded) == body


@given(st.binary(max_size=300))
def test_cobs_decoding_is_one_to_one(encoded: bytes) -> None:
    """Whatever decodes, encodes back to the same bytes: no frame has two spellings."""
    body = frames.cobs_decode(encoded)
    if body is not None and len(body) <= 253:
        assert frames.cobs_encode(body) == encoded
    if encoded:
        assert body == decode(encoded)


@pytest.mark.parametrize("encoded", ["", "00", "05 11", "02 11 03 22", "FF" + "11" * 254, "02 11 00 11"])
def test_no_cobs_decodes_to_none(encoded: str) -> None:
    """Empty, a zero code, a block over the end, the code of general COBS."""
    assert frames.cobs_decode(bytes.fromhex(encoded)) is None


def test_a_body_too_long_for_cobs_is_refused() -> None:
    """The simple form of COBS is only right below 254 bytes."""
    assert frames.cobs_decode(frames.cobs_encode(bytes([1]) * 253)) == bytes([1]) * 253
    with pytest.raises(frames.FrameError, match="COBS: a body of 254 bytes, more than 253"):
        frames.cobs_encode(bytes(254))


@given(u8, u16, st.binary(max_size=frames.MAX_PAYLOAD))
def test_a_frame_is_what_the_page_says(kind: int, seq: int, payload: bytes) -> None:
    """The independent reference builds and reads the same bytes."""
    wire = frames.encode_frame(kind, seq, payload)
    assert wire == build(kind, seq, payload)
    assert frames.Decoder().feed(wire) == [(kind, seq, payload)]
    assert cut(wire) == ([(kind, seq, payload)], b"")


def test_a_frame_has_exactly_these_bytes() -> None:
    """The empty BEAT of the host with sequence number 2, its CRC by zlib."""
    crc = struct.pack("<I", zlib.crc32(bytes.fromhex("830200"))).hex(" ")
    assert frames.encode_frame(frames.HOST_BEAT, 2, b"").hex(" ") == f"03 83 02 05 {crc} 00"


@pytest.mark.parametrize("content", [b"", b"\x01", b"\x01\x02"])
def test_a_body_without_room_for_type_and_seq_is_no_frame(content: bytes) -> None:
    """However right its CRC; that of nothing is four zeros."""
    body = content + struct.pack("<I", zlib.crc32(content))
    assert frames.decode_frame(frames.cobs_encode(body)) is None


def test_sequence_numbers_wrap_at_65536() -> None:
    """The caller may count on."""
    assert frames.encode_frame(1, 65536, b"x") == frames.encode_frame(1, 0, b"x")


def test_a_payload_beyond_the_cap_is_refused() -> None:
    """243 bytes fit, 244 do not."""
    frames.encode_frame(1, 0, bytes(243))
    with pytest.raises(frames.FrameError, match="a payload of 244 bytes, more than 243"):
        frames.encode_frame(1, 0, bytes(244))


def test_the_longest_frames_have_these_lengths() -> None:
    """52 channels and the longest texts stay under the cap; the usual 20 channels take 104 bytes."""

    def data(count: int) -> int:
        payload = frames.pack_data(frames.Data(0, (0,) * count, (-1,) * count))
        return len(frames.encode_frame(frames.DATA, 0, payload))

    assert (data(20), data(52)) == (104, 248)
    hello = HELLO._replace(board_id="ж" * 16, firmware="x" * 32)
    assert len(frames.encode_frame(frames.HELLO, 0, frames.pack_hello(hello))) == 108


@pytest.mark.parametrize(("pack", "unpack", "messages"), ROUND_TRIPS)
def test_every_message_comes_back(pack: Pack, unpack: Unpack, messages: st.SearchStrategy[Any]) -> None:
    """Packing and unpacking are inverse, also with fields appended by a later minor version."""

    @given(messages)
    def check(message: object) -> None:
        payload = pack(message)
        assert unpack(payload) == message
        assert unpack(payload + b"\x01\x02") == message
        assert len(payload) <= frames.MAX_PAYLOAD

    check()


@pytest.mark.parametrize(("pack", "unpack", "messages"), ROUND_TRIPS)
def test_every_truncation_is_a_frame_error(
    pack: Pack, unpack: Unpack, messages: st.SearchStrategy[Any]
) -> None:
    """A payload cut anywhere is refused by name, never read half."""

    @given(messages, st.data())
    def check(message: object, draw: st.DataObject) -> None:
        payload = pack(message)
        with pytest.raises(frames.FrameError, match=r"[A-Z]+"):
            unpack(payload[: draw.draw(st.integers(0, len(payload) - 1))])

    check()


@pytest.mark.parametrize("unpack", UNPACKERS)
@given(payload=st.binary(max_size=243))
def test_random_payloads_are_read_or_refused(unpack: Unpack, payload: bytes) -> None:
    """Hostile payloads raise FrameError and nothing else."""
    with contextlib.suppress(frames.FrameError):
        unpack(payload)


BAD_PAYLOADS = [
    (frames.unpack_hello, b"TGZ2" + bytes(40), "HELLO: no magic TGZ1"),
    (frames.unpack_hello, frames.pack_hello(HELLO._replace(major=2)), "HELLO: major version 2, not 1"),
    (
        frames.unpack_hello,
        frames.pack_hello(HELLO._replace(boot_id=0)),
        "boot_id 0, next_event 1; neither may be 0",
    ),
    (
        frames.unpack_hello,
        frames.pack_hello(HELLO._replace(next_event=0)),
        "boot_id 7, next_event 0; neither may",
    ),
    (frames.unpack_hello, frames.pack_hello(HELLO._replace(time_scale=0)), r"time_scale 0, not in 1\.\.1000"),
    (
        frames.unpack_hello,
        frames.pack_hello(HELLO._replace(time_scale=1001)),
        r"time_scale 1001, not in 1\.\.1000",
    ),
    (frames.unpack_hello, frames.pack_hello(HELLO._replace(channels=53)), "53 channels, more than 52"),
    (
        frames.unpack_hello,
        frames.pack_hello(HELLO._replace(board_id="\n")),
        "HELLO board_id: a control character",
    ),
    (
        frames.unpack_hello,
        frames.pack_hello(HELLO._replace(board_id="\x7f")),
        "HELLO board_id: a control character",
    ),
    (frames.unpack_hello, frames.pack_hello(HELLO)[:-1] + b"\xff", "HELLO firmware: not UTF-8"),
    (
        frames.unpack_hello,
        frames.pack_hello(HELLO)[:33] + b"\x21" + bytes(99),
        "board_id: length 33, more than 32",
    ),
    (frames.unpack_hello, frames.pack_hello(HELLO)[:33], "HELLO board_id: 33 bytes, at least 34 expected"),
    (frames.unpack_data, bytes([0, 0, 0, 0, 53]) + bytes(238), "DATA: 53 channels, more than 52"),
    (frames.unpack_data, bytes([0, 0, 0, 0, 2]) + bytes(8), "DATA: 13 bytes, at least 14 expected"),
    (frames.unpack_button, bytes(14), "BUTTON: number 0, edge 0"),
    (frames.unpack_button, bytes([1]) + bytes(12) + b"\x02", "BUTTON: number 1, edge 2"),
    (frames.unpack_clock, bytes(16) + b"\x03" + bytes(17), "CLOCK: running 3, armed 0"),
    (frames.unpack_clock, bytes(17) + b"\x02" + bytes(16), "CLOCK: running 0, armed 2"),
]


@pytest.mark.parametrize(("unpack", "payload", "message"), BAD_PAYLOADS)
def test_values_without_meaning_are_refused_by_name(unpack: Unpack, payload: bytes, message: str) -> None:
    """The message names the frame, the field and the value."""
    with pytest.raises(frames.FrameError, match=message):
        unpack(payload)


def test_a_message_that_does_not_fit_is_refused() -> None:
    """Texts too long, statuses and values of different number, too many channels."""
    with pytest.raises(frames.FrameError, match="HELLO firmware: 33 bytes of UTF-8, more than 32"):
        frames.pack_hello(HELLO._replace(firmware="x" * 33))
    with pytest.raises(frames.FrameError, match="DATA: 1 statuses, 2 values"):
        frames.pack_data(frames.Data(0, (0,), (1, 2)))
    with pytest.raises(frames.FrameError, match="DATA: 53 statuses, 53 values"):
        frames.pack_data(frames.Data(0, (0,) * 53, (1,) * 53))


def test_the_version_of_any_hello_can_be_read() -> None:
    """Also of one so new that nothing behind the version is known."""
    assert frames.hello_version(b"TGZ1\x09\x05") == (9, 5)


def test_status_nibbles_stand_low_first() -> None:
    """Channel 0 in the low half of the first byte; the last high half is zero for an odd number."""
    payload = frames.pack_data(frames.Data(0, (1, 2, 3), (0, 5, 0)))
    assert payload[5:7].hex() == "2103"
    assert frames.unpack_data(payload).status == (1, 2, 3)


def random_stream(seed: int) -> tuple[bytes, list[tuple[int, int, bytes]]]:
    """Return a stream of frames and what is in it."""
    rng = random.Random(seed)
    content = [
        (rng.randrange(256), rng.randrange(65536), rng.randbytes(rng.randrange(100))) for _ in range(40)
    ]
    return b"".join(frames.encode_frame(*one) for one in content), content


@given(st.integers(0, 1000), st.lists(st.integers(1, 400), min_size=1, max_size=30))
def test_frames_are_found_however_the_stream_is_cut(seed: int, sizes: list[int]) -> None:
    """Pieces of any length, byte by byte included."""
    stream, content = random_stream(seed)
    decoder = frames.Decoder()
    found = []
    for size in sizes:
        found += decoder.feed(stream[:size])
        stream = stream[size:]
    for byte in stream[:50]:
        found += decoder.feed(bytes([byte]))
    found += decoder.feed(bytearray(stream[50:]))
    assert found == content
    assert (decoder.bad_frames, decoder.overlong, decoder.ignored) == (0, 0, 0)


def test_boot_text_before_the_first_frame_is_not_damage() -> None:
    """It is counted apart, and damage only after the first valid frame."""
    decoder = frames.Decoder()
    good = frames.encode_frame(1, 0, b"x")
    assert decoder.feed(b"rst:0x1 (POWERON)\r\n\x00" + bytes([1]) * 300 + b"\x00" + good) == [(1, 0, b"x")]
    assert (decoder.bad_frames, decoder.overlong, decoder.ignored) == (0, 0, 2)
    assert decoder.feed(b"\x00\x00noise\x00" + bytes([1]) * 252 + b"\x00" + bytes([1]) * 251 + b"\x00") == []
    assert (decoder.bad_frames, decoder.overlong, decoder.ignored) == (2, 1, 2)


def test_something_endless_is_counted_once_and_skipped() -> None:
    """The frame behind the zero that ends it is whole."""
    decoder = frames.Decoder()
    decoder.feed(frames.encode_frame(1, 0, b""))
    for _ in range(50):
        assert decoder.feed(b"\x01" * 1000) == []
    assert decoder.feed(b"\x01\x00" + frames.encode_frame(2, 1, b"")) == [(2, 1, b"")]
    assert (decoder.bad_frames, decoder.overlong) == (0, 1)
    assert (decoder.feed(b"\x01" * 251), decoder.overlong) == ([], 1)
    assert (decoder.feed(b"\x01"), decoder.overlong) == ([], 2)


def test_a_smaller_cap_can_be_asked_for() -> None:
    """As a device does that never needs long frames."""
    decoder = frames.Decoder(max_body=20)
    fits, too_long = frames.encode_frame(1, 0, bytes(13)), frames.encode_frame(1, 1, bytes(14))
    assert decoder.feed(fits + too_long) == [(1, 0, bytes(13))]
    assert decoder.overlong == 1


def test_ten_megabytes_of_noise_are_survived() -> None:
    """No exception, no frame, bounded memory, and a good frame afterwards is found."""
    rng = random.Random(1)
    block = rng.randbytes(1 << 20)
    decoder = frames.Decoder()
    decoder.feed(frames.encode_frame(1, 0, b""))
    found = []
    for turn in range(10):
        found += decoder.feed(block[turn:] + block[:turn])
        assert len(decoder._tail) <= frames.MAX_BODY + 1
    assert found == []
    assert decoder.bad_frames > 10_000
    assert decoder.overlong > 10_000
    assert decoder.feed(b"\x00" + frames.encode_frame(1, 1, b"after")) == [(1, 1, b"after")]


def test_zeros_alone_are_nothing() -> None:
    """A flush is no damage, however long."""
    decoder = frames.Decoder()
    decoder.feed(frames.encode_frame(1, 0, b""))
    assert decoder.feed(bytes(100_000)) == []
    assert (decoder.bad_frames, decoder.overlong) == (0, 0)


EXAMPLES = [
    frames.encode_frame(frames.HELLO, 3, frames.pack_hello(HELLO)),
    frames.encode_frame(frames.DATA, 4, frames.pack_data(frames.Data(5, (0, 1, 0), (100_000, 0, -7)))),
    frames.encode_frame(frames.BUTTON, 5, frames.pack_button(frames.Button(1, 10**7, 0, 1))),
    frames.encode_frame(
        frames.CLOCK, 6, frames.pack_clock(frames.Clock(8, 1, 10**7, 2, 1, (599_400, 0), (0, 9)))
    ),
]


@pytest.mark.parametrize("wire", EXAMPLES)
def test_no_flipped_bit_gives_another_frame(wire: bytes) -> None:
    """Every single bit, COBS codes and delimiter included, and every pair of neighbours."""
    (original,) = frames.Decoder().feed(wire)
    for bit in range(8 * len(wire)):
        for mask in (1, 3, 7):
            damaged = bytearray(wire + b"\x00")
            number = int.from_bytes(damaged, "little") ^ (mask << bit)
            damaged = bytearray(number.to_bytes(len(damaged) + 1, "little")[: len(damaged)])
            assert all(frame == original for frame in frames.Decoder().feed(bytes(damaged) + b"\x00"))


@given(st.sampled_from(EXAMPLES), st.lists(st.tuples(st.integers(0, 2000), u8), min_size=1, max_size=12))
def test_damage_never_gives_a_different_frame(wire: bytes, changes: list[tuple[int, int]]) -> None:
    """Any bytes changed, in a stream of two frames: what is accepted is one of the two."""
    stream = bytearray(wire + EXAMPLES[0])
    good = frames.Decoder().feed(bytes(stream))
    for where, value in changes:
        stream[where % len(stream)] = value
    assert all(frame in good for frame in frames.Decoder().feed(bytes(stream)))


@given(st.sampled_from(EXAMPLES), st.integers(0, 200), st.integers(0, 200))
def test_bytes_lost_from_the_middle_never_give_a_frame(wire: bytes, start: int, length: int) -> None:
    """A truncated frame is no frame, and the next one is whole."""
    start %= len(wire) - 1  # the delimiter alone is no part of the frame
    left = wire[:start] + wire[start + 1 + length :]
    after = frames.encode_frame(9, 9, b"next")
    found = frames.Decoder().feed(b"\x00" + left + b"\x00" + after)
    assert found == [(9, 9, b"next")]
