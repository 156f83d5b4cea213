"""Records on the wire: cut between characters, small enough, and whole again from any parts."""

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from firmware_bridge.wire import topics
from firmware_bridge.wire.payloads import PayloadError, encode
from firmware_bridge.wire.records import MAX_PART_BYTES, RecordOf, RecordPayload, cut, decode_record, join

ABOUT = RecordOf(
    event="almaty-2009", board="b01", game="r1-b01", boot=7, seq=412, ply=62, ts=1_795_000_000_000
)
TEXTS = st.text(st.characters(exclude_categories=["Cs"]), max_size=3000)
IDS = st.from_regex(r"[a-z0-9-]{1,32}", fullmatch=True)


@given(TEXTS, st.integers(1, 12))
def test_what_was_cut_is_whole_again(text: str, times: int) -> None:
    """Whatever the letters: each part fits, is whole UTF-8, and says where it belongs."""
    parts = cut(ABOUT, text * times)
    for number, part in enumerate(parts, start=1):
        written = encode(part)
        assert len(written) <= MAX_PART_BYTES
        assert decode_record(part.topic, written) == part
        assert (part.part, part.parts) == (number, len(parts))
    assert join(parts) == text * times


@pytest.mark.parametrize("character", ["a", '"', "\\", "\n", "\x01", "\x7f", "Ә", "\u2028", "🀄"])
def test_the_parts_are_filled(character: str) -> None:
    """A character costs what it takes in JSON, no more: not one more would fit."""
    first, *_, last = cut(ABOUT, character * 9000)
    longer = first.model_copy(update={"text": first.text + character})
    spare = 2 * len(str(topics.MAX_PARTS)) - len(f"{first.part}{last.parts}")
    assert len(encode(longer)) > MAX_PART_BYTES - spare


def test_the_same_record_gives_the_same_bytes() -> None:
    """A board that starts again tells nothing new."""
    assert [encode(part) for part in cut(ABOUT, "x" * 9000)] == [
        encode(part) for part in cut(ABOUT, "x" * 9000)
    ]


def test_a_record_of_too_many_parts_and_one_that_is_no_text_are_refused() -> None:
    """Both are named by their game."""
    with pytest.raises(PayloadError, match=r"'r1-b01': \d+ parts, more than 256"):
        cut(ABOUT, "x" * 1_000_000)
    with pytest.raises(PayloadError, match="'r1-b01': half a character at 1"):
        cut(ABOUT, "a\ud800")


@pytest.mark.parametrize(
    ("game", "key"),
    [
        ("r1-b01", "r1-b01"),
        ("a" * 64, "a" * 64),
        ("a" * 65, "game-635361c48bb9eab14198e76e"),
        ("R1/b", "game-af22360d40954b3bc0614069"),
        ("", "game-e3b0c44298fc1c149afbf4c8"),
        ("1. айналым", "game-dd855ccdf69a265eaa99f9e9"),
    ],
)
def test_a_games_key_may_stand_in_a_topic(game: str, key: str) -> None:
    """Its id itself, or a hash of it where a topic could not hold it."""
    assert topics.game_key(game) == key


@given(event=IDS, board=IDS, game=st.text(max_size=80), part=st.integers(1, topics.MAX_PARTS))
def test_a_records_topic_is_read_back_the_same(event: str, board: str, game: str, part: int) -> None:
    """Whatever the game is called."""
    where = topics.RecordTopic(event, board, topics.game_key(game), part)
    assert topics.is_record(str(where))
    assert topics.parse_record(str(where)) == where


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("tk/1/e/board/b/state", "is not tk/1/<event>/board/<board>/record/<game>/<part>"),
        ("tk/2/e/board/b/record/g/1", "is not tk/1"),
        ("tk/1/e/table/b/record/g/1", "is not tk/1"),
        ("tk/1/e/board/b/record/g/1/2", "is not tk/1"),
        ("tk/1/E/board/b/record/g/1", "event id 'E'"),
        ("tk/1/e/board/b!/record/g/1", "board id 'b!'"),
        ("tk/1/e/board/b/record/G/1", "game key 'G'"),
        ("tk/1/e/board/b/record//1", "game key ''"),
        ("tk/1/e/board/b/record/g/0", "part '0'"),
        ("tk/1/e/board/b/record/g/257", "part '257'"),
        ("tk/1/e/board/b/record/g/01", "part '01'"),
        ("tk/1/e/board/b/record/g/x", "part 'x'"),
        ("tk/1/e/board/b/record/g/1\n", "part '1\\\\n'"),
    ],
)
def test_a_bad_topic_is_named(text: str, why: str) -> None:
    """The error says what is wrong with it."""
    with pytest.raises(topics.TopicError, match=why):
        topics.parse_record(text)


def test_the_filters_reach_the_records_and_nothing_else() -> None:
    """Of all boards, or of one."""
    assert topics.records_filter() == "tk/1/+/board/+/record/+/+"
    assert topics.records_filter("e", "b") == "tk/1/e/board/b/record/+/+"
    assert not topics.is_record("tk/1/e/board/b/state")
    with pytest.raises(topics.TopicError, match="board id"):
        topics.records_filter("e", "#")


@pytest.mark.parametrize(
    ("changes", "topic", "why"),
    [
        ({}, "tk/1/almaty-2009/board/b01/record/r1-b01/2", "belongs to .*/1$"),
        ({}, "tk/1/almaty-2009/board/b02/record/r1-b01/1", "belongs to .*/b01/"),
        ({}, "tk/1/almaty-2009/board/b01/record/r2/1", "belongs to .*/r1-b01/1"),
        ({}, "tk/1/almaty-2009/board/b01/state", "is not tk/1"),
        ({"parts": 2, "part": 3}, "tk/1/almaty-2009/board/b01/record/r1-b01/3", "part 3 of 2"),
        ({"parts": 257}, None, "parts = 257"),
        ({"sha256": "x"}, None, "sha256 = 'x'"),
        ({"text": "x" * 4097}, None, "text = "),
        ({"game": None}, None, "game = None"),
        ({"kind": "state"}, None, "kind = 'state'"),
    ],
)
def test_a_part_that_does_not_belong_is_refused(
    changes: dict[str, object], topic: str | None, why: str
) -> None:
    """Inside and outside must agree, and every field be in its range."""
    (part,) = cut(ABOUT, "{}")
    data = json.dumps({**json.loads(encode(part)), **changes}).encode()
    with pytest.raises(PayloadError, match=why):
        decode_record(topic or part.topic, data)


def test_parts_that_are_not_all_or_not_of_one_text_are_no_record() -> None:
    """The hash decides."""
    first, second = cut(ABOUT, "x" * 5000)
    with pytest.raises(PayloadError, match="'r1-b01': parts are missing"):
        join([first])
    with pytest.raises(PayloadError, match="'r1-b01': parts are missing"):
        join([second, first])
    with pytest.raises(PayloadError, match="'r1-b01': the text does not match its hash"):
        join([first, second.model_copy(update={"text": "y"})])


def test_a_part_of_a_newer_board_is_read_without_what_it_adds() -> None:
    """Minor versions only add."""
    (part,) = cut(ABOUT, "{}")
    data = json.dumps({**json.loads(encode(part)), "new_in_1_7": [1]}).encode()
    assert decode_record(part.topic, data) == part
    assert isinstance(part, RecordPayload)
