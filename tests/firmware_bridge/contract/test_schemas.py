"""Whatever our models can say obeys the shipped schemas, and what a reader of ours refuses they refuse."""

from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from firmware_bridge.contract.described import UndescribedError, describe, fields_of, summary_of
from firmware_bridge.wire.payloads import (
    AvailPayload,
    ClockPart,
    DevicePart,
    DiagPayload,
    EventPayload,
    LastMovePart,
    MetaPayload,
    NotePart,
    Payload,
    PayloadError,
    PositionPart,
    ResultPart,
    StatePayload,
    WatchPart,
    decode,
    encode,
)
from firmware_bridge.wire.topics import build
from rules.record.json_form import record_from_json, record_to_json
from rules.record.text import parse_record
from tests.firmware_bridge.contract.shapes import document, fault, schema_of
from tests.firmware_bridge.wire.test_payloads import EXAMPLES

COUNTS = st.integers(0, 2**53 - 1) | st.sampled_from([0, 1, 2**53 - 1])
IDS = st.from_regex(r"[a-z0-9-]{1,32}", fullmatch=True)
CODES = st.from_regex(r"[a-z0-9_.-]{1,40}", fullmatch=True)
TEXTS = st.text(st.characters(exclude_categories=["Cs"]), max_size=200)
STONES = st.integers(0, 162)
SIDES: st.SearchStrategy[Any] = st.sampled_from(["bastaushy", "qostaushy"])


def pair(each: st.SearchStrategy[Any]) -> st.SearchStrategy[Any]:
    """Two of a kind."""
    return st.tuples(each, each)


ENVELOPE: dict[str, st.SearchStrategy[Any]] = {
    "event": IDS,
    "board": IDS,
    "game": st.none() | TEXTS,
    "boot": COUNTS,
    "seq": COUNTS,
    "ply": COUNTS,
    "ts": COUNTS,
}
POSITIONS = st.builds(
    PositionPart,
    pits=st.tuples(*[STONES] * 18),
    kazans=pair(STONES),
    tuzdyks=pair(st.none() | st.integers(1, 9)),
    to_move=SIDES,
)
CLOCKS = st.none() | st.builds(
    ClockPart,
    running=st.none() | SIDES,
    remaining_ms=pair(COUNTS),
    rate=st.floats(0, 10_000, exclude_min=True),
    base_ms=COUNTS,
    increment_ms=COUNTS,
    flagged=pair(st.booleans()),
    control=TEXTS,
    period=pair(COUNTS),
    moves_to_quota=pair(st.none() | COUNTS),
    delay_ms=COUNTS,
)
LAST = st.none() | st.builds(
    LastMovePart,
    side=SIDES,
    number=st.integers(1, 9),
    path=st.lists(st.integers(0, 17), max_size=162).map(tuple),
    captured=STONES,
    tuzdyk=st.none() | st.integers(1, 9),
)
WATCHES = st.builds(
    WatchPart,
    sensed=st.sampled_from(["matches", "moving", "differs", "unreadable", "no_device", "idle"]),
    notes=st.lists(
        st.builds(NotePart, code=CODES, pit=st.none() | st.integers(0, 17), detail=TEXTS), max_size=20
    ).map(tuple),
)
STATES = st.builds(
    StatePayload,
    **ENVELOPE,
    phase=CODES,
    names=pair(TEXTS),
    starter_seat=st.sampled_from("ab"),
    position=POSITIONS,
    clock=CLOCKS,
    moves=st.lists(st.from_regex(r"[1-9](-[1-9]|:[1-9]x?)", fullmatch=True), max_size=600).map(" ".join),
    moves_from=st.integers(1, 2**53 - 1000),
    last=LAST,
    ready=pair(st.booleans()),
    result=st.none() | st.builds(ResultPart, score=st.sampled_from(["1-0", "0-1", "1/2-1/2"]), reason=TEXTS),
    pause=st.none() | TEXTS,
    watch=WATCHES,
    n=COUNTS,
)
DEVICES = st.none() | st.builds(DevicePart, board_id=TEXTS, firmware=TEXTS, boot_id=COUNTS)
PAYLOADS: st.SearchStrategy[Payload] = st.one_of(
    STATES,
    st.builds(AvailPayload, **ENVELOPE, online=st.booleans()),
    st.builds(MetaPayload, **ENVELOPE, software=TEXTS, protocol=TEXTS, language=TEXTS, device=DEVICES),
    st.builds(
        EventPayload,
        **ENVELOPE,
        data=st.fixed_dictionaries({"kind": st.just("time_mark"), "at_us": COUNTS}),
        position=POSITIONS,
        clock=CLOCKS,
    ),
    st.builds(
        DiagPayload,
        **ENVELOPE,
        values=st.dictionaries(
            CODES,
            st.none() | st.booleans() | COUNTS | st.floats(allow_nan=False, allow_infinity=False) | TEXTS,
            max_size=20,
        ),
    ),
)


@given(PAYLOADS)
def test_whatever_a_model_says_obeys_its_schema_and_is_read_back(payload: Payload) -> None:
    """Every kind, every field to its bounds; long names and texts are cut before they are written."""
    data = encode(payload)
    assert fault(schema_of(payload.kind), json.loads(data)) == ""
    assert encode(decode(build(payload.event, payload.board, payload.kind), data)) == data


@pytest.mark.parametrize(
    ("name", "path", "value"),
    [
        ("state", "clock.rate", 0),
        ("state", "clock.rate", 10_001),
        ("state", "clock.remaining_ms", [1, -5]),
        ("state", "clock.remaining_ms", [1, 2, 3]),
        ("state", "position.pits", [9] * 17),
        ("state", "position.pits", [True] * 18),
        ("state", "position.pits", [163] * 18),
        ("state", "position.tuzdyks", [10, None]),
        ("state", "last.path", [18]),
        ("state", "last.number", 0),
        ("state", "names", ["A"]),
        ("state", "names", ["A", "x" * 81]),
        ("state", "watch.sensed", "guessed"),
        ("state", "watch.notes", [{"code": "X", "pit": None, "detail": ""}]),
        ("state", "result", {"score": "2-0", "reason": ""}),
        ("state", "moves", "3:2  4:4"),
        ("state", "moves_from", 0),
        ("state", "seq", 2**60),
        ("state", "seq", "41"),
        ("state", "v", 2),
        ("state", "board", "../b"),
        ("state", "kind", "ev"),
        ("ev", "data", {"no": "kind"}),
        ("ev", "data.number", 10),
        ("avail", "online", "yes"),
        ("meta", "device", {}),
        ("diag", "values", {"a": [1]}),
    ],
)
def test_what_no_board_says_is_refused(name: str, path: str, value: object) -> None:
    """A schema that takes everything would promise nothing."""
    message = json.loads(encode(EXAMPLES[name]))
    assert fault(schema_of(message["kind"]), message) == ""
    *outer, last = path.split(".")
    inner = message
    for step in outer:
        inner = inner[step]
    inner[last] = value
    assert fault(schema_of(message["kind"]), message) != ""


@pytest.mark.parametrize("name", EXAMPLES)
def test_a_field_left_out_is_refused_by_the_schema_wherever_it_is_by_the_reader(name: str) -> None:
    """Only what came later, or is said by the topic, may be missing."""
    message = json.loads(encode(EXAMPLES[name]))
    topic = build(message["event"], message["board"], message["kind"])
    for field in message:
        fewer = {key: message[key] for key in message if key != field}
        try:
            decode(topic, json.dumps(fewer).encode())
        except PayloadError:
            assert fault(schema_of(message["kind"]), fewer) != "", field
        else:
            assert field in ("v", "kind", "n", "pause"), field


class _Told:
    """One thing.

    More of it.

    Attributes:
        a: The first,
            over two lines; None where True.
        b: The second.

    What follows is no field.
    """


class _Child(_Told):
    """Another thing.

    Attributes:
        b: The second, otherwise.

    Raises:
        ValueError: Never.
    """


def test_a_docstring_is_taken_apart() -> None:
    """Summary and fields, those of bases too; JSON has its own names for None and True."""
    assert summary_of(_Told) == "One thing. More of it. What follows is no field."
    assert fields_of(_Told)["b"] == "The second."
    assert summary_of(_Child) == "Another thing."
    assert fields_of(_Child) == {
        "a": "The first, over two lines; null where true.",
        "b": "The second, otherwise.",
    }


def test_a_field_without_words_is_refused_by_name() -> None:
    """So that no document goes out with a gap."""
    with pytest.raises(UndescribedError, match=r"_Told\.c: say in the class's docstring what it is"):
        describe({"properties": {"c": {}}}, _Told)


def test_the_schema_of_a_record_names_no_word_that_the_reader_of_records_refuses() -> None:
    """A record is strict: what a stranger may write by the schema must be read by whoever keeps it."""
    parts = document("game_record.schema.json")
    move = parts["$defs"]["RecordMove"]["properties"]
    plain = record_to_json(parse_record("1. 7:6 1-0"))
    for judgement in move["judgement"]["enum"]:
        plain["plies"] = [{"move": "7:6", "judgement": judgement, "draw_offered": False, "clock_ms": None}]
        assert fault(schema_of("game_record"), plain) == ""
        assert record_from_json(plain).plies[0].move.judgement == judgement
