"""Runs when the board has power. Hold the arbiter's button meanwhile to get a prompt instead (mpremote)."""

# isort: off - the longest file first: compiling it takes the most memory in one piece
from time import ticks_us

import config
import frames  # noqa: F401
from board import Board, board_id, boot_id, reset_reason
from firmware import Firmware, identify
from machine import Pin, reset

ARBITER = 2


def _held():
    numbers = config.PINS["buttons"]
    return len(numbers) > ARBITER and not Pin(numbers[ARBITER], Pin.IN, Pin.PULL_UP).value()


def run():
    """Serve until the power goes; whatever goes wrong makes a new boot, never a prompt."""
    try:
        identity = identify(config, board_id(config), boot_id(), reset_reason())
        firmware = Firmware(Board(config), config, identity, ticks_us())
        while True:
            firmware.step(ticks_us())
    finally:
        reset()


if not _held():
    run()
