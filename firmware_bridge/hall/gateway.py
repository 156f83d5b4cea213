"""The hall's door for browsers: pages, snapshots as JSON, a WebSocket for each viewer.

Read only, but for the arbiter's console (`hall.console`): nothing else that arrives here reaches a board.
"""

import asyncio
import contextlib
import socket
import time
from collections.abc import AsyncIterator, Mapping
from typing import Annotated, Final

from fastapi import FastAPI, Header, Query, Request, WebSocket, WebSocketDisconnect
from fastapi.exception_handlers import http_exception_handler
from fastapi.responses import HTMLResponse, JSONResponse, RedirectResponse, Response
from starlette.exceptions import HTTPException

from firmware_bridge.hall.console.guard import Guard, told
from firmware_bridge.hall.console.routes import add_console
from firmware_bridge.hall.console.service import open_console
from firmware_bridge.hall.feed import Feed, MqttFeed
from firmware_bridge.hall.headers import SafeHeaders
from firmware_bridge.hall.hub import Hub
from firmware_bridge.hall.messages import BoardList, Fault, Snapshot
from firmware_bridge.hall.pages import Asset, Pages, load_pages
from firmware_bridge.hall.papers import load_papers
from firmware_bridge.hall.record_routes import add_records
from firmware_bridge.hall.settings import HallSettings, ListenError
from firmware_bridge.serving import Bound, listening, serve, until_gone
from firmware_bridge.wire.topics import is_id
from firmware_bridge.wire.version import CONTRACT_VERSION, SOFTWARE

_COALESCE_S: Final = 0.04  # faster changes than 25 a second nobody can see
_TRY_AGAIN_LATER: Final = 1013
_UNKNOWN_BOARD: Final = 4404
_PING_S: Final = 10.0
_BACKLOG: Final = 1024
_NOT_KEPT: Final = {"Cache-Control": "no-store"}

Language = Annotated[str | None, Query(alias="lang", description="kk, ru or en", max_length=8)]
Accepted = Annotated[str, Header(alias="accept-language")]


def create_app(settings: HallSettings, feed: Feed, heard: Feed | None = None) -> FastAPI:
    """Make the application.

    Args:
        settings: The hall's settings; host and port are not used here.
        feed: Opened when the application starts, closed when it ends.
        heard: Where the console hears the boards' events; None for the broker of the settings.

    Raises:
        LedgerError: The console's ledger cannot be opened.
    """
    pages = load_pages()
    hub = Hub(settings, pages.version)
    console = None if settings.console is None else open_console(settings, settings.console, hub, heard)

    @contextlib.asynccontextmanager
    async def lifespan(_app: FastAPI) -> AsyncIterator[None]:
        reading = asyncio.create_task(hub.run(feed), name="hall feed")
        try:
            async with contextlib.nullcontext() if console is None else console.running():
                yield
        finally:
            reading.cancel()
            await asyncio.wait({reading})

    app = FastAPI(
        title="Togyz Bridge hall",
        summary="Live boards of one event, read only.",
        lifespan=lifespan,
        docs_url=None,  # both pages would load their scripts from elsewhere
        redoc_url=None,
        openapi_url=None,  # served from the contract's documents, where every field is described
        version=CONTRACT_VERSION,
    )
    app.state.hub = hub
    app.add_middleware(SafeHeaders)
    _add_api(app, hub)
    add_records(app, hub.registry)
    _add_contract(app, load_papers())
    _add_pages(app, hub, pages)
    if console is not None:
        add_console(app, console.desk, console.guard, pages.version)
        _add_console_page(app, hub, pages, console.guard)
    _add_way_back(app, hub, pages)
    _add_stream(app, hub)
    return app


def _add_api(app: FastAPI, hub: Hub) -> None:
    registry = hub.registry

    @app.get(
        "/api/boards",
        summary="All boards heard of",
        operation_id="list_boards",
        tags=["boards"],
        response_model=BoardList,
        response_description="One line for each board.",
    )
    async def boards() -> Response:
        listed = {
            "event": registry.event,
            "boards": registry.summary(time.monotonic()),
            "viewers": hub.viewers,
            "problems": {"count": registry.problems, "last": registry.last_problem},
        }
        return JSONResponse(listed, headers=_NOT_KEPT)

    @app.get(
        "/api/boards/{board_id}",
        summary="The snapshot of one board",
        operation_id="get_board",
        tags=["boards"],
        response_model=Snapshot,
        response_description="All that the hall knows of the board, as of now.",
        responses={404: {"description": "No such board has been heard of.", "model": Fault}},
    )
    async def board(board_id: str) -> Response:
        if board_id in registry:
            return JSONResponse(hub.snapshot(board_id), headers=_NOT_KEPT)
        return JSONResponse(registry.unheard(board_id), status_code=404)


def _add_contract(app: FastAPI, papers: Mapping[str, Asset]) -> None:
    """Serve the documents from which a stranger can write a client."""

    @app.get("/contract/", include_in_schema=False)
    async def contract() -> Response:
        listed = [{"name": name, "href": f"/contract/{name}"} for name in papers]
        return JSONResponse({"version": CONTRACT_VERSION, "software": SOFTWARE, "documents": listed})

    @app.get("/openapi.json", include_in_schema=False)
    async def openapi(request: Request) -> Response:
        return _file(papers.get("openapi.json"), request)

    @app.get("/contract/{name}", include_in_schema=False)
    async def paper(name: str, request: Request) -> Response:
        return _file(papers.get(name), request)


def _file(asset: Asset | None, request: Request) -> Response:
    if asset is None:
        return JSONResponse({"error": "unknown_file", "message": "no such file"}, status_code=404)
    headers = {"ETag": asset.etag, "Cache-Control": "no-cache"}
    if asset.etag in request.headers.get("if-none-match", ""):
        return Response(status_code=304, headers=headers)
    return Response(asset.body, media_type=asset.media_type, headers=headers)


def _add_pages(app: FastAPI, hub: Hub, pages: Pages) -> None:
    settings, registry = hub.settings, hub.registry

    def listing(lang: str | None, accepted: str, *, follow: bool) -> Response:
        language = pages.language(lang, accepted, settings.language)
        return _page(pages.boards(language, follow_single=follow))

    @app.get("/", include_in_schema=False)
    async def index(request: Request, lang: Language = None, accepted: Accepted = "") -> Response:
        if len(registry.boards) != 1:
            return listing(lang, accepted, follow=True)
        query = f"?{request.url.query}" if request.url.query else ""
        return RedirectResponse(f"/board/{registry.boards[0]}{query}", 307, {"Cache-Control": "no-store"})

    @app.get("/boards", include_in_schema=False)
    async def boards(lang: Language = None, accepted: Accepted = "") -> Response:
        return listing(lang, accepted, follow=False)

    @app.get("/board/{board_id}", include_in_schema=False)
    async def board(board_id: str, lang: Language = None, accepted: Accepted = "") -> Response:
        if not is_id(board_id):
            raise HTTPException(404)
        language = pages.language(lang, accepted, settings.language)
        return _page(pages.board(board_id, language, show_counts=settings.show_counts))

    @app.get("/static/{path:path}", include_in_schema=False)
    async def static(path: str, request: Request) -> Response:
        return _file(pages.assets.get(path), request)


def _add_console_page(app: FastAPI, hub: Hub, pages: Pages, guard: Guard) -> None:
    @app.get("/console", include_in_schema=False)
    async def console(request: Request, lang: Language = None, accepted: Accepted = "") -> Response:
        language = pages.language(lang, accepted, hub.settings.language)
        session = await guard.who(request)
        content = pages.login(language) if session is None else pages.console(language, told(session))
        return HTMLResponse(content, 200, {"Cache-Control": "no-store", "Vary": "Accept-Language, Cookie"})


def _add_way_back(app: FastAPI, hub: Hub, pages: Pages) -> None:
    @app.exception_handler(404)
    async def lost(request: Request, error: HTTPException) -> Response:
        """Lead people who took a wrong way to the boards; programs get the plain answer."""
        if "text/html" not in request.headers.get("accept", ""):
            return await http_exception_handler(request, error)
        wish, accepted = request.query_params.get("lang"), request.headers.get("accept-language", "")
        language = pages.language(wish, accepted, hub.settings.language)
        return _page(pages.boards(language, follow_single=False, unknown=True), 404)


def _page(content: str, status: int = 200) -> HTMLResponse:
    return HTMLResponse(content, status, {"Cache-Control": "no-cache", "Vary": "Accept-Language"})


def _add_stream(app: FastAPI, hub: Hub) -> None:
    @app.websocket("/ws/boards/{board_id}")
    async def stream(viewer: WebSocket, board_id: str) -> None:
        await viewer.accept()
        if not is_id(board_id):
            await viewer.close(_UNKNOWN_BOARD, "a board's id is 1..32 of a-z, 0-9 and '-'")
        elif hub.viewers >= hub.settings.max_viewers:
            await viewer.close(_TRY_AGAIN_LATER, "too many viewers")
        else:
            with contextlib.suppress(WebSocketDisconnect):
                await _show(viewer, hub, board_id)


async def _show(viewer: WebSocket, hub: Hub, board: str) -> None:
    """Send a viewer the newest snapshot whenever it has changed, and a beat while it has not."""
    with hub.watching(board) as changed:
        gone = asyncio.create_task(until_gone(viewer, changed), name="viewer leaves")
        try:
            changed.set()
            while not gone.done():
                text = hub.beat_text(board)
                if changed.is_set():
                    changed.clear()
                    text = hub.snapshot_text(board)
                await viewer.send_text(text)  # waits while the viewer's network is full
                await asyncio.sleep(_COALESCE_S)
                with contextlib.suppress(TimeoutError):
                    await asyncio.wait_for(changed.wait(), hub.settings.beat_s)
        finally:
            gone.cancel()
            await asyncio.wait({gone})


async def run_hall(
    settings: HallSettings,
    on_bound: Bound | None = None,
    feed: Feed | None = None,
    heard: Feed | None = None,
) -> None:
    """Serve until cancelled.

    Args:
        settings: The hall's settings.
        on_bound: Called once with host and port when the hall answers.
        feed: Where messages come from; None for the broker of the settings.
        heard: The same for the console.

    Raises:
        ListenError: The address cannot be listened on.
        LedgerError: The console's ledger cannot be opened.
    """
    with _listen(settings.host, settings.port) as listener:  # first: who cannot answer holds no ledger
        app = create_app(settings, feed or MqttFeed(settings.broker, settings.event_id), heard)
        await serve(app, listener, "hall server", on_bound, ping_s=_PING_S)


def _listen(host: str, port: int) -> socket.socket:
    try:
        return listening(host, port, _BACKLOG)
    except OSError as error:
        raise ListenError(host, port, error.strerror or str(error)) from error
