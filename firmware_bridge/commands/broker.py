"""`togyz broker`: the broker that board and hall share when none is configured."""

from __future__ import annotations

import asyncio
from functools import partial

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
from firmware_bridge.notify import service_manager
from firmware_bridge.wire.broker import BrokerError, accepts_mqtt, start_broker


def broker(config: ConfigFile) -> None:
    """Run a broker of our own on this machine until stopped.

    Its address is a line for programs, such as the demo, and the same in every language.
    """
    settings = config_of(config)
    if settings.broker.host is not None:
        raise fail(say("cli.broker.configured", file=config, host=settings.broker.host))
    log_to_stderr()
    manager = service_manager()

    async def serve() -> None:
        async with await start_broker(settings.board.state_dir, settings.broker.own) as running:
            manager.ready(f"{running.kind} listens on {running.host}:{running.port}")
            console.print(f"broker: {running.kind} on {running.host}:{running.port}")
            async with showing_life(manager, partial(accepts_mqtt, running.host, running.port)):
                await asyncio.Event().wait()

    with errors_told(BrokerError, code=EXIT_FAILED):
        # Whoever reads that line may stop us at once: a program that does not listen yet would leave the
        # broker to the kernel.
        asyncio.run(run_until_stopped(serve(), "broker", manager))
