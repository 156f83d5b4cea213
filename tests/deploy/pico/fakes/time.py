"""The world's time in place of the machine's (MicroPython looks for `time` on the path first)."""

import world
from utime import *  # noqa: F403 - what the firmware does not ask the world for


def ticks_us():
    """Return the world's microseconds as a counter that turns over at 2^30, like the RP2's."""
    return world.WORLD.ticks()
