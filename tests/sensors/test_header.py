"""Which chip drives the header, and who may read HX711s from it."""

import fcntl
from collections.abc import Callable
from pathlib import Path

import pytest

from sensors import gpiochips
from sensors.gpiochips import gpio_chips
from sensors.header import (
    Chip,
    HeaderError,
    both_installed,
    chip_number,
    header_chip,
    library_explained,
    reading_refused,
)

PI_4, PI_5 = "Raspberry Pi 4 Model B Rev 1.4", "Raspberry Pi 5 Model B Rev 1.0"
NAMED = ("ID_SDA", "ID_SCL", "SDA1", "SCL1", *(f"GPIO{number}" for number in range(4, 28)))
SOC = tuple(Chip(number, f"gpio-brcmstb@107d50{number}") for number in range(4))


@pytest.mark.parametrize(
    ("name", "number"),
    [
        ("gpiochip0", 0),
        ("gpiochip4", 4),
        ("gpiochip15", 15),
        ("gpiochip512", 512),
        ("gpiochip", None),
        ("gpio12", None),
        ("gpiochip1x", None),
    ],
)
def test_numbers_of_chips_may_have_many_digits(name: str, number: int | None) -> None:
    """On 6.12.96 they are 11 to 15, and there is no gpiochip0 (gpiozero#1166)."""
    assert chip_number(name) == number


@pytest.mark.parametrize("number", [0, 4, 11, 15, 512])
@pytest.mark.parametrize("label", ["pinctrl-rp1", "pinctrl-bcm2711", "pinctrl-bcm2835"])
def test_the_header_is_found_by_its_label_whatever_its_number(label: str, number: int) -> None:
    """It was 4, then 0 (raspberrypi/linux#6144), then 11 to 15 (adafruit/Adafruit_Blinka#1119)."""
    others = [chip for chip in SOC if chip.number != number]
    assert header_chip([*others, Chip(number, label)]).number == number


def test_without_a_known_label_the_names_of_its_lines_tell() -> None:
    """A driver may be renamed once more."""
    found = header_chip([*SOC, Chip(12, "pinctrl-rp9", NAMED), Chip(13, "other", ("GPIO4",))])
    assert found.number == 12


def test_a_machine_without_a_header_is_told_what_it_has() -> None:
    """And what to do."""
    there = r"there is gpiochip0 \(gpio-brcmstb@107d500\), .*group gpio"
    with pytest.raises(HeaderError, match=f"no GPIO chip here drives the pin header .*; {there}"):
        header_chip(SOC)
    with pytest.raises(HeaderError, match="there is no chip at all"):
        header_chip([])


def test_two_chips_of_one_label_are_not_guessed_between() -> None:
    """One may be simulated."""
    with pytest.raises(
        HeaderError, match="gpiochip0 and gpiochip12 are both chips with the label pinctrl-rp1"
    ):
        header_chip([Chip(12, "pinctrl-rp1"), Chip(0, "pinctrl-rp1")])


def kernel(chips: dict[str, tuple[str, tuple[str, ...]]]) -> Callable[[int, int, bytes], bytes]:
    """Return an ioctl that answers as the kernel does for the device files of these chips."""

    def ioctl(fd: int, request: int, asked: bytes) -> bytes:
        label, lines = chips[Path(f"/proc/self/fd/{fd}").readlink().name]
        if request == gpiochips._CHIP_INFO:
            return gpiochips._CHIP.pack(b"gpiochip", label.encode(), len(lines))
        assert request == gpiochips._LINE_INFO
        offset = gpiochips._LINE.unpack(asked)[2]
        return gpiochips._LINE.pack(lines[offset].encode(), b"", offset, b"")

    return ioctl


def test_the_kernel_is_asked_for_label_and_lines(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """An alias is no chip of its own: gpiochip4 may point to the header's chip."""
    chips = {"gpiochip0": ("gpio-brcmstb", ("",)), "gpiochip12": ("pinctrl-rp1", NAMED)}
    for name in chips:
        (tmp_path / name).touch()
    (tmp_path / "gpiochip4").symlink_to("gpiochip12")
    (tmp_path / "gpiochips").touch()
    monkeypatch.setattr(fcntl, "ioctl", kernel(chips))
    found = list(gpio_chips(tmp_path))
    assert found == [Chip(0, "gpio-brcmstb", ("",)), Chip(12, "pinctrl-rp1", NAMED)]
    assert header_chip(found).number == 12


def test_a_chip_that_may_not_be_asked_is_left_out(tmp_path: Path) -> None:
    """What is no chip answers no question."""
    (tmp_path / "gpiochip0").touch()
    assert list(gpio_chips(tmp_path)) == []


def test_a_pi_4_with_rpi_gpio_may_read() -> None:
    """It writes the registers itself."""
    assert reading_refused(PI_4, ["RPi.GPIO"], core=True) == ""


@pytest.mark.parametrize(
    "model", [PI_5, "Raspberry Pi 500 Rev 1.0", "Raspberry Pi Compute Module 5 Lite Rev 1.0"]
)
def test_a_pi_5_is_refused_and_a_pico_recommended(model: str) -> None:
    """Nothing sets its pins in time (gpiozero#1172)."""
    told = reading_refused(model, ["RPi.GPIO"], core=True)
    assert told.startswith(f"HX711 converters cannot be read from the pins of a {model}")
    assert told.endswith("Connect them to a Pico (deploy/pico)")


@pytest.mark.parametrize(("libraries", "core"), [(["rpi-lgpio"], True), (["rpi_lgpio"], True), ([], False)])
def test_a_stand_in_for_rpi_gpio_is_refused(libraries: list[str], core: bool) -> None:  # noqa: FBT001 - a parameter of the test
    """Each of its pulses takes 120 us or more, and 60 power a converter down (waveform80/rpi-lgpio#2)."""
    told = reading_refused(PI_4, libraries, core=core)
    assert "stands in for it (such as rpi-lgpio)" in told
    assert "power HX711 converters down" in told


@pytest.mark.parametrize("spelt", [["RPi.GPIO", "rpi-lgpio"], ["rpi_lgpio", "RPi-GPIO"]])
def test_both_at_once_are_told_and_refused(spelt: list[str]) -> None:
    """They are one module to Python."""
    assert "RPi.GPIO and rpi-lgpio are both installed" in both_installed(spelt)
    assert reading_refused(PI_4, spelt, core=True) == both_installed(spelt)
    assert both_installed(spelt[:1]) == ""


@pytest.mark.parametrize(
    ("words", "model", "told"),
    [
        (
            "This module can only be run on a Raspberry Pi!",
            "",
            "RPi.GPIO runs on a Raspberry Pi only, and this machine is no Raspberry Pi",
        ),
        (
            "Cannot determine SOC peripheral base address",
            "Raspberry Pi 6",
            "RPi.GPIO does not know this machine",
        ),
        ("No access to /dev/mem.  Try running as root!", PI_4, "run this as a user of the group gpio"),
        ("Something new", PI_4, "RPi.GPIO cannot be used: Something new"),
    ],
)
def test_what_rpi_gpio_says_is_explained(words: str, model: str, told: str) -> None:
    """It raises a RuntimeError where one looks for an ImportError (gpiozero#1172)."""
    assert told in library_explained(words, model)
