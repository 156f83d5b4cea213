"""The two dials of a device: it drives them by itself between the host's CLOCK messages.

Pure; device time in microseconds is an argument. This is section 9 of sensors/PROTOCOL.md: a press switches
the dials at once, before the host knows of it, and a CLOCK made before the host had seen that press must not
switch them back. So a CLOCK is taken over first, and then the presses it does not count are applied again.
"""

from collections.abc import Iterable

from sensors.frames import EDGE_DOWN, RUNNING_NONE, Button, Clock


class Dials:
    """What the two dials show, and which runs.

    Attributes:
        revision: of the CLOCK shown; 0 before the first.
        running: RUNNING_NONE, or the button number of the running dial plus 1.
    """

    def __init__(self) -> None:
        self.revision = 0
        self.running = RUNNING_NONE
        self._armed = False
        self._since_us = 0
        self._remaining_us = [0, 0]
        self._increment_us = [0, 0]

    def adopt(self, clock: Clock, switching: Iterable[Button]) -> None:
        """Show what the host says, then apply again what it has not seen.

        Args:
            clock: taken over whole, whatever its revision.
            switching: the events that switched the dials when they happened, oldest first.
        """
        self.revision = clock.revision
        self.running = clock.running
        self._armed = bool(clock.armed)
        self._since_us = clock.at_us
        self._remaining_us = [milliseconds * 1000 for milliseconds in clock.remaining_ms]
        self._increment_us = [milliseconds * 1000 for milliseconds in clock.increment_ms]
        for event in switching:
            if event.number > clock.events_seen:
                self.switch(event)

    def switch(self, event: Button) -> bool:
        """Take a button event; return whether it switched the dials."""
        if not self._armed or event.edge != EDGE_DOWN or self.running != event.button + 1:
            return False
        # Signed on purpose: a CLOCK may start after the press it has not seen, and gives the time back.
        self._remaining_us[event.button] -= event.time_us - self._since_us
        self._remaining_us[event.button] += self._increment_us[event.button]
        self.running = 2 - event.button
        self._since_us = event.time_us
        return True

    def shown_us(self, dial: int, now_us: int) -> int | None:
        """Return what dial 0 or 1 shows, microseconds, 0 or more; None before the first CLOCK (`--:--`)."""
        if not self.revision:
            return None
        spent_us = max(0, now_us - self._since_us) if self.running == dial + 1 else 0
        return max(0, self._remaining_us[dial] - spent_us)
