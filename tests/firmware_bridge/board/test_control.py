"""The control socket: one line in, one line out, and no harm from bad ones."""

from __future__ import annotations

import asyncio
import contextlib
import getpass
import json
import socket
import stat
import threading
from collections.abc import AsyncIterator, Callable
from pathlib import Path
from typing import Any

import pytest

from firmware_bridge.board.control import (
    MAX_LINE,
    ControlError,
    ControlServer,
    LateAnswerError,
    NoAnswerError,
    NotAllowedError,
    ask,
)
from tests.firmware_bridge.strangers import as_a_stranger


async def _echo(request: dict[str, Any]) -> dict[str, Any]:
    return {"ok": True, "heard": request}


async def _raw(path: Path, data: bytes) -> list[dict[str, Any]]:
    reader, writer = await asyncio.open_unix_connection(str(path))
    writer.write(data)
    writer.write_eof()
    answers = [json.loads(line) async for line in reader]
    writer.close()
    await writer.wait_closed()
    return answers


def test_a_request_is_answered(tmp_path: Path) -> None:
    """What the board answers comes back."""

    async def scene() -> None:
        server = ControlServer(tmp_path / "s", _echo)
        await server.start()
        answer = await asyncio.to_thread(ask, tmp_path / "s", {"do": "status"})
        assert answer == {"ok": True, "heard": {"do": "status"}}
        await server.close()
        await server.close()
        assert not (tmp_path / "s").exists()

    asyncio.run(scene())


@pytest.mark.parametrize("data", [b"\n", b"nonsense\n", b"[1]\n", b"\xff\xfe\n", b"[" * 10_000 + b"\n"])
def test_bad_lines_are_refused_in_words_and_the_next_is_served(tmp_path: Path, data: bytes) -> None:
    """One bad request does not end the talk."""

    async def scene() -> None:
        server = ControlServer(tmp_path / "s", _echo)
        await server.start()
        bad, good = await _raw(tmp_path / "s", data + b'{"do":"x"}\n')
        assert bad["ok"] is False
        assert "JSON" in bad["why"]
        assert good["ok"] is True
        await server.close()

    asyncio.run(scene())


def test_an_endless_line_is_cut_off(tmp_path: Path) -> None:
    """A request longer than the limit is refused and the connection closed."""

    async def scene() -> None:
        server = ControlServer(tmp_path / "s", _echo)
        await server.start()
        answers = await _raw(tmp_path / "s", b"x" * (2 * MAX_LINE))
        assert answers == [{"ok": False, "why": f"a request has at most {MAX_LINE} bytes"}]
        await server.close()

    asyncio.run(scene())


def test_only_the_owner_may_open_it_and_a_stale_one_is_replaced(tmp_path: Path) -> None:
    """Mode 0600, also when a killed program left its socket behind."""

    async def scene() -> None:
        path = tmp_path / "s"
        path.touch()
        server = ControlServer(path, _echo)
        await server.start()
        assert stat.S_IMODE(path.stat().st_mode) == 0o600
        await server.close()

    asyncio.run(scene())


def test_nobody_there_is_said(tmp_path: Path) -> None:
    """The error names the socket and what to start."""
    with pytest.raises(ControlError, match=r"no board answers there .* is `togyz board` running"):
        ask(tmp_path / "none", {"do": "status"})


def test_who_may_not_open_it_is_told_who_may(tmp_path: Path) -> None:
    """A board runs there, so nothing is said of starting one; whether socket or folder is closed."""
    path = tmp_path / "state" / "s"
    path.parent.mkdir()

    async def scene() -> None:
        server = ControlServer(path, _echo)
        await server.start()
        path.chmod(0)
        with as_a_stranger(), pytest.raises(NotAllowedError) as caught:
            ask(path, {"do": "status"})
        await server.close()
        owner = getpass.getuser()
        assert caught.value.owner == owner
        assert str(caught.value).startswith(f"{path}: only {owner}, who runs the board, may talk to it")

    asyncio.run(scene())


def test_a_path_longer_than_a_socket_may_have_works_all_the_same(tmp_path: Path) -> None:
    """The kernel allows 107 bytes; a state folder may lie deeper."""
    path = tmp_path / ("x" * 120) / "control.sock"
    path.parent.mkdir()

    async def scene() -> None:
        server = ControlServer(path, _echo)
        await server.start()
        assert (await asyncio.to_thread(ask, path, {"do": "status"}))["ok"] is True
        await server.close()
        assert not path.exists()

    asyncio.run(scene())


def test_a_folder_that_is_not_there_is_said(tmp_path: Path) -> None:
    """The server names the socket it could not make, the asker the board that does not answer."""
    path = tmp_path / "none" / "s"
    with pytest.raises(ControlError, match="cannot be made"):
        asyncio.run(ControlServer(path, _echo).start())
    with pytest.raises(ControlError, match="no board answers there"):
        ask(tmp_path / "none" / ("x" * 120), {})


# --- watching -----------------------------------------------------------------------------------------

WATCH = b'{"do":"watch"}\n'


@contextlib.asynccontextmanager
async def _watch(path: Path) -> AsyncIterator[tuple[asyncio.StreamReader, asyncio.StreamWriter]]:
    reader, writer = await asyncio.open_unix_connection(str(path))
    writer.write(WATCH)
    await writer.drain()
    try:
        yield reader, writer
    finally:
        writer.close()
        with contextlib.suppress(ConnectionError):
            await writer.wait_closed()


async def _until(true: Callable[[], bool]) -> None:
    for _ in range(1000):
        if true():
            return
        await asyncio.sleep(0.01)
    raise AssertionError("not in ten seconds")


async def _next(reader: asyncio.StreamReader) -> dict[str, Any]:
    line: dict[str, Any] = json.loads(await asyncio.wait_for(reader.readline(), 5))
    return line


def test_a_watcher_hears_the_newest_view_at_once_then_every_change_and_a_beat(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """With how old it is; a change comes long before the beat."""

    async def scene() -> None:
        server = ControlServer(tmp_path / "s", _echo)
        await server.start()
        server.show(b'{"n":1}')
        await asyncio.sleep(0.05)
        async with _watch(tmp_path / "s") as (reader, _):
            first = await _next(reader)
            assert first["view"] == {"n": 1}
            assert 40 <= first["age_ms"] < 5000
            server.show(b'{"n":2}')
            began_s = asyncio.get_running_loop().time()
            assert (await _next(reader))["view"] == {"n": 2}
            assert asyncio.get_running_loop().time() - began_s < 0.5
            monkeypatch.setattr("firmware_bridge.board.control.WATCH_BEAT_S", 0.05)
            server.show(b'{"n":3}')
            ages = [(await _next(reader))["age_ms"] for _ in range(4)]
            assert ages == sorted(ages)
            assert ages[-1] > ages[0]
        await server.close()

    asyncio.run(scene())


def test_one_who_watches_before_anything_is_shown_hears_it_when_it_is(tmp_path: Path) -> None:
    """The table's page may be started first."""

    async def scene() -> None:
        server = ControlServer(tmp_path / "s", _echo)
        await server.start()
        async with _watch(tmp_path / "s") as (reader, _):
            await asyncio.sleep(0.05)
            server.show(b"{}")
            assert (await _next(reader))["view"] == {}
        await server.close()

    asyncio.run(scene())


def test_what_a_watcher_says_is_dropped_and_harms_nobody(tmp_path: Path) -> None:
    """Megabytes of it, commands among them; the others are answered meanwhile."""
    asked: list[dict[str, Any]] = []

    async def answer(request: dict[str, Any]) -> dict[str, Any]:
        asked.append(request)
        return {"ok": True}

    async def scene() -> None:
        server = ControlServer(tmp_path / "s", answer)
        await server.start()
        server.show(b"{}")
        async with _watch(tmp_path / "s") as (reader, writer):
            for _ in range(40):
                writer.write(b'{"do":"release"}\n' * 2000 + b"\xff" * 1000)
                await writer.drain()
            assert (await _next(reader))["view"] == {}
            assert (await asyncio.to_thread(ask, tmp_path / "s", {"do": "status"}))["ok"] is True
        await server.close()

    asyncio.run(scene())
    assert asked == [{"do": "status"}]


def test_watchers_are_few_and_one_who_leaves_makes_room(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The next one is told why he hears nothing."""
    monkeypatch.setattr("firmware_bridge.board.control.MAX_WATCHERS", 2)

    async def scene() -> None:
        server = ControlServer(tmp_path / "s", _echo)
        await server.start()
        server.show(b"{}")
        path = tmp_path / "s"
        async with _watch(path) as (stays, _):
            await _next(stays)
            async with _watch(path) as (leaves, _):
                await _next(leaves)
                async with _watch(path) as (third, _):
                    assert await _next(third) == {"ok": False, "why": "2 others watch already"}
                    assert await third.read() == b""
            await _until(lambda: len(server._watchers) == 1)
            async with _watch(path) as (fourth, _):
                assert (await _next(fourth))["view"] == {}
        await server.close()

    asyncio.run(scene())


def test_a_watcher_who_takes_nothing_is_let_go(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Nothing is heaped up for him, and the board never waits."""
    monkeypatch.setattr("firmware_bridge.board.control.WATCHER_PATIENCE_S", 0.2)
    big = json.dumps({"names": "x" * 200_000}).encode()

    async def scene() -> None:
        server = ControlServer(tmp_path / "s", _echo)
        await server.start()
        deaf = socket.socket(socket.AF_UNIX)
        deaf.connect(str(tmp_path / "s"))
        deaf.sendall(WATCH)
        await _until(lambda: len(server._watchers) == 1)
        for _ in range(10):
            server.show(big)
            await asyncio.sleep(0.01)
        await _until(lambda: not server._watchers)
        assert await asyncio.to_thread(ask, tmp_path / "s", {}) == {"ok": True, "heard": {}}
        deaf.close()
        await server.close()

    asyncio.run(asyncio.wait_for(scene(), 20))


@pytest.mark.parametrize(("ends", "kind"), [(False, LateAnswerError), (True, NoAnswerError)])
def test_a_late_board_is_told_from_one_that_is_gone(
    tmp_path: Path, *, ends: bool, kind: type[NoAnswerError]
) -> None:
    """A late one may still do what it was told; of one that hung up no words of a parser are shown."""
    path = tmp_path / "control.sock"
    with socket.socket(socket.AF_UNIX) as listener:
        listener.bind(str(path))
        listener.listen()

        def hang_up() -> None:
            talk, _ = listener.accept()
            talk.makefile("rb").readline()
            talk.close()

        thread = threading.Thread(target=hang_up) if ends else threading.Thread(target=str)
        thread.start()
        with pytest.raises(kind) as told:
            ask(path, {"do": "status"}, timeout_s=5.0 if ends else 0.05)
        thread.join()
    assert type(told.value) is kind
    assert "line 1 column 1" not in str(told.value)


def test_an_answer_that_drips_is_late(tmp_path: Path) -> None:
    """Each byte in time, the line never: whoever asks goes on after the time that was given."""
    path = tmp_path / "control.sock"
    with socket.socket(socket.AF_UNIX) as listener:
        listener.bind(str(path))
        listener.listen()
        over = threading.Event()

        def drip() -> None:
            talk, _ = listener.accept()
            with contextlib.suppress(OSError):
                while not over.wait(0.02):
                    talk.send(b"{")
            talk.close()

        thread = threading.Thread(target=drip)
        thread.start()
        try:
            with pytest.raises(LateAnswerError):
                ask(path, {"do": "status"}, timeout_s=0.1)
        finally:
            over.set()
            thread.join(5)
