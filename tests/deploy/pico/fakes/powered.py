"""Powers the firmware under MicroPython, with a world that a test or the world feed moves.

    micropython powered.py FIRMWARE_FOLDER FRAMES_FOLDER SETTINGS feed LINE     the world feed on stdin
    micropython powered.py FIRMWARE_FOLDER FRAMES_FOLDER SETTINGS bench         benched.py's lines on stdin
    micropython powered.py FIRMWARE_FOLDER FRAMES_FOLDER SETTINGS main          main.py, host on its streams

SETTINGS is JSON: names of config.py and their values, `start_us`, the tick counter at power-on, `cause`, of
the reset, `held`, the GP of each button that is held at power-on, and what `world.solder` takes.
"""

import json
import sys

sys.path[:0] = [sys.argv[1], sys.argv[2], __file__.rsplit("/", 1)[0]]

# isort: off - the longest first, while the heap is in one piece: main.py does the same
import config  # noqa: E402
import frames  # noqa: E402, F401 - the path was set just now
import world  # noqa: E402


def configure(text):
    """Take over settings into config.py; return those that are the world's."""
    settings = json.loads(text)
    of_world = {}
    for name, value in settings.items():
        if name == "PINS":
            config.PINS.update(value)
        elif hasattr(config, name):
            setattr(config, name, value)
        else:
            of_world[name] = value
    return of_world


def power(line=None):
    """Return a firmware that has just got power."""
    from board import Board, board_id, boot_id, reset_reason
    from firmware import Firmware, identify

    identity = identify(config, board_id(config), boot_id(), reset_reason())
    return Firmware(Board(config, line), config, identity, world.WORLD.ticks())


if __name__ == "__main__":
    surroundings = configure(sys.argv[3])
    if sys.argv[4] == "main":
        import live

        live.run(**surroundings)
        sys.exit()
    world.WORLD.pass_us(surroundings.pop("start_us", 0))
    world.WORLD.cause = surroundings.pop("cause", 1)
    for held in surroundings.pop("held", ()):
        world.WORLD.press(held, True)
    world.solder(
        len(config.PINS["dout"]), pins=config.PINS["dout"], shift=config.PINS["shift"], **surroundings
    )
    if sys.argv[4] == "feed":
        import fed

        fed.run(power, sys.argv[5])
    else:
        import benched

        benched.run(power)
