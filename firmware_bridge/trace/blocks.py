"""The blocks of a trace: each stands for itself, and says by two checksums that it is whole. Pure.

A reader that meets damage looks for the next block by its first four bytes and its head's own checksum,
so a hostile length never makes it read, or reserve, more than `MOST_STORED`. TRACE.md, section 2.
"""

from __future__ import annotations

import struct
import zlib
from dataclasses import dataclass
from enum import StrEnum
from typing import Final

PREFACE: Final = b"\x89TKTRC\n"
"""The first seven bytes of a trace; the eighth is its version. No text begins so, nor survives as a text."""

VERSION: Final = 1
"""The form described in TRACE.md; a program reads its own and refuses later ones by name."""

SYNC: Final = b"\xf4TKB"
"""How every block begins; 0xf4 occurs nowhere at the beginning of UTF-8 for letters."""

HEADER, ROWS, END = 1, 2, 3
"""Kinds of block; others are skipped."""

DEFLATED = 1
"""Flag: the payload is a zlib stream."""

MOST_STORED = 1 << 20
"""Most bytes of a payload as stored, and eight times as many unpacked: a block is written every few seconds
and has about 10 kB. A header holds a whole game, a few hundred kB at most."""

MOST_PLAIN = 8 * MOST_STORED

_HEAD = struct.Struct("<4sBBHIIII")
HEAD_BYTES = _HEAD.size + 4


class Damage(StrEnum):
    """What can be wrong with a block, for whoever tells it in another language."""

    CUT_SHORT = "cut_short"
    NO_BLOCK = "no_block"
    HEAD = "head"
    TOO_LARGE = "too_large"
    CONTENT = "content"
    MEANING = "meaning"
    MISSING = "missing"


class BlockError(ValueError):
    """Raised when no whole block stands where one is looked for.

    Attributes:
        damage: What kind of damage it is; the message says it in words.
    """

    def __init__(self, damage: Damage, words: str) -> None:
        super().__init__(words)
        self.damage = damage


@dataclass(frozen=True, slots=True)
class Head:
    """What stands before a payload.

    Attributes:
        kind: Of the block.
        flags: How the payload is stored.
        number: 0 for the first block, then without a gap.
        stored: Bytes of the payload in the file.
        plain: Bytes of it unpacked.
        crc: CRC-32 of the payload as stored.
    """

    kind: int
    flags: int
    number: int
    stored: int
    plain: int
    crc: int


def encode_block(kind: int, number: int, payload: bytes) -> bytes:
    """Return a block; the payload is deflated where that makes it smaller.

    Raises:
        ValueError: The payload is larger than a reader would take.
    """
    stored, flags = zlib.compress(payload, 6), DEFLATED
    if len(stored) >= len(payload):
        stored, flags = payload, 0
    if len(stored) > MOST_STORED or len(payload) > MOST_PLAIN:
        raise ValueError(f"a block of {len(payload)} bytes, at most {MOST_PLAIN} can be read")
    head = _HEAD.pack(SYNC, kind, flags, 0, number, len(stored), len(payload), zlib.crc32(stored))
    return head + zlib.crc32(head).to_bytes(4, "little") + stored


def decode_head(data: bytes) -> Head:
    """Return the head in the first `HEAD_BYTES` of `data`.

    Raises:
        BlockError: It is none, or says what no block can.
    """
    if len(data) < HEAD_BYTES:
        raise BlockError(Damage.CUT_SHORT, "the head of a block is cut short")
    if data[:4] != SYNC:
        raise BlockError(Damage.NO_BLOCK, "no block begins here")
    if zlib.crc32(data[: _HEAD.size]).to_bytes(4, "little") != data[_HEAD.size : HEAD_BYTES]:
        raise BlockError(Damage.HEAD, "the head of a block is damaged")
    _sync, kind, flags, _free, number, stored, plain, crc = _HEAD.unpack_from(data)
    if stored > MOST_STORED or plain > MOST_PLAIN:
        raise BlockError(Damage.TOO_LARGE, f"a block of {stored} bytes, at most {MOST_STORED} are possible")
    return Head(kind, flags, number, stored, plain, crc)


def decode_payload(head: Head, stored: bytes) -> bytes:
    """Return the payload of a block, unpacked.

    Raises:
        BlockError: It is cut short or damaged.
    """
    if len(stored) < head.stored:
        raise BlockError(Damage.CUT_SHORT, f"a block of {head.stored} bytes of which {len(stored)} are there")
    if zlib.crc32(stored) != head.crc:
        raise BlockError(Damage.CONTENT, "the content of a block is damaged")
    if not head.flags & DEFLATED:
        return stored
    unpacker = zlib.decompressobj()
    try:
        # One byte more than due is asked for, and never all that a hostile stream would give.
        plain = unpacker.decompress(stored, head.plain + 1)
    except zlib.error as error:
        raise BlockError(Damage.CONTENT, f"the content of a block cannot be unpacked ({error})") from None
    if len(plain) != head.plain or not unpacker.eof:
        raise BlockError(Damage.CONTENT, "the content of a block is not as long as its head says")
    return plain
