"""A running board calibrates itself: `{"do": "calibrate", "step": "begin"}`, then `next`, `repeat` and so on.

While it does so the table is without a device, as with a calibration that does not fit: no stone laid for
calibrating is taken for a move, and no press for one at the clock. It is refused while a game is under way.
How far it has come lies on disk after every step; what comes of it replaces the calibration file when all is
judged and kept, and the board weighs by it from then on.

Requests: `begin` (with `anew`: what was kept is dropped), `state`, the words of `procedure.Word`, `mass` with
`grams`, of all 162 stones, and `pause`, which gives the board back and keeps what was measured; without any
of it `auto` (`from_setup.py`) and `previous`, which brings the calibration before the present one back. Each
is answered with `{"ok": true, "calibration": ...}` (`telling.told`, null while none is under way), or refused
with `why` and `code`.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Any, Final

from firmware_bridge.calibrating.from_setup import from_setup
from firmware_bridge.calibrating.keeping import Kept
from firmware_bridge.calibrating.measuring import MEASURE_S
from firmware_bridge.calibrating.procedure import Procedure, State, Word, WordRefusedError
from firmware_bridge.calibrating.progress import Progress
from firmware_bridge.calibrating.telling import complaints_told, told
from firmware_bridge.layout import Wiring
from rules.game import Phase
from sensors.calibration import COUNTER, Calibration, CalibrationError, mismatch
from sensors.calibration_file import restore_previous, save_calibration
from sensors.frames import Hello
from sensors.link import DeviceHello, Link, LinkEvent
from sensors.samples import RawSample
from sensors.survey import SurveyReport

log = logging.getLogger(__name__)

FREE: Final = frozenset({Phase.UNASSIGNED, Phase.ASSIGNED, Phase.SETTING_UP, Phase.RELEASED})
"""The phases in which no game lies on the board."""

ABANDONED_S: Final = 900.0
"""Nobody has asked for so long (host time): the board is given back, and what was measured is kept."""

BEING_CALIBRATED: Final = "the board is being calibrated"
"""Why the table is without its device meanwhile."""

Surveyed = Callable[[float, Calibration | None, int], SurveyReport]
"""Tells of the last seconds, by a calibration, at the host's time."""


class Calibrating:
    """The calibration of one board, while there is one.

    Args:
        wiring: of the board.
        link: the way to its device.
        folder: where progress is kept.
        file: the calibration file.
        surveyed: gives the report of the last seconds, by a calibration, at the host's time.

    Attributes:
        begun: awaited when a calibration begins: the table is then without its device.
        ended: awaited when it has ended, with the new calibration; None: it was cancelled.
    """

    def __init__(
        self, wiring: Wiring, link: Link, folder: Path, file: Path | None, surveyed: Surveyed
    ) -> None:
        self._wiring, self._link, self._file = wiring, link, file
        self._kept = Kept(folder)
        self._surveyed = surveyed
        self._procedure: Procedure | None = None
        self._written: Progress | None = None
        self._asked_us = 0
        self.begun: Callable[[], Awaitable[None]] = _nothing
        self.ended: Callable[[Calibration | None], Awaitable[None]] = _ended

    @property
    def active(self) -> bool:
        """Whether the device's samples and presses belong to a calibration."""
        return self._procedure is not None

    def heard(self, event: LinkEvent, now_us: int) -> None:
        """Take what the link says."""
        procedure = self._procedure
        if procedure is None:
            return
        match event:
            case RawSample():
                procedure.take(event, now_us)
            case DeviceHello(hello=hello):
                procedure.arrived(hello)
            case _:
                pass

    async def tick(self, now_us: int) -> None:
        """Let time pass, and keep what a step has brought."""
        if self._procedure is not None:
            self._procedure.poll(now_us)
            await self._keep(self._procedure)
            if now_us - self._asked_us > ABANDONED_S * 1e6:
                log.warning("calibrating: nobody goes on; the board is given back, what was measured is kept")
                await self._end(None, keep=True)

    async def _keep(self, procedure: Procedure) -> None:
        """Write progress down that is not yet; a disk that refuses is told once, and calibrating goes on."""
        progress = procedure.progress
        if progress is self._written:
            return
        self._written = progress
        try:
            await asyncio.to_thread(self._kept.write, progress)
        except OSError as error:
            log.warning("%s: calibrating would begin anew after a power cut: %s", self._kept.path, error)

    async def answer(
        self, request: dict[str, Any], phase: Phase, calibration: Calibration | None, now_us: int
    ) -> dict[str, Any]:
        """Answer a request.

        Args:
            request: As it came.
            phase: Of the game.
            calibration: What the board weighs by; None: nothing yet.
            now_us: The host's clock.
        """
        step, self._asked_us = request.get("step"), now_us
        try:
            if step == "begin" and not self._wiring.weighs:
                return await self._counters(phase)
            if step == "begin":
                await self._begin(calibration, phase, anew=request.get("anew") is True)
            elif step == "auto":
                return await self._auto(calibration, phase, now_us)
            elif step == "previous":
                return await self._previous(phase)
            elif step != "state":
                await self._say(step, request, now_us)
        except WordRefusedError as error:
            return {"ok": False, "why": str(error), "code": error.code, "phase": phase.value}
        except (OSError, CalibrationError) as error:
            return {"ok": False, "why": str(error), "code": "calib_file"}
        return {"ok": True, "calibration": None if self._procedure is None else told(self._procedure)}

    async def _begin(self, calibration: Calibration | None, phase: Phase, *, anew: bool) -> None:
        if self._procedure is not None and not anew:
            return  # whoever comes second, or comes back, sees it as it stands
        self._may(phase)
        hello = self._hello()
        kept = None if anew else await asyncio.to_thread(self._kept.read)
        first = self._procedure is None
        self._procedure = Procedure(self._wiring, hello, calibration, kept)
        self._written = self._procedure.progress
        if first:
            log.info("calibrating: begun")
            await self.begun()

    def _may(self, phase: Phase, *, counts: bool = False) -> Path:
        """Return the calibration file, if this board may be calibrated now, or `counts` and need not."""
        if not self._wiring.weighs and not counts:
            raise WordRefusedError("calib_cells", "this board has no load cells, so nothing to calibrate")
        if self._file is None:
            raise WordRefusedError("calib_file", "this board knows no calibration file")
        if phase not in FREE:
            raise WordRefusedError(
                "calib_game", f"a game is {phase.value}: end and release it before the board is calibrated"
            )
        return self._file

    def _hello(self) -> Hello:
        hello = self._link.hello
        if hello is None:
            raise WordRefusedError("calib_device", "no device has said who it is: is it plugged in?")
        return hello

    async def _counters(self, phase: Phase) -> dict[str, Any]:
        """Write the calibration of a board that only counts: there is nothing to measure."""
        file, hello = self._may(phase, counts=True), self._hello()
        found = Calibration(hello.board_id, 1.0, 0.0, (COUNTER,) * hello.channels)
        wrong = mismatch(found, hello.board_id, hello.channels, hello.features)
        if wrong is not None:
            raise WordRefusedError("calib_before", wrong.detail)
        await asyncio.to_thread(_save, file, found)
        await self.ended(found)
        return {"ok": True, "calibration": None, "counters": hello.channels}

    def _alone(self) -> None:
        if self._procedure is not None:
            raise WordRefusedError("calib_busy", "the board is being calibrated step by step already")

    async def _auto(self, calibration: Calibration | None, phase: Phase, now_us: int) -> dict[str, Any]:
        """Take new zeros from a board that is set up."""
        file, hello = self._may(phase), self._hello()
        self._alone()
        if calibration is None:
            raise WordRefusedError("calib_before", "there is no calibration yet")
        wrong = mismatch(calibration, hello.board_id, hello.channels, hello.features)
        if wrong is not None:
            raise WordRefusedError("calib_before", wrong.detail)
        found = from_setup(self._surveyed(MEASURE_S, calibration, now_us), calibration, self._wiring)
        if found.calibration is None:
            why = "what lies on the board cannot be taken for nine stones in each pit"
            return {
                "ok": False,
                "why": why,
                "code": "calib_setup",
                "complaints": complaints_told(found.complaints),
            }
        await asyncio.to_thread(_save, file, found.calibration)
        log.info("calibrating: new zeros from the set-up, kept in %s", file)
        await self.ended(found.calibration)
        return {"ok": True, "moved": [round(by, 3) for by in found.moved]}

    async def _previous(self, phase: Phase) -> dict[str, Any]:
        """Bring the calibration before the present one back."""
        file = self._may(phase)
        self._alone()
        found = await asyncio.to_thread(restore_previous, file)
        log.info("calibrating: the one before is back in %s", file)
        await self.ended(found)
        return {"ok": True, "calibration": None}

    async def _say(self, step: object, request: dict[str, Any], now_us: int) -> None:
        procedure = self._procedure
        words = {word.value: word for word in Word}
        if not isinstance(step, str) or step not in {*words, "mass", "pause"}:
            known = ", ".join(("begin", "state", *words, "mass", "pause", "auto", "previous"))
            raise WordRefusedError("calib_word", f"`step` {step!a:.40} is nothing: {known}")
        if procedure is None:
            raise WordRefusedError("calib_none", "nothing is being calibrated: say `begin`")
        if step == "pause":
            await self._end(None, keep=True)
            return
        if step == "mass":
            grams = request.get("grams")
            if isinstance(grams, bool) or not isinstance(grams, int | float):
                raise WordRefusedError("calib_grams", f"`grams` {grams!a:.40} is no number")
            procedure.weighed(grams)
        elif procedure.state is State.JUDGED and step == Word.NEXT:
            await self._finish(procedure, now_us)
            return
        else:
            procedure.say(words[step], now_us)
        if procedure.state is State.CANCELLED:
            await self._end(None)
        else:
            await self._keep(procedure)

    async def _finish(self, procedure: Procedure, now_us: int) -> None:
        assert procedure.verdict is not None, "all is judged"
        assert self._file is not None, "checked when it began"
        found = procedure.verdict.calibration
        await asyncio.to_thread(_save, self._file, found)
        procedure.say(Word.NEXT, now_us)
        log.info("calibrating: kept in %s", self._file)
        await self._end(found)

    async def _end(self, found: Calibration | None, *, keep: bool = False) -> None:
        self._procedure = None
        try:
            if not keep:
                await asyncio.to_thread(self._kept.forget)
        except OSError as error:
            log.warning("%s: it cannot be taken away: %s", self._kept.path, error)
        await self.ended(found)


def _save(file: Path, calibration: Calibration) -> None:
    file.parent.mkdir(parents=True, exist_ok=True)  # a first calibration may come before all other state
    save_calibration(file, calibration)


async def _nothing() -> None:
    """Do nothing."""


async def _ended(_found: Calibration | None) -> None:
    """Do nothing."""
