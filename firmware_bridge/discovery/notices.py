"""What a hall tells the network of itself, and which hall a board may follow. Pure.

Laws of this file:

1. A board follows only a hall of its own event: in the next room another event may be played, whose hall
   would show its games and whose broker would take its words.
2. Exactly one: where two halls of the event are heard that lead to different brokers, a board stays with
   the one it followed before, or follows none; people are told of both.
3. Whatever arrives from the network was written by anybody: what is no notice of a hall is passed over.
"""

from __future__ import annotations

import ipaddress
import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from firmware_bridge.wire.topics import is_id

AUTO: Final = "auto"
"""The broker's host, in a board's configuration, that stands for the hall on the network."""

SERVICE: Final = "_togyz._tcp.local."
"""The kind of service (RFC 6763), as every program on the network may look for it."""

MAX_TEXT: Final = 200
"""Longest value that is believed; a TXT record holds 255 bytes of one (RFC 6763, section 6.1)."""

USUAL_BROKER_PORT: Final = 1883


@dataclass(frozen=True, slots=True, kw_only=True)
class HallNotice:
    """One hall as it was heard.

    Attributes:
        name: What it is called on the network, for people.
        event: Id of its event.
        contract: Version of the contract it speaks.
        software: What it calls itself.
        host: Where its pages are: an address, or a name.
        port: And on which port.
        path: And under which path.
        broker_host: Where its boards publish; "" where boards on other machines cannot reach its broker.
        broker_port: And on which port.
    """

    name: str
    event: str
    contract: str
    software: str
    host: str
    port: int
    path: str = "/"
    broker_host: str = ""
    broker_port: int = USUAL_BROKER_PORT

    @property
    def url(self) -> str:
        """Where its pages are."""
        host = f"[{self.host}]" if ":" in self.host else self.host
        return f"http://{host}:{self.port}{self.path}"

    @property
    def broker(self) -> str:
        """Where its boards publish, `host:port`; "" where they cannot."""
        return f"{self.broker_host}:{self.broker_port}" if self.broker_host else ""


@dataclass(frozen=True, slots=True)
class Choice:
    """Which hall a board follows.

    Attributes:
        hall: That one; None: none may be followed.
        ours: Halls of the event that were heard, those without a broker for others included.
        others: Events whose halls were heard beside it.
    """

    hall: HallNotice | None
    ours: tuple[HallNotice, ...]
    others: tuple[str, ...]


def chosen(heard: Iterable[HallNotice], event: str, last: str = "") -> Choice:
    """Return which of the halls that were heard a board of `event` follows.

    Args:
        heard: The halls.
        event: Id of the board's event.
        last: The broker that it followed last, `host:port`: where several are heard it stays with that one,
            or anybody could take it from its hall by announcing another; "" for none.
    """
    halls = tuple(heard)
    ours = tuple(hall for hall in halls if hall.event == event)
    useful = {hall.broker: hall for hall in ours if hall.broker}
    others = tuple(sorted({hall.event for hall in halls if hall.event != event}))
    one = next(iter(useful.values())) if len(useful) == 1 else useful.get(last)
    return Choice(one, ours, others)


def is_loopback(host: str) -> bool:
    """Tell whether an address or name means this very machine, so that nobody else can use it."""
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return host.casefold() in ("localhost", "localhost.localdomain")


def is_everywhere(host: str) -> bool:
    """Tell whether an address to listen on means all of this machine's, so that it names none of them."""
    return host in ("", "0.0.0.0", "::")


def txt_of(notice: HallNotice, *, broker_for_others: bool) -> dict[str, str]:
    """Return what stands in a hall's TXT record.

    Args:
        notice: The hall; its addresses travel in records of their own.
        broker_for_others: Whether boards on other machines can reach its broker. One on the hall's own
            machine is told by its port alone: it is where the hall is.
    """
    told = {
        "event": notice.event,
        "contract": notice.contract,
        "software": notice.software,
        "path": notice.path,
    }
    if broker_for_others:
        host = "" if not notice.broker_host or is_loopback(notice.broker_host) else notice.broker_host
        told |= {"broker_port": str(notice.broker_port)} | ({"broker_host": host} if host else {})
    return told


def notice_in(
    name: str, addresses: Sequence[str], port: int | None, txt: Mapping[str, str | None]
) -> HallNotice | None:
    """Return the hall that a service on the network is; None: it is none, or says what cannot be.

    Args:
        name: The service's name.
        addresses: Its addresses; the first is used.
        port: Of its pages.
        txt: What its TXT record holds.
    """
    said = {key: value for key, value in txt.items() if value is not None and _sound(value)}
    event, broker_port = said.get("event", ""), _port(said.get("broker_port", ""))
    host = next((each for each in addresses if "%" not in each), "")
    if not is_id(event) or not host or port is None or not 0 < port < 65536:
        return None
    return HallNotice(
        name=name.removesuffix(f".{SERVICE}")[:MAX_TEXT],
        event=event,
        contract=said.get("contract", ""),
        software=said.get("software", ""),
        host=host,
        port=port,
        path=path if (path := said.get("path", "/")).startswith("/") else "/",
        broker_host="" if broker_port is None else said.get("broker_host", "") or host,
        broker_port=broker_port or USUAL_BROKER_PORT,
    )


def _sound(value: str) -> bool:
    return len(value) <= MAX_TEXT and value.isprintable()


def _port(text: str) -> int | None:
    number = int(text) if text.isascii() and text.isdigit() and len(text) <= 5 else 0
    return number if 0 < number < 65536 else None


@dataclass(frozen=True, slots=True)
class Remembered:
    """The broker that was found last, for a day on which the network carries no multicast.

    Attributes:
        event: Of which event.
        host: Where.
        port: On which port.
    """

    event: str
    host: str
    port: int

    @property
    def broker(self) -> str:
        """The address in words, as in `HallNotice`."""
        return f"{self.host}:{self.port}"

    def written(self) -> str:
        """Return it as a line of JSON."""
        return json.dumps({"event": self.event, "host": self.host, "port": self.port}) + "\n"


def remembered_in(text: str, event: str) -> Remembered | None:
    """Return what was remembered for an event; None: nothing, or it is damaged, or of another event."""
    try:
        found = json.loads(text)
        told = Remembered(str(found["event"]), str(found["host"]), int(found["port"]))
    except (ValueError, TypeError, KeyError, RecursionError):
        return None
    sound = told.event == event and 0 < told.port < 65536 and told.host and _sound(told.host)
    return told if sound else None
