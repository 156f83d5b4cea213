"""`togyz pins`: a board without a microcontroller, read from the header of a Raspberry Pi."""

from __future__ import annotations

from firmware_bridge import __version__
from firmware_bridge.commands.common import (
    EXIT_FAILED,
    ConfigFile,
    config_of,
    errors_told,
    fail,
    log_to_stderr,
    say,
)
from firmware_bridge.config import Config
from firmware_bridge.notify import ServiceManager, service_manager
from firmware_bridge.pins.header_device import HeaderSettings
from firmware_bridge.pins.service import PinsProgram, Wired
from sensors.device.port import DevicePathError
from sensors.header import HeaderError, UnfitError


def pins(config: ConfigFile) -> None:
    """Offer the header pins as the board's device, at `[device] port`."""
    loaded = config_of(config)
    if loaded.pins.empty:
        raise fail(say("cli.pins.none", config=config))
    log_to_stderr()
    with errors_told(DevicePathError, HeaderError, code=EXIT_FAILED), errors_told(UnfitError):
        program_of(loaded, service_manager()).run()


def program_of(config: Config, manager: ServiceManager | None = None) -> PinsProgram:
    """Return the program that a configuration describes; `manager` is told how it stands."""
    table = config.pins
    settings = HeaderSettings(
        board_id=config.board.id,
        firmware=f"togyz-pins {__version__}",
        cells=len(table.data),
        beams=len(table.beams),
        buttons=len(table.buttons),
        rate_hz=float(table.rate),
        lamps=tuple(pin is not None for pin in table.lamps),
        buzzer=table.buzzer is not None,
        still_us=table.debounce_ms * 1000,
    )
    wired = Wired(
        factory=table.factory,
        clock=table.clock,
        data=table.data,
        gain=table.gain,
        buttons=table.buttons,
        beams=table.beams,
        beams_high=table.beams_high,
        lamps=table.lamps,
        buzzer=table.buzzer,
    )
    return PinsProgram(settings, wired, config.device.port, manager)
