"""`togyz hall`: the pages."""

from __future__ import annotations

import asyncio
from typing import Annotated

import typer

from firmware_bridge.commands.common import ConfigFile, config_of, console, errors_told, log_to_stderr
from firmware_bridge.commands.running import broker_at_hand, run_until_stopped
from firmware_bridge.config import Config
from firmware_bridge.hall.settings import HallError, HallSettings
from firmware_bridge.wire.broker import BrokerError


def hall(
    config: ConfigFile,
    port: Annotated[
        int | None,
        typer.Option(help="Listen here instead of `hall.port`; 0 takes a free port.", min=0, max=65535),
    ] = None,
) -> None:
    """Serve the pages of all boards of the event.

    It knows a board only by what it publishes over MQTT: start it before or after the boards, on
    this machine or another. The address is printed when the pages can be opened.
    """
    loaded = config_of(config)
    log_to_stderr()
    with errors_told(BrokerError, HallError):
        asyncio.run(serve(loaded, loaded.hall.port if port is None else port))


async def serve(config: Config, port: int) -> None:
    """Serve until the program is asked to stop.

    Raises:
        BrokerError: No broker is configured and none can be started.
        HallError: The address cannot be listened on.
    """
    # The web framework takes longer to load than everything else together; a board that is started
    # again in the middle of a game must not wait for it.
    from firmware_bridge.hall.gateway import run_hall  # noqa: PLC0415 - said above

    async with broker_at_hand(config.broker, config.board.state_dir, f"hall-{config.board.event}") as broker:
        settings = HallSettings(
            event_id=config.board.event,
            broker=broker,
            host=config.hall.host,
            port=port,
            show_counts=config.hall.show_counts,
            language=config.board.language,
        )

        def tell(host: str, at: int) -> None:
            console.print(f"hall: http://{host}:{at}", soft_wrap=True)

        await run_until_stopped(run_hall(settings, tell), "hall")
