"""The MQTT client: the only file that imports paho.

How it is built, and why:

- One paho client per connection, thrown away with it. paho keeps unacknowledged messages and
  sends them again after a reconnect, out of step with the outbox; a fresh one knows nothing.
  A message id therefore means something only together with the connection's generation.
- The asyncio loop watches the socket. paho's own loop uses select(), which fails silently in a
  process with more than 1023 open files, as a hall with many viewers is.
- Callbacks run while paho holds its mutexes, so they note what happened and return.
- Nothing grows without limit: paho's queue is capped, and when the consumer of `events` falls
  behind, the socket is left unread, so that the broker feels it.
"""

import asyncio
import logging
import random
import socket
from collections import deque
from collections.abc import AsyncIterator
from types import TracebackType
from typing import Any, Final, Self

import paho.mqtt.client as paho
from paho.mqtt.enums import CallbackAPIVersion, MQTTErrorCode
from paho.mqtt.reasoncodes import ReasonCode

from firmware_bridge.wire.connection import (
    CONNECT_TIMEOUT_S,
    Connected,
    Disconnected,
    Event,
    Message,
    Published,
    Received,
    backoff_s,
    refused,
    unreachable,
)
from firmware_bridge.wire.settings import BrokerSettings

__all__ = [
    "BrokerSettings",
    "Connected",
    "Disconnected",
    "Event",
    "Message",
    "MqttClient",
    "Published",
    "Received",
]

FLUSH_TIMEOUT_S: Final = 1.0
MAX_QUEUED: Final = 200
"""QoS 1 messages not yet acknowledged; more are refused. The outbox keeps to far fewer."""
_STABLE_S: Final = 5.0  # a connection that held this long was a good one
_QUICK_LOSSES: Final = 3  # so many short connections in a row look like a stolen client id

_log = logging.getLogger(__name__)


class MqttClient:
    """A client that stays connected, or keeps trying, from `__aenter__` until `close`.

    A dead broker raises nothing: it shows as `Disconnected` in `events`.

    Args:
        settings: The broker and our identity there.
        will: Published by the broker when we vanish without saying goodbye; None for none.
        subscriptions: Pairs of topic filter and QoS, subscribed on every connection.
        buffer: Events kept for a slow consumer before the socket is left unread.
    """

    def __init__(
        self,
        settings: BrokerSettings,
        will: Message | None = None,
        subscriptions: tuple[tuple[str, int], ...] = (),
        *,
        buffer: int = 1000,
    ) -> None:
        self._settings = settings
        self._will = will
        self._subscriptions = subscriptions
        self._limit = buffer
        self._buffer: deque[Event] = deque()
        self._arrived = asyncio.Event()
        self._room = asyncio.Event()
        self._room.set()
        self._paho: paho.Client | None = None
        self._ended: asyncio.Future[str] | None = None
        self._up = False
        self._fd: int | None = None
        self._task: asyncio.Task[None] | None = None
        self._closing = False
        self._closed = False
        self._quick_losses = 0
        self.generation = 0
        self.reason = "not connected yet"

    @property
    def connected(self) -> bool:
        """Whether the broker has accepted us and the connection still stands."""
        return self._up

    async def __aenter__(self) -> Self:
        """Begin connecting in the background.

        Raises:
            RuntimeError: Entered a second time; make a new client.
        """
        if self._task is not None:
            raise RuntimeError("an MqttClient is used once; make a new one")
        name = f"mqtt {self._settings.client_id or '-'} {self._settings.where}"
        self._task = asyncio.create_task(self._run(), name=name)
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        """Close, saying goodbye."""
        await self.close()

    async def close(self) -> None:
        """Write what is queued, say goodbye (so that no will is sent) and stop; idempotent.

        Takes at most a second; only an attempt to connect that hangs in the operating system
        may outlive it, in its thread, for 5 s.
        """
        self._closing = True
        if self._paho is not None and self._ended is not None and self.connected:
            self._paho.disconnect()
            await asyncio.wait({self._ended}, timeout=FLUSH_TIMEOUT_S)
        if self._task is not None:
            self._task.cancel()
            await asyncio.wait({self._task})
        self._closed = True
        self._arrived.set()

    def publish(self, topic: str, payload: bytes, qos: int = 0, retain: bool = False) -> int | None:  # noqa: FBT001, FBT002 - the wire's own word
        """Hand a message to the connection, if there is one.

        Args:
            topic: Where to; no wildcards.
            payload: The bytes.
            qos: 0 or 1.
            retain: Whether the broker keeps it for late joiners.

        Returns:
            The message id, valid with the present `generation`; None when nothing was sent: no
            connection, too much unacknowledged, or QoS 0 while the socket is stuck.

        Raises:
            ValueError: The topic holds a wildcard or is empty.
        """
        client = self._paho
        if client is None or not self.connected or self._closing:
            return None
        if qos == 0 and client.want_write() and not self._socket_drained(client):
            return None
        info = client.publish(topic, payload, qos, retain)
        return info.mid if info.rc == MQTTErrorCode.MQTT_ERR_SUCCESS else None

    def drop(self, reason: str) -> None:
        """Break the connection off without goodbye and connect anew, e.g. when acks stay out."""
        if self._ended is not None and not self._ended.done():
            self._ended.set_result(reason)

    async def events(self) -> AsyncIterator[Event]:
        """Iterate over what happens, until `close`; for one consumer."""
        while True:
            while self._buffer:
                event = self._buffer.popleft()
                if len(self._buffer) <= self._limit // 2 and not self._room.is_set():
                    self._room.set()
                    self._read_on()
                yield event
            if self._closed:
                return
            self._arrived.clear()
            await self._arrived.wait()

    # --- the life of connections -------------------------------------------------------------

    async def _run(self) -> None:
        failures = 0
        loop = asyncio.get_running_loop()
        while True:
            await self._room.wait()
            began, generation = loop.time(), self.generation
            reason = await self._one_connection()
            accepted = self.generation > generation
            stable = accepted and loop.time() - began > _STABLE_S
            self._quick_losses = self._quick_losses + 1 if accepted and not stable else 0
            if not self._closing:
                self._report(reason)
            failures = 0 if stable else failures
            await asyncio.sleep(backoff_s(failures, random.random()))  # noqa: S311 - no secret
            failures += 1

    async def _one_connection(self) -> str:
        """Connect and stay until it ends; return the reason in words."""
        client = self._new_paho()
        if (reason := await self._connect(client)) is not None:
            return reason
        sock = client.socket()
        if sock is None:
            return f"broker {self._settings.where} closed the connection at once"
        # paho writes message by message; Nagle's algorithm would hold each back for 40 ms.
        if isinstance(sock, socket.socket):
            sock.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        loop = asyncio.get_running_loop()
        self._paho, self._ended = client, loop.create_future()
        self._fd = sock.fileno()
        client.on_socket_register_write = self._on_want_write
        client.on_socket_unregister_write = self._on_written
        client.on_socket_close = self._on_socket_close
        self._read_on()
        if client.want_write():
            loop.add_writer(self._fd, self._step, client.loop_write)
        try:
            return await self._until_ended(client, self._ended)
        finally:
            self._up = False
            self._unwatch()
            self._paho = None
            _discard(client)

    async def _connect(self, client: paho.Client) -> str | None:
        """Open the connection in a thread; return the reason if it cannot be."""
        at = self._settings
        loop = asyncio.get_running_loop()
        opening = loop.run_in_executor(None, client.connect, at.host, at.port, at.keepalive_s)
        try:
            await asyncio.shield(opening)
        except asyncio.CancelledError:
            # The thread cannot be stopped; whatever it still opens is closed when it is done.
            opening.add_done_callback(lambda done: _abandon(client, done))
            raise
        except (OSError, ValueError) as error:
            return unreachable(at.where, error)
        return None

    async def _until_ended(self, client: paho.Client, ended: asyncio.Future[str]) -> str:
        began = asyncio.get_running_loop().time()
        period = min(1.0, self._settings.keepalive_s / 4)
        while not ended.done():
            await asyncio.wait({ended}, timeout=period)
            waited = asyncio.get_running_loop().time() - began
            if not self.connected and waited > CONNECT_TIMEOUT_S:
                self.drop(f"{self._settings.where} accepts connections but does not answer as an MQTT broker")
            elif self._room.is_set():
                self._step(client.loop_misc)
        return ended.result()

    def _new_paho(self) -> paho.Client:
        at = self._settings
        client = paho.Client(
            CallbackAPIVersion.VERSION2,
            client_id=at.client_id,
            clean_session=not at.kept,
            protocol=paho.MQTTv311,
            reconnect_on_failure=False,  # else a refusal reconnects at once, and blocking
        )
        client.connect_timeout = CONNECT_TIMEOUT_S
        client.max_queued_messages_set(MAX_QUEUED)
        if at.username is not None:
            client.username_pw_set(at.username, at.password)
        if self._will is not None:
            client.will_set(self._will.topic, self._will.payload, self._will.qos, self._will.retain)
        client.on_connect = self._on_connect
        client.on_disconnect = self._on_disconnect
        client.on_publish = self._on_publish
        client.on_message = self._on_message
        client.on_subscribe = self._on_subscribe
        return client

    # --- the socket --------------------------------------------------------------------------

    def _step(self, loop_call: Any) -> None:
        """Let paho read, write or keep alive; whatever it stumbles over ends the connection."""
        try:
            loop_call()
        except Exception as error:  # noqa: BLE001 - paho raises many kinds on bytes that are no MQTT
            self.drop(f"broker {self._settings.where} sent what is no MQTT 3.1.1: {error!r}")

    def _readable(self) -> None:
        if len(self._buffer) >= self._limit:
            self._room.clear()
            if self._fd is not None:
                asyncio.get_running_loop().remove_reader(self._fd)
        elif self._paho is not None:
            self._step(self._paho.loop_read)

    def _read_on(self) -> None:
        if self._fd is not None:
            asyncio.get_running_loop().add_reader(self._fd, self._readable)

    def _unwatch(self) -> None:
        if self._fd is not None:
            loop = asyncio.get_running_loop()
            loop.remove_reader(self._fd)
            loop.remove_writer(self._fd)
            self._fd = None

    def _on_want_write(self, client: paho.Client, _user: Any, _sock: Any) -> None:
        if self._fd is not None:
            asyncio.get_running_loop().add_writer(self._fd, self._step, client.loop_write)

    def _on_written(self, _client: paho.Client, _user: Any, _sock: Any) -> None:
        if self._fd is not None:
            asyncio.get_running_loop().remove_writer(self._fd)

    def _on_socket_close(self, _client: paho.Client, _user: Any, _sock: Any) -> None:
        self._unwatch()

    def _socket_drained(self, client: paho.Client) -> bool:
        self._step(client.loop_write)
        return self.connected and not client.want_write()

    # --- paho's callbacks --------------------------------------------------------------------

    def _on_connect(self, client: paho.Client, _user: Any, _flags: Any, code: ReasonCode, _more: Any) -> None:
        if code.is_failure:
            self.drop(refused(self._settings, str(code)))
            return
        if self._subscriptions:
            client.subscribe(list(self._subscriptions))  # the answer makes us connected
        else:
            self._accepted()

    def _on_disconnect(
        self, _client: paho.Client, _user: Any, _flags: Any, code: ReasonCode, _more: Any
    ) -> None:
        text = {
            "Keep alive timeout": f"broker {self._settings.where} has been silent for too long",
            "Protocol error": f"broker {self._settings.where} refused MQTT 3.1.1 or broke its rules",
        }.get(str(code), f"connection to broker {self._settings.where} was lost")
        self.drop(text)

    def _on_publish(self, client: paho.Client, _user: Any, mid: int, _code: ReasonCode, _more: Any) -> None:
        if client is self._paho:
            self._put(Published(self.generation, mid))

    def _on_message(self, _client: paho.Client, _user: Any, message: paho.MQTTMessage) -> None:
        try:
            topic = message.topic
        except UnicodeDecodeError:
            return  # no topic of ours; some brokers let it through
        self._put(Received(topic, bytes(message.payload), message.retain))

    def _on_subscribe(
        self, _client: paho.Client, _user: Any, _mid: int, codes: list[ReasonCode], _more: Any
    ) -> None:
        for (wanted, _), code in zip(self._subscriptions, codes, strict=False):
            if code.is_failure:
                _log.warning("broker %s refused the subscription to %s", self._settings.where, wanted)
        self._accepted()

    # --- telling -----------------------------------------------------------------------------

    def _accepted(self) -> None:
        self.generation += 1
        self.reason = ""
        self._up = True
        self._put(Connected(self.generation))
        _log.info("connected to broker %s as %s", self._settings.where, self._settings.client_id)

    def _put(self, event: Event) -> None:
        self._buffer.append(event)
        self._arrived.set()

    def _report(self, reason: str) -> None:
        """Tell a reason once: an outage of hours is one event, not thousands."""
        if self._quick_losses >= _QUICK_LOSSES:
            reason += f"; does another program use the client id {self._settings.client_id!r}?"
        if reason != self.reason:
            self.reason = reason
            self._put(Disconnected(reason))
            _log.warning("%s", reason)


def _discard(client: paho.Client) -> None:
    """Close a paho client's socket without any callback."""
    client.on_socket_close = client.on_socket_register_write = client.on_socket_unregister_write = None
    sock = client.socket()
    if sock is not None:
        sock.close()


def _abandon(client: paho.Client, opening: "asyncio.Future[MQTTErrorCode]") -> None:
    """Clean up after an attempt to connect that nobody waits for any more."""
    if not opening.cancelled():
        opening.exception()  # looked at, so that asyncio does not complain
    _discard(client)
