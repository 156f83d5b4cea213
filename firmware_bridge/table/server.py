"""The page of one table, served on this machine, read only, without a broker, a hall or a network.

Beside it stands the page for calibrating its board, for whoever asks for `/calibrate` at the screen itself.
"""

from __future__ import annotations

import asyncio
import contextlib
import logging
import socket
import time
from collections.abc import AsyncIterator
from typing import Final

from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import HTMLResponse, PlainTextResponse, Response
from starlette.routing import Route, WebSocketRoute
from starlette.websockets import WebSocket, WebSocketDisconnect

from firmware_bridge.serving import Bound, from_here, listening, serve, until_gone
from firmware_bridge.table.calibrating import answered
from firmware_bridge.table.following import Gone, follow
from firmware_bridge.table.pages import Pages, load_pages
from firmware_bridge.table.screen import Screen
from firmware_bridge.table.settings import TableError, TableSettings

log = logging.getLogger(__name__)

BEAT_S: Final = 1.0
"""A page is told at least so often how it stands, so that it notices when this program is gone."""

MOST_PAGES: Final = 16
"""Pages open at once: one screen, perhaps two, and whoever looks for a fault."""

HEADERS: Final = {
    "Content-Security-Policy": (
        "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; connect-src 'self'; "
        "base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
    ),
    "X-Content-Type-Options": "nosniff",
    "Referrer-Policy": "no-referrer",
    "Cache-Control": "no-cache",
}
"""Nothing from elsewhere, nothing written into the page."""

_TRY_AGAIN_LATER, _NOT_OURS = 1013, 1008


class _Service:
    """The board as the pages see it, and the pages that look."""

    def __init__(self, settings: TableSettings, pages: Pages) -> None:
        self.settings, self.pages = settings, pages
        self._screen = Screen(pages.version, gone_s=time.monotonic())
        self._watching: set[asyncio.Event] = set()

    async def run(self) -> None:
        """Follow the board until cancelled."""
        answering: bool | None = None
        async for heard in follow(self.settings.socket):
            now_s = time.monotonic()
            if isinstance(heard, Gone):
                self._screen = self._screen.lost(now_s)
                if answering is not False:
                    log.warning("no board: %s", heard.why)
            else:
                self._screen = self._screen.heard(heard, now_s)
                if not answering:
                    log.info("the board answers")
            answering = not isinstance(heard, Gone)
            for changed in self._watching:
                changed.set()

    async def page(self, request: Request) -> Response:
        """Answer with the page."""
        content = self.pages.page(self.settings, request.query_params.get("lang"))
        return HTMLResponse(content, headers=HEADERS)

    async def calibrate_page(self, request: Request) -> Response:
        """Answer with the page for calibrating."""
        content = self.pages.calibrate_page(self.settings, request.query_params.get("lang"))
        return HTMLResponse(content, headers=HEADERS)

    async def calibrate(self, request: Request) -> Response:
        """Hand a word on to the board."""
        return await answered(request, self.settings.socket)

    async def static(self, request: Request) -> Response:
        """Answer with a file."""
        asset = self.pages.assets.get(request.path_params["path"])
        if asset is None:
            return PlainTextResponse("no such file", 404, HEADERS)
        return Response(asset.body, media_type=asset.media_type, headers=HEADERS)

    async def stream(self, viewer: WebSocket) -> None:
        """Tell a page how the table stands, at once and whenever it changes."""
        await viewer.accept()
        if not from_here(viewer):
            await viewer.close(_NOT_OURS, "this page is not served here")
        elif len(self._watching) >= MOST_PAGES:
            await viewer.close(_TRY_AGAIN_LATER, "too many pages")
        else:
            with contextlib.suppress(WebSocketDisconnect):
                await self._tell(viewer)

    async def _tell(self, viewer: WebSocket) -> None:
        changed = asyncio.Event()
        self._watching.add(changed)
        gone = asyncio.create_task(until_gone(viewer, changed), name="page leaves")
        try:
            while not gone.done():
                changed.clear()
                await viewer.send_text(self._screen.message(time.monotonic()))
                with contextlib.suppress(TimeoutError):
                    await asyncio.wait_for(changed.wait(), BEAT_S)
        finally:
            self._watching.discard(changed)
            gone.cancel()
            await asyncio.wait({gone})


def create_app(settings: TableSettings) -> Starlette:
    """Make the application; it follows the board while it runs."""
    service = _Service(settings, load_pages())

    @contextlib.asynccontextmanager
    async def lifespan(_app: Starlette) -> AsyncIterator[None]:
        following = asyncio.create_task(service.run(), name="table follows its board")
        try:
            yield
        finally:
            following.cancel()
            await asyncio.wait({following})

    routes = [
        Route("/", service.page),
        Route("/calibrate", service.calibrate_page),
        Route("/calibrate/do", service.calibrate, methods=["POST"]),
        Route("/static/{path:path}", service.static),
        WebSocketRoute("/ws/table", service.stream),
    ]
    return Starlette(routes=routes, lifespan=lifespan)


async def run_table(settings: TableSettings, on_bound: Bound | None = None) -> None:
    """Serve until cancelled.

    Args:
        settings: What is served where.
        on_bound: Called once with host and port when the page can be opened.

    Raises:
        TableError: The address cannot be listened on.
    """
    app = create_app(settings)
    with _listen(settings.host, settings.port) as listener:
        await serve(app, listener, "table server", on_bound)


def _listen(host: str, port: int) -> socket.socket:
    try:
        return listening(host, port)
    except OSError as error:
        why = error.strerror or str(error)
        raise TableError(
            f"cannot listen on {host} port {port}: {why}; choose another `table.port`"
        ) from error
