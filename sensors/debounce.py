"""Edges of a contact that bounces, made into changes that last. Pure; time is an argument.

Ignoring a contact for a while after its first edge, as gpiozero's and RPi.GPIO's own debouncing do, swallows
a release that falls into that while, and the press after it is then none (gpiozero#1039, #550). Here every
edge is taken, a change counts when the contact has been still, and it carries the time of its **first** edge
(PROTOCOL.md, section 7). An edge that nobody saw is made up for by looking at the contact from time to time.
"""

from dataclasses import dataclass

STILL_US = 5_000
"""A contact must be still for so long (PROTOCOL.md, section 7)."""


@dataclass(frozen=True, slots=True)
class Change:
    """A change that lasted.

    Attributes:
        down: whether the contact is closed now.
        at_us: time of the first edge of the change.
    """

    down: bool
    at_us: int


class Debouncer:
    """One contact.

    Args:
        down: whether it is closed at the start.
        still_us: how long it must be still for a change to count.
    """

    def __init__(self, *, down: bool = False, still_us: int = STILL_US) -> None:
        self._still_us = still_us
        self._settled = down
        self._down = down
        self._since_us: int | None = None
        self._last_us = 0

    @property
    def waits(self) -> bool:
        """Whether a change is under way, so that the contact must be looked at again."""
        return self._since_us is not None

    def edge(self, at_us: int, *, down: bool) -> list[Change]:
        """Take an edge to `down`; return the changes that are certain now, at most one.

        One edge twice means that the one between them was not seen: the contact still bounces. A time before
        that of the edge before it is taken as that time.
        """
        at_us = max(at_us, self._last_us)
        found = self._settle(at_us)
        if self._since_us is None and down != self._settled:
            self._since_us = at_us
        self._down, self._last_us = down, at_us
        return found

    def look(self, at_us: int, *, down: bool) -> list[Change]:
        """Take the contact as it is at `at_us`; return the changes that are certain now, at most one."""
        return self._settle(max(at_us, self._last_us)) if down == self._down else self.edge(at_us, down=down)

    def _settle(self, at_us: int) -> list[Change]:
        """Decide on a change under way if the contact has been still until `at_us`."""
        since_us = self._since_us
        if since_us is None or at_us - self._last_us < self._still_us:
            return []
        self._since_us = None
        if self._down == self._settled:
            return []
        self._settled = self._down
        return [Change(self._down, since_us)]
