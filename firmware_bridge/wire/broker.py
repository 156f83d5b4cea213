"""A broker of our own where none is configured: a supervised child on a loopback port.

A mosquitto binary is used where there is one, else amqtt with the guard of `amqtt_guard`. The
child is restarted on the same port when it dies, and dies when we do.
"""

import asyncio
import contextlib
import logging
from collections.abc import Sequence
from pathlib import Path
from types import TracebackType
from typing import Final, Literal, Self, TypeAlias

from firmware_bridge.wire import broker_files
from firmware_bridge.wire.broker_files import LOOPBACK, BoundedLog
from firmware_bridge.wire.rendezvous import BrokerAddress, Claim, ClaimError, Kind
from firmware_bridge.wire.settings import BrokerSettings

__all__ = [
    "Broker",
    "BrokerError",
    "BrokerSettings",
    "BrokerTakenError",
    "Prefer",
    "accepts_mqtt",
    "start_broker",
]

Prefer: TypeAlias = Literal["auto", "mosquitto", "amqtt"]

_READY_TIMEOUT_S: Final = 30.0  # amqtt's imports take long on a cold Raspberry Pi
_STOP_TIMEOUT_S: Final = 3.0
_PROBE_TIMEOUT_S: Final = 2.0
_PORT_ATTEMPTS: Final = 5
_CONNECT = b"\x10\x17\x00\x04MQTT\x04\x02\x00\x05\x00\x0btogyz-probe"  # MQTT 3.1.1, clean, keepalive 5 s
_CONNACK = b"\x20\x02\x00\x00"
_DISCONNECT = b"\xe0\x00"

_log = logging.getLogger(__name__)


class BrokerError(RuntimeError):
    """Raised when no broker could be started; the text says which and why."""


class BrokerTakenError(BrokerError):
    """Raised when another program runs the broker of this directory, or is just starting it."""


class Broker:
    """A running broker; made by `start_broker`.

    Attributes:
        kind: Which broker it is.
        port: Its TCP port on 127.0.0.1; stays the same until `stop`.
        restarts: How often the child has died and been replaced.
    """

    def __init__(self, claim: Claim, directory: Path, kind: Kind) -> None:
        self.kind: Kind = kind
        self.port = 0
        self.restarts = 0
        self._claim = claim
        self._directory = directory
        self._output = BoundedLog(directory / "broker.log")
        self._process: asyncio.subprocess.Process | None = None
        self._reading: asyncio.Task[None] | None = None
        self._supervision: asyncio.Task[None] | None = None

    @property
    def host(self) -> str:
        """The address listened on; loopback only."""
        return LOOPBACK

    @property
    def pid(self) -> int | None:
        """Process id of the present child; None while it is down."""
        process = self._process
        return process.pid if process is not None and process.returncode is None else None

    def settings(self, client_id: str, keepalive_s: int = 10) -> BrokerSettings:
        """Return what a client needs to reach this broker."""
        return BrokerSettings(self.host, self.port, client_id=client_id, keepalive_s=keepalive_s)

    async def __aenter__(self) -> Self:
        """Use as `async with await start_broker(...)`."""
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        """Stop the broker."""
        await self.stop()

    async def stop(self) -> None:
        """End the child, at first politely, and give the directory back; idempotent."""
        if self._supervision is not None:
            self._supervision.cancel()
            await asyncio.wait({self._supervision})
        await self._end_child()
        self._claim.release()

    async def _start(self) -> None:
        """Find a port on which the child really starts.

        Raises:
            BrokerError: It never did.
        """
        for attempt in range(1, _PORT_ATTEMPTS + 1):
            try:
                self.port = self._next_port(attempt)
                await self._launch()
                broker_files.remember_port(self._directory, self.port)
                break
            except BrokerError as error:
                _log.debug("%s (attempt %d of %d)", error, attempt, _PORT_ATTEMPTS)
                if attempt == _PORT_ATTEMPTS:
                    raise
                broker_files.set_database_aside(self._directory)
        self._supervision = asyncio.create_task(self._supervise(), name=f"supervise {self.kind}")

    def _next_port(self, attempt: int) -> int:
        try:
            return broker_files.usual_port(self._directory) if attempt == 1 else broker_files.free_port()
        except OSError as error:
            raise BrokerError(f"no port can be had for {self.kind}: {error.strerror or error}") from error

    async def _supervise(self) -> None:
        """Replace the child whenever it dies, for ever, on the same port."""
        failures = 0
        while True:
            if self._process is not None:
                code = await self._process.wait()
                self.restarts += 1
                _log.warning(
                    "%s ended with code %s, restarting: %s", self.kind, code, self._output.last_words
                )
            try:
                await self._launch()
                failures = 0
            except BrokerError as error:
                _log.warning("%s", error)
                if failures == 1:
                    broker_files.set_database_aside(self._directory)
                await asyncio.sleep(min(5.0, 0.2 * 2.0 ** min(failures, 10)))
                failures += 1

    async def _launch(self) -> None:
        """Start the child and wait until it answers as an MQTT broker.

        Raises:
            BrokerError: It ended, could not be run, stayed silent for 30 s, or its address cannot be
                written down for others.
        """
        try:
            command = self._command()
            self._process = process = await asyncio.create_subprocess_exec(
                *command,
                stdin=asyncio.subprocess.DEVNULL,
                stdout=asyncio.subprocess.PIPE,
                stderr=asyncio.subprocess.STDOUT,
                env=broker_files.child_environment(),
                start_new_session=True,  # Ctrl-C is for us; we end the child after our goodbyes
            )
        except (OSError, ValueError) as error:  # ValueError: a folder whose name no configuration can hold
            raise BrokerError(f"{self.kind} cannot be run: {error}") from error
        self._reading = asyncio.create_task(self._keep_output(process), name=f"log of {self.kind}")
        try:
            async with asyncio.timeout(_READY_TIMEOUT_S):
                await self._until_ready(process)
            self._announce(process.pid)
        except BaseException as error:
            await self._end_child()
            if isinstance(error, TimeoutError):
                raise BrokerError(f"{self.kind} did not answer within {_READY_TIMEOUT_S:g} s") from error
            raise

    def _announce(self, pid: int) -> None:
        try:
            self._claim.announce(BrokerAddress(self.host, self.port, pid, self.kind))
        except OSError as error:
            why = f"the address of {self.kind} cannot be written down in {self._directory}: {error.strerror}"
            if self._supervision is None:
                raise BrokerError(why) from error
            _log.warning("%s", why)  # the one of the child before it still holds, but for the process id

    def _command(self) -> Sequence[str]:
        if self.kind == "amqtt":
            return broker_files.amqtt_command(self.port)
        binary = broker_files.find_mosquitto()
        if binary is None:
            raise BrokerError("mosquitto is not installed here (Debian: apt install mosquitto)")
        return broker_files.mosquitto_command(binary, self._directory, self.port)

    async def _until_ready(self, process: asyncio.subprocess.Process) -> None:
        # A foreign broker may have taken the port a moment before: being answered is not enough.
        pause = 0.01
        while not (await accepts_mqtt(self.host, self.port) and broker_files.listens(process.pid, self.port)):
            with contextlib.suppress(TimeoutError):
                async with asyncio.timeout(pause):
                    await process.wait()
            if process.returncode is not None:
                if self._reading is not None:
                    await asyncio.wait({self._reading})  # its last words may still be in the pipe
                words = self._output.last_words or "no output"
                raise BrokerError(f"{self.kind} ended with code {process.returncode} at its start: {words}")
            pause = min(pause * 1.5, 0.25)

    async def _keep_output(self, process: asyncio.subprocess.Process) -> None:
        if process.stdout is not None:
            while data := await process.stdout.read(4096):
                self._output.write(data)

    async def _end_child(self) -> None:
        process, self._process = self._process, None
        if process is not None:
            with contextlib.suppress(ProcessLookupError):
                process.terminate()
            try:
                async with asyncio.timeout(_STOP_TIMEOUT_S):
                    await process.wait()
            except TimeoutError:
                with contextlib.suppress(ProcessLookupError):
                    process.kill()
                await process.wait()
        if self._reading is not None:
            await asyncio.wait({self._reading})


async def start_broker(state_dir: Path, prefer: Prefer = "auto") -> Broker:
    """Start a broker as our child and wait until it accepts MQTT.

    Call it from the thread that lives longest: the child dies with the thread that started it.

    Args:
        state_dir: Its files go here; made if missing. One broker per directory.
        prefer: "auto" takes mosquitto where it is installed and works, else amqtt.

    Raises:
        BrokerError: It does not start.
        BrokerTakenError: Another program runs the broker of this directory; `rendezvous.find_broker`
            tells where.
    """
    kinds: list[Kind] = ["mosquitto", "amqtt"] if prefer == "auto" else [prefer]
    if prefer == "auto" and broker_files.find_mosquitto() is None:
        kinds = ["amqtt"]
    directory, claim = _claim(state_dir)
    reasons: list[str] = []
    for kind in kinds:
        broker = Broker(claim, directory, kind)
        try:
            await broker._start()  # noqa: SLF001 - the one maker of brokers
        except BrokerError as error:
            reasons.append(str(error))
        except BaseException:
            claim.release()
            raise
        else:
            if reasons:
                _log.warning("%s; %s runs instead", reasons[0], kind)
            return broker
    claim.release()
    raise BrokerError("; ".join(reasons))


def _claim(state_dir: Path) -> tuple[Path, Claim]:
    directory = state_dir.absolute()
    try:
        directory.mkdir(parents=True, exist_ok=True)
        return directory, Claim(directory)
    except ClaimError as error:
        raise BrokerTakenError(str(error)) from error
    except OSError as error:
        why = error.strerror or str(error)
        raise BrokerError(
            f"the broker's files cannot be kept in {directory}: {why}; name another `board.state_dir`"
        ) from error


async def accepts_mqtt(host: str, port: int) -> bool:
    """Tell whether an MQTT 3.1.1 broker answers there, by a real CONNECT as anonymous."""
    writer = None
    try:
        async with asyncio.timeout(_PROBE_TIMEOUT_S):
            reader, writer = await asyncio.open_connection(host, port)
            writer.write(_CONNECT)
            answer = await reader.readexactly(len(_CONNACK))
            writer.write(_DISCONNECT)
            await writer.drain()
    except (OSError, EOFError):
        return False
    finally:
        if writer is not None:
            writer.close()
    return answer == _CONNACK
