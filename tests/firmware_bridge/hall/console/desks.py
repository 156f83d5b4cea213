"""A desk without a broker: a board that does what it is told, and tells of it as boards do."""

from __future__ import annotations

from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any, cast

from firmware_bridge.board.requests.commands import parse_command
from firmware_bridge.hall.commanding import Sent
from firmware_bridge.hall.console.desk import Desk
from firmware_bridge.hall.console.orders import Order
from firmware_bridge.hall.hub import Hub
from firmware_bridge.hall.ledger.accounts import Account
from firmware_bridge.hall.ledger.roles import Role
from firmware_bridge.hall.ledger.store import Ledger
from firmware_bridge.hall.ledger.values import Heard, Ruling
from firmware_bridge.wire.mqtt import Received
from rules.conduct.options import CLASSICAL, Conduct
from rules.control_text import parse_control
from rules.events import GameAssigned, GameEvent
from rules.events_json import event_to_json
from rules.incidents import PlayerWarned
from rules.position import Side
from rules.tournament.options import DEFAULTS, Tournament
from tests.firmware_bridge.hall.plays import EVENT, NAMES, message, state
from tests.firmware_bridge.hall.serving import settings

if TYPE_CHECKING:
    from firmware_bridge.wire.signing import SignedCommand

LINE = Account("Марат", Role.LINE)
OTHER = Account("Сәуле", Role.LINE)
CHIEF = Account("Бас төреші", Role.CHIEF)

GAME = "r1-b01"


class Board:
    """A board at the other end: takes every command, and tells the desk what has happened.

    Attributes:
        told: What it was told.
        desk: Who hears it.
        seq: Its journal number.
        tells: Whether the desk hears it; what it told before is heard when it is set again.
    """

    def __init__(self) -> None:
        self.told: list[dict[str, Any]] = []
        self.desk: Desk
        self.seq = 100
        self.tells = True
        self._late: list[Heard] = []

    async def send(
        self, _board: str, command: Mapping[str, Any], *, who: str, ply: int | None = None
    ) -> Sent:
        """Carry out a command."""
        parse_command(dict(command), 0)
        self.told.append(dict(command))
        if command["do"] == "warn":
            await self.tell(
                PlayerWarned(
                    at_us=1,
                    side=Side(command["side"]),
                    level=command["level"],
                    article=command.get("article", ""),
                    by=who,
                    reason=command.get("reason", ""),
                )
            )
        return Sent(cast("SignedCommand", None), "accepted", ply=ply or 0)

    async def ask_again(self, sent: Sent) -> Sent:
        """Answer the same."""
        return sent

    async def tell(self, event: GameEvent, *, ply: int = 0, game: str = GAME) -> None:
        """Tell of an event."""
        self.seq += 1
        data = event_to_json(event)
        heard = Heard(board="b01", boot=1, seq=self.seq, game=game, ply=ply, at_ms=self.seq, data=data)
        if not self.tells:
            self._late.append(heard)
            return
        await self.desk.hear(heard)

    async def catch_up(self) -> None:
        """Let the desk hear what it has missed."""
        self.tells = True
        for heard in self._late:
            await self.desk.hear(heard)
        self._late.clear()


async def desk_of(
    folder: Path, conduct: Conduct = CLASSICAL, tournament: Tournament = DEFAULTS
) -> tuple[Desk, Board]:
    """Return a desk that has heard of one board in play, and the board; the caller closes the ledger."""
    board = Board()
    hub = Hub(settings(), "test")
    topic, data = message(state(0))
    hub.take(Received(topic, data, retained=True))
    desk = Desk(hub, Ledger(folder / "ledger", EVENT), board, conduct=conduct, tournament=tournament)
    board.desk = desk
    await desk.open()
    return desk, board


async def assigned(board: Board, game: str = GAME) -> None:
    """Let the board tell of its game."""
    control = parse_control("1h")
    await board.tell(
        GameAssigned(at_us=0, game_id=game, names=NAMES, starter_seat="a", control=control), game=game
    )


@asynccontextmanager
async def desk_in_play(folder: Path, conduct: Conduct = CLASSICAL) -> AsyncIterator[tuple[Desk, Board]]:
    """A desk and its board, with a game given to it."""
    made, board = await desk_of(folder, conduct)
    try:
        await assigned(board)
        yield made, board
    finally:
        made.ledger.close()


async def order(
    desk: Desk, account: Account, *commands: dict[str, Any], key: str = "", undoes: str | None = None
) -> Ruling:
    """Give an order about the board as it is."""
    known = desk.snapshot("b01")["state"]
    name = key or f"order-{len(desk.view('b01')['rulings']):08}"
    wanted = Order(name, known["game"], known["ply"], tuple(dict(each) for each in commands), undoes)
    return await desk.order("b01", wanted, account)
