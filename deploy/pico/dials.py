"""The two dials between the host's CLOCK messages: section 9 of sensors/PROTOCOL.md. Pure; device time.

A press switches the dials at once, before the host knows of it, and a CLOCK made before the host had seen
that press must not switch them back: it is taken over, then the presses it does not count are applied again.
"""


class Dials:
    """What the two dials show, and which runs.

    Attributes:
        revision: of the CLOCK shown; 0 before the first.
        running: 0, or the button number of the running dial plus 1.
    """

    def __init__(self):
        self.revision = 0
        self.running = 0
        self._armed = False
        self._since_us = 0
        self._remaining_us = [0, 0]
        self._increment_us = [0, 0]

    def adopt(self, clock, ring):
        """Take over a `frames.Clock` whole; `ring`: (number, time_us, button, switched), oldest first."""
        self.revision = clock.revision
        self.running = clock.running
        self._armed = bool(clock.armed)
        self._since_us = clock.at_us
        for dial in (0, 1):
            self._remaining_us[dial] = clock.remaining_ms[dial] * 1000
            self._increment_us[dial] = clock.increment_ms[dial] * 1000
        for number, time_us, button, switched in ring:
            if switched and number > clock.events_seen:
                self.switch(time_us, button)

    def switch(self, time_us, button):
        """Take a press; return whether it switched the dials."""
        if not self._armed or self.running != button + 1:
            return False
        # Signed on purpose: a CLOCK may start after the press it has not seen, and gives the time back.
        self._remaining_us[button] += self._increment_us[button] - (time_us - self._since_us)
        self.running = 2 - button
        self._since_us = time_us
        return True

    def shown_us(self, dial, now_us):
        """Return what dial 0 or 1 shows, microseconds, 0 or more; None before the first CLOCK (`--:--`)."""
        if not self.revision:
            return None
        value = self._remaining_us[dial]
        if self.running == dial + 1 and now_us > self._since_us:
            value -= now_us - self._since_us
        return max(0, value)
