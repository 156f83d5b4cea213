"""The services run by a real systemd: seccomp, devices, users, watchdogs and restarts are its own."""

from __future__ import annotations

import json
import signal
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.house.booted import BootedMachine, why_not

pytestmark = [pytest.mark.bench, pytest.mark.systemd]

BOARD = """\
[board]
id = "{name}"
event = "test"
state_dir = "/var/lib/togyz"
language = "en"
[device]
port = "/run/togyz/{name}.tty"
[calibration]
file = "/var/lib/togyz/{name}.json"
[table]
port = {port}
[emulator]
hands = "told"
profile = "clean"
samples_per_second = 10
"""


@pytest.fixture(scope="module")
def machine(tmp_path_factory: pytest.TempPathFactory) -> Iterator[BootedMachine]:
    """Broker, hall and two boards, of which only the first has a device."""
    if reason := why_not():
        pytest.skip(reason)
    with BootedMachine(tmp_path_factory.mktemp("machine")) as booted:
        etc = booted.root / "etc/togyz"
        for port, name in ((8081, "b1"), (8082, "b2")):
            text = BOARD.format(name=name, port=port)
            (etc / "boards" / f"{name}.toml").write_text(text, encoding="utf-8")
        (etc / "hall.toml").write_text(BOARD.format(name="hall", port=8083), encoding="utf-8")
        emulate = ("/usr/local/bin/togyz", "emulate", "/etc/togyz/boards/b1.toml")
        booted.run("systemd-run", "--unit=emulator", "--uid=togyz", *emulate)
        measured = booted.root / "var/lib/togyz/b1.json"
        booted.until("the calibration", measured.exists)
        other = json.dumps({**json.loads(measured.read_text("utf-8")), "board_id": "b2"})
        (booted.root / "var/lib/togyz/b2.json").write_text(other, encoding="utf-8")
        units = ("togyz-broker", "togyz-hall", "togyz-board@b1", "togyz-board@b2")
        started = booted.run("systemctl", "start", *units)
        assert started.returncode == 0, booted.run("journalctl", "--no-pager").stdout[-4000:]
        yield booted


def stands(machine: BootedMachine, unit: str, words: str) -> bool:
    """Whether a unit is active and says this of itself."""
    shown = machine.shown(unit)
    return shown["ActiveState"] == "active" and words in shown["StatusText"]


def test_all_of_them_run_shut_in_and_say_how_they_stand(machine: BootedMachine) -> None:
    """By seccomp, without a capability; a board without a device is ready all the same."""
    assert stands(machine, "togyz-broker", "mosquitto listens on 127.0.0.1:")
    assert stands(machine, "togyz-hall", "the pages are at http://127.0.0.1:8080")
    assert stands(machine, "togyz-table@b1", "the pages are at http://127.0.0.1:8081")
    assert stands(machine, "togyz-board@b1", "the device at /run/togyz/b1.tty is read")
    assert stands(machine, "togyz-board@b2", "degraded: no device at /run/togyz/b2.tty")
    for unit in ("togyz-broker", "togyz-hall", "togyz-table@b1", "togyz-board@b1"):
        status = (machine.root / f"proc/{machine.shown(unit)['MainPID']}/status").read_text("utf-8")
        found = dict(line.split(":\t", 1) for line in status.splitlines() if ":\t" in line)
        assert (found["Seccomp"], found["NoNewPrivs"], int(found["CapBnd"], 16)) == ("2", "1", 0)
        assert found["Uid"].split()[0] != "0"


@pytest.mark.parametrize(
    ("number", "within_s"), [(signal.SIGKILL, 30.0), (signal.SIGSTOP, 60.0)], ids=["killed", "hanging"]
)
def test_a_board_that_is_killed_or_hangs_is_started_again_and_goes_on(
    machine: BootedMachine, number: signal.Signals, within_s: float
) -> None:
    """Once, and it has its game again; its neighbour hears nothing of it."""
    journal: Path = machine.root / "var/lib/togyz/b1/journal.jsonl"
    before, restarts = journal.read_text("utf-8"), int(machine.shown("togyz-board@b1")["NRestarts"])
    neighbour = machine.shown("togyz-board@b2")["MainPID"]
    machine.kill("togyz-board@b1", number)

    def again() -> bool:
        shown = machine.shown("togyz-board@b1")
        return int(shown["NRestarts"]) == restarts + 1 and shown["ActiveState"] == "active"

    machine.until("it is started again", again, within_s)
    machine.until("it is read", lambda: stands(machine, "togyz-board@b1", "is read"))
    after = journal.read_text("utf-8")
    assert after.startswith(before)
    assert after.count('"game_assigned"') == 1
    assert machine.shown("togyz-board@b2")["MainPID"] == neighbour


def test_a_configuration_that_cannot_be_used_is_not_tried_again(machine: BootedMachine) -> None:
    """Its mistake stands in the log."""
    bad = machine.root / "etc/togyz/boards/bad.toml"
    bad.write_text(BOARD.format(name="bad", port=8084).replace("port =", "prot ="), encoding="utf-8")
    assert machine.run("systemctl", "start", "togyz-board@bad").returncode != 0
    shown = machine.shown("togyz-board@bad")
    assert (shown["ActiveState"], shown["NRestarts"], shown["ExecMainStatus"]) == ("failed", "0", "2")
    assert "device.prot" in machine.run("journalctl", "--no-pager", "-u", "togyz-board@bad").stdout


@pytest.mark.parametrize(
    ("target", "runs_on"), [("togyz-boards.target", True), ("togyz.target", False)], ids=["boards", "all"]
)
def test_a_target_ends_what_belongs_to_it_and_begins_it_again(
    machine: BootedMachine, target: str, *, runs_on: bool
) -> None:
    """Though nobody has started the target itself."""
    units = ("togyz-broker", "togyz-hall", "togyz-board@b1", "togyz-board@b2")
    machine.run("systemctl", "enable", *units)
    machine.run("systemctl", "stop", target)
    machine.until("the boards have ended", lambda: _all(machine, units[2:], "inactive"))
    machine.until("the rest", lambda: _all(machine, units[:2], "active" if runs_on else "inactive"))
    machine.run("systemctl", "start", target)
    machine.until("all are back", lambda: _all(machine, units, "active"))


def _all(machine: BootedMachine, units: tuple[str, ...], state: str) -> bool:
    return all(machine.shown(unit)["ActiveState"] == state for unit in units)
