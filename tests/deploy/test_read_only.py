"""deploy/read-only.sh and kiosk.sh with fakes of what they call."""

from __future__ import annotations

import os
import shutil
import socket
import subprocess
import sys
from pathlib import Path

import pytest

from tests.house.committed import ROOT

STATE = "/dev/sda1 ext4 rw,noatime"


class Pi:
    """A Raspberry Pi: what is mounted, and its raspi-config."""

    def __init__(self, folder: Path) -> None:
        self.root, self.bin = folder / "root", folder / "bin"
        (self.root / "boot/firmware").mkdir(parents=True)
        self.bin.mkdir()
        self.cmdline = self.root / "boot/firmware/cmdline.txt"
        self.cmdline.write_text("console=tty1 root=PARTUUID=1-02 rootwait\n")
        self.journald = self.root / "etc/systemd/journald.conf.d/togyz.conf"
        self.mounted("ext4", STATE)
        self.fake("id", "echo 0")
        self.fake(
            "raspi-config",
            f"""[ "$1" = nonint ] || exit 1
            case $2 in
            enable_overlayfs) sed -i '1s/^/overlayroot=tmpfs /' {self.cmdline} ;;
            disable_overlayfs) sed -i 's/overlayroot=[^ ]* //' {self.cmdline} ;;
            *) exit 1 ;;
            esac""",
        )

    def mounted(self, system: str, state: str) -> None:
        """Say what / is, and what /var/lib/togyz is: source, type and options, or nothing."""
        source, kind, options = state.split() if state else ("", "", "")
        self.fake(
            "findmnt",
            f"""case "$*" in
            *' /') echo {system} ;;
            *SOURCE,FSTYPE*) echo '{source} {kind} {options}' ;;
            *FSTYPE*) echo {kind} ;;
            *) echo {options} ;;
            esac""",
        )

    def fake(self, name: str, script: str) -> None:
        """Put a program on the PATH."""
        (self.bin / name).write_text(f"#!/usr/bin/env bash\n{script}\n")
        (self.bin / name).chmod(0o755)

    def run(self, *words: str) -> tuple[int, str]:
        """Run the script."""
        done = subprocess.run(
            [str(ROOT / "deploy/read-only.sh"), *words, "--root", str(self.root)],
            env={"PATH": f"{self.bin}:{os.environ['PATH']}"},
            capture_output=True,
            check=False,
            text=True,
        )
        return done.returncode, done.stdout + done.stderr


@pytest.fixture
def pi(tmp_path: Path) -> Pi:
    """A machine with a partition for the games, its system still writable."""
    return Pi(tmp_path)


def test_the_overlay_leaves_the_games_out_and_the_log_goes_to_memory(pi: Pi) -> None:
    """Without recurse=0 it would take them in, and they would be gone at the next start."""
    code, said = pi.run("on")
    assert code == 0, said
    assert pi.cmdline.read_text().split()[0] == "overlayroot=tmpfs:recurse=0"
    assert "Storage=volatile" in pi.journald.read_text()
    pi.mounted("overlay", STATE)
    code, said = pi.run("status")
    assert (code, said.splitlines()) == (
        0,
        ["read-only: the system is read-only", f"read-only: games: {STATE}"],
    )
    assert pi.run("on")[0] == 0
    assert pi.cmdline.read_text().count("overlayroot") == 1


@pytest.mark.parametrize(
    ("state", "told"),
    [
        ("", "has no partition of its own"),
        ("tmpfs tmpfs rw", "lies in memory (tmpfs)"),
        ("/dev/sda1 vfat rw", "lies on vfat"),
        ("/dev/sda1 ext4 ro,noatime", "found damaged; sudo fsck -f LABEL=togyz-state"),
        ("/dev/sda1 ext4 rw,data=writeback", "mounted with data=writeback"),
    ],
)
def test_without_a_sound_place_for_the_games_nothing_is_switched(pi: Pi, state: str, told: str) -> None:
    """And the line for /etc/fstab is printed."""
    before = pi.cmdline.read_text()
    pi.mounted("ext4", state)
    code, said = pi.run("on")
    assert code == 1
    assert told in said
    assert "LABEL=togyz-state /var/lib/togyz ext4 noatime,data=ordered,nofail" in said
    assert (pi.cmdline.read_text(), pi.journald.exists()) == (before, False)


def test_an_overlay_that_somebody_switched_on_by_hand_is_found(pi: Pi) -> None:
    """raspi-config's menu says nothing of the games."""
    pi.cmdline.write_text("overlayroot=tmpfs console=tty1\n")
    pi.mounted("overlay", "overlay overlay rw")
    code, said = pi.run("status")
    assert (code, "without :recurse=0, so that the games would lie in memory too" in said) == (1, True)


def test_off_is_as_before(pi: Pi) -> None:
    """For an update, and for good."""
    before = pi.cmdline.read_text()
    pi.run("on")
    assert pi.run("off")[0] == 0
    assert (pi.cmdline.read_text(), pi.journald.exists()) == (before, False)


@pytest.mark.parametrize("words", [(), ("onn",), ("on", "off")])
def test_a_slip_of_the_pen_changes_nothing(pi: Pi, words: tuple[str, ...]) -> None:
    """Exit code 2, and the usage."""
    code, said = pi.run(*words)
    assert (code, "read-only.sh status" in said) == (2, True)


def test_the_kiosk_waits_for_the_boards_page_and_shows_it_alone(tmp_path: Path) -> None:
    """Where the board's file says that it is; what the browser writes goes to memory."""
    with socket.create_server(("127.0.0.1", 0)) as page:
        port = page.getsockname()[1]
        config = (ROOT / "deploy/examples/board.toml").read_text("utf-8").replace("8081", str(port))
        (tmp_path / "board-1.toml").write_text(config, encoding="utf-8")
        fakes = tmp_path / "bin"
        fakes.mkdir()
        for name in ("cage", "chromium"):
            (fakes / name).write_text('#!/usr/bin/env bash\necho "$*"\n')
            (fakes / name).chmod(0o755)
        done = subprocess.run(
            [str(ROOT / "deploy/kiosk/kiosk.sh"), "board-1"],
            env={
                "PATH": f"{fakes}:{os.environ['PATH']}",
                "PYTHON": sys.executable,
                "PYTHONPATH": str(ROOT),
                "TOGYZ_BOARDS": str(tmp_path),
                "RUNTIME_DIRECTORY": str(tmp_path / "run"),
            },
            capture_output=True,
            check=True,
            text=True,
        )
    words = done.stdout.split()
    assert words[-1] == f"http://127.0.0.1:{port}/"
    assert f"--user-data-dir={tmp_path}/run/chromium" in words
    assert {"--kiosk", "--ozone-platform=wayland"} <= set(words)
    assert (
        words[words.index("--") + 1] == str(fakes / "chromium") or words[words.index("--") + 1] == "chromium"
    )


def test_a_kiosk_without_a_browser_says_what_to_install(tmp_path: Path) -> None:
    """And does not wait for a page that it could not show."""
    bash = shutil.which("bash") or "bash"
    done = subprocess.run(
        [bash, str(ROOT / "deploy/kiosk/kiosk.sh"), "http://127.0.0.1:1/"],
        env={"PATH": str(tmp_path)},
        capture_output=True,
        check=False,
        text=True,
    )
    assert (done.returncode, done.stderr) == (
        1,
        "togyz-kiosk: no cage here; type: sudo apt-get install cage chromium\n",
    )
