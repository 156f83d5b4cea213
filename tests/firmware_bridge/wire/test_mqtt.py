"""The client against both brokers, and against peers that misbehave."""

import asyncio
import os
import resource
import socket
import threading
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager

import pytest
from hypothesis import given
from hypothesis import strategies as st

from firmware_bridge.wire import broker_files, mqtt
from firmware_bridge.wire.connection import backoff_s, unreachable
from firmware_bridge.wire.mqtt import Connected, Disconnected, Event, Message, MqttClient, Published, Received
from firmware_bridge.wire.settings import BrokerSettings
from tests.firmware_bridge.wire.helpers import PATIENCE_S, connected, eventually, watching

At = Callable[[str], BrokerSettings]

ACCEPT = b"\x20\x02\x00\x00"


@asynccontextmanager
async def peer(*answers: bytes, hang_up: bool = False) -> AsyncIterator[BrokerSettings]:
    """Stand on a port and answer every connection's first bytes with these."""
    tasks = set[asyncio.Task[None]]()

    async def answer(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        if task := asyncio.current_task():
            tasks.add(task)
        await reader.read(1000)
        writer.writelines(answers)
        if not hang_up:
            await reader.read()
        writer.close()

    server = await asyncio.start_server(answer, "127.0.0.1", 0)
    async with server:
        yield BrokerSettings("127.0.0.1", server.sockets[0].getsockname()[1], client_id="c")
    if tasks:
        await asyncio.wait(tasks)


async def first(client: MqttClient, kind: type[Event]) -> Event:
    """Return the first event of this kind."""
    async with asyncio.timeout(PATIENCE_S):
        async for event in client.events():
            if isinstance(event, kind):
                return event
    raise AssertionError("the client was closed")


@pytest.mark.asyncio
async def test_a_late_joiner_gets_what_was_retained(at: At) -> None:
    """Retained is marked as such; news are not."""
    async with MqttClient(at("early")) as early:
        generation = await connected(early)
        mid = early.publish("late/joiner", b"kept", 1, retain=True)
        assert await first(early, Published) == Published(generation, mid or 0)
        async with watching(at("late"), "late/+") as late:
            await late.until(lambda: late.got)
            assert late.got == [Received("late/joiner", b"kept", retained=True)]
            early.publish("late/joiner", b"news", 1)
            await late.until(lambda: len(late.got) > 1)
            assert late.got[1] == Received("late/joiner", b"news", retained=False)
        early.publish("late/joiner", b"", 1, retain=True)


@pytest.mark.asyncio
async def test_a_client_that_vanishes_leaves_its_will(at: At) -> None:
    """And one that says goodbye does not."""
    async with watching(at("watcher"), "will/+") as watcher:
        async with MqttClient(at("polite"), Message("will/polite", b"gone")) as client:
            await connected(client)
        async with MqttClient(at("abrupt"), Message("will/abrupt", b"gone")) as client:
            await connected(client)
            client.drop("test")
            await watcher.until(lambda: watcher.got)
        assert [message.topic for message in watcher.got] == ["will/abrupt"]


@pytest.mark.asyncio
async def test_a_slow_consumer_is_bounded_and_loses_nothing(at: At) -> None:
    """The socket is left unread instead; then everything comes, in order."""
    async with (
        MqttClient(at("slow"), subscriptions=(("flood/x", 1),), buffer=50) as slow,
        watching(at("fast"), "flood/x") as fast,
    ):
        await connected(slow)
        sent = 0
        while sent < 300:
            while sent < 300 and fast.client.publish("flood/x", str(sent).encode(), 1) is not None:
                sent += 1
            await asyncio.sleep(0.005)
        await fast.until(lambda: len(fast.got) == 300)

        async def is_full() -> bool:
            return not slow._room.is_set()

        await eventually(is_full)
        assert len(slow._buffer) <= 50 + mqtt.MAX_QUEUED
        got: list[bytes] = []
        async with asyncio.timeout(PATIENCE_S):
            async for event in slow.events():
                if isinstance(event, Received):
                    got.append(event.payload)
                if len(got) == 300:
                    break
        assert got == [str(n).encode() for n in range(300)]


@pytest.mark.asyncio
async def test_it_connects_with_more_than_a_thousand_files_open(at: At) -> None:
    """Where a select() would fail without a word."""
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    if hard != resource.RLIM_INFINITY and hard < 1300:
        pytest.skip("the machine allows too few open files")
    resource.setrlimit(resource.RLIMIT_NOFILE, (max(soft, 1300), hard))
    opened = [os.open(os.devnull, os.O_RDONLY) for _ in range(1100)]
    try:
        async with MqttClient(at("many")) as client:
            assert await connected(client) == 1
    finally:
        for each in opened:
            os.close(each)


@pytest.mark.asyncio
async def test_a_dead_broker_raises_nothing_and_is_told_once() -> None:
    """The reason names the address and what to look at."""
    settings = BrokerSettings("127.0.0.1", broker_files.free_port(), client_id="c")
    async with MqttClient(settings) as client:
        event = await first(client, Disconnected)
        assert isinstance(event, Disconnected)
        assert f"127.0.0.1:{settings.port}" in event.reason
        assert "is the broker running" in event.reason
        assert client.publish("x", b"x", 1) is None
        await asyncio.sleep(0.7)
        assert not client._buffer


@pytest.mark.parametrize(
    ("code", "words"),
    [
        (1, "MQTT 3.1.1"),
        (2, "client id 'c'"),
        (3, "not ready"),
        (4, "user name"),
        (5, "may not connect"),
        (77, "refused"),
    ],
)
@pytest.mark.asyncio
async def test_a_refusal_says_why_and_what_to_do(code: int, words: str) -> None:
    """Each return code of the standard, and one that is none."""
    async with peer(b"\x20\x02\x00" + bytes([code])) as settings, MqttClient(settings) as client:
        event = await first(client, Disconnected)
        assert isinstance(event, Disconnected)
        assert words in event.reason


@pytest.mark.parametrize(
    "garbage",
    [
        b"HTTP/1.1 400 Bad Request\r\n\r\n",
        b"\xff" * 50,
        b"\x20\x00",
        ACCEPT + b"\x90\x00",
        ACCEPT + b"\x40\x01\x00",
        ACCEPT + b"\x30\x02\x00\x09",
    ],
)
@pytest.mark.asyncio
async def test_a_peer_that_speaks_no_mqtt_is_left(garbage: bytes, monkeypatch: pytest.MonkeyPatch) -> None:
    """No exception comes out; the client goes on trying."""
    monkeypatch.setattr(mqtt, "CONNECT_TIMEOUT_S", 0.2)
    async with peer(garbage) as settings, MqttClient(settings) as client:
        event = await first(client, Disconnected)
        assert isinstance(event, Disconnected)
        assert f"127.0.0.1:{settings.port}" in event.reason


@pytest.mark.asyncio
async def test_a_peer_that_never_answers_is_left(monkeypatch: pytest.MonkeyPatch) -> None:
    """Accepting the connection is no answer."""
    monkeypatch.setattr(mqtt, "CONNECT_TIMEOUT_S", 0.2)
    async with peer() as settings, MqttClient(settings) as client:
        event = await first(client, Disconnected)
        assert event == Disconnected(
            f"127.0.0.1:{settings.port} accepts connections but does not answer as an MQTT broker"
        )


@pytest.mark.asyncio
async def test_a_refused_subscription_is_logged_and_the_rest_goes_on(
    caplog: pytest.LogCaptureFixture,
) -> None:
    """It names the filter; connected means that the subscriptions were answered."""
    wanted = (("good/#", 1), ("bad/#", 1))
    async with (
        peer(ACCEPT + b"\x90\x04\x00\x01\x01\x80") as settings,
        MqttClient(settings, subscriptions=wanted) as client,
    ):
        assert await connected(client) == 1
    assert "bad/#" in caplog.text
    assert "good/#" not in caplog.text


@pytest.mark.asyncio
async def test_short_connections_in_a_row_point_at_the_client_id(monkeypatch: pytest.MonkeyPatch) -> None:
    """Two programs with one id throw each other out for ever."""
    monkeypatch.setattr(mqtt, "backoff_s", lambda *_: 0.01)
    async with peer(ACCEPT, hang_up=True) as settings, MqttClient(settings) as client:
        async with asyncio.timeout(PATIENCE_S):
            async for event in client.events():
                if isinstance(event, Disconnected) and "client id 'c'" in event.reason:
                    break
        assert client.generation >= 3


@pytest.mark.asyncio
async def test_a_message_on_a_topic_that_is_no_text_is_passed_over() -> None:
    """And the next one arrives."""
    bad = b"\x30\x05\x00\x02\xff\xfex"
    good = b"\x30\x04\x00\x01ty"
    async with peer(ACCEPT + bad + good) as settings, MqttClient(settings) as client:
        assert await first(client, Received) == Received("t", b"y", retained=False)


@pytest.mark.asyncio
async def test_messages_are_not_held_back_by_the_kernel(at: At) -> None:
    """With Nagle's algorithm a window of rows takes forty milliseconds."""
    async with MqttClient(at("nagle")) as client:
        await connected(client)
        sock = client._paho.socket() if client._paho else None
        assert isinstance(sock, socket.socket)
        assert sock.getsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY)


@pytest.mark.asyncio
async def test_closing_does_not_wait_for_a_connection_that_hangs(monkeypatch: pytest.MonkeyPatch) -> None:
    """The thread ends later, and its failure is nobody's any more."""
    begun, released = threading.Event(), threading.Event()

    def hang(*_: object) -> None:
        begun.set()
        released.wait(20)
        raise OSError("too late")

    monkeypatch.setattr("paho.mqtt.client.Client.connect", hang)
    async with MqttClient(BrokerSettings("127.0.0.1", 1, client_id="c")):
        await asyncio.to_thread(begun.wait, 20)
    released.set()


@pytest.mark.asyncio
async def test_a_client_is_used_once() -> None:
    """Its events end with it."""
    client = MqttClient(BrokerSettings("127.0.0.1", 1, client_id="c"))
    async with client:
        pass
    assert [event async for event in client.events() if isinstance(event, Connected)] == []
    with pytest.raises(RuntimeError, match="once"):
        await client.__aenter__()


@given(failures=st.integers(0, 10**6), jitter=st.floats(0, 1))
def test_waits_stay_between_a_fifth_and_five_seconds(failures: int, jitter: float) -> None:
    """However long the outage."""
    assert 0.2 <= backoff_s(failures, jitter) <= 5.0


@pytest.mark.parametrize(
    ("error", "words"),
    [
        (TimeoutError(), "firewalls"),
        (OSError(113, "No route to host"), "No route to host"),
        (ValueError("label too long"), "no host name"),
    ],
)
def test_every_failure_to_reach_has_words(error: Exception, words: str) -> None:
    """They name the address."""
    assert words in unreachable("hall.local:1883", error)
    assert "hall.local:1883" in unreachable("hall.local:1883", error)


@pytest.mark.parametrize(
    ("changes", "words"),
    [
        ({"host": ""}, "host"),
        ({"port": 0}, "port 0"),
        ({"port": 70000}, "port 70000"),
        ({"keepalive_s": 0}, "keepalive_s 0"),
        ({"password": "x"}, "without a username"),
    ],
)
def test_settings_that_could_never_connect_are_refused(changes: dict[str, object], words: str) -> None:
    """By name and value."""
    good: dict[str, object] = {"host": "h", "port": 1883}
    with pytest.raises(ValueError, match=words):
        BrokerSettings(**{**good, **changes})  # type: ignore[arg-type]  # wrong on purpose


def test_a_password_is_never_shown() -> None:
    """Settings are logged."""
    assert "secret" not in repr(BrokerSettings("h", 1, "user", "secret"))
