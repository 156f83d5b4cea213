"""Records stay with the broker as they should be: whole, the latest, and nothing beside them."""

from __future__ import annotations

import os
import signal
from collections.abc import Callable
from pathlib import Path

import pytest

from firmware_bridge.wire import topics
from firmware_bridge.wire.broker import start_broker
from firmware_bridge.wire.mqtt import MqttClient
from firmware_bridge.wire.payloads import encode
from firmware_bridge.wire.publisher import BoardPublisher
from firmware_bridge.wire.records import RecordOf, RecordPayload, cut
from firmware_bridge.wire.rendezvous import Kind
from firmware_bridge.wire.settings import BrokerSettings
from tests.firmware_bridge.wire.helpers import Watcher, connected, watching
from tests.firmware_bridge.wire.test_publisher import Rows, running, state

At = Callable[[str], BrokerSettings]


def parts(event: str, length: int, *, game: str = "g1", seq: int = 5) -> tuple[RecordPayload, ...]:
    """Return the parts of a text that is as long as told."""
    return cut(RecordOf(event=event, board="b01", game=game, boot=1, seq=seq, ply=0, ts=0), "x" * length)


def kept(watcher: Watcher) -> dict[str, bytes]:
    """Return the records as they stand: the last payload of each topic, but for those cleared."""
    last = {each.topic: each.payload for each in watcher.got if topics.is_record(each.topic)}
    return {topic: payload for topic, payload in last.items() if payload}


def due(*records: tuple[RecordPayload, ...]) -> dict[str, bytes]:
    """Return how they should stand."""
    return {part.topic: encode(part) for record in records for part in record}


@pytest.mark.asyncio
async def test_a_record_is_kept_by_the_broker_and_a_shorter_one_leaves_no_rest(
    at: At, tmp_path: Path
) -> None:
    """A late joiner finds exactly the parts of the latest."""
    board = BoardPublisher(at("rec"), "rec", "b01", 1, Rows(), tmp_path / "cursor")
    long, short = parts("rec", 9000), parts("rec", 4500, seq=6)
    assert len(long) > len(short) > 1
    async with watching(at("w-rec"), topics.records_filter("rec")) as watcher, running(board):
        board.set_record("g1", long)
        await watcher.until(lambda: kept(watcher) == due(long))
        board.set_record("g1", short)
        await watcher.until(lambda: kept(watcher) == due(short))
        async with watching(at("w2-rec"), topics.records_filter("rec")) as late:
            await late.until(lambda: kept(late) == due(short))
            assert all(each.retained for each in late.got)
        board.set_record("g1", ())
        await watcher.until(lambda: kept(watcher) == {})


@pytest.mark.asyncio
async def test_what_an_earlier_start_left_over_is_cleared(at: At, tmp_path: Path) -> None:
    """Parts beyond the record's number and games no longer told; those of games unknown here stay."""
    old, dropped, unknown = parts("left", 9000), parts("left", 9, game="old"), parts("left", 9, game="who")
    async with watching(at("w-left"), topics.records_filter("left")) as watcher:
        async with MqttClient(at("before")) as before:
            await connected(before)
            for part in (*old, *dropped, *unknown):
                before.publish(part.topic, encode(part), 1, retain=True)
            await watcher.until(lambda: kept(watcher) == due(old, dropped, unknown))
        board = BoardPublisher(at("left"), "left", "b01", 2, Rows(), tmp_path / "cursor")
        new = parts("left", 100, seq=9)
        board.set_record("g1", new)
        board.set_record("old", ())
        async with running(board):
            await watcher.until(lambda: kept(watcher) == due(new, unknown))
            # It might have been cleared a moment later; what is told after that moment shows that it is not.
            later = parts("left", 9, game="g2", seq=10)
            board.set_record("g2", later)
            await watcher.until(lambda: due(later).items() <= kept(watcher).items())
            assert kept(watcher) == due(new, unknown, later)


@pytest.mark.asyncio
async def test_a_broker_that_lost_everything_is_told_the_records_again(tmp_path: Path, kind: Kind) -> None:
    """Killed, and its memory thrown away; many records do not keep the state from being told."""
    many = [parts("lost", 20_000, game=f"g{n}") for n in range(8)]
    async with await start_broker(tmp_path / "broker", kind) as broker:
        board = BoardPublisher(broker.settings("b01"), "lost", "b01", 1, Rows(5), tmp_path / "cursor")
        board.set_state(state("lost", 5))
        for n, record in enumerate(many):
            board.set_record(f"g{n}", record)
        async with watching(broker.settings("w"), topics.records_filter("lost")) as watcher, running(board):
            await watcher.until(lambda: kept(watcher) == due(*many))
            for left in (tmp_path / "broker").glob("*.db"):
                left.unlink()
            assert broker.pid is not None
            os.kill(broker.pid, signal.SIGKILL)
            watcher.got.clear()
            await watcher.until(lambda: kept(watcher) == due(*many))
            async with watching(broker.settings("w2"), topics.boards_filter("lost")) as late:
                await late.until(lambda: late.on("state"))


class Slow:
    """A connection whose broker acknowledges nothing until told to."""

    connected, generation = True, 0

    def __init__(self) -> None:
        self.sent: list[str] = []

    def publish(self, topic: str, _payload: bytes, qos: int = 0, retain: bool = False) -> int:  # noqa: FBT001, FBT002 - as MqttClient has it
        """Take a message; return its id."""
        assert (qos, retain) == (1, True)
        self.sent.append(topic)
        return len(self.sent)


def test_a_long_record_does_not_crowd_out_what_comes_after_it(tmp_path: Path) -> None:
    """At most a window of parts is on its way; each acknowledgement makes room for one more."""
    board = BoardPublisher(BrokerSettings("h", 1), "slow", "b01", 1, Rows(), tmp_path / "cursor")
    slow = Slow()
    board._client = slow  # type: ignore[assignment] # all that is asked of it here
    record = parts("slow", 100_000)
    board.set_record("g1", record)
    board._pump(0)
    assert slow.sent == [part.topic for part in record[:20]]
    for mid in (1, 2, 3):
        board._acknowledged(0, mid)
    board._pump(0)
    assert slow.sent == [part.topic for part in record[:23]]


def test_a_part_that_was_cleared_is_forgotten(tmp_path: Path) -> None:
    """When the broker has acknowledged it: a board plays for years."""
    board = BoardPublisher(BrokerSettings("h", 1), "slow", "b01", 1, Rows(), tmp_path / "cursor")
    board._client = Slow()  # type: ignore[assignment] # all that is asked of it here
    record = parts("slow", 4500)
    for mids, told in (((1, 2), record), ((3, 4), ())):
        board.set_record("g1", told)
        board._pump(0)
        assert sum(map(topics.is_record, board._retained)) == len(record) == 2
        for mid in mids:
            board._acknowledged(0, mid)
    assert not any(map(topics.is_record, board._retained))
