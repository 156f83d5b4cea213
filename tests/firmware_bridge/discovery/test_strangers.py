"""Whatever a stranger puts onto the network, looking for halls ends in time: real multicast on loopback."""

from __future__ import annotations

import threading
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager

import pytest
from zeroconf import Zeroconf
from zeroconf._dns import DNSPointer, DNSRecord, DNSService, DNSText
from zeroconf._protocol.outgoing import DNSOutgoing

from firmware_bridge.discovery.network import LOOK_S, RESOLVE_MS, heard_halls
from firmware_bridge.discovery.notices import SERVICE

pytestmark = pytest.mark.usefixtures("multicast")

LOOPBACK = ("127.0.0.1",)
PTR, SRV, TXT, IN, TTL_S = 12, 33, 16, 1, 120
AUTHORITATIVE_ANSWER = 0x8400
SHORT_S = 0.8


def pointer(name: str) -> DNSRecord:
    """Say that a hall of this name is there."""
    return DNSPointer(SERVICE, PTR, IN, TTL_S, name)


@contextmanager
def stranger(records: Sequence[DNSRecord]) -> Iterator[None]:
    """Say these things again and again while the block lasts."""
    stop = threading.Event()

    def speak() -> None:
        zeroconf = Zeroconf(interfaces=list(LOOPBACK))
        while not stop.wait(0.1):
            for at in range(0, len(records), 20):
                out = DNSOutgoing(AUTHORITATIVE_ANSWER)
                for record in records[at : at + 20]:
                    out.add_answer_at_time(record, 0)
                zeroconf.send(out)
        zeroconf.close()

    speaking = threading.Thread(target=speak)
    speaking.start()
    try:
        yield
    finally:
        stop.set()
        speaking.join()


def test_names_that_are_none_are_passed_over() -> None:
    """Of another kind of service, of no kind, with steering characters, with a text that is no text."""
    steering, odd = f"a\x1b[2Jb\x9b.{SERVICE}", f"odd.{SERVICE}"
    records: list[DNSRecord] = [pointer(name) for name in ("x.", "evil._http._tcp.local.", steering, odd)]
    for name in (steering, odd):
        records.append(DNSService(name, SRV, IN, TTL_S, 0, 0, 8000, "h.local."))
        records.append(DNSText(name, TXT, IN, TTL_S, b"\x0aevent=\xff\xfe\xfd\xff\x00\x00\x02=\x03\xff"))
    with stranger(records):
        assert all(hall.name.isprintable() for hall in heard_halls(SHORT_S, LOOPBACK))


def test_many_names_that_nobody_answers_for_do_not_add_up() -> None:
    """A board or `togyz doctor` that looked for each in turn would stand for a minute."""
    with stranger([pointer(f"nobody-{number}.{SERVICE}") for number in range(60)]):
        began_s = time.monotonic()
        heard_halls(SHORT_S, LOOPBACK)
        assert time.monotonic() - began_s < SHORT_S + 4 * RESOLVE_MS / 1000 < 4 * LOOK_S
