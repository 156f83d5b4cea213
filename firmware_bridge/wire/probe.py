"""Asks a broker, once and briefly, what it would do for a board: does it answer, let it in, take its words.

Written for MQTT 5, whose acknowledgements say when a message was refused; of an older broker only what it
says can be told. What is published is a diagnosis that holds nothing and is not retained.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any, Final, Literal

import paho.mqtt.client as paho
from paho.mqtt.enums import CallbackAPIVersion
from paho.mqtt.reasoncodes import ReasonCode

from firmware_bridge.wire.connection import CONNECT_TIMEOUT_S, unreachable
from firmware_bridge.wire.settings import BrokerSettings

ANSWER_S: Final = 3.0
RETAINED_S: Final = 0.3
"""How long what the broker keeps may take to arrive after it has let us hear it."""
_BAD_CREDENTIALS: Final = (4, 134)
_NOT_AUTHORISED: Final = (5, 135)
"""MQTT 3.1.1, section 3.2.2.3, and MQTT 5, section 3.2.2.2."""
_OTHER_VERSION: Final = (1, 132)

Outcome = Literal["works", "unreachable", "no_mqtt", "credentials", "refused"]


@dataclass(slots=True)
class Probed:
    """What came of it.

    Attributes:
        outcome: `works`; `unreachable`; `no_mqtt`: what answers there is no broker; `credentials`: user name
            or password is wrong, or there is none where one is needed; `refused` otherwise.
        why: In words, in English; "" where it works.
        error: What the system said where it cannot be reached; None else.
        publishes: Whether it took the message; None where it does not say so.
        hears: Whether it lets us hear each filter that was asked for, in order; None where it did not say.
        retained: What it keeps there, by topic.
    """

    outcome: Outcome
    why: str = ""
    error: Exception | None = None
    publishes: bool | None = None
    hears: tuple[bool, ...] | None = None
    retained: dict[str, bytes] = field(default_factory=dict)


def probe(settings: BrokerSettings, topic: str, payload: bytes, filters: tuple[str, ...] = ()) -> Probed:
    """Ask a broker; blocks, a few seconds at most.

    Args:
        settings: Where, and as whom; its client id should be nobody else's.
        topic: Where a message is published, neither retained nor kept.
        payload: That message.
        filters: What is to be heard.
    """
    found = _Attempt(settings, paho.MQTTv5).run(topic, payload, filters)
    if found is None:  # a broker of before MQTT 5
        found = _Attempt(settings, paho.MQTTv311).run(topic, payload, filters)
    return found or Probed("refused", "it speaks neither MQTT 5 nor MQTT 3.1.1")


class _Attempt:
    """One connection in one version of MQTT."""

    def __init__(self, settings: BrokerSettings, version: Any) -> None:
        self._settings, self._tells = settings, version == paho.MQTTv5
        client = paho.Client(CallbackAPIVersion.VERSION2, client_id=settings.client_id, protocol=version)
        client.connect_timeout = CONNECT_TIMEOUT_S
        if settings.username is not None:
            client.username_pw_set(settings.username, settings.password)
        client.on_connect = self._on_connect
        client.on_subscribe = self._on_subscribe
        client.on_publish = self._on_publish
        client.on_message = self._on_message
        self._client = client
        self._let_in: ReasonCode | None = None
        self._granted: tuple[bool, ...] | None = None
        self._taken: ReasonCode | None = None
        self._retained: dict[str, bytes] = {}

    def run(self, topic: str, payload: bytes, filters: tuple[str, ...]) -> Probed | None:
        """Ask everything; None: the broker wants another version."""
        at, client = self._settings, self._client
        try:
            client.connect(at.host, at.port, at.keepalive_s)
        except (OSError, ValueError) as error:
            return Probed("unreachable", unreachable(at.where, error), error)
        try:
            if not self._until(lambda: self._let_in is not None):
                # Some brokers of before MQTT 5 hang up on it without a word.
                return None if self._tells else Probed("no_mqtt", "it accepts connections and says nothing")
            assert self._let_in is not None
            if self._let_in.is_failure:
                return self._refused(self._let_in)
            if filters:
                client.subscribe([(each, 1) for each in filters])
                self._until(lambda: self._granted is not None)
                self._until(lambda: False, RETAINED_S)
            client.publish(topic, payload, 1)
            self._until(lambda: self._taken is not None)
            taken = None if self._taken is None or not self._tells else not self._taken.is_failure
            return Probed("works", publishes=taken, hears=self._granted, retained=self._retained)
        except Exception as error:  # noqa: BLE001 - paho raises many kinds on bytes that are no MQTT
            return Probed("no_mqtt", repr(error))
        finally:
            client.disconnect()
            if client.socket() is not None:
                client.loop_misc()
            _close(client)

    def _refused(self, code: ReasonCode) -> Probed | None:
        if code.value in _OTHER_VERSION and self._tells:
            return None
        known = code.value in _BAD_CREDENTIALS or code.value in _NOT_AUTHORISED
        return Probed("credentials" if known else "refused", str(code))

    def _until(self, true: Callable[[], bool], timeout_s: float = ANSWER_S) -> bool:
        """Let the client work until something is so; tell whether it is."""
        deadline = time.monotonic() + timeout_s
        while not true():
            left = deadline - time.monotonic()
            if left <= 0 or self._client.loop(min(left, 0.1)) != paho.MQTT_ERR_SUCCESS:
                return true()
        return True

    def _on_connect(self, _client: Any, _user: Any, _flags: Any, code: ReasonCode, _more: Any) -> None:
        self._let_in = code

    def _on_subscribe(self, _client: Any, _user: Any, _mid: int, codes: list[ReasonCode], _more: Any) -> None:
        self._granted = tuple(not code.is_failure for code in codes)

    def _on_publish(self, _client: Any, _user: Any, _mid: int, code: ReasonCode, _more: Any) -> None:
        self._taken = code

    def _on_message(self, _client: Any, _user: Any, message: paho.MQTTMessage) -> None:
        if message.retain:
            self._retained[message.topic] = bytes(message.payload)


def _close(client: paho.Client) -> None:
    sock = client.socket()
    if sock is not None:
        sock.close()
