"""The emulated board as a process: events as JSON lines, commands as lines, clean at SIGTERM."""

import json
import os
import select
import sys
from collections.abc import Callable
from typing import TextIO

from firmware_bridge.emulator.commands import CommandError, Stop, parse_command
from firmware_bridge.emulator.emulator import Emulator, EmulatorSettings, EmulatorSummary
from firmware_bridge.signals import heard_by

LONGEST_LINE = 4096
"""Bytes of an unfinished command line that are kept; the rest of a longer one is noise."""


def run_emulator(
    settings: EmulatorSettings, out: TextIO | None = None, commands_fd: int | None = None
) -> EmulatorSummary:
    """Serve an emulated board until it is told to stop, or has lingered long enough.

    SIGTERM and SIGINT end it cleanly when it runs in the main thread.

    Args:
        settings: what it is.
        out: gets one JSON object per line, flushed; None: standard output.
        commands_fd: lines of `commands` are read from there; None: nowhere.

    Raises:
        DevicePathError: the device path cannot be used.
    """
    stream = sys.stdout if out is None else out

    def tell(event: dict[str, object]) -> None:
        try:
            stream.write(json.dumps(event, ensure_ascii=False) + "\n")
            stream.flush()
        except BrokenPipeError:
            emulator.post(Stop())  # whoever supervised it is gone

    emulator = Emulator(settings, tell)
    if commands_fd is not None:
        emulator.watch(_CommandLines(commands_fd, emulator, tell).poll)
    with heard_by(lambda _number, _frame: emulator.post(Stop())):
        return emulator.run()


class _CommandLines:
    """Lines from a file descriptor, read only when there is something to read."""

    def __init__(self, fd: int, emulator: Emulator, tell: Callable[[dict[str, object]], None]) -> None:
        self._fd: int | None = fd
        self._emulator = emulator
        self._tell = tell
        self._rest = b""

    def poll(self) -> None:
        """Pass on the commands that have come; the end of the input ends only the listening."""
        if self._fd is None or not select.select([self._fd], [], [], 0)[0]:
            return
        data = os.read(self._fd, LONGEST_LINE)
        if not data:
            self._fd = None
        *lines, rest = (self._rest + data).split(b"\n")
        self._rest = rest[-LONGEST_LINE:]
        for line in lines:
            if not line.strip():
                continue
            try:
                self._emulator.post(parse_command(line.decode(errors="replace")))
            except CommandError as error:
                self._tell({"event": "refused", "reason": str(error)})
