"""When a program that is watched shows again that it lives: a value, and time is an argument."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Final

SHARE: Final = 0.5
"""Of the time after which a silent program is killed: sd_watchdog_enabled(3) recommends half of it."""


@dataclass(frozen=True, slots=True)
class Watchdog:
    """When the next sign of life is due.

    Attributes:
        limit_s: Seconds of silence after which the service manager kills the program, above 0; None: nobody
            watches, and no sign is ever due.
        given_s: When the last sign was given, on the clock that `due` is asked with; None: none yet.
    """

    limit_s: float | None = None
    given_s: float | None = None

    @property
    def every_s(self) -> float | None:
        """Seconds between two signs; None: nobody watches."""
        return None if self.limit_s is None else self.limit_s * SHARE

    def due(self, now_s: float) -> bool:
        """Tell whether a sign of life is due; whether it may be given is for the caller to say."""
        if self.every_s is None:
            return False
        return self.given_s is None or now_s - self.given_s >= self.every_s

    def given(self, now_s: float) -> Watchdog:
        """Return it with a sign given now."""
        return replace(self, given_s=now_s)
