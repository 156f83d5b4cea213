"""The firmware on a test's bench: it answers one JSON line with another, and time stands still in between.

    {"run": 10000, "step": 2000, "hear": "00ff"}   bytes come from the host, then time passes in steps
    {"press": 0, "closed": true}                   a contact closes or opens
    {"show": [raw ..], "status": [..]}             what the chips convert from now on, every 12 ms
    {"line": false}                                the host does not read
    {"ask": "firmware.device.skipped"}             an expression over `firmware`, `world`, `gc`
    {"do": "world.chips[3].dead = True"}           a statement

Answers: {"said": 97, "now": 10000} after a run, with device time, and the 97 bytes that were said behind the
line; {"is": ..} to a question; {} else.
"""

# ruff: noqa: T201, S307, S102 - printing is how it answers, and asking is what a bench is for

import gc
import json
import sys
from array import array
from binascii import unhexlify

import config
import fed
import world
from board import Line

POLLOUT = 4
PERIOD_US = 12_000
MOST_SAID = 12_000


class Cable:
    """Both directions of a line, in memory."""

    def __init__(self):
        self.down = bytearray()
        self._up = memoryview(
            bytearray(MOST_SAID)
        )  # one block: many small ones would break the heap into pieces
        self.count = 0
        self.open = True
        self.sizes = []  # of the writes to a line that stalls
        self.last = 0
        self.stall_us = 0

    def ready(self, flags):
        """Return whether a byte is there, or the host reads."""
        return self.open if flags & POLLOUT else len(self.down) > 0

    def readinto(self, into):
        """Read what is there."""
        count = min(len(into), len(self.down))
        into[:count] = self.down[:count]
        self.down = self.down[count:]
        return count

    def write(self, data):
        """Take everything; a line that stalls takes its time for more than one byte."""
        self.last = len(data)
        if self.stall_us:
            self.sizes.append(self.last)
            if self.last > 1:
                world.WORLD.pass_us(self.stall_us)
        end = self.count + len(data)
        assert end <= MOST_SAID, "let less time pass between two looks"
        self._up[self.count : end] = data
        self.count = end
        return len(data)

    def said(self):
        """Return what was written since the last time."""
        count, self.count = self.count, 0
        return self._up[:count]


class Bench:
    """The firmware, its world and its cable."""

    def __init__(self, power):
        self.cable = Cable()
        world.WORLD.uart = self.cable
        self.firmware = power(None if config.LINE == "uart" else Line(self.cable, self.cable))
        self.shown = None
        self._ready_us = 0
        self._began_us = world.WORLD.now_us

    def run(self, us, step_us):
        """Let time pass."""
        end_us = world.WORLD.now_us + us
        while world.WORLD.now_us < end_us:
            world.WORLD.pass_us(min(step_us, end_us - world.WORLD.now_us))
            if self.shown is not None and world.WORLD.now_us >= self._ready_us:
                self._ready_us = world.WORLD.now_us + PERIOD_US
                fed.show(*self.shown)
            self.firmware.step(world.WORLD.ticks())

    def obey(self, line):
        """Do what a line says; return the answer."""
        names = {"firmware": self.firmware, "world": world.WORLD, "gc": gc, "bench": self}
        if "run" in line:
            self.cable.down.extend(unhexlify(line.get("hear", "")))
            self.run(line["run"], line.get("step", 2000))
            return {"said": self.cable.count, "now": world.WORLD.now_us - self._began_us}
        if "ask" in line:
            return {"is": eval(line["ask"], names)}
        if "do" in line:
            exec(line["do"], names)
        elif "press" in line:
            world.WORLD.press(config.PINS["buttons"][line["press"]], line["closed"])
        elif "show" in line:
            raw = line["show"]
            self.shown = (array("i", [0] * len(raw)), raw, line["status"])
        elif "line" in line:
            self.cable.open = line["line"]
        return {}


def run(power):
    """Answer until there are no more lines."""
    bench = Bench(power)
    print("{}")
    while True:
        text = sys.stdin.readline()
        if not text:
            return
        print(json.dumps(bench.obey(json.loads(text))))
        sys.stdout.buffer.write(bench.cable.said())
