"""What a board refused to be told: counted, and said now and then.

Somebody who shouts at a board ten thousand times an hour must neither be passed over in silence nor fill
the card with what he shouts.
"""

from __future__ import annotations

import logging
import time
from collections import Counter
from collections.abc import Callable, Mapping
from typing import Final

LOG_EVERY_S: Final = 10.0
"""One line for each kind of refusal in so many seconds, with the number of those not written."""
TELL_EVERY_S: Final = 5.0

DROPPED: Final = "dropped"
"""Counted beside the codes: what came faster than it could be looked at."""
REPEATED: Final = "repeated"
"""Likewise: what came again and was not done again, from a hall that heard no answer or from a stranger."""

_log = logging.getLogger(__name__)


class Refusals:
    """Counts refusals by code, and writes few of them into the log.

    Args:
        now_s: A clock, seconds.
        what: What is refused, for the log.

    Attributes:
        counts: How many there were since the program was started, by code.
    """

    def __init__(self, now_s: Callable[[], float] = time.monotonic, what: str = "command") -> None:
        self._what = what
        self.counts: Counter[str] = Counter()
        self._now_s = now_s
        self._logged: dict[str, tuple[float, int]] = {}  # by code: when, and the count then
        self._told: tuple[float, int] = (-TELL_EVERY_S, 0)

    def add(self, code: str, detail: str) -> None:
        """Count one; the first of a kind is written at once, then one every 10 s.

        Args:
            code: A `RefusalCode`, `DROPPED` or `REPEATED`, never a word of a stranger's: there are few.
            detail: Words in one line; they may quote a stranger.
        """
        self.counts[code] += 1
        now_s, count = self._now_s(), self.counts[code]
        last_s, logged = self._logged.get(code, (now_s - LOG_EVERY_S, 0))
        if now_s - last_s >= LOG_EVERY_S:
            more = f" ({count - logged - 1} more like this since the last)" if count - logged > 1 else ""
            _log.warning("%s refused: %s: %s%s", self._what, code, detail, more)
            self._logged[code] = (now_s, count)

    def news(self) -> Mapping[str, int] | None:
        """Return all counts as values of a `diag`, if there are new ones and the last are 5 s old."""
        now_s, total = self._now_s(), self.counts.total()
        last_s, told = self._told
        if total == told or now_s - last_s < TELL_EVERY_S:
            return None
        self._told = (now_s, total)
        return {f"commands_{code}": count for code, count in sorted(self.counts.items())}
