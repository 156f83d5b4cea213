"""Reads what `togyz pins` has written beside the port."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from firmware_bridge.doctor.pins import PinsFacts
from firmware_bridge.pins.report import FORM, file_of


def look_at_pins(port: Path) -> PinsFacts:
    """Return what the report of the program behind a port says; one that cannot be read is not there."""
    path = Path(file_of(port))
    try:
        said = json.loads(path.read_text(encoding="utf-8"))
        return _facts(str(path), said)
    except (OSError, ValueError, KeyError, TypeError, AttributeError):
        return PinsFacts(path=str(path), there=False)


def _facts(path: str, said: dict[str, Any]) -> PinsFacts:
    if said["form"] != FORM:
        raise ValueError(said["form"])
    converters = said.get("converters", {})
    return PinsFacts(
        path=path,
        library=str(said["library"]),
        unwatched=tuple(int(pin) for pin in said["unwatched"]),
        discarded=float(converters.get("discarded", 0)),
        longest_us=round(converters.get("longest_high_ns", 0) / 1000),
        most_us=round(converters.get("most_high_us", 50)),
        read_ms=round(converters.get("longest_read_ns", 0) / 1e6, 1),
    )
