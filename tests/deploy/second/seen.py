"""The second device with eyes on it: run with its own options, it tells what `world_feed.py` wants to know.

A person would look at the lamp and the dials; hands that are a program read them from standard output.
"""

from __future__ import annotations

import json
import sys

from firmware_bridge.emulator.emulator import EmulatorSettings
from tests.deploy.second import second_device


def fed(settings: EmulatorSettings) -> list[str]:
    """Return the command of the device that a world feed wants; the symlink's path is to follow."""
    known = {
        "board-id": settings.board_id,
        "rate-hz": settings.rate_hz,
        "time-scale": settings.speed,
    }
    options = [word for name, value in known.items() for word in (f"--{name}", str(value))]
    return [sys.executable, "-m", __name__, *options]


class SeenDevice(second_device.Device):
    """The device, and whoever looks at it."""

    _said = ""

    def step(self) -> None:
        """One turn of its loop, and a line when something looks different."""
        super().step()
        seen = {
            "host_lost": not self.there,
            "running": self.dials.running,
            "port_open": self.line.plugged,
            "line_full": bool(self.data),
        }
        said = json.dumps(seen)
        if said != self._said:
            self._said = said
            sys.stdout.write(f"{said}\n")
            sys.stdout.flush()


if __name__ == "__main__":
    second_device.Device = SeenDevice  # type: ignore[misc] # `main` makes the one that is looked at
    second_device.main()
