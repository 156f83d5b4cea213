"""The hall's door, seen from outside: a real server on a real port."""

import asyncio
import json
import socket
from collections.abc import Iterator
from typing import Any

import httpx
import pytest
from websockets.exceptions import ConnectionClosed
from websockets.sync.client import connect
from websockets.sync.connection import Connection

from firmware_bridge.hall.gateway import run_hall
from firmware_bridge.hall.headers import HEADERS
from firmware_bridge.hall.settings import HallError
from tests.firmware_bridge.hall.fake_feed import FakeFeed
from tests.firmware_bridge.hall.plays import EVENT, avail, diag, state
from tests.firmware_bridge.hall.serving import Served, serving, settings, until

_PERSON = {"Accept": "text/html,application/xhtml+xml,*/*;q=0.8"}


@pytest.fixture
def feed() -> FakeFeed:
    """A feed of which nothing has been said yet."""
    return FakeFeed()


@pytest.fixture
def hall(feed: FakeFeed) -> Iterator[Served]:
    """A hall that listens to the feed."""
    with serving(feed, settings(max_viewers=3)) as served:
        yield served


@pytest.fixture
def ask(hall: Served) -> Iterator[httpx.Client]:
    """A browser that follows nothing by itself."""
    with httpx.Client(base_url=hall.url, trust_env=False) as client:
        yield client


def _watch(hall: Served, board: str = "b01") -> Connection:
    return connect(f"ws://{hall.host}:{hall.port}/ws/boards/{board}", proxy=None, compression=None)


def _state(viewer: Connection, ply: int) -> Any:
    """Return the next snapshot if it is of this ply, else None."""
    message = _next(viewer)
    return message if message["state"] and message["state"]["ply"] == ply else None


def _next(viewer: Connection, kind: str = "snapshot") -> dict[str, Any]:
    while True:
        message: dict[str, Any] = json.loads(viewer.recv(timeout=10))
        if message["kind"] == kind:
            return message


def test_a_viewer_gets_a_snapshot_at_once_and_one_on_each_change(hall: Served, feed: FakeFeed) -> None:
    """No question has to be asked."""
    feed.say(state(1))
    with _watch(hall) as viewer:
        assert until(lambda: _next(viewer)["state"], "the first state")["ply"] == 1
        feed.say(state(2))
        assert _next(viewer)["state"]["ply"] == 2


def test_a_viewer_of_an_unseen_board_waits_for_it(hall: Served, feed: FakeFeed) -> None:
    """The board appears by itself."""
    with _watch(hall, "b07") as viewer:
        assert _next(viewer)["presence"]["reason"] == "unseen"
        feed.say(state(3, board="b07"))
        assert _next(viewer)["state"]["ply"] == 3


def test_a_viewer_is_told_of_one_board_only(hall: Served, feed: FakeFeed) -> None:
    """Another board's moves are not its business."""
    feed.say(state(1))
    with _watch(hall) as viewer:
        feed.say(state(5, board="b02"))
        feed.say(state(2))
        assert until(lambda: _state(viewer, 2), "the second move")["board"] == "b01"


def test_changes_in_a_burst_are_sent_as_the_latest(hall: Served, feed: FakeFeed) -> None:
    """Sixty states at once cost a viewer a few messages, the last one included."""
    with _watch(hall) as viewer:
        _next(viewer)
        for ply in range(61):
            feed.say(state(ply))
        plies = [_next(viewer)["state"]["ply"]]
        while plies[-1] != 60:
            plies.append(_next(viewer)["state"]["ply"])
        assert len(plies) < 30
        assert plies == sorted(plies)


def test_a_beat_tells_freshness_and_clocks_while_nothing_changes(hall: Served, feed: FakeFeed) -> None:
    """A page can tell a thinking player from a dead line."""
    feed.say(state(0))
    with _watch(hall) as viewer:
        first = until(lambda: _next(viewer, "beat")["clock"], "clocks in a beat")
        second = _next(viewer, "beat")
    assert second["clock"]["remaining_ms"][0] < first["remaining_ms"][0]
    assert second["presence"]["reason"] == "fresh"


def test_the_loss_of_the_broker_is_told_at_once(hall: Served, feed: FakeFeed) -> None:
    """A hall that has gone blind says so."""
    feed.say(state(1))
    with _watch(hall) as viewer:
        until(lambda: _next(viewer)["state"], "the first state")
        feed.link(up=False)
        assert _next(viewer)["presence"]["reason"] == "hall"
        feed.link(up=True)
        assert _next(viewer)["presence"]["reason"] == "fresh"


def test_silence_and_wills_show_in_the_beat(feed: FakeFeed) -> None:
    """Staleness comes by itself, without any message."""
    feed.say(state(1))
    with serving(feed, settings(stale_after_s=0.5)) as hall, _watch(hall) as viewer:
        until(lambda: _next(viewer, "beat")["presence"]["reason"] == "silent", "silence")
        feed.say(diag())
        until(lambda: _next(viewer, "beat")["presence"]["reason"] == "fresh", "a sign of life")
        feed.say(avail(online=False))
        assert _next(viewer)["presence"]["reason"] == "offline"


def test_a_viewer_that_never_reads_is_no_burden_to_others(feed: FakeFeed) -> None:
    """It blocks its own task only; the other one is up to date."""
    with serving(feed, settings()) as hall, socket.create_connection((hall.host, hall.port)) as lazy:
        lazy.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
        lazy.sendall(
            b"GET /ws/boards/b01 HTTP/1.1\r\nHost: x\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
            b"Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\nSec-WebSocket-Version: 13\r\n\r\n"
        )
        with _watch(hall) as viewer:
            for ply in range(61):
                feed.say(state(ply))
            until(lambda: _state(viewer, 60), "the last move")


def test_one_viewer_too_many_is_asked_to_come_back(hall: Served) -> None:
    """The limit is told by the close code."""
    viewers = [_watch(hall) for _ in range(3)]
    for viewer in viewers:
        _next(viewer)
    with _watch(hall) as late, pytest.raises(ConnectionClosed, match="1013"):
        late.recv(timeout=10)
    for viewer in viewers:
        viewer.close()


def test_an_id_that_is_none_is_refused_everywhere(hall: Served, ask: httpx.Client) -> None:
    """Neither page nor stream, and nothing of it is repeated unescaped."""
    with _watch(hall, "B%3C01") as viewer, pytest.raises(ConnectionClosed, match="4404"):
        viewer.recv(timeout=10)
    page = ask.get("/board/%3Cscript%3E", headers=_PERSON)
    assert page.status_code == 404
    assert "<script>" not in page.text.replace('<script type="', "")
    assert page.headers["content-type"].startswith("text/html")


@pytest.mark.parametrize("path", ["/nothing", "/board", "/board/b01/moves", "/api/nothing"])
def test_people_on_a_wrong_way_are_led_to_the_boards(ask: httpx.Client, path: str) -> None:
    """A page in their language with the status of an error; programs get JSON."""
    page = ask.get(path, headers={**_PERSON, "Accept-Language": "ru"})
    assert page.status_code == 404
    assert page.headers["content-type"].startswith("text/html")
    assert '<html lang="ru">' in page.text
    assert '"unknown":true' in page.text
    answer = ask.get(path)
    assert (answer.status_code, answer.json()) == (404, {"detail": "Not Found"})


def test_an_unknown_board_is_a_404_that_helps(ask: httpx.Client, feed: FakeFeed) -> None:
    """The answer names what is known."""
    feed.say(state(1, board="b02"))
    until(lambda: ask.get("/api/boards").json()["boards"], "the board")
    answer = ask.get("/api/boards/b01")
    assert answer.status_code == 404
    assert answer.json()["error"] == "unknown_board"
    assert "b02" in answer.json()["message"]


def test_the_api_gives_the_same_snapshot_as_the_stream(ask: httpx.Client, feed: FakeFeed) -> None:
    """Pull and push tell one truth."""
    feed.say(state(4))
    found = until(lambda: (a := ask.get("/api/boards/b01")).status_code == 200 and a.json(), "the board")
    assert found["state"]["ply"] == 4
    assert ask.get("/api/boards").json()["boards"][0]["names"] == found["state"]["names"]


def test_broken_messages_are_counted_and_readable(ask: httpx.Client, feed: FakeFeed) -> None:
    """The hall goes on and says what was wrong."""
    feed.say_bytes(f"tk/1/{EVENT}/board/b01/state", b"{}")
    problems = until(lambda: (p := ask.get("/api/boards").json()["problems"])["count"] and p, "the problem")
    assert problems["count"] == 1
    assert "b01/state" in problems["last"]


def test_the_first_page_leads_to_the_only_board(ask: httpx.Client, feed: FakeFeed) -> None:
    """With one board there is nothing to choose; language and seat stay as they were asked for."""
    assert ask.get("/").status_code == 200
    feed.say(state(1))
    until(lambda: ask.get("/").status_code == 307, "the way to the board")
    assert ask.get("/?lang=ru&bottom=b").headers["location"] == "/board/b01?lang=ru&bottom=b"
    feed.say(state(1, board="b02"))
    until(lambda: ask.get("/").status_code == 200, "the list of boards")


def test_pages_speak_the_language_that_was_asked_for(ask: httpx.Client) -> None:
    """An unknown one is answered in the hall's own."""
    for query, language in (("", "kk"), ("?lang=ru", "ru"), ("?lang=en", "en"), ("?lang=xx", "kk")):
        assert f'<html lang="{language}">' in ask.get(f"/board/b01{query}").text
        assert f'<html lang="{language}">' in ask.get(f"/boards{query}").text


@pytest.mark.parametrize(
    ("query", "accepted", "language"),
    [
        ("", "ru-RU,ru;q=0.9,en;q=0.8", "ru"),
        ("", "en;q=0.5, de, kk;q=0.7", "kk"),
        ("?lang=ru", "en", "ru"),
        ("?lang=xx", "en", "en"),
        ("", "de, *;q=0.5, en;q=0", "kk"),
        ("", ";;,q=,en;q=7,ru", "ru"),
    ],
)
def test_a_browser_is_answered_in_its_language(
    ask: httpx.Client, query: str, accepted: str, language: str
) -> None:
    """The address goes first, then what the browser accepts, then the hall's own."""
    for path in ("/boards", "/board/b01"):
        page = ask.get(f"{path}{query}", headers={"Accept-Language": accepted})
        assert f'<html lang="{language}">' in page.text
        assert page.headers["vary"] == "Accept-Language"


_PATHS = ("/", "/board/b01", "/boards", "/static/js/link.js", "/api/boards", "/nothing")


@pytest.mark.parametrize("path", _PATHS)
def test_every_answer_carries_the_safe_headers(ask: httpx.Client, path: str) -> None:
    """Whatever is asked, a browser is told to load nothing from elsewhere."""
    headers = ask.get(path).headers
    assert {name: headers[name] for name in HEADERS} == HEADERS
    assert "unsafe" not in headers["content-security-policy"]


def test_static_files_are_sent_once(ask: httpx.Client) -> None:
    """A browser that has the file is answered without it; other paths lead nowhere."""
    first = ask.get("/static/js/board_page.js")
    assert first.headers["content-type"].startswith("text/javascript")
    assert first.headers["cache-control"] == "no-cache"
    again = ask.get("/static/js/board_page.js", headers={"If-None-Match": first.headers["etag"]})
    assert (again.status_code, again.content) == (304, b"")
    for path in ("/static/js/none.js", "/static/../hall/hub.py", "/static/%2e%2e/board.html", "/static/"):
        assert ask.get(path).status_code == 404


def test_the_description_of_the_api_is_there_and_no_page_from_elsewhere(ask: httpx.Client) -> None:
    """OpenAPI stays on; the pages that load scripts from another host are off."""
    assert "/api/boards/{board_id}" in ask.get("/openapi.json").json()["paths"]
    assert ask.get("/docs").status_code == 404


def test_a_port_in_use_is_named() -> None:
    """The message says what to change."""
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]
        with pytest.raises(HallError, match=rf"127\.0\.0\.1 port {port}: .*choose another"):
            asyncio.run(run_hall(settings(port=port), None, FakeFeed()))


def test_a_failing_feed_is_opened_again() -> None:
    """Nothing that goes wrong there ends the hall."""

    class _Failing(FakeFeed):
        failures = 0

        def open(self) -> Any:
            self.failures += 1
            if self.failures == 1:
                raise OSError("no route")
            return super().open()

    feed = _Failing()
    feed.say(state(1))
    with serving(feed, settings()) as hall, httpx.Client(base_url=hall.url, trust_env=False) as ask:
        until(lambda: ask.get("/api/boards").json()["boards"], "the board")
