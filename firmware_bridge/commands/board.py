"""`togyz board`: one board, read, refereed, journalled and published."""

from __future__ import annotations

import asyncio

from firmware_bridge.board.control import ControlError
from firmware_bridge.board.journal import Journal, JournalError
from firmware_bridge.board.runtime import Board
from firmware_bridge.board.settings import BoardSettings, GamePlan
from firmware_bridge.board.table import Table
from firmware_bridge.commands.common import ConfigFile, config_of, errors_told, log_to_stderr
from firmware_bridge.commands.running import broker_at_hand, run_until_stopped
from firmware_bridge.config import Config
from firmware_bridge.wire.broker import BrokerError
from firmware_bridge.wire.publisher import BoardPublisher
from rules.clock import TimeControl
from sensors.calibration import CalibrationError
from sensors.calibration_file import load_calibration


def board(config: ConfigFile) -> None:
    """Read a board, referee its game, write the journal and publish it.

    It finds the device again when its cable is pulled, goes on with the same game after a crash or
    a power cut, and needs no broker, hall or network to do so: what could not be published is sent
    later. Stop it with Ctrl-C; nothing is lost.
    """
    loaded = config_of(config)
    log_to_stderr()
    with errors_told(CalibrationError, JournalError, ControlError, BrokerError):
        settings = settings_of(loaded)
        asyncio.run(serve(loaded, settings))


def settings_of(config: Config) -> BoardSettings:
    """Return what the board's process needs from a configuration.

    Raises:
        CalibrationError: The calibration file cannot be used.
    """
    game = config.game
    return BoardSettings(
        event_id=config.board.event,
        board_id=config.board.id,
        state_dir=config.board.state_dir / config.board.id,
        device_path=config.device.port,
        baud=config.device.baud,
        wiring=config.layout.wiring(),
        calibration=load_calibration(config.calibration.file),
        plan=GamePlan(
            names=(game.bastaushy, game.qostaushy),
            starter_seat=game.bastaushy_seat,
            control=TimeControl(
                base_ms=round(game.minutes * 60_000), increment_ms=round(game.increment_seconds * 1000)
            ),
            start_when_ready=game.start == "both_ready",
        ),
        language=config.board.language,
    )


async def serve(config: Config, settings: BoardSettings) -> None:
    """Run the board until the program is asked to stop.

    Raises:
        JournalError: The journal cannot be opened, trusted or written.
        BrokerError: No broker is configured and none can be started.
    """
    journal = Journal(settings.state_dir / "journal.jsonl")
    try:
        table = Table(settings, journal)
        async with broker_at_hand(config.broker, config.board.state_dir, settings.board_id) as broker:
            publisher = BoardPublisher(
                broker,
                settings.event_id,
                settings.board_id,
                journal.host_boot,
                table.rows,
                settings.state_dir / "outbox.cursor",
            )
            publishing = asyncio.create_task(publisher.run(), name="publisher")
            try:
                await run_until_stopped(Board(settings, journal, table, publisher).run(), "board")
            finally:
                await publisher.close()
                await asyncio.gather(publishing, return_exceptions=True)
    finally:
        journal.close()
