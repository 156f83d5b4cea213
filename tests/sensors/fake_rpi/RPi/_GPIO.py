"""The core: pins of a header with HX711 converters on them, in the machine's own time.

A test reaches it as `RPi._GPIO.WORLD`; for a program it sets FAKE_RPI_RATE and FAKE_RPI_NOISE. The converters
are those of tests/sensors/converters.py, one for each input in the order they were set up; the first output
is their clock.
"""

from __future__ import annotations

import os
import time
from typing import Any

from tests.sensors.converters import Converter, ConverterWorld

BCM, BOARD = 11, 10
OUT, IN = 0, 1
LOW, HIGH = 0, 1
PUD_OFF, PUD_DOWN, PUD_UP = 20, 21, 22
RISING, FALLING, BOTH = 31, 32, 33
I2C, SPI, HARD_PWM, SERIAL, UNKNOWN = 42, 41, 43, 40, -1

PERIOD_NS = 1_000_000_000 // int(os.environ.get("FAKE_RPI_RATE", "80"))
NOISE = int(os.environ.get("FAKE_RPI_NOISE", "0"))


class Header:
    """The pins.

    Attributes:
        world: the converters.
        inputs: GPIO numbers by channel.
        clock: GPIO number of the clock, None before it is set up.
        pulled: pull of each input.
        stall_ns: the machine loses so long at each pulse, while the clock is high.
        cleaned: pins that were given back.
    """

    def __init__(self) -> None:
        self.world = ConverterWorld([], clock=time.monotonic_ns)
        self.inputs: list[int] = []
        self.clock: int | None = None
        self.pulled: dict[int, int] = {}
        self.stall_ns = 0
        self.cleaned: list[int] = []


WORLD = Header()


def setwarnings(_on: bool) -> None:  # noqa: FBT001 - the real one's signature
    """Take the setting."""


def setmode(mode: int) -> None:
    """Take the numbering."""
    assert mode == BCM, mode


def setup(pin: int, direction: int, pull_up_down: int = PUD_OFF, initial: int = -1) -> None:
    """Set up a pin: the first output is the clock, inputs are data lines in this order."""
    if direction == OUT:
        assert initial == LOW, "a clock that begins high powers the converters down"
        WORLD.clock = pin
        return
    WORLD.inputs.append(pin)
    WORLD.pulled[pin] = pull_up_down
    now_ns = time.monotonic_ns()
    number = len(WORLD.world.converters)
    WORLD.world.converters.append(
        Converter(
            raw=100_000 + 1_111 * number,
            period_ns=PERIOD_NS,
            phase_ns=now_ns + 300_000 * number,
            noise=NOISE,
        )
    )


def output(pin: int, value: Any) -> None:
    """Set the clock."""
    assert pin == WORLD.clock, pin
    if not value and WORLD.stall_ns:
        until_ns = time.monotonic_ns() + WORLD.stall_ns
        while time.monotonic_ns() < until_ns:
            pass  # a machine that is busy elsewhere sleeps too coarsely to be imitated by sleeping
    WORLD.world.set_clock(high=bool(value))


def input(pin: int) -> int:  # noqa: A001 - the real one's name
    """Read one pin: it takes no list."""
    return int(WORLD.world.read_line(WORLD.inputs.index(pin)))


def cleanup(pins: list[int]) -> None:
    """Take pins back."""
    WORLD.cleaned += pins
