"""The console's addresses. None of them is promised to strangers, and none is answered without a login."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from dataclasses import asdict
from typing import Any

from fastapi import FastAPI, WebSocket
from starlette.requests import Request
from starlette.responses import JSONResponse, Response

from firmware_bridge.hall.console import live, rounds
from firmware_bridge.hall.console.desk import Desk
from firmware_bridge.hall.console.event_routes import Answering, event_routes
from firmware_bridge.hall.console.guard import DeniedError, Guard, body_of, told
from firmware_bridge.hall.console.orders import OrderError, check_rights, read_order
from firmware_bridge.hall.ledger.games import GameError
from firmware_bridge.hall.ledger.pairings import PairingError
from firmware_bridge.hall.ledger.roles import Right
from firmware_bridge.hall.ledger.store import LedgerError
from firmware_bridge.hall.ledger.values import Ruling

_STATUS = {"malformed": 400, "no_command": 400, "forbidden": 403, "postponed_by_panel_only": 403}
"""How an order that was not given is answered; whatever else stood against it with 409."""


def add_console(app: FastAPI, desk: Desk, guard: Guard, assets: str) -> None:
    """Add all routes below /api/console, and /ws/console."""
    for method, path, answering in (
        ("POST", "/login", guard.let_in),
        ("POST", "/logout", guard.let_out),
        ("GET", "/me", _me(guard)),
        ("GET", "/boards", _boards(desk, guard)),
        ("GET", "/games", _games(desk, guard)),
        ("POST", "/boards/{board}/orders", _order(desk, guard)),
        ("POST", "/pairings", _pairings(desk, guard)),
        ("POST", "/rounds/{number:int}/assign", _round(desk, guard, Right.PAIR, rounds.assign_round)),
        ("POST", "/rounds/{number:int}/start", _round(desk, guard, Right.START, rounds.start_round)),
        ("POST", "/games/{key}/flip", _flip(desk, guard)),
        ("POST", "/games/{key}/assign", _assign(desk, guard)),
        ("POST", "/games/{key}/result", _result(desk, guard)),
        *event_routes(desk, guard),
    ):
        app.add_api_route(
            f"/api/console{path}", _guarded(answering), methods=[method], include_in_schema=False
        )

    @app.websocket("/ws/console")
    async def line(page: WebSocket) -> None:
        await live.serve(page, desk, guard, assets)


def _guarded(answering: Answering) -> Answering:
    """Turn what is refused into an answer with a code."""

    async def answer(request: Request) -> Response:
        try:
            return await answering(request)
        except DeniedError as error:
            return error.answer()
        except PairingError as error:
            faults = [asdict(fault) for fault in error.faults]
            return _said({"error": "pairings", "message": str(error), "faults": faults}, 422)
        except OrderError as error:
            status = _STATUS.get(error.code, 409)
            told = {"error": error.code, "message": str(error), "articles": list(error.articles)}
            return _said(told, status)
        except GameError as error:
            return _said({"error": error.code, "message": str(error)}, 409)
        except LedgerError as error:
            return _said({"error": "ledger", "message": str(error)}, 503)

    return answer


def _said(value: Any, status: int = 200) -> JSONResponse:
    return JSONResponse(value, status, {"Cache-Control": "no-store"})


def _me(guard: Guard) -> Answering:
    async def me(request: Request) -> Response:
        return _said(told(await guard.must(request)))

    return me


def _boards(desk: Desk, guard: Guard) -> Answering:
    async def boards(request: Request) -> Response:
        await guard.must(request)
        views = [desk.view(board) for board in desk.hub.registry.boards]
        return _said({"boards": sorted(views, key=lambda view: (view["rank"], view["board"]))})

    return boards


def _games(desk: Desk, guard: Guard) -> Answering:
    async def listed(request: Request) -> Response:
        await guard.must(request)
        warnings = [warned.as_json() for warned in desk.warnings]
        return _said({"games": [each.as_json() for each in desk.fixtures], "warnings": warnings})

    return listed


def _order(desk: Desk, guard: Guard) -> Answering:
    async def order(request: Request) -> Response:
        session = await guard.may(request, None)
        wanted = read_order(await body_of(request))
        check_rights(wanted, session.account.role)
        ruling = await desk.order(request.path_params["board"], wanted, session.account)
        return _said(ruling.as_json(), 200 if ruling.outcome == "accepted" else 409)

    return order


def _pairings(desk: Desk, guard: Guard) -> Answering:
    async def pairings(request: Request) -> Response:
        await guard.may(request, Right.PAIR)
        body = await body_of(request)
        fixtures = rounds.pairings_of(body, desk.control)
        await rounds.plan(desk, fixtures, rounds.lines_of(body, fixtures))
        return _said({"games": [fixture.as_json() for fixture in fixtures]})

    return pairings


def _round(desk: Desk, guard: Guard, right: Right, done: Callable[..., Awaitable[list[Ruling]]]) -> Answering:
    async def of_round(request: Request) -> Response:
        session = await guard.may(request, right)
        rulings = await done(desk, int(request.path_params["number"]), session.account)
        return _said({"boards": [ruling.as_json() for ruling in rulings]})

    return of_round


def _flip(desk: Desk, guard: Guard) -> Answering:
    async def flip(request: Request) -> Response:
        session = await guard.may(request, Right.PAIR)
        return _said((await rounds.flip(desk, request.path_params["key"], session.account)).as_json())

    return flip


def _assign(desk: Desk, guard: Guard) -> Answering:
    async def assign(request: Request) -> Response:
        session = await guard.may(request, Right.PAIR)
        fixture = rounds.game_of(desk, request.path_params["key"])
        ruling = await rounds.assign(desk, fixture, session.account)
        return _said(ruling.as_json(), 200 if ruling.outcome == "accepted" else 409)

    return assign


def _result(desk: Desk, guard: Guard) -> Answering:
    async def result(request: Request) -> Response:
        await guard.may(request, None)  # nobody unknown has his words read
        body = await body_of(request)
        right = Right.ACCEPT if body.get("status") == "official" else Right.SUBMIT
        session = await guard.may(request, right)
        return _said((await rounds.settle(desk, request.path_params["key"], body, session.account)).as_json())

    return result
