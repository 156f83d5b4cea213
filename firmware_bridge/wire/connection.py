"""What a connection to a broker tells: its events, its reasons in words, its patience."""

import socket
from dataclasses import dataclass
from typing import Final, TypeAlias

from firmware_bridge.wire.settings import BrokerSettings

CONNECT_TIMEOUT_S: Final = 5.0
"""A broker that has not answered within this is given up; a later attempt follows."""


@dataclass(frozen=True, slots=True)
class Message:
    """What is to be published, or left with the broker as the will."""

    topic: str
    payload: bytes
    qos: int = 1
    retain: bool = True


@dataclass(frozen=True, slots=True)
class Connected:
    """The broker has accepted us and our subscriptions; `generation` counts connections from 1."""

    generation: int


@dataclass(frozen=True, slots=True)
class Disconnected:
    """The connection ended or could not be made; `reason` says why and what to do."""

    reason: str


@dataclass(frozen=True, slots=True)
class Published:
    """The broker acknowledged (QoS 1) or took (QoS 0) message `mid` of this generation."""

    generation: int
    mid: int


@dataclass(frozen=True, slots=True)
class Received:
    """A message arrived; `retained` tells whether the broker had kept it."""

    topic: str
    payload: bytes
    retained: bool


Event: TypeAlias = Connected | Disconnected | Published | Received


def backoff_s(failures: int, jitter: float) -> float:
    """Say how long to wait before the next attempt.

    Args:
        failures: Attempts failed in a row, 0 for the first wait.
        jitter: 0..1, random, so that a hall full of boards does not come back at once.

    Returns:
        Seconds, 0.2..5.
    """
    longest = min(5.0, 0.4 * 2.0 ** min(failures, 10))
    return 0.2 + (longest - 0.2) * jitter


def unreachable(where: str, error: Exception) -> str:
    """Say in words why the address `where` could not be connected to, and what to look at."""
    match error:
        case ConnectionRefusedError():
            why = "nothing listens there; is the broker running, and is this its port?"
        case TimeoutError():
            why = f"no answer within {CONNECT_TIMEOUT_S:g} s; check the address, the network and firewalls"
        case socket.gaierror():
            why = "the host name is unknown here; check its spelling and the network"
        case OSError():
            why = error.strerror or str(error)
        case _:
            why = f"this is no host name: {error}"
    return f"broker {where} cannot be reached: {why}"


def refused(settings: BrokerSettings, code: str) -> str:
    """Say in words why the broker did not let us in.

    Args:
        settings: Where, and as whom.
        code: The return code's name in MQTT 3.1.1, section 3.2.2.3, as paho spells it.
    """
    advice = {
        "Bad user name or password": f"check user name ({settings.username!r}) and password",
        "Not authorized": f"user {settings.username!r} may not connect here; ask who runs the broker",
        "Client identifier not valid": f"change the client id {settings.client_id!r}",
        "Server unavailable": "the broker is not ready; trying again",
    }.get(code, "see the broker's log")
    return f"broker {settings.where} refused the connection: {code}: {advice}"
