"""`togyz hall`: the pages."""

from __future__ import annotations

import asyncio
import logging
import resource
from pathlib import Path
from typing import Annotated

import typer

from firmware_bridge.commands.announcing import hall_announced
from firmware_bridge.commands.common import (
    EXIT_FAILED,
    ConfigFile,
    config_of,
    errors_told,
    fail,
    keys_told,
    later,
    log_to_stderr,
    reason_said,
    say,
)
from firmware_bridge.commands.running import address_said, broker_at_hand, run_until_stopped, showing_life
from firmware_bridge.config import Config
from firmware_bridge.discovery.notices import AUTO
from firmware_bridge.hall.ledger.store import LedgerError
from firmware_bridge.hall.settings import ConsoleSettings, HallError, HallSettings, ListenError
from firmware_bridge.notify import ServiceManager, service_manager
from firmware_bridge.wire.broker import BrokerError
from firmware_bridge.wire.key_files import load_keys
from rules.control_text import format_control

MOST_VIEWERS = 2000
"""What one small computer serves."""

SPARE_FILES = 100
"""Open files that are no viewers: broker, pages being fetched, the program itself."""

log = logging.getLogger(__name__)


def hall(
    config: ConfigFile,
    port: Annotated[
        int | None,
        typer.Option(help=later("cli.hall.port"), min=0, max=65535),
    ] = None,
) -> None:
    """Serve the pages of all boards of the event; their address is a line for programs too."""
    loaded = config_of(config)
    if loaded.broker.host == AUTO:
        raise fail(say("cli.hall.no_auto"))
    log_to_stderr()
    with keys_told(), errors_told(BrokerError, HallError, LedgerError, code=EXIT_FAILED):
        try:
            asyncio.run(serve(loaded, loaded.hall.port if port is None else port, service_manager()))
        except ListenError as error:
            why = reason_said(error.__cause__)
            told = say("cli.hall.cannot_listen", host=error.host, port=error.port, why=why)
            raise fail(told, EXIT_FAILED) from error


async def serve(config: Config, port: int, manager: ServiceManager) -> None:
    """Serve until the program is asked to stop; `manager` hears how the hall stands.

    Raises:
        BrokerError: No broker is configured and none can be started.
        HallError: The address cannot be listened on.
        LedgerError: The ledger cannot be opened.
        KeyFileError: The keys cannot be used.
    """
    console = ConsoleSettings(
        ledger=ledger_path(config),
        keys=None if config.hall.keys is None else load_keys(config.hall.keys),
        conduct=config.hall_conduct(),
        tournament=config.tournament.options(),
        control=format_control(config.game.time_control()),
    )
    # The web framework takes longer to load than everything else together; a board that is started
    # again in the middle of a game must not wait for it.
    from firmware_bridge.hall.gateway import run_hall  # noqa: PLC0415 - said above

    # No name of its own: a second hall of the event, on another machine, would throw this one out.
    async with broker_at_hand(config.broker, config.board.state_dir, "") as broker:
        settings = HallSettings(
            event_id=config.board.event,
            broker=broker,
            host=config.hall.host,
            port=port,
            show_counts=config.hall.show_counts,
            language=config.board.language,
            max_viewers=room_for_viewers(),
            console=console,
        )
        said = address_said("hall", manager)
        async with showing_life(manager), hall_announced(config, broker) as answers:

            def bound(host: str, port: int) -> None:
                said(host, port)
                answers(host, port)

            await run_until_stopped(run_hall(settings, bound), "hall", manager)


def ledger_path(config: Config) -> Path:
    """Return where the ledger of a configuration lies: one for each event, beside the boards' journals."""
    return config.board.state_dir / "hall" / f"{config.board.event}.ledger"


def room_for_viewers() -> int:
    """Raise the number of files this program may open, and return how many viewers that is enough for."""
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    wanted = 2 * MOST_VIEWERS  # a browser opens more than one connection
    wanted = wanted if hard == resource.RLIM_INFINITY else min(wanted, hard)
    if soft != resource.RLIM_INFINITY and soft < wanted:
        resource.setrlimit(resource.RLIMIT_NOFILE, (wanted, hard))
        soft = wanted
    room = MOST_VIEWERS if soft == resource.RLIM_INFINITY else min(MOST_VIEWERS, soft - SPARE_FILES)
    if room < MOST_VIEWERS:
        log.warning(
            "this system lets the hall open %d files: it serves %d viewers at most", soft, max(1, room)
        )
    return max(1, room)
