"""The console's live line: every board that has changed, whole; clocks now and then. For those logged in."""

from __future__ import annotations

import asyncio
import contextlib
import json
from typing import Any, Final

from fastapi import WebSocket
from starlette.websockets import WebSocketDisconnect

from firmware_bridge.hall.console.desk import Desk, wall_ms
from firmware_bridge.hall.console.event import watched_people
from firmware_bridge.hall.console.guard import Guard
from firmware_bridge.serving import from_here, until_gone

NO_LOGIN: Final = 4401
COALESCE_S: Final = 0.1
LOOK_S: Final = 1.0
"""How often boards are looked at though nothing was heard: silence is news as well."""
BEAT_S: Final = 2.0


async def serve(page: WebSocket, desk: Desk, guard: Guard, assets: str) -> None:
    """Tell a page all boards, then what changes, until it leaves or its session ends."""
    await page.accept()
    if not from_here(page) or await guard.who(page) is None:
        await page.close(NO_LOGIN, "log in first")
        return
    with desk.watching() as changed, contextlib.suppress(WebSocketDisconnect):
        gone = asyncio.create_task(until_gone(page, changed), name="console leaves")
        try:
            await _tell(page, desk, guard, assets, changed, gone)
        finally:
            gone.cancel()
            await asyncio.wait({gone})


async def _tell(
    page: WebSocket, desk: Desk, guard: Guard, assets: str, changed: asyncio.Event, gone: asyncio.Task[None]
) -> None:
    stamps: dict[str, Any] = {}
    games: Any = None
    loop = asyncio.get_running_loop()
    beat_at_s = look_at_s = 0.0
    while not gone.done():
        changed.clear()
        if loop.time() >= look_at_s:  # however much there is to tell: in a full hall there is always news
            look_at_s = loop.time() + BEAT_S
            if await guard.who(page) is None:
                await page.close(NO_LOGIN, "the session is over")
                return
        boards = desk.hub.registry.boards
        now = {board: desk.stamp(board) for board in boards}
        news = [board for board in boards if stamps.get(board) != now[board]]
        facts = (desk.fixtures, desk.warnings, desk.book.penalties)
        if news or games is None or games != facts or stamps.keys() != now.keys():
            whole = games is None or games != facts
            games, stamps = facts, now
            await page.send_text(_written(_news(desk, news, assets, whole=whole)))
        elif loop.time() >= beat_at_s:
            beat_at_s = loop.time() + BEAT_S
            await page.send_text(_written(_beat(desk)))
        await asyncio.sleep(COALESCE_S)
        with contextlib.suppress(TimeoutError):
            await asyncio.wait_for(changed.wait(), LOOK_S)


def _news(desk: Desk, boards: list[str], assets: str, *, whole: bool) -> dict[str, Any]:
    """Return what has changed; games and warnings of the event only when they have."""
    more: dict[str, Any] = {}
    if whole:
        more["games"] = [fixture.as_json() for fixture in desk.fixtures]
        more["warnings"] = [warned.as_json() for warned in desk.warnings]
        more["penalties"] = [penalty.as_json() for penalty in desk.book.penalties]
        more["watched"] = list(watched_people(desk.book))
    return {
        "kind": "boards",
        "sent_ms": wall_ms(),
        "assets": assets,
        "commands": desk.commands,
        "control": desk.control,
        "known": list(desk.hub.registry.boards),
        "boards": [desk.view(board) for board in boards],
        **more,
    }


def _beat(desk: Desk) -> dict[str, Any]:
    clocks = {}
    for board in desk.hub.registry.boards:
        state = desk.snapshot(board)["state"]
        clocks[board] = None if state is None else state["clock"]
    return {"kind": "beat", "sent_ms": wall_ms(), "clocks": clocks}


def _written(message: dict[str, Any]) -> str:
    return json.dumps(message, ensure_ascii=False, separators=(",", ":"))
