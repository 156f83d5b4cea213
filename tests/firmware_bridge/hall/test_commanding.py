"""The hall's hand on a board, over a real broker."""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncIterator, Callable
from contextlib import AsyncExitStack, asynccontextmanager
from dataclasses import dataclass, field
from pathlib import Path

import pytest

from firmware_bridge.hall.boards import BoardRegistry
from firmware_bridge.hall.commanding import Commander, UnsendableError
from firmware_bridge.wire.broker import Broker, start_broker
from firmware_bridge.wire.command_line import CommandLine
from firmware_bridge.wire.gate import Gate, Refused, Repeated
from firmware_bridge.wire.mqtt import MqttClient
from firmware_bridge.wire.payloads import CommandsPart, MetaPayload, encode
from firmware_bridge.wire.settings import BrokerSettings
from firmware_bridge.wire.signing import UNSIGNED, Ack, Keyring, SignedCommand, read_signed
from firmware_bridge.wire.topics import build
from tests.firmware_bridge.wire.helpers import PATIENCE_S, Watcher, watching
from tests.firmware_bridge.wire.signed import KEY, NONCE, OTHER, gate

pytestmark = pytest.mark.asyncio

RING = Keyring((KEY,))
SUSPEND = {"do": "suspend", "reason": "2.4.8"}
CMD, ACK = "tk/1/e/board/b/cmd", "tk/1/e/board/b/ack"


def meta(commands: CommandsPart | None, board: str = "b") -> MetaPayload:
    """Return what a board says of itself."""
    return MetaPayload(
        event="e",
        board=board,
        game=None,
        boot=1,
        seq=0,
        ply=0,
        ts=0,
        software="test",
        protocol="tk/1",
        language="kk",
        device=None,
        commands=commands,
    )


@dataclass
class Board:
    """A board that does nothing but count.

    Attributes:
        gate: Its gate.
        done: The bodies of the commands it has carried out.
        speaks: Whether it answers.
    """

    gate: Gate = field(default_factory=gate)
    done: list[str] = field(default_factory=list)
    speaks: bool = True

    async def serve(self, line: CommandLine) -> None:
        """Carry out what comes."""
        while True:
            sent = await line.next()
            found = self.gate.take(sent, len(self.done))
            if isinstance(found, Repeated):
                ack = found.ack
            elif isinstance(found, Refused):
                ack = self.gate.answer(sent, len(self.done), found.code, found.detail)
            else:
                self.done.append(sent.body)
                ack = self.gate.answer(sent, len(self.done))
            if self.speaks:
                line.answer(ack)

    @asynccontextmanager
    async def listening(self, broker: BrokerSettings) -> AsyncIterator[CommandLine]:
        """Take commands at a broker."""
        line = CommandLine(self.gate)
        tasks = [asyncio.create_task(line.run(broker)), asyncio.create_task(self.serve(line))]
        async with asyncio.timeout(PATIENCE_S):
            while line._client is None or not line._client.connected:  # noqa: ASYNC110 - sets no event
                await asyncio.sleep(0.01)
        try:
            yield line
        finally:
            for task in tasks:
                task.cancel()
            await asyncio.gather(*tasks, return_exceptions=True)


@dataclass
class Scene:
    """A broker and a client that may write wherever it likes.

    Attributes:
        broker: The broker.
        other: The client: what boards say beside their answers, and what strangers do.
        heard: What it has heard.
    """

    broker: Broker
    other: MqttClient
    heard: Watcher

    def say(self, commands: CommandsPart | None, board: str = "b") -> None:
        """Let a board say what a command must name."""
        told = encode(meta(commands, board))
        self.other.publish(f"tk/1/e/board/{board}/meta", told, qos=1, retain=True)

    def commander(self, ring: Keyring = RING, timeout_s: float = PATIENCE_S) -> Commander:
        """Return a hall's hand."""
        return Commander(self.broker.settings(""), "e", ring, timeout_s=timeout_s)


@asynccontextmanager
async def scene(folder: Path) -> AsyncIterator[Scene]:
    """Set a scene."""
    async with AsyncExitStack() as stack:
        broker = await stack.enter_async_context(await start_broker(folder))
        heard = await stack.enter_async_context(watching(broker.settings("stranger"), "tk/1/e/board/b/+"))
        yield Scene(broker, heard.client, heard)


async def test_a_command_is_signed_sent_done_and_answered(tmp_path: Path) -> None:
    """With the ply that is played then; the next has the next number."""
    board = Board()
    async with scene(tmp_path) as at, board.listening(at.broker.settings("b")), at.commander() as hall:
        at.say(board.gate.offer)
        first = await hall.send("b", SUSPEND, who="Төреші", ply=0)
        second = await hall.send("b", {"do": "resume"}, who="Төреші")
    assert (first.outcome, first.code, first.ply, second.outcome) == ("accepted", "accepted", 1, "accepted")
    assert [json.loads(text)["do"] for text in board.done] == ["suspend", "resume"]
    assert (first.command.seq, second.command.seq) == (1, 2)
    assert (first.command.who, first.command.nonce, second.command.ply) == ("Төреші", NONCE, None)


async def test_a_refusal_is_told_with_the_boards_reason(tmp_path: Path) -> None:
    """And nothing is sent a second time."""
    board = Board()
    async with scene(tmp_path) as at, board.listening(at.broker.settings("b")), at.commander() as hall:
        at.say(board.gate.offer)
        told = await hall.send("b", SUSPEND, who="Төреші", ply=7)
        assert len(at.heard.on("cmd")) == 1
    assert (told.outcome, told.code, told.ply) == ("refused", "wrong_ply", 0)
    assert told.detail == "it is for ply 7, and 0 were played"


async def test_a_hall_that_was_started_again_goes_on_with_the_boards_numbers(tmp_path: Path) -> None:
    """It is told the last in a signed refusal, so the command was not done, and is done once."""
    board = Board()
    async with scene(tmp_path) as at, board.listening(at.broker.settings("b")):
        at.say(board.gate.offer)
        async with at.commander() as former:
            for _ in range(3):
                await former.send("b", SUSPEND, who="Төреші")
        async with at.commander() as hall:
            told = await hall.send("b", SUSPEND, who="Төреші")
    assert (told.outcome, told.command.seq) == ("accepted", 4)
    assert len(board.done) == 4


async def test_silence_is_unknown_and_asking_again_does_nothing_twice(tmp_path: Path) -> None:
    """The board had done it, and its answer was lost."""
    board = Board(speaks=False)
    async with scene(tmp_path) as at, board.listening(at.broker.settings("b")):
        at.say(board.gate.offer)
        async with at.commander(timeout_s=2) as hall:
            told = await hall.send("b", SUSPEND, who="Төреші")
            assert (told.outcome, told.code, told.ply) == ("unknown", "", None)
            assert len(at.heard.on("cmd")) == 1
            board.speaks = True
            again = await hall.ask_again(told)
    assert (again.outcome, again.command) == ("accepted", told.command)
    assert len(board.done) == 1


async def test_after_the_board_was_started_again_nobody_knows(tmp_path: Path) -> None:
    """The new start refuses the old command, which the old one may have done."""
    board, after = Board(speaks=False), Board(gate(nonce="77" * 16))
    async with scene(tmp_path) as at, at.commander(timeout_s=2) as hall:
        async with board.listening(at.broker.settings("b")):
            at.say(board.gate.offer)
            told = await hall.send("b", SUSPEND, who="Төреші")
        async with after.listening(at.broker.settings("b")):
            again = await hall.ask_again(told)
    assert (again.outcome, again.code) == ("unknown", "stale_nonce")
    assert (len(board.done), after.done) == (1, [])


def forged(sent: SignedCommand, **changes: object) -> bytes:
    """Return an answer that nobody with the key has signed."""
    ack = Ack(
        event="e",
        board="b",
        key=KEY.id,
        id=sent.id,
        answers=sent.mac,
        seq=sent.seq,
        code="accepted",
        detail="",
        ply=99,
        last=sent.seq,
        mac=UNSIGNED,
    )
    return ack.model_copy(update={"mac": OTHER.mac(ack.signed_bytes()), **changes}).written()


async def test_a_forged_answer_is_known_and_the_true_one_believed(tmp_path: Path) -> None:
    """Signed with another key, not at all, or taken of another command."""
    async with scene(tmp_path) as at, at.commander() as hall:
        at.say(gate().offer)
        sending = asyncio.create_task(hall.send("b", SUSPEND, who="Төреші"))
        await at.heard.until(lambda: at.heard.on("cmd"))
        sent = read_signed(SignedCommand, at.heard.on("cmd")[0])
        former = sent.model_copy(update={"mac": "1" * 64})
        for data in (
            forged(sent),
            forged(sent, key=OTHER.id),
            forged(sent, mac=UNSIGNED),
            b"{}",
            b"\xff",
            gate().answer(former, 99).written(),  # the right key, but of another command of that id
        ):
            at.other.publish(ACK, data, qos=1)
        board = gate()
        board.take(sent, 0)
        true = board.answer(sent, 5).written()
        at.other.publish(ACK, true, qos=1)
        told = await sending
    assert (told.outcome, told.ply) == ("accepted", 5)
    assert hall.forged == 3


async def test_a_command_of_a_former_hall_can_be_asked_after(tmp_path: Path) -> None:
    """It waits for its connection first."""
    board = Board(speaks=False)
    async with scene(tmp_path) as at, board.listening(at.broker.settings("b")):
        at.say(board.gate.offer)
        async with at.commander(timeout_s=2) as former:
            told = await former.send("b", SUSPEND, who="Төреші")
        board.speaks = True
        async with at.commander() as hall:
            again = await hall.ask_again(told)
    assert (told.outcome, again.outcome, len(board.done)) == ("unknown", "accepted", 1)


@pytest.mark.parametrize(
    ("prepare", "ring", "code"),
    [
        (lambda at: at.say(gate().offer), Keyring(), "no_key"),
        (lambda at: at.say(gate().offer, "b2"), RING, "board_unknown"),
        (lambda at: at.say(None), RING, "board_takes_none"),
        (
            lambda at: at.say(CommandsPart(boot_id="0" * 32, nonce="0" * 32, keys=(OTHER.id,))),
            RING,
            "key_not_known",
        ),
    ],
)
async def test_what_cannot_be_sent_is_said_and_not_sent(
    tmp_path: Path, prepare: Callable[[Scene], None], ring: Keyring, code: str
) -> None:
    """Whoever asks knows then that nothing has happened."""
    async with scene(tmp_path) as at, at.commander(ring, timeout_s=2) as hall:
        prepare(at)
        with pytest.raises(UnsendableError) as told:
            await hall.send("b", SUSPEND, who="Төреші")
        assert at.heard.on("cmd") == []
    assert told.value.code == code


async def test_without_a_broker_nothing_is_sent() -> None:
    """And the reason is the connection's own."""
    async with Commander(BrokerSettings("127.0.0.1", 1), "e", RING, timeout_s=1) as hall:
        with pytest.raises(UnsendableError, match="nothing listens there") as told:
            await hall.send("b", SUSPEND, who="Төреші")
    assert told.value.code == "no_broker"


@pytest.mark.parametrize("who", ["", "a\nb", "x" * 81])
async def test_who_cannot_be_written_is_refused_before_anything_is_sent(tmp_path: Path, who: str) -> None:
    """Nothing is cut in silence from what is signed."""
    async with scene(tmp_path) as at, at.commander() as hall:
        at.say(gate().offer)
        with pytest.raises(ValueError, match="who"):
            await hall.send("b", SUSPEND, who=who)
        assert at.heard.on("cmd") == []


async def test_viewers_are_not_shown_what_a_command_must_name() -> None:
    """It is no secret, and nobody at a page needs it."""
    registry = BoardRegistry("e", stale_after_s=7)
    registry.take(meta(gate().offer), retained=False, now_s=0, wall_ms=0)
    shown = registry.snapshot("b", 0)["meta"]
    assert shown["software"] == "test"
    assert "commands" not in shown


@pytest.mark.asyncio
async def test_who_invents_boards_takes_no_room_of_those_with_a_key() -> None:
    """However many say that they are there, the board that can be commanded is known."""
    commander = Commander(BrokerSettings("127.0.0.1", 1), "e", RING)
    offered = CommandsPart(boot_id="0" * 32, nonce=NONCE, keys=(KEY.id,))
    for number in range(600):
        told = meta(offered, f"invented-{number}")
        await commander._take_meta(build(told.event, told.board, "meta"), encode(told))
    told = meta(offered)
    await commander._take_meta(build(told.event, told.board, "meta"), encode(told))
    assert list(commander._offers) == [told.board]
