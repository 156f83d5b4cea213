"""`togyz table`: the page of the small screen at one board."""

from __future__ import annotations

import asyncio
import logging
from typing import Annotated

import typer

from firmware_bridge.commands.common import (
    EXIT_FAILED,
    ConfigFile,
    config_of,
    errors_told,
    later,
    log_to_stderr,
)
from firmware_bridge.commands.running import address_said, run_until_stopped, showing_life
from firmware_bridge.notify import ServiceManager, service_manager
from firmware_bridge.table.settings import TableError, TableSettings

log = logging.getLogger(__name__)


def table(
    config: ConfigFile,
    port: Annotated[
        int | None,
        typer.Option(help=later("cli.table.port"), min=0, max=65535),
    ] = None,
) -> None:
    """Serve the page of the table's screen; its address is a line for programs too."""
    loaded = config_of(config)
    log_to_stderr()
    board, screen = loaded.board, loaded.table
    settings = TableSettings(
        board_id=board.id,
        socket=board.state_dir / board.id / "control.sock",
        host=screen.host,
        port=screen.port if port is None else port,
        language=board.language,
        near=screen.near,
        turned=screen.turned,
    )
    with errors_told(TableError, code=EXIT_FAILED):
        asyncio.run(_serve(settings, service_manager()))


async def _serve(settings: TableSettings, manager: ServiceManager) -> None:
    # The web framework takes longer to load than everything else together.
    from firmware_bridge.table.server import run_table  # noqa: PLC0415 - said above

    async with showing_life(manager):
        await run_until_stopped(run_table(settings, address_said("table", manager)), "table", manager)
