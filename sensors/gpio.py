"""The pin header: the only file that imports gpiozero, RPi.GPIO and lgpio.

Converters are read through RPi.GPIO itself, since nothing else sets a pin in time (`header.py`); it reads one
pin a call, which does no harm while the clock is low. Buttons, count sensors, lamps and the buzzer go through
gpiozero with any pin factory. gpiozero looks for the header's chip by numbers that are out of date, so the
chip is found here, by its label, before gpiozero is asked.

The libraries are imported when they are needed: a machine without them runs all the rest.
"""

import os
import sys
from collections import deque
from collections.abc import Callable, Sequence
from contextlib import suppress
from functools import partial
from importlib import metadata
from pathlib import Path
from time import monotonic_ns
from typing import Any, NamedTuple

from sensors.gpiochips import gpio_chips
from sensors.header import (
    HeaderError,
    UnfitError,
    both_installed,
    header_chip,
    library_explained,
    reading_refused,
)

MODEL = Path("/proc/device-tree/model")
"""Where Linux says which machine this is."""

LIBRARIES = ("RPi.GPIO", "rpi-lgpio")
"""Two distributions of one module."""

BELIEVED_S = 1.0
"""A library's time of an edge is believed when it is no older: another clock would be off by far more."""

AUTO = "auto"


class Edge(NamedTuple):
    """An edge of an input.

    Attributes:
        number: which of the inputs, from 0.
        down: whether the line is low now.
        at_us: device time.
    """

    number: int
    down: bool
    at_us: int


def machine_model(path: Path = MODEL) -> str:
    """Return what the device tree calls this machine; "" where there is none."""
    try:
        return path.read_bytes().rstrip(b"\0").decode(errors="replace")
    except OSError:
        return ""


def installed_libraries() -> tuple[str, ...]:
    """Return which of `LIBRARIES` are installed."""
    found = []
    for name in LIBRARIES:
        with suppress(metadata.PackageNotFoundError):
            metadata.version(name)
            found.append(name)
    return tuple(found)


# -- the converters --------------------------------------------------------------------------------


class HeaderLines:
    """The lines of converters on the pins of RPi.GPIO (`hx711.Lines`)."""

    def __init__(self, gpio: Any, clock: int, data: Sequence[int]) -> None:
        self._gpio = gpio
        self._clock = clock
        self._pins = (clock, *data)
        self._bits = tuple((1 << channel, pin) for channel, pin in enumerate(data))
        self._closed = False
        gpio.setwarnings(False)  # noqa: FBT003 - the library's signature
        gpio.setmode(gpio.BCM)
        gpio.setup(clock, gpio.OUT, initial=gpio.LOW)
        for pin in data:
            # Pulled up, the line of a converter that is gone says "not ready".
            gpio.setup(pin, gpio.IN, pull_up_down=gpio.PUD_UP)

    def set_clock(self, *, high: bool) -> None:
        """Set the clock line."""
        self._gpio.output(self._clock, high)

    def read_data(self) -> int:
        """Return all data lines, one bit for each."""
        found, read = 0, self._gpio.input
        for bit, pin in self._bits:
            if read(pin):
                found |= bit
        return found

    def now_ns(self) -> int:
        """Return the machine's monotonic nanoseconds."""
        return monotonic_ns()

    def close(self) -> None:
        """Give the pins back; may be called twice."""
        if not self._closed:
            self._closed = True
            self._gpio.cleanup(list(self._pins))


def open_converters(clock: int, data: Sequence[int], model_file: Path = MODEL) -> HeaderLines:
    """Return the lines of converters on these GPIO numbers.

    Raises:
        UnfitError: they cannot be read on this machine, or not with the library that is installed.
        HeaderError: they cannot be read now.
    """
    model, libraries = machine_model(model_file), installed_libraries()
    _refuse(reading_refused(model, libraries, core=True))
    try:
        from RPi import GPIO  # noqa: PLC0415 - it raises where there is no Raspberry Pi
    except ImportError as error:
        raise UnfitError(
            f'RPi.GPIO is not installed ({error}): `pip install ".[pi]"` in the checkout, or connect the '
            "converters to a Pico (deploy/pico)"
        ) from error
    except RuntimeError as error:
        raise HeaderError(library_explained(str(error), model)) from error
    core = sys.modules.get("RPi._GPIO")
    real = core is not None and getattr(core, "output", None) is getattr(GPIO, "output", 0)
    _refuse(reading_refused(model, libraries, core=real))
    try:
        return HeaderLines(GPIO, clock, data)
    except RuntimeError as error:
        raise HeaderError(library_explained(str(error), model)) from error


def _refuse(why: str) -> None:
    if why:
        raise UnfitError(why)


# -- everything else -------------------------------------------------------------------------------


def open_factory(name: str, folder: Path) -> Any:
    """Return a pin factory of gpiozero.

    Args:
        name: gpiozero's name of it, or `auto`: what GPIOZERO_PIN_FACTORY says, else lgpio, else RPi.GPIO.
        folder: where lgpio may put the pipe it makes; it has to exist, and to be this program's alone: two
            programs would take each other's pipe away.

    Raises:
        UnfitError: there is no such factory, or no library.
        HeaderError: it cannot be used now.
    """
    _refuse(both_installed(installed_libraries()))
    try:
        from gpiozero.exc import GPIOZeroError  # noqa: PLC0415 - an extra
    except ImportError as error:
        raise UnfitError('gpiozero is not installed: `pip install ".[pi]"` in the checkout') from error
    chosen = name if name != AUTO else os.environ.get("GPIOZERO_PIN_FACTORY") or _best()
    try:
        return _lgpio_factory(folder) if chosen == "lgpio" else _factory(chosen)
    except HeaderError:
        raise
    except (GPIOZeroError, ImportError, RuntimeError, OSError) as error:
        raise HeaderError(
            f"gpiozero's pin factory {chosen!r} cannot be used here: {error}. Choose another with "
            "`factory` in [pins], or install what it needs"
        ) from error


def _best() -> str:
    for module, factory in (("lgpio", "lgpio"), ("RPi", "rpigpio")):
        if _there(module):
            return factory
    raise UnfitError(
        "no library for the header pins is installed: lgpio (from Python 3.13 on Debian's python3-lgpio) "
        'or RPi.GPIO; `pip install ".[pi]"` in the checkout, on a Raspberry Pi 5 `".[pi5]"`'
    )


def _there(module: str) -> bool:
    from importlib.util import find_spec  # noqa: PLC0415 - it is asked for once, at the start

    return find_spec(module) is not None


def _factory(name: str) -> Any:
    for entry in metadata.entry_points(group="gpiozero_pin_factories"):
        if entry.name == name.lower():
            return entry.load()()
    names = sorted(entry.name for entry in metadata.entry_points(group="gpiozero_pin_factories"))
    raise UnfitError(f"gpiozero has no pin factory {name!r}; it has {', '.join(names)}")


def _lgpio_factory(folder: Path) -> Any:
    """Return the factory of lgpio on the header's chip.

    lgpio makes a pipe named .lgd-nfy0 where it is imported, under systemd in / (gpiozero#1106, #1130,
    joan2937/lg#22), or where LG_WD says; and it goes there for good, so we come back.
    """
    chip = header_chip(gpio_chips())
    here = Path.cwd()
    os.environ["LG_WD"] = str(folder)
    for pipe in folder.glob(".lgd-nfy*"):  # of a run before that was killed
        pipe.unlink(missing_ok=True)
    try:
        from gpiozero.pins.lgpio import LGPIOFactory  # noqa: PLC0415 - an extra
    finally:
        os.chdir(here)
    return LGPIOFactory(chip=chip.number)


class Inputs:
    """Lines that are pulled up and go low: buttons and count sensors to ground.

    Args:
        factory: gpiozero's.
        pins: GPIO numbers.
        now_us: device time.

    Attributes:
        unwatched: why the library tells no edges of a pin, by its GPIO number; such a pin has to be looked at
            (gpiozero#1136: RPi.GPIO tells none on kernel 6.6 and later).

    Raises:
        HeaderError: a pin cannot be used.
    """

    def __init__(self, factory: Any, pins: Sequence[int], now_us: Callable[[], int]) -> None:
        from gpiozero import InputDevice  # noqa: PLC0415 - an extra

        self._factory, self._now_us = factory, now_us
        self._edges: deque[Edge] = deque()
        self._devices: list[Any] = []
        self._watches: list[Any] = []  # gpiozero keeps no hold on them
        self._bell, self._rope = os.pipe2(os.O_NONBLOCK | os.O_CLOEXEC)
        self.unwatched: dict[int, str] = {}
        try:
            for index, pin in enumerate(pins):
                make = partial(InputDevice, f"GPIO{pin}", pull_up=True, pin_factory=factory)
                self._devices.append(_opened(make, pin))
                self._watch(index, pin)
        except HeaderError:
            self.close()
            raise

    def _watch(self, index: int, pin: int) -> None:
        def changed(ticks: float, state: int) -> None:
            self._edges.append(Edge(index, not state, self._at_us(ticks)))
            with suppress(OSError):  # full: it rings already; closed: nobody listens
                os.write(self._rope, b"!")

        line = self._devices[index].pin
        self._watches.append(changed)
        try:
            line.bounce = None  # ours swallows nothing (debounce.py)
            line.edges = "both"
            line.when_changed = changed
        except Exception as error:  # noqa: BLE001 - each library raises errors of its own
            self.unwatched[pin] = str(error)

    def _at_us(self, ticks: float) -> int:
        now_us = self._now_us()
        ago_s = self._factory.ticks_diff(self._factory.ticks(), ticks)
        return now_us - round(ago_s * 1e6) if 0 <= ago_s <= BELIEVED_S else now_us

    def fileno(self) -> int:
        """Return a file that is readable while there are edges that nobody has taken."""
        return self._bell

    def edges(self) -> list[Edge]:
        """Return the edges that were told since the last time, in their order."""
        with suppress(BlockingIOError):
            os.read(self._bell, 4096)
        return [self._edges.popleft() for _ in range(len(self._edges))]

    def down(self) -> list[bool]:
        """Return which lines are low now."""
        return [not device.pin.state for device in self._devices]

    def close(self) -> None:
        """Give the pins back; may be called twice."""
        for device in self._devices:
            device.close()
        self._devices.clear()
        for end in (self._bell, self._rope):
            if end >= 0:
                os.close(end)
        self._bell = self._rope = -1


class Outputs:
    """Lines that are switched: lamps and the buzzer, off at the beginning and at the end.

    Args:
        factory: gpiozero's.
        pins: GPIO number of each; None: it is not there.

    Raises:
        HeaderError: a pin cannot be used.
    """

    def __init__(self, factory: Any, pins: Sequence[int | None]) -> None:
        from gpiozero import DigitalOutputDevice  # noqa: PLC0415 - an extra

        self._devices: list[Any] = []
        try:
            for pin in pins:
                make = partial(DigitalOutputDevice, f"GPIO{pin}", pin_factory=factory)
                self._devices.append(None if pin is None else _opened(make, pin))
        except HeaderError:
            self.close()
            raise
        self._on = [False] * len(self._devices)

    def switch(self, on: Sequence[bool]) -> None:
        """Switch each line; what has not changed is left alone."""
        for index, device in enumerate(self._devices):
            if device is not None and on[index] != self._on[index]:
                device.value = int(on[index])
                self._on[index] = on[index]

    def close(self) -> None:
        """Switch all off and give the pins back; may be called twice."""
        for device in self._devices:
            if device is not None:
                with suppress(
                    Exception
                ):  # of a chip that has gone; the next lamp is switched off all the same
                    device.off()  # closing alone lets the pin float
                    device.close()
        self._devices.clear()


def _opened(make: Callable[[], Any], pin: int) -> Any:
    """Return a device of gpiozero, or raise what is wrong with its pin."""
    try:
        return make()
    except Exception as error:  # each library raises errors of its own
        raise HeaderError(
            f"GPIO{pin} cannot be used: {error}. Another program may hold it; `gpioinfo` says which"
        ) from error
