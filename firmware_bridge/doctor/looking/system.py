"""Where a Linux machine tells of itself, so that a test can hand in another one."""

from __future__ import annotations

import errno
import shutil
import subprocess
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

PROGRAM_S = 3.0
"""How long a program of the machine may take to answer."""


@dataclass(frozen=True, slots=True)
class System:
    """The folders in which the kernel and its helpers tell of the machine.

    Attributes:
        proc: Processes, memory, mounts, locks.
        sys: Devices.
        dev: Device files.
        run: What udev wrote down.
    """

    proc: Path = Path("/proc")
    sys: Path = Path("/sys")
    dev: Path = Path("/dev")
    run: Path = Path("/run")


def read(path: Path) -> str:
    """Return what stands in a file; "" where it is not there or may not be read."""
    try:
        return path.read_text(encoding="utf-8", errors="replace")
    except OSError:
        return ""


def reason(error: Exception) -> str:
    """Return why something failed: the name of errno(3) in small letters, else what the error says."""
    number = error.errno if isinstance(error, OSError) else None
    if number is None and isinstance(error, TimeoutError):
        number = errno.ETIMEDOUT
    name = errno.errorcode.get(number or 0, "").lower()
    return name or getattr(error, "strerror", None) or str(error) or type(error).__name__


def said_by(command: Sequence[str]) -> str | None:
    """Return what a program of the machine prints; None: it is not there, fails, or does not answer."""
    program = shutil.which(command[0])
    if program is None:
        return None
    try:
        done = subprocess.run(  # noqa: S603 - a fixed command of the machine
            [program, *command[1:]], capture_output=True, text=True, timeout=PROGRAM_S, check=False
        )
    except (OSError, subprocess.TimeoutExpired, UnicodeDecodeError):
        return None
    return done.stdout if done.returncode == 0 else None


def processes(system: System) -> Iterator[tuple[int, str]]:
    """Yield number and name of each process that can be seen."""
    for folder in system.proc.glob("[0-9]*"):
        name = read(folder / "comm").strip()
        if name:
            yield int(folder.name), name
