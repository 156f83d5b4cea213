"""The hall's hand on a board: signs a command, sends it, and waits for what came of it.

Silence is no refusal: without an answer nobody knows whether a command was carried out. So it is never
signed anew by itself; `ask_again` sends the very same bytes, which a board carries out at most once.
What a board says of its nonce is not signed. Whoever forges that makes commands be refused, and no more.
"""

from __future__ import annotations

import asyncio
import json
import logging
import secrets
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from types import TracebackType
from typing import Any, Final, Literal, Self, TypeAlias

from firmware_bridge.wire.mqtt import Connected, Event, MqttClient, Received
from firmware_bridge.wire.payloads import CommandsPart, MetaPayload, PayloadError, decode
from firmware_bridge.wire.refusals import Refusals
from firmware_bridge.wire.settings import BrokerSettings
from firmware_bridge.wire.signing import (
    ACCEPTED,
    UNSIGNED,
    Ack,
    Key,
    Keyring,
    SignedCommand,
    SigningError,
    read_signed,
)
from firmware_bridge.wire.topics import acks_filter, boards_filter, build_command, command_topic

ANSWER_TIMEOUT_S: Final = 5.0
"""A board answers within a tenth of a second; a card that is slow to write takes one."""

Outcome: TypeAlias = Literal["accepted", "refused", "unknown"]
Unsendable: TypeAlias = Literal["no_broker", "no_key", "board_unknown", "board_takes_none", "key_not_known"]

_log = logging.getLogger(__name__)


class UnsendableError(RuntimeError):
    """Raised when a command could not even be sent; nothing has happened. `code` says why for programs."""

    def __init__(self, code: Unsendable, why: str) -> None:
        super().__init__(why)
        self.code: Unsendable = code


@dataclass(frozen=True, slots=True)
class Sent:
    """A command that was sent, and what is known of it.

    Attributes:
        command: The command as it travelled.
        outcome: `accepted`: the board has carried it out; `refused`: it has not, and will not; `unknown`: it
            may have, or may still. Then `ask_again`, or look at the board's state.
        code: The board's reason; empty while the outcome is unknown for want of an answer.
        detail: The board's words, in English.
        ply: Plies played when the board answered; None without an answer.
    """

    command: SignedCommand
    outcome: Outcome
    code: str = ""
    detail: str = ""
    ply: int | None = None


class Commander:
    """Commands the boards of one event; an asynchronous context manager.

    Args:
        broker: Where; an empty client id is replaced by a random one.
        event: Id of the event.
        ring: The hall's keys.
        timeout_s: Seconds to wait for an answer.

    Attributes:
        forged: Answers whose signature was wrong.
    """

    def __init__(
        self, broker: BrokerSettings, event: str, ring: Keyring, *, timeout_s: float = ANSWER_TIMEOUT_S
    ) -> None:
        self._event, self._ring, self._timeout_s = event, ring, timeout_s
        client_id = broker.client_id or f"commander-{secrets.token_hex(6)}"
        wanted = ((acks_filter(event), 1), (boards_filter(event, "meta"), 1))
        self._client = MqttClient(replace(broker, client_id=client_id), None, wanted)
        self._offers: dict[str, CommandsPart | None] = {}  # by board; None: it takes no commands
        self._numbers: dict[tuple[str, str], int] = {}  # by key and nonce: the last used
        self._asked: dict[str, tuple[SignedCommand, asyncio.Future[Ack]]] = {}  # by the command's id
        self._locks: dict[str, asyncio.Lock] = {}
        self._news = asyncio.Condition()
        self._listening: asyncio.Task[None] | None = None
        self._forgeries = Refusals(what="answer")

    @property
    def forged(self) -> int:
        """Answers whose signature was wrong."""
        return self._forgeries.counts["bad_signature"]

    async def __aenter__(self) -> Self:
        """Begin connecting in the background."""
        await self._client.__aenter__()
        self._listening = asyncio.create_task(self._listen(), name=f"answers of {self._event}")
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        """Close; whoever still waits for an answer gets `unknown` when his time is over."""
        await self._client.close()
        if self._listening is not None:
            await asyncio.gather(self._listening)

    # --- sending -----------------------------------------------------------------------------

    async def send(self, board: str, command: Mapping[str, Any], *, who: str, ply: int | None = None) -> Sent:
        """Sign a command, send it, and wait for the answer; one at a time for each board.

        Args:
            board: Id of the board.
            command: As `togyz control` tells a board, such as `{"do": "suspend", "reason": "2.4.8"}`.
            who: Who gives it: a name or an office, 1 to 80 letters.
            ply: Plies that must have been played; None where it holds at any.

        Raises:
            UnsendableError: It was not sent.
            ValueError: It cannot be written as a command.
        """
        async with self._locks.setdefault(board, asyncio.Lock()):
            key, offer = self._key_of(board), await self._offer_of(board)
            if key.id not in offer.keys:
                raise UnsendableError("key_not_known", f"board {board} does not know key {key.id!r}")
            body = json.dumps(command, ensure_ascii=False)

            def signed() -> SignedCommand:
                return self._sign(key, offer, who=who, ply=ply, body=body)

            sent = await self._exchange(signed(), key)
            if sent.outcome == "refused" and sent.code == "replayed":
                # Another program, or this one before it was started again, has used the number. The board
                # says in a signed answer that it has not done this one, so it may be signed anew.
                sent = await self._exchange(signed(), key)
            return sent

    async def ask_again(self, sent: Sent) -> Sent:
        """Send the very same command once more, after an outcome that is unknown.

        If the board has carried it out it says so and does nothing; if it has never come, it does it now.
        A board that was started since, or has taken later commands, cannot tell: still unknown.

        Raises:
            UnsendableError: It was not sent.
        """
        board = sent.command.board
        async with self._locks.setdefault(board, asyncio.Lock()):
            await self._wait_for(lambda: self._client.connected)
            again = await self._exchange(sent.command, self._key_of(board))
        if again.code in ("stale_nonce", "replayed"):
            return replace(again, outcome="unknown")
        return again

    def _key_of(self, board: str) -> Key:
        key = self._ring.of_board(self._event, board)
        if key is None:
            raise UnsendableError("no_key", f"there is no key for board {board} of event {self._event}")
        return key

    async def _offer_of(self, board: str) -> CommandsPart:
        """Return what a command to a board must name, once the board has said it."""
        if not await self._wait_for(lambda: board in self._offers and self._client.connected):
            if not self._client.connected:
                raise UnsendableError("no_broker", self._client.reason)
            raise UnsendableError("board_unknown", f"board {board} has not been heard of")
        offer = self._offers[board]
        if offer is None:
            raise UnsendableError("board_takes_none", f"board {board} takes no commands over the broker")
        return offer

    async def _wait_for(self, true: Callable[[], bool]) -> bool:
        """Wait until something of the connection is true, and tell whether it came so far in time."""
        try:
            async with asyncio.timeout(self._timeout_s), self._news:
                return await self._news.wait_for(true)
        except TimeoutError:
            return False

    def _sign(self, key: Key, offer: CommandsPart, *, who: str, ply: int | None, body: str) -> SignedCommand:
        number = self._numbers.get((key.id, offer.nonce), 0) + 1
        self._numbers[key.id, offer.nonce] = number
        return SignedCommand(
            event=self._event,
            board=key.board,
            key=key.id,
            id=secrets.token_hex(16),
            who=who,
            boot_id=offer.boot_id,
            nonce=offer.nonce,
            seq=number,
            ply=ply,
            body=body,
            mac=UNSIGNED,
        ).sealed(key)

    async def _exchange(self, command: SignedCommand, key: Key) -> Sent:
        answer: asyncio.Future[Ack] = asyncio.get_running_loop().create_future()
        self._asked[command.id] = command, answer
        try:
            topic = build_command(command.event, command.board, "cmd")
            if self._client.publish(topic, command.written(), qos=1) is None:
                raise UnsendableError("no_broker", self._client.reason or "too much is on its way already")
            async with asyncio.timeout(self._timeout_s):
                ack = await answer
        except TimeoutError:
            return Sent(command, "unknown")
        finally:
            del self._asked[command.id]
        last = self._numbers.get((key.id, command.nonce), 0)
        self._numbers[key.id, command.nonce] = max(last, ack.last)
        outcome: Outcome = "accepted" if ack.code == ACCEPTED else "refused"
        return Sent(command, outcome, ack.code, ack.detail, ack.ply)

    # --- hearing -----------------------------------------------------------------------------

    async def _listen(self) -> None:
        async for event in self._client.events():
            await self._hear(event)

    async def _hear(self, event: Event) -> None:
        match event:
            case Connected():
                await self._tell()
            case Received(topic, payload):
                if command_topic(topic) is None:
                    await self._take_meta(topic, payload)
                else:
                    self._take_ack(payload)  # kept by a broker or not: what is signed is true

    async def _take_meta(self, topic: str, payload: bytes) -> None:
        try:
            meta = decode(topic, payload)
        except PayloadError as error:
            _log.debug("meta skipped: %s", error)
            return
        # Boards without a key are never commanded: nobody who invents some takes the room of the others.
        if isinstance(meta, MetaPayload) and self._ring.of_board(self._event, meta.board) is not None:
            self._offers[meta.board] = meta.commands
            await self._tell()

    def _take_ack(self, payload: bytes) -> None:
        """Give an answer to whoever waits for it, if its board has signed it and means his command."""
        try:
            ack = read_signed(Ack, payload)
        except SigningError as error:
            self._forgeries.add(error.code, str(error))
            return
        command, answer = self._asked.get(ack.id, (None, None))
        if command is None or answer is None or answer.done():
            return  # for another hall, or too late
        key = self._ring.find(command.key)
        if key is None or ack.key != key.id or not ack.is_of(key):
            self._forgeries.add("bad_signature", f"an answer for board {command.board} is forged")
        elif ack.answers == command.mac:
            answer.set_result(ack)

    async def _tell(self) -> None:
        async with self._news:
            self._news.notify_all()
