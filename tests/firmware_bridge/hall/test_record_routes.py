"""Records and documents over HTTP, seen from outside; every answer is as the documents say."""

from __future__ import annotations

import re
from collections.abc import Iterator

import httpx
import pytest

from firmware_bridge.contract.documents import shipped
from firmware_bridge.hall import record_routes
from firmware_bridge.wire.payloads import encode
from firmware_bridge.wire.records import RecordOf, RecordPayload, cut
from rules.record import text
from rules.record.json_form import format_record_json
from rules.record.model import GameRecord
from rules.record.text import format_record, parse_record
from tests.firmware_bridge.contract.shapes import answer_schema, document, fault, schema_of
from tests.firmware_bridge.hall.fake_feed import FakeFeed
from tests.firmware_bridge.hall.plays import EVENT, avail, result, state
from tests.firmware_bridge.hall.serving import Served, serving, settings, until
from tests.firmware_bridge.hall.test_records import record, told
from tests.rules.records import ruled_record

JSON, TEXT = "application/json", "text/plain; charset=utf-8"


@pytest.fixture
def feed() -> FakeFeed:
    """A feed of which nothing has been said yet."""
    return FakeFeed()


@pytest.fixture
def hall(feed: FakeFeed) -> Iterator[Served]:
    """A hall that listens to the feed."""
    with serving(feed, settings()) as served:
        yield served


@pytest.fixture
def ask(hall: Served) -> Iterator[httpx.Client]:
    """A program that asks."""
    with httpx.Client(base_url=hall.url, trust_env=False) as client:
        yield client


def say(feed: FakeFeed, *parts: RecordPayload) -> None:
    """Publish parts of a record."""
    for part in parts:
        feed.say_bytes(part.topic, encode(part))


def test_the_last_record_is_served_as_the_board_wrote_it(ask: httpx.Client, feed: FakeFeed) -> None:
    """Byte for byte as JSON; by its key, by `record`, and in the list and the snapshot."""
    feed.say(state(60, result=result("1-0", "resignation")))
    say(feed, *told("g1", seq=5, plies=3), *told("g2", seq=70))
    last = until(lambda: (a := ask.get("/api/boards/b01/record")).status_code == 200 and a, "the record")
    until(lambda: len(ask.get("/api/boards/b01/records").json()["records"]) == 2, "both records")
    last = ask.get("/api/boards/b01/record")
    assert last.text == format_record_json(record())
    assert last.headers["content-type"] == "application/json"
    assert ask.get("/api/boards/b01/records/g2").text == last.text
    assert ask.get("/api/boards/b01/records/g1").json()["plies"][2:] == last.json()["plies"][2:3]
    listed = ask.get("/api/boards/b01/records").json()
    assert [line["game"] for line in listed["records"]] == ["g1", "g2"]
    assert ask.get("/api/boards/b01").json()["record"] == listed["records"][1]
    again = ask.get("/api/boards/b01/record", headers={"If-None-Match": last.headers["etag"]})
    assert (again.status_code, again.content) == (304, b"")


@pytest.mark.parametrize(
    ("path", "accept", "media_type"),
    [
        ("record", "*/*", JSON),
        ("record", "application/json, text/plain", JSON),
        ("record", "text/html, */*;q=0.8, text/plain", JSON),
        ("record", "text/plain", TEXT),
        ("record", "TEXT/PLAIN;q=0.9, */*;q=0.1", TEXT),
        ("record.txt", "*/*", TEXT),
        ("records/g1", "text/plain", TEXT),
        ("records/g1.txt", "application/json", TEXT),
        ("records/g1", "", JSON),
    ],
)
def test_a_record_comes_as_text_for_whoever_asks_for_text(
    ask: httpx.Client, feed: FakeFeed, path: str, accept: str, media_type: str
) -> None:
    """By the header or by the address; what is read back is the same game."""
    say(feed, *told())
    url = f"/api/boards/b01/{path}"
    found = until(lambda: (a := ask.get(url, headers={"Accept": accept})).status_code == 200 and a, "it")
    assert found.headers["content-type"] == media_type
    assert found.headers["vary"] == "Accept"
    assert found.text == (format_record if media_type == TEXT else format_record_json)(record())
    if media_type == TEXT:
        assert parse_record(found.text) == record()
    other = ask.get(f"/api/boards/b01/{'record' if media_type == TEXT else 'record.txt'}")
    assert other.headers["etag"] != found.headers["etag"]
    held = {"If-None-Match": other.headers["etag"], "Accept": accept}
    assert ask.get(url, headers=held).status_code == 200, "who has the one form has not the other"


def test_a_game_in_which_stones_were_placed_is_served_in_both_forms(
    ask: httpx.Client, feed: FakeFeed
) -> None:
    """An illegal sowing stands in it, and a position was set."""
    about = RecordOf(event=EVENT, board="b01", game="g3", boot=1, seq=90, ply=5, ts=1)
    say(feed, *cut(about, format_record_json(ruled_record())))
    found = until(lambda: (a := ask.get("/api/boards/b01/record")).status_code == 200 and a, "the record")
    assert found.text == format_record_json(ruled_record())
    assert fault(schema_of("game_record"), found.json()) == ""
    assert parse_record(ask.get("/api/boards/b01/record.txt").text) == ruled_record()


def test_a_record_is_written_for_people_once(
    ask: httpx.Client, feed: FakeFeed, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A long one takes 20 ms, and everybody else waits; a newer one is written anew."""
    written: list[GameRecord] = []

    def write(given: GameRecord) -> str:
        written.append(given)
        return format_record(given)

    monkeypatch.setattr(record_routes, "format_record", write)
    say(feed, *told())
    until(lambda: ask.get("/api/boards/b01/record").status_code == 200, "the record")
    for path in ("record.txt", "records/g1.txt", "record.txt"):
        assert ask.get(f"/api/boards/b01/{path}").text == format_record(record())
    assert written == [record()]
    say(feed, *told(seq=101, signed=True))
    signed = format_record(record(signed=True))
    until(lambda: ask.get("/api/boards/b01/record.txt").text == signed, "the signed record")
    assert written == [record(), record(signed=True)]


def test_a_record_too_long_for_a_text_is_said_in_words_and_comes_as_json(
    ask: httpx.Client, feed: FakeFeed, monkeypatch: pytest.MonkeyPatch
) -> None:
    """What a stranger published may hold more than a text may; trying it once is enough."""
    monkeypatch.setattr(text, "MAX_GAME", 20)
    record_routes._text.cache_clear()
    say(feed, *told())
    until(lambda: ask.get("/api/boards/b01/record").status_code == 200, "the record")
    for path in ("record.txt", "records/g1.txt"):
        answer = ask.get(f"/api/boards/b01/{path}")
        assert answer.status_code == 406
        assert answer.json()["error"] == "no_text"
        assert answer.json()["message"] == "this record is too long to be written as text; ask for JSON"
        assert fault(answer_schema("Fault"), answer.json()) == ""
    assert "406" in responses("/b01/record")
    assert ask.get("/api/boards/b01/records/g1").text == format_record_json(record())
    record_routes._text.cache_clear()


def test_what_is_not_there_is_said_in_words(ask: httpx.Client, feed: FakeFeed) -> None:
    """No game ended, not all parts come, no such board."""
    first, *rest = told()
    feed.say(avail(online=True))
    say(feed, first)
    one = f"1 of {len(rest) + 1} parts have come"
    until(lambda: one in ask.get("/api/boards/b01/records/g1").json().get("message", ""), "the first part")
    for path, words in (
        ("b01/record", "board 'b01' has told no record; a record is made when a game has ended"),
        ("b01/record.txt", "board 'b01' has told no record"),
        ("b01/records/g1.txt", one),
        ("b01/records/g7", "board b01 has told no record of game g7"),
        ("b99/records", "board 'b99' has not been heard of in event 'almaty-2009'; known: b01"),
        ("b99/record", "board 'b99' has told no record"),
    ):
        answer = ask.get(f"/api/boards/{path}")
        assert answer.status_code == 404
        assert words in answer.json()["message"]
        assert fault(answer_schema("Fault"), answer.json()) == ""
    assert ask.get("/api/boards/b01/records").json()["records"] == []


def responses(path: str) -> dict[str, object]:
    """Return what the document has for an address below `/api/boards`, by status."""
    described = re.sub("/g[0-9]", "/{game}", re.sub("/b[0-9]+", "/{board_id}", f"/api/boards{path}"))
    found: dict[str, object] = document("openapi.json")["paths"][described]["get"]["responses"]
    return found


def test_every_answer_is_as_the_document_says(ask: httpx.Client, feed: FakeFeed) -> None:
    """With and without a state, a result, a record."""
    feed.say(avail(online=True, board="b00"))
    feed.say(state(0, board="b02"))
    feed.say(state(60, result=result("1-0", "resignation")))
    say(feed, *told())
    until(lambda: ask.get("/api/boards/b01/record").status_code == 200, "the record")
    for path, name in (
        ("", "BoardList"),
        ("/b00", "Snapshot"),
        ("/b01", "Snapshot"),
        ("/b02", "Snapshot"),
        ("/b99", "Fault"),
        ("/b00/records", "RecordList"),
        ("/b01/records", "RecordList"),
        ("/b01/record", "GameRecordView"),
        ("/b00/record", "Fault"),
        ("/b99/record", "Fault"),
        ("/b99/records", "Fault"),
        ("/b01/records/g9", "Fault"),
    ):
        answer = ask.get(f"/api/boards{path}")
        assert fault(answer_schema(name), answer.json()) == "", path
        assert str(answer.status_code) in responses(path), path
        if name == "Snapshot":
            assert fault(schema_of("snapshot"), answer.json()) == "", path


def test_the_contract_is_served(ask: httpx.Client) -> None:
    """All that is shipped, with its type, sent once; the list leads to each."""
    listed = ask.get("/contract/").json()
    assert [line["name"] for line in listed["documents"]] == list(shipped())
    for line in listed["documents"]:
        found = ask.get(line["href"])
        assert found.text == shipped()[line["name"]]
        again = ask.get(line["href"], headers={"If-None-Match": found.headers["etag"]})
        assert (again.status_code, again.content) == (304, b"")
    assert ask.get("/contract/follow.mjs").headers["content-type"].startswith("text/javascript")
    assert ask.get("/openapi.json").json() == document("openapi.json")
    for path in ("/contract/none.json", "/contract/generate.py", "/contract/../hall/hub.py"):
        assert ask.get(path).status_code == 404
