"""`togyz broker`: the broker that board and hall share when none is configured."""

from __future__ import annotations

import asyncio

from firmware_bridge.commands.common import ConfigFile, config_of, console, errors_told, fail, log_to_stderr
from firmware_bridge.commands.running import until_stopped
from firmware_bridge.wire.broker import BrokerError, start_broker


def broker(config: ConfigFile) -> None:
    """Run a broker of our own on this machine until stopped.

    Board and hall start one by themselves when they find none; run it apart when it is to outlive
    both. It is a mosquitto where one is installed, else the pure Python broker amqtt; it listens on
    this machine only, on a free port that the other programs find in the state folder.
    """
    settings = config_of(config)
    if settings.broker.host is not None:
        raise fail(
            f"{config}: `broker.host` names a broker already ({settings.broker.host}); none is started"
        )
    log_to_stderr()

    async def serve() -> None:
        async with await start_broker(settings.board.state_dir, settings.broker.own) as running:
            console.print(f"broker: {running.kind} on {running.host}:{running.port}")
            await until_stopped()

    with errors_told(BrokerError):
        asyncio.run(serve())
