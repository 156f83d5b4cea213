"""A board that is examined: a folder with its files, a device on a pseudo-terminal, a machine around it."""

from __future__ import annotations

import os
import time
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from typing import Any

from firmware_bridge.config import Config, load_config
from firmware_bridge.discovery.notices import HallNotice
from firmware_bridge.doctor.device import DeviceFacts
from firmware_bridge.doctor.examination import Ways, examine
from firmware_bridge.doctor.findings import Check, Finding, Severity
from firmware_bridge.doctor.looking.watch import watch_device
from sensors.calibration import Calibration, ChannelCalibration, ChannelKind
from sensors.calibration_file import save_calibration
from tests.firmware_bridge.doctor.device import Build, WrongDevice
from tests.house.lone_board import RAW_PER_G, STONE_G

NOW_MS = 1_790_000_000_000
"""In 2026."""

OF_DEVICE = (Check.PORT, Check.BOARD, Check.DEVICE, Check.LINK, Check.CHANNELS, Check.BUTTONS)

BOARD = """\
[board]
id = "board-1"
event = "cup"
state_dir = "state"
[device]
port = "board-1.tty"
[calibration]
file = "calibration.json"
"""

STEP_S = 0.01
"""The most that passes between two looks."""


class OwnTime:
    """A clock that stands still while nobody gets to run: a look at it adds what passed, and no more.

    Device and doctor are threads of one test; on a busy machine neither may run for a second.
    """

    def __init__(self) -> None:
        """Begin now."""
        self._now_s, self._seen_s = 0.0, time.monotonic()

    def __call__(self) -> float:
        """Return the time."""
        seen_s = time.monotonic()
        self._now_s += min(STEP_S, seen_s - self._seen_s)
        self._seen_s = seen_s
        return self._now_s


def quickly(path: str, baud: int, kinds: Sequence[ChannelKind] = (), hello_s: float = 3.0) -> DeviceFacts:
    """Watch a device that says BEAT eighty times a second: it need not be watched as long as a real one."""
    return watch_device(path, baud, kinds, hello_s=hello_s, settle_s=0.1, sample_s=0.3, now_s=OwnTime())


impatiently = partial(quickly, hello_s=0.12)
"""For a device that says nothing."""


@dataclass
class Patient:
    """A board that is examined.

    Attributes:
        folder: Where its files are.
        more: What stands in the configuration beside what every board needs.
        halls: What is heard on the network.
        now_ms: What the wall clock says.
        synchronised: Whether somebody keeps it right.
        room: Says how much room there is.
        watch: Watches a device on a port.
    """

    folder: Path
    more: str = ""
    halls: tuple[HallNotice, ...] = ()
    now_ms: int = NOW_MS
    synchronised: bool | None = True
    room: Callable[[Path], os.statvfs_result] = os.statvfs
    watch: Callable[..., DeviceFacts] = quickly
    calibration: Calibration = field(
        default_factory=lambda: Calibration(
            "board-1", STONE_G, 3.0, (ChannelCalibration(zero_raw=0.0, raw_per_g=RAW_PER_G),) * 20
        )
    )

    def config(self) -> Config:
        """Write the files and read them back as a user's are."""
        path = self.folder / "board.toml"
        text = BOARD + self.more
        if not path.exists() or path.read_text(encoding="utf-8") != text:
            path.write_text(text, encoding="utf-8")  # once: a program may be reading it
        save_calibration(self.folder / "calibration.json", self.calibration)
        return load_config(path)

    def findings(self, *checks: Check) -> list[Finding]:
        """Examine the board as it is; without a device its port is missing."""
        ways = Ways(
            halls=lambda: self.halls,
            now_ms=lambda: self.now_ms,
            synchronised=lambda: self.synchronised,
            watch=self.watch,
            room=self.room,
        )
        return examine(self.config(), checks, ways)

    def with_device(self, build: Build, *checks: Check) -> list[Finding]:
        """Examine it with a device on its port."""
        with WrongDevice(self.folder / "board-1.tty", build):
            return self.findings(*(checks or OF_DEVICE))


def accused(findings: Iterable[Finding]) -> dict[str, dict[str, Any]]:
    """Return what is said to be wrong, with its values, by code; notes accuse nobody."""
    return {each.code: dict(each.values) for each in findings if each.severity is not Severity.NOTE}
