"""The records of games that have ended, over HTTP: as JSON as the board wrote it, and as text."""

from functools import lru_cache
from typing import Annotated, Any, Final

from fastapi import FastAPI, Header
from fastapi.responses import JSONResponse, Response
from starlette.requests import Request

from firmware_bridge.hall.boards import BoardRegistry
from firmware_bridge.hall.messages import Fault, RecordList
from firmware_bridge.hall.record_view import GameRecordView
from firmware_bridge.hall.records import Kept, RecordShelf
from rules.errors import RecordFormatError
from rules.record.text import format_record

_TEXT: Final = ".txt"
_HEADERS: Final = {"Cache-Control": "no-cache", "Vary": "Accept"}
_TEXTS_KEPT: Final = 16
"""About as many games as end at the same time; the longest text, with all its comments, is 0.7 MB."""
_UNKNOWN: Final[dict[int | str, dict[str, Any]]] = {
    404: {"description": "No such board has been heard of.", "model": Fault}
}
_ABSENT: Final[dict[int | str, dict[str, Any]]] = {
    404: {"description": "There is no such record, or not all of it has come yet.", "model": Fault}
}
_AS_TEXT: Final[dict[int | str, dict[str, Any]]] = {
    200: {"content": {"text/plain": {"schema": {"type": "string"}}}},
    406: {"description": "The record is too long for a text; ask for JSON.", "model": Fault},
}
_ASK: Final = (
    "As JSON; as text for whoever accepts `text/plain` rather than JSON, or adds `.txt` to the address."
)

Accept = Annotated[str, Header(include_in_schema=False)]


def add_records(app: FastAPI, registry: BoardRegistry) -> None:
    """Add the routes; they answer what the registry's shelf has."""
    _add_list(app, registry)
    _add_last(app, registry.records)
    _add_one(app, registry.records)


def _add_list(app: FastAPI, registry: BoardRegistry) -> None:
    @app.get(
        "/api/boards/{board_id}/records",
        summary="The records of a board's games that have ended",
        operation_id="list_records",
        tags=["records"],
        response_model=RecordList,
        response_description="One line for each game; the hall keeps those of the last 32.",
        responses=_UNKNOWN,
    )
    async def records(board_id: str) -> Response:
        lines = [kept.as_json() for kept in registry.records.whole(board_id)]
        if not lines and board_id not in registry:
            return JSONResponse(registry.unheard(board_id), status_code=404)
        return JSONResponse({"event": registry.event, "board": board_id, "records": lines}, headers=_HEADERS)


def _add_last(app: FastAPI, shelf: RecordShelf) -> None:
    @app.get(
        "/api/boards/{board_id}/record",
        summary="The record of the game that ended last",
        description=_ASK,
        operation_id="get_last_record",
        tags=["records"],
        response_model=GameRecordView,
        responses={**_ABSENT, **_AS_TEXT},
    )
    async def last(board_id: str, request: Request, accept: Accept = "") -> Response:
        why = f"board {board_id[:40]!r} has told no record; a record is made when a game has ended"
        return _answer(shelf.last(board_id), why, request, as_text=_wants_text(accept))

    @app.get("/api/boards/{board_id}/record.txt", include_in_schema=False)
    async def last_text(board_id: str, request: Request) -> Response:
        return await last(board_id, request, "text/plain")


def _add_one(app: FastAPI, shelf: RecordShelf) -> None:
    @app.get(
        "/api/boards/{board_id}/records/{game}",
        summary="The record of one game",
        description=f"{_ASK} `game` is the `key` of the list.",
        operation_id="get_record",
        tags=["records"],
        response_model=GameRecordView,
        responses={**_ABSENT, **_AS_TEXT},
    )
    async def one(board_id: str, game: str, request: Request, accept: Accept = "") -> Response:
        key = game.removesuffix(_TEXT)
        why = shelf.missing(board_id[:40], key[:80])
        return _answer(shelf.get(board_id, key), why, request, as_text=key != game or _wants_text(accept))


def _wants_text(accept: str) -> bool:
    """Tell whether plain text is named before JSON, or without it (RFC 9110, 12.5.1, without weights)."""
    wanted = [part.split(";")[0].strip() for part in accept.lower()[:512].split(",")]
    known = [each for each in wanted if each in ("text/plain", "application/json", "*/*")]
    return known[:1] == ["text/plain"]


@lru_cache(maxsize=_TEXTS_KEPT)
def _text(kept: Kept) -> str | None:
    """Write a record for people, once: many ask for the same, and meanwhile nobody else is answered.

    None: it has no text, since it is too long for one; what no board of ours writes may be.
    """
    try:
        return format_record(kept.record)
    except RecordFormatError:
        return None


def _answer(kept: Kept | None, why: str, request: Request, *, as_text: bool) -> Response:
    if kept is None:
        return JSONResponse({"error": "no_record", "message": why}, status_code=404)
    headers = {**_HEADERS, "ETag": f'"{kept.sha256[:24]}{"-text" if as_text else ""}"'}
    if headers["ETag"] in request.headers.get("if-none-match", ""):
        return Response(status_code=304, headers=headers)
    if as_text and (text := _text(kept)) is None:
        why = "this record is too long to be written as text; ask for JSON"
        return JSONResponse({"error": "no_text", "message": why}, status_code=406)
    if as_text:
        return Response(text, media_type="text/plain; charset=utf-8", headers=headers)
    return Response(kept.text, media_type="application/json", headers=headers)
