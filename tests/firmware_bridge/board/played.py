"""A board at which an emulated game is played in no time, and the trace it writes meanwhile."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from dataclasses import replace
from functools import lru_cache
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import cast

from firmware_bridge.board.memory.journal import Journal
from firmware_bridge.board.runtime import Board
from firmware_bridge.board.settings import BoardSettings, GamePlan, TraceSettings
from firmware_bridge.board.table import Table
from firmware_bridge.board.tracing.replay import Replay, Taken, taken_again
from firmware_bridge.emulator.emulator import (
    EmulatorSettings,
    build_hands,
    build_world,
    device_channels,
    measure,
)
from firmware_bridge.emulator.pace import PACES
from firmware_bridge.emulator.records import bundled_record
from firmware_bridge.emulator.table import EmulatedTable
from firmware_bridge.layout import Seating, Wiring
from firmware_bridge.trace.reader import TraceReader
from rules.conduct.options import Conducts
from rules.time_control import TimeControl
from sensors import frames
from sensors.device.device import FEATURES, Device, DeviceConfig
from sensors.serial_port import SerialPort
from tests.firmware_bridge.board.paper import AT_ONCE
from tests.firmware_bridge.board.wired import Published

PLIES = 2
SEED = 5
PLAIN = Wiring()


class Cable:
    """Hands the host's bytes to the device."""

    def __init__(self, device: Device) -> None:
        """Lead to `device`."""
        self.device = device
        self.now_us = 0

    def write(self, data: bytes) -> None:
        """Take bytes of the host."""
        self.device.receive(data, self.now_us, self.now_us)


class Played:
    """A running board with a whole emulated table at its cable, in virtual time.

    Attributes:
        board: The runtime.
        world: The table: stones, hands and device.
        journal: The board's journal.
    """

    def __init__(
        self, folder: Path, trace: TraceSettings | None = None, plies: int = PLIES, *, wiring: Wiring = PLAIN
    ) -> None:
        """Lay out a board that keeps its state in `folder`."""
        emulated = EmulatorSettings(
            device_path=folder / "tty",
            record=bundled_record("2009"),
            seed=SEED,
            pace=PACES["brisk"],
            board_id="board-1",
            stop_after=plies,
            beams=() if wiring == PLAIN else Seating(wiring, "a").beam_of_place,
            weighed=wiring.weighs,
        )
        channels = device_channels(emulated)
        config = DeviceConfig(
            board_id="board-1",
            channels=len(channels),
            rate_hz=80.0,
            features=FEATURES | frames.FEATURE_COUNTERS,
        )
        device = Device(config, 77)
        self.world = EmulatedTable(build_world(emulated), build_hands(emulated), device, channels=channels)
        told = BoardSettings(
            event_id="event",
            board_id="board-1",
            state_dir=folder,
            device_path=folder / "tty",
            baud=9600,
            wiring=wiring,
            calibration=measure(replace(emulated)),
            plan=GamePlan(
                names=("x", "y"),
                starter_seat="a",
                control=TimeControl.simple(600_000, 0),
                conducts=Conducts.alike(AT_ONCE),
            ),
            trace=trace,
        )
        self.journal = Journal.open(folder / "journal.jsonl")
        self.table = Table(told, self.journal)
        self.board = Board(told, self.journal, self.table, Published())
        self.cable = Cable(self.world.device)
        self.board._port = cast("SerialPort", self.cable)

    async def start(self) -> None:
        """Do what a starting program does."""
        self.board._tracing.start_always()
        await self.board._trace_if_due()
        await self.table.started()
        await self.board._assign_if_free()
        self.board._link.connected(self.cable.now_us)
        self.board._flush()

    async def until(self, done: Callable[[], bool], most_s: float = 120.0) -> None:
        """Let time go by until something is so."""
        for step in range(round(80 * most_s)):
            if done():
                return
            self.world.step()
            now_us = self.cable.now_us = self.world.device_us
            self.world.device.poll(now_us, now_us)
            while (frame := self.world.device.next_frame()) is not None:
                await self.board._link_events(self.board._link.receive(frame, now_us))
            if step % 8 == 0:
                await self.tick()
        raise AssertionError(f"not within {most_s:g} s of the table's time")

    async def tick(self) -> None:
        """Do what a running board does ten times a second, by the time of the table."""
        await self.board._link_events(self.board._link.poll(self.cable.now_us))
        running = self.board._tracing._running
        while running is not None and not (running.file.closed or running.file._orders.empty()):  # noqa: ASYNC110 - a thread sets no event of ours
            await asyncio.sleep(0)  # the disk keeps up with a table in a hurry
        self.board._tracing.tick(self.table.session)
        await self.board._trace_if_due()

    def has_plies(self, plies: int) -> Callable[[], bool]:
        """Return the question whether so many plies are committed."""
        return lambda: len(self.table.session.game.plies) >= plies

    async def end(self) -> None:
        """Do what an ending program does."""
        await self.board._tracing.close()
        self.journal.close()


def always(folder: Path, file_bytes: int = 64_000_000) -> TraceSettings:
    """Return what a board is told that always writes a trace."""
    return TraceSettings(always=True, folder=folder / "traces", file_bytes=file_bytes)


@lru_cache(maxsize=3)
def traced_game(wiring: Wiring = PLAIN) -> bytes:
    """Return the trace of `PLIES` plies, written by a board since its start."""

    async def play(folder: Path) -> None:
        played = Played(folder, always(folder), wiring=wiring)
        await played.start()
        await played.until(played.has_plies(PLIES))
        await played.end()

    with TemporaryDirectory() as name:
        asyncio.run(play(Path(name)))
        (path,) = (Path(name) / "traces").iterdir()
        return path.read_bytes()


def replayed(path: Path) -> Replay:
    """Replay a trace whole, a bug report's for example; fail with the first decision that is different.

    Returns:
        The table as it stands at the end of the trace.
    """
    with TraceReader.open(path) as reader:
        replay = Replay(reader.header)
        for taken in taken_again(replay, reader.rows()):
            if isinstance(taken, Taken):
                assert taken.same, f"at {taken.at_us} us: {taken.due} became {taken.found}"
        return replay
