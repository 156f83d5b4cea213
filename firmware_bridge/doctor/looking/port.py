"""Looks at the serial port without opening it: opening may restart the device."""

from __future__ import annotations

import getpass
import grp
import os
import stat
from pathlib import Path
from typing import Literal

from firmware_bridge.doctor.looking.system import System, processes, read, reason
from firmware_bridge.doctor.port import PortFacts


def look_at_port(path: Path, *, board: bool, system: System) -> PortFacts:
    """Return what is known of a port.

    Args:
        path: As configured.
        board: Whether a running board has it.
        system: Of this machine.
    """
    there = _stable_names(system)
    try:
        about = path.stat()
    except OSError as error:
        # A folder that may not be looked into hides the port just as well.
        gone = isinstance(error, FileNotFoundError | NotADirectoryError)
        kind: Literal["missing", "other"] = "missing" if gone else "other"
        return PortFacts(path=str(path), kind=kind, there=tuple(there.values()), why=reason(error))
    if not stat.S_ISCHR(about.st_mode):
        return PortFacts(path=str(path), kind="other", why="no character device")
    target = path.resolve()
    return PortFacts(
        path=str(path),
        kind="terminal",
        there=tuple(there.values()),
        stable=there.get(target, ""),
        may_open=os.access(path, os.R_OK | os.W_OK),
        group=_group(about.st_gid),
        user=_user(),
        holders=() if board else tuple(_holders(target, about, system)),
        locked=_locked(about, system),
        board=board,
        modem_manager=_modem_manager(target, about.st_rdev, system),
    )


def _stable_names(system: System) -> dict[Path, str]:
    folder = system.dev / "serial" / "by-id"
    try:
        return {each.resolve(): str(each) for each in sorted(folder.iterdir())}
    except OSError:
        return {}


def _group(number: int) -> str:
    try:
        name = grp.getgrgid(number).gr_name
    except KeyError:
        name = str(number)
    return "dialout" if name == "root" else name


def _user() -> str:
    try:
        return getpass.getuser()
    except (KeyError, OSError):  # a number without a name
        return str(os.geteuid())


def _holders(target: Path, about: os.stat_result, system: System) -> list[str]:
    """Return who has the port open, as far as that may be seen."""
    held = []
    for number, name in processes(system):
        if number == os.getpid():
            continue
        try:
            descriptors = list((system.proc / str(number) / "fd").iterdir())
        except OSError:
            continue
        if any(_leads_to(each, target, about) for each in descriptors):
            held.append(f"{name} ({number})")
    return held


def _leads_to(descriptor: Path, target: Path, about: os.stat_result) -> bool:
    """Tell whether an open file is the port; one of the same name may be a terminal of another container."""
    try:
        return descriptor.readlink() == target and os.path.samestat(descriptor.stat(), about)
    except OSError:  # closed meanwhile
        return False


def _locked(about: os.stat_result, system: System) -> bool:
    """Tell whether somebody opened the port exclusively: a whole-file lock in /proc/locks (proc_locks(5))."""
    place = f"{os.major(about.st_dev):02x}:{os.minor(about.st_dev):02x}:{about.st_ino}"
    rows = [line.split() for line in read(system.proc / "locks").splitlines()]
    return any(row[1] == "FLOCK" and row[5] == place for row in rows if len(row) > 5)


def _modem_manager(target: Path, device: int, system: System) -> bool:
    """Tell whether ModemManager will open the port and talk to it as to a modem."""
    if not target.name.startswith(("ttyACM", "ttyUSB")):
        return False
    told = read(system.run / "udev" / "data" / f"c{os.major(device)}:{os.minor(device)}")
    if "E:ID_MM_DEVICE_IGNORE=1" in told:
        return False
    return any(name == "ModemManager" for _, name in processes(system))
