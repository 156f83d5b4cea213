"""The two dials of the emulated device: it drives them by itself between the host's CLOCK messages.

Pure; device time in microseconds is an argument. A press switches the dials at once, before the host knows of
it; a CLOCK that was sent before the host had seen that press must not switch them back. So the presses are
remembered for a while, and each CLOCK is taken over first and then brought up to date with the presses it
does not count yet (`events_seen`).
"""

from collections import deque
from dataclasses import dataclass

from sensors.frames import RUNNING_NONE, Clock

REMEMBERED = 64
"""Presses kept for a CLOCK that has not seen them; a CLOCK is seconds old at worst."""


@dataclass(frozen=True, slots=True)
class _Press:
    number: int
    button: int
    at_us: int


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
        self._presses: deque[_Press] = deque(maxlen=REMEMBERED)

    def adopt(self, clock: Clock) -> None:
        """Show what the host says, then apply the presses it has not counted."""
        self.revision = clock.revision
        self.running = clock.running
        self._armed = bool(clock.armed)
        self._since_us = clock.at_us
        self._remaining_us = [milliseconds * 1000 for milliseconds in clock.remaining_ms]
        self._increment_us = [milliseconds * 1000 for milliseconds in clock.increment_ms]
        for press in self._presses:
            if press.number > clock.events_seen:
                self._switch(press)

    def press(self, number: int, button: int, at_us: int) -> bool:
        """A button went down; returns whether the dials switched."""
        press = _Press(number, button, at_us)
        switched = self._switch(press)
        if switched:
            self._presses.append(press)
        return switched

    def remaining_us(self, dial: int, now_us: int) -> int:
        """What dial 0 or 1 shows, microseconds; negative after the fall of its flag."""
        spent_us = now_us - self._since_us if self.running == dial + 1 else 0
        return self._remaining_us[dial] - max(0, spent_us)

    def _switch(self, press: _Press) -> bool:
        if not self._armed or self.running != press.button + 1:
            return False
        at_us = max(press.at_us, self._since_us)
        left_us = self.remaining_us(press.button, at_us)
        self._remaining_us[press.button] = left_us + self._increment_us[press.button]
        self.running = 2 - press.button
        self._since_us = at_us
        return True
