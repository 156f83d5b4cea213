"""The board itself: which channel weighs what, how a cell is built in, and how all is fed."""

from __future__ import annotations

from typing import Final

from deploy.wiring.facts import Pico
from deploy.wiring.svg import KINDS, Sheet
from firmware_bridge.layout import Wiring

PIT: Final = 78
RED: Final = "#c0392b"


def board_sheet(wiring: Wiring) -> Sheet:
    """Draw the board from above with the channel of each pit and kazan, and the buttons."""
    sheet = Sheet(980, 560, "The board from above: the channel of each pit")
    sheet.lines(
        20, 62,
        "Large: the channel, as HELLO and `togyz doctor` count them, from 0. Small: the place.",
        "Each player's pits count from his left; his kazan lies in the other half (regulations 1.1.2).",
    )  # fmt: skip
    sheet.box(90, 120, 800, 330, fill="#f6ead7", radius=18)
    kazans = (("A", wiring.kazan_a, 228), ("B", wiring.kazan_b, 292))
    for seat, channel, y in kazans:
        sheet.box(130, y, 720, 50, fill=KINDS["cell"], radius=25)
        sheet.text(470, y + 33, str(channel), anchor="middle", size=22, bold=True)
        sheet.text(510, y + 31, f"kazan {seat}")
    for index in range(9):
        x = 130 + index * 80
        _pit(sheet, x, 356, wiring.side_a[index], f"A{index + 1}")
        _pit(sheet, 130 + (8 - index) * 80, 136, wiring.side_b[index], f"B{index + 1}")
    sheet.text(490, 112, "the player at side B sits here", anchor="middle", bold=True)
    sheet.text(490, 474, "the player at side A sits here", anchor="middle", bold=True)
    buttons = (
        (910, 380, f"{wiring.button_a}", "clock A"),
        (910, 160, f"{wiring.button_b}", "clock B"),
        (910, 270, f"{wiring.button_arbiter}", "arbiter"),
    )
    for x, y, number, words in buttons:
        sheet.circle(x + 28, y + 16, 18, fill=KINDS["button"])
        sheet.text(x + 28, y + 22, number, anchor="middle", size=16, bold=True)
        sheet.text(x + 28, y + 54, words, anchor="middle")
    sheet.lines(
        20, 512,
        "Another order of the wires is no fault: write it into [layout]; `togyz calibrate` finds it out.",
        "Count sensors, where a board has them, take the channels behind the cells: 20 for A1, and so on.",
    )  # fmt: skip
    return sheet


def _pit(sheet: Sheet, x: float, y: float, channel: int, words: str) -> None:
    sheet.box(x, y, PIT - 6, PIT, fill=KINDS["cell"], radius=22)
    sheet.text(x + 36, y + 38, str(channel), anchor="middle", size=22, bold=True)
    sheet.text(x + 36, y + 62, words, anchor="middle", size=12)


def power_sheet(pico: Pico) -> Sheet:
    """Draw who feeds whom: the Pico apart from the Raspberry Pi, the converters at 3.3 V."""
    pins = pico.config["PINS"]
    cells, buttons = len(pins["dout"]), len(pins["buttons"])
    sheet = Sheet(980, 660, "Power and lines of a board with a Pico")
    sheet.lines(
        20, 62,
        "The Pico has a supply of its own: its clock goes on, and no press is lost, while the Raspberry Pi",
        "restarts or its USB is off. Red: 5 V; rose: 3.3 V. All grounds are joined and left out here.",
    )  # fmt: skip
    sheet.block(30, 130, 150, 70, "Supply 5 V", "for the board alone", fill=KINDS["5 V"])
    sheet.block(260, 130, 130, 70, "Schottky diode", "1N5817")
    sheet.block(470, 110, 180, 260, "Pico", *_pico_lines(pico), fill="#e8f3ec")
    sheet.block(
        760,
        110,
        190,
        80,
        f"{cells} x HX711",
        "DVDD 3.3 V",
        "RATE high: 80 a second",
        fill=KINDS["cell"],
    )
    sheet.block(760, 225, 190, 60, f"{cells} load cells", "E+ E- A+ A-", fill="#f6ead7")
    sheet.block(760, 315, 190, 60, f"{buttons} buttons", "to ground", fill=KINDS["button"])
    sheet.block(470, 440, 180, 70, "74HCT595", "at 5 V", fill=KINDS["output"])
    sheet.block(
        760, 430, 190, 90, "2 displays TM1637", "4 lamps, 330 Ohm each", "buzzer", fill=KINDS["output"]
    )
    sheet.block(170, 280, 180, 80, "Raspberry Pi", "with a supply of its own", fill=KINDS["ground"])
    _feeds(sheet)
    sheet.lines(
        30, 560,
        "SCK: 100 Ohm in the line at the Pico, 10 kOhm to ground: no chip is off while the Pico starts.",
        "A module with one supply pin, VCC, gets 3.3 V there. One with AVDD apart may have 5 V at AVDD only.",
        f"GP{pins['shift']['data']} serves a button and the shift register: 1 kOhm between button and pin.",
        "Displays, and the buzzer behind its transistor, are fed from the same 5 V as the 74HCT595.",
        "Cables to buttons longer than 0.5 m: 10 kOhm from the line to 3V3.",
    )  # fmt: skip
    return sheet


def _pico_lines(pico: Pico) -> tuple[str, ...]:
    """Return what the Pico is joined to, as its pin map says it."""
    pins, shift = pico.config["PINS"], pico.config["PINS"]["shift"]
    buttons = ", ".join(map(str, pins["buttons"]))
    return (
        f"VSYS  pin {pico.header.index('VSYS') + 1}",
        f"3V3  pin {pico.header.index('3V3') + 1}",
        f"GP{min(pins['dout'])}-GP{max(pins['dout'])}  DOUT",
        f"GP{pins['sck']}  SCK",
        f"GP{buttons}  buttons",
        f"GP{min(shift.values())}-{max(shift.values())}  shift register",
    )


def _feeds(sheet: Sheet) -> None:
    """Draw the lines between the parts of the power sheet."""
    five, three = KINDS["5 V"], "#e79a9a"
    sheet.line((180, 165), (260, 165), color=five, width=4)
    sheet.line((390, 165), (470, 165), color=five, width=4)
    sheet.text(430, 156, "VSYS", anchor="middle", size=12)
    sheet.line((105, 200), (105, 475), (470, 475), color=five, width=4)
    sheet.text(290, 466, "5 V", anchor="middle", size=12)
    sheet.line((650, 475), (760, 475))
    sheet.line((650, 135), (760, 135), color=three, width=4)
    sheet.text(705, 127, "3V3", anchor="middle", size=12)
    sheet.line((650, 165), (760, 165))
    sheet.text(705, 181, "DOUT, SCK", anchor="middle", size=12)
    sheet.line((855, 190), (855, 225))
    sheet.line((650, 345), (760, 345))
    sheet.line((560, 370), (560, 440))
    sheet.text(570, 410, "data, clock, latch", size=12)
    sheet.line((350, 320), (470, 320), width=3)
    sheet.text(410, 311, "USB", anchor="middle", size=12)


def cell_sheet() -> Sheet:
    """Draw one pit in section: the cup on its cell, the stop below, the gap around."""
    sheet = Sheet(780, 530, "One pit in section: cup, cell, stop")
    sheet.lines(
        20, 62,
        "Not to scale. Nothing but the cell carries the cup: what touches the board takes weight from it.",
    )  # fmt: skip
    sheet.box(60, 380, 640, 30, fill="#c9b28d")
    sheet.text(80, 400, "floor of the board")
    sheet.box(60, 130, 110, 26, fill="#f6ead7")
    sheet.box(470, 130, 230, 26, fill="#f6ead7")
    sheet.text(585, 148, "top of the board", anchor="middle")
    sheet.line((186, 136), (186, 210), (454, 210), (454, 136), width=5)
    for x in (250, 290, 330, 370):
        sheet.circle(x, 194, 13, fill="#8a6b45")
    sheet.box(270, 212, 30, 58, fill="#c9cdd2")
    sheet.box(240, 270, 300, 36, fill="#dfe6ee")
    sheet.text(390, 293, "load cell (bar)", anchor="middle", bold=True)
    sheet.box(488, 306, 44, 74, fill="#c9cdd2")
    sheet.text(510, 350, "foot", anchor="middle", size=11)
    sheet.box(258, 318, 18, 62, fill=RED)
    sheet.line((540, 288), (585, 294), (600, 330), (585, 366), (552, 380), width=3)
    notes = (
        (178, 112, "gap of 1 mm all round: no rim touches"),
        (330, 240, "column from the cup to the free end of the bar; the other end is screwed to the floor"),
        (234, 350, "stop: a screw that catches the bar between 100 and 150 % of its load"),
        (622, 330, "cable loose, in a bow: a taut one is a spring"),
    )
    for number, (x, y, words) in enumerate(notes, start=1):
        sheet.circle(x, y, 11, fill="#ffffff", line=RED)
        sheet.text(x, y + 5, str(number), anchor="middle", size=12, bold=True, color=RED)
        sheet.text(80, 424 + number * 20, f"{number}  {words}")
    return sheet
