"""The retained leak of amqtt 0.12.1: shown without the guard, gone with it."""

import asyncio
import subprocess
import sys
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from signal import Signals

import pytest

from firmware_bridge.wire import broker_files, tether
from firmware_bridge.wire.broker import accepts_mqtt
from firmware_bridge.wire.mqtt import MqttClient, Published, Received
from firmware_bridge.wire.settings import BrokerSettings
from tests.firmware_bridge.wire.helpers import connected, eventually, watching

PLAIN = str(Path(__file__).with_name("plain_amqtt.py"))


@asynccontextmanager
async def amqtt(*, guarded: bool) -> AsyncIterator[int]:
    """Run amqtt with or without our guard; gives its port."""
    port = broker_files.free_port()
    plain = tether.command([sys.executable, PLAIN, str(port)], Signals.SIGKILL)
    process = await asyncio.create_subprocess_exec(
        *(broker_files.amqtt_command(port) if guarded else plain),
        stderr=subprocess.DEVNULL,
        env=broker_files.child_environment(),
    )
    try:
        await eventually(lambda: accepts_mqtt("127.0.0.1", port))
        yield port
    finally:
        process.kill()
        await process.wait()


@pytest.mark.parametrize("guarded", [False, True])
@pytest.mark.asyncio
async def test_who_subscribed_to_nothing_gets_retained_messages_only_without_the_guard(
    *, guarded: bool
) -> None:
    """The newcomer never subscribes; somebody else holds the filter."""
    async with amqtt(guarded=guarded) as port:
        somebody = BrokerSettings("127.0.0.1", port, client_id="somebody")
        async with watching(somebody, "secret/#") as watcher:
            watcher.client.publish("secret/x", b"kept", 1, retain=True)
            await watcher.until(lambda: watcher.got)
            newcomer = MqttClient(BrokerSettings("127.0.0.1", port, client_id="newcomer"))
            async with newcomer:
                await connected(newcomer)
                # Its own message comes back after whatever was sent to it at its connection.
                newcomer.publish("end", b"x", 1)
                got = []
                async with asyncio.timeout(10):
                    async for event in newcomer.events():
                        got.append(event)
                        if isinstance(event, Published):
                            break
    leaked = [event.payload for event in got if isinstance(event, Received)]
    assert leaked == ([] if guarded else [b"kept"])


@pytest.mark.asyncio
async def test_with_the_guard_late_joiners_still_get_theirs() -> None:
    """By exact topic and by wildcard, once each, and none of what they did not ask for."""
    async with amqtt(guarded=True) as port:
        a, b, c = (BrokerSettings("127.0.0.1", port, client_id=each) for each in "abc")
        async with watching(a, "kept/#") as early:
            for name in ("x", "y", "z"):
                early.client.publish(f"kept/{name}", name.encode(), 1, retain=True)
            await early.until(lambda: len(early.got) == 3)
            async with watching(b, "kept/+") as late:
                await late.until(lambda: len(late.got) >= 3)
                assert sorted(message.payload for message in late.got) == [b"x", b"y", b"z"]
            async with watching(c, "kept/y") as exact:
                await exact.until(lambda: exact.got)
                assert [message.payload for message in exact.got] == [b"y"]


@pytest.mark.asyncio
async def test_with_the_guard_what_was_acknowledged_arrives_though_its_sender_leaves_at_once() -> None:
    """And is kept; the plain amqtt forgets what it had not yet passed on."""
    async with amqtt(guarded=True) as port:
        watcher_at = BrokerSettings("127.0.0.1", port, client_id="watcher")
        async with watching(watcher_at, "left/#") as watcher:
            for visit in range(5):
                async with MqttClient(BrokerSettings("127.0.0.1", port, client_id="sender")) as sender:
                    await connected(sender)
                    topics = [f"left/{visit}/{number}" for number in range(20)]
                    waiting = {sender.publish(topic, b"x", 1, retain=True) for topic in topics}
                    async for event in sender.events():
                        waiting -= {event.mid} if isinstance(event, Published) else set()
                        if not waiting:
                            break
            await watcher.until(lambda: len(watcher.got) == 100)
            assert [message.topic for message in watcher.got] == [
                f"left/{visit}/{number}" for visit in range(5) for number in range(20)
            ]
        async with watching(watcher_at, "left/#") as late:
            await late.until(lambda: len(late.got) == 100)


@pytest.mark.asyncio
async def test_with_the_guard_nothing_longer_than_ours_is_passed_on_or_kept() -> None:
    """One client cannot fill everybody's memory."""
    async with amqtt(guarded=True) as port:
        async with watching(BrokerSettings("127.0.0.1", port, client_id="a"), "big/#") as early:
            early.client.publish("big/x", b"x" * 65_537, 1, retain=True)
            early.client.publish("big/y", b"y" * 65_536, 1, retain=True)
            await early.until(lambda: early.got)
            assert [message.topic for message in early.got] == ["big/y"]
        async with watching(BrokerSettings("127.0.0.1", port, client_id="b"), "big/#") as late:
            await late.until(lambda: late.got)
            assert [message.topic for message in late.got] == ["big/y"]
