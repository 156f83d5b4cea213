"""`togyz broker`: the broker that board and hall share when none is configured."""

from __future__ import annotations

import asyncio
import logging

from firmware_bridge.commands.common import (
    EXIT_FAILED,
    ConfigFile,
    config_of,
    console,
    errors_told,
    fail,
    log_to_stderr,
    say,
)
from firmware_bridge.commands.running import run_until_stopped, showing_life
from firmware_bridge.config import Config
from firmware_bridge.notify import ServiceManager, service_manager
from firmware_bridge.wire.broker import (
    Broker,
    BrokerError,
    BrokerTakenError,
    accepts_mqtt,
    start_broker,
)

log = logging.getLogger(__name__)

TURN_S = 2.0
"""How often a service looks whether another program's broker has ended; the boards wait for one meanwhile."""


def broker(config: ConfigFile) -> None:
    """Run a broker of our own on this machine until stopped.

    Its address is a line for programs, such as the demo, and the same in every language.
    """
    settings = config_of(config)
    if settings.broker.host is not None:
        raise fail(say("cli.broker.configured", file=config, host=settings.broker.host))
    log_to_stderr()
    manager = service_manager()
    with errors_told(BrokerError, code=EXIT_FAILED):
        # Whoever reads that line may stop us at once: a program that does not listen yet would leave the
        # broker to the kernel.
        asyncio.run(run_until_stopped(serve(settings, manager), "broker", manager))


async def serve(config: Config, manager: ServiceManager) -> None:
    """Run a broker until cancelled.

    Where another program runs the one of this machine, a service waits for its turn: a board that found none
    may have started its own, and takes it along when it ends.

    Raises:
        BrokerError: None can be started.
        BrokerTakenError: Another program runs it, and nobody watches over us.
    """
    running: Broker | None = None

    async def works() -> bool:
        return running is None or await accepts_mqtt(running.host, running.port)

    async with showing_life(manager, works):
        waiting = False
        while running is None:
            try:
                running = await start_broker(config.board.state_dir, config.broker.own)
            except BrokerTakenError as error:
                if not manager:
                    raise
                if not waiting:
                    log.warning("%s; waiting for its turn", error)
                    manager.ready(f"waiting for its turn: {error}")
                waiting = True
                await asyncio.sleep(TURN_S)
        async with running:
            at = f"{running.kind} listens on {running.host}:{running.port}"
            (manager.status if waiting else manager.ready)(at)
            console.print(f"broker: {running.kind} on {running.host}:{running.port}")
            await asyncio.Event().wait()
