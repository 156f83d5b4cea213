"""The door of the console: who comes, whether his own page sends him, and how often he may knock.

A cookie says who it is (HttpOnly, SameSite=Strict: no script reads it, no other site sends it). What changes
something must also say the session's check word in a header, which no other site can know or set.
"""

from __future__ import annotations

import asyncio
import hmac
import json
import time
from typing import Any, Final

from starlette.requests import HTTPConnection, Request
from starlette.responses import JSONResponse, Response

from firmware_bridge.hall.console.desk import wall_ms
from firmware_bridge.hall.console.knocks import Knocks
from firmware_bridge.hall.ledger import accounts
from firmware_bridge.hall.ledger.accounts import SESSION_MS, Session
from firmware_bridge.hall.ledger.roles import RIGHTS, Right
from firmware_bridge.hall.ledger.store import Ledger
from firmware_bridge.serving import from_here

COOKIE: Final = "togyz_console"
CHECK_HEADER: Final = "x-togyz-check"
MOST_BYTES: Final = 262_144
"""Longest body: a file of pairings of the largest hall has some 100 KB."""


class DeniedError(Exception):
    """Raised when a request is not answered as it wishes; `status` and `code` are the answer."""

    def __init__(self, status: int, code: str, **more: Any) -> None:
        super().__init__(code)
        self.status, self.code, self.more = status, code, more

    def answer(self) -> JSONResponse:
        """Return the answer."""
        return JSONResponse({"error": self.code, **self.more}, self.status, {"Cache-Control": "no-store"})


class Guard:
    """Lets people in; `ledger` has their accounts."""

    def __init__(self, ledger: Ledger) -> None:
        self._ledger = ledger
        self._knocks = Knocks()

    async def who(self, connection: HTTPConnection) -> Session | None:
        """Return whose cookie comes with a request or a WebSocket; None: nobody's."""
        token = connection.cookies.get(COOKIE, "")
        if not token:
            return None
        return await self._ledger.look(lambda db: accounts.session_of(db, token, wall_ms()))

    async def must(self, connection: HTTPConnection) -> Session:
        """Return who comes.

        Raises:
            DeniedError: Nobody who is known (401).
        """
        session = await self.who(connection)
        if session is None:
            raise DeniedError(401, "no_login")
        return session

    async def may(self, request: Request, right: Right | None) -> Session:
        """Return who comes to change something.

        Raises:
            DeniedError: Nobody known (401); his own page has not sent it, or his office does not give the
                right (403).
        """
        session = await self.must(request)
        said = request.headers.get(CHECK_HEADER, "")
        if not from_here(request) or not hmac.compare_digest(said.encode(), session.check_word.encode()):
            raise DeniedError(403, "csrf")
        if right is not None and right not in RIGHTS[session.account.role]:
            raise DeniedError(403, "forbidden", needs=right.value)
        return session

    async def let_in(self, request: Request) -> Response:
        """Answer a login.

        Raises:
            DeniedError: The name or the password is wrong (401), tried too often (429), sent by another site
                (403) or no login at all (400).
        """
        if not from_here(request):
            raise DeniedError(403, "csrf")
        body = await body_of(request)
        name, password = body.get("name"), body.get("password")
        if not isinstance(name, str) or not isinstance(password, str):
            raise DeniedError(400, "malformed")
        where = request.client.host if request.client else ""
        wait_s = self._knocks.wait_s(time.monotonic(), where)
        if wait_s > 0:
            raise DeniedError(429, "wait", wait_s=round(wait_s) + 1)
        # At once: a hundred tries at the same time are a hundred.
        self._knocks.failed(time.monotonic(), where)
        account, salt, kept = await self._ledger.look(lambda db: accounts.secret_of(db, name.strip()))
        right = await asyncio.to_thread(accounts.matches, password, salt, kept)
        if account is None or not right:
            raise DeniedError(401, "wrong_password")
        self._knocks.opened(where)
        token, session = await self._ledger.do(lambda db: accounts.begin_session(db, account, wall_ms()))
        answer = JSONResponse(told(session), headers={"Cache-Control": "no-store"})
        secure = request.url.scheme == "https"
        answer.set_cookie(
            COOKIE, token, max_age=SESSION_MS // 1000, httponly=True, samesite="strict", secure=secure
        )
        return answer

    async def let_out(self, request: Request) -> Response:
        """Answer a logout."""
        await self.may(request, None)
        await self._ledger.do(lambda db: accounts.end_session(db, request.cookies.get(COOKIE, "")))
        answer = JSONResponse({"ok": True}, headers={"Cache-Control": "no-store"})
        answer.delete_cookie(COOKIE, httponly=True, samesite="strict")
        return answer


def told(session: Session) -> dict[str, Any]:
    """Return what a page is told of whoever has opened it."""
    account = session.account
    rights = sorted(right.value for right in RIGHTS[account.role])
    return {"name": account.name, "role": account.role.value, "rights": rights, "check": session.check_word}


async def body_of(request: Request) -> dict[str, Any]:
    """Return the JSON object that a request brings.

    Raises:
        DeniedError: It is too long (413), or none (400).
    """
    if request.headers.get("content-type", "").partition(";")[0].strip() != "application/json":
        raise DeniedError(400, "malformed")
    data = b""
    async for chunk in request.stream():
        data += chunk
        if len(data) > MOST_BYTES:
            raise DeniedError(413, "too_large")
    try:
        body = json.loads(data)
        # Neither half a character nor "no number" can be written down or told to a page.
        json.dumps(body, ensure_ascii=False, allow_nan=False).encode()
    except (ValueError, RecursionError):
        raise DeniedError(400, "malformed") from None
    if not isinstance(body, dict):
        raise DeniedError(400, "malformed")
    return body
