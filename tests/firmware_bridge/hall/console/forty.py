"""A hall of forty boards, most of them playing, some with one thing each for an arbiter; none is real."""

from __future__ import annotations

import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

from firmware_bridge.hall.ledger import games
from firmware_bridge.hall.ledger.accounts import Account, save_account
from firmware_bridge.hall.ledger.roles import Role
from firmware_bridge.hall.ledger.store import Ledger
from firmware_bridge.hall.ledger.values import Fixture
from firmware_bridge.hall.settings import ConsoleSettings
from firmware_bridge.wire.payloads import EventPayload, NotePart, StatePayload, WatchPart
from firmware_bridge.wire.signing import SECRET_BYTES, Key, Keyring
from rules import START
from tests.firmware_bridge.display.browser import Browser
from tests.firmware_bridge.hall.console.login import log_in
from tests.firmware_bridge.hall.console.scenes import SEEN
from tests.firmware_bridge.hall.fake_feed import FakeFeed
from tests.firmware_bridge.hall.plays import (
    EVENT,
    avail,
    clock_part,
    position_part,
    result,
    sowings,
    state,
)
from tests.firmware_bridge.hall.serving import serving, settings
from tests.house.stage import PASSWORD

BOARDS: Final = tuple(f"b{number:02}" for number in range(1, 41))
NAMED: Final = (
    ("Қабдығалым Нұржан", "Райымбекова Роза"),
    ("Бейбітшілік Нұрмұхаммедұлы Әбдіқадыр", "Wilhelmina von Hohenzollern"),
    ("Айдос Сейітов", "Әсел Тұрсын"),
    ("Ерлан Мұрат", "Дана Оспан"),
)
STOOD: Final = {"running": False}

WAITED_S: Final = 300
"""How long ago the first thing happened that needs a person; each board's is a second younger."""


def now_ms() -> int:
    """Return the wall time."""
    return time.time_ns() // 1_000_000


def names_of(board: str) -> tuple[str, str]:
    """Return who plays at a board."""
    number = BOARDS.index(board)
    first, second = NAMED[number % len(NAMED)]
    return (first, second) if number < len(NAMED) else (f"{first} {number}", f"{second} {number}")


def table(board: str, plies: int = 12, **more: Any) -> StatePayload:
    """Return the state of a board after so many plies; `more` replaces fields."""
    facts = {"board": board, "game": f"r1-{board}", "names": names_of(board), **more}
    return state(plies, **facts)


def event(
    board: str, data: dict[str, Any], *, seq: int = 90, ply: int = 0, at_ms: int | None = None
) -> EventPayload:
    """Return what a board tells of its game."""
    return EventPayload(
        event=EVENT, board=board, game=f"r1-{board}", boot=1, seq=seq, ply=ply, data=data,
        ts=now_ms() if at_ms is None else at_ms,
        position=position_part(START), clock=clock_part(START),
    )  # fmt: skip


OFFERED: Final[dict[str, Any]] = {"kind": "draw_offered", "at_us": 5, "side": "bastaushy"}
CALLED: Final[dict[str, Any]] = {"kind": "arbiter_called", "at_us": 5, "side": "qostaushy", "press": None}
SEALED: Final[dict[str, Any]] = {
    "kind": "game_adjourned", "at_us": 5, "seal": "ab" * 32, "by": "Сәуле", "reason": "2.8.1",
}  # fmt: skip
FLAGGED: Final = clock_part(sowings()[11].after, running=False).model_copy(
    update={"flagged": (True, False), "remaining_ms": (0, 61_000)}
)
BOTH_FLAGGED: Final = FLAGGED.model_copy(update={"flagged": (True, True), "remaining_ms": (0, 0)})
ONE_OUT: Final = WatchPart(
    sensed="differs", notes=(NotePart(code="stones_differ", pit=4, detail="pit 5: 9, due 8"),)
)
UNREAD: Final = WatchPart(
    sensed="unreadable", notes=(NotePart(code="unreadable", pit=4, detail="", why="stuck"),)
)


def special() -> dict[str, tuple[StatePayload, tuple[dict[str, Any], ...]]]:
    """Return the boards at which something is to be done: their states, and what they told of."""
    return {
        "b03": (table("b03", 0, last=None), (SEEN,)),
        "b08": (table("b08"), (CALLED,)),
        "b11": (table("b11", clock=FLAGGED), ()),
        "b12": (table("b12", clock=BOTH_FLAGGED), ()),
        "b14": (table("b14", watch=UNREAD), ()),
        "b17": (table("b17"), (OFFERED,)),
        "b20": (table("b20", phase="suspended", pause="arbiter", clock=_stood()), ()),
        "b21": (table("b21", phase="suspended", pause="arbiter", clock=_stood(), watch=ONE_OUT), ()),
        "b22": (table("b22", phase="suspended", pause="2.8.1", clock=_stood()), (SEALED,)),
        "b25": (table("b25", result=result("1-0", "resignation")), ()),
        "b28": (table("b28", 0, phase="setting_up", ready=(True, False), clock=_stood()), ()),
        "b29": (table("b29", 0, phase="ready", clock=_stood()), ()),
        "b33": (table("b33"), ()),
    }


def _stood() -> Any:
    return clock_part(sowings()[11].after, running=False)


def fill(feed: FakeFeed, heard: FakeFeed) -> None:
    """Let all forty boards say how they stand; b33 has gone away since."""
    others = special()
    began_ms = now_ms() - 1000 * WAITED_S
    for number, board in enumerate(BOARDS):
        shown, told = others.get(board, (table(board, 4 + number % 9), ()))
        feed.say(avail(online=True, board=board))
        feed.say(shown)
        if board == "b33":
            feed.say(avail(online=False, board=board, ts=now_ms(), seq=99))
        for seq, data in enumerate(told, start=90):
            heard.say(event(board, data, seq=seq, ply=shown.ply, at_ms=began_ms + 1000 * number))  # type: ignore[arg-type] # any payload


@dataclass(frozen=True)
class Hall:
    """A hall whose boards are told what to say.

    Attributes:
        url: Where it answers.
        feed: Says states of boards.
        heard: Says events of boards.
        name: Who may log in, with the password of the stage.
    """

    url: str
    feed: FakeFeed
    heard: FakeFeed
    name: str

    def tell(self, board: str, data: dict[str, Any], *, seq: int, ply: int = 12) -> None:
        """Let a board tell an event."""
        self.heard.say(event(board, data, seq=seq, ply=ply))  # type: ignore[arg-type] # any payload

    def enter(self, browser: Browser, query: str = "?lang=en") -> None:
        """Open the console, logged in, and wait for all boards."""
        browser.open(f"{self.url}/console{query}")
        browser.until("document.querySelector('form.login, .console-page')", "a page")
        if browser.js("return document.querySelector('form.login')"):
            log_in(browser, self.name, PASSWORD)
        browser.until(f"document.querySelectorAll('.card').length === {len(BOARDS)}", "all boards")


@contextmanager
def forty_boards(folder: Path, *, role: Role = Role.CHIEF) -> Iterator[Hall]:
    """Serve them to an arbiter who is called as his office.

    The hall has keys, so its pages offer everything; nobody answers what is sent.
    """
    feed, heard = FakeFeed(), FakeFeed()
    keys = Keyring(tuple(Key(f"{board}-aaaaaa", EVENT, board, b"." * SECRET_BYTES) for board in BOARDS))
    with Ledger(folder / "ledger", EVENT) as ledger:
        ledger.apply(lambda db: save_account(db, Account(role.value, role), PASSWORD, 1))
        for board in BOARDS:
            ledger.apply(lambda db, board=board: games.assigned(db, _fixture(board), 1))  # type: ignore[misc] # bound now
        wanted = ConsoleSettings(ledger=ledger.path, keys=keys)
        with serving(feed, settings(console=wanted, stale_after_s=600.0), heard) as served:
            fill(feed, heard)
            yield Hall(served.url, feed, heard, role.value)


def _fixture(board: str) -> Fixture:
    first, second = names_of(board)
    return Fixture(
        key=f"r1-{board}", round=1, board=board, bastaushy=first, qostaushy=second, seat="a", control="60m"
    )
