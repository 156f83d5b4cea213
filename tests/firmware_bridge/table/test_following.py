"""Following a board over its socket: whatever comes, and whether anybody answers at all."""

from __future__ import annotations

import asyncio
import json
import re
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from pydantic import ValidationError

from firmware_bridge.table.following import WATCH, Gone, follow
from firmware_bridge.wire.table_view import MAX_VIEW_BYTES, TableLine
from tests.firmware_bridge.table.fake_board import INFRACTION, PLAYING, FakeBoard, playing

LINE = TableLine(age_ms=7, view=playing(alerts=(INFRACTION,)))


@pytest.fixture(autouse=True)
def _hurry(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("firmware_bridge.table.following.AGAIN_S", 0.02)
    monkeypatch.setattr("firmware_bridge.table.following.SILENCE_S", 0.3)


async def _line(heard: AsyncIterator[TableLine | Gone]) -> TableLine:
    """Return the next line, whatever silence comes before it."""
    async with asyncio.timeout(10):
        async for said in heard:
            if isinstance(said, TableLine):
                return said
    raise AssertionError("it has ended")


async def _gone(heard: AsyncIterator[TableLine | Gone]) -> Gone:
    """Return why nobody is heard, whatever lines come before it."""
    async with asyncio.timeout(10):
        async for said in heard:
            if isinstance(said, Gone):
                return said
    raise AssertionError("it has ended")


def test_a_line_comes_as_it_was_said(tmp_path: Path) -> None:
    """Asked for with one request."""

    async def scene() -> None:
        with FakeBoard(tmp_path / "s") as board:
            board.say(LINE.view, LINE.age_ms)
            assert await _line(follow(tmp_path / "s")) == LINE
            assert board.heard == [WATCH]

    asyncio.run(scene())


def test_a_board_may_come_later_go_and_come_again(tmp_path: Path) -> None:
    """Each time it is said that it is gone, and then what it says."""

    async def scene() -> None:
        heard = follow(tmp_path / "s")
        assert "No such file" in (await _gone(heard)).why
        with FakeBoard(tmp_path / "s") as board:
            board.say(PLAYING)
            assert (await _line(heard)).view == PLAYING
            board.stop()
            assert "hung up" in (await _gone(heard)).why
            board.start()
            board.say(playing(ply=5))
            while (await _line(heard)).view.ply != 5:
                pass

    asyncio.run(scene())


def test_a_board_that_hangs_is_gone_too(tmp_path: Path) -> None:
    """Its socket is open and says nothing."""

    async def scene() -> None:
        with FakeBoard(tmp_path / "s") as board:
            board.say(PLAYING)
            heard = follow(tmp_path / "s")
            await _line(heard)
            await _gone(heard)

    asyncio.run(scene())


@pytest.mark.parametrize(
    ("said", "why"),
    [
        (b"nonsense\n", "is not understood: line: Invalid JSON"),
        (b'{"ok":false,"why":"8 others watch already"}\n', "is not understood: age_ms"),
        (b"\xff\xfe\x00\n", "is not understood"),
        (b"[" * 50_000 + b"\n", "is not understood"),
        (b"x" * (2 * MAX_VIEW_BYTES) + b"\n", "limit|longer"),
        (LINE.model_dump_json().encode()[:-20], "hung up|TimeoutError"),
        (LINE.model_dump_json().replace('"v":1', '"v":2').encode() + b"\n", "view.v"),
    ],
)
def test_what_is_no_view_is_said_and_the_next_is_heard(tmp_path: Path, said: bytes, why: str) -> None:
    """A stranger's socket, another version, half a line: never an end, never a wrong picture."""

    async def scene() -> None:
        with FakeBoard(tmp_path / "s") as board:
            board.raw(said)
            heard = follow(tmp_path / "s")
            assert re.search(why, (await _gone(heard)).why)
            board.say(PLAYING)
            assert (await _line(heard)).view == PLAYING

    asyncio.run(scene())


JSON: st.SearchStrategy[Any] = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | st.text(max_size=20),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=10), inner, max_size=4),
    max_leaves=12,
)


@given(st.data())
@settings(max_examples=300)
def test_no_damaged_view_passes_for_one_that_says_what_it_may_not(data: st.DataObject) -> None:
    """Any field replaced by anything: refused, or a view whose every value is within its bounds."""
    found = json.loads(LINE.model_dump_json())
    target: Any = found
    for _ in range(4):
        keys = list(target) if isinstance(target, dict) else list(range(len(target)))
        key = data.draw(st.sampled_from(keys))
        inner = target[key]
        if not isinstance(inner, dict | list) or not inner or data.draw(st.booleans()):
            target[key] = data.draw(JSON)
            break
        target = inner
    try:
        line = TableLine.model_validate_json(json.dumps(found))
    except ValidationError:
        return
    assert len(line.view.alerts) <= 16
    assert TableLine.model_validate_json(line.model_dump_json()) == line
    for alert in line.view.alerts:
        for carry in alert.way:
            assert carry.source in (*range(20), "hand", "beside")
            assert 1 <= carry.stones <= 999
