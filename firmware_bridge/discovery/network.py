"""Halls on the network: announced and heard by multicast DNS. The only file that imports zeroconf.

The library has an event loop in a thread of its own; nothing here runs in a loop that serves a board, and
nothing waits for the network but who asks for it. It is loaded when it is first needed: a board that is
started again in the middle of a game does not wait for that either.
"""

from __future__ import annotations

import asyncio
import contextlib
import logging
import socket
import threading
import time
from collections.abc import AsyncIterator, Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final, Self

from firmware_bridge.discovery.notices import (
    SERVICE,
    HallNotice,
    is_everywhere,
    is_loopback,
    notice_in,
    txt_of,
)

if TYPE_CHECKING:
    from zeroconf import ServiceInfo, Zeroconf

LOOK_S: Final = 2.5
"""How long halls are listened for: one answers within 0.1 s, and a question that got lost is asked again
after 1 s (RFC 6762, section 5.2)."""
RESOLVE_MS: Final = 1500
"""How long all names together may take to be answered for."""
ADDRESSES_EVERY_S: Final = 15.0
"""How often the hall looks whether the machine has other addresses: a Pi boots before its network does."""
MOST_NAMES: Final = 256
"""Names of halls that are asked for: a stranger who announces more of them hides some, and stops nobody."""
TRY_S: Final = 1.0
"""How long the hall's own broker may take to answer a connection from the same machine."""

_log = logging.getLogger(__name__)


class NetworkError(OSError):
    """Raised when this machine has no network on which anything could be heard."""


def heard_halls(seconds: float = LOOK_S, interfaces: Sequence[str] = ()) -> tuple[HallNotice, ...]:
    """Listen for halls, and return those that were heard, by name; blocks for `seconds` and a little more.

    Args:
        seconds: How long.
        interfaces: Addresses of the network cards; none: all of them.

    Raises:
        NetworkError: There is no network.
    """
    from zeroconf import ServiceBrowser  # noqa: PLC0415 - see above

    names: set[str] = set()

    def heard(zeroconf: Zeroconf, service_type: str, name: str, state_change: object) -> None:  # noqa: ARG001 - the library's names
        if len(names) < MOST_NAMES:
            names.add(name)

    zeroconf = _opened(interfaces)
    try:
        browser = ServiceBrowser(zeroconf, SERVICE, handlers=[heard])
        time.sleep(seconds)
        browser.cancel()
        found = _resolved(zeroconf, sorted(names))
    finally:
        zeroconf.close()
    halls = (_notice(info) for info in found)
    return tuple(hall for hall in halls if hall is not None)


def _resolved(zeroconf: Zeroconf, names: Sequence[str]) -> list[ServiceInfo]:
    """Return what stands behind the names that are answered for.

    All are asked for at once, or what nobody answers for would add up. Anybody may put anything into a
    record; a name of another kind of service, or with control characters in it, is passed over.
    """
    from zeroconf import BadTypeInNameException  # noqa: PLC0415 - see above
    from zeroconf.asyncio import AsyncServiceInfo  # noqa: PLC0415 - see above

    infos: list[AsyncServiceInfo] = []
    for name in names:
        with contextlib.suppress(BadTypeInNameException):
            infos.append(AsyncServiceInfo(SERVICE, name))

    async def asked() -> list[bool]:
        return await asyncio.gather(*[info.async_request(zeroconf, RESOLVE_MS) for info in infos])

    assert zeroconf.loop is not None, "it has been opened"
    try:
        answered = asyncio.run_coroutine_threadsafe(asked(), zeroconf.loop).result(2 * RESOLVE_MS / 1000)
    except TimeoutError as error:
        raise NetworkError("the network says more than this machine can read") from error
    return [info for info, known in zip(infos, answered, strict=True) if known]


def _opened(interfaces: Sequence[str]) -> Zeroconf:
    from zeroconf import InterfaceChoice, Zeroconf  # noqa: PLC0415 - see above

    try:
        return Zeroconf(interfaces=list(interfaces) or InterfaceChoice.All)
    except (OSError, RuntimeError) as error:
        raise NetworkError(f"no network to look for halls on: {error}") from error


def _notice(info: ServiceInfo) -> HallNotice | None:
    # An address that others can use goes first: of a hall on this machine both are heard.
    addresses = sorted(info.parsed_addresses(), key=lambda each: (is_loopback(each), ":" in each))
    return notice_in(info.name, addresses, info.port, info.decoded_properties)


@contextlib.asynccontextmanager
async def announced(notice: HallNotice) -> AsyncIterator[None]:
    """Tell the network of a hall while the block lasts, whether or not there is a network now.

    A broker on the hall's own machine is told only where it listens for others, too: that is tried.

    Args:
        notice: The hall; its `host` is the address it listens on, which may mean all of them.
    """
    stop = threading.Event()
    telling = asyncio.create_task(asyncio.to_thread(_tell, notice, stop), name="hall announcement")
    try:
        yield
    finally:
        stop.set()
        await asyncio.wait({telling})


def _tell(notice: HallNotice, stop: threading.Event) -> None:
    """Announce, and announce anew whenever something about it has changed, until told to stop."""
    said = ""
    while not stop.is_set():
        here = _Here.of(notice)
        try:
            with _told(notice, here):
                said = ""
                while not stop.wait(ADDRESSES_EVERY_S) and _Here.of(notice) == here:
                    pass
        except Exception as error:  # noqa: BLE001 - whatever the network is like, the hall goes on
            if str(error) != said:
                said = str(error)
                _log.warning("the hall cannot be announced, so boards need its address: %s", error)
            stop.wait(ADDRESSES_EVERY_S)


@dataclass(frozen=True, slots=True)
class _Here:
    """What others can reach of this machine just now: the hall's addresses, and whether its broker."""

    addresses: tuple[str, ...]
    broker: bool

    @classmethod
    def of(cls, notice: HallNotice) -> Self:
        addresses = _addresses(notice.host)
        broker = bool(notice.broker_host)
        if broker and is_loopback(notice.broker_host):
            broker = bool(addresses) and _listens(addresses[0], notice.broker_port)
        return cls(addresses, broker)


def _listens(host: str, port: int) -> bool:
    try:
        socket.create_connection((host, port), TRY_S).close()
    except OSError:
        return False
    return True


@contextlib.contextmanager
def _told(notice: HallNotice, here: _Here) -> Iterator[None]:
    """Announce a hall while the block lasts; leaving it says goodbye."""
    from zeroconf import ServiceInfo  # noqa: PLC0415 - see above

    if not here.addresses:
        raise NetworkError("this machine has no address yet")
    info = ServiceInfo(
        SERVICE,
        f"{notice.name}.{SERVICE}",
        port=notice.port,
        properties=txt_of(notice, broker_for_others=here.broker),
        server=f"{socket.gethostname().split('.')[0]}-togyz-{notice.port}.local.",
        parsed_addresses=list(here.addresses),
    )
    zeroconf = _opened(here.addresses)
    try:
        zeroconf.register_service(info, allow_name_change=True)
        _log.info("announced on the network as %s, at %s", info.name, ", ".join(here.addresses))
        yield
    finally:
        zeroconf.close()


def _addresses(host: str) -> tuple[str, ...]:
    """Return the addresses under which a hall can be reached that listens on `host`."""
    import ifaddr  # noqa: PLC0415 - see above

    if not is_everywhere(host):
        with contextlib.suppress(OSError):
            return (socket.gethostbyname(host),)
        return ()
    found = [str(each.ip) for card in ifaddr.get_adapters() for each in card.ips if each.is_IPv4]
    return tuple(sorted(each for each in found if not is_loopback(each)))
