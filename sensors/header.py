"""The pin header of a Raspberry Pi: which GPIO chip drives it, and who may read HX711s from it. Pure.

The number of that chip says nothing: on a Pi 5 it was 4, then 0 (raspberrypi/linux#6144), and on newer
kernels it is one of 11 to 15 and there is no gpiochip0 (gpiozero#1166, adafruit/Adafruit_Blinka#1119).
gpiozero 2.0.1 knows 0 and 4 only. So it is found by its label, or else by the names of its lines.
"""

import re
from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass

PINS = range(2, 28)
"""GPIO numbers of the header that are free to use; 0 and 1 belong to the identity chip of add-on boards."""

LABELS = ("pinctrl-rp1", "pinctrl-bcm2711", "pinctrl-bcm2835")
"""Labels of the chip that drives the header: of a Pi 5, of a Pi 4, of those before."""

_CHIP = re.compile(r"gpiochip(?P<number>\d+)")

_SHIM = "rpi-lgpio"
_REAL = "rpi.gpio"


class HeaderError(RuntimeError):
    """Raised when the header pins cannot be used; the message says what is wrong and what to do."""


class UnfitError(HeaderError):
    """Raised when they cannot be used with what is installed or on this machine, however often one tries."""


@dataclass(frozen=True, slots=True)
class Chip:
    """A GPIO chip of the kernel.

    Attributes:
        number: n of /dev/gpiochip<n>.
        label: what its driver calls it.
        lines: names of its lines by offset; "" for one without.
    """

    number: int
    label: str
    lines: tuple[str, ...] = ()


def chip_number(name: str) -> int | None:
    """Return the number of a device file's name such as `gpiochip12`, None for anything else."""
    match = _CHIP.fullmatch(name)
    return None if match is None else int(match["number"])


def header_chip(chips: Iterable[Chip]) -> Chip:
    """Return the chip that drives the pin header.

    Raises:
        HeaderError: there is none, or more than one that could be it.
    """
    there = sorted(chips, key=lambda chip: chip.number)
    for label in LABELS:
        found = [chip for chip in there if chip.label == label]
        if found:
            return _only(found, f"with the label {label}")
    named = [chip for chip in there if _is_header(chip.lines)]
    if named:
        return _only(named, "whose lines are named GPIO4 to GPIO27")
    seen = ", ".join(f"gpiochip{chip.number} ({chip.label})" for chip in there) or "no chip at all"
    raise HeaderError(
        f"no GPIO chip here drives the pin header of a Raspberry Pi; there is {seen}. "
        "Run this on a Raspberry Pi, as a user of the group gpio"
    )


def _only(found: Sequence[Chip], how: str) -> Chip:
    if len(found) > 1:
        numbers = " and ".join(f"gpiochip{chip.number}" for chip in found)
        raise HeaderError(
            f"{numbers} are both chips {how}, and one of them drives the pin header: "
            "unload the driver of the other"
        )
    return found[0]


def _is_header(lines: Sequence[str]) -> bool:
    """Whether lines carry the names of the header; 2 and 3 may be named for I2C, 14 and 15 for the UART."""
    sure = [number for number in range(4, 28) if number not in (14, 15)]
    return len(lines) > sure[-1] and all(lines[number] == f"GPIO{number}" for number in sure)


def reading_refused(model: str, libraries: Collection[str], *, core: bool) -> str:
    """Return why HX711s cannot be read from this machine's header and what to do; "" if they can.

    Only RPi.GPIO writes the pins' registers itself. Everything else asks the kernel for each change, which
    takes 120 to 250 us (waveform80/rpi-lgpio#2): no pulse would be shorter than the 60 us that power a
    converter down.

    Args:
        model: what the device tree calls the machine, such as `Raspberry Pi 4 Model B Rev 1.4`; "" unknown.
        libraries: names of the installed distributions, in any spelling.
        core: whether the module RPi.GPIO that was imported is the real one, with its compiled core.
    """
    here = {each.lower().replace("_", "-") for each in libraries}
    if is_pi_5(model):
        return (
            f"HX711 converters cannot be read from the pins of a {model}: RPi.GPIO cannot drive them, and "
            "other libraries are too slow and power the converters down. Connect them to a Pico (deploy/pico)"
        )
    if both_installed(here):
        return both_installed(here)
    if _SHIM in here or not core:
        return (
            "the module RPi.GPIO here is not RPi.GPIO itself but stands in for it (such as rpi-lgpio): its "
            "pulses are too slow and power HX711 converters down. Uninstall it and install RPi.GPIO, or "
            "connect the converters to a Pico (deploy/pico)"
        )
    return ""


def both_installed(libraries: Collection[str]) -> str:
    """Return that RPi.GPIO and its stand-in are both installed, and what to do; "" if they are not."""
    here = {each.lower().replace("_", "-") for each in libraries}
    if not {_SHIM, _REAL} <= here and not {_SHIM, "rpi-gpio"} <= here:
        return ""
    return (
        "RPi.GPIO and rpi-lgpio are both installed and are the same module to Python: which of them is used "
        "is chance. Uninstall rpi-lgpio (pip uninstall rpi-lgpio, or apt remove python3-rpi-lgpio); "
        "on a Raspberry Pi 5 uninstall RPi.GPIO instead"
    )


def is_pi_5(model: str) -> bool:
    """Whether a machine has the pins of a Pi 5, behind its RP1 chip; `model` as the device tree says it."""
    return re.search(r"\b(Raspberry Pi 5|Raspberry Pi 500|Compute Module 5)", model) is not None


def library_explained(words: str, model: str) -> str:
    """Return what RPi.GPIO's own error means, and what to do."""
    machine = model or "no Raspberry Pi"
    if "can only be run on" in words:
        return f"RPi.GPIO runs on a Raspberry Pi only, and this machine is {machine}"
    if "peripheral base address" in words:
        return (
            f"RPi.GPIO does not know this machine ({machine}): it drives every Raspberry Pi up to the 4 "
            "(gpiozero#1172). Connect the converters to a Pico (deploy/pico)"
        )
    if "/dev/mem" in words or "Mmap" in words:
        return (
            "RPi.GPIO may not use the pins: run this as a user of the group gpio, who may open /dev/gpiomem"
        )
    return f"RPi.GPIO cannot be used: {words}"
