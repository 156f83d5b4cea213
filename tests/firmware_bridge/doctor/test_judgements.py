"""Judgements that need facts which no test machine has: rights, names, modems, other models."""

from __future__ import annotations

import json
from dataclasses import fields, replace
from pathlib import Path
from typing import Any

import pytest

from firmware_bridge.doctor.buttons import judge_buttons
from firmware_bridge.doctor.device import DeviceFacts, Pushed
from firmware_bridge.doctor.findings import CODES, Check, Finding, Severity, found, healthy, sorted_findings
from firmware_bridge.doctor.looking.pins import look_at_pins
from firmware_bridge.doctor.looking.port import _holders, _modem_manager
from firmware_bridge.doctor.looking.system import System
from firmware_bridge.doctor.machine import MachineFacts, judge_machine, judge_packages
from firmware_bridge.doctor.network import BrokerFacts, HallFacts, Us, judge_broker, judge_hall
from firmware_bridge.doctor.pins import PinsFacts, judge_pins
from firmware_bridge.doctor.port import PortFacts, judge_port
from firmware_bridge.doctor.services import DisplayFacts, judge_display
from firmware_bridge.doctor.storage import DiskFacts, JournalFacts, judge_disk, judge_journal
from firmware_bridge.pins.header_device import HeaderDevice, HeaderSettings
from firmware_bridge.pins.report import file_of, report
from firmware_bridge.wire.version import CONTRACT_VERSION, SOFTWARE
from sensors.frames import Hello
from sensors.hx711_bus import Bus
from tests.sensors.converters import Converter, ConverterWorld

HELLO = Hello(1, 1, 0b111, 1, 1, 0, 1, 8000, 20, 3, 5, "board-1", "f")
US = Us(board="board-1", event="cup", running=True)


def codes(findings: Any) -> list[str]:
    """Return the codes of findings."""
    return [each.code for each in findings]


PORT = PortFacts(path="/dev/ttyACM0", kind="terminal", stable="/dev/serial/by-id/usb-x")


@pytest.mark.parametrize(
    ("facts", "due"),
    [
        (replace(PORT, path="/dev/serial/by-id/usb-x"), []),
        (PORT, ["port_unstable"]),
        (replace(PORT, path="/dev/ttyUSB12"), ["port_unstable"]),
        (replace(PORT, path="/dev/togyz-1", may_open=False), ["port_no_permission"]),
        (replace(PORT, path="/dev/togyz-1", locked=True), ["port_busy"]),
        (replace(PORT, path="/dev/togyz-1", locked=True, board=True), []),
        (replace(PORT, path="/dev/togyz-1", modem_manager=True), ["port_modem_manager"]),
    ],
)
def test_a_port_is_judged_by_its_name_its_rights_and_who_has_it(facts: PortFacts, due: list[str]) -> None:
    """A board of ours that has it is no stranger."""
    assert codes(judge_port(facts)) == due


def test_a_modem_manager_that_is_told_to_leave_the_port_alone_is_none(tmp_path: Path) -> None:
    """By udev's rule; and where none runs nothing has to be told."""
    system = System(proc=tmp_path / "proc", run=tmp_path / "run")
    for number, name in ((7, "init"), (8, "ModemManager")):
        (tmp_path / "proc" / str(number)).mkdir(parents=True)
        (tmp_path / "proc" / str(number) / "comm").write_text(f"{name}\n", encoding="utf-8")
    device = 166 << 8
    assert _modem_manager(Path("/dev/ttyACM0"), device, system)
    assert not _modem_manager(Path("/dev/pts/3"), device, system)
    (tmp_path / "run/udev/data").mkdir(parents=True)
    (tmp_path / "run/udev/data/c166:0").write_text("E:ID_MM_DEVICE_IGNORE=1\n", encoding="utf-8")
    assert not _modem_manager(Path("/dev/ttyACM0"), device, system)


def test_a_button_that_stays_down_is_stuck_where_the_device_tells_of_releases() -> None:
    """One that reports no release says nothing about it."""
    down = Pushed(button=1, down=True, at_us=1_000_000)
    other = (Pushed(button=0, down=True, at_us=2_000_000), Pushed(button=0, down=False, at_us=2_100_000))
    facts = DeviceFacts(path="p", seconds=6, hello=HELLO, pushed=(down, *other), until_us=6_000_000)
    assert codes(judge_buttons(facts, {1: "button_b"})) == ["button_stuck"]
    assert codes(judge_buttons(replace(facts, pushed=(down,)), {})) == []
    assert codes(judge_buttons(replace(facts, watched=False), {})) == []


@pytest.mark.parametrize(
    ("facts", "due"),
    [
        (MachineFacts(throttled=0x1), ["machine_undervoltage"]),
        (MachineFacts(throttled=0x80000), ["machine_throttled_before"]),
        (MachineFacts(celsius=81.2), ["machine_hot"]),
        (MachineFacts(load=9.0, cores=4), ["machine_busy"]),
        (MachineFacts(available_mb=20), ["machine_memory"]),
        (MachineFacts(load=1.0, cores=4, celsius=50, available_mb=900), []),
    ],
)
def test_a_machine_is_judged_by_what_it_says(facts: MachineFacts, due: list[str]) -> None:
    """What it does not say accuses nobody."""
    assert codes(judge_machine(facts)) == due


def test_rpi_gpio_is_told_where_it_cannot_work() -> None:
    """On a Pi 5 alone, where its registers are elsewhere (gpiozero#1172)."""
    facts = MachineFacts(packages=frozenset({"rpi-gpio"}))
    for model in ("Raspberry Pi 5 Model B Rev 1.0", "Raspberry Pi Compute Module 5", "Raspberry Pi 500"):
        assert codes(judge_packages(replace(facts, model=model))) == ["packages_pi5_gpio"]
    assert codes(judge_packages(replace(facts, model="Raspberry Pi 4 Model B"))) == []


@pytest.mark.parametrize(
    ("facts", "due"),
    [
        (BrokerFacts(outcome="none", missing="mosquitto"), ["broker_not_installed"]),
        (BrokerFacts(outcome="refused", where="h:1", why="x"), ["broker_refused"]),
        (BrokerFacts(where="h:1", hears=False, hears_topic="t"), ["broker_no_subscribe"]),
        (BrokerFacts(where="h:1", online=True), []),
    ],
)
def test_a_broker_is_judged_by_its_answers(facts: BrokerFacts, due: list[str]) -> None:
    """A board that is online there and runs here is this one."""
    assert codes(judge_broker(facts, US)) == due


def test_a_board_that_is_online_and_does_not_run_here_is_elsewhere() -> None:
    """Two boards of one name throw each other out."""
    facts = BrokerFacts(where="h:1", online=True)
    assert codes(judge_broker(facts, replace(US, running=False))) == ["broker_board_elsewhere"]


def test_a_hall_that_knows_nothing_of_a_running_board_is_told() -> None:
    """It uses another broker."""
    hall = HallFacts(
        where="h:1", event="cup", contract=CONTRACT_VERSION, software=SOFTWARE, boards=("board-2",)
    )
    assert codes(judge_hall([hall], US)) == ["hall_misses_board"]
    assert codes(judge_hall([], US)) == ["hall_none"]


def test_a_disk_that_forgets_or_is_slow_is_told() -> None:
    """A root that is an overlay in memory looks like any other."""
    disk = DiskFacts(path="/s", free_mb=9000)
    assert codes(judge_disk(replace(disk, overlay_in_memory=True, kind="overlay"))) == ["disk_not_kept"]
    assert codes(judge_disk(replace(disk, fsync_ms=900.0))) == ["disk_slow"]
    assert codes(judge_disk(replace(disk, why="eacces"))) == ["disk_not_writable"]
    assert codes(judge_disk(disk)) == []


def test_a_journal_that_a_board_is_writing_is_not_called_torn() -> None:
    """It may stand half written at that very moment."""
    torn = JournalFacts(path="j", state="torn", torn_bytes=9)
    assert codes(judge_journal(torn)) == ["journal_torn"]
    assert codes(judge_journal(replace(torn, held=True))) == []
    assert codes(judge_journal(replace(torn, state="unreadable", why="eacces"))) == ["journal_unreadable"]


def test_a_kiosk_without_a_browser_is_told() -> None:
    """A unit that is there needs one."""
    facts = DisplayFacts(where="h:1", kiosk="togyz-kiosk@one.service", browser=False)
    assert codes(judge_display(facts)) == ["display_no_browser"]


def test_the_gravest_is_told_first_and_only_faults_are_ill_health() -> None:
    """Then in the order of the checks."""
    note, warning = found("buttons_never_pressed"), found("clock_unsynchronised")
    late, early = found("machine_undervoltage", bits="0x1"), found("port_no_serial", path="p", why="w")
    assert sorted_findings([note, late, warning, early]) == [early, late, warning, note]
    assert healthy([note, warning])
    assert not healthy([note, late])


def test_every_code_is_described_and_every_check_has_codes() -> None:
    """What is promised to programs stands in DOCTOR.md, with its severity and its values."""
    page = (Path(found.__code__.co_filename).parent / "DOCTOR.md").read_text(encoding="utf-8")
    rows = dict(line.strip("| ").split(" | ", 1) for line in page.splitlines() if line.startswith("| `"))
    for code, kind in CODES.items():
        values = ", ".join(f"`{name}`" for name in kind.values) or "—"
        assert rows[f"`{code}`"] == f"{kind.check.value} | {kind.severity.value} | {values}", code
    assert {kind.check for kind in CODES.values()} == set(Check)
    assert {kind.severity for kind in CODES.values()} == set(Severity)
    assert [each.name for each in fields(Finding)] == ["code", "values"]


def test_a_terminal_of_the_same_name_in_a_container_is_not_this_port(tmp_path: Path) -> None:
    """Its processes are seen from here, and their /dev/pts/5 is another one."""
    target, other = tmp_path / "tty", tmp_path / "other"
    target.touch()
    other.touch()
    (tmp_path / "proc/123/fd").mkdir(parents=True)
    (tmp_path / "proc/123/comm").write_text("cat\n", encoding="utf-8")
    (tmp_path / "proc/123/fd/3").symlink_to(target)
    system = System(proc=tmp_path / "proc")
    assert _holders(target, target.stat(), system) == ["cat (123)"]
    assert _holders(target, other.stat(), system) == []


PINS = PinsFacts(path="run/board.pins/report.json", library="LGPIOFactory")


@pytest.mark.parametrize(
    ("facts", "due"),
    [
        (PINS, []),
        (replace(PINS, there=False), ["pins_not_running"]),
        (replace(PINS, discarded=0.005, longest_us=71), []),
        (replace(PINS, discarded=0.03, longest_us=71), ["pins_slow"]),
        (replace(PINS, discarded=0.06, longest_us=180), ["pins_too_slow"]),
        (replace(PINS, library="RPiGPIOFactory", unwatched=(5, 6)), ["pins_unwatched"]),
    ],
)
def test_header_pins_are_judged_by_their_report(facts: PinsFacts, due: list[str]) -> None:
    """One discarded reading in a hundred hurts nobody."""
    assert codes(judge_pins(facts)) == due


def test_the_report_of_header_pins_is_read_where_they_write_it(tmp_path: Path) -> None:
    """What is damaged, or of a newer program, is none."""
    port = tmp_path / "board"
    settings = HeaderSettings(board_id="b", firmware="f", cells=1)
    bus = Bus(ConverterWorld([Converter()]), 1, 80)
    bus.counters.longest_high_ns, bus.counters.longest_read_ns = 71_234, 1_260_000
    said = report(HeaderDevice(settings, 5, bus), settings, bus, 1_000_000, library="L", unwatched=[5])
    path = Path(file_of(port))
    assert not look_at_pins(port).there
    path.parent.mkdir()
    path.write_text(json.dumps(said), encoding="utf-8")
    due = PinsFacts(path=str(path), library="L", unwatched=(5,), longest_us=71, read_ms=1.3)
    assert look_at_pins(port) == due
    for damaged in ("{", "[]", json.dumps({**said, "form": 2}), json.dumps({**said, "unwatched": None})):
        path.write_text(damaged, encoding="utf-8")
        assert not look_at_pins(port).there
