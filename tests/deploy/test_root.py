"""deploy/install.sh in a real root: made by debootstrap, entered by chroot, with Debian's apt and systemd.

The packages of the programs are fetched by this machine's pip, with whatever settings it has, and handed over
as a folder of wheels: so the way without a network is proved too. The bare root is kept in the user's cache.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest

from tests.house.committed import ROOT, committed_files
from tests.machine import find_program

SUITES = {"bookworm": "3.11", "trixie": "3.13"}
"""Debian's releases, as Raspberry Pi OS has them, with their Python."""

CACHE = Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache") / "togyz-bridge" / "roots"

# Not of the root: what the test put there, caches, and what programs compile for themselves.
ASIDE = ("var/cache", "var/lib/apt", "var/log", "run", "tmp", "src", "wheels", "proc", "dev")


@dataclass(frozen=True, slots=True)
class Chroot:
    """A root with a checkout in /src and wheels in /wheels."""

    path: Path

    def run(self, *command: str) -> subprocess.CompletedProcess[str]:
        """Run a command in it; mounts are its own and go with it."""
        script = (
            'mount -t proc proc "$1/proc" && mount --rbind /dev "$1/dev" && root=$1 && shift && '
            "exec chroot $root /usr/bin/env -i HOME=/root "
            'PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin LC_ALL=C.UTF-8 TOGYZ_LANGUAGE=en "$@"'
        )
        return subprocess.run(
            ["unshare", "--mount", "bash", "-c", script, "bash", str(self.path), *command],
            capture_output=True,
            check=False,
            text=True,
            stdin=subprocess.DEVNULL,
        )

    def do(self, *command: str) -> str:
        """Run a command that must succeed, and return all it said."""
        done = self.run(*command)
        said = done.stdout + done.stderr
        assert done.returncode == 0, said
        return said

    def listing(self) -> set[str]:
        """Return every path but those of `ASIDE`."""
        found = set()
        for folder, folders, files in os.walk(self.path):
            paths = {name: str((Path(folder) / name).relative_to(self.path)) for name in (*folders, *files)}
            folders[:] = [name for name in folders if name != "__pycache__" and paths[name] not in ASIDE]
            found |= {path for name, path in paths.items() if name != "__pycache__"}
        return found


def _bare_root(suite: str) -> Path:
    """Return a root of this release that nothing was put into; made once."""
    debootstrap = find_program("debootstrap")
    if debootstrap is None:
        pytest.skip("no debootstrap on this machine (apt-get install debootstrap)")
    if os.geteuid() != 0:
        pytest.skip("debootstrap and chroot need root")
    kept = CACHE / suite
    if not kept.exists():
        draft = CACHE / f"{suite}.new"
        shutil.rmtree(draft, ignore_errors=True)
        draft.mkdir(parents=True)
        made = subprocess.run(
            [debootstrap, "--variant=minbase", "--include=python3,systemd,udev", suite, draft],
            capture_output=True, check=False, text=True, stdin=subprocess.DEVNULL,
        )  # fmt: skip
        if made.returncode:
            pytest.skip(f"debootstrap could not make a root of {suite}: {made.stdout[-300:]}")
        draft.rename(kept)
    return kept


def _wheels(suite: str, folder: Path) -> None:
    """Fetch the wheels of the programs for this release's Python."""
    folder.mkdir()
    platforms = [f"--platform=manylinux{kind}_x86_64" for kind in ("2014", "_2_17", "_2_28", "_2_34")]
    fetched = subprocess.run(
        [
            *(sys.executable, "-m", "pip", "download", "--quiet", "--dest", str(folder)),
            *("--only-binary=:all:", f"--python-version={SUITES[suite]}", "--implementation=cp", *platforms),
            *("--no-deps", "--requirement", str(ROOT / "deploy/requirements/runtime.txt")),
        ],
        capture_output=True, check=False, text=True, stdin=subprocess.DEVNULL,
    )  # fmt: skip
    if fetched.returncode:
        pytest.skip(f"pip could not fetch the wheels for {suite}: {fetched.stderr[-300:]}")


@pytest.fixture(params=SUITES)
def chroots(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[tuple[Chroot, Chroot]]:
    """Two fresh roots of each release, with a checkout, wheels, and the network settings of this machine."""
    bare = _bare_root(request.param)
    roots = tmp_path / "root", tmp_path / "other"
    _wheels(request.param, tmp_path / "wheels")
    for root in roots:
        subprocess.run(["cp", "-a", str(bare), str(root)], check=True)
        for path in committed_files():
            (root / "src" / path.relative_to(ROOT)).parent.mkdir(parents=True, exist_ok=True)
            shutil.copy2(path, root / "src" / path.relative_to(ROOT))
        shutil.copytree(tmp_path / "wheels", root / "wheels")
        shutil.copy("/etc/resolv.conf", root / "etc/resolv.conf")
        for path in Path("/etc/apt/apt.conf.d").glob("*prox*"):
            shutil.copy(path, root / "etc/apt/apt.conf.d")
    yield Chroot(roots[0]), Chroot(roots[1])
    for root in roots:
        shutil.rmtree(root)


@pytest.mark.bench
@pytest.mark.timeout(900)
def test_a_real_root_gets_a_working_command_twice_and_is_left_as_it_was(
    chroots: tuple[Chroot, Chroot],
) -> None:
    """Install, the same again, the command, the units, uninstall: nothing is left but Debian's packages."""
    chroot, other = chroots
    first = chroot.do("/src/deploy/install.sh", "--wheels", "/wheels")
    assert "now     the programs in /opt/togyz (pins: none)" in first
    second = chroot.do("/src/deploy/install.sh", "--wheels", "/wheels")
    assert [line for line in second.splitlines() if "now  " in line] == []
    with (chroot.path / "src/rules/__init__.py").open("a", encoding="utf-8") as newer:
        newer.write("# a newer version\n")
    chroot.do("/src/deploy/install.sh", "--wheels", "/wheels")
    assert sorted(path.name for path in (chroot.path / "opt").iterdir()) == ["togyz", "togyz-b"]
    assert "togyz-bridge" in chroot.do("togyz", "--version")
    assert "613" in chroot.do("togyz", "perft", "3")
    assert chroot.do("id", "-nG", "togyz").split() == ["togyz", "dialout", "gpio"]
    assert chroot.run("systemctl", "is-enabled", "mosquitto").stdout == "disabled\n"
    units = [*(path.name for path in (ROOT / "systemd").glob("*.service")), "togyz-card.service"]
    verified = chroot.do("systemd-analyze", "verify", *(f"/etc/systemd/system/{name}" for name in units))
    assert verified == ""
    if "verify" in chroot.run("udevadm", "--help").stdout:  # from systemd 254 on
        chroot.do("udevadm", "verify", "/etc/udev/rules.d/70-togyz.rules")
    chroot.do("runuser", "-u", "togyz", "--", "togyz", "record", "--help")
    assert "kept" not in chroot.do("/usr/local/lib/togyz/install.sh", "--uninstall")

    # What Debian's packages leave behind is theirs: beside a root that has these and never had us.
    other.do("/src/deploy/setup.sh", "packages", "mosquitto", "python3-venv")
    assert sorted(chroot.listing() ^ other.listing()) == []
    for name in ("passwd", "group", "shadow", "gshadow"):
        ours, theirs = ((each.path / "etc" / name).read_text("utf-8") for each in (chroot, other))
        assert [line.split(":")[0] for line in ours.splitlines()] == [
            line.split(":")[0] for line in theirs.splitlines()
        ]
