"""deploy/card/card.sh: what a machine does at each start with the card of an event."""

from __future__ import annotations

import os
import subprocess
from pathlib import Path

import pytest

from tests.house.committed import ROOT


class Start:
    """A machine that starts: what `togyz card` says there, and notes of what was called."""

    def __init__(self, folder: Path) -> None:
        self.bin, self.log = folder / "bin", folder / "log"
        self.bin.mkdir()
        self.hosts = folder / "hosts"
        self.hosts.write_text("127.0.0.1\tlocalhost\n127.0.1.1\traspberrypi\n")
        self.togyz("echo board board-1; echo board board-2")
        self.fake("hostname", "echo raspberrypi")
        for name in ("hostnamectl", "systemctl"):
            self.fake(name, f'echo "{name} $*" >>{self.log}')

    def togyz(self, script: str) -> None:
        """Say what `togyz` does."""
        self.fake("togyz", f'echo "togyz $*" >>{self.log}\n{script}')

    def fake(self, name: str, script: str) -> None:
        """Put a program on the PATH."""
        (self.bin / name).write_text(f"#!/usr/bin/env bash\n{script}\n")
        (self.bin / name).chmod(0o755)

    def run(self) -> tuple[int, str, list[str]]:
        """Run the script; return its code, its words and what it called."""
        done = subprocess.run(
            [str(ROOT / "deploy/card/card.sh"), "/card"],
            env={"PATH": f"{self.bin}:{os.environ['PATH']}", "TOGYZ_HOSTS": str(self.hosts)},
            capture_output=True,
            check=False,
            text=True,
        )
        return done.returncode, done.stdout + done.stderr, self.log.read_text().splitlines()


@pytest.fixture
def start(tmp_path: Path) -> Start:
    """A machine that is two boards."""
    return Start(tmp_path)


def test_a_machine_takes_the_name_of_its_board_and_starts_all_of_them(start: Start) -> None:
    """Started and not enabled: in another machine the same card is another board."""
    code, said, called = start.run()
    assert (code, said) == (0, "togyz-card: this machine is board-1 board-2\n")
    assert called[0] == "togyz card /card --apply"
    assert called[1] == "hostnamectl set-hostname board-1"
    assert called[2].startswith(
        "systemctl start --no-block togyz-board@board-1.service togyz-table@board-1.service "
        "togyz-board@board-2.service togyz-table@board-2.service"
    )
    assert start.hosts.read_text() == "127.0.0.1\tlocalhost\n127.0.1.1\tboard-1\n"


def test_with_a_screen_it_shows_the_first_board(start: Start) -> None:
    """Where `install.sh --kiosk` has brought cage."""
    start.fake("cage", "true")
    assert start.run()[2][2].endswith(" togyz-kiosk@board-1.service")


def test_a_machine_that_is_no_board_says_so_and_is_looked_at_again(start: Start) -> None:
    """The unit tries again: a microcontroller may be plugged in later."""
    start.togyz("echo 'togyz: this machine is no board of /card/boards.csv' >&2; exit 1")
    code, said, called = start.run()
    assert code == 1
    assert "this machine is no board of /card/boards.csv" in said
    assert "looking again in 10 s" in said
    assert called == ["togyz card /card --apply"]
    unit = (ROOT / "deploy/card/togyz-card.service").read_text("utf-8")
    assert {"Restart=on-failure", "RestartSec=10", "StartLimitIntervalSec=0"} <= set(unit.splitlines())
    assert "StandardError=journal+console" in unit


@pytest.mark.systemd
def test_the_service_is_shut_in_and_systemd_takes_it_as_it_is(tmp_path: Path) -> None:
    """By the measure that holds for those of systemd/, though it runs as root: it writes others' files."""
    text = (ROOT / "deploy/card/togyz-card.service").read_text("utf-8")
    unit = tmp_path / "togyz-card.service"
    unit.write_text(text.replace("/usr/local/lib/togyz/card.sh", "/bin/true"), encoding="utf-8")
    for words in (("verify", "--man=no"), ("security", "--offline=true", "--threshold=25")):
        found = subprocess.run(
            ["systemd-analyze", *words, str(unit)], capture_output=True, check=False, text=True
        )
        assert found.returncode == 0, found.stdout + found.stderr
        assert words[0] == "security" or found.stderr == ""
