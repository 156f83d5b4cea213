"""From a contact's edges to one press with the time of its first edge. Pure; times are ticks (ticks.py).

Edges are stamped by an interrupt, levels are looked at by the loop. An edge that the interrupt missed is seen
by the level, at the time of the look; after the window the level decides, so no edge is swallowed
(gpiozero#1039, #550).
"""

from ticks import MASK, elapsed_us

STABLE_US = 5000
"""A contact must stand still so long (sensors/PROTOCOL.md, section 7)."""

LONGEST_BOUNCE_US = 50_000
"""A worn contact that chatters on is taken as it stands after so long: the press is not lost."""


class Contact:
    """One contact.

    Args:
        closed: as it is at power-up; a button that is held then has not been pressed.

    Attributes:
        down: whether it is closed, debounced.
    """

    def __init__(self, closed=False):
        self.down = closed
        self._level = closed
        self._moving = False
        self._first = 0
        self._latest = 0

    def edges(self, first, latest):
        """Take the stamps of edges seen since the last look, earliest and latest."""
        if not self._moving:
            self._moving = True
            self._first = first
        self._latest = latest

    def look(self, ticks, level):
        """Look at the contact; `level` is True while it is closed. Return True if a press is certain now.

        `pressed_at` then holds the ticks of its first edge.
        """
        if self._moving and elapsed_us(ticks, self._first) > MASK >> 1:
            return False  # the interrupt's stamp is newer than the loop's own reading: the next look will do
        if level != self._level:
            self._level = level
            if not self._moving:
                self._moving = True
                self._first = self._latest = ticks
            elif STABLE_US <= elapsed_us(ticks, self._latest) <= MASK >> 1:
                self._latest = ticks
        if not self._moving:
            return False
        still = elapsed_us(ticks, self._latest)
        if still > MASK >> 1:
            return False
        if still < STABLE_US and elapsed_us(ticks, self._first) < LONGEST_BOUNCE_US:
            return False
        self._moving = False
        if level == self.down:
            return False
        self.down = level
        return level

    @property
    def pressed_at(self):
        """Ticks of the first edge of the last movement."""
        return self._first
