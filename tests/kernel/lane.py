"""`make kernel`: real GPIO chips of a real kernel, simulated by it, for the tests of `in_guest.py`.

Debian's own kernels have no gpio-sim. So a small one is built from Debian's source package, once, and kept in
the user's cache; QEMU boots it without any virtualisation of the machine, with this machine's root read-only
over 9p, and its first program is `init.sh`. What cannot be run here is skipped by name; with
TOGYZ_LANES=required it fails. Timing means nothing in there: converters are not read.
"""

from __future__ import annotations

import hashlib
import os
import platform
import re
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

HERE = Path(__file__).resolve().parent
ROOT = HERE.parents[1]
SOURCES = Path("/usr/src")
HEADER = Path("/usr/include/gelf.h")
"""Of libelf-dev."""

PROGRAMS = {
    "qemu-system-x86_64": "qemu-system-x86",
    "gcc": "gcc",
    "make": "make",
    "flex": "flex",
    "bison": "bison",
    "bc": "bc",
}
"""What is needed, and the Debian package that brings it."""

BOOT_LIMIT_S = 300

# Not needed for a kernel of this size, and most of what there is to unpack.
LEFT_OUT = (
    *("*/Documentation/*/*", "*/drivers/gpu/*.[ch]", "*/drivers/net/*/*.[ch]", "*/drivers/media/*.[ch]"),
    *("*/sound/*.[ch]", "*/fs/xfs/*.[ch]", "*/fs/btrfs/*.[ch]", "*/tools/testing/*", "*/tools/perf/*"),
    *("*/arch/arm*/*.[chS]", "*/arch/mips/*.[chS]", "*/arch/powerpc/*.[chS]", "*.dts", "*.dtsi"),
)

_ENDED = re.compile(r"^LANE-ENDED-WITH (\d+)", re.MULTILINE)


class NotHereError(Exception):
    """Raised when this machine cannot run the lane; the message says why."""


def source() -> Path:
    """Return Debian's newest kernel source on this machine.

    Raises:
        NotHereError: There is none.
    """
    found = sorted(SOURCES.glob("linux-source-*.tar.xz"))
    if not found:
        raise NotHereError("no kernel source (apt-get install linux-source-6.1)")
    return found[-1]


def check_programs() -> None:
    """Look for what is needed.

    Raises:
        NotHereError: Something is missing.
    """
    if platform.machine() != "x86_64":
        raise NotHereError(f"the kernel is built for x86_64, and this machine is {platform.machine()}")
    missing = [package for program, package in PROGRAMS.items() if shutil.which(program) is None]
    if not HEADER.exists():
        missing.append("libelf-dev")
    if missing:
        raise NotHereError(f"missing here: apt-get install {' '.join(missing)}")
    if not _can_import("lgpio"):
        raise NotHereError("no lgpio in this environment (deploy/requirements/kernel.txt)")


def _can_import(module: str) -> bool:
    with tempfile.TemporaryDirectory() as folder:  # lgpio leaves a pipe where it is imported
        done = subprocess.run(
            [sys.executable, "-c", f"import {module}"], cwd=folder, check=False, capture_output=True
        )
    return done.returncode == 0


def image() -> Path:
    """Return the kernel, built if it is not kept already."""
    tarball, fragment = source(), (HERE / "kernel.config").read_bytes()
    key = hashlib.sha256(fragment + f"{tarball.name} {tarball.stat().st_size}".encode()).hexdigest()[:16]
    cache = Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache") / "togyz-bridge" / "kernel"
    kept = cache / f"{key}.bzImage"
    if not kept.exists():
        cache.mkdir(parents=True, exist_ok=True)
        _say(f"building {kept} from {tarball.name}: some minutes, once")
        with tempfile.TemporaryDirectory(dir=cache, prefix="build.") as folder:
            built = _build(Path(folder), tarball, fragment)
            fresh = kept.with_suffix(".new")
            shutil.copyfile(built, fresh)
            fresh.replace(kept)
    return kept


def _build(folder: Path, tarball: Path, fragment: bytes) -> Path:
    leave_out = [f"--exclude={pattern}" for pattern in LEFT_OUT]
    _run(["tar", "-xf", str(tarball), "--strip-components=1", "-C", str(folder), *leave_out])
    _run(["make", "-s", "tinyconfig"], folder)
    with (folder / ".config").open("ab") as config:
        config.write(fragment)
    _run(["make", "-s", "olddefconfig"], folder)
    taken = (folder / ".config").read_text(encoding="utf-8").splitlines()
    refused = [line for line in fragment.decode().splitlines() if line[:1] == "C" and line not in taken]
    if refused:
        raise SystemExit(f"kernel lane: the source does not take {', '.join(refused)} of kernel.config")
    _run(["make", "-s", f"-j{os.cpu_count() or 1}", "bzImage"], folder)
    return folder / "arch" / "x86" / "boot" / "bzImage"


def _run(command: list[str], folder: Path | None = None) -> None:
    done = subprocess.run(
        command, cwd=folder, check=False, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True
    )
    if done.returncode:
        end = "\n".join(done.stdout.splitlines()[-20:])
        raise SystemExit(f"kernel lane: {' '.join(command)} failed:\n{end}")


def boot(kernel: Path) -> int:
    """Boot the kernel, let it run the tests, and return how they ended."""
    shared = "local,path=/,mount_tag=host,security_model=none,readonly=on,multidevs=remap"
    line = (
        "console=ttyS0 quiet panic=-1 root=host rootfstype=9p rootflags=trans=virtio,version=9p2000.L,"
        f"msize=262144,cache=loose ro init={HERE / 'init.sh'} LANE_PYTHON={sys.executable} LANE_ROOT={ROOT}"
    )
    command = [
        *("qemu-system-x86_64", "-cpu", "max", "-m", "512", "-nographic", "-no-reboot", "-nodefaults"),
        *("-serial", "stdio", "-kernel", str(kernel), "-append", line, "-virtfs", shared),
    ]
    try:
        done = subprocess.run(
            command,
            check=False,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            timeout=BOOT_LIMIT_S,
        )
        said = done.stdout
    except subprocess.TimeoutExpired as error:
        said = error.stdout or b""
    text = said.decode(errors="replace").replace("\r", "")
    sys.stdout.write(text)
    ended = _ENDED.search(text)
    if ended is None:
        _say("the machine did not come to the end of its tests; what it said stands above")
        return 1
    return int(ended[1])


def _say(text: str) -> None:
    sys.stderr.write(f"kernel lane: {text}\n")
    sys.stderr.flush()


def main() -> int:
    """Run the lane; return 0 if all is well or it cannot be run here."""
    try:
        check_programs()
        source()
    except NotHereError as error:
        required = os.environ.get("TOGYZ_LANES") == "required"
        _say(f"{'required here' if required else 'skipped'}: {error}")
        return int(required)
    return boot(image())


if __name__ == "__main__":
    sys.exit(main())
