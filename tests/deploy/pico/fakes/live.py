"""A world that goes by the machine's own clock, so that main.py runs as it is."""

import time
from array import array

import utime
import world

PERIOD_US = 12_500


class LiveWorld(world.World):
    """Twenty chips that convert 80 times a second, and a button that is pressed now and then.

    Args:
        presses_us: when button 0 is pressed, microseconds from the start; each lasts 80 ms.
    """

    def __init__(self, presses_us):
        self._began = utime.ticks_us()
        super().__init__()
        self._presses_us = list(presses_us)
        self._ready_us = 0
        self._values = array("i", [0] * 20)

    @property
    def now_us(self):
        """The machine's time since the start."""
        return utime.ticks_diff(utime.ticks_us(), self._began)

    def ticks(self):
        """The machine's time."""
        return self.now_us & 0x3FFFFFFF

    def levels(self):
        """Let happen what is due; return the levels of all pins."""
        now_us = self.now_us
        if now_us >= self._ready_us:
            self._ready_us = now_us + PERIOD_US
            for channel in range(20):
                self._values[channel] = 5000 + channel + now_us % 7
            self.samples = (self._values, 0xFFFFF, 0)
        if self._presses_us and now_us >= self._presses_us[0]:
            down = not self.pressed
            self.press(21, down)
            self._presses_us[0] += 80_000
            if not down:
                self._presses_us.pop(0)
        else:
            utime.sleep_us(300)  # a Pico's loop is slower than this one
        return super().levels()


def run(presses_us=(), held=None, broken=False):
    """Make the world live and start main.py, while the button on GP `held` is held, or with a broken chip."""
    world.WORLD = LiveWorld(presses_us)
    if broken:
        world.WORLD.unique_id = None
    if held is not None:
        world.WORLD.press(held, True)
    world.solder(20, shift={"data": 26, "clock": 27, "latch": 28})
    assert time.ticks_us() >= 0
    import main  # noqa: F401 - importing it is running it
