"""A running board without a port, a socket or a broker: bytes go in, frames and payloads come out."""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from dataclasses import replace
from pathlib import Path
from typing import cast

from firmware_bridge.board.desk import Line
from firmware_bridge.board.memory.journal import Journal
from firmware_bridge.board.runtime import Board
from firmware_bridge.board.settings import BoardSettings
from firmware_bridge.board.table import Table
from firmware_bridge.wire.payloads import DiagPayload, MetaPayload, StatePayload
from firmware_bridge.wire.records import RecordPayload
from rules.position import Side
from sensors import frames
from sensors.serial_port import PortState, SerialPort
from tests.firmware_bridge.board.test_table import settings
from tests.sensors.reference_device import build, cut

SECOND = 1_000_000
BOOT = 9
HELLO = frames.Hello(1, 0, 63, BOOT, 1, 0, 1, 1000, 20, 3, 1, "b", "on paper")
NINES = (*(9,) * 18, 0, 0)


class Published:
    """Keeps what is published."""

    def __init__(self) -> None:
        """Begin with nothing."""
        self.states: list[StatePayload] = []
        self.metas: list[MetaPayload] = []
        self.notified = 0
        self.records: list[tuple[str, Sequence[RecordPayload]]] = []
        self.diags: list[DiagPayload] = []

    def set_state(self, state: StatePayload) -> None:
        """Keep a state."""
        self.states.append(state)

    def set_meta(self, meta: MetaPayload) -> None:
        """Keep a meta."""
        self.metas.append(meta)

    def set_record(self, game: str, parts: Sequence[RecordPayload]) -> None:
        """Keep a record."""
        self.records.append((game, parts))

    def notify_rows(self) -> None:
        """Count."""
        self.notified += 1

    def send_diag(self, diag: DiagPayload) -> bool:
        """Keep a diagnosis."""
        self.diags.append(diag)
        return True


class Port:
    """Takes what the board writes to its device, as frames.

    Attributes:
        sent: Type and payload of every frame, oldest first.
        on_frame: Called with each before it is kept.
        lives: Whether a thread would read it.
    """

    lives = True

    def __init__(self) -> None:
        """Begin with nothing sent."""
        self.sent: list[tuple[int, bytes]] = []
        self.on_frame: Callable[[int], None] = lambda _kind: None

    def write(self, data: bytes) -> None:
        """Take bytes."""
        for kind, _seq, payload in cut(data)[0]:
            self.on_frame(kind)
            self.sent.append((kind, payload))

    def acknowledged(self) -> list[int]:
        """Return the number of every acknowledgement sent."""
        return [frames.unpack_button_ack(payload).number for kind, payload in self.of(frames.BUTTON_ACK)]

    def dials(self) -> frames.Clock:
        """Return what the dials were told last."""
        return frames.unpack_clock(self.of(frames.CLOCK)[-1][1])

    def of(self, kind: int) -> list[tuple[int, bytes]]:
        """Return the frames of one type."""
        return [frame for frame in self.sent if frame[0] == kind]


class Wired:
    """A board, its journal, and a device made of frames.

    Attributes:
        board: The runtime.
        table: Its table.
        journal: Its journal.
        port: What it has sent to the device.
        published: What it has published.
    """

    def __init__(self, folder: Path, told: BoardSettings | None = None, line: Line | None = None) -> None:
        """Set a board up from what lies in `folder`; commands may come on `line`."""
        told = settings(folder) if told is None else told
        self.journal = Journal.open(folder / "journal.jsonl")
        self.table = Table(told, self.journal)
        self.published = Published()
        self.port = Port()
        self.board = Board(told, self.journal, self.table, self.published, line)
        self.board._port = cast("SerialPort", self.port)
        self._seq = 0

    async def plugged(self, hello: frames.Hello = HELLO) -> None:
        """Start, open the port, and let the device say who it is."""
        await self.table.started()
        await self.board._assign_if_free()
        await self.board._port_changed(PortState.OPEN, "")
        await self.hello(hello)

    async def hello(self, hello: frames.Hello) -> None:
        """Let a device say who it is."""
        await self._frame(frames.HELLO, frames.pack_hello(hello))

    async def press(self, number: int, button: int, at_us: int) -> None:
        """Let the device tell of a press."""
        press = frames.Button(number, at_us, button, frames.EDGE_DOWN)
        await self._frame(frames.BUTTON, frames.pack_button(press))

    async def let_go(self, number: int, button: int, at_us: int) -> None:
        """Let the device tell of a button that came up."""
        await self._frame(frames.BUTTON, frames.pack_button(frames.Button(number, at_us, button, 0)))

    async def show(self, stones: Sequence[int], from_us: int, until_us: int) -> None:
        """Let the device tell ten times a second that these stones lie there."""
        raw = tuple(1000 * number for number in stones)
        for at_us in range(from_us, until_us, SECOND // 10):
            data = frames.Data(at_us & 0xFFFFFFFF, (0,) * len(raw), raw)
            await self._frame(frames.DATA, frames.pack_data(data))

    async def playing(self) -> None:
        """Let both confirm the start position, bastaushy first: his clock runs from the third second."""
        await self.plugged()
        await self.show(NINES, SECOND // 10, 2 * SECOND)
        seating = self.table.session.seating
        for number, side in enumerate(Side, start=1):
            await self.press(number, seating.button_of(side), (1 + number) * SECOND)

    async def _frame(self, kind: int, payload: bytes) -> None:
        frame = build(kind, self._seq, payload)
        self._seq = (self._seq + 1) & 0xFFFF
        await self.board._received(frame, time.monotonic())


def seated_at_b(folder: Path) -> BoardSettings:
    """Return what a board is told whose bastaushy sits at side `b`."""
    told = settings(folder)
    return replace(told, plan=replace(told.plan, starter_seat="b"))
