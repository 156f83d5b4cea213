"""Hears everything that goes over a broker, and holds it to the contract."""

from __future__ import annotations

import json
import threading
from collections.abc import Iterable
from typing import Any

import paho.mqtt.client as paho
from paho.mqtt.enums import CallbackAPIVersion

from firmware_bridge.wire import topics
from firmware_bridge.wire.payloads import MAX_PAYLOAD_BYTES, MAX_STATE_BYTES
from firmware_bridge.wire.records import MAX_PART_BYTES
from firmware_bridge.wire.signing import MAX_SIGNED_BYTES
from tests.firmware_bridge.contract.shapes import check_message

_LIMITS = {
    "state": MAX_STATE_BYTES,
    "record": MAX_PART_BYTES,
    "cmd": MAX_SIGNED_BYTES,
    "ack": MAX_SIGNED_BYTES,
}


class Spy:
    """A subscriber to everything: it listens at once and judges later, for judging takes longer.

    Attributes:
        heard: Topic, payload and whether it was retained, of every message that has come.
    """

    def __init__(self) -> None:
        self.heard: list[tuple[str, bytes, bool]] = []
        self._clients: list[paho.Client] = []

    def listen(self, host: str, port: int) -> None:
        """Subscribe to a broker that answers; to one more after each of its restarts.

        Raises:
            AssertionError: It did not let the spy in.
        """
        client = paho.Client(CallbackAPIVersion.VERSION2, client_id=f"spy-{len(self._clients)}")
        subscribed = threading.Event()
        client.on_message = self._on_message

        def on_connect(*_: Any) -> None:
            client.subscribe("#", 1)

        def on_subscribe(*_: Any) -> None:
            subscribed.set()

        client.on_connect, client.on_subscribe = on_connect, on_subscribe
        client.connect(host, port)
        client.loop_start()
        self._clients.append(client)
        assert subscribed.wait(30), "the broker did not let the spy subscribe"

    def shout(self, topic: str, payload: bytes, *, retain: bool = False) -> None:
        """Publish what no board says, as somebody may who has an account for writing."""
        self._clients[-1].publish(topic, payload, 1, retain).wait_for_publish(30)

    def flood(self, topic: str, payloads: Iterable[bytes]) -> None:
        """Publish as fast as the line takes it, waiting for nothing."""
        for payload in payloads:
            self._clients[-1].publish(topic, payload, 0)

    def close(self) -> None:
        """Stop listening; idempotent."""
        for client in self._clients:
            client.disconnect()
            client.loop_stop()
        self._clients.clear()

    def count(self, kind: str) -> int:
        """Return how many messages of a kind have come."""
        return sum(_kind(topic) == kind for topic, _, _ in self.heard)

    def faults(self) -> list[str]:
        """Return what the contract does not describe, in words."""
        found = []
        for topic, payload, retained in self.heard:
            try:
                _check(topic, payload, retained=retained)
            except (AssertionError, ValueError, KeyError) as error:
                found.append(f"{topic}: {error!r:.400}")
        return found

    def _on_message(self, _client: paho.Client, _user: Any, message: paho.MQTTMessage) -> None:
        self.heard.append((message.topic, bytes(message.payload), message.retain))


def _kind(topic: str) -> str:
    signed = topics.command_topic(topic)
    if signed is not None:
        return signed.leaf
    return "record" if topics.is_record(topic) else topics.parse(topic).leaf


def _check(topic: str, payload: bytes, *, retained: bool) -> None:
    kind = _kind(topic)
    if not payload:
        assert kind == "record", "cleared although nobody asked for it"
        return
    assert len(payload) <= _LIMITS.get(kind, MAX_PAYLOAD_BYTES), f"{len(payload)} bytes"
    assert kind in {*topics.RETAINED_LEAVES, "record"} or not retained, "news must not be retained"
    value = json.loads(payload)
    check_message(kind, value)
    where: topics.RecordTopic | topics.BoardTopic | topics.CommandTopic | None
    where = topics.command_topic(topic)
    if where is None:
        where = topics.parse_record(topic) if kind == "record" else topics.parse(topic)
    assert (value["event"], value["board"]) == (where.event, where.board)
