"""amqtt, made fit for us: three defects of 0.12.1 are mended in a subclass.

- The retained leak: every newcomer gets, at the moment it connects, the retained messages that
  match *anybody's* subscriptions. Who subscribed to nothing, or may not read a topic, gets them
  all the same.
- The acknowledged loss: a message is acknowledged when it is queued and passed on later; if its
  sender says goodbye in between, it is gone. On Python 3.13 that was every fourth message of a
  client that left right after the last acknowledgement.
- There is no limit to the length of what is passed on and kept.
"""

import asyncio
from collections.abc import Awaitable, Callable
from typing import Any, Final

from amqtt.adapters import ReaderAdapter, WriterAdapter
from amqtt.broker import Broker
from amqtt.mqtt.protocol.broker_handler import BrokerProtocolHandler
from amqtt.session import ApplicationMessage, Session

from firmware_bridge.wire.payloads import MAX_PAYLOAD_BYTES

_MAX_CONNECTIONS: Final = 500

_GUARDED: Final = (
    "_publish_retained_messages_for_subscription",
    "_initialize_client_session",
    "_handle_message_delivery",
    "_broadcast_message",
    "retain_message",
)
# A later amqtt may rename what is guarded; then no guard at all would be worse than no start.
if missing := [name for name in _GUARDED if not hasattr(Broker, name)]:
    raise ImportError(f"this amqtt has no Broker.{missing[0]}; the guard is written for 0.12")


def loopback_config(host: str, port: int) -> dict[str, Any]:
    """Return amqtt's configuration for one anonymous TCP listener.

    The logging and $SYS plugins of its default are left out: the first fill the log, the
    second wakes the machine.
    """
    return {
        "listeners": {
            "default": {"type": "tcp", "bind": f"{host}:{port}", "max_connections": _MAX_CONNECTIONS}
        },
        "plugins": {"amqtt.plugins.authentication.AnonymousAuthPlugin": {"allow_anonymous": True}},
    }


class GuardedBroker(Broker):  # type: ignore[misc]  # amqtt ships no types, so its class is Any
    """A broker that delivers retained messages only to whoever holds the filter."""

    async def _publish_retained_messages_for_subscription(
        self, subscription: tuple[str, int], session: Session
    ) -> None:
        """Deliver what is retained under a filter, if this very session holds that filter."""
        held_by = self._subscriptions.get(subscription[0], ())
        if any(holder.client_id == session.client_id for holder, _ in held_by):
            await super()._publish_retained_messages_for_subscription(subscription, session)

    async def _initialize_client_session(
        self, reader: ReaderAdapter, writer: WriterAdapter, remote_address: str, remote_port: int
    ) -> tuple[BrokerProtocolHandler, Session]:
        """Make a session whose messages are passed on before they are acknowledged."""
        handler, session = await super()._initialize_client_session(
            reader, writer, remote_address, remote_port
        )

        async def pass_on(message: ApplicationMessage) -> bool:
            done = asyncio.get_running_loop().create_future()
            done.set_result(message)
            return bool(await self._handle_message_delivery(session, handler, done))

        session.delivered_message_queue = _PassedOnAtOnce(pass_on)
        return handler, session

    async def _broadcast_message(
        self,
        session: Session | None,
        topic: str | None,
        data: bytes | bytearray | None,
        force_qos: int | None = None,
    ) -> None:
        """Pass a message on, unless it is longer than anything of ours."""
        if not _too_long(data):
            await super()._broadcast_message(session, topic, data, force_qos)

    async def retain_message(
        self,
        source_session: Session | None,
        topic_name: str | None,
        data: bytes | bytearray | None,
        qos: int | None = None,
    ) -> None:
        """Keep a message, unless it is longer than anything of ours."""
        if not _too_long(data):
            await super().retain_message(source_session, topic_name, data, qos)


class _PassedOnAtOnce(asyncio.Queue[ApplicationMessage]):
    """A queue of received messages in which none waits; amqtt acknowledges after `put`.

    Args:
        pass_on: Passes a message on; tells whether that was allowed.
    """

    def __init__(self, pass_on: Callable[[ApplicationMessage], Awaitable[bool]]) -> None:
        super().__init__()
        self._pass_on = pass_on
        self._in_turn = asyncio.Lock()

    async def put(self, item: ApplicationMessage) -> None:
        """Pass on in the order of arrival; what is not allowed goes amqtt's own way."""
        async with self._in_turn:
            allowed = await self._pass_on(item)
        if not allowed:
            await super().put(item)


def _too_long(data: bytes | bytearray | None) -> bool:
    return data is not None and len(data) > MAX_PAYLOAD_BYTES
