"""Pin headers with what goes to each pin: the Pico, its shift register, a Raspberry Pi."""

from __future__ import annotations

from typing import Final

from deploy.wiring.facts import FREE, RASPBERRY_PI, Pico, Use
from deploy.wiring.svg import KINDS, Anchor, Sheet

STEP: Final = 30
POWER: Final = {
    **dict.fromkeys(("GND", "AGND"), Use("ground", "ground")),
    "VSYS": Use("5 V", "supply, through a Schottky diode"),
    "VBUS": Use("free", "leave open"),
    "3V3": Use("3.3 V", "DVDD of all HX711"),
    "5V": Use("5 V", "supply of the Raspberry Pi"),
}
SIGNALS: Final = {"RUN": "reset", **dict.fromkeys(("3V3_EN", "ADC_VREF", "ID_SD", "ID_SC"), "leave open")}


def _pin(  # noqa: PLR0913, PLR0917 - a pin has a place, a number, a name and a use
    sheet: Sheet, side: Anchor, x: float, y: float, number: int, name: str, use: Use
) -> None:
    """Draw one pin at the edge x of its part, its name and what goes there to the left (`end`) or right."""
    way = -1 if side == "end" else 1
    sheet.box(x - 13, y - 11, 26, 22, fill="#f2d279")
    sheet.text(x, y + 5, str(number), anchor="middle", size=12)
    sheet.line((x + way * 13, y), (x + way * 34, y))
    left = x + way * 34 if way > 0 else x - 34 - 84
    sheet.box(left, y - 12, 84, 24, fill=KINDS[use.kind], radius=4)
    sheet.text(left + 42, y + 5, name, anchor="middle", bold=True)
    if use.words:
        sheet.text(x + way * 128, y + 5, use.words, anchor=side)


def pico_sheet(pico: Pico) -> Sheet:
    """Draw the Pico from above, its USB socket up."""
    sheet = Sheet(980, 800, "Raspberry Pi Pico or Pico 2: 20 cells, clock, buttons, shift register")
    sheet.lines(
        20, 62,
        "Seen from above, the USB socket up. A1 .. A9 and B1 .. B9 are the pits, from each player's left.",
        "Every input stands 3.3 V and no more: feed the HX711 from 3V3 (pin 36), or DOUT brings 5 V in.",
    )  # fmt: skip
    sheet.box(400, 110, 180, 640, fill="#e8f3ec", radius=12)
    sheet.block(455, 96, 70, 40, "USB", fill="#c9cdd2")
    sheet.text(490, 420, "Pico", anchor="middle", size=22, bold=True)
    sheet.text(490, 446, "RP2040", anchor="middle")
    sheet.text(490, 464, "or RP2350", anchor="middle")
    for index in range(20):
        left, right = pico.header[index], pico.header[39 - index]
        _pin(sheet, "end", 400, 160 + index * STEP, index + 1, left, _use_of(pico, left))
        _pin(sheet, "start", 580, 160 + index * STEP, 40 - index, right, _use_of(pico, right))
    sheet.legend(20, 780, "cell", "clock", "button", "output", "ground", "3.3 V", "5 V", "free")
    return sheet


def _use_of(pico: Pico, name: str) -> Use:
    if name in POWER:
        return POWER[name]
    if name.startswith("GP"):
        return pico.by_gp.get(int(name[2:]), FREE)
    return Use("free", SIGNALS.get(name, ""))


def shift_sheet(pico: Pico) -> Sheet:
    """Draw the shift register, notch up, and what each of its pins goes to."""
    shift = pico.config["PINS"]["shift"]
    sheet = Sheet(980, 500, "74HCT595: displays, lamps and buzzer on three pins of the Pico")
    sheet.lines(
        20, 62,
        "HCT, not HC: fed with 5 V it takes the Pico's 3.3 V as a 1 and drives the displays at 5 V. Nothing",
        "comes back to the Pico. 100 nF between pins 16 and 8. Each lamp: LED and 330 Ohm to ground.",
        "Buzzer: an active one of 5 V, through an NPN transistor with 1 kOhm at its base.",
    )  # fmt: skip
    q = {number: pico.shift.get(number, FREE) for number in range(8)}
    left = [(number, f"Q{number}", q[number]) for number in range(1, 8)] + [(8, "GND", POWER["GND"])]
    right = [
        (16, "VCC", Use("5 V", "5 V of the supply")),
        (15, "Q0", q[0]),
        (14, "DS", Use("output", f"data: GP{shift['data']}")),
        (13, "OE", Use("ground", "ground")),
        (12, "STCP", Use("output", f"latch: GP{shift['latch']}")),
        (11, "SHCP", Use("output", f"clock: GP{shift['clock']}")),
        (10, "MR", Use("5 V", "5 V of the supply")),
        (9, "Q7'", Use("free", "leave open")),
    ]
    _chip(sheet, left, right)
    sheet.legend(20, 475, "output", "ground", "5 V", "free")
    return sheet


def _chip(sheet: Sheet, left: list[tuple[int, str, Use]], right: list[tuple[int, str, Use]]) -> None:
    sheet.box(400, 130, 180, 300, fill="#e3e6ea", radius=6)
    sheet.circle(490, 130, 12, fill="#ffffff")
    sheet.text(490, 290, "74HCT595", anchor="middle", size=18, bold=True)
    for x, side, pins in ((400, "end", left), (580, "start", right)):
        for index, (number, name, use) in enumerate(pins):
            _pin(sheet, "end" if side == "end" else "start", x, 165 + index * 34, number, name, use)


def raspberry_pi_sheet(uses: dict[int, Use]) -> Sheet:
    """Draw the header of a Raspberry Pi as it is seen from above, the sockets down."""
    sheet = Sheet(980, 830, "Raspberry Pi up to 4: 20 cells and buttons straight on its header")
    sheet.lines(
        20, 62,
        "Seen from above, pin 1 at the corner with the card; for boards without a microcontroller.",
        "Every input stands 3.3 V and no more: feed the HX711 from 3V3 (pins 1 and 17).",
        "A Raspberry Pi 5 cannot keep the clock's time: there take a Pico.",
    )  # fmt: skip
    sheet.box(440, 118, 100, 640, fill="#e8f3ec", radius=8)
    for index, name in enumerate(RASPBERRY_PI):
        number, row = index + 1, index // 2
        left = number % 2 == 1
        label = f"GPIO{name}" if name.isdigit() else name
        use = (
            uses.get(int(name), FREE)
            if name.isdigit()
            else POWER.get(name, Use("free", SIGNALS.get(name, "")))
        )
        _pin(sheet, "end" if left else "start", 465 if left else 515, 140 + row * 31.5, number, label, use)
    sheet.legend(20, 805, "cell", "clock", "button", "output", "ground", "3.3 V", "5 V", "free")
    return sheet
