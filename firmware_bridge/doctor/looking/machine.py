"""Looks at the machine: its clock, its supply, its load, its packages, its units and its screen."""

from __future__ import annotations

import ctypes
import os
import re
import shutil
from collections.abc import Iterator
from importlib.metadata import distributions
from pathlib import Path
from typing import Final

from firmware_bridge.doctor.looking.system import System, read, said_by
from firmware_bridge.doctor.machine import MachineFacts
from firmware_bridge.doctor.services import Unit

_TIME_ERROR: Final = 5
"""What adjtimex(2) returns where the clock is not synchronised."""
_TIMEX_BYTES: Final = 512
"""More than `struct timex` has anywhere."""
_BROWSERS: Final = ("chromium", "chromium-browser")


def clock_synchronised() -> bool | None:
    """Tell whether the wall clock is kept right; None: nobody here can say."""
    told = said_by(["timedatectl", "show", "--property=NTPSynchronized", "--value"])
    if told is not None and told.strip() in ("yes", "no"):
        return told.strip() == "yes"
    try:
        state = ctypes.CDLL(None, use_errno=True).adjtimex(ctypes.create_string_buffer(_TIMEX_BYTES))
    except (OSError, AttributeError):
        return None
    return None if state < 0 else state != _TIME_ERROR


def look_at_machine(system: System) -> MachineFacts:
    """Return what is known of the machine."""
    return MachineFacts(
        throttled=_throttled(),
        celsius=_celsius(system),
        load=_load(system),
        cores=os.cpu_count() or 1,
        available_mb=_available_mb(system),
        model=read(system.proc / "device-tree" / "model").rstrip("\0\n "),
        packages=frozenset(_packages()),
    )


def _throttled() -> int | None:
    found = re.fullmatch(
        r"throttled=0x([0-9a-fA-F]+)", (said_by(["vcgencmd", "get_throttled"]) or "").strip()
    )
    return int(found[1], 16) if found else None


def _celsius(system: System) -> float | None:
    told = read(system.sys / "class" / "thermal" / "thermal_zone0" / "temp").strip()
    return int(told) / 1000 if told.lstrip("-").isdigit() else None


def _load(system: System) -> float | None:
    words = read(system.proc / "loadavg").split()
    try:
        return float(words[0])
    except (IndexError, ValueError):
        return None


def _available_mb(system: System) -> int | None:
    found = re.search(r"^MemAvailable:\s+(\d+) kB", read(system.proc / "meminfo"), re.MULTILINE)
    return int(found[1]) // 1000 if found else None


def _packages() -> Iterator[str]:
    for each in distributions():
        name = each.metadata["Name"] if each.metadata else None
        if name:
            yield re.sub(r"[-_.]+", "-", name).lower()


def units() -> tuple[Unit, ...]:
    """Return our units of systemd; () where it does not run, or has none."""
    names = "Id,ActiveState,UnitFileState,NRestarts,Result"
    told = said_by(["systemctl", "show", "togyz-*", f"--property={names}"])
    found = []
    for block in (told or "").split("\n\n"):
        pairs = (line.partition("=") for line in block.splitlines())
        values = {name: value for name, _, value in pairs}
        if values.get("Id"):
            found.append(_unit(values))
    return tuple(found)


def _unit(values: dict[str, str]) -> Unit:
    restarts = values.get("NRestarts", "")
    return Unit(
        name=values["Id"],
        active=values.get("ActiveState", ""),
        enabled=values.get("UnitFileState") in ("enabled", "enabled-runtime"),
        restarts=int(restarts) if restarts.isdigit() else 0,
        result=values.get("Result", ""),
    )


def browser() -> Path | None:
    """Return the browser that a kiosk needs; None: there is none."""
    found = next(filter(None, map(shutil.which, _BROWSERS)), None)
    return None if found is None else Path(found)
