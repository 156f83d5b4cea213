"""The machine: its supply, its heat, its load, its memory and the packages of its pins. Pure."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final

from firmware_bridge.doctor.findings import Finding, found
from sensors.header import both_installed, is_pi_5

UNDERVOLTAGE: Final = 1 << 0
SLOWED: Final = 1 << 1 | 1 << 2 | 1 << 3
"""Frequency capped, throttled, or at the soft limit of temperature."""
BEFORE: Final = 16
"""How far up stand the bits that say the same of the time since the machine started (`vcgencmd
get_throttled`, Raspberry Pi documentation)."""
HOT_C: Final = 78.0
"""The Pi slows down at 80 degrees, some of them at 60 already."""
BUSY: Final = 2.0
"""Load per core; one that stays above 1 has more to do than it can."""
LITTLE_MB: Final = 80
"""What board, table page and its browser need beside what they have (estimate)."""


@dataclass(frozen=True, slots=True, kw_only=True)
class MachineFacts:
    """What is known of the machine; None means that it cannot be asked here.

    Attributes:
        throttled: The bits of `vcgencmd get_throttled`.
        celsius: Of the processor.
        load: Mean number of programs that wanted to run, of the last minute.
        cores: How many can.
        available_mb: Memory that programs can still have.
        model: As the device tree says it, such as `Raspberry Pi 5 Model B Rev 1.0`; "" on other machines.
        packages: Names of installed packages, in lower case with hyphens.
    """

    throttled: int | None = None
    celsius: float | None = None
    load: float | None = None
    cores: int = 1
    available_mb: int | None = None
    model: str = ""
    packages: frozenset[str] = frozenset()


def judge_machine(facts: MachineFacts) -> Iterator[Finding]:
    """Yield what is wrong with the machine."""
    bits = facts.throttled or 0
    told = f"{bits:#x}"
    if bits & UNDERVOLTAGE:
        yield found("machine_undervoltage", bits=told)
    elif bits >> BEFORE & UNDERVOLTAGE:
        yield found("machine_undervoltage_before", bits=told)
    if bits & SLOWED:
        yield found("machine_throttled", bits=told)
    elif bits >> BEFORE & SLOWED and not bits >> BEFORE & UNDERVOLTAGE:
        yield found("machine_throttled_before", bits=told)
    if facts.celsius is not None and facts.celsius >= HOT_C:
        yield found("machine_hot", celsius=round(facts.celsius))
    if facts.load is not None and facts.load > BUSY * facts.cores:
        yield found("machine_busy", load=round(facts.load, 1), cores=facts.cores)
    if facts.available_mb is not None and facts.available_mb < LITTLE_MB:
        yield found("machine_memory", available_mb=facts.available_mb)


def judge_packages(facts: MachineFacts) -> Iterator[Finding]:
    """Yield what is wrong with the packages that reach the header pins."""
    if both_installed(facts.packages):
        yield found("packages_two_gpio")
    elif "rpi-gpio" in facts.packages and is_pi_5(facts.model):
        yield found("packages_pi5_gpio", model=facts.model)
