"""Header pins on real GPIO chips: run inside the kernel lane's machine by `init.sh`, never by `make test`."""

from __future__ import annotations

import stat
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from functools import partial
from pathlib import Path

import pytest

from firmware_bridge.pins.header_device import HeaderSettings
from firmware_bridge.pins.report import folder_of
from firmware_bridge.pins.service import PinsProgram, Wired
from sensors import frames
from sensors.gpio import open_factory
from sensors.gpiochips import gpio_chips
from sensors.header import header_chip
from sensors.link import DeviceHello
from sensors.samples import Press, RawSample
from tests.firmware_bridge.pins.host import LineHost

CONFIGFS = Path("/sys/kernel/config/gpio-sim")
HEADER_LINES = 54
STILL_US = 60_000
"""Without virtualisation a bounce of a millisecond may take ten."""

PASSAGE_S = 0.03
"""Longer than a stone's: without virtualisation the machine's clock moves in steps of milliseconds."""

pytestmark = pytest.mark.skipif(not CONFIGFS.exists(), reason="only in the machine of `make kernel`")


class SimChip:
    """A GPIO chip of the kernel's, made and taken away through configfs.

    Args:
        name: of its folder.
        label: what the chip says it is.
        lines: how many it has.
        names: of lines by offset.
    """

    def __init__(self, name: str, label: str, lines: int, names: dict[int, str] | None = None) -> None:
        self._folder = CONFIGFS / name
        bank = self._folder / "bank0"
        bank.mkdir(parents=True)
        (bank / "label").write_text(label)
        (bank / "num_lines").write_text(str(lines))
        for offset, line in (names or {}).items():
            (bank / f"line{offset}").mkdir()
            (bank / f"line{offset}" / "name").write_text(line)
        (self._folder / "live").write_text("1")
        self._chip = (bank / "chip_name").read_text().strip()
        self._device = (self._folder / "dev_name").read_text().strip()

    @property
    def number(self) -> int:
        """N of /dev/gpiochip<N>."""
        return int(self._chip.removeprefix("gpiochip"))

    def _line(self, offset: int, attribute: str) -> Path:
        return Path(f"/sys/devices/platform/{self._device}/{self._chip}/sim_gpio{offset}/{attribute}")

    def level(self, offset: int) -> int:
        """Return the level of a line as the chip has it."""
        return int(self._line(offset, "value").read_text())

    def pull(self, offset: int, *, up: bool) -> None:
        """Pull a line from outside, as a contact does."""
        self._line(offset, "pull").write_text("pull-up" if up else "pull-down")

    def close(self) -> None:
        """Take the chip away."""
        (self._folder / "live").write_text("0")
        bank = self._folder / "bank0"
        for line in bank.glob("line*"):
            line.rmdir()
        bank.rmdir()
        self._folder.rmdir()


@pytest.fixture(scope="module")
def header() -> Iterator[SimChip]:
    """The header of a Pi 5 on a kernel that numbers it 12 and has no gpiochip0 (gpiozero#1166)."""
    others = [SimChip(f"soc{number}", f"gpio-brcmstb@{number}", 4) for number in range(12)]
    chip = SimChip("rp1", "pinctrl-rp1", HEADER_LINES, {line: f"GPIO{line}" for line in range(2, 28)})
    for other in others[:10]:
        other.close()
    yield chip
    for other in others[10:]:
        other.close()
    chip.close()


def test_the_header_is_found_by_its_label_at_a_number_of_two_digits(header: SimChip) -> None:
    """By the kernel's own answers."""
    chips = list(gpio_chips())
    assert header.number == 12
    assert not Path("/dev/gpiochip0").exists()
    assert sorted(chip.number for chip in chips) == [10, 11, 12]
    found = header_chip(chips)
    assert (found.number, found.label) == (12, "pinctrl-rp1")
    assert found.lines[17] == "GPIO17"
    assert len(found.lines) == HEADER_LINES


@pytest.mark.parametrize("label", ["pinctrl-bcm2711", "pinctrl-bcm2835", "pinctrl-next"])
def test_every_header_is_found_among_others(label: str) -> None:
    """One without a label that is known by the names of its lines."""
    chip = SimChip("other", label, 58, {line: f"GPIO{line}" for line in range(4, 28)})
    try:
        chips = [each for each in gpio_chips() if each.label != "pinctrl-rp1"]
        assert header_chip(chips).number == chip.number
    finally:
        chip.close()


def test_lgpio_s_pipe_lies_where_we_say(header: SimChip, tmp_path: Path) -> None:
    """And not where we are, which is / under systemd (gpiozero#1106); we stay there."""
    here = Path.cwd()
    folder = tmp_path / "run"
    folder.mkdir()
    factory = open_factory("auto", folder)
    assert type(factory).__name__ == "LGPIOFactory"
    assert factory.chip == header.number
    pipes = list(folder.glob(".lgd-nfy*"))
    assert pipes
    assert all(stat.S_ISFIFO(pipe.stat().st_mode) for pipe in pipes)
    assert Path.cwd() == here
    assert list(here.glob(".lgd-nfy*")) == []
    factory.close()


@contextmanager
def running(settings: HeaderSettings, wired: Wired, port: Path) -> Iterator[LineHost]:
    """Run `togyz pins` beside the test; yield a host that has heard it."""
    program = PinsProgram(settings, wired, port)
    thread = threading.Thread(target=program.run, name="pins")
    thread.start()
    try:
        with LineHost(port) as host:
            host.until(lambda: bool(host.of(DeviceHello)))
            yield host
    finally:
        program.stop()
        thread.join(30)
    assert not thread.is_alive()
    assert not port.is_symlink()
    assert not Path(folder_of(port)).exists()


BUTTONS = HeaderSettings(
    board_id="sim", firmware="togyz-pins sim", buttons=3, lamps=(True,) * 4, buzzer=True, still_us=STILL_US
)
PINS = Wired(factory="lgpio", buttons=(5, 6, 13), lamps=(16, 19, 20, 21), buzzer=26)


def bounce(chip: SimChip, offset: int, edges: int) -> None:
    """Let a contact bounce and end as it did not begin: an odd number of edges."""
    up = bool(chip.level(offset))
    for _ in range(edges):
        up = not up
        chip.pull(offset, up=up)


def test_a_button_that_bounces_is_pressed_exactly_once(header: SimChip, tmp_path: Path) -> None:
    """Eleven edges down, eleven up, and once more."""
    with running(BUTTONS, PINS, tmp_path / "board") as host:
        for number in (1, 2):
            bounce(header, 6, 11)
            host.until(partial(has_presses, host, number))
            still(host)
            bounce(header, 6, 11)
            still(host)
        assert [(press.number, press.button) for press in host.of(Press)] == [(1, 1), (2, 1)]
        first, second = host.of(Press)
        assert first.time_us < second.time_us


def has_presses(host: LineHost, number: int) -> bool:
    """Whether so many presses have come."""
    return len(host.of(Press)) == number


def still(host: LineHost) -> None:
    """Wait for a contact to be decided on, with the line served."""
    until = time.monotonic() + 4 * STILL_US / 1e6
    host.until(lambda: time.monotonic() > until)


def test_a_burst_that_overruns_the_kernel_s_buffer_ends_in_the_right_level(
    header: SimChip, tmp_path: Path
) -> None:
    """Of sixty edges it keeps the last sixteen; the press is one all the same."""
    with running(BUTTONS, PINS, tmp_path / "board") as host:
        bounce(header, 5, 61)
        host.until(lambda: bool(host.of(Press)))
        still(host)
        assert [press.button for press in host.of(Press)] == [0]
        bounce(header, 5, 1)
        still(host)


def test_lamps_and_the_buzzer_are_switched_on_the_chip(header: SimChip, tmp_path: Path) -> None:
    """And off when the program ends; attention burns while no host is heard."""
    with running(BUTTONS, PINS, tmp_path / "board") as host:
        host.link.set_lamps(on=frames.LAMP_SIDE_A | frames.LAMP_ARBITER)
        host.link.buzz(frames.SOUND_TONE, 3_000)
        host.until(lambda: header.level(26) == 1)
        host.until(lambda: [header.level(pin) for pin in (16, 19, 20, 21)] == [1, 0, 0, 1])
    assert [header.level(pin) for pin in (16, 19, 20, 21, 26)] == [0] * 5


def test_count_sensors_count_every_passage(header: SimChip, tmp_path: Path) -> None:
    """Twelve stones, one after the other."""
    settings = HeaderSettings(board_id="sim", firmware="togyz-pins sim", beams=2)
    with running(settings, Wired(factory="lgpio", beams=(22, 23)), tmp_path / "board") as host:
        host.until(lambda: bool(host.of(RawSample)))
        for _ in range(12):
            header.pull(23, up=False)
            time.sleep(PASSAGE_S)
            header.pull(23, up=True)
            time.sleep(PASSAGE_S)
        host.until(lambda: host.of(RawSample)[-1].raw[1] >= 12)
        still(host)
        assert host.of(RawSample)[-1].raw == (0, 12)
