"""How a second program on the same machine finds the broker the first one started.

`broker.json` says where the broker is. Whether that still holds is told by a lock on
`broker.lock`, which the kernel gives back however the owner ends: process ids, which are used
again, are never trusted.
"""

import contextlib
import fcntl
import json
import os
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Literal, TypeAlias

from firmware_bridge.wire.regular import read_regular

Kind: TypeAlias = Literal["mosquitto", "amqtt"]


@dataclass(frozen=True, slots=True)
class BrokerAddress:
    """A broker that runs for us.

    Attributes:
        host: Its loopback address.
        port: Its TCP port.
        pid: Process id of the broker, for people; it changes when the broker is restarted.
        kind: Which broker it is.
    """

    host: str
    port: int
    pid: int
    kind: Kind


class ClaimError(RuntimeError):
    """Raised when another program already runs the broker of this directory."""


class Claim:
    """The right to run the broker of a state directory; held until `release`.

    Args:
        state_dir: Directory of broker.json and broker.lock; must exist.

    Raises:
        ClaimError: Another program has it.
        OSError: The directory cannot be written.
    """

    def __init__(self, state_dir: Path) -> None:
        self._file = state_dir / "broker.json"
        self._lock: int | None = _open_lock(state_dir)
        try:
            mine = _try_lock(self._lock, fcntl.LOCK_EX)
            if mine:
                self._file.unlink(missing_ok=True)
        except BaseException:
            os.close(self._lock)
            raise
        if not mine:
            os.close(self._lock)
            raise ClaimError(f"another program already runs the broker of {state_dir}")

    def announce(self, address: BrokerAddress) -> None:
        """Write where the broker is; readers see the old address or the new, never half of it.

        Raises:
            OSError: The disk is full, gone or read-only.
        """
        draft = self._file.with_suffix(".json.new")
        draft.write_text(json.dumps(asdict(address)) + "\n", encoding="utf-8")
        draft.replace(self._file)

    def release(self) -> None:
        """Withdraw the address and give the right back; idempotent."""
        if self._lock is not None:
            with contextlib.suppress(OSError):  # without the lock it is left over, and known as such
                self._file.unlink(missing_ok=True)
            os.close(self._lock)
            self._lock = None


def find_broker(state_dir: Path) -> BrokerAddress | None:
    """Look for a broker that another program runs in this state directory.

    Returns:
        Its address, which stays the same while that program lives (the broker itself may just be
        restarting); None when there is none, or the file is left over or unreadable.
    """
    try:
        lock = _open_lock(state_dir)
    except OSError:
        return None
    try:
        if _try_lock(lock, fcntl.LOCK_SH):
            return None  # nobody holds it: whatever stands in the file is left over
        return _read(state_dir / "broker.json")
    except OSError:
        return None
    finally:
        os.close(lock)


def _open_lock(state_dir: Path) -> int:
    return os.open(state_dir / "broker.lock", os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600)


def _try_lock(lock: int, kind: int) -> bool:
    try:
        fcntl.flock(lock, kind | fcntl.LOCK_NB)
    except BlockingIOError:
        return False
    return True


def _read(path: Path) -> BrokerAddress | None:
    with contextlib.suppress(OSError, ValueError, TypeError, KeyError, ArithmeticError, RecursionError):
        found = json.loads(read_regular(path))
        kind: Kind = "mosquitto" if found["kind"] == "mosquitto" else "amqtt"
        host, port = str(found["host"]), int(found["port"])
        if host and 1 <= port <= 65535:
            return BrokerAddress(host, port, int(found["pid"]), kind)
    return None
