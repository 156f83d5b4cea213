"""`machine` as far as the firmware uses it, over the world of world.py."""

import world

PWRON_RESET, WDT_RESET = 1, 3


class Pin:
    """A pin; inputs read the world, outputs write to it."""

    IN, OUT = 0, 1
    PULL_UP = 1
    IRQ_FALLING, IRQ_RISING = 4, 8

    def __init__(self, number, mode=None, pull=None, value=None):
        self.number = number
        if mode == Pin.IN:
            world.WORLD.inputs |= 1 << number
        elif mode == Pin.OUT:
            world.WORLD.set_pin(number, value or 0)

    def value(self, level=None):
        """Return the level, or set it."""
        if level is None:
            return (world.WORLD.levels() >> self.number) & 1
        world.WORLD.set_pin(self.number, level)
        return None

    def irq(self, handler, trigger, hard=False):
        """Have edges told; hard interrupts may not allocate, which is checked."""
        assert hard
        world.WORLD.interrupts[self.number] = (handler, trigger, self)


class WDT:
    """The watchdog: the world notes when it was fed."""

    def __init__(self, timeout):
        assert 0 < timeout <= 8388
        world.WORLD.watchdog_ms = timeout
        self.feed()

    def feed(self):
        """Note the time."""
        world.WORLD.fed_us = world.WORLD.now_us
        world.WORLD.feedings += 1


class UART:
    """A serial line; what is on its other end is the world's."""

    def __new__(cls, number, baud, tx, rx, txbuf, rxbuf, timeout):
        """Return the world's line."""
        assert timeout == 0, "it must not wait"
        assert (number, baud, tx.number, rx.number) == (0, 921600, 0, 1)
        assert txbuf >= 256 <= rxbuf
        return world.WORLD.uart


class _Registers:
    def __getitem__(self, address):
        assert address == 0xD0000004, address
        return world.WORLD.levels()


mem32 = _Registers()


def unique_id():
    """Return the chip's number."""
    return world.WORLD.unique_id


def reset_cause():
    """Return why the chip started."""
    return world.WORLD.cause


def reset():
    """End: the test sees a boot that is over."""
    raise SystemExit(77)
