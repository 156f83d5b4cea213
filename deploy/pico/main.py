"""Runs when the board has power. Hold the arbiter's button meanwhile to get a prompt instead (mpremote)."""

# isort: off - the longest file first: compiling it takes the most memory in one piece
import sys
from io import StringIO
from time import sleep_ms, ticks_us

import config
import frames  # noqa: F401
import pins
from board import Board, board_id, boot_id, reset_reason
from firmware import Firmware, identify
from machine import Pin, reset

ARBITER = 2

LAST_ERROR = "last_error.txt"
"""What ended the last run that was ended by a mistake of ours; `mpremote cat :last_error.txt` shows it."""


HELD_LOOKS = 20
"""Looks, 5 ms apart, at all of which the arbiter's button must be closed: a board must not stay at a prompt
because a line was slow to rise."""


SAY_AGAIN_MS = 2000
"""How often a mistake in config.py is said: whoever opens the line later is to read it, too."""


def _refuse():
    """Say what is wrong in config.py for ever, with ctrl-C still on: starting anew would mend nothing."""
    try:
        pins.check(config)
    except Exception as error:  # noqa: BLE001 - whatever was made of the file, it is the one to mend
        told = str(error) if isinstance(error, ValueError) else f"config.py: {error!r}"
        while True:
            print(told)  # noqa: T201 - there is no link without a board
            sleep_ms(SAY_AGAIN_MS)


def _held():
    numbers = config.PINS["buttons"]
    if len(numbers) <= ARBITER:
        return False
    pin = Pin(numbers[ARBITER], Pin.IN, Pin.PULL_UP)
    for _ in range(HELD_LOOKS):
        sleep_ms(5)
        if pin.value():
            return False
    return True


def _note(error):
    """Write down what went wrong, once: a mistake at every start must not wear out the flash."""
    told = StringIO()
    sys.print_exception(error, told)
    try:
        with open(LAST_ERROR) as file:  # noqa: PTH123 - MicroPython
            if file.read() == told.getvalue():
                return
    except OSError:
        pass
    with open(LAST_ERROR, "w") as file:  # noqa: PTH123 - ditto
        file.write(told.getvalue())


def run():
    """Serve until the power goes. Whatever goes wrong is noted and makes a new boot, never a prompt."""
    try:
        identity = identify(config, board_id(config), boot_id(), reset_reason())
        firmware = Firmware(Board(config), config, identity, ticks_us())
        while True:
            firmware.step(ticks_us())
    except Exception as error:  # noqa: BLE001 - a board must come back by itself
        _note(error)
    finally:
        reset()


_refuse()
if not _held():
    run()
