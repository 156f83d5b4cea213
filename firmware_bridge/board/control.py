"""One Unix socket through which people and programs on the same machine talk to a board.

A line of JSON goes in, a line of JSON comes back: `{"do": "resume"}` gives
`{"ok": true}` or `{"ok": false, "why": "…"}`; where a command was refused, `code`, `phase` and
`watch` say why for programs. Only the user who runs the board may open it.

`{"do": "watch"}` turns a talk into a stream of lines `{"age_ms": …, "view": {…}}`: what the table's page may
show (`wire/table_view.py`), whenever it has changed and again every second, with how old it is. Who is slow
misses some of them, never the newest; nothing more that he says is heard.
"""

from __future__ import annotations

import asyncio
import contextlib
import errno
import json
import os
import pwd
import socket
import time
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Any

from firmware_bridge.wire.unix import reachable

MAX_LINE = 16_384
"""Longest request in bytes; anything longer is refused and the connection closed."""

MAX_WATCHERS = 8
"""Talks that may watch at once: a board has one small screen, perhaps another beside it."""

WATCHER_PATIENCE_S = 10.0
"""How long a watcher may take nothing before it is let go."""

WATCH_BEAT_S = 1.0
"""What was shown last is said again after so long, so that a board that is gone is noticed."""

Answer = Callable[[dict[str, Any]], Awaitable[dict[str, Any]]]


class ControlError(OSError):
    """Raised when the socket cannot be made or reached; the message says what to do."""


class NoAnswerError(ControlError):
    """Raised when no board answers; its cause is what the system says of it.

    Args:
        path: The socket that was tried.
        why: What the system says, in its words.
    """

    def __init__(self, path: Path, why: str) -> None:
        super().__init__(
            f"{path}: no board answers there ({why}); is `togyz board` running with this configuration?"
        )
        self.path, self.why = path, why


class LateAnswerError(NoAnswerError):
    """Raised when a board listens and does not answer in time: it may still do what it was asked."""


class NotAllowedError(ControlError):
    """Raised when a board's socket may not be opened by whoever asks.

    Args:
        path: The socket that was tried.

    Attributes:
        path: The same.
        owner: The user who may open it, by name, or by number where he has none here.
    """

    def __init__(self, path: Path) -> None:
        self.path, self.owner = path, _owner(path)
        super().__init__(f"{path}: only {self.owner}, who runs the board, may talk to it; ask as this user")


def _owner(path: Path) -> str:
    """Return whose a path is; of one in a closed folder, whose that folder is."""
    for each in (path, *path.parents):
        with contextlib.suppress(OSError):
            number = each.stat().st_uid
            try:
                return pwd.getpwuid(number).pw_name
            except KeyError:
                return str(number)
    return "?"


class ControlServer:
    """The board's end of the socket."""

    def __init__(self, path: Path, answer: Answer) -> None:
        """Serve `path`; every request is given to `answer`, whose result goes back."""
        self.path = path
        self._answer = answer
        self._server: asyncio.Server | None = None
        self._talks: set[asyncio.Task[None]] = set()
        self._shown, self._shown_at_s = b"", 0.0
        self._watchers: set[asyncio.Event] = set()

    async def start(self) -> None:
        """Begin to listen; a socket left behind by a killed program is replaced.

        Raises:
            ControlError: The socket cannot be made.
        """
        listener = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
        mask = os.umask(0o177)
        try:
            self.path.unlink(missing_ok=True)
            with reachable(self.path) as name:
                listener.bind(name)
        except OSError as error:
            listener.close()
            raise ControlError(f"{self.path}: the control socket cannot be made: {error}") from error
        finally:
            os.umask(mask)
        self._server = await asyncio.start_unix_server(self._accept, sock=listener, limit=MAX_LINE)

    def show(self, view: bytes) -> None:
        """Let everybody who watches see this from now on, one JSON object without line ends."""
        self._shown, self._shown_at_s = view, time.monotonic()
        for changed in self._watchers:
            changed.set()

    async def _accept(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        task = asyncio.current_task()
        assert task is not None
        self._talks.add(task)
        try:
            while line := await self._line(reader, writer):
                request = _request(line)
                if request is not None and request.get("do") == "watch":
                    await self._watched(reader, writer)
                    break
                await self._reply(writer, _NO_REQUEST if request is None else await self._answer(request))
        except (ConnectionError, TimeoutError, asyncio.CancelledError):
            pass
        finally:
            self._talks.discard(task)
            writer.close()

    async def _line(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> bytes:
        try:
            return await reader.readline()
        except ValueError:
            await self._reply(writer, {"ok": False, "why": f"a request has at most {MAX_LINE} bytes"})
            return b""

    async def _reply(self, writer: asyncio.StreamWriter, answer: dict[str, Any]) -> None:
        writer.write(json.dumps(answer).encode() + b"\n")
        await writer.drain()

    async def _watched(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        """Say what is shown until the watcher leaves, or takes nothing for too long."""
        if len(self._watchers) >= MAX_WATCHERS:
            await self._reply(writer, {"ok": False, "why": f"{MAX_WATCHERS} others watch already"})
            return
        changed = asyncio.Event()
        self._watchers.add(changed)
        gone = asyncio.create_task(_until_gone(reader, changed), name="watcher leaves")
        try:
            while not gone.done():
                changed.clear()
                if self._shown:
                    age_ms = round((time.monotonic() - self._shown_at_s) * 1000)
                    writer.write(b'{"age_ms":%d,"view":%s}\n' % (age_ms, self._shown))
                await asyncio.wait_for(writer.drain(), WATCHER_PATIENCE_S)
                with contextlib.suppress(TimeoutError):
                    await asyncio.wait_for(changed.wait(), WATCH_BEAT_S)
        except TimeoutError:
            writer.transport.abort()  # what it did not take would keep the talk open for ever
        finally:
            gone.cancel()
            await asyncio.wait({gone})
            self._watchers.discard(changed)

    async def close(self) -> None:
        """Stop listening, end the talks and take the socket away; may be called twice."""
        if self._server is None:
            return
        self._server.close()
        for task in list(self._talks):
            task.cancel()
        await asyncio.gather(*self._talks, return_exceptions=True)
        self._server = None
        with contextlib.suppress(FileNotFoundError):
            self.path.unlink()


_NO_REQUEST = {"ok": False, "why": 'a request is one line with a JSON object, such as {"do": "status"}'}


def _request(line: bytes) -> dict[str, Any] | None:
    """Return what a line asks for; None: it is no request."""
    try:
        found = json.loads(line)
    except (ValueError, RecursionError):
        return None
    return found if isinstance(found, dict) else None


async def _until_gone(reader: asyncio.StreamReader, changed: asyncio.Event) -> None:
    """Drop what a watcher says until it leaves."""
    with contextlib.suppress(ConnectionError):
        while await reader.read(4096):
            pass
    changed.set()


def _line_within(talk: socket.socket, timeout_s: float) -> bytes:
    """Return a line, or what came of it before the other end closed; b"" for nothing.

    Raises:
        TimeoutError: It did not come within `timeout_s` seconds, though parts of it may come and come.
    """
    until_s = time.monotonic() + timeout_s
    parts: list[bytes] = []
    while not (parts and b"\n" in parts[-1]):
        left_s = until_s - time.monotonic()
        if left_s <= 0:
            raise TimeoutError("timed out")
        talk.settimeout(left_s)
        part = talk.recv(1 << 16)
        if not part:
            break
        parts.append(part)
    return b"".join(parts).partition(b"\n")[0]


def ask(path: Path, request: dict[str, Any], timeout_s: float = 5.0) -> dict[str, Any]:
    """Send one request to a running board and return its answer.

    Raises:
        NotAllowedError: Another user runs the board.
        LateAnswerError: A board listens there and did not answer within `timeout_s` seconds.
        NoAnswerError: No board listens there, or it ended instead of answering.
        ControlError: What listens there is no board.
    """
    with socket.socket(socket.AF_UNIX, socket.SOCK_STREAM) as talk:
        talk.settimeout(timeout_s)
        try:
            with reachable(path) as name:
                talk.connect(name)
            talk.sendall(json.dumps(request).encode() + b"\n")
            line = _line_within(talk, timeout_s)
        except (TimeoutError, BlockingIOError) as error:  # the latter: too many others are waiting
            raise LateAnswerError(path, str(error)) from error
        except PermissionError as error:
            raise NotAllowedError(path) from error
        except OSError as error:
            raise NoAnswerError(path, str(error)) from error
    if not line:
        closed = ConnectionResetError(errno.ECONNRESET, "the connection was closed")
        raise NoAnswerError(path, "the connection was closed") from closed
    try:
        answer = json.loads(line)
    except ValueError as error:
        raise NoAnswerError(path, str(error)) from error
    if not isinstance(answer, dict):
        raise ControlError(f"{path}: the answer is no JSON object; is this a board's socket?")
    return answer
