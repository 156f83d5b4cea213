"""The services of `systemd/`: whether systemd takes them as they are, and how far they are shut in."""

from __future__ import annotations

import json
import re
import subprocess
from pathlib import Path
from typing import Final

import pytest

from firmware_bridge.cli import app
from firmware_bridge.commands.common import EXIT_UNUSABLE
from tests.machine import ROOT

UNITS: Final = ROOT / "systemd"
SERVICES: Final = sorted(path.name for path in UNITS.glob("*.service"))
OURS: Final = [name for name in SERVICES if "kiosk" not in name]
"""A browser needs a screen, a keyboard and pages of memory it may write and run; all others are shut in."""

WORST: Final = 2.5
"""The most exposed that a service of ours may be by the measure of `systemd-analyze security`."""

COMMAND: Final = "/usr/local/bin/togyz"


def settings(name: str) -> dict[str, list[str]]:
    """Return what a unit sets, each name with its values in order."""
    found: dict[str, list[str]] = {}
    for line in (UNITS / name).read_text("utf-8").splitlines():
        key, equals, value = line.partition("=")
        if equals and not line.startswith("#"):
            found.setdefault(key, []).append(value)
    return found


@pytest.fixture(scope="session")
def installed(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The units as they lie in a system, but for the programs, which are not there: each is one that is."""
    folder = tmp_path_factory.mktemp("units")
    for path in (*UNITS.glob("*.service"), *UNITS.glob("*.target")):
        text = re.sub(r"(?m)^(Exec\w+=[-+!@:]*)/\S+", r"\1/bin/true", path.read_text("utf-8"))
        (folder / path.name).write_text(text, encoding="utf-8")
    return folder


def analyze(*words: str) -> subprocess.CompletedProcess[str]:
    """Run systemd-analyze."""
    return subprocess.run(
        ["systemd-analyze", "--no-pager", *words], check=False, capture_output=True, text=True, timeout=60
    )


@pytest.mark.systemd
def test_systemd_finds_nothing_to_say_about_the_units(installed: Path) -> None:
    """No unknown name, no bad value, no cycle; a template is judged as the unit of one board."""
    names = [name.replace("@.", "@b1.") for name in (*SERVICES, "togyz.target", "togyz-boards.target")]
    found = analyze("verify", "--man=no", *(str(installed / name) for name in names))
    assert (found.returncode, found.stdout, found.stderr) == (0, "", "")


@pytest.mark.systemd
@pytest.mark.parametrize("name", OURS)
def test_a_service_is_shut_in(installed: Path, name: str) -> None:
    """By systemd's own measure, from 0, shut in, to 10."""
    found = analyze(
        "security",
        "--offline=true",
        f"--threshold={round(WORST * 10)}",
        "--json=short",
        str(installed / name),
    )
    facts = json.loads(found.stdout)
    assert found.returncode == 0, [fact for fact in facts if float(fact["exposure"] or 0) >= 0.2]


@pytest.mark.systemd
def test_the_user_and_the_folders_are_made_as_they_are_written_down(tmp_path: Path) -> None:
    """Whoever runs the boards reaches serial lines and pins, and alone reads the keys."""
    lines = (UNITS / "sysusers.d" / "togyz.conf").read_text("utf-8")
    done = subprocess.run(
        ["systemd-sysusers", "--dry-run", f"--root={tmp_path}", "-"],
        input=lines,
        check=True,
        capture_output=True,
        text=True,
    )
    made = set(re.findall(r"Creating (\w+ '\w+')", done.stdout + done.stderr))
    assert made == {"group 'dialout'", "group 'gpio'", "group 'togyz'", "user 'togyz'"}
    folders = [
        line.split() for line in (UNITS / "tmpfiles.d" / "togyz.conf").read_text("utf-8").splitlines()[1:]
    ]
    assert ["d", "/etc/togyz/keys", "0700", "togyz", "togyz"] in folders
    assert {kind for kind, *_ in folders} == {"d"}


@pytest.mark.parametrize("name", OURS)
def test_a_service_is_started_again_but_not_with_a_configuration_that_cannot_be_used(name: str) -> None:
    """Exit code 2 says so (`EXIT_UNUSABLE`), and what fails for another reason does not go on for ever."""
    found = settings(name)
    assert found["Restart"] == ["always"]
    assert found["RestartPreventExitStatus"] == [str(EXIT_UNUSABLE)]
    assert (found["StartLimitIntervalSec"], found["StartLimitBurst"]) == (["15min"], ["30"])
    # A program that ends as soon as it is started is given up within that time.
    assert int(found["StartLimitBurst"][0]) * (int(found["RestartSec"][0]) + 10) < 15 * 60


@pytest.mark.parametrize("name", OURS)
def test_a_service_tells_how_it_stands_and_is_killed_when_it_hangs(name: str) -> None:
    """By itself alone: no child speaks for it."""
    found = settings(name)
    assert (found["Type"], found["NotifyAccess"]) == (["notify"], ["main"])
    assert float(found["WatchdogSec"][0]) >= 20
    assert found["KillMode"] == ["mixed"]


@pytest.mark.parametrize("name", OURS)
def test_a_service_runs_a_command_that_there_is(name: str) -> None:
    """With the configuration of its instance, or the hall's."""
    program, command, config = settings(name)["ExecStart"][0].split()
    assert program == COMMAND
    assert command in {each.name for each in app.registered_commands}
    assert config == ("/etc/togyz/boards/%i.toml" if "@" in name else "/etc/togyz/hall.toml")


def test_a_board_waits_neither_for_the_network_nor_for_its_device() -> None:
    """It plays without the one and is commanded without the other; a pulled cable must not end it."""
    found = settings("togyz-board@.service")
    order = " ".join(
        value for key in ("After", "Requires", "BindsTo", "Wants") for value in found.get(key, [])
    )
    assert sorted(order.split()) == [
        "togyz-broker.service",
        "togyz-pins@%i.service",
        "togyz-table@%i.service",
    ]
    assert "network" not in order


def test_a_board_comes_before_what_is_only_looked_at() -> None:
    """While the clocks run a page may wait, and where memory ends it is not the board that is killed."""

    def share(name: str, key: str) -> int:
        return int(settings(name).get(key, ["100" if "Weight" in key else "0"])[0])

    for name in set(SERVICES) - {"togyz-board@.service", "togyz-pins@.service"}:
        for weight in ("CPUWeight", "IOWeight"):
            assert share(name, weight) < share("togyz-board@.service", weight)
        assert share(name, "OOMScoreAdjust") > share("togyz-board@.service", "OOMScoreAdjust")


def test_a_browser_reaches_neither_keys_nor_games() -> None:
    """It runs as the boards' user, to read which page it shows; its memory ends before theirs does."""
    found = settings("togyz-kiosk@.service")
    assert {path.lstrip("-") for path in found["InaccessiblePaths"][0].split()} == {
        "/etc/togyz/keys",
        "/var/lib/togyz",
        "/run/togyz",
    }
    assert found["MemoryMax"] != []


def test_all_of_us_share_what_they_talk_through() -> None:
    """One user and one state directory: a board's socket may be opened by its own user alone."""
    shared = ("User", "Group", "StateDirectory", "RuntimeDirectoryPreserve", "UMask", "SystemCallFilter")
    (once,) = {tuple(tuple(settings(name)[key]) for key in shared) for name in OURS}
    assert once[:3] == (("togyz",), ("togyz",), ("togyz",))
