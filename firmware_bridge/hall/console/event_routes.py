"""The console's addresses about people and the event: warnings, penalties, entries, points, papers."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Mapping
from typing import Any, TypeAlias

from starlette.requests import Request
from starlette.responses import HTMLResponse, JSONResponse, Response

from firmware_bridge.hall.console import event_orders
from firmware_bridge.hall.console.desk import Desk, wall_ms
from firmware_bridge.hall.console.event import (
    announced_after,
    missed_rounds,
    next_round,
    points,
    unsigned_of,
    watched_people,
)
from firmware_bridge.hall.console.event_facts import entries_told, standings_told
from firmware_bridge.hall.console.guard import Guard, body_of
from firmware_bridge.hall.console.notices import Notice, notice_html, round_notice, warnings_notice
from firmware_bridge.hall.console.orders import OrderError
from firmware_bridge.hall.ledger.accounts import Account
from firmware_bridge.hall.ledger.pairings import LAST_ROUND
from firmware_bridge.hall.ledger.roles import Right
from firmware_bridge.language import LANGUAGES, texts

Answering: TypeAlias = Callable[[Request], Awaitable[Response]]
Doing: TypeAlias = Callable[[Desk, Request, Mapping[str, Any], Account], Awaitable[Any]]


def event_routes(desk: Desk, guard: Guard) -> tuple[tuple[str, str, Answering], ...]:
    """Return method, path below /api/console and answer of each."""

    def doing(right: Right, done: Doing) -> Answering:
        return _doing(desk, guard, right, done)

    return (
        ("GET", "/warnings", _asking(desk, guard, _warnings)),
        ("POST", "/warnings", doing(Right.RULE, _warn)),
        ("POST", "/warnings/{key}/take_back", doing(Right.RULE, _take_back)),
        ("GET", "/penalties", _asking(desk, guard, _penalties)),
        ("POST", "/penalties", doing(Right.PANEL, _punish)),
        ("POST", "/penalties/{key}/take_back", doing(Right.PANEL, _lift)),
        ("GET", "/entries", _asking(desk, guard, _entries)),
        ("POST", "/entries", doing(Right.REGISTER, _enter)),
        ("POST", "/absences", doing(Right.PAIR, _excuse)),
        ("GET", "/points", _asking(desk, guard, _points)),
        ("GET", "/due", _asking(desk, guard, _due)),
        ("POST", "/games/{key}/postpone", doing(Right.SUBMIT, _postpone)),
        ("POST", "/games/{key}/sign", doing(Right.SUBMIT, _sign)),
        ("POST", "/games/{key}/protest", doing(Right.SUBMIT, _protest)),
        ("GET", "/papers/{name}", _paper(desk, guard)),
    )


def _said(value: Any) -> JSONResponse:
    return JSONResponse(value, 200, {"Cache-Control": "no-store"})


def _doing(desk: Desk, guard: Guard, right: Right, done: Doing) -> Answering:
    async def answer(request: Request) -> Response:
        session = await guard.may(request, right)
        return _said(await done(desk, request, await body_of(request), session.account))

    return answer


def _asking(desk: Desk, guard: Guard, told: Callable[[Desk, int | None], Any]) -> Answering:
    async def answer(request: Request) -> Response:
        await guard.must(request)
        return _said(told(desk, _round(request)))

    return answer


def _round(request: Request) -> int | None:
    """Return the round that an address asks for; None: it asks for none.

    Raises:
        OrderError: `malformed`.
    """
    value = request.query_params.get("round")
    if value is None:
        return None
    if not (value.isascii() and value.isdecimal() and int(value[:4]) <= LAST_ROUND):
        raise OrderError("malformed", f"`round` is a number from 0 to {LAST_ROUND}, not {value[:20]!r}")
    return int(value)


# --- asking ----------------------------------------------------------------------------------------


def _warnings(desk: Desk, number: int | None) -> Any:
    listed = announced_after(desk.book, number)
    return {
        "round": number,
        "warnings": [each.as_json() for each in listed],
        "watched": list(watched_people(desk.book)),
    }


def _penalties(desk: Desk, _number: int | None) -> Any:
    return {"penalties": [each.as_json() for each in desk.book.penalties]}


def _entries(desk: Desk, _number: int | None) -> Any:
    return entries_told(desk.book, desk.tournament)


def _points(desk: Desk, number: int | None) -> Any:
    paired = next_round(desk.book) if number is None else number
    return standings_told(points(desk.book, paired), paired, missed_rounds(desk.book))


def _due(desk: Desk, _number: int | None) -> Any:
    now_ms = wall_ms()
    due = [each for fixture in desk.fixtures for each in unsigned_of(desk.book, fixture, now_ms)]
    return {"due": due, "protests": [each.as_json() for each in desk.book.protests]}


def _paper(desk: Desk, guard: Guard) -> Answering:
    async def paper(request: Request) -> Response:
        await guard.must(request)
        language = request.query_params.get("lang", desk.hub.settings.language)
        words = texts(language if language in LANGUAGES else desk.hub.settings.language)
        name, number = request.path_params["name"], _round(request)
        if name == "warnings":
            notice: Notice = warnings_notice(desk.book, number, words)
        elif name == "round":
            notice = round_notice(desk.book, number or 0, desk.conduct, words)
        else:
            raise OrderError("malformed", f"there is no paper {name[:40]!r}: warnings, round")
        return HTMLResponse(notice_html(notice, words.language), 200, {"Cache-Control": "no-store"})

    return paper


# --- doing -----------------------------------------------------------------------------------------


async def _warn(desk: Desk, _request: Request, body: Mapping[str, Any], account: Account) -> Any:
    return (await event_orders.warn(desk, body, account)).as_json()


async def _take_back(desk: Desk, request: Request, body: Mapping[str, Any], account: Account) -> Any:
    await event_orders.take_back_warning(desk, request.path_params["key"], body, account)
    return {"ok": True}


async def _punish(desk: Desk, _request: Request, body: Mapping[str, Any], account: Account) -> Any:
    return (await event_orders.punish(desk, body, account)).as_json()


async def _lift(desk: Desk, request: Request, body: Mapping[str, Any], account: Account) -> Any:
    await event_orders.lift(desk, request.path_params["key"], body, account)
    return {"ok": True}


async def _enter(desk: Desk, _request: Request, body: Mapping[str, Any], _account: Account) -> Any:
    await event_orders.enter(desk, body)
    return entries_told(desk.book, desk.tournament)


async def _excuse(desk: Desk, _request: Request, body: Mapping[str, Any], account: Account) -> Any:
    return (await event_orders.excuse(desk, body, account)).as_json()


async def _postpone(desk: Desk, request: Request, body: Mapping[str, Any], account: Account) -> Any:
    return (await event_orders.postpone(desk, request.path_params["key"], body, account)).as_json()


async def _sign(desk: Desk, request: Request, body: Mapping[str, Any], account: Account) -> Any:
    await event_orders.sign(desk, request.path_params["key"], body, account)
    return {"ok": True}


async def _protest(desk: Desk, request: Request, body: Mapping[str, Any], account: Account) -> Any:
    return (await event_orders.protest(desk, request.path_params["key"], body, account)).as_json()
