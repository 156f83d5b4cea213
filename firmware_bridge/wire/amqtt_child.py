"""The guarded amqtt as a program: `python -m firmware_bridge.wire.amqtt_child HOST PORT`.

It has no passwords and no disk, so it listens on loopback only.
"""

import asyncio
import ipaddress
import logging
import signal
import sys
from typing import Final

from amqtt.errors import BrokerError

from firmware_bridge.wire.amqtt_guard import GuardedBroker, loopback_config

_SHUTDOWN_TIMEOUT_S: Final = 2.0


def main(arguments: list[str]) -> int:
    """Run until SIGTERM or SIGINT.

    Args:
        arguments: Host, a loopback address, and port, 1..65535.

    Returns:
        Exit code: 0 after a signal, 1 when it cannot listen, 2 for wrong arguments.
    """
    if not _is_loopback(arguments):
        sys.stderr.write("usage: amqtt_child HOST PORT, where HOST is an address 127.x.x.x\n")
        return 2
    host, port = arguments[0], int(arguments[1])
    logging.basicConfig(level=logging.WARNING, format="%(asctime)s %(levelname)s %(name)s %(message)s")
    # Every client that goes away untidily is a warning there.
    logging.getLogger("amqtt").setLevel(logging.ERROR)
    logging.getLogger("transitions").setLevel(logging.ERROR)
    try:
        asyncio.run(_serve(host, port))
    except BrokerError as error:
        sys.stderr.write(f"amqtt cannot listen on {host}:{port}: {error}\n")
        return 1
    return 0


def _is_loopback(arguments: list[str]) -> bool:
    try:
        return ipaddress.IPv4Address(arguments[0]).is_loopback and 1 <= int(arguments[1]) <= 65535
    except (ValueError, IndexError):
        return False


async def _serve(host: str, port: int) -> None:
    stop = asyncio.Event()
    loop = asyncio.get_running_loop()
    for number in (signal.SIGTERM, signal.SIGINT):
        loop.add_signal_handler(number, stop.set)
    broker = GuardedBroker(loopback_config(host, port))
    await broker.start()
    await stop.wait()
    try:
        async with asyncio.timeout(_SHUTDOWN_TIMEOUT_S):
            await broker.shutdown()
    except TimeoutError:
        logging.getLogger(__name__).warning("clients were still connected at the end")


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
