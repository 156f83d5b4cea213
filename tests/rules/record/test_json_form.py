"""Game records as JSON."""

import copy
import json
from dataclasses import replace
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from rules import (
    START,
    Comment,
    GameRecord,
    RecordFormatError,
    RulesError,
    Ruling,
    Side,
    Tags,
    format_record_json,
    parse_record_json,
    record_from_json,
    record_to_json,
)
from tests.rules.records import plies_of, records

RECORD = GameRecord(
    tags=Tags(event="Ел чемпионаты", bastaushy="А", other=(("Weather", "rain"),)),
    plies=tuple(replace(ply, clock_ms=(59_000, None)) for ply in plies_of([7, 9])),
    rulings=(Ruling(1, "warning", Side.BASTAUSHY, "stood up"),),
    comments=(Comment(2, "quick"),),
    result="1-0",
    reason="resignation",
    remaining_ms=(1, 2),
    recorder="B. Arbiter",
    signed=(True, False),
)

MOVE = {"move": "7:6", "judgement": "", "draw_offered": False, "clock_ms": None}


def changed(path: list[Any], value: Any) -> Any:
    """Return the record's JSON with one value exchanged."""
    data: Any = copy.deepcopy(record_to_json(RECORD))
    place = data
    for key in path[:-1]:
        place = place[key]
    place[path[-1]] = value
    return data


@settings(max_examples=60, deadline=None)
@given(record=records())
def test_every_record_reads_back_and_is_written_the_same_again(record: GameRecord) -> None:
    """Through an object, and through its one canonical text."""
    assert record_from_json(record_to_json(record)) == record
    text = format_record_json(record)
    assert parse_record_json(text) == record
    assert format_record_json(parse_record_json(text)) == text


def test_the_canonical_text_has_its_keys_in_order_and_letters_as_they_are() -> None:
    """Two writers that know the form write the same bytes."""
    text = format_record_json(RECORD)
    assert text.startswith(
        '{"format":1,"tags":{"event":"Ел чемпионаты","bastaushy":"А","other":[["Weather","rain"]]},'
    )
    assert '"plies":[{"move":"7:6","judgement":"","draw_offered":false,"clock_ms":[59000,null]},' in text
    assert text.endswith(
        '"rulings":[{"ply":1,"kind":"warning","side":"bastaushy","text":"stood up"}],'
        '"comments":[{"ply":2,"text":"quick"}],"result":"1-0","reason":"resignation","remaining_ms":[1,2],'
        '"recorder":"B. Arbiter","signed":[true,false]}'
    )


def test_a_start_of_its_own_stands_there_with_its_number() -> None:
    """The usual one is null and nothing else."""
    after = RECORD.position
    record = GameRecord(start=after, start_number=2, plies=plies_of([6], after))
    data = record_to_json(record)
    assert isinstance(data["start"], dict)
    assert data["start"]["number"] == 2
    assert record_from_json(data) == record
    assert record_to_json(GameRecord(start=START, start_number=2))["start"] is not None


@pytest.mark.parametrize(
    ("data", "message"),
    [
        ([], "record: expected an object, got a list of 0 items"),
        ({}, "record: expected the field format, got an object of 0 keys"),
        (changed(["format"], 3), "record.format: expected 1 or 2, got 3"),
        (changed(["format"], 1.0), "record.format: expected 1 or 2, got 1.0"),
        (changed(["seen_by"], 1), "record: expected only the fields format, tags, .*, signed, got 'seen_by'"),
        (changed(["tags"], {}), "record.tags: expected the field other"),
        (changed(["tags", "evnt"], ""), "record.tags: expected only the fields event, .*, got 'evnt'"),
        (changed(["tags", "event"], None), "record.tags.event: expected a text, got None"),
        (changed(["tags", "event"], "a\tb"), "record.tags.event: expected no control character, .* 2, got"),
        (changed(["tags", "other"], [["A"]]), r"record.tags.other\[0\]: expected a list of 2 items"),
        (changed(["tags", "other"], [["A", 1]]), r"record.tags.other\[0\]\[1\]: expected a text, got 1"),
        (
            changed(["tags", "other"], [["A", ""]] * 1001),
            "record.tags.other: expected a list of 0 to 1000 items",
        ),
        (changed(["start"], {"position": None}), "record.start: expected the field number"),
        (
            changed(["start"], {"position": None, "number": 0}),
            "record.start.number: expected an integer from 1",
        ),
        (changed(["start"], {"position": 1, "number": 1}), "record.start.position: expected an object"),
        (changed(["plies"], None), "record.plies: expected a list of 0 to 5000 items, got None"),
        (changed(["plies", 1], {}), r"record.plies\[1\]: expected the field move"),
        (changed(["plies", 1, "move"], 98), r"record.plies\[1\].move: expected a text, got 98"),
        (
            changed(["plies", 1, "move"], "9:8"),
            r"record.plies\[1\].move: expected a legal move \(pit 9 .*got '9:8'",
        ),
        (
            changed(["plies", 1, "judgement"], "!?"),
            r"record.plies\[1\].judgement: expected one of '', !, !!",
        ),
        (
            changed(["plies", 1, "draw_offered"], 0),
            r"record.plies\[1\].draw_offered: expected true or false, got 0",
        ),
        (changed(["plies", 1, "clock_ms"], [1]), r"record.plies\[1\].clock_ms: expected a list of 2 items"),
        (
            changed(["plies", 1, "clock_ms"], [1, -1]),
            r"record.plies\[1\].clock_ms\[1\]: expected an integer from 0",
        ),
        (changed(["plies", 1, "clock_ms"], [None] * 2), r"record.plies\[1\].clock_ms: expected None where"),
        (
            changed(["rulings", 0, "side"], "white"),
            r"record.rulings\[0\].side: expected one of bastaushy, ",
        ),
        (
            changed(["rulings", 0, "ply"], 3),
            r"record.rulings\[0\].ply: expected an integer from 0 to 2, got 3",
        ),
        (changed(["rulings", 0, "kind"], "A"), r"record.rulings\[0\].kind: expected a code"),
        (changed(["comments", 0, "text"], " "), r"record.comments\[0\].text: expected a text without blanks"),
        (changed(["result"], "2-0"), "record.result: expected one of 1-0, 0-1, 1/2-1/2, 0-0, got '2-0'"),
        (
            changed(["result"], "1/2-1/2"),
            "record.result: expected 1-0 or 0-1, since the reason is resignation",
        ),
        (changed(["reason"], 1), "record.reason: expected a text, got 1"),
        (
            changed(["remaining_ms"], [2**32, 0]),
            r"record.remaining_ms\[0\]: expected an integer from 0 to 4294967295",
        ),
        (changed(["signed"], [True]), "record.signed: expected a list of 2 items"),
        (changed(["signed", 1], 1), r"record.signed\[1\]: expected true or false, got 1"),
    ],
)
def test_the_first_thing_that_is_wrong_is_named_with_its_path(data: object, message: str) -> None:
    """Strictly: a field nobody knows is wrong as well."""
    with pytest.raises(RecordFormatError, match=message):
        record_from_json(data)


def test_the_usual_start_has_one_form_only() -> None:
    """Otherwise two texts would be canonical."""
    data = record_to_json(GameRecord(start_number=2))
    assert isinstance(data["start"], dict)
    data["start"]["number"] = 1
    with pytest.raises(RecordFormatError, match=r"record.start: expected null for the usual start"):
        record_from_json(data)


def test_a_cyrillic_x_is_not_the_canonical_move() -> None:
    """The strict form has one spelling."""
    plies = plies_of([3, 9, 7, 4, 6, 5])
    data: Any = record_to_json(GameRecord(plies=plies))
    assert data["plies"][-1]["move"].endswith("x")
    data["plies"][-1]["move"] = data["plies"][-1]["move"].replace("x", "х")
    with pytest.raises(RecordFormatError, match=r"record.plies\[5\].move: expected '5:7x', got '5:7х'"):
        record_from_json(data)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", r"record: expected JSON \(Expecting value"),
        ("[" * 100_000, r"record: expected JSON \("),
        ("1" * 5000, r"record: expected JSON \(Exceeds"),
        ('{"format": NaN}', "record: expected finite numbers, got 'NaN'"),
        ('{"format": 1, "format": 1}', "record: expected each key once, got 'format'"),
        (" " * 4_000_001, "record: expected at most 4000000 characters, got 4000001"),
    ],
)
def test_text_that_is_no_json_is_one_error_like_the_others(text: str, message: str) -> None:
    """However deep, long or ambiguous it is."""
    with pytest.raises(RecordFormatError, match=message):
        parse_record_json(text)


def test_a_key_twice_among_very_many_is_found_at_once() -> None:
    """A text as long as may be is read in about the time of any other."""
    keys = [f'"{number:06}":0' for number in range(300_000)]
    text = "{" + ",".join((*keys, keys[-1])) + "}"
    with pytest.raises(RecordFormatError, match="record: expected each key once, got '299999'"):
        parse_record_json(text)


def test_a_record_that_would_not_be_read_is_not_written() -> None:
    """Too long in all, though each part is short enough."""
    record = GameRecord(comments=tuple(Comment(0, "x" * 4000) for _ in range(1000)))
    with pytest.raises(RecordFormatError, match="record: expected at most 4000000 characters"):
        format_record_json(record)


def paths(data: Any) -> list[list[Any]]:
    """Return the way to every value inside a JSON value."""
    found: list[list[Any]] = []
    keys = data.keys() if isinstance(data, dict) else range(len(data)) if isinstance(data, list) else ()
    for key in keys:
        found += [[key], *([key, *rest] for rest in paths(data[key]))]
    return found


ANY_JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=8),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=5), inner, max_size=3),
    max_leaves=8,
)


@settings(max_examples=200, deadline=None)
@given(path=st.sampled_from(paths(record_to_json(RECORD))), value=ANY_JSON)
def test_no_value_anywhere_makes_anything_but_a_record_or_a_named_error(
    path: list[Any], value: object
) -> None:
    """And what is read is what is written again."""
    data = changed(path, value)
    try:
        record = record_from_json(data)
    except RulesError:
        return
    assert json.dumps(record_to_json(record), sort_keys=True) == json.dumps(data, sort_keys=True)


@settings(max_examples=50, deadline=None)
@given(value=ANY_JSON)
def test_no_json_makes_anything_but_a_named_error(value: object) -> None:
    """Whatever somebody sends."""
    with pytest.raises(RulesError):
        record_from_json(value)
