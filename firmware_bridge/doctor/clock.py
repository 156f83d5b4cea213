"""The wall clock. It is a label only, no game is decided by it; but labels that lie confuse papers. Pure."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Final

from firmware_bridge.doctor.findings import Finding, found

FIRST_MS: Final = 1_767_225_600_000
"""2026-01-01, UTC: before this program was written. A Pi without a battery clock starts in the past."""
LAST_MS: Final = 2_524_608_000_000
"""2050-01-01."""
BEHIND_S: Final = 60
DIFFERS_S: Final = 5


@dataclass(frozen=True, slots=True, kw_only=True)
class ClockFacts:
    """What is known of the wall clock.

    Attributes:
        now_ms: What it says, milliseconds since 1970.
        synchronised: Whether the kernel takes it for synchronised; None: it cannot be asked.
        known_ms: The latest moment that this board has written down or told; None: none.
        ahead_ms: How far it is ahead of another clock, such as the hall's; None: none was asked.
        other: Whose that is.
    """

    now_ms: int
    synchronised: bool | None = None
    known_ms: int | None = None
    ahead_ms: int | None = None
    other: str = ""


def judge_clock(facts: ClockFacts) -> Iterator[Finding]:
    """Yield what is wrong with the clock."""
    if not FIRST_MS <= facts.now_ms < LAST_MS:
        yield found("clock_implausible", now=_said(facts.now_ms))
        return
    if facts.known_ms is not None and facts.known_ms - facts.now_ms > BEHIND_S * 1000:
        yield found("clock_behind", now=_said(facts.now_ms), known=_said(facts.known_ms))
    if facts.ahead_ms is not None and abs(facts.ahead_ms) > DIFFERS_S * 1000:
        yield found("clock_differs", seconds=round(facts.ahead_ms / 1000), other=facts.other)
    if facts.synchronised is False:
        yield found("clock_unsynchronised")


def _said(at_ms: int) -> str:
    """Return a moment as people read it; one beyond the calendar as its number."""
    try:
        return datetime.fromtimestamp(at_ms / 1000, UTC).strftime("%Y-%m-%d %H:%M UTC")
    except (OverflowError, ValueError, OSError):
        return str(at_ms)
