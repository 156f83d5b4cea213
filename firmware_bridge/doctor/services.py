"""The units of systemd, and the page at the table. Pure."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Final

from firmware_bridge.doctor.findings import Finding, found

MANY_RESTARTS: Final = 3


@dataclass(frozen=True, slots=True, kw_only=True)
class Unit:
    """One unit of ours, as `systemctl show` tells of it.

    Attributes:
        name: Such as `togyz-board@hall-1.service`.
        active: `active`, `inactive`, `failed`, `activating` ...
        enabled: Whether it is to be started with the machine.
        restarts: How often systemd has started it again.
        result: How it ended; `success` of one that did not fail.
    """

    name: str
    active: str
    enabled: bool = False
    restarts: int = 0
    result: str = "success"


@dataclass(frozen=True, slots=True, kw_only=True)
class DisplayFacts:
    """What is known of the small screen at the table.

    Attributes:
        where: Address of the table's page.
        wanted: Whether there is to be one: it is configured, or a unit of it is there.
        why: Why the page does not answer; "" when it does, or is not wanted.
        kiosk: The unit that shows it; "" where there is none.
        browser: Whether there is a Chromium.
    """

    where: str
    wanted: bool = False
    why: str = ""
    kiosk: str = ""
    browser: bool = True


def judge_services(units: Sequence[Unit]) -> Iterator[Finding]:
    """Yield which units do not run as they should."""
    for unit in units:
        if unit.active == "failed":
            yield found("service_failed", unit=unit.name, result=unit.result)
        elif unit.enabled and unit.active not in ("active", "activating", "reloading"):
            yield found("service_down", unit=unit.name, state=unit.active)
        elif unit.restarts >= MANY_RESTARTS:
            yield found("service_restarts", unit=unit.name, times=unit.restarts)


def judge_display(facts: DisplayFacts) -> Iterator[Finding]:
    """Yield what is wrong with the screen at the table."""
    if facts.wanted and facts.why:
        yield found("display_silent", where=facts.where, why=facts.why)
    if facts.kiosk and not facts.browser:
        yield found("display_no_browser", unit=facts.kiosk)
