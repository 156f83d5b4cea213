"""Runs when the board has power. Hold the arbiter's button meanwhile to get a prompt instead (mpremote)."""

# isort: off - the longest file first: compiling it takes the most memory in one piece
import sys
from time import ticks_us

import config
import frames  # noqa: F401
from board import Board, board_id, boot_id, reset_reason
from firmware import Firmware, identify
from machine import Pin, reset

ARBITER = 2

LAST_ERROR = "last_error.txt"
"""What ended the last run that was ended by a mistake of ours; `mpremote cat :last_error.txt` shows it."""


def _held():
    numbers = config.PINS["buttons"]
    return len(numbers) > ARBITER and not Pin(numbers[ARBITER], Pin.IN, Pin.PULL_UP).value()


def run():
    """Serve until the power goes. Whatever goes wrong is noted and makes a new boot, never a prompt."""
    try:
        identity = identify(config, board_id(config), boot_id(), reset_reason())
        firmware = Firmware(Board(config), config, identity, ticks_us())
        while True:
            firmware.step(ticks_us())
    except Exception as error:  # noqa: BLE001 - a board must come back by itself
        with open(LAST_ERROR, "w") as file:  # noqa: PTH123 - MicroPython
            sys.print_exception(error, file)
    finally:
        reset()


if not _held():
    run()
