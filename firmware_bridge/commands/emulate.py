"""`togyz emulate`: a board that is not there, on a real line."""

from __future__ import annotations

import sys
from dataclasses import replace
from typing import Annotated

import typer

from firmware_bridge.commands.common import ConfigFile, config_of, errors_told, fail, later, say
from firmware_bridge.config import Config, ProfileName
from firmware_bridge.emulator.actions import Reach
from firmware_bridge.emulator.emulator import EmulatorSettings, measure
from firmware_bridge.emulator.pace import MANNERS, PACES
from firmware_bridge.emulator.records import RecordError, bundled_record, load_record
from firmware_bridge.emulator.service import run_emulator
from firmware_bridge.layout import PLACES, Seat, Seating, Wiring
from sensors.calibration import CalibrationError
from sensors.calibration_file import save_calibration
from sensors.device.port import DevicePathError
from sensors.simulator.profile import PROFILES


def emulate(
    config: ConfigFile,
    *,
    calibrate: Annotated[
        bool,
        typer.Option(help=later("cli.emulate.calibrate")),
    ] = True,
    commands: Annotated[
        bool,
        typer.Option(help=later("cli.emulate.commands")),
    ] = False,
    profile: Annotated[
        ProfileName | None,
        typer.Option(help=later("cli.emulate.profile"), show_default=False),
    ] = None,
) -> None:
    """Emulate a board: cells, stones, two players' hands and the microcontroller.

    What happens is told in lines of JSON, for programs.
    """
    loaded = config_of(config)
    with errors_told(RecordError, DevicePathError, CalibrationError):
        settings = settings_of(loaded, profile)
        if calibrate and not loaded.calibration.file.exists():
            save_calibration(loaded.calibration.file, measure(settings))
        try:
            run_emulator(settings, commands_fd=sys.stdin.fileno() if commands else None)
        except BrokenPipeError as error:
            raise fail(say("cli.emulate.unread")) from error


def settings_of(config: Config, profile: ProfileName | None = None) -> EmulatorSettings:
    """Return the emulated board a configuration describes; a `profile` stands instead of the file's.

    Raises:
        RecordError: The record cannot be read or played.
    """
    emulator = config.emulator
    record = bundled_record("2009") if emulator.record is None else load_record(emulator.record)
    wired = config.layout.wiring()
    seating = Seating(wired, config.game.bastaushy_seat)
    # Without cells the stones lie on stacks of their own, which no channel of the device reads.
    places = seating.channel_of_place if wired.weighs else tuple(range(PLACES))
    beams = seating.beam_of_place
    return EmulatorSettings(
        device_path=config.device.port,
        record=record,
        seed=emulator.seed,
        speed=emulator.speed,
        pace=PACES[emulator.pace],
        manners=MANNERS[emulator.manners],
        profile=PROFILES[profile or emulator.profile],
        sample_rate_hz=emulator.samples_per_second,
        board_id=config.board.id,
        beams=beams if any(beam is not None for beam in beams) else (),
        weighed=wired.weighs,
        stop_after=0 if emulator.hands == "told" else None,
        wiring=replace(Reach.of(places, seating), others=_others(wired)),
    )


def _others(wired: Wiring) -> dict[tuple[str, Seat | None], int]:
    """Return the buttons that are no clock's, by what they are for and the seat they are at."""
    found: dict[tuple[str, Seat | None], int | None] = {
        ("call", None): wired.button_arbiter,
        ("call", "a"): wired.button_call_a,
        ("call", "b"): wired.button_call_b,
        ("draw", "a"): wired.button_draw_a,
        ("draw", "b"): wired.button_draw_b,
    }
    return {key: button for key, button in found.items() if button is not None}
