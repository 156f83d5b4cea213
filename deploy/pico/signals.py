"""Lamps that blink and sounds that end. Pure; wall time in microseconds is an argument."""

import frames

HALF_BLINK_US = 250_000
"""Two blinks a second (sensors/PROTOCOL.md, LAMPS). All lamps blink together, by the time alone, so the same
message again disturbs nothing."""

HALF_BEEP_US = 100_000
"""Of beeping: on, then off."""

TONE_GAP_PERCENT = 10
"""Of a sound of two tones: silence in its middle; the buzzer has one pitch."""


def lit(on, blink, wall_us):
    """Return which lamps burn at this moment: bits of LAMPS."""
    if (wall_us // HALF_BLINK_US) & 1:
        return on & ~blink
    return on | blink


class Sound:
    """What the buzzer does."""

    def __init__(self):
        self.pattern = frames.SOUND_NONE
        self._began_us = 0
        self.lasts_us = 0

    def start(self, pattern, duration_ms, wall_us):
        """Begin a sound in place of one still playing; none lasts longer than 5 s, whatever is asked."""
        self.pattern = pattern
        self._began_us = wall_us
        self.lasts_us = min(duration_ms, frames.MAX_SOUND_MS) * 1000

    def on(self, wall_us):
        """Return whether the buzzer sounds at this moment."""
        if self.pattern == frames.SOUND_NONE:
            return False
        played_us = wall_us - self._began_us
        if played_us >= self.lasts_us:
            self.pattern = frames.SOUND_NONE
            return False
        if self.pattern == frames.SOUND_BEEPING:
            return not (played_us // HALF_BEEP_US) & 1
        if self.pattern == frames.SOUND_TWO_TONES:
            share = played_us * 100 // self.lasts_us
            return abs(share - 50) * 2 >= TONE_GAP_PERCENT
        return True
