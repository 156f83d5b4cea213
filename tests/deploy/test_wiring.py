"""The drawings in deploy/wiring: drawn from the firmware, the layout and an example, and up to date."""

from __future__ import annotations

import re
from dataclasses import replace
from itertools import pairwise
from xml.etree import ElementTree as ET

import pytest

from deploy.wiring.boards import power_sheet
from deploy.wiring.draw import HERE, sheets
from deploy.wiring.facts import RASPBERRY_PI, pico, place_of_channel, raspberry_pi
from firmware_bridge.layout import Wiring
from tests.house.committed import ROOT

NAMES = sorted(sheets())
WIDEST = 0.57
"""Width of a letter of DejaVu Sans, in sizes: the mean of a line is below this [measured on the drawings]."""


def test_every_drawing_is_as_it_would_be_drawn_now() -> None:
    """Who changes a pin draws anew: python -m deploy.wiring.draw."""
    drawn = {name: sheet.svg() for name, sheet in sheets().items()}
    kept = {path.stem: path.read_text("utf-8") for path in HERE.glob("*.svg")}
    assert sorted(kept) == sorted(drawn)
    assert [name for name in drawn if kept[name] != drawn[name]] == []


@pytest.mark.parametrize("name", NAMES)
def test_no_word_leaves_its_sheet(name: str) -> None:
    """Nor does one stand on another, within a line."""
    sheet = sheets()[name]
    spans: dict[str, list[tuple[float, float, str]]] = {}
    for text in ET.fromstring(sheet.svg()).iter(  # noqa: S314 - our own drawing
        "{http://www.w3.org/2000/svg}text"
    ):
        words, x, size = text.text or "", float(text.attrib["x"]), float(text.attrib["font-size"])
        width = len(words) * size * WIDEST
        start = x - width * {"start": 0, "middle": 0.5, "end": 1}[text.attrib.get("text-anchor", "start")]
        assert start >= 0, words
        assert start + width <= sheet.width, words
        spans.setdefault(text.attrib["y"], []).append((start, start + width, words))
    for line in spans.values():
        line.sort()
        assert [(one[2], other[2]) for one, other in pairwise(line) if one[1] > other[0]] == []


def test_the_power_sheet_says_the_pins_that_the_firmware_has() -> None:
    """Whoever solders by it must not find other numbers than in config.py."""
    there = pico()
    pins = {**there.config["PINS"], "dout": tuple(range(2, 12)), "sck": 22, "buttons": (20, 21)}
    words = power_sheet(replace(there, config={**there.config, "PINS": pins})).svg()
    for said in ("GP2-GP11  DOUT", "GP22  SCK", "GP20, 21  buttons", "10 x HX711", "2 buttons"):
        assert said in words


def test_every_cell_of_the_board_has_a_pin_of_its_own() -> None:
    """On the Pico, and on the header in the example; a place is the same on both."""
    places = sorted(place_of_channel(Wiring()).values())
    for uses in (pico().by_gp, raspberry_pi(ROOT / "deploy/examples/pins.toml")):
        cells = [use.words.partition(": ")[2] for use in uses.values() if use.kind == "cell"]
        assert sorted(cells) == places


def test_the_header_of_a_raspberry_pi_has_each_gpio_once() -> None:
    """Two pins of 3.3 V, two of 5 V, eight of ground, two of the identity chip, and GPIO 2 to 27."""
    numbers = sorted(int(name) for name in RASPBERRY_PI if name.isdigit())
    assert numbers == list(range(2, 28))
    others = [name for name in RASPBERRY_PI if not name.isdigit()]
    assert {name: others.count(name) for name in set(others)} == {
        "3V3": 2,
        "5V": 2,
        "GND": 8,
        "ID_SD": 1,
        "ID_SC": 1,
    }


def test_what_the_drawings_say_of_power_is_what_the_firmwares_wiring_says() -> None:
    """3.3 V at DVDD, a diode before VSYS, HCT at 5 V."""
    facts = (ROOT / "deploy/pico/wiring.json").read_text("utf-8")
    power = sheets()["power"].svg() + sheets()["shift-register"].svg()
    for part in ("74HCT595", "Schottky", "TM1637", "DVDD"):
        assert part.lower() in facts.lower()
        assert part in power
    assert re.search(r'"hx711_dvdd": \{"volts": 3\.3', facts)
    assert "DVDD 3.3 V" in power
