"""Opens and closes an emulated device's terminal, again and again, as a program without root's rights.

`python -m tests.sensors.ordinary_user FOLDER DEVICE GUEST...` prints a line for each guest: "host" is our own
serial port, "stranger" a program that leaves the terminal in exclusive mode, as some terminal programs do.
The device is "ours", or "bare": a terminal that nobody looks after.
"""

from __future__ import annotations

import fcntl
import os
import subprocess
import sys
import termios
from collections.abc import Callable
from pathlib import Path
from queue import Queue

from sensors.device.port import Port
from sensors.serial_port import PortState, SerialPort

PATIENCE_S = 20.0


def visits(folder: Path, device: str, *guests: str) -> list[str]:
    """Let guests come to a device one after the other, without root's rights; return what each met.

    To root the kernel opens every terminal, whoever has locked it: here that right is given away.
    """
    plain = ["setpriv", "--bounding-set=-sys_admin", "--inh-caps=-sys_admin"] if os.geteuid() == 0 else []
    command = [*plain, sys.executable, "-m", __name__, str(folder), device, *guests]
    done = subprocess.run(command, capture_output=True, text=True, timeout=60, check=False)
    assert done.returncode == 0, done.stderr
    return done.stdout.splitlines()


def host(path: Path, look: Callable[[], object]) -> str:
    """Open and close the port as a board does; return how that went."""
    states: Queue[tuple[PortState, str]] = Queue()
    with SerialPort(str(path), lambda _: None, lambda *state: states.put(state)):
        state, reason = states.get(timeout=PATIENCE_S)
        look()
    look()
    return reason or state.value


def stranger(path: Path, look: Callable[[], object]) -> str:
    """Lock the terminal for all but root, and leave it so; return whether it has been locked."""
    line = os.open(path, os.O_RDWR | os.O_NOCTTY | os.O_NONBLOCK)
    fcntl.ioctl(line, termios.TIOCEXCL)
    look()
    try:
        os.close(os.open(path, os.O_RDWR | os.O_NOCTTY | os.O_NONBLOCK))
        met = "open to all"
    except OSError as error:
        met = str(error.strerror)
    os.close(line)
    look()
    return met


def main() -> None:
    """Offer the device, let the guests come."""
    path = Path(sys.argv[1]) / "board"
    device = Port(path)
    if sys.argv[2] == "ours":
        device.plug()
    else:
        _, slave = os.openpty()
        path.symlink_to(os.ttyname(slave))
        os.close(slave)
    for guest in sys.argv[3:]:
        met = {"host": host, "stranger": stranger}[guest](path, lambda: device.flush(lambda: None))
        sys.stdout.write(f"{met}\n")
    device.close()


if __name__ == "__main__":
    main()
