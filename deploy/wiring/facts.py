"""What is wired to what, taken from where it is decided: firmware, layout, an example with `[pins]`."""

from __future__ import annotations

import json
import runpy
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

from firmware_bridge.config import load_config
from firmware_bridge.layout import Wiring

DEPLOY: Final = Path(__file__).resolve().parents[1]

BUTTONS: Final = ("clock of side A", "clock of side B", "arbiter's call")
"""What the first three buttons are (sensors/PROTOCOL.md, BUTTON)."""

OUTPUTS: Final[Mapping[str, str]] = {
    "dial_clock": "CLK of both displays",
    "dial_a": "DIO of display A",
    "dial_b": "DIO of display B",
    "lamp_a": "lamp of side A",
    "lamp_b": "lamp of side B",
    "lamp_attention": "attention lamp",
    "lamp_arbiter": "arbiter's lamp",
    "buzzer": "buzzer",
}
"""What an output drives, in words."""

RASPBERRY_PI: Final[tuple[str, ...]] = (
    *("3V3", "5V", "2", "5V", "3", "GND", "4", "14", "GND", "15", "17", "18", "27", "GND", "22", "23"),
    *("3V3", "24", "10", "GND", "9", "25", "11", "8", "GND", "7", "ID_SD", "ID_SC", "5", "GND", "6", "12"),
    *("13", "GND", "19", "16", "26", "20", "GND", "21"),
)
"""The 40 pins of a Raspberry Pi from pin 1: a number is a GPIO (documentation of the Raspberry Pi, GPIO)."""


@dataclass(frozen=True, slots=True)
class Use:
    """What one pin is for.

    Attributes:
        kind: Of `svg.KINDS`.
        words: What goes there.
    """

    kind: str
    words: str


FREE: Final = Use("free", "")


def place_of_channel(wiring: Wiring) -> dict[int, str]:
    """Return what each channel weighs: `A3` is pit 3 of the player at side A, from that player's left."""
    places = {channel: f"A{index + 1}" for index, channel in enumerate(wiring.side_a)}
    places |= {channel: f"B{index + 1}" for index, channel in enumerate(wiring.side_b)}
    for seat, channel in (("A", wiring.kazan_a), ("B", wiring.kazan_b)):
        if channel is not None:
            places[channel] = f"kazan {seat}"
    return places


def button_words(number: int) -> str:
    """Return what a button is, by its number."""
    return BUTTONS[number] if number < len(BUTTONS) else f"button {number}"


@dataclass(frozen=True, slots=True)
class Pico:
    """The device of deploy/pico.

    Attributes:
        header: The name of each pin of the header, from pin 1.
        by_gp: What each GP number is for.
        shift: What each output Q0..Q7 of the shift register drives.
        config: The values of config.py.
    """

    header: Sequence[str]
    by_gp: Mapping[int, Use]
    shift: Mapping[int, Use]
    config: Mapping[str, Any]


def pico() -> Pico:
    """Return the pin map as the firmware has it."""
    config = runpy.run_path(str(DEPLOY / "pico" / "config.py"))
    header = json.loads((DEPLOY / "pico" / "wiring.json").read_text("utf-8"))["header"]
    pins, places = config["PINS"], place_of_channel(Wiring())
    uses = {gp: Use("cell", f"cell {index}: {places[index]}") for index, gp in enumerate(pins["dout"])}
    uses[pins["sck"]] = Use("clock", "SCK of all cells")
    for number, gp in enumerate(pins["buttons"]):
        uses[gp] = Use("button", button_words(number))
    for name, gp in (pins["shift"] or {}).items():
        old = uses.get(gp)
        words = f"{name} of 74HCT595"
        uses[gp] = Use("output", words) if old is None else Use(old.kind, f"{old.words}, and {words}")
    shift = {output: Use("output", OUTPUTS[name]) for name, output in config["OUTPUTS"].items()}
    return Pico([header[str(pin)] for pin in range(1, 41)], uses, shift, config)


def raspberry_pi(example: Path) -> dict[int, Use]:
    """Return what each GPIO of a Raspberry Pi is for, as a configuration with `[pins]` says it."""
    config = load_config(example)
    pins, places = config.pins, place_of_channel(config.layout.wiring())
    uses = {gpio: Use("cell", f"cell {index}: {places[index]}") for index, gpio in enumerate(pins.data)}
    if pins.clock is not None:
        uses[pins.clock] = Use("clock", "SCK of all cells")
    for number, gpio in enumerate(pins.buttons):
        uses[gpio] = Use("button", button_words(number))
    for name in OUTPUTS:
        output: int | None = getattr(pins, name, None)
        if output is not None:
            uses[output] = Use("output", OUTPUTS[name])
    return uses
