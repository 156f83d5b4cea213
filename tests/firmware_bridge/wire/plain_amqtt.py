"""amqtt as it comes, without the guard: `python plain_amqtt.py PORT`."""

import asyncio
import sys

from amqtt.broker import Broker

from firmware_bridge.wire.amqtt_guard import loopback_config


async def _main() -> None:
    await Broker(loopback_config("127.0.0.1", int(sys.argv[1]))).start()
    await asyncio.Event().wait()


asyncio.run(_main())
