"""The arbiters' common desk: what every board needs, what was decided, and the way of an order to a board.

What the page shows is made anew from the registry, the events heard and the ledger; nothing is kept twice. An
order is written down before it is sent, so that a hall that is killed knows of it, and a page that sends it
again, for it heard no answer, gets the same answer.
"""

from __future__ import annotations

import asyncio
import logging
import secrets
import sqlite3
import time
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import replace
from typing import Any, Final, Protocol

from firmware_bridge.hall.commanding import Sent, UnsendableError
from firmware_bridge.hall.console.attention import NOTHING, REMEMBERED, Attention, event_of, taken
from firmware_bridge.hall.console.hearing import heard_of, written_down
from firmware_bridge.hall.console.learning import offences_in, warnings_in
from firmware_bridge.hall.console.orders import Order, OrderError, check_rights, needs_ply
from firmware_bridge.hall.console.undo import undo_of
from firmware_bridge.hall.console.views import Known, board_view, need, proposed
from firmware_bridge.hall.hub import Hub
from firmware_bridge.hall.ledger import discipline, notes
from firmware_bridge.hall.ledger.accounts import Account
from firmware_bridge.hall.ledger.book import read_book
from firmware_bridge.hall.ledger.event_values import NO_BOOK
from firmware_bridge.hall.ledger.roles import RIGHTS, Right
from firmware_bridge.hall.ledger.store import Ledger, LedgerError
from firmware_bridge.hall.ledger.values import Fixture, Heard, Ruling, Warned
from firmware_bridge.hall.records import Kept
from firmware_bridge.wire.mqtt import Event, Received
from firmware_bridge.wire.payloads import EventPayload, PayloadError, decode
from rules.conduct.options import CLASSICAL, Conduct
from rules.events import ClockPressed, MovePlayed
from rules.tournament.options import DEFAULTS, Tournament

_log = logging.getLogger(__name__)

MOST_ASKED: Final = 2
"""How often the very same command is sent again when no answer came; each waits as long as the first."""


class Sender(Protocol):
    """How a board is commanded: `firmware_bridge.hall.commanding.Commander`, or a test's own."""

    async def send(self, board: str, command: Mapping[str, Any], *, who: str, ply: int | None = None) -> Sent:
        """Tell a board something, and wait for its answer."""
        ...

    async def ask_again(self, sent: Sent) -> Sent:
        """Send the very same command once more."""
        ...


class Desk:
    """What all arbiters share.

    Args:
        hub: The hall's boards.
        ledger: The hall's own book, open.
        sender: How boards are commanded; None: there are no keys, so everything can be seen and nothing told.
        conduct: What the event has chosen where the regulations leave a choice.
        control: The control of games that name none, as text.
        tournament: What the event has chosen about its pairings.

    Attributes:
        hub: The hall's boards.
        ledger: The hall's own book.
        control: The control of games that name none.
        conduct: What the event has chosen.
        tournament: What it has chosen about its pairings.
        book: What the ledger holds of games and people.
    """

    def __init__(
        self,
        hub: Hub,
        ledger: Ledger,
        sender: Sender | None,
        *,
        conduct: Conduct = CLASSICAL,
        control: str = "1h",
        tournament: Tournament = DEFAULTS,
    ) -> None:
        self.hub, self.ledger, self.control = hub, ledger, control
        self.conduct, self.tournament = conduct, tournament
        self.book = NO_BOOK
        self._sender = sender
        self._attention: dict[str, Attention] = {}
        self._rulings: dict[str, tuple[Ruling, ...]] = {}
        self._versions: dict[str, int] = {}
        self._learned: set[str] = set()
        self._watchers: set[asyncio.Event] = set()
        self._locks: dict[str, asyncio.Lock] = {}

    @property
    def fixtures(self) -> tuple[Fixture, ...]:
        """All games of the event."""
        return self.book.fixtures

    @property
    def warnings(self) -> tuple[Warned, ...]:
        """The event's list of warnings."""
        return self.book.warnings

    @property
    def commands(self) -> bool:
        """Whether boards can be commanded from here."""
        return self._sender is not None

    async def open(self) -> None:
        """Read what the ledger remembers."""
        for heard in await self.ledger.do(notes.kept):
            self._attention[heard.board] = taken(self._attention.get(heard.board, NOTHING), heard)
        await self.ledger.do(notes.lost_rulings)
        for board in await self.ledger.do(notes.boards_ruled):
            self._rulings[board] = await self.ledger.do(lambda db, board=board: notes.rulings(db, board))  # type: ignore[misc] # bound now
        await self.refresh()

    async def refresh(self) -> None:
        """Read the ledger anew, and tell every page."""
        self.book = await self.ledger.look(read_book)
        self._changed(*self.hub.registry.boards)

    # --- hearing -----------------------------------------------------------------------------

    async def take(self, event: Event) -> None:
        """Take what a board tells of its game."""
        if not isinstance(event, Received):
            return
        try:
            payload = decode(event.topic, event.payload)
        except PayloadError as error:
            _log.debug("event skipped: %s", error)
            return
        if isinstance(payload, EventPayload) and payload.event == self.hub.registry.event:
            await self.hear(heard_of(payload))

    async def hear(self, heard: Heard) -> None:
        """Take one event; what must be remembered is on disk before a page shows it."""
        before = self._attention.get(heard.board, NOTHING)
        after = taken(before, heard)
        if after is before:
            return
        event = event_of(heard.data)
        move = isinstance(event, MovePlayed) and (before.lays_anew or before.draw_open is not None)
        reply = isinstance(event, ClockPressed) and bool(before.open)
        if event is not None and (move or reply or heard.data["kind"] in REMEMBERED):
            names = self._names(heard.board)
            now_ms = wall_ms()
            await self.ledger.do(lambda db: written_down(db, heard, event, after, names, now_ms))
            self.book = await self.ledger.look(read_book)
        self._attention[heard.board] = after
        self._changed(heard.board)

    async def learn(self) -> None:
        """Take from the records of ended games what nobody here has heard: warnings, infractions."""
        shelf = self.hub.registry.records
        for board in self.hub.registry.boards:
            for kept in shelf.whole(board):
                if kept.sha256 not in self._learned:
                    await self._learn(board, kept)
                    self._learned.add(kept.sha256)

    async def _learn(self, board: str, kept: Kept) -> None:
        fixture = next((each for each in self.fixtures if each.key == kept.game), None)
        tags = kept.record.tags
        names = (tags.bastaushy or "", tags.qostaushy or "")
        number = 0
        if fixture is not None:
            names, number = (fixture.bastaushy, fixture.qostaushy), fixture.round
        given = warnings_in(kept.record, names, board, kept.game, number)
        done = offences_in(kept.record, names, kept.game)
        if given or done:
            await self.ledger.do(lambda db: discipline.learn(db, given, done))
            await self.refresh()

    def _names(self, board: str) -> tuple[str, str]:
        state = self.snapshot(board)["state"]
        return ("", "") if state is None else (state["names"][0], state["names"][1])

    # --- showing -----------------------------------------------------------------------------

    def snapshot(self, board: str) -> dict[str, Any]:
        """Return a board as viewers get it."""
        return self.hub.registry.snapshot(board, time.monotonic())

    def known(self, board: str) -> Known:
        """Return everything that is known of a board."""
        snapshot = self.snapshot(board)
        state = snapshot["state"]
        key = None if state is None else state["game"]
        planned = [each for each in self.fixtures if each.board == board and each.status == "planned"]
        attention = self._attention.get(board, NOTHING)
        if state is not None and attention.game != (state["game"] or ""):
            attention = NOTHING  # what was heard is of another game
        return Known(
            board=board,
            snapshot=snapshot,
            attention=attention,
            fixture=next((each for each in self.fixtures if each.key == key), None),
            planned=planned[0] if planned else None,
            rulings=self._rulings.get(board, ()),
            conduct=self.conduct,
            book=self.book,
            now_ms=wall_ms(),
            advice=self.hub.registry.advice(board),
        )

    def view(self, board: str) -> dict[str, Any]:
        """Return a board as the console shows it."""
        return {**board_view(self.known(board)), "sent_ms": wall_ms()}

    def stamp(self, board: str) -> tuple[Any, ...]:
        """Return what differs whenever a board's view does by more than a clock running on."""
        known = self.known(board)
        return (
            known.snapshot["version"],
            self._versions.get(board, 0),
            known.snapshot["presence"]["reason"],
            need(known),
            known.advice,
            tuple((each["code"], each["side"]) for each in proposed(known)),
        )

    def _changed(self, *boards: str) -> None:
        for board in boards:
            self._versions[board] = self._versions.get(board, 0) + 1
        for watcher in self._watchers:
            watcher.set()

    @contextmanager
    def watching(self) -> Iterator[asyncio.Event]:
        """Give a page its flag for as long as it is open."""
        with self.hub.watching_all() as changed:
            self._watchers.add(changed)
            try:
                yield changed
            finally:
                self._watchers.discard(changed)

    # --- ordering ----------------------------------------------------------------------------

    async def order(self, board: str, order: Order, account: Account) -> Ruling:
        """Carry an order out, and return what came of it; one that was given already is not given again.

        Raises:
            OrderError: It was not sent, and nothing has happened: `unknown_board`, `no_keys`, `stale`; or
                his office does not allow it, or a warning that goes with it is another's.
            LedgerError: It cannot be written down, and was not sent.
        """
        async with self._locks.setdefault(board, asyncio.Lock()):
            if self._sender is None:
                raise OrderError("no_keys", "this hall has no keys: boards cannot be commanded from here")
            given = await self.ledger.do(lambda db: notes.ruling_of(db, order.id))
            if given is not None:
                return self._remembered(given)
            state = self.snapshot(board)["state"] if board in self.hub.registry else None
            if state is None:
                raise OrderError("unknown_board", f"board {board} has not been heard of")
            self._check(order, state)
            commands = self._completed(board, order)
            check_rights(replace(order, commands=tuple(commands)), account.role)
            await self._check_undo(board, order, account)
            ruling = Ruling(
                id=order.id,
                board=board,
                game=order.game,
                ply=order.ply,
                given_by=account.name,
                commands=commands,
                outcome="sending",
                undo=None if order.undoes else undo_of(commands, state),
                undoes=order.undoes,
                at_ms=wall_ms(),
            )
            return await self._begun(ruling)

    async def instruct(self, board: str, command: dict[str, Any], account: Account) -> Ruling:
        """Tell a board what holds at any ply, such as `assign` or `start`, and return what came of it.

        Raises:
            OrderError: `no_keys`: it was not sent.
            LedgerError: It cannot be written down, and was not sent.
        """
        if self._sender is None:
            raise OrderError("no_keys", "this hall has no keys: boards cannot be commanded from here")
        state = self.snapshot(board)["state"] or {}
        ruling = Ruling(
            id=secrets.token_hex(16),
            board=board,
            game=str(state.get("game") or ""),
            ply=int(state.get("ply") or 0),
            given_by=account.name,
            commands=[command],
            outcome="sending",
            at_ms=wall_ms(),
        )
        async with self._locks.setdefault(board, asyncio.Lock()):
            return await self._begun(ruling)

    def _remembered(self, given: Ruling) -> Ruling:
        """Return what came of an order, though the card may not have taken it."""
        known = self._rulings.get(given.board, ())
        return next((each for each in known if each.id == given.id), given)

    async def _begun(self, ruling: Ruling) -> Ruling:
        await self.ledger.do(lambda db: notes.begin_ruling(db, ruling))
        # Whoever closes his page meanwhile stops nothing: half an order would be the worst of all.
        return await asyncio.shield(
            asyncio.create_task(self._carry_out(ruling), name=f"order {ruling.board}")
        )

    def _check(self, order: Order, state: Mapping[str, Any]) -> None:
        """Refuse what was decided about another position than the one that is there now."""
        if order.game != (state["game"] or ""):
            raise OrderError("stale", f"another game is there now: {state['game']}")
        if any(needs_ply(command) for command in order.commands) and order.ply != state["ply"]:
            raise OrderError("stale", f"{state['ply']} plies are played now, not {order.ply}")

    async def _check_undo(self, board: str, order: Order, account: Account) -> None:
        """Refuse to take back what was not done here, or was taken back; or the warning of another (2.4.8).

        Two arbiters may tap the same undo: time given back twice would be time taken.
        """
        if order.undoes is None:
            return
        key = order.undoes
        taken = await self.ledger.do(lambda db: notes.ruling_of(db, key))
        if taken is None or taken.board != board or taken.outcome != "accepted" or taken.undoes is not None:
            raise OrderError("malformed", f"board {board} has carried out no order {key[:80]!r} to be undone")
        if await self.ledger.do(lambda db: notes.is_undone(db, key)):
            raise OrderError("taken_back", f"order {key[:80]!r} is taken back already, or may be")
        if taken.given_by == account.name or Right.PANEL in RIGHTS[account.role]:
            return
        if any(command.get("do") == "warn" for command in taken.commands):
            told = f"{taken.given_by} has given a warning with it; he or the chief panel takes it back"
            raise OrderError("another_arbiter", told, ("2.4.8",))

    def _completed(self, board: str, order: Order) -> list[dict[str, Any]]:
        """Return the commands, a warning that names no step with the one that is next."""
        steps = board_view(self.known(board))["steps"]
        commands: list[dict[str, Any]] = []
        for command in order.commands:
            told = {name: value for name, value in command.items() if name != "by"}
            if told["do"] == "warn" and "level" not in told:
                told["level"] = steps[told.get("side") == "qostaushy"]
            commands.append(told)
        return commands

    async def _carry_out(self, ruling: Ruling) -> Ruling:
        ply = ruling.ply
        done = replace(ruling, outcome="accepted")
        for number, command in enumerate(ruling.commands):
            told = {**command, "by": ruling.given_by} if "do" in command else command
            try:
                sent = await self._sent(ruling, told, ply if needs_ply(command) else None)
            except UnsendableError as error:
                done = replace(ruling, outcome="refused", code=error.code, detail=str(error))
            except ValueError as error:
                done = replace(ruling, outcome="refused", code="no_command", detail=str(error))
            else:
                ply = sent.ply if sent.ply is not None else ply
                if sent.outcome == "accepted":
                    continue
                done = replace(ruling, outcome=sent.outcome, code=sent.code, detail=sent.detail)
            done = replace(done, undo=None, detail=f"{number + 1}: {command['do']}: {done.detail}")
            break
        try:
            await self.ledger.do(lambda db: _ended(db, done))
            if done.undoes is not None:
                self.book = await self.ledger.look(read_book)
            self._rulings[done.board] = await self.ledger.do(lambda db: notes.rulings(db, done.board))
        except LedgerError as error:
            # The board has answered: whoever gave the order is told what came of it, card or no card.
            _log.error("order %s: what came of it is not written down: %s", done.id, error)
            self._rulings[done.board] = (done, *self._rulings.get(done.board, ()))[: notes.MOST_RULINGS]
        self._changed(done.board)
        return done

    async def _sent(self, ruling: Ruling, command: Mapping[str, Any], ply: int | None) -> Sent:
        assert self._sender is not None
        sent = await self._sender.send(ruling.board, command, who=ruling.given_by, ply=ply)
        for _ in range(MOST_ASKED):
            if sent.outcome != "unknown":
                break
            try:
                sent = await self._sender.ask_again(sent)
            except UnsendableError as error:
                # It was sent before, and the board may have done it: that it cannot be asked is no refusal.
                return replace(sent, code=error.code, detail=str(error))
        return sent


def _ended(db: sqlite3.Connection, done: Ruling) -> None:
    """Write down what came of an order; one that takes another back takes its warnings back with it."""
    notes.end_ruling(db, done)
    if done.undoes is not None and done.outcome == "accepted":
        discipline.undo_warnings(db, done.undoes, done.given_by)


def wall_ms() -> int:
    """Return the hall's wall time, a label."""
    return time.time_ns() // 1_000_000
