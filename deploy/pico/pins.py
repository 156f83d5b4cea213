"""Whether config.py can be meant, before anything is driven. Pure."""


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
            message names it. main.py writes it down on the device.
    """
    shift = config.PINS["shift"]
    for number, names in uses(config).items():
        if not 0 <= number <= 28 or number in (23, 24, 25):
            raise ValueError(f"config.py: GP{number} ({names[0]}) is not on the header")
        shared = shift and number == shift["data"] and sorted(names) == ["buttons", "data"]
        if len(names) > 1 and not shared:
            raise ValueError("config.py: GP{} serves twice: {}".format(number, " and ".join(names)))
    if shift and shift["latch"] != shift["clock"] + 1:
        raise ValueError("config.py: latch is GP{}, not the one behind clock".format(shift["latch"]))
    if shift and not all(0 <= number <= 7 for number in config.OUTPUTS.values()):
        raise ValueError("config.py: OUTPUTS of a shift register are 0..7")
    if config.GAIN_PULSES not in (1, 2, 3):
        raise ValueError(f"config.py: GAIN_PULSES is {config.GAIN_PULSES}, not 1, 2 or 3")
    channels = len(config.PINS["dout"]) + len(config.PINS["beams"])
    if channels > 52:
        raise ValueError(f"config.py: {channels} channels, at most 52")
