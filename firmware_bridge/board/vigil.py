"""What a board owes the service manager that started it: readiness, standing, signs of life (pure).

A sign of life is given only where the loop has done what a board is for since the last one: it took a
sample to its end, or there are none and the outage is declared, a device that is gone or a card that refuses.
A loop that stands still, a session that no longer takes samples and a port whose thread has ended give none,
so that the board is started again and goes on from its journal.
"""

from __future__ import annotations

from typing import Final, Protocol

from firmware_bridge.board.inputs import DeviceArrived, DeviceGone, DeviceTrouble, Input
from firmware_bridge.watchdog import Watchdog
from sensors.frames import FEATURE_LOADS, Hello
from sensors.samples import RawSample

DEVICE_PATIENCE_S: Final = 10.0
"""How long a board waits for its device before it is ready without: a Pico is enumerated in less than two."""

STEADY_CENTIHZ: Final = 100
"""A device that says it samples less often than once a second need not have sampled before a sign."""

FRESH_S: Final = 5.0
"""How old the last sample may be that shows a living board; after two the link declares that none come."""


class Manager(Protocol):
    """Who is told (`firmware_bridge.notify.ServiceManager`)."""

    @property
    def watchdog(self) -> Watchdog:
        """When the first sign of life is due."""

    def ready(self, status: str) -> None:
        """Hear that the board can be commanded, and how it stands."""

    def status(self, status: str) -> None:
        """Hear how the board stands now."""

    def alive(self) -> None:
        """Hear a sign of life."""


class Vigil:
    """One run of a board as its service manager sees it.

    Args:
        manager: Who is told; None: nobody.
        device: Path of the device, for people.
        begun_s: When the program began, on the host's monotonic clock like every `now_s` here.
    """

    def __init__(self, manager: Manager | None, device: str, begun_s: float) -> None:
        self._manager, self._device, self._begun_s = manager, device, begun_s
        self._watchdog = Watchdog() if manager is None else manager.watchdog
        self._gone: str | None = "nothing was heard of it yet"
        self._trouble = self._card = ""
        self._samples_due = self._sampled = False
        self._sampled_s = begun_s
        self._told: str | None = None

    def took(self, event: Input, source: object) -> None:
        """Take note of what the session has taken to its end, and what of the device it was made of."""
        match event:
            case DeviceArrived():
                self._gone, self._trouble = None, ""
            case DeviceGone(reason):
                self._gone = reason
            case DeviceTrouble(detail):
                self._trouble = detail
        match source:
            case Hello():
                self._samples_due = _samples_due(source)
            case RawSample():
                self._sampled, self._trouble = True, ""

    def card(self, why: str, now_s: float) -> None:
        """Take note of why the journal cannot be written, each time it is tried again; empty: it can.

        Nothing else is done meanwhile (house law 3), so this is where the loop shows that it lives.
        """
        self._card = why
        if self._told is not None:
            self._tell(now_s)
            self._sign(now_s)

    def tick(self, now_s: float, *, port_lives: bool) -> None:
        """Tell what is to be told now.

        Args:
            now_s: The time.
            port_lives: Whether the thread of the serial port runs; without it no device is ever heard again.
        """
        patient = now_s - self._begun_s < DEVICE_PATIENCE_S
        if self._told is None and self._gone is not None and patient:
            return
        self._tell(now_s)
        if self._sampled:
            self._sampled, self._sampled_s = False, now_s
        silence_told = self._gone is not None or self._trouble or not self._samples_due
        if port_lives and (silence_told or now_s - self._sampled_s < FRESH_S):
            self._sign(now_s)

    @property
    def _standing(self) -> str:
        if self._card:
            return f"degraded: {self._card}"
        if self._gone is not None:
            return f"degraded: no device at {self._device}: {self._gone}"
        if self._trouble:
            return f"degraded: {self._trouble}"
        return f"the device at {self._device} is read"

    def _tell(self, now_s: float) -> None:
        standing = self._standing
        if self._manager is None or standing == self._told:
            return
        if self._told is None:
            self._manager.ready(standing)
            self._watchdog = self._watchdog.given(now_s)  # it counts from there
        else:
            self._manager.status(standing)
        self._told = standing

    def _sign(self, now_s: float) -> None:
        if self._manager is not None and self._watchdog.due(now_s):
            self._manager.alive()
            self._watchdog = self._watchdog.given(now_s)


def _samples_due(hello: Hello) -> bool:
    """Tell whether a device of this hello samples steadily, so that the link notices when it does not."""
    steady = not hello.rate_centihz or hello.rate_centihz * hello.time_scale >= STEADY_CENTIHZ
    return bool(hello.features & FEATURE_LOADS and hello.channels and steady)
