"""The program behind the page: its files, its headers, its stream; what is sent to it changes nothing."""

from __future__ import annotations

import asyncio
import json
import re
import socket
import urllib.error
import urllib.request
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from websockets.exceptions import ConnectionClosed
from websockets.sync.client import connect
from websockets.sync.connection import Connection
from websockets.typing import Origin

from firmware_bridge.language import LANGUAGES
from firmware_bridge.table.pages import FAMILIES, load_pages
from firmware_bridge.table.server import HEADERS, MOST_PAGES, run_table
from firmware_bridge.table.settings import TableError, TableSettings
from tests.firmware_bridge.table.fake_board import PLAYING, FakeBoard, playing, serving


@pytest.fixture
def board(tmp_path: Path) -> Iterator[FakeBoard]:
    """A board that says a game is under way."""
    with FakeBoard(tmp_path / "s") as running:
        running.say(PLAYING)
        yield running


@pytest.fixture
def url(board: FakeBoard) -> Iterator[str]:
    """The address of the page of that board."""
    with serving(TableSettings(board_id="board-1", socket=board.path)) as address:
        yield address


def get(url: str) -> tuple[int, dict[str, str], bytes]:
    """Return status, headers and body."""
    try:
        with urllib.request.urlopen(url, timeout=10) as answer:  # noqa: S310 - our own page
            return answer.status, dict(answer.headers), answer.read()
    except urllib.error.HTTPError as error:
        return error.code, dict(error.headers), error.read()


def stream(url: str, origin: Origin | None = None) -> Connection:
    """Open the stream of a page."""
    return connect(url.replace("http", "ws") + "/ws/table", origin=origin)


def until(talk: Connection, key: str, value: object) -> dict[str, Any]:
    """Return the first message in which a field of the view has this value."""
    while True:
        found: dict[str, Any] = json.loads(talk.recv(timeout=10))
        if found["view"] is not None and found["view"][key] == value:
            return found


def test_the_page_comes_in_the_language_that_is_wished(url: str) -> None:
    """Else in the board's; with headers that allow nothing from elsewhere."""
    for query, language in (("", "kk"), ("?lang=ru", "ru"), ("?lang=xx", "kk"), ("?lang=en", "en")):
        status, headers, body = get(f"{url}/{query}")
        assert status == 200
        assert f'<html lang="{language}">' in body.decode()
        assert {name.lower(): value for name, value in HEADERS.items()}.items() <= headers.items()


def test_every_file_the_page_names_is_served_and_no_other(url: str) -> None:
    """Nothing from another host, nothing from above the folder."""
    page = get(url)[2].decode()
    named = re.findall(r'(?:href|src)="([^"#]+)"', page)
    assert len(named) == 5
    for path in named:
        assert path.startswith("/static/")
        assert get(url + path)[0] == 200
    for path in (
        "/static/../config.py",
        "/static/%2e%2e/config.py",
        "/static/js/none.js",
        "/static/",
        "/api",
    ):
        assert get(url + path)[0] == 404


def test_a_page_hears_the_view_and_each_change_at_once(url: str, board: FakeBoard) -> None:
    """The whole of it every time."""
    with stream(url) as talk:
        assert until(talk, "ply", 4)["gone_ms"] is None
        board.say(playing(ply=5))
        assert until(talk, "ply", 5)["age_ms"] < 2000


def test_what_a_page_says_is_dropped(url: str, board: FakeBoard) -> None:
    """Nothing reaches the board; too long a message ends that page only."""
    with stream(url) as talk, stream(url) as other:
        talk.send('{"do":"release"}')
        talk.send(b"\x00" * 500)
        assert until(talk, "ply", 4)
        talk.send("x" * 5000)
        with pytest.raises(ConnectionClosed):
            until(talk, "ply", -1)
        board.say(playing(ply=6))
        assert until(other, "ply", 6)
    assert board.heard == [b'{"do":"watch"}\n']


def test_a_page_of_another_site_is_not_told(url: str) -> None:
    """Whatever else is open in the same browser."""
    with (
        stream(url, origin=Origin("http://elsewhere.example")) as talk,
        pytest.raises(ConnectionClosed, match="1008"),
    ):
        talk.recv(timeout=10)
    with stream(url, origin=Origin(url)) as talk:
        assert until(talk, "ply", 4)


def test_pages_are_few(url: str) -> None:
    """A page too many is sent away; the others stay."""
    talks = [stream(url) for _ in range(MOST_PAGES)]
    for talk in talks:
        talk.recv(timeout=10)
    with stream(url) as one_more, pytest.raises(ConnectionClosed, match="1013"):
        one_more.recv(timeout=10)
    assert until(talks[0], "ply", 4)
    for talk in talks:
        talk.close()


def test_a_port_that_is_taken_is_said(tmp_path: Path) -> None:
    """With what to change."""
    with socket.create_server(("127.0.0.1", 0)) as taken:
        told = TableSettings(board_id="b", socket=tmp_path / "s", port=taken.getsockname()[1])
        with pytest.raises(TableError, match=r"cannot listen on .*; choose another `table.port`"):
            asyncio.run(run_table(told))


def test_every_language_has_the_same_words_of_the_families_of_the_page() -> None:
    """And the page could say every fault; which ones it does is the board's to decide."""
    catalogues = load_pages().catalogues
    keys = {language: set(catalogues[language]) for language in LANGUAGES}
    assert keys["kk"] == keys["ru"] == keys["en"]
    assert {key.partition(".")[0] for key in keys["kk"]} == FAMILIES


def test_what_is_filled_in_cannot_break_out(tmp_path: Path) -> None:
    """A hostile name of a board stays a name."""
    page = load_pages().page(TableSettings(board_id='"></script><b>', socket=tmp_path), "en")
    assert "<b>" not in page
