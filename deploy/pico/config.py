"""What is soldered to this board, and what it is called: the one file of the device to edit.

It runs on the device and is read on computers too (drawings, tests), so it holds plain values only. The
wiring is told in README.md, the pins of the header and the power in wiring.json beside it.
"""

BOARD_ID = ""
"""Name of the board in HELLO, at most 32 bytes of UTF-8; "" makes one of the chip's own number."""

RATE_HZ = 80
"""What the RATE pins of the HX711 are strapped to, 80 or 10; without cells, how often counters are read."""

GAIN_PULSES = 1
"""Clocks behind the 24th, in every read: 1 channel A gain 128, 2 channel B gain 32, 3 channel A gain 64."""

PINS = {
    # DOUT of each cell's HX711, in the order of the channels; one base and 32 pins are read at once
    "dout": (0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19),
    # the clock of all of them
    "sck": 20,
    # count sensors, whose channels follow those of the cells; beam broken: low
    "beams": (),
    # button to ground: 0 clock of side A, 1 clock of side B, 2 the arbiter's call; others as the host is told
    "buttons": (21, 22, 26),
    # an eight-bit shift register (74HCT595) between the Pico and what it drives. Its data pin may be a
    # button's too, through 1 kOhm: it is an input between two words. clock and latch are neighbours.
    "shift": {"data": 26, "clock": 27, "latch": 28},
}
"""GP numbers. A board with pins to spare leaves "shift" None and names pins in OUTPUTS instead."""

OUTPUTS = {
    "dial_clock": 0,
    "dial_a": 1,
    "dial_b": 2,
    "lamp_a": 3,
    "lamp_b": 4,
    "lamp_attention": 5,
    "lamp_arbiter": 6,
    "buzzer": 7,
}
"""What is driven, and where: output Q0..Q7 of the shift register, or a GP number where there is none.

Leave out what is not there; HELLO then says so. Both dials are TM1637 displays on one clock line.
"""

LINE = "usb"
"""How the host is connected: "usb", or "uart" with UART below."""

UART = {"id": 0, "tx": 0, "rx": 1, "baud": 921600}
"""Only for LINE = "uart"; pins that no HX711 uses."""

WATCHDOG_MS = 8000
"""Without a sample for so long the device starts anew; 8388 is the chip's most, 0 switches it off."""

BRIGHTNESS = 4
"""Of the dials, 0..7."""

TIME_SCALE = 1
"""Device seconds per second: 1 on anything made of metal; tests run faster."""
