"""A trace is read as it was written, and damage is named, never absorbed."""

from __future__ import annotations

import zlib
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from firmware_bridge.layout import Wiring
from firmware_bridge.trace import blocks
from firmware_bridge.trace.blocks import HEAD_BYTES, SYNC, encode_block
from firmware_bridge.trace.columns import put_number
from firmware_bridge.trace.errors import NewerTraceError, TraceError
from firmware_bridge.trace.header import header_from_json, header_to_json
from firmware_bridge.trace.reader import Ending, Hole, TraceReader
from firmware_bridge.trace.rows import TOLD, pack_rows
from rules.conduct.options import PRESETS, Conducts
from tests.firmware_bridge.trace.small import ALL_ROWS, BLOCKS, HEADER, read, rows_of, small_trace

GOLDEN = Path(__file__).parent / "golden" / "small.trace"


def starts(data: bytes) -> list[int]:
    """Return where each block begins."""
    found, at = [], 8
    while at < len(data):
        found.append(at)
        at += HEAD_BYTES + blocks.decode_head(data[at:]).stored
    return found


def test_what_was_written_is_read(tmp_path: Path) -> None:
    """Rows in order, floats and letters as they were, and why it ends."""
    assert read(tmp_path / "t", small_trace()) == [*ALL_ROWS, Ending({"why": "asked"})]
    with TraceReader.open(tmp_path / "t") as reader:
        assert reader.header == HEADER


def test_the_trace_of_the_first_version_is_read_for_ever() -> None:
    """The file was written when the form was made; it is never made anew. What it is for: `small.py`."""
    with TraceReader.open(GOLDEN) as reader:
        assert reader.header == HEADER
        assert list(reader.rows()) == [*ALL_ROWS, Ending({"why": "asked"})]


def test_what_is_written_has_the_form_that_is_described() -> None:
    """Block for block the bytes of the golden file, once unpacked: deflate may choose other codes."""

    def unpacked(data: bytes) -> list[tuple[int, int, bytes]]:
        found = []
        for at in starts(data):
            head = blocks.decode_head(data[at:])
            stored = data[at + HEAD_BYTES : at + HEAD_BYTES + head.stored]
            found.append((head.kind, head.number, blocks.decode_payload(head, stored)))
        return found

    assert small_trace()[:8] == GOLDEN.read_bytes()[:8] == b"\x89TKTRC\n\x01"
    assert unpacked(small_trace()) == unpacked(GOLDEN.read_bytes())


@pytest.mark.parametrize(
    "data", [b"", b"\x89TKTRC\n", b"[Event x]\n1. 3:2", bytes(100), b"\x89PNG\r\n\x1a\n"]
)
def test_what_is_no_trace_is_called_so(tmp_path: Path, data: bytes) -> None:
    """An empty file, a record, a picture."""
    with pytest.raises(TraceError, match="this is no trace of a board"):
        read(tmp_path / "t", data)


@pytest.mark.parametrize("name", [".", "missing"])
def test_what_cannot_be_read_is_named(tmp_path: Path, name: str) -> None:
    """A folder, and nothing."""
    with pytest.raises(TraceError, match=r"name a trace|cannot be read: No such file"):
        TraceReader.open(tmp_path / name)


def test_a_trace_of_a_later_form_is_refused_by_name(tmp_path: Path) -> None:
    """Nothing is guessed of it."""
    with pytest.raises(NewerTraceError, match="form 9, this program reads form 1; take a later version"):
        read(tmp_path / "t", small_trace(version_byte=9))


def test_a_trace_cut_off_anywhere_gives_all_its_whole_blocks(tmp_path: Path) -> None:
    """At every byte: what was written before is there, and the tail is named with its place."""
    data = small_trace()
    begins = [*starts(data), len(data)]
    for size in range(begins[1], len(data), 1 if len(data) < 1200 else 2):
        found = read(tmp_path / "t", data[:size])
        whole = sum(end <= size for end in begins[2:])
        assert rows_of(found) == [row for rows in BLOCKS[:whole] for row in rows]
        torn = size - begins[whole + 1]
        holes = [row for row in found if isinstance(row, Hole)]
        assert [(hole.offset, hole.size, hole.tail) for hole in holes] == (
            [(begins[whole + 1], torn, True)] if torn else []
        )
    for size in range(0, begins[1], 11):
        with pytest.raises(TraceError, match=r"this is no trace|the header is damaged"):
            read(tmp_path / "t", data[:size])


def test_one_flipped_bit_anywhere_costs_one_block_and_is_told(tmp_path: Path) -> None:
    """All other blocks are read; never is a row other than it was written."""
    data = small_trace()
    begins = [*starts(data), len(data)]
    for at in range(begins[1], len(data), 3):  # every third byte, with another bit each time
        hurt = bytearray(data)
        hurt[at] ^= 1 << at % 8
        found = read(tmp_path / "t", bytes(hurt))
        broken = sum(begin <= at for begin in begins[1:]) - 1
        left = [row for number, rows in enumerate(BLOCKS) if number != broken for row in rows]
        assert rows_of(found) == left
        (hole,) = (row for row in found if isinstance(row, Hole))
        assert (hole.offset, hole.size) == (begins[broken + 1], begins[broken + 2] - begins[broken + 1])
        assert hole.tail == (broken == len(BLOCKS))
        assert hole.blocks == (None if hole.tail else 1)


def test_a_block_that_is_gone_is_missed(tmp_path: Path) -> None:
    """Somebody took it out with its head, so no byte is damaged."""
    data = small_trace()
    begins = starts(data)
    found = read(tmp_path / "t", data[: begins[1]] + data[begins[3] :])
    assert isinstance(found[0], Hole)
    assert (found[0].why, found[0].blocks) == ("block 1 is missing, number 3 follows", 2)
    assert rows_of(found) == list(BLOCKS[2])


@pytest.mark.parametrize("stored", [2**32 - 1, 2**31, blocks.MOST_STORED + 1, blocks.MOST_STORED])
def test_a_hostile_length_reserves_nothing_and_hides_nothing(tmp_path: Path, stored: int) -> None:
    """The head is whole by its own checksum, and lies; the block behind it is found."""
    head = blocks._HEAD.pack(SYNC, blocks.ROWS, 0, 0, 1, stored, stored, 0)
    lie = head + zlib.crc32(head).to_bytes(4, "little")
    data = small_trace()
    second = starts(data)[1]
    found = read(tmp_path / "t", data[:second] + lie + data[second:])
    assert isinstance(found[0], Hole)
    assert (found[0].offset, found[0].size, found[0].tail) == (second, len(lie), False)
    assert rows_of(found) == ALL_ROWS


def test_a_file_of_nothing_but_promises_ends_soon(tmp_path: Path) -> None:
    """Thousands of heads that each ask for a megabyte cost a few readings of the file."""
    head = blocks._HEAD.pack(SYNC, blocks.ROWS, 0, 0, 1, blocks.MOST_STORED, 10, 0)
    lie = head + zlib.crc32(head).to_bytes(4, "little")
    data = small_trace()
    found = read(tmp_path / "t", data[: starts(data)[1]] + lie * 8000)
    assert [row.tail for row in found if isinstance(row, Hole)] == [True]


def test_a_stream_that_unpacks_to_more_than_it_says_is_damage(tmp_path: Path) -> None:
    """A bomb is never unpacked beyond what its head allows."""
    bomb = zlib.compress(bytes(blocks.MOST_PLAIN * 4))
    head = blocks._HEAD.pack(SYNC, blocks.ROWS, blocks.DEFLATED, 0, 1, len(bomb), 100, zlib.crc32(bomb))
    data = small_trace()
    (hole,) = read(
        tmp_path / "t", data[: starts(data)[1]] + head + zlib.crc32(head).to_bytes(4, "little") + bomb
    )
    assert isinstance(hole, Hole)
    assert hole.why == "the content of a block is not as long as its head says"


def test_what_a_later_minor_version_adds_is_passed_over(tmp_path: Path) -> None:
    """Kinds of blocks, of pieces and of rows that are not known, and keys of the header."""
    data = small_trace()
    begins = starts(data)
    piece = bytearray()
    put_number(piece, 99)
    put_number(piece, 3)
    added = encode_block(77, 1, b"whatever") + encode_block(
        blocks.ROWS, 2, bytes(piece) + b"abc" + pack_rows([{"row": "dream", "of": 1}])
    )
    end = encode_block(blocks.END, 3, b'{"why":"asked","more":1}')
    found = read(tmp_path / "t", data[: begins[1]] + added + end)
    assert found == [{"row": "dream", "of": 1}, Ending({"why": "asked", "more": 1})]


@pytest.mark.parametrize(
    "body",
    [
        b"[1]",
        b"{",
        b"\xff",
        b"[" * 100_000,
        b"{}",
        b'{"row":[]}',
        b'{"row":"step"}',
        b'{"row":"step","events":[1]}',
        b'{"row":"x","a":NaN}',
        b'{"row":"x","a":-Infinity}',
        b'{"row":"x","a":1e999}',
        b'{"row":"x","a":18446744073709551616}',
        b'{"row":"x","a":' + b"9" * 5000 + b"}",
        b'{"row":"x","a":"\\ud800"}',
        b'{"row":"x","a":"\xed\xa0\x80"}',
        b'{"row":"x","a":' + b"[" * 500 + b"]" * 500 + b"}",
    ],
)
def test_a_whole_block_without_meaning_is_a_hole(tmp_path: Path, body: bytes) -> None:
    """A program wrote it wrongly; the others are read."""
    data = small_trace()
    begins = starts(data)
    piece = bytearray()
    put_number(piece, TOLD)
    put_number(piece, len(body))
    wrong = encode_block(blocks.ROWS, 1, bytes(piece) + body)
    found = read(tmp_path / "t", data[: begins[1]] + wrong + data[begins[2] :])
    assert isinstance(found[0], Hole)
    assert rows_of(found) == [row for rows in BLOCKS[1:] for row in rows]


def test_a_trace_behind_a_trace_is_named_and_not_read(tmp_path: Path) -> None:
    """Two files joined are no game played twice, and nothing of them is damaged."""
    data = small_trace()
    *first, other = read(tmp_path / "t", data + data)
    assert first == [*ALL_ROWS, Ending({"why": "asked"})]
    assert other == Hole(
        len(data), len(data), "another trace begins here", tail=True, blocks=None, another=True
    )


@pytest.mark.parametrize("lost", [1, 20, 60])
def test_a_trace_behind_a_torn_one_is_named_and_not_read(tmp_path: Path, lost: int) -> None:
    """What the first has lost is damage of its own."""
    data = small_trace()
    whole = data[:-lost]
    *_, torn, other = read(tmp_path / "t", whole + data)
    assert isinstance(torn, Hole)
    assert isinstance(other, Hole)
    assert (torn.offset + torn.size, torn.tail, torn.another) == (len(whole), True, False)
    assert (other.offset, other.another) == (len(whole), True)


def test_an_error_while_a_trace_is_open_names_the_file(tmp_path: Path) -> None:
    """Once, and on one line whatever it is called."""
    path = tmp_path / "a\nb"
    path.write_bytes(small_trace())
    with pytest.raises(TraceError, match=r"/a b: something$"), TraceReader.open(path):
        raise TraceError("something")
    with pytest.raises(TraceError, match=r"^[^ ]*/a b: something$"), TraceReader.open(path) as reader:
        raise TraceError(f"{reader.name}: something")


@pytest.mark.parametrize(
    "changes", [{"board_id": 7}, {"events": ("x",)}, {"start_when_ready": "yes"}, {"wall_ms": 1.5}]
)
def test_a_header_that_cannot_be_used_is_an_error(tmp_path: Path, changes: dict[str, Any]) -> None:
    """With the file and what is wrong in it."""
    with pytest.raises(TraceError, match="t: the header of the trace cannot be used"):
        read(tmp_path / "t", small_trace(**changes))


def test_what_an_event_has_chosen_stands_in_the_header() -> None:
    """A replay judges as the board did, whichever game was assigned to it."""
    blitz = replace(HEADER, conducts=Conducts.alike(PRESETS["blitz"]))
    for header in (HEADER, blitz, replace(HEADER, conducts=Conducts())):
        assert header_from_json(header_to_json(header), "t").conducts == header.conducts
    with pytest.raises(TraceError, match="bullet"):
        header_from_json({**header_to_json(HEADER), "conducts": {"bullet": {}}}, "t")


def test_headers_of_before_hold_the_options_of_the_game_alone() -> None:
    """And none of a classical one."""
    older = {name: value for name, value in header_to_json(HEADER).items() if name != "conducts"}
    assert header_from_json(older, "t").conducts == Conducts.alike(PRESETS["classical"])
    known = header_from_json({**older, "conduct": {"preset": "blitz"}}, "t").conducts
    assert known == Conducts.alike(PRESETS["blitz"])
    with pytest.raises(TraceError, match="touchmove"):
        header_from_json({**older, "conduct": {"touchmove": True}}, "t")


def test_buttons_of_players_are_kept_and_a_board_without_them_says_nothing_of_them() -> None:
    """A reader of before refuses keys it does not know: they stand only where there are such buttons."""
    wiring = Wiring(button_call_a=3, button_draw_b=6)
    told = header_to_json(replace(HEADER, wiring=wiring))
    assert header_from_json(told, "here").wiring == wiring
    assert set(told["wiring"]) - set(header_to_json(HEADER)["wiring"]) == {"button_call_a", "button_draw_b"}
