"""How a page of ours is served: the socket it listens on, the server behind it, and who looks at it.

The hall and the table's page share it. It knows pages, addresses and connections, and nothing of boards.
"""

from __future__ import annotations

import asyncio
import contextlib
import json
import socket
from collections.abc import Callable, Iterator, Mapping
from importlib.resources import files
from string import Template
from typing import Any, Final
from urllib.parse import urlsplit

import uvicorn
from starlette.requests import HTTPConnection
from starlette.websockets import WebSocket

Bound = Callable[[str, int], None]
"""Is told host and port of a page that answers."""

_GRACE_S: Final = 3
_MOST_SAID: Final = 1024
"""Bytes of the longest message of a page: it has nothing to say."""


def page_template(name: str) -> Template:
    """Return a page of `display`, its `$head` filled with what all pages begin with."""
    display = files("firmware_bridge") / "display"
    head = (display / "head.html").read_text("utf-8")
    return Template((display / name).read_text("utf-8").replace("$head\n", head, 1))


def in_script(data: Mapping[str, object]) -> str:
    """Return data as JSON that may stand inside a script element."""
    # Only "<" could end the element there; JSON may spell it as an escape.
    return json.dumps(data, ensure_ascii=False, separators=(",", ":")).replace("<", "\\u003c")


def listening(host: str, port: int, backlog: int | None = None) -> socket.socket:
    """Return a socket that listens.

    Args:
        host: Where, a name or an address.
        port: On which port; 0 takes a free one.
        backlog: How many may wait to be taken; None: as Python chooses, some hundred.

    Raises:
        OSError: The address cannot be listened on.
    """
    found = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM, flags=socket.AI_PASSIVE)
    family, _, _, _, address = found[0]
    return socket.create_server(address, family=family, backlog=backlog)


class _Server(uvicorn.Server):
    """Tells when it listens, and leaves the signals to whoever runs the program."""

    def __init__(self, config: uvicorn.Config, on_listening: Callable[[], None]) -> None:
        super().__init__(config)
        self._on_listening = on_listening

    @contextlib.contextmanager
    def capture_signals(self) -> Iterator[None]:
        """Capture none: uvicorn would raise them again behind itself, and SIGTERM end us untidied."""
        yield

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        await super().startup(sockets)
        if self.started:
            self._on_listening()


async def serve(
    app: Any, listener: socket.socket, name: str, on_bound: Bound | None = None, *, ping_s: float = 20.0
) -> None:
    """Serve an application until cancelled; then let it end tidily.

    Args:
        app: An ASGI application.
        listener: The socket it listens on; whoever opened it closes it.
        name: Name of the task.
        on_bound: Called once with host and port when the application answers.
        ping_s: Seconds between two pings of a WebSocket, and how long one may stay without an answer.
    """
    host, port = listener.getsockname()[:2]
    config = uvicorn.Config(
        app,
        log_config=None,
        access_log=False,
        server_header=False,
        ws="websockets-sansio",
        ws_max_size=_MOST_SAID,
        ws_ping_interval=ping_s,
        ws_ping_timeout=ping_s,
        ws_per_message_deflate=False,
        timeout_graceful_shutdown=_GRACE_S,
    )
    server = _Server(config, lambda: on_bound(host, port) if on_bound else None)
    serving = asyncio.create_task(server.serve([listener]), name=name)
    try:
        await asyncio.shield(serving)
    except asyncio.CancelledError:
        server.should_exit = True
        await asyncio.wait({serving})
        raise


async def until_gone(viewer: WebSocket, changed: asyncio.Event) -> None:
    """Read what a page says, which is nothing to us, until it leaves; then wake whoever tells it."""
    while (await viewer.receive())["type"] != "websocket.disconnect":
        pass
    changed.set()


def from_here(connection: HTTPConnection) -> bool:
    """Tell whether a request was not sent by another site; browsers name the sender of all that changes."""
    origin = connection.headers.get("origin")
    return origin is None or urlsplit(origin).netloc == connection.headers.get("host")
