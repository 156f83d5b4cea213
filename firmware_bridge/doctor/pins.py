"""What `togyz pins` reports of the header, judged. Pure."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final

from firmware_bridge.doctor.findings import Finding, found
from sensors.hx711_bus import FEW_DISCARDED

MOST_DISCARDED: Final = 0.05
"""Each costs a tenth of a second at 80 a second until numbers are handed on again (`sensors.hx711_bus`): from
here on nothing is heard for a third of the time."""


@dataclass(frozen=True, slots=True, kw_only=True)
class PinsFacts:
    """What the report beside the port says.

    Attributes:
        path: Of the report.
        there: Whether there is one that could be read.
        library: What reads the pins.
        unwatched: GPIO numbers whose edges the library does not tell.
        discarded: Share of the last readings of the converters that were discarded, 0..1.
        longest_us: Longest time the converters' clock was high.
        most_us: How long it may be.
        read_ms: Longest time one of their readings took.
    """

    path: str
    there: bool = True
    library: str = ""
    unwatched: tuple[int, ...] = ()
    discarded: float = 0.0
    longest_us: int = 0
    most_us: int = 50
    read_ms: float = 0.0


def judge_pins(facts: PinsFacts) -> Iterator[Finding]:
    """Yield what is wrong with the header's pins."""
    if not facts.there:
        yield found("pins_not_running", path=facts.path)
        return
    if facts.discarded >= FEW_DISCARDED:
        code = "pins_too_slow" if facts.discarded >= MOST_DISCARDED else "pins_slow"
        percent = round(100 * facts.discarded, 1)
        times = {"longest_us": facts.longest_us, "most_us": facts.most_us, "read_ms": facts.read_ms}
        yield found(code, percent=percent, **times)
    if facts.unwatched:
        pins = ", ".join(f"GPIO{pin}" for pin in facts.unwatched)
        yield found("pins_unwatched", pins=pins, library=facts.library)
