"""What a broker child is started with: its program, its configuration, its bounded log."""

import contextlib
import os
import shutil
import socket
import sys
from collections import deque
from pathlib import Path
from signal import Signals
from typing import Final

import firmware_bridge
from firmware_bridge.wire import tether
from firmware_bridge.wire.payloads import MAX_PAYLOAD_BYTES
from firmware_bridge.wire.regular import read_regular

LOOPBACK: Final = "127.0.0.1"
_PORT_FILE: Final = "broker.port"
MAX_LOG_BYTES: Final = 256 * 1024
AUTOSAVE_S: Final = 5
"""Seconds of retained states that a killed mosquitto may forget; connected boards tell them again."""
_OUTSIDE_PATH: Final = ("/usr/sbin", "/usr/local/sbin", "/opt/homebrew/sbin")  # not on every user's PATH

_MOSQUITTO_CONF = """\
# Written by togyz at every start; changes are lost.
# Without socket_domain some versions listen on every address in spite of the line above it.
listener {port} {host}
socket_domain ipv4
allow_anonymous true
set_tcp_nodelay true

# Retained states survive a power cut: saved every few seconds, not every half hour. Never
# autosave_on_changes: it writes and syncs the whole file for each single message, and the broker
# stands still meanwhile (5000 messages took 7 s to over 20 s instead of 0.5 s; an SD card fares worse).
persistence true
persistence_location {directory}/
persistence_file mosquitto.db
autosave_on_changes false
autosave_interval {autosave}

# The default of 1000 cuts the retained set that a slow late joiner gets.
max_queued_messages 10000
max_packet_size {packet}
max_connections 500

sys_interval 0
connection_messages false
log_dest stderr
log_type error
log_type warning
log_type notice
"""


def find_mosquitto() -> str | None:
    """Return the path of a mosquitto binary on this machine; None when there is none."""
    return shutil.which("mosquitto") or shutil.which("mosquitto", path=os.pathsep.join(_OUTSIDE_PATH))


def mosquitto_config(directory: Path, port: int) -> str:
    """Write mosquitto's configuration for a listener on loopback.

    Args:
        directory: Where it keeps its database.
        port: TCP port to listen on.

    Raises:
        ValueError: The directory's name cannot stand in the file.
    """
    if not str(directory).isprintable():
        raise ValueError(f"state directory {str(directory)!r} holds a character mosquitto cannot read")
    text = _MOSQUITTO_CONF.format(
        host=LOOPBACK, port=port, directory=directory, autosave=AUTOSAVE_S, packet=MAX_PAYLOAD_BYTES + 1024
    )
    # Started by root it would become the user "mosquitto", who may not write here.
    return text + "user root\n" if os.geteuid() == 0 else text


def mosquitto_command(binary: str, directory: Path, port: int) -> list[str]:
    """Write the configuration and return the tethered command line."""
    config = directory / "mosquitto.conf"
    config.write_text(mosquitto_config(directory, port), encoding="utf-8")
    # SIGTERM: it saves its database first.
    return tether.command([binary, "-c", str(config)], Signals.SIGTERM)


def amqtt_command(port: int) -> list[str]:
    """Return the tethered command line of our guarded amqtt."""
    child = [sys.executable, "-m", "firmware_bridge.wire.amqtt_child", LOOPBACK, str(port)]
    # SIGKILL: it has nothing to save, and a stuck event loop would not hear SIGTERM.
    return tether.command(child, Signals.SIGKILL)


def child_environment() -> dict[str, str]:
    """Return an environment in which the child finds this very package."""
    root = str(Path(firmware_bridge.__file__).parents[1])
    inherited = os.environ.get("PYTHONPATH")
    return {**os.environ, "PYTHONPATH": os.pathsep.join(filter(None, (root, inherited)))}


def free_port() -> int:
    """Return a loopback TCP port that is free now; somebody may take it a moment later."""
    with socket.socket(socket.AF_INET, socket.SOCK_STREAM) as probe:
        probe.bind((LOOPBACK, 0))
        port: int = probe.getsockname()[1]
        return port


def usual_port(directory: Path) -> int:
    """Return the port this directory's broker had last, if it is free now; else another free one.

    Clients that are already running look for the broker where it was: a board that starts its own
    broker again after a crash must not leave the hall waiting at the old address.
    """
    try:
        port = int(read_regular(directory / _PORT_FILE))
        with socket.socket(socket.AF_INET, socket.SOCK_STREAM) as probe:
            probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
            probe.bind((LOOPBACK, port))
    except (OSError, ValueError, OverflowError):
        return free_port()
    return port


def remember_port(directory: Path, port: int) -> None:
    """Keep the port for `usual_port`; if that fails the next broker merely gets another one."""
    with contextlib.suppress(OSError):
        (directory / _PORT_FILE).write_text(f"{port}\n", encoding="ascii")


def listens(pid: int, port: int) -> bool:
    """Tell whether it is really this process that listens on the loopback port.

    Read from Linux's /proc (proc_pid_net(5)); where there is none, the answer is yes.
    """
    try:
        table = Path("/proc/net/tcp").read_text(encoding="ascii").splitlines()[1:]
    except OSError:
        return True
    address = int.from_bytes(socket.inet_aton(LOOPBACK), sys.byteorder)
    wanted = (f"{address:08X}:{port:04X}", "0A")  # local address; state LISTEN
    rows = [line.split() for line in table]
    sockets = {f"socket:[{row[9]}]" for row in rows if (row[1], row[3]) == wanted}
    try:
        return any(_link(each) in sockets for each in Path(f"/proc/{pid}/fd").iterdir())
    except PermissionError:
        return True
    except OSError:
        return False  # it has just ended


def _link(path: Path) -> str:
    try:
        return str(path.readlink())
    except FileNotFoundError:
        return ""  # closed while we looked


def set_database_aside(directory: Path) -> bool:
    """Move mosquitto's database out of the way, e.g. torn by a power cut.

    Boards publish their retained states again at every connection, so nothing is lost.

    Returns:
        Whether there was one that could be moved.
    """
    try:
        (directory / "mosquitto.db").replace(directory / "mosquitto.db.unreadable")
    except OSError:
        return False
    return True


class BoundedLog:
    """A child's output on disk, in two files of at most 256 KiB each.

    Args:
        path: The file written to; the one before it is kept as `<name>.1`.
    """

    def __init__(self, path: Path) -> None:
        self._path = path
        self._size = 0
        with contextlib.suppress(OSError):
            self._size = path.stat().st_size
        self._tail: deque[bytes] = deque(maxlen=4)

    def write(self, data: bytes) -> None:
        """Append; a full disk is not worth stopping a game, so errors are swallowed."""
        self._tail.append(data)
        try:
            if self._size + len(data) > MAX_LOG_BYTES:
                self._path.replace(self._path.with_name(self._path.name + ".1"))
                self._size = 0
            with self._path.open("ab") as file:
                file.write(data)
            self._size += len(data)
        except OSError:
            return

    @property
    def last_words(self) -> str:
        """The last line written, for error messages; empty when there is none."""
        lines = b"".join(self._tail).decode(errors="replace").strip().splitlines()
        return lines[-1][:300] if lines else ""
