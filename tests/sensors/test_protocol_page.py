"""PROTOCOL.md: every frame, table and number printed there is what the program does."""

import re
import zlib
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from sensors import device_clock, device_time, frames, link, link_watch, presses

PAGE = (Path(frames.__file__).parent / "PROTOCOL.md").read_text(encoding="utf-8")
FRAMES = dict(re.findall(r"```frame (\w+)\n(.*?)```", PAGE, re.DOTALL))
BOOT = 0x1A2B3C4D

EXAMPLES: dict[str, tuple[Callable[[bytes], Any], object]] = {
    "HELLO": (
        frames.unpack_hello,
        frames.Hello(1, 1, 0b1011111, BOOT, 1, 2_500_000, 1, 8000, 4, 7, 1, "table-07", "togyz-pico 0.1"),
    ),
    "DATA": (frames.unpack_data, frames.Data(65536, (0, 0, 1, 2), (0, -1, 0, 8_388_607))),
    "BUTTON": (frames.unpack_button, frames.Button(1, 2_600_000, 0, 1)),
    "BEAT": (frames.unpack_beat, frames.Beat(4_297_467_296, 2, 0, 7)),
    "HELLO_REQUEST": (frames.unpack_hello_request, frames.HelloRequest(1, 1)),
    "BUTTON_ACK": (frames.unpack_button_ack, frames.ButtonAck(BOOT, 1)),
    "HOST_BEAT": (bytes, b""),
    "CLOCK": (frames.unpack_clock, frames.Clock(8, 1, 2_600_000, 2, 1, (599_400, 600_000), (5000, 5000))),
    "LAMPS": (frames.unpack_lamps, frames.Lamps(1, 12)),
    "BUZZER": (frames.unpack_buzzer, frames.Buzzer(1, 250)),
}


def parts(name: str) -> dict[str, bytes]:
    """Return the lines of one printed frame."""
    lines = [line.partition(" ") for line in FRAMES[name].splitlines()]
    return {key: bytes.fromhex(text) for key, _, text in lines}


def section(name: str) -> str:
    """Return the text of the message's own section: from its heading to its frame."""
    end = PAGE.index(f"```frame {name}\n")
    return PAGE[PAGE.rindex("\n### ", 0, end) : end]


def test_every_message_has_its_frame() -> None:
    """And no frame stands on the page that is not checked here."""
    assert set(FRAMES) == set(EXAMPLES)


@pytest.mark.parametrize("name", EXAMPLES)
def test_the_printed_frame_is_right(name: str) -> None:
    """Type, sequence number, payload, CRC and the bytes on the wire agree with each other and with us."""
    printed = parts(name)
    kind, seq = printed["type"][0], int.from_bytes(printed["seq"], "little")
    unpack, message = EXAMPLES[name]
    assert kind == getattr(frames, name)
    assert f"### 0x{kind:02X} {name.removeprefix('HOST_')}\n" in section(name)
    assert zlib.crc32(printed["type"] + printed["seq"] + printed["payload"]) == int.from_bytes(
        printed["crc32"], "little"
    )
    assert frames.encode_frame(kind, seq, printed["payload"]) == printed["wire"]
    assert frames.Decoder().feed(printed["wire"]) == [(kind, seq, printed["payload"])]
    assert unpack(printed["payload"]) == message


@pytest.mark.parametrize("name", [name for name in EXAMPLES if name != "HOST_BEAT"])
def test_the_field_table_covers_the_payload(name: str) -> None:
    """Each row's example is the bytes at its offset, row joins row, and the last ends the payload."""
    payload = parts(name)["payload"]
    rows = re.findall(r"^\| (\d+) \| (\d+) \| [^|]+ \| [^|]+ \| ([0-9A-F ]+) \|", section(name), re.MULTILINE)
    end = 0
    for offset, size, example in rows:
        assert int(offset) == end
        end += int(size)
        assert payload[int(offset) : end] == bytes.fromhex(example)
    assert end == len(payload)


def test_the_cobs_table_is_right() -> None:
    """The rows `body | COBS`."""
    rows = re.findall(r"^\| `([0-9A-F ]+)` \| `([0-9A-F ]+)` \|$", PAGE, re.MULTILINE)
    assert len(rows) == 4
    for body, encoded in rows:
        assert frames.cobs_encode(bytes.fromhex(body)) == bytes.fromhex(encoded)


def test_the_crc_examples_are_right() -> None:
    """The check value and the residue."""
    check = zlib.crc32(b"123456789")
    assert f"`123456789` is 0x{check:08X}" in PAGE
    assert f"0x{zlib.crc32(b'123456789' + check.to_bytes(4, 'little')):08X}" in PAGE


def test_the_time_examples_are_right() -> None:
    """The two extensions of section 6."""
    known = 0x00000000FFFFFFF0
    examples = re.findall(r"time_low (0x[0-9A-F]{8}) is (0x[0-9A-F]{16})", PAGE)
    assert len(examples) == 2
    for low, full in examples:
        assert device_time.extend_time(int(low, 16), known) == int(full, 16)


@pytest.mark.parametrize(
    "sentence",
    [
        f"at most {frames.MAX_BODY} bytes",
        f"| payload | 0..{frames.MAX_PAYLOAD} |",
        f"in every DATA, 0..{frames.MAX_CHANNELS} |",
        f"bytes that follow, 0..{frames.MAX_TEXT} |",
        f"per wall second, 1..{frames.MAX_TIME_SCALE};",
        f"More than {frames.MAX_BODY + 1} bytes without a 0x00",
        f"sounds for at most {frames.MAX_SOUND_MS} ms",
        f"The TOGYZ link, version {frames.MAJOR}.{frames.MINOR}",
        f"has not come {presses.PATIENCE_US // 1_000_000} s after",
        f"heard no valid frame for {link.SILENCE_US // 1_000_000} s (wall): it says",
        f"every {link.BEAT_US / 1e6} s (wall) until the device has said who it is",
        f"HELLO_REQUEST every {link.FOREIGN_US // 1_000_000} s.",
        f"below 2^{(frames.MAX_TIME_US + 1).bit_length() - 1}**",
        f"not more than {-device_time.EARLIEST_STEP_US // 1_000_000} s before the newest one",
        f"plus {device_clock.AHEAD_US // 1_000_000} s plus one part in {device_clock.DRIFT} of the time",
        f"more than {device_time.LATEST_STEP_US // 1_000_000} s after the frame before",
        f"later than that by more than {device_clock.PRESS_AHEAD_US // 1_000_000} s (wall)",
        f"more than {presses.SLACK_US // 1_000_000} s (device) before the press",
        f"numbered more than {presses.MAX_AHEAD} beyond",
        f"more than {presses.MAX_AHEAD + 1} beyond it, where {presses.MAX_PER_SECOND} more",
        f"no usable DATA has come for {link_watch.NO_SAMPLES_US // 1_000_000} s",
        f"is reported every {link_watch.REPEAT_FAULT_US // 1_000_000} s.",
    ],
)
def test_the_limits_are_those_of_the_program(sentence: str) -> None:
    """The numbers in the text."""
    assert sentence in PAGE
