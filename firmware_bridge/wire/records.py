"""Whole games on the wire: a record's text, cut into parts that no broker and no small reader minds.

The record is made when the game has ended, and again each time a player confirms the result. Its parts are
retained, each on a topic of its own; a reader puts those of one `sha256` together. Slices are cut
between characters, so each part is whole UTF-8 by itself.
"""

import hashlib
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Annotated, Final, Literal

from pydantic import Field
from pydantic_core import to_json

from firmware_bridge.wire.payloads import Count, Envelope, Name, PayloadError, encode, read_payload
from firmware_bridge.wire.topics import MAX_PARTS, RecordTopic, TopicError, game_key, parse_record

MAX_PART_BYTES: Final = 4096
"""No part is longer when written, its envelope included."""

PartNumber = Annotated[int, Field(ge=1, le=MAX_PARTS)]


class RecordPayload(Envelope):
    """One part of the record of a game that has ended.

    Attributes:
        game: Id of the game.
        seq: Journal number of the last row the record tells of: of two records of a game the one with the
            greater (`boot`, `seq`) is the newer.
        ply: Plies in the record.
        part: Which part this is, from 1.
        parts: How many there are.
        sha256: SHA-256 of the whole text in UTF-8, hexadecimal; parts of one record share it.
        text: This part of the text. All parts in order, joined with nothing between them, are the record
            as JSON.
    """

    kind: Literal["record"] = "record"
    game: Name
    part: PartNumber
    parts: PartNumber
    sha256: Annotated[str, Field(pattern=r"^[0-9a-f]{64}$")]
    text: Annotated[str, Field(max_length=MAX_PART_BYTES)]

    @property
    def topic(self) -> str:
        """Where this part belongs."""
        return str(RecordTopic(self.event, self.board, game_key(self.game), self.part))


@dataclass(frozen=True, slots=True)
class RecordOf:
    """Whose record it is; the fields of the envelope.

    Attributes:
        event: Id of the event.
        board: Id of the board.
        game: Id of the game.
        boot: Boot of the last row told of.
        seq: Its journal number.
        ply: Plies in the record.
        ts: Wall time of the last row, milliseconds since 1970 UTC.
    """

    event: str
    board: str
    game: str
    boot: Count
    seq: Count
    ply: Count
    ts: Count


def cut(about: RecordOf, text: str) -> tuple[RecordPayload, ...]:
    """Return the parts of a record, each at most 4 KiB when written. The same input gives the same bytes.

    Args:
        about: Whose record it is.
        text: The record as JSON, not empty.

    Raises:
        PayloadError: It needs more than 256 parts, or holds half a character.
    """
    try:
        whole = text.encode()
    except UnicodeEncodeError as error:
        raise PayloadError(
            f"record of game {about.game[:80]!r}: half a character at {error.start}"
        ) from error
    digest = hashlib.sha256(whole).hexdigest()

    def part_of(slice_: str, part: int, parts: int) -> RecordPayload:
        facts = {name: getattr(about, name) for name in RecordOf.__slots__}
        return RecordPayload(**facts, part=part, parts=parts, sha256=digest, text=slice_)

    room = MAX_PART_BYTES - len(encode(part_of("", MAX_PARTS, MAX_PARTS)))
    slices = _slices(text, room)
    if len(slices) > MAX_PARTS:
        raise PayloadError(f"record of game {about.game[:80]!r}: {len(slices)} parts, more than {MAX_PARTS}")
    return tuple(part_of(each, number, len(slices)) for number, each in enumerate(slices, start=1))


def _slices(text: str, room: int) -> list[str]:
    """Cut a text between characters so that each slice fits into so many bytes of JSON."""
    slices, begin, used = [], 0, 0
    for place, character in enumerate(text):
        costs = 1 if character.isalnum() and character.isascii() else len(to_json(character)) - 2
        if used + costs > room:
            slices.append(text[begin:place])
            begin, used = place, 0
        used += costs
    return [*slices, text[begin:]]


def decode_record(topic: str, data: bytes) -> RecordPayload:
    """Read a part as it arrived.

    Args:
        topic: Where it arrived. Event, board, game and part must be those inside.
        data: The bytes; empty ones mean that the part was cleared and are an error here.

    Raises:
        PayloadError: The topic is none of a record, or the bytes are no part for it.
    """
    try:
        where = parse_record(topic)
    except TopicError as error:
        raise PayloadError(str(error)) from error
    payload = read_payload(RecordPayload, data, topic)
    if payload.topic != str(where):
        raise PayloadError(f"{topic}: inside it says that it belongs to {payload.topic[:160]}")
    if payload.part > payload.parts:
        raise PayloadError(f"{topic}: part {payload.part} of {payload.parts}")
    return payload


def join(parts: Sequence[RecordPayload]) -> str:
    """Return the text of a record from all its parts, in order.

    Raises:
        PayloadError: They are not all, or their text is not what its hash says.
    """
    first = parts[0]
    text = "".join(part.text for part in parts)
    if [part.part for part in parts] != list(range(1, first.parts + 1)):
        raise PayloadError(f"record of game {first.game!r}: parts are missing")
    if hashlib.sha256(text.encode()).hexdigest() != first.sha256:
        raise PayloadError(f"record of game {first.game!r}: the text does not match its hash")
    return text
