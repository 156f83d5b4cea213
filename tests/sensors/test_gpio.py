"""The header pins, on gpiozero's own mock pins and on a RPi.GPIO for tests."""

from __future__ import annotations

import fcntl
import os
import select
import sys
from collections.abc import Iterator
from importlib import metadata
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest
from gpiozero.pins.mock import MockFactory

from sensors import gpio
from sensors.gpio import (
    Edge,
    Inputs,
    Outputs,
    installed_libraries,
    machine_model,
    open_converters,
    open_factory,
)
from sensors.header import Chip, HeaderError
from sensors.hx711 import shift
from tests.sensors.rpi import core

PI_4 = b"Raspberry Pi 4 Model B Rev 1.4\0"


@pytest.fixture
def factory() -> Iterator[MockFactory]:
    """Mock pins of a Pi 3B."""
    found = MockFactory()
    yield found
    found.reset()


@pytest.fixture
def rpi(monkeypatch: pytest.MonkeyPatch) -> Iterator[Any]:
    """The core of a RPi.GPIO for tests, which may be imported for as long as the test lasts."""
    yield from core(monkeypatch)


@pytest.fixture
def pi_4(tmp_path: Path) -> Path:
    """What the device tree of a Pi 4 says."""
    path = tmp_path / "model"
    path.write_bytes(PI_4)
    return path


def line(factory: MockFactory, pin: int) -> Any:
    """Return a mock pin."""
    return factory.pin(f"GPIO{pin}")


class TestInputs:
    """Buttons and count sensors."""

    def test_every_edge_is_told_with_its_time(self, factory: MockFactory) -> None:
        """Bounce and all: gpiozero's own debouncing is not asked (gpiozero#1039)."""
        now = [7_000_000]
        inputs = Inputs(factory, (5, 6), lambda: now[0])
        for _ in range(3):
            line(factory, 6).drive_low()
            line(factory, 6).drive_high()
        edges = inputs.edges()
        assert [(edge.number, edge.down) for edge in edges] == [(1, True), (1, False)] * 3
        assert all(6_900_000 <= edge.at_us <= 7_000_000 for edge in edges)
        assert inputs.edges() == []
        assert inputs.unwatched == {}
        inputs.close()

    def test_an_edge_wakes_who_sleeps_for_it(self, factory: MockFactory) -> None:
        """Until it is taken; however many there are, and after the end, nothing is lost or raised."""
        inputs = Inputs(factory, (5,), lambda: 0)
        assert select.select([inputs.fileno()], [], [], 0)[0] == []
        fcntl.fcntl(inputs._rope, fcntl.F_SETPIPE_SZ, 4096)
        for _ in range(2_500):  # more than it holds
            line(factory, 5).drive_low()
            line(factory, 5).drive_high()
        assert select.select([inputs.fileno()], [], [], 0)[0] == [inputs.fileno()]
        while inputs.edges():
            pass
        told = inputs._watches[0]
        inputs.close()
        told(0.0, 1)

    def test_levels_can_be_looked_at(self, factory: MockFactory) -> None:
        """Low is down: a button pulls its pin to ground."""
        inputs = Inputs(factory, (5, 6), lambda: 0)
        line(factory, 6).drive_low()
        assert inputs.down() == [False, True]
        inputs.close()

    @pytest.mark.parametrize(("ago_s", "at_us"), [(0.003, 9_997_000), (-0.5, 10_000_000), (1e6, 10_000_000)])
    def test_a_time_of_another_clock_is_not_believed(
        self, factory: MockFactory, monkeypatch: pytest.MonkeyPatch, ago_s: float, at_us: int
    ) -> None:
        """Then it is taken as of its arrival."""
        inputs = Inputs(factory, (5,), lambda: 10_000_000)
        monkeypatch.setattr(factory, "ticks_diff", lambda _later, _earlier: ago_s)
        line(factory, 5).drive_low()
        assert inputs.edges() == [Edge(0, True, at_us)]  # noqa: FBT003 - a tuple
        inputs.close()

    def test_a_library_that_tells_no_edges_is_named_and_its_pins_are_looked_at(
        self, factory: MockFactory, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        """RPi.GPIO on kernel 6.6 and later (gpiozero#1136, raspberrypi/linux#6037)."""

        def fails(_pin: object) -> None:
            raise RuntimeError("Failed to add edge detection")

        monkeypatch.setattr(type(line(factory, 5)), "_enable_event_detect", fails)
        inputs = Inputs(factory, (5,), lambda: 0)
        assert inputs.unwatched == {5: "Failed to add edge detection"}
        line(factory, 5).drive_low()
        assert inputs.down() == [True]
        inputs.close()

    def test_a_pin_in_use_is_named_and_nothing_is_kept(self, factory: MockFactory) -> None:
        """And the pins opened before it are free again."""
        first = Inputs(factory, (6,), lambda: 0)
        with pytest.raises(HeaderError, match=r"GPIO6 cannot be used: .*gpioinfo"):
            Inputs(factory, (5, 6), lambda: 0)
        Inputs(factory, (5,), lambda: 0).close()
        first.close()
        first.close()
        Inputs(factory, (6,), lambda: 0).close()


class TestOutputs:
    """Lamps and the buzzer."""

    def test_lamps_are_switched_and_off_at_the_end(self, factory: MockFactory) -> None:
        """What has not changed is left alone, what is not there too."""
        outputs = Outputs(factory, (16, None, 20))
        outputs.switch((True, True, False))
        outputs.switch((True, True, False))
        assert [state.state for state in line(factory, 16).states] == [False, True]
        assert not line(factory, 20).state
        outputs.close()
        outputs.close()
        assert not line(factory, 16).state

    def test_a_pin_that_is_none_is_named(self, factory: MockFactory) -> None:
        """And what was opened before it is given back."""
        with pytest.raises(HeaderError, match="GPIO99 cannot be used"):
            Outputs(factory, (16, 99))
        Outputs(factory, (16,)).close()


class TestFactory:
    """Which library is used."""

    def test_the_environment_names_it_as_for_gpiozero(
        self, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
    ) -> None:
        """Unless the configuration does."""
        monkeypatch.setenv("GPIOZERO_PIN_FACTORY", "mock")
        assert isinstance(open_factory("auto", tmp_path), MockFactory)

    def test_an_unknown_name_is_told_with_those_there_are(self, tmp_path: Path) -> None:
        """As in a file with a slip of the pen."""
        with pytest.raises(HeaderError, match=r"gpiozero has no pin factory 'lgpoi'; it has .*lgpio, mock"):
            open_factory("lgpoi", tmp_path)

    def test_without_a_library_it_is_said_what_to_install(
        self, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
    ) -> None:
        """From Python 3.13 on there is no lgpio to install but the distribution's (gpiozero#1115)."""
        monkeypatch.delenv("GPIOZERO_PIN_FACTORY", raising=False)
        monkeypatch.setattr(gpio, "_there", lambda _module: False)
        with pytest.raises(HeaderError, match=r"no library for the header pins .*python3-lgpio.*\[pi5\]"):
            open_factory("auto", tmp_path)

    @pytest.mark.parametrize(("there", "best"), [(("lgpio", "RPi"), "lgpio"), (("RPi",), "rpigpio")])
    def test_lgpio_is_preferred_where_it_is_there(
        self, monkeypatch: pytest.MonkeyPatch, there: tuple[str, ...], best: str
    ) -> None:
        """RPi.GPIO tells no edges on newer kernels (gpiozero#1136)."""
        monkeypatch.setattr(gpio, "_there", lambda module: module in there)
        assert gpio._best() == best

    def test_a_library_that_cannot_be_used_here_is_told(
        self, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
    ) -> None:
        """A machine that is no Raspberry Pi."""
        monkeypatch.setitem(sys.modules, "RPi", None)
        with pytest.raises(HeaderError, match="pin factory 'rpigpio' cannot be used here"):
            open_factory("rpigpio", tmp_path)

    def test_both_libraries_at_once_are_refused(
        self, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
    ) -> None:
        """Whatever is asked for."""
        monkeypatch.setattr(gpio, "installed_libraries", lambda: ("RPi.GPIO", "rpi-lgpio"))
        with pytest.raises(HeaderError, match=r"RPi\.GPIO and rpi-lgpio are both installed"):
            open_factory("mock", tmp_path)

    def test_lgpio_opens_the_chip_found_by_its_label(
        self, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
    ) -> None:
        """Number 12 as well, which gpiozero would not find; and its pipe lies where we say."""
        here = Path.cwd()
        (tmp_path / ".lgd-nfy0").touch()
        monkeypatch.setattr(gpio, "gpio_chips", lambda: [Chip(0, "gpio-brcmstb"), Chip(12, "pinctrl-rp1")])
        monkeypatch.setitem(sys.modules, "gpiozero.pins.lgpio", lgpio_like(tmp_path))
        monkeypatch.setenv("LG_WD", "elsewhere")
        factory = open_factory("lgpio", tmp_path)
        assert factory.chip == 12
        assert os.environ["LG_WD"] == str(tmp_path)
        assert list(tmp_path.glob(".lgd-nfy*")) == []
        assert Path.cwd() == here


def lgpio_like(folder: Path) -> ModuleType:
    """Return gpiozero's module for lgpio as it behaves where it is imported: it goes to LG_WD."""

    class Factory:
        def __init__(self, chip: int) -> None:
            self.chip = chip

    class Module(ModuleType):
        @property
        def LGPIOFactory(self) -> type[Factory]:  # noqa: N802 - gpiozero's name
            os.chdir(folder)
            return Factory

    return Module("gpiozero.pins.lgpio")


class TestConverters:
    """HX711s on RPi.GPIO."""

    def test_twenty_converters_are_read(self, rpi: Any, pi_4: Path) -> None:
        """In the order of their pins, whatever the pins."""
        lines = open_converters(11, tuple(range(2, 10)), pi_4)
        while lines.read_data():
            pass
        found = shift(lines)
        if not found.overlong:  # this machine may be busy
            assert [found.raw(channel) for channel in range(8)] == [100_000 + 1_111 * c for c in range(8)]
        assert rpi.WORLD.inputs == list(range(2, 10))
        assert set(rpi.WORLD.pulled.values()) == {rpi.PUD_UP}
        lines.close()
        lines.close()
        assert rpi.WORLD.cleaned == [11, *range(2, 10)]

    def test_a_line_without_a_converter_is_pulled_up_and_says_not_ready(self, rpi: Any, pi_4: Path) -> None:
        """A floating input would say anything."""
        lines = open_converters(11, (5, 6), pi_4)
        rpi.WORLD.world.converters[0].gone = True
        while lines.read_data() != 0b01:
            pass
        lines.close()

    def test_the_stand_in_is_refused_by_what_it_is(self, monkeypatch: pytest.MonkeyPatch, pi_4: Path) -> None:
        """Whatever name it was installed under: it has no core (waveform80/rpi-lgpio#2)."""
        stand_in = ModuleType("RPi.GPIO")
        stand_in.output = lambda _pin, _value: None  # type: ignore[attr-defined] # a module is what one makes it
        package = ModuleType("RPi")
        package.GPIO = stand_in  # type: ignore[attr-defined] # ditto
        monkeypatch.setitem(sys.modules, "RPi", package)
        monkeypatch.setitem(sys.modules, "RPi.GPIO", stand_in)
        monkeypatch.delitem(sys.modules, "RPi._GPIO", raising=False)
        with pytest.raises(HeaderError, match=r"stands in for it \(such as rpi-lgpio\)"):
            open_converters(11, (5,), pi_4)

    def test_a_pi_5_is_refused_before_anything_is_imported(self, tmp_path: Path) -> None:
        """RPi.GPIO's own words would explain nothing (gpiozero#1172)."""
        model = tmp_path / "model"
        model.write_bytes(b"Raspberry Pi 5 Model B Rev 1.0\0")
        with pytest.raises(HeaderError, match="cannot be read from the pins of a Raspberry Pi 5"):
            open_converters(11, (5,), model)

    def test_what_the_real_one_says_off_a_pi_is_explained(
        self, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
    ) -> None:
        """It raises a RuntimeError when it is imported."""
        package = tmp_path / "there" / "RPi"
        package.mkdir(parents=True)
        (package / "__init__.py").touch()
        (package / "GPIO.py").write_text(
            "raise RuntimeError('This module can only be run on a Raspberry Pi!')"
        )
        monkeypatch.syspath_prepend(str(package.parent))
        for name in ("RPi", "RPi.GPIO"):
            monkeypatch.delitem(sys.modules, name, raising=False)
        with pytest.raises(HeaderError, match="runs on a Raspberry Pi only, and this machine is no"):
            open_converters(11, (5,), tmp_path / "none")
        sys.modules.pop("RPi", None)

    def test_without_the_library_it_is_said_what_to_install(
        self, monkeypatch: pytest.MonkeyPatch, pi_4: Path
    ) -> None:
        """Or to take a Pico."""
        monkeypatch.setitem(sys.modules, "RPi", None)
        with pytest.raises(HeaderError, match=r"RPi.GPIO is not installed .*\[pi\].*Pico"):
            open_converters(11, (5,), pi_4)

    def test_pins_that_may_not_be_used_are_explained(
        self, rpi: Any, pi_4: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        """A user outside of the group gpio."""

        def setup(*_pins: object, **_how: object) -> None:
            raise RuntimeError("No access to /dev/mem.  Try running as root!")

        monkeypatch.setattr(rpi, "setup", setup)
        with pytest.raises(HeaderError, match="as a user of the group gpio"):
            open_converters(11, (5,), pi_4)


def test_the_model_is_what_the_device_tree_says(pi_4: Path, tmp_path: Path) -> None:
    """Without the zero at its end; nothing where there is none."""
    assert machine_model(pi_4) == "Raspberry Pi 4 Model B Rev 1.4"
    assert machine_model(tmp_path / "none") == ""


def test_which_libraries_are_installed_is_asked_of_the_installation(monkeypatch: pytest.MonkeyPatch) -> None:
    """By the names of distributions: modules cannot tell one from the other."""

    def version(name: str) -> str:
        if name == "RPi.GPIO":
            return "0.7.1"
        raise metadata.PackageNotFoundError(name)

    monkeypatch.setattr(metadata, "version", version)
    assert installed_libraries() == ("RPi.GPIO",)
