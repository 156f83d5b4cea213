"""A machine of its own for the services: systemd as first process of namespaces, over this machine's files.

Nothing outside is changed: what is written goes to memory, the network is empty, and with the first process
all others end. It needs root, an overlay and a cgroup of version 2; `why_not` says what is missing.
"""

from __future__ import annotations

import os
import shutil
import signal
import subprocess
import sysconfig
import time
from collections.abc import Callable
from pathlib import Path
from typing import Final, Self

from tests.machine import ROOT

PYTHON: Final = "/usr/bin/python3"
"""The services see neither a home nor /tmp nor what lies there, so it is the system's; the packages are
brought to where they look."""

_MACHINE: Final = r"""
set -e
base=$1 source=$2 packages=$3 python=$4
mount -t tmpfs none "$base"
mkdir "$base/up" "$base/work" "$base/root"
mount -t overlay overlay -o "lowerdir=/,upperdir=$base/up,workdir=$base/work" "$base/root"
root=$base/root
mount -t proc proc "$root/proc"
mount -t sysfs -o ro sysfs "$root/sys"
mount -t cgroup2 none "$root/sys/fs/cgroup"
mount -t tmpfs tmpfs "$root/dev" -o mode=755
for device in null:1:3 zero:1:5 full:1:7 random:1:8 urandom:1:9 tty:5:0; do
    IFS=: read -r name major minor <<<"$device"
    mknod -m 666 "$root/dev/$name" c "$major" "$minor"
done
mkdir "$root/dev/pts" "$root/dev/shm"
mount -t devpts devpts "$root/dev/pts" -o newinstance,ptmxmode=0666,mode=620,gid=5
ln -s pts/ptmx "$root/dev/ptmx"
ln -s /proc/self/fd "$root/dev/fd"
mount -t tmpfs tmpfs "$root/run" -o mode=755
mount -t tmpfs tmpfs "$root/tmp"
rm -rf "$root"/etc/systemd/system/*.wants "$root/etc/systemd/system/default.target"
mkdir -p "$root/etc/sysusers.d" "$root/etc/tmpfiles.d" "$root/opt/src" "$root/etc/togyz/boards"
cp "$source"/systemd/*.service "$source"/systemd/*.target "$root/etc/systemd/system/"
cp "$source"/systemd/sysusers.d/*.conf "$root/etc/sysusers.d/"
cp "$source"/systemd/tmpfiles.d/*.conf "$root/etc/tmpfiles.d/"
printf '[Unit]\nRequires=systemd-journald.service\nAfter=systemd-journald.service\n' \
    >"$root/etc/systemd/system/lab.target"
cp -r "$source"/rules "$source"/sensors "$source"/firmware_bridge "$root/opt/src/"
"$python" -m venv --without-pip "$root/opt/togyz"
mkdir "$root/opt/packages"
mount --bind "$packages" "$root/opt/packages"
printf '/opt/src\n/opt/packages\n' >"$(echo "$root"/opt/togyz/lib/python3*/site-packages)/togyz.pth"
printf '#!/bin/sh\nexec /opt/togyz/bin/python3 -m firmware_bridge "$@"\n' >"$root/usr/local/bin/togyz"
chmod 755 "$root/usr/local/bin/togyz"
ip link set lo up
cd "$root"
mkdir -p before
pivot_root . before
umount -l /before
export container=togyz PATH=/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin
exec /lib/systemd/systemd --system --unit=lab.target --log-target=null --show-status=no
"""


def why_not() -> str:
    """Return what is missing for a machine of its own; empty: nothing is."""
    if os.geteuid() != 0:
        return "only root may make namespaces"
    needed = ("unshare", "nsenter", "ip", "pivot_root", "systemd-run", "/lib/systemd/systemd", PYTHON)
    for name in needed:
        if shutil.which(name) is None:
            return f"no {name} here"
    if _cgroup() is None:
        return "no cgroup of version 2 here"
    ours = ".".join(map(str, (3, sysconfig.get_python_version().split(".")[1])))
    version = subprocess.run([PYTHON, "-V"], capture_output=True, text=True, check=True).stdout.split()[1]
    return "" if version.startswith(f"{ours}.") else f"{PYTHON} is {version}, and the packages are of {ours}"


def _cgroup() -> Path | None:
    for line in Path("/proc/mounts").read_text("utf-8").splitlines():
        _, place, kind, *_ = line.split()
        if kind == "cgroup2":
            return Path(place)
    return None


class BootedMachine:
    """A machine whose services are ours; a context manager.

    Attributes:
        root: Its files, seen from here while it runs.
    """

    def __init__(self, folder: Path) -> None:
        """Name the folder in which its files are put together."""
        self._folder = folder
        cgroup = _cgroup()
        assert cgroup is not None
        self._cgroup = cgroup / f"togyz-{os.getpid()}"
        self._pid = 0

    def __enter__(self) -> Self:
        """Boot it."""
        self._cgroup.mkdir()
        join = f'echo $$ >{self._cgroup}/cgroup.procs && exec "$@"'
        packages = sysconfig.get_path("purelib")
        self._process = subprocess.Popen(
            [
                *("bash", "-c", join, "-"),
                *("unshare", "--mount", "--pid", "--fork", "--uts", "--ipc", "--net", "--cgroup"),
                *("--propagation", "private", "--kill-child"),
                *("bash", "-c", _MACHINE, "-", str(self._folder), str(ROOT), packages, PYTHON),
            ],
            stdin=subprocess.DEVNULL,
        )
        self.until("it is up", self._is_up)
        return self

    def __exit__(self, *_: object) -> None:
        """Switch it off: with its first process all others end."""
        self._process.kill()
        self._process.wait()
        deadline = time.monotonic() + 20
        while self._cgroup.exists() and time.monotonic() < deadline:
            for folder in sorted(self._cgroup.rglob("*/"), reverse=True):
                _rmdir(folder)
            _rmdir(self._cgroup)
            time.sleep(0.05)

    @property
    def root(self) -> Path:
        """Where its files are seen from here."""
        return Path(f"/proc/{self._pid}/root")

    def run(self, *words: str) -> subprocess.CompletedProcess[str]:
        """Run a command in it, as its root."""
        return subprocess.run(
            ["nsenter", "-t", str(self._pid), "-m", "-p", "-u", "-i", "-n", "-C", *words],
            capture_output=True,
            text=True,
            check=False,
            timeout=120,
        )

    def shown(self, unit: str) -> dict[str, str]:
        """Return what systemd says of a unit."""
        lines = self.run("systemctl", "show", unit).stdout.splitlines()
        return {line.partition("=")[0]: line.partition("=")[2] for line in lines}

    def kill(self, unit: str, number: signal.Signals) -> None:
        """Send a signal to the main process of a unit, and to it alone."""
        self.run("systemctl", "kill", "--kill-whom=main", f"--signal={number.name}", unit)

    def until(self, what: str, true: Callable[[], bool], timeout_s: float = 60.0) -> None:
        """Wait until something is so."""
        deadline = time.monotonic() + timeout_s
        while not true():
            assert time.monotonic() < deadline, f"not within {timeout_s:g} s: {what}"
            time.sleep(0.1)

    def _is_up(self) -> bool:
        assert self._process.poll() is None, "it did not boot"
        listed = (
            Path(f"/proc/{self._process.pid}/task/{self._process.pid}/children").read_text("ascii").split()
        )
        if not listed:
            return False
        self._pid = int(listed[0])
        return self.run("systemctl", "is-system-running").stdout.strip() in {"running", "degraded"}


def _rmdir(folder: Path) -> None:
    try:
        folder.rmdir()
    except OSError:
        return  # something in it is just ending
