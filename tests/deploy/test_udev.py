"""The rules for serial lines: written as udev reads them, and what they decide of a device."""

from __future__ import annotations

import fnmatch
import re
import shutil
import subprocess

import pytest

from tests.house.committed import ROOT

RULES = ROOT / "deploy/udev/70-togyz.rules"
PART = re.compile(r'(?P<key>[A-Z_]+)(?:\{(?P<name>[A-Za-z_]+)\})?(?P<does>==|!=|\+=|=)"(?P<value>[^"]*)"')

PICO = {"ID_BUS": "usb", "ID_VENDOR_ID": "2e8a", "ID_MODEL_ID": "0005", "ID_SERIAL_SHORT": "e66138935f2a4b29"}
CH340 = {"ID_BUS": "usb", "ID_VENDOR_ID": "1a86", "ID_MODEL_ID": "7523"}
MODEM = {"ID_BUS": "usb", "ID_VENDOR_ID": "12d1", "ID_MODEL_ID": "1001", "ID_SERIAL_SHORT": "1"}


def lines() -> list[list[re.Match[str]]]:
    """Return the parts of each rule; every character of a rule belongs to one."""
    found = []
    for line in RULES.read_text("utf-8").splitlines():
        if not line or line.startswith("#"):
            continue
        parts = [PART.fullmatch(part) for part in line.split(", ")]
        assert None not in parts, line
        found.append([part for part in parts if part is not None])
    return found


def decided(
    environment: dict[str, str], *, action: str = "add", subsystem: str = "tty"
) -> dict[str, list[str]]:
    """Walk through the rules as udev does, and return what they assign."""
    facts = {"ACTION": action, "SUBSYSTEM": subsystem}
    done: dict[str, list[str]] = {}
    goal = ""
    for parts in lines():
        if goal and not any(part["key"] == "LABEL" and part["value"] == goal for part in parts):
            continue
        goal = ""
        if not all(_holds(part, facts, environment) for part in parts if part["does"] in ("==", "!=")):
            continue
        for part in parts:
            if part["key"] == "GOTO":
                goal = part["value"]
            elif part["key"] != "LABEL" and part["does"] in ("=", "+="):
                value = re.sub(r"\$env\{(\w+)\}", lambda gap: environment.get(gap[1], ""), part["value"])
                done.setdefault(part["name"] or part["key"], []).append(value)
    return done


def _holds(part: re.Match[str], facts: dict[str, str], environment: dict[str, str]) -> bool:
    is_now = environment.get(part["name"], "") if part["key"] == "ENV" else facts[part["key"]]
    like = any(fnmatch.fnmatchcase(is_now, pattern) for pattern in part["value"].split("|"))
    return like == (part["does"] == "==")


def test_every_rule_is_written_as_udev_reads_it_and_every_jump_lands_further_down() -> None:
    """`udevadm verify`, where it is there, agrees."""
    labels = {
        part["value"]: at for at, parts in enumerate(lines()) for part in parts if part["key"] == "LABEL"
    }
    for at, parts in enumerate(lines()):
        for part in parts:
            assert part["key"] != "GOTO" or labels[part["value"]] > at
    udevadm = shutil.which("udevadm")
    if (
        udevadm
        and "verify"
        in subprocess.run([udevadm, "--help"], capture_output=True, check=False, text=True).stdout
    ):
        checked = subprocess.run([udevadm, "verify", str(RULES)], capture_output=True, check=False, text=True)
        assert checked.returncode == 0, checked.stdout + checked.stderr


def test_a_pico_gets_names_that_stay_and_no_modem_manager() -> None:
    """By its serial number, and as the one device of the machine."""
    assert decided(PICO) == {
        "GROUP": ["dialout"],
        "MODE": ["0660"],
        "ID_MM_DEVICE_IGNORE": ["1"],
        "TAG": ["systemd"],
        "SYMLINK": ["togyz/board", "togyz/e66138935f2a4b29"],
    }


def test_a_chip_without_a_serial_number_gets_no_name_that_two_would_share() -> None:
    """`/dev/togyz/` alone would be a name, and a wrong one."""
    assert decided(CH340)["SYMLINK"] == ["togyz/board"]


@pytest.mark.parametrize(
    ("environment", "action", "subsystem"),
    [(MODEM, "add", "tty"), (PICO, "remove", "tty"), (PICO, "add", "block"), ({}, "add", "tty")],
)
def test_what_is_no_board_is_left_alone(environment: dict[str, str], action: str, subsystem: str) -> None:
    """Modems, drives, the serial line on the header."""
    assert decided(environment, action=action, subsystem=subsystem) == {}


def test_nothing_is_started_or_stopped_with_a_device() -> None:
    """A game outlives a pulled cable: no service is bound to a device."""
    text = "".join(line for line in RULES.read_text("utf-8").splitlines() if not line.startswith("#"))
    assert "SYSTEMD_WANTS" not in text
    units = [path.read_text("utf-8") for path in (ROOT / "systemd").glob("*.service")]
    assert [text for text in units if "BindsTo=dev-" in text] == []
