"""The line of commands: only what is signed gets through, at a measured pace."""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager

import pytest

from firmware_bridge.wire.command_line import MAX_JUDGED_PER_S, MAX_WAITING, CommandLine
from firmware_bridge.wire.connection import Connected, Received
from firmware_bridge.wire.settings import BrokerSettings
from firmware_bridge.wire.signing import Ack, SignedCommand, read_signed
from tests.firmware_bridge.contract.shapes import fault, schema_of
from tests.firmware_bridge.wire.helpers import PATIENCE_S, watching
from tests.firmware_bridge.wire.signed import KEY, OTHER, command, gate

At = Callable[[str], BrokerSettings]
CMD = "tk/1/e/board/b/cmd"
GARBAGE = Received(CMD, b'{"do":"end"}', retained=False)


def arrived(sent: SignedCommand, *, retained: bool = False) -> Received:
    """Return a command as it arrives."""
    return Received(CMD, sent.written(), retained)


@pytest.mark.asyncio
async def test_only_what_is_signed_with_a_key_of_the_board_gets_through() -> None:
    """The rest is counted by kind."""
    line = CommandLine(gate())
    good = command()
    await line.hear(Connected(1))
    await line.hear(Received("tk/1/e/board/b2/cmd", command().written(), retained=False))
    for event in (
        GARBAGE,
        arrived(command(), retained=True),
        arrived(command(sign_with=OTHER)),
        arrived(command(board="b2")),
        Received(CMD, b"\xff" * 9000, retained=False),
        arrived(good),
    ):
        await line.hear(event)
    assert await line.next() == good
    assert line.refusals.counts == {
        "unsigned": 1, "retained": 1, "bad_signature": 1, "foreign_board": 1, "too_large": 1
    }  # fmt: skip


@pytest.mark.asyncio
async def test_a_flood_is_looked_at_as_far_as_there_is_time_and_the_rest_is_counted() -> None:
    """A burst, and then so many a second; a command that comes after the flood is heard."""
    clock = [50.0]
    line = CommandLine(gate(), lambda: clock[0])
    for _ in range(49):
        await line.hear(GARBAGE)
    judged = line.refusals.counts["unsigned"]
    assert 0 < judged < 49
    assert line.refusals.counts["dropped"] == 49 - judged
    clock[0] += 1 / MAX_JUDGED_PER_S + 1e-6
    await line.hear(arrived(command()))
    await line.next()


@pytest.mark.asyncio
async def test_a_flood_leaves_the_loop_to_others() -> None:
    """Whatever else the board has to do gets its turn after every few messages."""
    line, turns = CommandLine(gate()), 0

    async def samples() -> None:
        nonlocal turns
        while True:
            turns += 1
            await asyncio.sleep(0)

    other = asyncio.create_task(samples())
    began = asyncio.get_running_loop().time()
    for _ in range(500):
        await line.hear(GARBAGE)
    other.cancel()
    assert turns > 100
    assert asyncio.get_running_loop().time() - began > 0.4  # at most a thousand a second are taken


@pytest.mark.asyncio
async def test_more_commands_than_wait_are_dropped_and_counted() -> None:
    """Their numbers are not used up: sent again they are taken."""
    line = CommandLine(gate())
    sent = [command(seq=number) for number in range(1, MAX_WAITING + 2)]
    for each in sent:
        await line.hear(arrived(each))
    assert line.refusals.counts == {"dropped": 1}
    assert [await line.next() for _ in range(MAX_WAITING)] == sent[:-1]
    await line.hear(arrived(sent[-1]))
    assert await line.next() == sent[-1]


def test_an_answer_without_a_connection_is_not_sent() -> None:
    """The command will come again."""
    at, sent = gate(), command()
    at.take(sent, 0)
    assert not CommandLine(at).answer(at.answer(sent, 0))


async def until(true: Callable[[], object]) -> None:
    """Wait until something that sets no event holds."""
    async with asyncio.timeout(PATIENCE_S):
        while not true():  # noqa: ASYNC110 - what is watched must not know of the test
            await asyncio.sleep(0.01)


@asynccontextmanager
async def listening(line: CommandLine, broker: BrokerSettings) -> AsyncIterator[None]:
    """Let a line listen at a broker."""
    task = asyncio.create_task(line.run(broker))
    try:
        await until(lambda: line._client is not None and line._client.connected)
        yield
    finally:
        task.cancel()
        await asyncio.gather(task, return_exceptions=True)


@pytest.mark.asyncio
async def test_a_command_comes_over_a_broker_and_its_answer_goes_back(at: At) -> None:
    """On both brokers; what both say is what the contract describes."""
    line, sent = CommandLine(gate()), command(who="Төреші")
    async with watching(at("w-line"), "tk/1/e/board/b/+") as hall, listening(line, at("b")):
        hall.client.publish(CMD, sent.written(), qos=1)
        async with asyncio.timeout(PATIENCE_S):
            found = await line.next()
        line.gate.take(found, 0)
        assert line.answer(line.gate.answer(found, 0))
        await hall.until(lambda: hall.on("ack"))
        (ack,) = hall.on("ack")
    assert found == sent
    assert read_signed(Ack, ack).is_of(KEY)
    assert fault(schema_of("cmd"), json.loads(sent.written())) == ""
    assert fault(schema_of("ack"), json.loads(ack)) == ""


@pytest.mark.asyncio
async def test_a_command_that_a_broker_has_kept_is_refused_when_the_board_comes(at: At) -> None:
    """However well it is signed; the one that comes live is taken."""
    line, kept, live = CommandLine(gate()), command(), command(seq=2)
    async with watching(at("w-kept"), CMD) as hall:
        hall.client.publish(CMD, kept.written(), qos=1, retain=True)
        await hall.until(lambda: hall.got)
        async with listening(line, at("b")), asyncio.timeout(PATIENCE_S):
            await until(lambda: line.refusals.counts["retained"])
            hall.client.publish(CMD, live.written(), qos=1)
            assert await line.next() == live
        hall.client.publish(CMD, b"", qos=1, retain=True)


@pytest.mark.asyncio
async def test_a_line_that_stumbles_is_opened_again(
    at: At, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    """A fault of ours must not put a board out of reach for the rest of the day."""
    monkeypatch.setattr("firmware_bridge.wire.command_line._RETRY_S", 0.01)
    line, judge = CommandLine(gate()), CommandLine._judge
    faults = iter([RuntimeError("a fault of ours")])

    def stumble(self: CommandLine, message: Received) -> None:
        for fault_of_ours in faults:
            raise fault_of_ours
        judge(self, message)

    monkeypatch.setattr(CommandLine, "_judge", stumble)
    async with watching(at("w-fault"), CMD) as hall, listening(line, at("b")):
        hall.client.publish(CMD, command().written(), qos=1)
        await until(lambda: "opening it again" in caplog.text)
        async with asyncio.timeout(PATIENCE_S):
            again = command(seq=2)
            waiting = asyncio.create_task(line.next())
            while not waiting.done():
                hall.client.publish(CMD, again.written(), qos=1)
                await asyncio.wait({waiting}, timeout=0.2)
        assert waiting.result() == again
