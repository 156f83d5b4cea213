"""A mosquitto that knows one user and what he may do."""

from __future__ import annotations

import os
import subprocess
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from firmware_bridge.wire import broker_files
from firmware_bridge.wire.probe import probe
from firmware_bridge.wire.settings import BrokerSettings

ACL = "user board\ntopic readwrite tk/1/cup/board/board-1/#\n"

CONF = """\
listener {port} 127.0.0.1
socket_domain ipv4
allow_anonymous false
password_file {folder}/passwords
acl_file {folder}/acl
log_dest none
"""


@contextmanager
def strict_mosquitto(binary: Path, folder: Path) -> Iterator[int]:
    """Run it, and give its port: the user `board` has the password `secret`, and board-1's topics."""
    port = broker_files.free_port()
    passwords = folder / "passwords"
    passwords.touch(mode=0o600)
    tool = next(
        each
        for each in (binary.with_name("mosquitto_passwd"), Path("/usr/bin/mosquitto_passwd"))
        if each.exists()
    )
    subprocess.run([tool, "-b", passwords, "board", "secret"], check=True, capture_output=True)
    (folder / "acl").write_text(ACL, encoding="ascii")
    user = "" if os.geteuid() else "user root\n"  # else it becomes a user who may not read here
    (folder / "mosquitto.conf").write_text(CONF.format(port=port, folder=folder) + user, encoding="utf-8")
    process = subprocess.Popen([binary, "-c", folder / "mosquitto.conf"], stderr=subprocess.DEVNULL)
    try:
        deadline = time.monotonic() + 30
        while probe(BrokerSettings("127.0.0.1", port), "t", b"").outcome == "unreachable":
            assert process.poll() is None, "mosquitto ended at once"
            assert time.monotonic() < deadline, "mosquitto never answered"
            time.sleep(0.05)
        yield port
    finally:
        process.terminate()
        process.wait()


def table(port: int, word: str = "secret") -> str:
    """Return the `[broker]` of a configuration."""
    return f'[broker]\nhost = "127.0.0.1"\nport = {port}\nusername = "board"\npassword = "{word}"\n'
