"""Whether config.py can be meant, before anything is driven. Pure."""

import frames

NUMBERS = (
    ("RATE_HZ", 1, 1000),
    ("GAIN_PULSES", 1, 3),
    ("WATCHDOG_MS", 0, 8388),
    ("BRIGHTNESS", 0, 7),
    ("TIME_SCALE", 1, frames.MAX_TIME_SCALE),
)
"""Names of config.py with their least and most."""

OUTPUTS = ("dial_clock", "dial_a", "dial_b", "lamp_a", "lamp_b", "lamp_attention", "lamp_arbiter", "buzzer")


def uses(config):
    """Return what each GP number is used for: a dictionary of lists of words."""
    pins = config.PINS
    found = {}
    for name in ("dout", "beams", "buttons"):
        for number in pins[name]:
            found.setdefault(number, []).append(name)
    if pins["dout"]:
        found.setdefault(pins["sck"], []).append("sck")
    outputs = pins["shift"] or config.OUTPUTS
    for name in outputs:
        found.setdefault(outputs[name], []).append(name)
    if config.LINE == "uart":
        for name in ("tx", "rx"):
            found.setdefault(config.UART[name], []).append("uart " + name)
    return found


def check(config):
    """Refuse what cannot be meant.

    Raises:
        ValueError: a pin serves twice or is none of the header's, or a number is out of its range; the
            message names it. main.py says it on the line.
    """
    for name, least, most in NUMBERS:
        value = getattr(config, name, None)
        if not isinstance(value, int) or not least <= value <= most:
            raise ValueError(f"config.py: {name} is {value!r}, no whole number from {least} to {most}")
    _check_words(config)
    shift = config.PINS["shift"]
    for number, names in uses(config).items():
        if not isinstance(number, int) or not 0 <= number <= 28 or number in (23, 24, 25):
            raise ValueError(f"config.py: GP{number} ({names[0]}) is not on the header")
        shared = shift and number == shift["data"] and sorted(names) == ["buttons", "data"]
        if len(names) > 1 and not shared:
            raise ValueError("config.py: GP{} serves twice: {}".format(number, " and ".join(names)))
    if shift and shift["latch"] != shift["clock"] + 1:
        raise ValueError("config.py: latch is GP{}, not the one behind clock".format(shift["latch"]))
    if shift and not all(0 <= number <= 7 for number in config.OUTPUTS.values()):
        raise ValueError("config.py: OUTPUTS of a shift register are 0..7")
    channels = len(config.PINS["dout"]) + len(config.PINS["beams"])
    if channels > frames.MAX_CHANNELS:
        raise ValueError(f"config.py: {channels} channels, at most {frames.MAX_CHANNELS}")


def _check_words(config):
    """Refuse names that are none: a board_id the host would not believe, outputs nobody drives, a line."""
    name = config.BOARD_ID
    raw = name.encode() if isinstance(name, str) else b""
    if not isinstance(name, str) or len(raw) > frames.MAX_TEXT or (raw and (min(raw) < 32 or 127 in raw)):
        raise ValueError(
            f"config.py: BOARD_ID is {name!r}, no text of at most {frames.MAX_TEXT} bytes without controls"
        )
    for output in config.OUTPUTS:
        if output not in OUTPUTS:
            raise ValueError("config.py: OUTPUTS has {!r}, none of {}".format(output, ", ".join(OUTPUTS)))
    if bool({"dial_a", "dial_b"} & set(config.OUTPUTS)) != ("dial_clock" in config.OUTPUTS):
        raise ValueError(
            "config.py: OUTPUTS: a dial needs dial_clock and a line of its own, dial_a or dial_b"
        )
    if config.LINE not in ("usb", "uart"):
        raise ValueError(f"config.py: LINE is {config.LINE!r}, neither usb nor uart")
