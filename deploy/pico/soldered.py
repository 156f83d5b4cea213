"""What is wrong in config.py, in words for whoever soldered the board. Pure; asked once, at the start.

Such a mistake does not go away by starting anew, and some make the Pico drive a pin that a chip drives too.
So with one of them nothing is driven, and main.py says it on the line until somebody comes.
"""

import frames

MOST_PIN = 28
INSIDE = (23, 24, 25)
"""GP numbers of a Pico that end on the board itself: its supply, USB and the LED (data sheet, 2.1)."""

MOST_WATCHDOG_MS = 8388
"""Of an RP2040 and of an RP2350 (data sheets)."""

OUTPUTS = ("dial_clock", "dial_a", "dial_b", "lamp_a", "lamp_b", "lamp_attention", "lamp_arbiter", "buzzer")
REGISTER = 8
"""Outputs of the shift register."""

NUMBERS = (
    ("RATE_HZ", 1, 1000),
    ("GAIN_PULSES", 1, 3),
    ("WATCHDOG_MS", 0, MOST_WATCHDOG_MS),
    ("BRIGHTNESS", 0, 7),
    ("TIME_SCALE", 1, frames.MAX_TIME_SCALE),
)
"""Names of config.py, with their least and most."""


def mistakes(config):
    """Return what is wrong, a sentence each; () where nothing is.

    Told are: a name that is missing or no number of its range, a GP number that there is not, a pin or an
    output that serves twice, an output nobody knows, more channels than a HELLO can say.
    """
    found = [
        f"{name} is {getattr(config, name, None)!r}: a whole number from {least} to {most} is needed"
        for name, least, most in NUMBERS
        if not _whole(getattr(config, name, None), least, most)
    ]
    found += _of_name(getattr(config, "BOARD_ID", None))
    try:
        found += _of_pins(config)
    except (AttributeError, KeyError, TypeError, ValueError) as error:
        found.append(f"PINS, OUTPUTS or UART is not made as in the config.py that came with it: {error!r}")
    return tuple(found)


def _whole(value, least, most):
    return isinstance(value, int) and least <= value <= most


def _of_name(name):
    if not isinstance(name, str):
        return [f"BOARD_ID is {name!r}: a text in quotes is needed"]
    raw = name.encode()
    if len(raw) > frames.MAX_TEXT or (raw and (min(raw) < 32 or 127 in raw)):
        return [f"BOARD_ID is {name!r}: at most {frames.MAX_TEXT} bytes without control characters"]
    return []


def _of_pins(config):
    pins, outputs = config.PINS, config.OUTPUTS
    shift = pins["shift"]
    found = [f"OUTPUTS: {name!r} is none of {', '.join(OUTPUTS)}" for name in outputs if name not in OUTPUTS]
    channels = len(pins["dout"]) + len(pins["beams"])
    if channels > frames.MAX_CHANNELS:
        found.append(f"PINS: {channels} channels, more than {frames.MAX_CHANNELS}")
    if bool({"dial_a", "dial_b"} & set(outputs)) != ("dial_clock" in outputs):
        found.append("OUTPUTS: a dial needs dial_clock and its own line, dial_a or dial_b")
    if shift:
        found += _twice([(f"OUTPUTS {name}", number) for name, number in outputs.items()], REGISTER - 1, "Q")
        if shift["latch"] != shift["clock"] + 1:
            found.append(f"PINS shift: latch must be the GP behind clock, {shift['clock'] + 1}")
    if config.LINE not in ("usb", "uart"):
        found.append(f'LINE is {config.LINE!r}: "usb" or "uart"')
    return found + _twice(_used(config, pins, shift, outputs), MOST_PIN, "GP")


def _used(config, pins, shift, outputs):
    """Return each use of a GP with its name; the shift register's data line may be a button's too."""
    used = [(f"PINS {key}[{n}]", number) for key in ("dout", "beams") for n, number in enumerate(pins[key])]
    if pins["dout"]:
        used.append(("PINS sck", pins["sck"]))
    for n, number in enumerate(pins["buttons"]):
        if not (shift and number == shift["data"]):
            used.append((f"PINS buttons[{n}]", number))
    if shift:
        used += [(f"PINS shift {key}", shift[key]) for key in ("data", "clock", "latch")]
    else:
        used += [(f"OUTPUTS {name}", number) for name, number in outputs.items()]
    if config.LINE == "uart":
        used += [(f"UART {key}", config.UART[key]) for key in ("tx", "rx")]
    return used


def _twice(used, most, kind):
    """Return what is no number from 0 to `most`, or stands in two places."""
    found, places = [], {}
    for place, number in used:
        if not _whole(number, 0, most):
            found.append(f"{place} is {number!r}: there are {kind}0 to {kind}{most}")
        elif kind == "GP" and number in INSIDE:
            found.append(f"{place} is {number}: GP{number} is not on the header")
        elif number in places:
            found.append(f"{kind}{number} is both {places[number]} and {place}: it can be one of them only")
        else:
            places[number] = place
    return found
