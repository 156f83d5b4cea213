"""`togyz board`: one board, read, refereed, journalled and published."""

from __future__ import annotations

import asyncio
import logging
import secrets
import time
from collections.abc import Iterator
from pathlib import Path

from firmware_bridge.board.control import ControlError
from firmware_bridge.board.memory.journal import Journal, JournalError
from firmware_bridge.board.runtime import Board
from firmware_bridge.board.settings import BoardSettings, GamePlan, TraceSettings
from firmware_bridge.board.table import Table
from firmware_bridge.board.vigil import Vigil
from firmware_bridge.commands.common import (
    EXIT_FAILED,
    ConfigFile,
    config_of,
    errors_told,
    fail,
    keys_told,
    log_to_stderr,
    say,
)
from firmware_bridge.commands.publishing import PatientPublisher
from firmware_bridge.commands.running import run_until_stopped
from firmware_bridge.config import Config, ConfigError
from firmware_bridge.layout import Wiring, named_channels
from firmware_bridge.notify import ServiceManager, service_manager
from firmware_bridge.wire.command_line import CommandLine
from firmware_bridge.wire.gate import Gate
from firmware_bridge.wire.key_files import load_keys
from sensors.calibration import Calibration, CalibrationError, ChannelKind
from sensors.calibration_file import load_calibration

READ_BYTES_S = 200_000
"""How much of a journal the slowest Pi reads in a second and more; 4 MB were measured on a desktop."""

START_S = 60.0
"""What a start may take besides that, as `togyz-board@.service` says."""

log = logging.getLogger(__name__)


def board(config: ConfigFile) -> None:
    """Read a board, referee its game, write the journal and publish it."""
    loaded = config_of(config)
    if not loaded.calibration.file.exists():  # the other slip of everybody's first day
        raise fail(say("cli.board.no_calibration", file=loaded.calibration.file, config=config))
    log_to_stderr()
    with (
        keys_told(),
        errors_told(CalibrationError, ConfigError),
        errors_told(JournalError, ControlError, code=EXIT_FAILED),
    ):
        settings = settings_of(loaded)
        asyncio.run(serve(loaded, settings, service_manager()))


def settings_of(config: Config) -> BoardSettings:
    """Return what the board's process needs from a configuration.

    Raises:
        CalibrationError: The calibration file cannot be used.
        ConfigError: The layout names a channel that it does not have.
    """
    game = config.game
    calibration = load_calibration(config.calibration.file)
    _check_channels(config, calibration)
    return BoardSettings(
        event_id=config.board.event,
        board_id=config.board.id,
        state_dir=config.board.state_dir / config.board.id,
        device_path=config.device.port,
        baud=config.device.baud,
        wiring=config.layout.wiring(),
        calibration=calibration,
        calibration_file=config.calibration.file,
        plan=GamePlan(
            names=(game.bastaushy, game.qostaushy),
            starter_seat=game.bastaushy_seat,
            control=game.time_control(),
            conducts=config.conducts(),
        ),
        language=config.board.language,
        routes={name: frozenset(routes) for name, routes in config.alerts},
        trace=TraceSettings(
            always=config.trace.always,
            folder=config.trace.folder or config.board.state_dir / config.board.id / "traces",
            file_bytes=config.trace.file_mb * 1_000_000,
            total_bytes=config.trace.total_mb * 1_000_000,
        ),
    )


def _check_channels(config: Config, calibration: Calibration) -> None:
    """Refuse a layout whose channels the calibration does not have, or knows as the other kind of sensor."""
    wiring, known = config.layout.wiring(), calibration.channels
    for key, channel, kind in _named(wiring):
        if channel >= len(known):
            raise ConfigError(
                say(
                    "cli.board.no_channel",
                    key=key,
                    channel=channel,
                    file=config.calibration.file,
                    last=len(known) - 1,
                )
            )
        if known[channel].kind is not kind:
            raise ConfigError(
                say(
                    "cli.board.other_kind",
                    key=key,
                    channel=channel,
                    file=config.calibration.file,
                    kind=known[channel].kind.value,
                    due=kind.value,
                )
            )


def _named(wiring: Wiring) -> Iterator[tuple[str, int, ChannelKind]]:
    """Yield each channel of a layout with its key, and what its sensor is to be."""
    for key, channel in named_channels(wiring):
        yield key, channel, ChannelKind.COUNT if key.startswith("beam") else ChannelKind.LOAD


def line_of(config: Config) -> CommandLine | None:
    """Return the line on which this board is commanded, with a boot and a nonce of its own; None: none.

    Raises:
        KeyFileError: Its keys cannot be used.
    """
    if config.board.keys is None:
        log.info("no `keys` in [board]: commands are taken on this machine only (togyz enrol makes keys)")
        return None
    who = config.board
    gate = Gate(
        load_keys(config.board.keys),
        who.event,
        who.id,
        boot_id=secrets.token_hex(16),
        nonce=secrets.token_hex(16),
    )
    if not gate.offer.keys:
        log.warning("%s has no key for board %s of event %s", config.board.keys, who.id, who.event)
    return CommandLine(gate)


def reading_s(journal: Path) -> float:
    """Return how long the start of a board may take that reads this journal; without one it is short."""
    try:
        return START_S + journal.stat().st_size / READ_BYTES_S
    except OSError:
        return START_S


async def serve(config: Config, settings: BoardSettings, manager: ServiceManager) -> None:
    """Run the board until the program is asked to stop; it waits for no broker.

    Args:
        config: The configuration.
        settings: What the board's process needs of it.
        manager: Who hears how the board stands.

    Raises:
        JournalError: The journal cannot be opened, trusted or written.
        ControlError: The control socket cannot be made.
        KeyFileError: The keys cannot be used.
    """
    begun_s = time.monotonic()
    line = line_of(config)
    path = settings.state_dir / "journal.jsonl"
    manager.status(f"reading {path}")
    manager.extend(reading_s(path))
    journal = Journal.open(path)
    try:
        if journal.torn_bytes:
            log.warning(
                "%s: %d bytes of a half-written record were cut off its end; they are kept in %s",
                journal.path,
                journal.torn_bytes,
                journal.torn_path,
            )
        table = Table(settings, journal)
        publisher = PatientPublisher(
            config.broker,
            config.board.state_dir,
            table.who,
            table.rows,
            settings.state_dir / "outbox.cursor",
            line,
        )
        publisher.start()
        try:
            vigil = Vigil(manager, str(settings.device_path), begun_s)
            board = Board(settings, journal, table, publisher, line, vigil)
            await run_until_stopped(board.run(), "board", manager)
        finally:
            await publisher.close()
    finally:
        journal.close()
