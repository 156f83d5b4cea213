"""Calibrating a device whose board does not run: its port is opened here, and nothing but that is done."""

from __future__ import annotations

import asyncio
import contextlib
import logging
import time
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from functools import partial
from typing import Any, Final

from firmware_bridge.board.calibrating import Calibrating
from firmware_bridge.board.surveying import Surveying
from firmware_bridge.board.turns import Turns
from firmware_bridge.commands.calibrate_talk import Ask
from firmware_bridge.commands.common import complaints, say
from firmware_bridge.config import Config
from rules.game import Phase
from sensors.calibration import Calibration, CalibrationError
from sensors.calibration_file import load_calibration
from sensors.link import Link
from sensors.serial_port import PortState, SerialPort

log = logging.getLogger(__name__)

POLL_EVERY_S: Final = 0.1
PATIENCE_S: Final = 20.0
"""How long a device may take to say who it is: some reset when their port is opened, and boot."""
FILLED_S: Final = 4.0
"""How long samples are gathered before anybody asks for the last seconds of them."""


class NoDeviceError(OSError):
    """Raised when no device can be heard; the message is what the port says of it."""


class _Alone:
    """A device, and what calibrates it."""

    def __init__(self, config: Config) -> None:
        wiring = config.layout.wiring()
        folder = config.board.state_dir / config.board.id
        self._link = Link()
        self._surveying = Surveying(wiring, self._link)
        self._file = config.calibration.file
        self.calibrating = Calibrating(wiring, self._link, folder, self._file, self._surveying.report)
        self.turns = Turns()
        self.reason = ""
        self.here = asyncio.Event()
        self._loop = asyncio.get_running_loop()
        self.port = SerialPort(
            str(config.device.port),
            on_bytes=lambda data: self._post(partial(self._received, data)),
            on_state=lambda state, reason: self._post(partial(self._port_changed, state, reason)),
            baudrate=config.device.baud,
        )

    def _post(self, work: Any) -> None:
        with contextlib.suppress(RuntimeError):  # the loop has ended, and nobody listens any more
            self._loop.call_soon_threadsafe(self.turns.put_nowait, work)

    async def _received(self, data: bytes) -> None:
        self._heard(self._link.receive(data, _now_us()))

    async def _port_changed(self, state: PortState, reason: str) -> None:
        self.reason = reason
        if state is PortState.OPEN:
            self._link.connected(_now_us())
        else:
            self._link.disconnected(_now_us(), reason)
        self._flush()

    async def tick(self) -> None:
        """Let time pass."""
        self._heard(self._link.poll(_now_us()))
        await self.calibrating.tick(_now_us())

    def _heard(self, events: list[Any]) -> None:
        for event in events:
            self._surveying.heard(event, _now_us())
            self.calibrating.heard(event, _now_us())
        if self._link.hello is not None:
            self.here.set()
        self._flush()

    def _flush(self) -> None:
        data = self._link.data_to_send()
        if data:
            self.port.write(data)

    async def asked(self, request: dict[str, Any]) -> dict[str, Any]:
        """Answer as a board would on which no game lies."""
        if request.get("step") == "auto":
            await asyncio.sleep(FILLED_S)
        calibration = self._until_now() if request.get("step") in ("begin", "auto") else None
        return await self.turns.in_turn(
            lambda: self.calibrating.answer(request, Phase.UNASSIGNED, calibration, _now_us())
        )

    def _until_now(self) -> Calibration | None:
        if not self._file.exists():
            return None
        try:
            return load_calibration(self._file)
        except CalibrationError as error:
            complaints.print(say("calib.unreadable", why=error), markup=False, soft_wrap=True)
            return None


@asynccontextmanager
async def alone(config: Config) -> AsyncIterator[Ask]:
    """Open the port and give a way to ask, while a device is heard on it.

    Raises:
        NoDeviceError: None has said who it is in time.
    """
    own = _Alone(config)
    own.port.start()
    helpers = [
        asyncio.create_task(own.turns.serve(), name="turns"),
        asyncio.create_task(_poll(own), name="link poll"),
    ]
    try:
        with contextlib.suppress(TimeoutError):
            await asyncio.wait_for(own.here.wait(), PATIENCE_S)
        if not own.here.is_set():
            raise NoDeviceError(own.reason or "nothing is heard")
        yield own.asked
    finally:
        for helper in helpers:
            helper.cancel()
        await asyncio.gather(*helpers, return_exceptions=True)
        own.port.close()


async def _poll(own: _Alone) -> None:
    while True:
        await asyncio.sleep(POLL_EVERY_S)
        await own.turns.put(own.tick)


def _now_us() -> int:
    return time.monotonic_ns() // 1000
