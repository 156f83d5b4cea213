"""`[pins]`: a board without a microcontroller, read from the pin header of a Raspberry Pi (`togyz pins`)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from typing import Annotated, Literal

from pydantic import BaseModel, ConfigDict, Field, Strict, model_validator

from firmware_bridge.config_values import Flag, Whole
from firmware_bridge.layout import Wiring
from firmware_bridge.mistakes import ValueMistakeError
from sensors.header import PINS

Pin = Annotated[int, Strict(), Field(ge=PINS.start, le=PINS.stop - 1)]
"""A GPIO number of the header (BCM numbering): 2 to 27."""

LAMPS = ("lamp_a", "lamp_b", "lamp_attention", "lamp_arbiter")
"""The lamps in the order of their bits on the wire."""


class PinsTable(BaseModel):
    """Which GPIO is what. Channel 0 of the board is the first pin of `data`; count sensors follow the cells.

    `factory` is gpiozero's name of the library for everything but the converters, `auto` the best one here.
    `rate` is what the converters' RATE pins are wired to, conversions a second; without converters it is how
    often the count sensors are told. `gain` is 128 or 64 for input A of the converters, 32 for input B.
    Button 0 is the first of `buttons`; buttons pull their pin to ground, and so do count sensors unless
    `beams_high` says that a broken beam lets it go.
    """

    model_config = ConfigDict(extra="forbid", frozen=True)

    factory: Annotated[str, Field(pattern=r"^[a-z]{1,32}$")] = "auto"
    clock: Pin | None = None
    data: tuple[Pin, ...] = ()
    rate: Literal[10, 80] = 80
    gain: Literal[32, 64, 128] = 128
    beams: tuple[Pin, ...] = ()
    beams_high: Flag = False
    buttons: tuple[Pin, ...] = ()
    debounce_ms: Annotated[Whole, Field(ge=5, le=100)] = 5
    lamp_a: Pin | None = None
    lamp_b: Pin | None = None
    lamp_attention: Pin | None = None
    lamp_arbiter: Pin | None = None
    buzzer: Pin | None = None

    @model_validator(mode="after")
    def _wired(self) -> PinsTable:
        if self.data and self.clock is None:
            raise ValueMistakeError("pins_clock")
        if self.clock is not None and not self.data:
            raise ValueMistakeError("pins_data")
        for pin, times in Counter(pin for _, pin in self.used()).items():
            if times > 1:
                keys = ", ".join(f"`{key}`" for key, other in self.used() if other == pin)
                raise ValueMistakeError("pins_twice", pin=pin, keys=keys)
        return self

    def used(self) -> Iterator[tuple[str, int]]:
        """Yield each pin that is in use, with its key."""
        for key in ("data", "beams", "buttons"):
            for index, pin in enumerate(getattr(self, key)):
                yield f"{key}[{index}]", pin
        for key in ("clock", *LAMPS, "buzzer"):
            if getattr(self, key) is not None:
                yield key, getattr(self, key)

    @property
    def empty(self) -> bool:
        """Whether nothing is read from the header: the device is another one."""
        return not (self.data or self.beams or self.buttons)

    def check(self, wiring: Wiring) -> None:
        """Refuse a layout that names channels or buttons which these pins do not have.

        Raises:
            ValueMistakeError: It does. A header of buttons alone is not held to the channels of the layout.
        """
        cells = wiring.channels if wiring.weighs else ()
        beams = (*wiring.beam_a, *wiring.beam_b, wiring.beam_kazan_a, wiring.beam_kazan_b)
        for channel in cells if self.channels else ():
            if channel >= len(self.data):
                raise ValueMistakeError("pins_channel", channel=channel, key="data")
        for beam in beams if self.channels else ():
            if beam is not None and not len(self.data) <= beam < self.channels:
                raise ValueMistakeError("pins_channel", channel=beam, key="beams")
        for button in wiring.buttons if self.buttons else ():
            if button >= len(self.buttons):
                raise ValueMistakeError("pins_button", button=button)

    @property
    def channels(self) -> int:
        """Channels of the board: cells, then count sensors."""
        return len(self.data) + len(self.beams)

    @property
    def lamps(self) -> tuple[int | None, ...]:
        """The pins of the lamps in the order of their bits on the wire; None where there is none."""
        return tuple(getattr(self, key) for key in LAMPS)
