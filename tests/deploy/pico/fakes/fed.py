"""The firmware as the device of `tests/deploy/world_feed.py`: its lines on stdin, the host on a terminal."""

# ruff: noqa: T201 - printing is how it answers

import json
import sys
from array import array

import config
import world
from board import Line

PRESS_LASTS_US = 80_000
NOT_READY, EXCLUDED, READ_ERROR = 1, 3, 4


def run(power, path):
    """Serve until the feed ends."""
    port = open(path, "r+b")
    firmware = power(Line(port, port))
    values = array("i", [0] * len(config.PINS["dout"]))
    buttons = config.PINS["buttons"]
    releases = []
    said = None
    while True:
        text = sys.stdin.readline()
        if not text:
            return
        line = json.loads(text)
        now_us = line["t"]
        while releases and releases[0][0] <= now_us:
            at_us, number = releases.pop(0)
            world.WORLD.set_us(at_us)
            world.WORLD.press(number, False)
        world.WORLD.set_us(now_us)
        if "press" in line:
            number = buttons[line["press"]]
            releases.append((now_us + PRESS_LASTS_US, number))
            world.WORLD.press(number, True)
        if "raw" in line:
            show(values, line["raw"], line["status"])
        firmware.step(world.WORLD.ticks())
        state = (firmware.device.host_lost, firmware.device.dials.running)
        if state != said:
            said = state
            print(json.dumps({"host_lost": state[0], "running": state[1]}))


def show(values, raw, status):
    """Have all chips that have a value ready for the next read."""
    ready = failing = 0
    for channel in range(len(status)):  # the fakes share the heap: they leave no tuples behind
        code = status[channel]
        values[channel] = raw[channel]
        if code not in (NOT_READY, EXCLUDED):
            ready |= 1 << channel
        if code == READ_ERROR:
            failing |= 1 << channel
    world.WORLD.samples = (values, ready, failing)
