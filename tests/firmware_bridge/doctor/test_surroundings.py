"""Faults around a board, injected in the real world where that can be done: each is named and no other."""

from __future__ import annotations

import http.server
import json
import os
import subprocess
import threading
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from firmware_bridge.board.memory.journal import _encode
from firmware_bridge.board.memory.rows import DeviceTime, Record
from firmware_bridge.discovery.notices import HallNotice
from firmware_bridge.doctor.findings import Check
from firmware_bridge.doctor.looking import machine as looking_machine
from firmware_bridge.doctor.looking.storage import look_at_journal
from firmware_bridge.wire.broker_files import free_port
from firmware_bridge.wire.version import CONTRACT_VERSION, SOFTWARE
from tests.firmware_bridge.doctor.brokers import strict_mosquitto, table
from tests.firmware_bridge.doctor.patient import NOW_MS, Patient, accused

JOURNAL = Path("state/board-1/journal.jsonl")


def programs(folder: Path, monkeypatch: pytest.MonkeyPatch, **said: str) -> None:
    """Put programs of the machine at the front of the path, each of which prints something."""
    for name, text in said.items():
        program = folder / name
        program.write_text(f"#!/bin/sh\ncat <<'END'\n{text}\nEND\n", encoding="utf-8")
        program.chmod(0o755)
    monkeypatch.setenv("PATH", f"{folder}{os.pathsep}{os.environ['PATH']}")


# --- broker ---------------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def broker(mosquitto: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[int]:
    """The port of a broker that knows one user."""
    with strict_mosquitto(mosquitto, tmp_path_factory.mktemp("broker")) as port:
        yield port


@pytest.mark.mosquitto
def test_a_broker_that_takes_everything_is_accused_of_nothing(tmp_path: Path, broker: int) -> None:
    """And what the doctor says there is neither kept nor a sign of life of the board."""
    assert accused(Patient(tmp_path, table(broker)).findings(Check.BROKER)) == {}


@pytest.mark.mosquitto
def test_a_refused_password_is_named(tmp_path: Path, broker: int) -> None:
    """With the user it was for."""
    found = accused(Patient(tmp_path, table(broker, "wrong")).findings(Check.BROKER))
    assert found == {"broker_credentials": {"where": f"127.0.0.1:{broker}", "user": "board"}}


@pytest.mark.mosquitto
def test_a_right_that_lacks_is_named(tmp_path: Path, broker: int) -> None:
    """The broker lets the user in, and drops what he says as another board."""
    patient = Patient(tmp_path, table(broker))
    (tmp_path / "state").mkdir()
    config = patient.config()
    other = config.model_copy(update={"board": config.board.model_copy(update={"id": "board-2"})})
    patient.config = lambda: other  # type: ignore[method-assign] # the same file, another board
    found = accused(patient.findings(Check.BROKER))
    assert found.keys() == {"broker_no_publish"}
    assert found["broker_no_publish"]["topic"] == "tk/1/cup/board/board-2/diag"


def test_a_broker_that_is_not_there_is_named(tmp_path: Path) -> None:
    """With what the system says, as a code."""
    port = free_port()
    found = accused(Patient(tmp_path, table(port)).findings(Check.BROKER))
    assert found == {"broker_unreachable": {"where": f"127.0.0.1:{port}", "why": "econnrefused"}}


def test_what_is_no_broker_is_named(tmp_path: Path) -> None:
    """A web server on the port of the broker."""
    with web({}) as port:
        found = accused(Patient(tmp_path, table(port)).findings(Check.BROKER))
    assert found.keys() == {"broker_no_mqtt"}


def test_a_broker_of_our_own_that_does_not_run_is_no_fault(tmp_path: Path) -> None:
    """The first program that starts runs it."""
    assert [each.code for each in Patient(tmp_path).findings(Check.BROKER)] == ["broker_not_running"]


# --- hall -----------------------------------------------------------------------------------------


@contextmanager
def web(answers: Mapping[str, Any]) -> Iterator[int]:
    """Serve these answers as JSON, and give the port."""

    class Answering(http.server.BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            found = answers.get(self.path)
            self.send_response(404 if found is None else 200)
            self.end_headers()
            self.wfile.write(json.dumps(found).encode())

        def log_message(self, *_: object) -> None:
            """Say nothing."""

    server = http.server.HTTPServer(("127.0.0.1", 0), Answering)
    serving = threading.Thread(target=server.serve_forever, args=(0.02,))
    serving.start()
    try:
        yield server.server_address[1]
    finally:
        server.shutdown()
        serving.join()
        server.server_close()


def hall_says(
    event: str = "cup", contract: str = CONTRACT_VERSION, software: str = SOFTWARE
) -> dict[str, Any]:
    """Return what a hall answers that knows no board."""
    return {
        "/api/boards": {"event": event, "boards": []},
        "/contract/": {"version": contract, "software": software, "documents": []},
    }


def hall_table(port: int) -> str:
    """Return the `[hall]` of a configuration."""
    return f'[hall]\nhost = "127.0.0.1"\nport = {port}\n'


@pytest.mark.parametrize(
    ("said", "due"),
    [
        (hall_says(), {}),
        (hall_says(event="open"), {"hall_other_event": "open"}),
        (hall_says(contract="2.0.0"), {"hall_other_contract": "2.0.0"}),
        (hall_says(contract="1.99.0"), {"hall_other_minor": "1.99.0"}),
        (hall_says(software="togyz-bridge 0.0.9"), {"hall_other_software": "togyz-bridge 0.0.9"}),
    ],
)
def test_a_hall_of_another_event_or_version_is_named(
    said: dict[str, Any], due: dict[str, str], tmp_path: Path
) -> None:
    """One that is as it should be is not."""
    with web(said) as port:
        found = accused(Patient(tmp_path, hall_table(port)).findings(Check.HALL))
    assert {code: values["theirs"] for code, values in found.items()} == due


def test_a_hall_that_is_not_there_is_a_warning(tmp_path: Path) -> None:
    """A board plays without one."""
    found = accused(Patient(tmp_path, hall_table(free_port())).findings(Check.HALL))
    assert found.keys() == {"hall_silent"}
    assert found["hall_silent"]["why"] == "econnrefused"


NOTICE = HallNotice(
    name="cup on x", event="cup", contract="1.3.0", software=SOFTWARE, host="192.0.2.7", port=1,
    broker_host="192.0.2.7", broker_port=1,
)  # fmt: skip


def test_two_halls_of_one_event_are_named(tmp_path: Path) -> None:
    """A board cannot know which is its own."""
    with web(hall_says()) as one, web(hall_says()) as other:
        halls = tuple(
            replace(NOTICE, host="127.0.0.1", port=port, broker_host="127.0.0.1", broker_port=port)
            for port in (one, other)
        )
        found = accused(Patient(tmp_path, halls=halls).findings(Check.HALL))
    assert found.keys() == {"hall_several"}


def test_the_hall_of_another_event_in_the_house_is_no_fault_of_this_board(tmp_path: Path) -> None:
    """It is not asked anything either."""
    heard = (replace(NOTICE, event="open"),)
    found = Patient(tmp_path, halls=heard).findings(Check.HALL)
    assert [each.code for each in found] == ["hall_none"]


def test_a_board_that_looks_for_its_hall_and_hears_another_is_told_which(tmp_path: Path) -> None:
    """It follows none."""
    auto = '[broker]\nhost = "auto"\n'
    with web(hall_says(event="open")) as port:
        heard = (replace(NOTICE, event="open", host="127.0.0.1", port=port),)
        found = accused(Patient(tmp_path, auto, halls=heard).findings(Check.BROKER))
    assert found == {"broker_not_found": {"event": "cup", "heard": "open"}}


# --- disk and journal -----------------------------------------------------------------------------


@contextmanager
def small_disk(folder: Path, options: str) -> Iterator[None]:
    """Mount a small file system; skipped where that is not allowed."""
    folder.mkdir(parents=True)
    command = ["mount", "-t", "tmpfs", "-o", options, "tmpfs", str(folder)]
    if os.geteuid() or subprocess.run(command, capture_output=True, check=False).returncode:
        pytest.skip("nothing can be mounted here")
    try:
        yield
    finally:
        subprocess.run(["umount", str(folder)], check=True)


def test_a_full_disk_is_named(tmp_path: Path) -> None:
    """And that this one forgets everything with the power."""
    with small_disk(tmp_path / "state", "size=256k"):
        (tmp_path / "state" / "old").write_bytes(bytes(200_000))
        found = accused(Patient(tmp_path).findings(Check.DISK))
    assert found.keys() == {"disk_full", "disk_not_kept"}
    assert found["disk_full"]["free_mb"] == 0
    assert found["disk_not_kept"]["kind"] == "tmpfs"


def test_a_disk_that_can_only_be_read_is_named(tmp_path: Path) -> None:
    """As a dying card becomes."""
    with small_disk(tmp_path / "state", "size=64m,ro"):
        found = accused(Patient(tmp_path).findings(Check.DISK))
    assert found.keys() == {"disk_read_only", "disk_not_kept"}


@pytest.mark.parametrize(
    ("free", "files", "due"),
    [
        (10_000_000, 9, "disk_full"),
        (100_000_000, 999, "disk_low"),
        (10**9, 3, "disk_no_inodes"),
        (10**9, 999, None),
    ],
)
def test_a_disk_that_fills_is_told_in_time(free: int, files: int, due: str | None, tmp_path: Path) -> None:
    """Before there is no room at all; numbers as the system gives them."""
    about = os.statvfs_result((4096, 1, 10**9, free, free, 10**6, files, files, 0, 255))
    found = accused(Patient(tmp_path, room=lambda _folder: about).findings(Check.DISK))
    assert found.keys() == ({due} if due else set())


def written(folder: Path, *lines: bytes) -> None:
    """Write a journal."""
    path = folder / JOURNAL
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(b"".join(lines))


def record(number: int, prev: str, wall_ms: int, boot: int = 1) -> tuple[bytes, str]:
    """Return a record as the journal writes it, and its hash."""
    return _encode(Record(number, 1, wall_ms, DeviceTime(boot, 0), {"kind": "host_started"}, ""), prev)


FIRST, DIGEST = record(1, "0" * 64, NOW_MS - 1000)


def test_a_torn_journal_is_named_and_left_as_it_is(tmp_path: Path) -> None:
    """The board itself cuts it off when it starts."""
    written(tmp_path, FIRST, FIRST[:20])
    found = accused(Patient(tmp_path).findings(Check.DISK))
    assert found == {"journal_torn": {"path": str(tmp_path / JOURNAL), "bytes": 20}}
    assert (tmp_path / JOURNAL).read_bytes() == FIRST + FIRST[:20]


def test_a_damaged_journal_is_named(tmp_path: Path) -> None:
    """With the number of the record."""
    second, _ = record(2, DIGEST, NOW_MS)
    written(tmp_path, FIRST, second.replace(b"host_started", b"host_stapled"), b"\n")
    found = accused(Patient(tmp_path).findings(Check.DISK))
    assert found == {"journal_damaged": {"path": str(tmp_path / JOURNAL), "record": 2}}


def test_a_device_that_restarts_all_day_is_named_by_the_journal(tmp_path: Path) -> None:
    """Which remembers each of its starts."""
    lines, prev = [], "0" * 64
    for number in range(1, 8):
        line, prev = record(number, prev, NOW_MS - 1000, boot=number)
        lines.append(line)
    written(tmp_path, *lines)
    assert look_at_journal(tmp_path / JOURNAL, NOW_MS, held=False).restarts == 6
    found = accused(Patient(tmp_path).findings(Check.DEVICE))
    assert found["device_restarts"] == {"times": 6, "hours": 24}


# --- clock ----------------------------------------------------------------------------------------


def test_a_clock_that_starts_in_the_past_is_named(tmp_path: Path) -> None:
    """As that of a Pi without a battery."""
    found = accused(Patient(tmp_path, now_ms=0).findings(Check.CLOCK))
    assert found == {"clock_implausible": {"now": "1970-01-01 00:00 UTC"}}


def test_a_clock_behind_the_journal_is_named(tmp_path: Path) -> None:
    """Something was written down later than now."""
    written(tmp_path, FIRST)
    found = accused(Patient(tmp_path, now_ms=NOW_MS - 7_200_000).findings(Check.CLOCK))
    assert found.keys() == {"clock_behind"}


def test_a_clock_that_nobody_keeps_is_a_warning(tmp_path: Path) -> None:
    """No game needs it; one of which nobody can say so is not accused."""
    assert accused(Patient(tmp_path, synchronised=False).findings(Check.CLOCK)).keys() == {
        "clock_unsynchronised"
    }
    assert accused(Patient(tmp_path, synchronised=None).findings(Check.CLOCK)) == {}


def test_the_machine_is_asked_whether_its_clock_is_kept(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """By timedatectl, and by the kernel where there is none."""
    for word, due in (("yes", True), ("no", False)):
        programs(tmp_path, monkeypatch, timedatectl=word)
        assert looking_machine.clock_synchronised() is due
    programs(tmp_path, monkeypatch, timedatectl="what")
    assert looking_machine.clock_synchronised() in (True, False, None)


# --- machine, packages, services, screen ----------------------------------------------------------


@pytest.mark.parametrize(
    ("bits", "due"),
    [
        ("0x50005", {"machine_undervoltage", "machine_throttled"}),
        ("0x50000", {"machine_undervoltage_before"}),
        ("0x4", {"machine_throttled"}),
        ("0x0", set()),
    ],
)
def test_what_the_supply_of_a_pi_says_is_explained(
    bits: str, due: set[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """From the bits of its own program."""
    programs(tmp_path, monkeypatch, vcgencmd=f"throttled={bits}")
    found = accused(Patient(tmp_path).findings(Check.MACHINE))
    assert found.keys() - {"machine_busy", "machine_hot", "machine_memory"} == due


def test_two_packages_for_the_pins_are_named(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """They have one module name."""
    for name in ("RPi.GPIO", "rpi_lgpio"):
        info = tmp_path / "site" / f"{name}-0.1.dist-info"
        info.mkdir(parents=True)
        (info / "METADATA").write_text(
            f"Metadata-Version: 2.1\nName: {name}\nVersion: 0.1\n", encoding="utf-8"
        )
    monkeypatch.syspath_prepend(tmp_path / "site")
    assert accused(Patient(tmp_path).findings(Check.PACKAGES)).keys() == {"packages_two_gpio"}


UNITS = """\
Id=togyz-board@one.service
ActiveState=failed
UnitFileState=enabled
NRestarts=7
Result=exit-code

Id=togyz-hall.service
ActiveState=inactive
UnitFileState=enabled
NRestarts=0
Result=success

Id=togyz-broker.service
ActiveState=active
UnitFileState=enabled
NRestarts=9
Result=success

Id=togyz-table@one.service
ActiveState=inactive
UnitFileState=disabled
NRestarts=0
Result=success
"""


def test_services_that_do_not_run_are_named(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """One that is not wanted is not."""
    programs(tmp_path, monkeypatch, systemctl=UNITS)
    found = accused(Patient(tmp_path).findings(Check.SERVICES))
    assert found == {
        "service_failed": {"unit": "togyz-board@one.service", "result": "exit-code"},
        "service_down": {"unit": "togyz-hall.service", "state": "inactive"},
        "service_restarts": {"unit": "togyz-broker.service", "times": 9},
    }


def test_a_table_page_that_is_configured_and_silent_is_named(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """One that answers is not, nor one that nobody wants."""
    programs(tmp_path, monkeypatch, systemctl="")
    assert accused(Patient(tmp_path).findings(Check.DISPLAY)) == {}
    found = accused(Patient(tmp_path, f"[table]\nport = {free_port()}\n").findings(Check.DISPLAY))
    assert found.keys() == {"display_silent"}
    with web({"/": {}}) as port:
        assert accused(Patient(tmp_path, f"[table]\nport = {port}\n").findings(Check.DISPLAY)) == {}


def test_a_check_that_stumbles_is_told_and_the_others_are_made(tmp_path: Path) -> None:
    """Whatever one of them meets."""

    def broken(_folder: Path) -> os.statvfs_result:
        raise ZeroDivisionError("no such disk")

    found = accused(Patient(tmp_path, room=broken, now_ms=0).findings(Check.DISK, Check.CLOCK))
    assert found.keys() == {"check_failed", "clock_implausible"}
    assert found["check_failed"] == {"check": "disk", "why": "ZeroDivisionError: no such disk"}
