"""The extras for header pins bring to each machine what works there, and never what must not meet."""

from __future__ import annotations

import tomllib

import pytest
from packaging.markers import Marker, default_environment
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

from tests.house.committed import ROOT
from tests.house.pins import read_pins

MACHINES = {
    "Zero W, Bookworm": ("armv6l", "3.11"),
    "Pi 4, 32 bits, Bookworm": ("armv7l", "3.11"),
    "64 bits, Bookworm": ("aarch64", "3.11"),
    "64 bits, Trixie": ("aarch64", "3.13"),
    "no Raspberry Pi": ("x86_64", "3.11"),
}

LIBRARIES = {"gpiozero", "lgpio", "rpi-gpio", "rpi-lgpio", "gpiod", "pigpio"}

DUE = {
    ("pi", "Zero W, Bookworm"): {"gpiozero", "rpi-gpio"},
    ("pi", "Pi 4, 32 bits, Bookworm"): {"gpiozero", "rpi-gpio"},
    ("pi", "64 bits, Bookworm"): {"gpiozero", "rpi-gpio", "lgpio"},
    ("pi", "64 bits, Trixie"): {"gpiozero", "rpi-gpio"},
    ("pi", "no Raspberry Pi"): {"gpiozero"},
    ("pi5", "Zero W, Bookworm"): {"gpiozero"},
    ("pi5", "Pi 4, 32 bits, Bookworm"): {"gpiozero"},
    ("pi5", "64 bits, Bookworm"): {"gpiozero", "lgpio"},
    ("pi5", "64 bits, Trixie"): {"gpiozero"},  # and Debian's python3-lgpio: there is no wheel
    ("pi5", "no Raspberry Pi"): {"gpiozero"},
}


def wanted(marker: Marker | None, machine: str) -> bool:
    """Whether a requirement is for a machine."""
    processor, python = MACHINES[machine]
    surroundings = {
        **default_environment(),
        "sys_platform": "linux",
        "platform_machine": processor,
        "python_version": python,
        "python_full_version": f"{python}.2",
        "extra": "",
    }
    return marker is None or marker.evaluate({key: str(value) for key, value in surroundings.items()})


@pytest.mark.parametrize(("extra", "machine"), DUE)
def test_an_extra_brings_what_works_on_a_machine(extra: str, machine: str) -> None:
    """By pyproject.toml and by the pins alike."""
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    asked = [Requirement(text) for text in project["optional-dependencies"][extra]]
    said = {canonicalize_name(each.name) for each in asked if wanted(each.marker, machine)}
    pinned = {pin.name for pin in read_pins(ROOT, f"{extra}.txt") if wanted(pin.marker, machine)}
    assert said == pinned & LIBRARIES == DUE[extra, machine]


def test_rpi_gpio_and_its_shim_never_meet() -> None:
    """No extra and no file brings the shim; only `pi` brings RPi.GPIO, and not for a Pi 5."""
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    extras = project["optional-dependencies"]
    bringing = {
        name: {canonicalize_name(Requirement(text).name) for text in texts} for name, texts in extras.items()
    }
    assert [name for name, found in bringing.items() if "rpi-gpio" in found] == ["pi"]
    assert not any("rpi-lgpio" in found for found in bringing.values())
    files = (ROOT / "deploy" / "requirements").glob("*.txt")
    assert not [file.name for file in files if "rpi-lgpio==" in file.read_text(encoding="utf-8")]
