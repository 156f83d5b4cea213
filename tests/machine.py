"""What the machine under the tests has to offer: Debian's programs, MicroPython, data beside the checkout."""

from __future__ import annotations

import os
import shutil
import sys
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]

# Debian keeps mosquitto in sbin, where a user's PATH does not look.
_SBIN = ("/usr/local/sbin", "/usr/sbin", "/sbin")

# Where Raspberry Pi OS and older Debians keep the driver.
_DRIVERS = ("chromedriver", "/usr/lib/chromium-browser/chromedriver", "/usr/lib/chromium/chromedriver")


@dataclass(frozen=True, slots=True)
class Chromium:
    """A browser and the driver that belongs to it.

    Attributes:
        browser: Path of the browser's program.
        driver: Path of chromedriver.
    """

    browser: Path
    driver: Path


def find_program(*names: str) -> Path | None:
    """Return the first of the programs that is here, None if none is.

    It looks beside the tests' interpreter first (what came as a wheel), then on the PATH and in sbin.
    """
    places = os.pathsep.join([str(Path(sys.executable).parent), os.environ.get("PATH", os.defpath), *_SBIN])
    for name in names:
        program = shutil.which(name, path=places)
        if program is not None:
            return Path(program)
    return None


def find_mosquitto() -> Path | None:
    """Return the mosquitto broker, None if it is not installed."""
    return find_program("mosquitto")


def find_chromium() -> Chromium | None:
    """Return Chromium and its driver, None if either is not installed."""
    browser = find_program("chromium", "chromium-browser")
    driver = find_program(*_DRIVERS)
    return Chromium(browser, driver) if browser and driver else None


def find_micropython() -> Path | None:
    """Return the MicroPython interpreter, None if there is none for this machine."""
    return find_program("micropython")


def find_shared_data() -> Path | None:
    """Return the folder of recorded games and rule vectors beside the checkout, None if there is none."""
    folder = ROOT.parent / "shared" / "data"
    return folder if folder.is_dir() else None


def missing_lanes() -> dict[str, str]:
    """Return the markers whose tests cannot run here, each with what is missing."""
    lanes = {
        "mosquitto": (find_mosquitto(), "no mosquitto (deploy/setup.sh packages mosquitto)"),
        "browser": (
            find_chromium(),
            "no Chromium with its driver (deploy/setup.sh packages chromium chromium-driver)",
        ),
        "systemd": (find_program("systemd-analyze"), "no systemd-analyze (deploy/setup.sh packages systemd)"),
        "micropython": (find_micropython(), "no MicroPython interpreter for this machine"),
    }
    return {lane: reason for lane, (found, reason) in lanes.items() if found is None}
