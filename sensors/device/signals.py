"""Lamps that blink and sounds that end, for a device that has only pins to switch. Pure.

Wall time in microseconds is an argument (PROTOCOL.md, sections 5 and 6).
"""

from sensors import frames

BLINK_US = 250_000
"""Half a period of blinking: 2 Hz."""

BEEP_US = 150_000
"""A beep, and the pause after it (estimate: heard as single beeps)."""


def lamps_lit(lamps: frames.Lamps, wall_us: int) -> int:
    """Return the `frames.LAMP_x` bits that shine at this moment.

    The phase of blinking is the clock's, so that the same lamps said again do not disturb it.
    """
    on, blink = lamps
    return on & ~blink | (blink if wall_us // BLINK_US % 2 == 0 else 0)


class Sounder:
    """A buzzer that knows one tone: two tones are two short ones with a pause, beeping is many."""

    def __init__(self) -> None:
        self._sound = frames.Buzzer(frames.SOUND_NONE, 0)
        self._since_us = 0

    def begin(self, sound: frames.Buzzer, wall_us: int) -> None:
        """Begin a sound; it replaces the one that still sounds."""
        self._sound, self._since_us = sound, wall_us

    def sounds(self, wall_us: int) -> bool:
        """Whether the buzzer is to be switched on at this moment."""
        past_us, lasts_us = wall_us - self._since_us, self._sound.duration_ms * 1000
        if past_us >= lasts_us or self._sound.pattern == frames.SOUND_NONE:
            return False
        if self._sound.pattern == frames.SOUND_TWO_TONES:
            return not 2 * lasts_us <= 5 * past_us < 3 * lasts_us
        return self._sound.pattern != frames.SOUND_BEEPING or past_us // BEEP_US % 2 == 0
