"""Faults of device, line, cells and buttons, injected on a real pseudo-terminal, are named and no other."""

from __future__ import annotations

import os
import subprocess
import time
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from random import Random
from typing import Any

import pytest

from firmware_bridge.doctor.findings import Check
from sensors import frames
from sensors.calibration import ChannelCalibration
from tests.firmware_bridge.doctor.device import Build, WrongDevice
from tests.firmware_bridge.doctor.patient import OF_DEVICE, Patient, accused, impatiently, quickly
from tests.house.lone_board import NINE_EACH, RAW_PER_G

HEALTHY = Build()

UNKNOWN = {"device_silent", "device_foreign"}
"""Of a device that never says who it is."""

FAULTS: dict[str, tuple[Build, dict[str, dict[str, Any]]]] = {
    "nothing is said": (Build(silent=True), {"device_silent": {"path": "board-1.tty", "seconds": 0.1}}),
    "another major version": (
        Build(hello={"major": 2}),
        {"device_foreign": {"theirs": "2.1", "ours": "1.1"}},
    ),
    "another board": (
        Build(hello={"board_id": "board-9"}),
        {"device_other_calibration": {"device": "board-9"}},
    ),
    "reset by the watchdog": (Build(hello={"reset_reason": 2}), {"device_watchdog": {"firmware": "bytes"}}),
    "reset by its supply": (Build(hello={"reset_reason": 4}), {"device_supply_dip": {}}),
    "restarts again and again": (Build(reboots=True), {"device_restarted": {"times": 1}}),
    "one button soldered": (Build(hello={"buttons": 1}), {"device_few_buttons": {"needed": 3, "buttons": 1}}),
    "no samples": (Build(still=True), {"link_no_samples": {}}),
    "frames lost": (Build(lose=9), {"link_frames_lost": {}}),
    "frames damaged": (Build(spoil=9), {"link_frames_bad": {}}),
    "samples dropped by the device": (Build(dropped=3), {"link_data_dropped": {}}),
    "RATE pin strapped low": (Build(rate_hz=10.8), {"link_rate_strap": {"nominal_hz": 80.0}}),
    "half as fast": (Build(rate_hz=40), {"link_rate": {"nominal_hz": 80.0}}),
    "a button that bounces": (
        Build(presses=(1, 1, 1, 1)),
        {"button_chatters": {"button": 1, "name": "button_b"}},
    ),
}


def test_a_healthy_board_is_called_healthy(tmp_path: Path) -> None:
    """Nothing is accused, and what is not known is said as a note."""
    found = Patient(tmp_path).with_device(HEALTHY)
    assert accused(found) == {}
    assert [each.code for each in found] == ["board_not_running", "buttons_never_pressed"]


@pytest.mark.parametrize("fault", FAULTS)
def test_a_fault_of_the_device_is_named_and_no_other(fault: str, tmp_path: Path) -> None:
    """By its code, with the values that say where."""
    build, due = FAULTS[fault]
    patient = Patient(tmp_path, watch=impatiently if due.keys() & UNKNOWN else quickly)
    found = accused(patient.with_device(build))
    assert found.keys() == due.keys()
    for code, values in due.items():
        for name, value in values.items():
            if name == "path":
                assert Path(found[code][name]).name == value
            elif name == "seconds":
                assert found[code][name] == pytest.approx(value, abs=0.05)
            else:
                assert found[code][name] == value


def test_every_broken_cell_is_named_and_no_other(tmp_path: Path) -> None:
    """Eight of them at once, each in its own way, twelve whole ones beside them."""
    build = Build(
        status={0: 1, 3: 2, 5: 3, 7: 4},
        raw={
            9: lambda _value, _random: 8765,
            11: lambda value, random: value + round(random.gauss(0, 3000)),
        },
        copies={14: 13},
    )
    found = Patient(tmp_path).with_device(build)
    told = {(each.code, each.values.get("channel")) for each in found if each.check is Check.CHANNELS}
    assert told == {
        ("channel_dead", 0),
        ("channel_saturated", 3),
        ("channel_excluded", 5),
        ("channel_misread", 7),
        ("channel_stuck", 9),
        ("channel_noisy", 11),
        ("channels_doubled", 13),
    }
    doubled = next(each for each in found if each.code == "channels_doubled")
    assert (doubled.values["place"], doubled.values["other_place"]) == ("side_b[4]", "side_b[5]")


def test_swapped_wires_are_named_by_what_they_weigh(tmp_path: Path) -> None:
    """Two channels with cells that differ: each weighs rightly by the other's calibration alone."""
    patient = Patient(tmp_path)
    channels = [ChannelCalibration(2000.0 * n, RAW_PER_G * (1 + n / 40)) for n in range(20)]
    patient.calibration = replace(patient.calibration, channels=tuple(channels))
    swapped = [*range(20)]
    swapped[4], swapped[15] = 15, 4

    def wired_to(cell: ChannelCalibration) -> Callable[[int, Random], int]:
        return lambda value, _random: round(cell.zero_raw + value * cell.raw_per_g / RAW_PER_G)

    build = Build(raw={wire: wired_to(channels[cell]) for wire, cell in enumerate(swapped)})
    found = accused(patient.with_device(build))
    assert found == {
        "channels_swapped": {"channel": 4, "place": "side_a[4]", "other": 15, "other_place": "side_b[6]"}
    }


def test_a_calibration_of_other_stones_is_named_once(tmp_path: Path) -> None:
    """And no single cell is accused of it."""
    patient = Patient(tmp_path)
    patient.calibration = replace(patient.calibration, unit_g=1.7)
    assert accused(patient.with_device(HEALTHY)).keys() == {"channels_all_wrong"}


def test_one_pit_that_weighs_wrongly_is_named(tmp_path: Path) -> None:
    """A stone beside it, or a pit that touches the board."""
    stones = [*NINE_EACH]
    stones[6] = 11
    found = accused(Patient(tmp_path).with_device(Build(stones=stones)))
    assert found == {"channel_weighs_wrong": {"channel": 6, "place": "side_a[6]", "stones": 11.0, "due": 9}}


def test_a_calibration_that_is_not_there_or_damaged_is_named(tmp_path: Path) -> None:
    """And what the device says by itself is looked at all the same."""
    patient = Patient(tmp_path)
    config = patient.config()
    config.calibration.file.unlink()
    missing = Patient(tmp_path)
    missing.config = lambda: config  # type: ignore[method-assign] # the file stays away
    assert accused(missing.with_device(Build(status={0: 1}))).keys() == {
        "device_no_calibration",
        "channel_dead",
    }
    config.calibration.file.write_text("{", encoding="utf-8")
    assert accused(missing.with_device(HEALTHY)).keys() == {"device_bad_calibration"}


def test_a_port_that_is_not_there_is_named_and_the_device_is_not_accused(tmp_path: Path) -> None:
    """Nobody can say anything of a device behind a cable that is out."""
    assert accused(Patient(tmp_path).findings(*OF_DEVICE)).keys() == {"port_missing"}


def test_header_pins_that_nobody_reads_are_named_beside_their_port(tmp_path: Path) -> None:
    """Of a board without a microcontroller: its port is there only while `togyz pins` runs."""
    patient = Patient(tmp_path, more="[pins]\nbuttons = [5, 6, 13]\n")
    assert accused(patient.findings(*OF_DEVICE)).keys() == {"port_missing", "pins_not_running"}


def test_a_file_is_no_port(tmp_path: Path) -> None:
    """It is named, and not opened."""
    (tmp_path / "board-1.tty").write_text("x", encoding="utf-8")
    found = accused(Patient(tmp_path).findings(*OF_DEVICE))
    assert found.keys() == {"port_no_serial"}


def test_another_program_on_the_port_is_named_and_nothing_is_taken_from_it(tmp_path: Path) -> None:
    """It need not have locked the port: what the doctor read it would miss."""
    patient = Patient(tmp_path)
    with WrongDevice(tmp_path / "board-1.tty", HEALTHY):
        path = os.path.realpath(tmp_path / "board-1.tty")
        holder = subprocess.Popen(["sleep", "60"], stdin=os.open(path, os.O_RDWR | os.O_NOCTTY))
        try:
            deadline = time.monotonic() + 10
            while not (found := accused(patient.findings(Check.PORT))):
                assert time.monotonic() < deadline
            assert found.keys() == {"port_busy"}
            assert f"sleep ({holder.pid})" in found["port_busy"]["holders"]
        finally:
            holder.kill()
            holder.wait()


def test_a_press_that_the_doctor_hears_is_kept_for_the_board(tmp_path: Path) -> None:
    """It is not acknowledged: a board that starts a moment later gets it."""
    with WrongDevice(tmp_path / "board-1.tty", Build(presses=(0,))) as device:
        facts = quickly(str(tmp_path / "board-1.tty"), 921_600)
    assert [(each.button, each.down) for each in facts.pushed] == [(0, True)]
    kinds = {kind for kind, _, _ in frames.Decoder().feed(device.heard)}
    assert frames.HELLO_REQUEST in kinds
    assert frames.BUTTON_ACK not in kinds
