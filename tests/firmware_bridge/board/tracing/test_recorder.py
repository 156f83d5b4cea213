"""A running board's trace: when it begins and ends, and that the board never suffers by it."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from firmware_bridge.board.tracing import recorder
from firmware_bridge.trace.reader import Ending, TraceReader
from firmware_bridge.trace.writer import TraceWriter
from rules.game import Phase
from sensors.serial_port import PortState
from tests.firmware_bridge.board.played import Played, always, replayed


def scene(folder: Path, act: Callable[[Played], Awaitable[None]], **told: Any) -> Played:
    """Let something happen at a board until it ends."""
    played = Played(folder, **told)

    async def whole() -> None:
        await played.start()
        await act(played)
        await played.end()

    asyncio.run(whole())
    return played


def ending(path: Path) -> dict[str, Any]:
    """Return why a trace says it ended."""
    with TraceReader.open(path) as reader:
        *_, last = reader.rows()
    assert isinstance(last, Ending)
    return dict(last.told)


async def ask(played: Played, **request: Any) -> dict[str, Any]:
    """Ask the board as the control socket does."""
    return await played.board._answer({"do": "trace", **request})


def test_a_trace_begun_in_the_middle_of_a_game_replays(tmp_path: Path) -> None:
    """It waits until the board lies as confirmed, then sets the table up anew; no ply is lost by it."""
    path = tmp_path / "asked.trace"

    async def act(played: Played) -> None:
        await played.until(played.has_plies(1))
        await played.until(lambda: played.table.session.watch.sensed == "moving")
        assert (await ask(played, what="start", file=str(path)))["ok"]
        status = (await ask(played, what="status"))["trace"]
        assert (status["file"], status["begun"]) == (str(path), False)
        await played.until(played.has_plies(3))
        assert (await ask(played, what="stop"))["ok"]

    scene(tmp_path, act, plies=3)
    replay = replayed(path)
    assert len(replay.header.events) > 5
    assert len(replay.session.game.plies) == 3
    assert ending(path) == {"why": "asked"}


def test_a_trace_wanted_in_trouble_begins_after_a_while(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The board never lies as confirmed; then the trouble itself is wanted."""
    path = tmp_path / "asked.trace"
    monkeypatch.setattr(recorder, "PATIENCE_S", 0.0)

    async def act(played: Played) -> None:
        await played.until(played.has_plies(1))
        await played.until(lambda: played.table.session.watch.sensed == "moving")
        await ask(played, what="start", file=str(path))
        await played.tick()
        assert (await ask(played, what="status"))["trace"]["begun"]

    scene(tmp_path, act)
    replayed(path)
    assert ending(path) == {"why": "stopped"}


def test_a_trace_ends_when_its_time_is_over(tmp_path: Path) -> None:
    """The host's clock counts."""
    path = tmp_path / "asked.trace"

    async def act(played: Played) -> None:
        assert (await ask(played, what="start", file=str(path), for_s=1e-6))["ok"]
        await played.tick()
        assert (await ask(played, what="status"))["trace"]["file"] is None

    scene(tmp_path, act)
    assert not path.exists()  # it was over before it began


def test_a_full_file_is_followed_by_the_next(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Each of them replays, and the last knows the whole game."""
    monkeypatch.setattr(recorder, "BLOCK_ROWS", 100)
    told = always(tmp_path, file_bytes=20_000)
    played = scene(tmp_path, lambda played: played.until(played.has_plies(2)), trace=told)
    paths = sorted((tmp_path / "traces").iterdir())
    assert len(paths) > 1
    assert [ending(path)["why"] for path in paths] == ["size"] * (len(paths) - 1) + ["stopped"]
    games = [replayed(path).session.game for path in paths]
    assert games[-1] == played.table.session.game


def test_a_single_file_is_followed_by_the_next_before_it_fills_the_room_of_all(tmp_path: Path) -> None:
    """Where `total_bytes` is less than twice `file_bytes`, even in a game that never lies quiet."""

    async def act(played: Played) -> None:
        running = played.board._tracing._running
        assert running is not None
        assert running.most_bytes <= running.full_bytes < 1_500_000

    scene(tmp_path, act, trace=replace(always(tmp_path, 1_200_000), total_bytes=1_500_000))


def test_outages_and_the_word_of_the_arbiter_replay_too(tmp_path: Path) -> None:
    """The device loses its power in the game, the cable is pulled, the arbiter resumes and adjusts."""

    async def act(played: Played) -> None:
        await played.until(played.has_plies(1))
        played.world.power_cycle(88)
        await played.until(lambda: played.table.session.game.phase is Phase.SUSPENDED)
        await played.board._port_changed(PortState.LOST, "pulled out")
        played.board._link.connected(played.cable.now_us)
        played.board._flush()
        await played.until(lambda: played.table.session.watch.sensed == "matches")
        assert (await played.board._obey({"do": "resume"}))["ok"]
        assert not (await played.board._obey({"do": "start"}))["ok"]
        assert (await played.board._obey({"do": "adjust", "side": "both", "seconds": 5}))["ok"]
        await played.until(played.has_plies(2))

    played = scene(tmp_path, act, trace=always(tmp_path))
    (path,) = (tmp_path / "traces").iterdir()
    assert replayed(path).session.game == played.table.session.game
    with TraceReader.open(path) as reader:
        told = [row for row in reader.rows() if isinstance(row, dict)]
    assert [row["restarted"] for row in told if row["row"] == "arrived"].count(True) == 1
    assert "pulled out" in [row.get("reason") for row in told]
    assert "phase" in [row.get("refused") for row in told]


def test_only_one_trace_is_written_at_a_time(tmp_path: Path) -> None:
    """The second is refused, and told where the first goes."""

    async def act(played: Played) -> None:
        refused = await ask(played, what="start", file=str(tmp_path / "second.trace"))
        assert (refused["ok"], refused["code"]) == (False, "trace_busy")
        assert "board-1-000001-0001.trace" in refused["why"]

    scene(tmp_path, act, trace=always(tmp_path))
    assert not (tmp_path / "second.trace").exists()


@pytest.mark.parametrize(
    ("request_", "why"),
    [
        ({"what": "start", "file": "here"}, "no absolute path"),
        ({"what": "start", "file": 7}, "no absolute path"),
        ({"what": "start", "file": "/\0"}, "no absolute path"),
        ({"what": "start", "file": "/x", "for_s": -1}, "is no time"),
        ({"what": "start", "file": "/x", "for_s": True}, "is no time"),
        ({"what": "start", "file": "/proc/nowhere/x"}, "cannot be written"),
        ({"what": "stop"}, "no trace is being written"),
        ({"what": "dance"}, "is nothing: start, stop or status"),
        ({}, "is nothing"),
    ],
)
def test_what_cannot_be_done_is_refused_in_words(tmp_path: Path, request_: dict[str, Any], why: str) -> None:
    """And the next trace can be started."""

    async def act(played: Played) -> None:
        answer = await ask(played, **request_)
        assert not answer["ok"]
        assert why in answer["why"]
        assert (await ask(played, what="start", file=str(tmp_path / "t.trace")))["ok"]

    scene(tmp_path, act)


def test_no_file_is_overwritten(tmp_path: Path) -> None:
    """A trace of yesterday stays."""
    path = tmp_path / "t.trace"
    path.write_bytes(b"yesterday")

    async def act(played: Played) -> None:
        answer = await ask(played, what="start", file=str(path))
        assert (answer["ok"], answer["code"]) == (False, "trace_file")
        assert "there is a file already" in answer["why"]

    scene(tmp_path, act)
    assert path.read_bytes() == b"yesterday"


def test_a_full_disk_ends_the_trace_and_not_the_board(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    """Plies are committed as ever; the log and the status say what happened, and what was written replays."""
    write, calls = TraceWriter.write, []

    def refuse(self: TraceWriter, rows: Any) -> None:
        calls.append(rows)
        if len(calls) > 1:
            raise OSError(28, "No space left on device")
        write(self, rows)

    monkeypatch.setattr(TraceWriter, "write", refuse)
    monkeypatch.setattr(recorder, "BLOCK_ROWS", 200)

    async def act(played: Played) -> None:
        await played.until(played.has_plies(1))
        await played.until(lambda: played.board._tracing._running is None)
        plies = len(played.table.session.game.plies)
        await played.until(played.has_plies(plies + 1))
        status = (await ask(played, what="status"))["trace"]
        assert status["file"] is None
        assert "No space left on device" in status["trouble"]

    scene(tmp_path, act, trace=always(tmp_path), plies=12)
    assert "trace ended: " in caplog.text
    (path,) = (tmp_path / "traces").iterdir()
    replayed(path)


def test_a_disk_too_slow_ends_the_trace(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Memory does not grow with what waits for it."""
    monkeypatch.setattr("firmware_bridge.trace.filing.MOST_WAITING", 0)

    async def act(played: Played) -> None:
        await played.until(lambda: played.board._tracing._running is None)
        assert "too slow" in (await ask(played, what="status"))["trace"]["trouble"]

    scene(tmp_path, act, trace=always(tmp_path))
