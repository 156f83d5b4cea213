"""The serial port: is it there, may it be opened, who has it, is its name a lasting one. Pure."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final, Literal

from firmware_bridge.doctor.findings import Finding, found

_UNSTABLE: Final = re.compile(r"/dev/tty(?:USB|ACM)\d+")
"""Names given in the order of plugging in: ttyUSB0 becomes ttyUSB1 when a board is pulled out and put back
(Klipper3d/klipper#299, #3599)."""


@dataclass(frozen=True, slots=True, kw_only=True)
class PortFacts:
    """What is known of the port of a configuration.

    Attributes:
        path: As configured.
        kind: `missing`: nothing is there; `terminal`; `other`: something that is no terminal.
        there: The stable names of the ports that are there, `/dev/serial/by-id/...`.
        stable: The stable name of this very port; "" where it has none.
        may_open: Whether who asks may read and write it.
        group: The group that may.
        user: Who asks.
        holders: Programs that have it open, `name (pid)`, the asking one left out.
        locked: Whether one of them opened it exclusively, so that nobody else can; also where it cannot be
            seen who.
        board: Whether a board of ours answers at its socket: then it is this board that holds the port.
        modem_manager: Whether ModemManager runs and is not told to leave this port alone.
        why: What the system says of the attempt to look at it; "" without trouble.
    """

    path: str
    kind: Literal["missing", "terminal", "other"]
    there: tuple[str, ...] = ()
    stable: str = ""
    may_open: bool = True
    group: str = "dialout"
    user: str = ""
    holders: tuple[str, ...] = ()
    locked: bool = False
    board: bool = False
    modem_manager: bool = False
    why: str = ""


def judge_port(facts: PortFacts) -> Iterator[Finding]:
    """Yield what is wrong with a port."""
    if facts.kind == "missing":
        yield found("port_missing", path=facts.path, there=", ".join(facts.there))
        return
    if facts.kind == "other":
        yield found("port_no_serial", path=facts.path, why=facts.why)
        return
    if not facts.may_open:
        yield found("port_no_permission", path=facts.path, group=facts.group, user=facts.user)
    elif (facts.locked or facts.holders) and not facts.board:
        yield found("port_busy", path=facts.path, holders=", ".join(facts.holders))
    if _UNSTABLE.fullmatch(facts.path):
        yield found("port_unstable", path=facts.path, stable=facts.stable)
    if facts.modem_manager:
        yield found("port_modem_manager", path=facts.path)
