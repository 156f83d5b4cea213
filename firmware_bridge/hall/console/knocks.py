"""How often somebody may knock with a wrong password. Pure: time is an argument."""

from __future__ import annotations

from collections import OrderedDict
from typing import Final

MOST_TRIES: Final = 5
WINDOW_S: Final = 60.0
MOST_KNOWN: Final = 2000
"""Names and addresses that are remembered; the longest quiet are forgotten first."""


class Knocks:
    """Failed attempts by name and by address: five in a minute, then one has to wait."""

    def __init__(self) -> None:
        self._failed: OrderedDict[str, list[float]] = OrderedDict()

    def wait_s(self, now_s: float, *keys: str) -> float:
        """Return how long whoever knocks has to wait yet; 0: he may try."""
        waits = [0.0]
        for key in keys:
            recent = [at for at in self._failed.get(key, ()) if now_s - at < WINDOW_S]
            if len(recent) >= MOST_TRIES:
                waits.append(WINDOW_S - (now_s - recent[-MOST_TRIES]))
        return max(waits)

    def failed(self, now_s: float, *keys: str) -> None:
        """Remember a wrong password."""
        for key in keys:
            self._failed.setdefault(key, []).append(now_s)
            self._failed[key] = self._failed[key][-MOST_TRIES:]
            self._failed.move_to_end(key)
        while len(self._failed) > MOST_KNOWN:
            self._failed.popitem(last=False)

    def opened(self, *keys: str) -> None:
        """Forget the last try of who came in, which was right.

        What failed before stays: else who has an account buys tries at another's by logging in as himself.
        """
        for key in keys:
            tries = self._failed.get(key, [])
            if tries:
                tries.pop()
