"""A board's publisher through outages of the broker and of itself, on both brokers."""

import asyncio
import os
import signal
import sys
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from pathlib import Path

import pytest

from firmware_bridge.wire import broker_files, outbox, publisher, topics
from firmware_bridge.wire.broker import start_broker
from firmware_bridge.wire.cursor import load_cursor
from firmware_bridge.wire.mqtt import Message, MqttClient
from firmware_bridge.wire.payloads import (
    AvailPayload,
    DiagPayload,
    MetaPayload,
    PositionPart,
    StatePayload,
    WatchPart,
    decode_avail,
    decode_state,
    encode,
)
from firmware_bridge.wire.publisher import BoardPublisher
from firmware_bridge.wire.rendezvous import Kind
from firmware_bridge.wire.settings import BrokerSettings
from tests.firmware_bridge.wire.helpers import Watcher, connected, eventually, watching

At = Callable[[str], BrokerSettings]

PROGRAM = str(Path(__file__).with_name("board_program.py"))


class Rows:
    """A journal in memory."""

    def __init__(self, count: int = 0) -> None:
        self.count = count

    def rows_after(self, seq: int, limit: int) -> list[tuple[int, bytes]]:
        """Return the rows that follow."""
        return [(n, str(n).encode()) for n in range(seq + 1, min(self.count, seq + limit) + 1)]


def state(event: str, seq: int) -> StatePayload:
    """Return a small state."""
    return StatePayload(
        event=event,
        board="b01",
        game="g",
        boot=1,
        seq=seq,
        ply=0,
        ts=0,
        phase="playing",
        names=("A", "B"),
        starter_seat="a",
        position=PositionPart(pits=(9,) * 18, kazans=(0, 0), tuzdyks=(None, None), to_move="bastaushy"),
        clock=None,
        moves="",
        moves_from=1,
        last=None,
        ready=(True, True),
        result=None,
        watch=WatchPart(sensed="matches"),
    )


def meta(event: str) -> MetaPayload:
    """Return a small description."""
    return MetaPayload(
        event=event,
        board="b01",
        game=None,
        boot=1,
        seq=0,
        ply=0,
        ts=0,
        software="test",
        protocol="1.0",
        language="kk",
        device=None,
    )


@asynccontextmanager
async def running(board: BoardPublisher) -> AsyncIterator[BoardPublisher]:
    """Run a publisher, and close it in good order."""
    task = asyncio.create_task(board.run())
    try:
        yield board
    finally:
        await board.close()
        await task


def first_seen(watcher: Watcher) -> list[int]:
    """Return the row numbers received, repetitions dropped as a receiver does."""
    return list(dict.fromkeys(int(payload) for payload in watcher.on("ev")))


def online(watcher: Watcher) -> list[tuple[bool, int]]:
    """Return what was said about being there, with the boot that said it."""
    said = [decode_avail(payload) for payload in watcher.on("avail") if payload]
    return [(each.online, each.boot) for each in said]


@pytest.mark.asyncio
async def test_after_connecting_everything_is_told_in_order_and_goodbye_at_the_end(
    at: At, tmp_path: Path
) -> None:
    """Online, description, state, then the rows; "offline" by ourselves."""
    board = BoardPublisher(at("order"), "order", "b01", 1, Rows(30), tmp_path / "cursor")
    board.set_state(state("order", 30))
    board.set_meta(meta("order"))
    async with watching(at("w-order"), topics.boards_filter("order")) as watcher:
        async with running(board):
            await watcher.until(lambda: len(watcher.on("ev")) == 30)
            assert [topics.parse(each.topic).leaf for each in watcher.got][:4] == [
                "avail",
                "meta",
                "state",
                "ev",
            ]
            board.send_diag(
                DiagPayload(
                    event="order", board="b01", game=None, boot=1, seq=0, ply=0, ts=0, values={"queue": 0}
                )
            )
            await watcher.until(lambda: watcher.on("diag"))
        await watcher.until(lambda: len(watcher.on("avail")) == 2)
    assert first_seen(watcher) == list(range(1, 31))
    assert online(watcher) == [(True, 1), (False, 1)]
    assert load_cursor(tmp_path / "cursor", "order", "b01") == 30
    async with watching(at("w-order"), topics.boards_filter("order")) as late:
        await late.until(lambda: len(late.got) == 3)
        assert {topics.parse(each.topic).leaf for each in late.got} == set(topics.RETAINED_LEAVES)


@pytest.mark.asyncio
async def test_cancelling_says_goodbye_too(at: At, tmp_path: Path) -> None:
    """A program that ends by Ctrl-C is no vanished one, keeps its cursor and leaves no task behind."""
    board = BoardPublisher(at("cancel"), "cancel", "b01", 1, Rows(3), tmp_path / "cursor")
    async with watching(at("w-cancel"), topics.boards_filter("cancel")) as watcher:
        task = asyncio.create_task(board.run())
        await watcher.until(lambda: online(watcher) == [(True, 1)] and board.status.confirmed == 3)
        task.cancel()
        with pytest.raises(asyncio.CancelledError):
            await task
        left = [each.get_name() for each in asyncio.all_tasks() if each.get_name().endswith(" b01")]
        assert left == []
        assert load_cursor(tmp_path / "cursor", "cancel", "b01") == 3
        await watcher.until(lambda: online(watcher)[-1:] == [(False, 1)])
    await board.close()


@pytest.mark.asyncio
async def test_the_latest_state_wins(at: At, tmp_path: Path) -> None:
    """A hundred changes at once are not a hundred messages, and the last one stands."""
    board = BoardPublisher(at("latest"), "latest", "b01", 1, Rows(), tmp_path / "cursor")
    async with watching(at("w-latest"), topics.boards_filter("latest")) as watcher, running(board):
        await watcher.until(lambda: watcher.on("avail"))
        for seq in range(1, 101):
            board.set_state(state("latest", seq))
        await watcher.until(lambda: [1 for each in watcher.on("state") if decode_state(each).seq == 100])
        assert len(watcher.on("state")) < 5


@pytest.mark.asyncio
async def test_a_late_will_of_an_earlier_connection_is_corrected(at: At, tmp_path: Path) -> None:
    """Whoever says we are offline is wrong; so is whoever wipes it out."""
    board = BoardPublisher(at("late"), "late", "b01", 2, Rows(), tmp_path / "cursor")
    topic = topics.build("late", "b01", "avail")
    async with watching(at("w-late"), topics.boards_filter("late")) as watcher, running(board):
        await watcher.until(lambda: online(watcher)[-1:] == [(True, 2)])
        old = AvailPayload(event="late", board="b01", game=None, boot=1, seq=0, ply=0, ts=0, online=False)
        for wrong in (encode(old), b"", b"nonsense"):
            watcher.got.clear()
            watcher.client.publish(topic, wrong, 1, retain=True)
            await watcher.until(lambda: wrong in watcher.on("avail"))  # noqa: B023 - awaited here
            await watcher.until(lambda: online_last(watcher) == (True, 2))


def online_last(watcher: Watcher) -> tuple[bool, int] | None:
    """Return the last word on being there; None for nonsense."""
    last = watcher.on("avail")[-1]
    if not last.startswith(b"{"):
        return None
    said = decode_avail(last)
    return said.online, said.boot


@pytest.mark.asyncio
async def test_a_broker_killed_and_restarted_loses_no_row_and_no_order(tmp_path: Path, kind: Kind) -> None:
    """Rows written before, during and after the outage; repetitions are all that may happen."""
    rows = Rows()
    async with await start_broker(tmp_path / "broker", kind) as broker:
        board = BoardPublisher(broker.settings("b01"), "outage", "b01", 1, rows, tmp_path / "cursor")
        board.set_state(state("outage", 0))
        async with (
            watching(broker.settings("w"), topics.boards_filter("outage")) as watcher,
            running(board),
        ):
            rows.count = 100
            board.notify_rows()
            await watcher.until(lambda: len(first_seen(watcher)) > 40)
            assert broker.pid is not None
            os.kill(broker.pid, signal.SIGKILL)
            for _ in range(10):
                rows.count += 10
                board.notify_rows()
                await asyncio.sleep(0.02)

            async def all_confirmed() -> bool:
                return board.status.confirmed == 200

            await eventually(all_confirmed)
            assert broker.restarts == 1
            assert board.status.reason == ""
        async with watching(broker.settings("late"), topics.boards_filter("outage")) as late:
            await late.until(lambda: late.on("state"))
            await late.until(lambda: online(late) == [(False, 1)])
    # The watcher itself was away for a while: what it saw is in order, and ends complete.
    seen = [int(payload) for payload in watcher.on("ev")]
    assert first_seen(watcher) == sorted(first_seen(watcher))
    assert set(range(1, 41)) <= set(seen)


@pytest.mark.asyncio
async def test_a_program_killed_and_restarted_loses_no_row(at: At, port: int, tmp_path: Path) -> None:
    """The will says "offline"; the next boot sends what was not acknowledged, in order."""
    journal = tmp_path / "journal"
    journal.write_text("".join(f"{n}\n" for n in range(1, 301)), encoding="ascii")

    async def start(boot: int) -> asyncio.subprocess.Process:
        return await asyncio.create_subprocess_exec(
            sys.executable, PROGRAM, str(port), str(journal), str(boot), env=broker_files.child_environment()
        )

    async with watching(at("w-killed"), topics.boards_filter("killed")) as watcher:
        process = await start(1)
        await watcher.until(lambda: len(first_seen(watcher)) > 20)
        process.kill()
        await process.wait()
        await watcher.until(lambda: online(watcher)[-1:] == [(False, 1)])
        with journal.open("a", encoding="ascii") as file:
            file.write("".join(f"{n}\n" for n in range(301, 321)))
        process = await start(2)
        await watcher.until(lambda: len(first_seen(watcher)) == 320)
        await watcher.until(lambda: online(watcher)[-1:] == [(True, 2)])
        process.terminate()
        await process.wait()
        watcher.client.publish(topics.build("killed", "b01", "avail"), b"", 1, retain=True)
    assert first_seen(watcher) == list(range(1, 321))


@pytest.mark.asyncio
async def test_a_broker_that_acknowledges_nothing_is_left_and_told_everything_again(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    """A connection that stands but does not work is no connection."""
    for module in (publisher, outbox):
        monkeypatch.setattr(module, "ACK_TIMEOUT_US", 100_000)
    monkeypatch.setattr(publisher, "_TICK_S", 0.05)
    monkeypatch.setattr(publisher, "_FAREWELL_S", 0.2)
    heard: list[bytes] = []

    async def deaf(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        await reader.read(1000)
        writer.write(b"\x20\x02\x00\x00")
        await reader.read(1000)
        writer.write(b"\x90\x03\x00\x01\x01")
        heard.append(b"")
        while data := await reader.read(1000):
            heard[-1] += data
        writer.close()

    server = await asyncio.start_server(deaf, "127.0.0.1", 0)
    settings = BrokerSettings("127.0.0.1", server.sockets[0].getsockname()[1], client_id="b01")
    board = BoardPublisher(settings, "deaf", "b01", 1, Rows(2), tmp_path / "cursor")

    async def twice() -> bool:
        return len(heard) > 1 and heard[1].count(b"/ev") == 2

    async with server, running(board):
        await eventually(twice)
        assert heard[0].count(b"/ev") == 2
        assert board.status.confirmed == 0


@pytest.mark.asyncio
async def test_a_row_too_long_for_any_broker_is_passed_over(at: At, tmp_path: Path) -> None:
    """One such row must not end in an endless quarrel with the broker."""

    class LongRow(Rows):
        def rows_after(self, seq: int, limit: int) -> list[tuple[int, bytes]]:
            return [(n, b"1" * 70_000 if n == 2 else row) for n, row in super().rows_after(seq, limit)]

    board = BoardPublisher(at("long"), "long", "b01", 1, LongRow(3), tmp_path / "cursor")
    async with watching(at("w-long"), topics.boards_filter("long")) as watcher, running(board):
        await watcher.until(lambda: len(watcher.on("ev")) == 2)
        assert first_seen(watcher) == [1, 3]


@pytest.mark.asyncio
async def test_without_a_broker_the_publisher_waits_and_says_why(tmp_path: Path) -> None:
    """And closes at once all the same."""
    settings = BrokerSettings("127.0.0.1", broker_files.free_port(), client_id="b01")
    board = BoardPublisher(settings, "none", "b01", 1, Rows(3), tmp_path / "cursor")

    async def has_tried() -> bool:
        return "is the broker running" in board.status.reason

    async with running(board):
        await eventually(has_tried)
        assert not board.status.connected
        board.set_state(state("none", 1))
    assert not (tmp_path / "cursor").exists()


def test_an_id_that_cannot_stand_in_a_topic_is_refused(tmp_path: Path) -> None:
    """Before anything runs."""
    with pytest.raises(topics.TopicError, match="board id"):
        BoardPublisher(BrokerSettings("h", 1), "e", "B#1", 1, Rows(), tmp_path / "cursor")


@pytest.mark.asyncio
async def test_hostile_clients_on_the_same_broker_disturb_nobody(at: At, tmp_path: Path) -> None:
    """Foreign topics, long payloads, nonsense: the board's own messages arrive."""
    board = BoardPublisher(at("host"), "host", "b01", 1, Rows(5), tmp_path / "cursor")
    async with watching(at("w-host"), topics.boards_filter("host")) as watcher, running(board):
        async with MqttClient(at("hostile"), Message("tk/1/host/board/b01/avail", b"\xff")) as hostile:
            await connected(hostile)
            for nonsense in (b"\xff", b"[" * 1000, b"x" * 1_000_000):
                hostile.publish("tk/1/host/board/b01/state", nonsense, 1, retain=True)
                hostile.publish("tk/9/x", nonsense, 0)
        board.set_state(state("host", 5))
        await watcher.until(lambda: watcher.on("state")[-1:] == [encode(state("host", 5))])
        await watcher.until(lambda: len(watcher.on("ev")) == 5)
        assert all(len(each.payload) <= 65_536 for each in watcher.got)
