"""What the header pins have met, as a small file of JSON beside the port. Pure.

It is for `togyz doctor` and for people: the link has no place for it, since a host wants samples. The file
lies in the folder `PORT.pins`, is written anew every few seconds, and goes with the program.
"""

from __future__ import annotations

from dataclasses import asdict
from pathlib import PurePath

from firmware_bridge.pins.header_device import HeaderDevice, HeaderSettings
from sensors.hx711 import MOST_HIGH_NS
from sensors.hx711_bus import FEW_DISCARDED, Bus
from sensors.survey import rate_fits

FORM = 1
"""Of the file; a program that knows another one leaves it alone."""


def folder_of(port: PurePath) -> PurePath:
    """Return the folder that belongs to the program behind a port."""
    return port.with_name(port.name + ".pins")


def file_of(port: PurePath) -> PurePath:
    """Return where the report of the program behind a port lies."""
    return folder_of(port) / "report.json"


def report(
    header: HeaderDevice, settings: HeaderSettings, bus: Bus | None, now_us: int, **said: object
) -> dict[str, object]:
    """Return the report.

    Args:
        header: the device.
        settings: what is wired.
        bus: of its converters.
        now_us: device time.
        **said: what the caller adds: of the library, the pins, the process.
    """
    found: dict[str, object] = {
        "form": FORM,
        "board": settings.board_id,
        "firmware": settings.firmware,
        "boot_id": header.device.boot_id,
        "uptime_s": round(now_us / 1e6, 1),
        "host_heard": not header.device.host_lost,
        "samples": header.samples,
        "presses": header.presses,
        "dropped_data": header.device.dropped_data,
        **said,
    }
    if bus is not None:
        found["converters"] = {
            "rate_wired_hz": settings.rate_hz,
            "rate_measured_hz": None if bus.rate_hz is None else round(bus.rate_hz, 2),
            "discarded": round(bus.discarded, 4),
            "most_high_us": MOST_HIGH_NS / 1000,
            **asdict(bus.counters),
            "channels": list(bus.faults()),
        }
    return found


def complaints(bus: Bus, rate_hz: float) -> list[str]:
    """Return what is wrong with the converters as a whole and what to do, in English, for the log.

    Args:
        bus: of the converters.
        rate_hz: as their RATE pins are said to be wired.
    """
    found = []
    if bus.discarded >= FEW_DISCARDED:
        found.append(
            f"{bus.discarded:.1%} of the last readings were discarded: the clock was high for up to "
            f"{bus.counters.longest_high_ns / 1000:.0f} us where {MOST_HIGH_NS / 1000:.0f} are allowed, or a "
            f"reading took too long, up to {bus.counters.longest_read_ns / 1e6:.1f} ms. Stop other "
            "programs on this machine, or connect the converters to a Pico (deploy/pico)"
        )
    measured = bus.rate_hz
    if measured is not None and not rate_fits(measured, rate_hz):
        found.append(
            f"the converters give {measured:.1f} samples a second, not about {rate_hz:.0f}: wire their RATE "
            "pins (low is 10, high is 80), or set `rate` in [pins] to what they are"
        )
    found += [
        f"channel {channel}: its converter does not answer and is not waited for; look at its wires"
        for channel, fault in enumerate(bus.faults())
        if fault["excluded"]
    ]
    return found
