"""The program behind `togyz pins`: hardware, pseudo terminal and clock in one loop."""

from __future__ import annotations

import gc
import json
import logging
import os
import secrets
import shutil
import time
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from firmware_bridge.notify import ServiceManager
from firmware_bridge.pins.header_device import HeaderDevice, HeaderSettings
from firmware_bridge.pins.report import complaints, file_of, folder_of, report
from firmware_bridge.signals import heard_by
from sensors.device.port import DevicePathError, Port
from sensors.gpio import HeaderLines, Inputs, Outputs, open_converters, open_factory
from sensors.header import HeaderError
from sensors.hx711_bus import Bus

log = logging.getLogger(__name__)

SHORTEST_WAIT_US = 500
LONGEST_WAIT_US = 20_000
LOOK_WAIT_US = 2_000
"""Bounds of one sleep of the loop, which an edge ends; the last while contacts have to be looked at, because
they bounce or their library tells no edges."""

REPORT_EVERY_US = 5_000_000
COMPLAIN_EVERY_US = 60_000_000
FIRST_COMPLAINT_US = 5_000_000
"""How often the file is written and the log told; the converters have had their time when it is first."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Wired:
    """GPIO numbers, and how they are used.

    Attributes:
        factory: gpiozero's name of its library, or `auto`.
        clock: of the converters; None without.
        data: of the converters, in the order of channels.
        gain: of the converters.
        buttons: in the order of their numbers.
        beams: count sensors, in the order of channels behind the converters.
        beams_high: whether a broken beam lets its pin go high.
        lamps: in the order of `header_device.LAMPS`; None where there is none.
        buzzer: None without.
    """

    factory: str = "auto"
    clock: int | None = None
    data: tuple[int, ...] = ()
    gain: int = 128
    buttons: tuple[int, ...] = ()
    beams: tuple[int, ...] = ()
    beams_high: bool = False
    lamps: tuple[int | None, ...] = (None,) * 4
    buzzer: int | None = None


class _Hardware:
    """The pins, opened; what is opened is closed, whatever fails."""

    def __init__(self, wired: Wired, folder: Path, start_ns: int) -> None:
        self._wired = wired
        self._start_ns = start_ns
        self.lines: HeaderLines | None = None
        self.inputs: Inputs | None = None
        self.outputs: Outputs | None = None
        self.factory: Any = None
        try:
            if wired.clock is not None:
                self.lines = open_converters(wired.clock, wired.data)
            self.factory = open_factory(wired.factory, folder)
            self.inputs = Inputs(self.factory, (*wired.buttons, *wired.beams), self.now_us)
            self.outputs = Outputs(self.factory, (*wired.lamps, wired.buzzer))
        except BaseException:
            self.close()
            raise

    def now_us(self) -> int:
        """Return device time."""
        return (time.monotonic_ns() - self._start_ns) // 1000

    def down(self) -> list[bool]:
        """Return which buttons are pressed and which beams are broken."""
        assert self.inputs is not None
        return [closed ^ self._turned(number) for number, closed in enumerate(self.inputs.down())]

    def edges(self) -> Iterator[tuple[int, int, bool]]:
        """Yield the edges that have come: number, device time, and whether it is pressed or broken now."""
        assert self.inputs is not None
        for edge in self.inputs.edges():
            yield edge.number, edge.at_us, edge.down ^ self._turned(edge.number)

    def _turned(self, number: int) -> bool:
        return self._wired.beams_high and number >= len(self._wired.buttons)

    def close(self) -> None:
        """Switch off and give back everything."""
        for each in (self.outputs, self.inputs, self.factory, self.lines):
            if each is not None:
                with suppress(Exception):  # of a chip that has gone: the others are given back all the same
                    each.close()


class PinsProgram:
    """The header pins of this machine as a device.

    Args:
        settings: what is there.
        wired: on which pins.
        port: the device's name, a symlink that is made.
        manager: who started the program, and is told when the pins are read.
    """

    def __init__(
        self, settings: HeaderSettings, wired: Wired, port: Path, manager: ServiceManager | None = None
    ) -> None:
        self._manager = manager or ServiceManager()
        self._settings = settings
        self._wired = wired
        self._path = port
        self._stop = False
        self._report_due_us = 0
        self._complain_due_us = FIRST_COMPLAINT_US
        self._host_lost = True

    def stop(self) -> None:
        """End soon; may be called from any thread or signal handler."""
        self._stop = True

    def run(self) -> None:
        """Serve until told to stop; SIGTERM and SIGINT do so in the main thread.

        Raises:
            DevicePathError: the name cannot be had.
            HeaderError: the pins cannot be used.
        """
        port, folder = Port(self._path), Path(folder_of(self._path))
        port.plug()  # first: who has the name has the folder
        try:
            _make(folder)
            with heard_by(lambda _number, _frame: self.stop()):
                hardware = _Hardware(self._wired, folder, time.monotonic_ns())
                try:
                    self._serve(port, hardware)
                except (HeaderError, DevicePathError):
                    raise
                except Exception as error:  # each library raises errors of its own
                    raise HeaderError(
                        f"the header pins can no longer be used: {type(error).__name__}: {error}. Look "
                        "whether the GPIO chip is still there (`gpiodetect`), and start the program anew"
                    ) from error
                finally:
                    self._manager.stopping()
                    hardware.close()
        finally:
            port.close()
            shutil.rmtree(folder, ignore_errors=True)

    def _serve(self, port: Port, hardware: _Hardware) -> None:
        settings, wired = self._settings, self._wired
        bus = None
        if hardware.lines is not None:
            bus = Bus(hardware.lines, len(wired.data), settings.rate_hz, wired.gain)
            bus.begin(hardware.now_us())
        header = HeaderDevice(settings, secrets.randbelow(2**32 - 1) + 1, bus, hardware.down())
        self._tell_ready(hardware)
        inputs = hardware.inputs
        assert inputs is not None
        gc.collect()
        gc.freeze()  # what is there stays: collecting must not look through it again
        while not self._stop:
            now_us = hardware.now_us()
            while data := port.read():
                header.device.receive(data, now_us, now_us)
            for number, at_us, down in hardware.edges():
                header.edge(number, at_us, down=down)
            header.look(hardware.down(), now_us)
            gc.disable()  # nothing may come between a clock's rise and fall
            header.poll(now_us)
            gc.enable()
            if hardware.outputs is not None:
                hardware.outputs.switch(header.outputs(now_us))
            port.flush(header.device.next_frame)
            self._tell(header, bus, hardware, now_us)
            self._live(now_us)
            rest_us = header.next_us - hardware.now_us()
            longest_us = LOOK_WAIT_US if inputs.unwatched or header.waits else LONGEST_WAIT_US
            port.wait(min(max(rest_us, SHORTEST_WAIT_US), longest_us) / 1e6, (inputs.fileno(),))

    def _tell_ready(self, hardware: _Hardware) -> None:
        library = type(hardware.factory).__name__
        log.info("%s: %s, %s", self._path, self._settings.firmware, library)
        self._manager.ready(f"the header's pins are read through {library}; no host yet")
        if hardware.inputs is not None:
            for pin, why in hardware.inputs.unwatched.items():
                log.warning(
                    "GPIO%d: %s tells no edges (%s); it is looked at every %d ms instead. "
                    "lgpio tells them with their times",
                    *(pin, library, why, LOOK_WAIT_US // 1000),
                )

    def _tell(self, header: HeaderDevice, bus: Bus | None, hardware: _Hardware, now_us: int) -> None:
        if header.device.host_lost != self._host_lost:
            self._host_lost = header.device.host_lost
            log.info("%s: host %s", self._path, "lost" if self._host_lost else "heard")
            self._manager.status(f"the header's pins are read; host {'lost' if self._host_lost else 'heard'}")
            self._report_due_us = now_us
        if bus is not None and now_us >= self._complain_due_us:
            self._complain_due_us = now_us + COMPLAIN_EVERY_US
            for complaint in complaints(bus, self._settings.rate_hz):
                log.warning("%s", complaint)
        if now_us >= self._report_due_us:
            self._report_due_us = now_us + REPORT_EVERY_US
            unwatched = sorted(hardware.inputs.unwatched) if hardware.inputs else []
            said = report(
                *(header, self._settings, bus, now_us),
                pid=os.getpid(),
                library=type(hardware.factory).__name__,
                chip=getattr(hardware.factory, "chip", None),
                unwatched=unwatched,
            )
            _write(Path(file_of(self._path)), said)

    def _live(self, now_us: int) -> None:
        """Give a sign of life when one is due; who comes here has just looked at all pins."""
        watchdog = self._manager.watchdog
        if watchdog.due(now_us / 1e6):
            self._manager.alive()
            self._manager.watchdog = watchdog.given(now_us / 1e6)


def _make(folder: Path) -> None:
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise DevicePathError(f"cannot make {folder}: {error.strerror}") from error


def _write(path: Path, said: dict[str, object]) -> None:
    """Write the file in one piece; that it cannot be written stops nothing."""
    fresh = path.with_name(f".{path.name}.new")
    try:
        fresh.write_text(json.dumps(said, indent=1) + "\n", encoding="utf-8")
        fresh.replace(path)
    except OSError as error:
        log.warning("%s: cannot be written (%s)", path, error.strerror)
