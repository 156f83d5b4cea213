"""Writes down what a running board sees and decides, so that every decision can be taken again.

The rows of a few seconds are gathered in memory and handed to a thread, which alone touches the disk
(`firmware_bridge.trace.filing`). A disk that refuses ends the trace with a line in the log and in what
`togyz trace record` shows; the board goes on.

A trace begins with a table set up anew, exactly as a program started at that moment would do it; otherwise a
replay could not start from the same state. In a game that costs what a restart costs, so a trace waits
until the board lies quiet and as confirmed (`Tracing.due`).
"""

from __future__ import annotations

import asyncio
import logging
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from firmware_bridge.board.inputs import DeviceArrived, Input, Step, Watch
from firmware_bridge.board.memory.rows import DeviceTime, Record
from firmware_bridge.board.memory.telling import OWN_KINDS
from firmware_bridge.board.session.session import Session
from firmware_bridge.board.settings import DEFAULT_TOTAL_BYTES, BoardSettings
from firmware_bridge.board.tracing.trace_rows import arrived_row, heard_row, input_row, outcome_rows
from firmware_bridge.trace.filing import SUFFIX, TraceFile
from firmware_bridge.trace.header import TraceHeader
from firmware_bridge.trace.rows import Row
from rules.game import Phase
from sensors.frames import Hello
from sensors.link_events import LinkEvent
from sensors.samples import Press, RawSample

BLOCK_ROWS = 800
"""Rows of one block: ten seconds at 80 samples a second, about 15 kB."""

BLOCK_S = 5.0
"""Rows wait at most so long (wall time) for their block: what a power cut may cost."""

PATIENCE_S = 10.0
"""A trace that was asked for waits at most so long for a quiet board; then the trouble itself is wanted."""

OPEN_S = 4.0
"""How long a disk may take to make a file; whoever asked waits 5 s for an answer (`control.ask`)."""

MOST_FOR_S = 86_400.0
"""Longest time a trace is asked for: a day."""

SPARE_BYTES = 100_000
"""What may be written between two looks at a file's size: some blocks of 15 kB."""

Source = RawSample | Press | Hello | None
"""What an input came from, as the link told it."""

log = logging.getLogger(__name__)


@dataclass(slots=True)
class _Running:
    """A trace being written, or waiting to begin.

    Attributes:
        file: Where it goes.
        until_s: Host time at which it ends; None: when it is told to.
        asked_s: Host time at which it was asked for.
        most_bytes: Size at which it ends, or the next one is begun as soon as that costs nothing.
        full_bytes: Size at which the next one is begun whatever it costs.
        follows: It is one of those that `always` writes.
        begun: Its header is written.
    """

    file: TraceFile
    until_s: float | None
    asked_s: float
    most_bytes: int
    full_bytes: int
    follows: bool
    begun: bool = False


class Tracing:
    """The trace of one board: at most one at a time."""

    def __init__(self, settings: BoardSettings, software: str, host_boot: int) -> None:
        """Trace a board; nothing is written before it is told to.

        Args:
            settings: What the board was told.
            software: What the program calls itself.
            host_boot: Number of this start of it; files are named by it.
        """
        self._settings = settings
        self._software = software
        self._host_boot = host_boot
        self._files = 0
        self._running: _Running | None = None
        self._closing: list[TraceFile] = []
        self._rows: list[Row] = []
        self._since_s = 0.0
        self._watch = Watch()
        self._trouble = ""

    # --- what happens at the table ----------------------------------------------------------------------

    def heard(self, event: LinkEvent) -> None:
        """Write down what the link says that is no input."""
        if self._writing:
            row = heard_row(event)
            if row is not None:
                self._rows.append(row)

    def take(self, event: Input, source: Source, device: DeviceTime | None) -> None:
        """Write down an input that is about to be taken."""
        if not self._writing:
            return
        if isinstance(source, RawSample):
            self._rows.append(source)
        elif isinstance(event, DeviceArrived):
            assert isinstance(source, Hello), "a device arrives by its hello"
            assert device is not None, "and has its place in time before the table hears of it"
            self._rows.append(arrived_row(event, device, source))
        else:
            self._rows.append(input_row(event))

    def step(self, step: Step, watch: Watch) -> None:
        """Write down what the input just taken led to, and how the board looks after it."""
        if not self._writing:
            return
        self._rows += outcome_rows(step, self._watch, watch)
        self._watch = watch
        if len(self._rows) >= BLOCK_ROWS:
            self._flush()

    @property
    def _writing(self) -> bool:
        return self._running is not None and self._running.begun

    def _flush(self) -> None:
        assert self._running is not None, "only a running trace has rows"
        if self._rows:
            self._running.file.write(self._rows)
            self._rows = []
        self._since_s = time.monotonic()

    # --- beginning and ending ---------------------------------------------------------------------------

    def start_always(self) -> None:
        """Let a trace begin if the configuration wants one always."""
        told = self._settings.trace
        if told is None or not told.always or self._running is not None:
            return
        self._files += 1
        name = f"{self._settings.board_id}-{self._host_boot:06d}-{self._files:04d}{SUFFIX}"
        file = TraceFile.open(told.folder / name, keep_bytes=told.total_bytes)
        room = told.total_bytes - SPARE_BYTES
        most, full = min(told.file_bytes, room), min(2 * told.file_bytes, room)
        self._running = _Running(file, None, time.monotonic(), most, full, follows=True)

    def due(self, session: Session) -> bool:
        """Whether a trace waits to begin and may: the table is then to be set up anew, and `begin` called."""
        running = self._running
        if running is None or running.begun:
            return False
        if not running.follows and time.monotonic() - running.asked_s > PATIENCE_S:
            return True
        return _may_be_interrupted(session)

    def begin(
        self, records: Sequence[Record], evidence: Mapping[str, Any], begun_us: int, watch: Watch
    ) -> None:
        """Begin the trace that waits, at a table just set up anew.

        Args:
            records: Everything in the journal.
            evidence: The newest evidence in it.
            begun_us: Table time now.
            watch: How the new session says that the board looks.
        """
        assert self._running is not None, "asked only when `due`"
        settings = self._settings
        self._running.begun = True
        self._rows, self._watch, self._since_s = [], watch, time.monotonic()
        self._running.file.begin(
            TraceHeader(
                board_id=settings.board_id,
                event_id=settings.event_id,
                software=self._software,
                wall_ms=time.time_ns() // 1_000_000,
                begun_us=begun_us,
                calibration=settings.calibration,
                wiring=settings.wiring,
                start_when_ready=None,
                conducts=settings.plan.conducts,
                events=game_so_far(records),
                evidence=evidence,
            )
        )
        log.info("trace: %s", self._running.file.path)

    def recalibrated(self, settings: BoardSettings) -> None:
        """End the trace being written, whose head names another calibration; the next one begins."""
        self._settings = settings
        running = self._running
        if running is not None and running.begun:
            self._end("calibrated")
            if running.follows:
                self.start_always()

    def tick(self, session: Session) -> None:
        """Hand over what has waited long enough; end a trace whose time, size or disk is at an end."""
        running = self._running
        if running is None:
            return
        now_s = time.monotonic()
        if running.file.trouble:
            self._trouble = running.file.trouble
            log.warning("trace ended: %s", self._trouble)
            self._end("")
        elif running.until_s is not None and now_s >= running.until_s:
            self._end("time")
        elif running.file.size >= running.most_bytes and (
            running.file.size >= running.full_bytes or _may_be_interrupted(session)
        ):
            self._end("size")
            if running.follows:
                self.start_always()
        elif running.begun and now_s - self._since_s >= BLOCK_S:
            self._flush()

    def _end(self, why: str) -> None:
        assert self._running is not None, "only a running trace ends"
        if self._running.begun and why:
            self._flush()
        self._running.file.end(why)
        self._closing = [file for file in self._closing if not file.closed]
        self._closing.append(self._running.file)
        self._running, self._rows = None, []

    async def close(self) -> None:
        """End the trace, if there is one, and wait until it is on disk."""
        if self._running is not None:
            self._end("stopped")
        for file in self._closing:
            await asyncio.to_thread(file.join)
        self._closing = []

    # --- the control socket -----------------------------------------------------------------------------

    async def answer(self, request: Mapping[str, Any]) -> dict[str, Any]:
        """Do what a request `{"do": "trace", "what": "start" | "stop" | "status"}` asks for."""
        match request.get("what"):
            case "start":
                return await self._start(request)
            case "stop":
                return await self._stop()
            case "status":
                return {"ok": True, "trace": self._status()}
            case other:
                return {"ok": False, "why": f"`what` {other!a:.40} is nothing: start, stop or status"}

    async def _start(self, request: Mapping[str, Any]) -> dict[str, Any]:
        path, for_s = request.get("file"), request.get("for_s")
        if not isinstance(path, str) or not Path(path).is_absolute() or "\0" in path:
            return {"ok": False, "why": f"`file` {path!a:.60} is no absolute path"}
        if for_s is not None and (
            isinstance(for_s, bool) or not isinstance(for_s, int | float) or not 0 < for_s <= MOST_FOR_S
        ):
            return {"ok": False, "why": f"`for_s` {for_s!a:.40} is no time: up to {MOST_FOR_S:g} s"}
        if self._running is not None:
            where = self._running.file.path
            return {"ok": False, "why": f"a trace is being written already: {where}", "code": "trace_busy"}
        told = self._settings.trace
        now_s = time.monotonic()
        file = TraceFile.open(Path(path))
        until_s = None if for_s is None else now_s + for_s
        most = DEFAULT_TOTAL_BYTES if told is None else told.total_bytes
        self._running = _Running(file, until_s, now_s, most, most, follows=False)
        self._trouble = ""
        if not await asyncio.to_thread(file.opened.wait, OPEN_S) or file.trouble:
            why = file.trouble or f"{path}: the disk does not answer"
            self._give_up(file)
            return {"ok": False, "why": why, "code": "trace_file"}
        return {"ok": True, "trace": self._status()}

    def _give_up(self, file: TraceFile) -> None:
        """Forget a trace that could not be opened, unless somebody has ended it meanwhile."""
        if self._running is not None and self._running.file is file:
            self._end("")

    async def _stop(self) -> dict[str, Any]:
        if self._running is None:
            return {"ok": False, "why": self._trouble or "no trace is being written", "code": "trace_none"}
        file = self._running.file
        self._end("asked")
        await asyncio.to_thread(file.join)
        return {"ok": True, "trace": {"file": str(file.path), "bytes": file.size, "trouble": file.trouble}}

    def _status(self) -> dict[str, Any] | None:
        running = self._running
        if running is None:
            return {"file": None, "trouble": self._trouble}
        return {
            "file": str(running.file.path),
            "bytes": running.file.size,
            "begun": running.begun,
            "trouble": running.file.trouble,
        }


def game_so_far(records: Sequence[Record]) -> tuple[dict[str, Any], ...]:
    """Return the events of the newest game in a journal, oldest first; none before any was assigned."""
    events: list[dict[str, Any]] = []
    for record in reversed(records):
        kind = record.event.get("kind")
        if kind not in OWN_KINDS:
            events.append(record.event)
        if kind == "game_assigned":
            break
    return tuple(reversed(events))


def _may_be_interrupted(session: Session) -> bool:
    """Whether setting the table up anew loses nothing: no game, no device, or all lies as confirmed."""
    if session.game.phase is not Phase.PLAYING or session.watch.sensed == "no_device":
        return True
    return session.watch.sensed == "matches" and not session.game.pending_presses
