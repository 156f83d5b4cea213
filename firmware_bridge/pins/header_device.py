"""A device made of header pins: converters, count sensors, buttons, lamps and a buzzer behind one link. Pure.

Device time is wall time here: monotonic microseconds since the program began. Channels are the converters,
then the count sensors.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from sensors import frames
from sensors.debounce import STILL_US, Change, Debouncer
from sensors.device.device import Device, DeviceConfig
from sensors.device.signals import Sounder, lamps_lit
from sensors.hx711_bus import Bus, Sample

LAMPS = (frames.LAMP_SIDE_A, frames.LAMP_SIDE_B, frames.LAMP_ATTENTION, frames.LAMP_ARBITER)
"""The lamps in the order of their pins."""

NEVER_US = 1 << 60
"""No device time comes so far (PROTOCOL.md, section 6)."""

BEAM_STILL_US = 300
"""A count sensor's line is still so soon: a stone of 12 mm that falls 5 cm breaks a beam for 12 ms, and two
close together part for much less (estimate); comparators do not bounce like contacts."""


@dataclass(frozen=True, slots=True, kw_only=True)
class HeaderSettings:
    """What is wired to the header.

    Attributes:
        board_id: name of the board, at most 32 bytes of UTF-8.
        firmware: name and version as HELLO says them, likewise.
        cells: converters.
        beams: count sensors.
        buttons: buttons.
        rate_hz: samples a second as the converters are wired; without converters as often as is sampled.
        lamps: which of `LAMPS` are there.
        buzzer: whether there is one.
        still_us: how long a button must be still.
    """

    board_id: str
    firmware: str
    cells: int = 0
    beams: int = 0
    buttons: int = 0
    rate_hz: float = 80.0
    lamps: tuple[bool, ...] = (False,) * len(LAMPS)
    buzzer: bool = False
    still_us: int = STILL_US

    @property
    def features(self) -> int:
        """The `frames.FEATURE_x` bits of what is there."""
        has = {
            frames.FEATURE_LOADS: bool(self.cells or self.beams),
            frames.FEATURE_COUNTERS: bool(self.beams),
            frames.FEATURE_BUTTONS: bool(self.buttons),
            frames.FEATURE_LAMPS: any(self.lamps),
            frames.FEATURE_ARBITER_LAMP: self.lamps[-1],
            frames.FEATURE_BUZZER: self.buzzer,
        }
        return sum(bit for bit, there in has.items() if there)


class HeaderDevice:
    """One board's header.

    Args:
        settings: what is wired to it.
        boot_id: random, not 0.
        bus: of the converters; None without.
        down: which buttons, then which count sensors, are closed at the start.

    Attributes:
        device: the end of the link.
        samples: taken since the start.
        presses: of all buttons since the start.
    """

    def __init__(
        self, settings: HeaderSettings, boot_id: int, bus: Bus | None = None, down: Sequence[bool] = ()
    ) -> None:
        buttons, inputs = settings.buttons, settings.buttons + settings.beams
        self._bus = bus
        self._buttons = buttons
        self._period_us = round(1e6 / settings.rate_hz)
        self._contacts = [
            Debouncer(down=closed, still_us=settings.still_us if number < buttons else BEAM_STILL_US)
            for number, closed in enumerate([*down, *[False] * inputs][:inputs])
        ]
        self._pulses = [0] * settings.beams
        self._sampled_us = 0
        self._sounder = Sounder()
        self.samples = self.presses = 0
        self.device = Device(
            DeviceConfig(
                board_id=settings.board_id,
                firmware=settings.firmware,
                channels=settings.cells + settings.beams,
                buttons=buttons,
                rate_hz=settings.rate_hz,
                features=settings.features,
                reset_reason=frames.RESET_SOFTWARE,
            ),
            boot_id,
        )

    @property
    def next_us(self) -> int:
        """When something is due on the lines of the converters or count sensors, device time."""
        if self._bus is not None:
            return self._bus.next_us
        return self._sampled_us + self._period_us if self._pulses else NEVER_US

    @property
    def waits(self) -> bool:
        """Whether a contact has changed and is not decided on yet: it must be looked at again soon."""
        return any(contact.waits for contact in self._contacts)

    def edge(self, number: int, at_us: int, *, down: bool) -> None:
        """Take an edge of a button, or of a count sensor behind them."""
        self._changed([(number, change) for change in self._contacts[number].edge(at_us, down=down)])

    def look(self, down: Sequence[bool], at_us: int) -> None:
        """Take how all buttons, then all count sensors, are: it shows what no edge told, and decides."""
        self._changed(
            [
                (number, change)
                for number, (contact, closed) in enumerate(zip(self._contacts, down, strict=True))
                for change in contact.look(at_us, down=closed)
            ]
        )

    def poll(self, now_us: int) -> None:
        """Sample what is ready, and do what has become due."""
        if self._bus is not None:
            found = self._bus.poll(now_us) if now_us >= self._bus.next_us else None
            if found is not None:
                self._sample(found)
        elif self._pulses and now_us - self._sampled_us >= self._period_us:
            self._sampled_us = now_us
            self._sample(Sample(now_us, (), ()))
        self.device.poll(now_us, now_us)
        while self.device.sounds:
            self._sounder.begin(self.device.sounds.popleft(), now_us)

    def outputs(self, now_us: int) -> tuple[bool, ...]:
        """Return which of the lamps, in the order of `LAMPS`, shine now, and whether the buzzer sounds."""
        lit = lamps_lit(self.device.lit, now_us)
        return (*(bool(lit & lamp) for lamp in LAMPS), self._sounder.sounds(now_us))

    def _sample(self, cells: Sample) -> None:
        self.samples += 1
        counts = tuple(pulses % frames.PULSES_WRAP for pulses in self._pulses)
        status = (*cells.status, *(frames.STATUS_OK for _ in counts))
        self.device.sample(cells.time_us, (*cells.raw, *counts), status)

    def _changed(self, changes: Sequence[tuple[int, Change]]) -> None:
        for number, change in sorted(changes, key=lambda each: each[1].at_us):
            if not change.down:
                continue
            if number < self._buttons:
                self.presses += 1
                self.device.press(number, change.at_us)
            else:
                self._pulses[number - self._buttons] += 1
