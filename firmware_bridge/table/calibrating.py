"""The page on which a board is calibrated by big buttons: what it says goes to the board's own socket.

It is no page for players: nothing leads to it from the table's page, and it obeys only a browser on this
machine, the screen at the table itself. The board refuses while a game is under way.
"""

from __future__ import annotations

import asyncio
import contextlib
import json
from pathlib import Path
from typing import Any, Final

from starlette.requests import Request
from starlette.responses import JSONResponse, Response

from firmware_bridge.serving import from_here
from firmware_bridge.wire.table_view import MAX_VIEW_BYTES
from firmware_bridge.wire.unix import reachable

MOST_BYTES: Final = 1024
"""Of what a page says: a word."""

PATIENCE_S: Final = 8.0
"""A board that writes its calibration to a slow card answers late."""

_AT_THE_BOARD: Final = frozenset({"127.0.0.1", "::1", "::ffff:127.0.0.1"})


async def answered(request: Request, socket: Path) -> Response:
    """Hand what a page says on to the board, and answer what it answers."""
    if not _may(request):
        return _refused("here", 403)
    body = b""
    async for piece in request.stream():
        body += piece
        if len(body) > MOST_BYTES:
            return _refused("word", 413)
    asked = _asked(body)
    if asked is None:
        return _refused("word", 400)
    try:
        return JSONResponse(await asyncio.wait_for(_ask(socket, asked), PATIENCE_S))
    except (OSError, TimeoutError, ValueError, TypeError):
        return _refused("gone", 200)  # the page's own program is there, and says what it knows


def _may(request: Request) -> bool:
    """Whether a request comes from the screen at the board, and from our own page."""
    client = request.client
    plain = request.headers.get("content-type", "").partition(";")[0] == "application/json"
    return client is not None and client.host in _AT_THE_BOARD and from_here(request) and plain


def _asked(body: bytes) -> dict[str, Any] | None:
    try:
        found = json.loads(body)
    except (ValueError, RecursionError):
        return None
    if not isinstance(found, dict) or not isinstance(found.get("step"), str):
        return None
    # Whatever else it says, it asks for calibrating and nothing more.
    kept = {name: found[name] for name in ("step", "grams", "anew") if name in found}
    return {**kept, "do": "calibrate"}


async def _ask(socket: Path, asked: dict[str, Any]) -> dict[str, Any]:
    with reachable(socket) as name:
        reader, writer = await asyncio.open_unix_connection(name, limit=MAX_VIEW_BYTES)
    try:
        writer.write(json.dumps(asked).encode() + b"\n")
        await writer.drain()
        line = await reader.readline()
    finally:
        writer.close()
        with contextlib.suppress(OSError):
            await writer.wait_closed()
    found: dict[str, Any] = dict(json.loads(line))
    return found


def _refused(code: str, status: int) -> Response:
    return JSONResponse({"ok": False, "code": f"calib_{code}", "why": code}, status)
