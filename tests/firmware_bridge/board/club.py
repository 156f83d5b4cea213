"""A board on the table of a club: its process without a port, and simulated cells under it."""

from __future__ import annotations

import asyncio
import json
from dataclasses import replace
from pathlib import Path
from typing import Any

from firmware_bridge.calibrating.steps import LOADS, Step
from firmware_bridge.layout import PLACES
from sensors import frames
from sensors.calibration import Calibration, ChannelCalibration
from sensors.calibration_file import save_calibration
from sensors.simulator.profile import SLOW
from sensors.simulator.world import CellWorld
from tests.firmware_bridge.board.test_table import settings
from tests.firmware_bridge.board.wired import Wired

ROUGH = Calibration("b", 1.15, 3.0, (ChannelCalibration(0.0, 12885.0),) * PLACES)


class Club:
    """A board on the table of a club: its process without a port, and cells under it.

    Attributes:
        wired: the process.
        file: its calibration file.
    """

    def __init__(self, folder: Path, clock: list[int]) -> None:
        """Set up a board whose calibration is a rough one, set up for a game."""
        self.file = folder / "calibration.json"
        save_calibration(self.file, ROUGH)
        told = replace(settings(folder), calibration=ROUGH, calibration_file=self.file)
        self.wired = Wired(folder, told)
        self.world = CellWorld(SLOW.kinds(), SLOW, seed=4)
        self.world.calm()
        self.world.lapse(1800.0)
        self._clock = clock
        self._samples = 0

    async def answer(self, step: str, **more: Any) -> dict[str, Any]:
        """Ask as the socket does; what comes back is JSON."""
        board = self.wired.board
        answering = asyncio.create_task(board._answer({"do": "calibrate", "step": step, **more}))
        await (await board._inbox.get())()
        found: dict[str, Any] = json.loads(json.dumps(await answering, allow_nan=False))
        return found

    async def wait(self, seconds: float) -> None:
        """Let samples come for so long, and the board's clock tick."""
        for count in range(round(seconds * 1e6 / self.world.period_us)):
            self._samples += 1
            self._clock[0] = at_us = round(self._samples * self.world.period_us)
            raw, status = self.world.read(at_us)
            data = frames.Data(at_us & 0xFFFFFFFF, status, raw)
            await self.wired._frame(frames.DATA, frames.pack_data(data))
            if count % 8 == 0:
                await self.wired.board._tick()

    async def lay(self, step: Step) -> None:
        """Lay what a step asks."""
        self.world.lay_out(dict(enumerate(LOADS[step])), (3, 14) if step is Step.MARKS else ())
        await self.wait(1.0)

    async def step(self, step: Step) -> dict[str, Any]:
        """Do a step, and return how it stands then."""
        if step is Step.TOUCH:
            await self.answer("skip")
        else:
            await self.lay(step)
            await self.answer("next")
            await self.wait(6.0)
        found: dict[str, Any] = (await self.answer("state"))["calibration"]
        assert found["complaints"] == []
        return found
