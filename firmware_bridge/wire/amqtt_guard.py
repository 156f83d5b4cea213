"""amqtt, made fit for us: without its retained leak, and with a limit to what it passes on.

amqtt 0.12.1 sends every newcomer, at the moment it connects, the retained messages matching
*anybody's* subscriptions: who subscribed to nothing, or may not read a topic, gets them all the
same. One method is on that path, and is guarded here.
"""

from typing import Any, Final

from amqtt.broker import Broker
from amqtt.session import Session

from firmware_bridge.wire.payloads import MAX_PAYLOAD_BYTES

_MAX_CONNECTIONS: Final = 500

# A later amqtt may rename what is guarded; then no guard at all would be worse than no start.
for _guarded in ("_publish_retained_messages_for_subscription", "_broadcast_message", "retain_message"):
    if not hasattr(Broker, _guarded):
        raise ImportError(f"this amqtt has no Broker.{_guarded}; the guard is written for 0.12")


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


def _too_long(data: bytes | bytearray | None) -> bool:
    return data is not None and len(data) > MAX_PAYLOAD_BYTES
