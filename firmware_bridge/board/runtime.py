"""The only event loop of a board: performs what the session decides, in order.

One task takes everything that happens, one thing at a time: bytes from the port, commands from
the socket, the passing of time. What an input leads to is written to the journal and on disk
before the device is acknowledged, the dials are changed or anything is published (house law 3).
The serial port and the journal have threads of their own; nothing here waits for a card or a cable.
"""

from __future__ import annotations

import asyncio
import logging
import time
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from firmware_bridge.board.control import ControlServer
from firmware_bridge.board.counting import Anchor, Units
from firmware_bridge.board.inputs import (
    Acknowledge,
    Assign,
    ButtonPressed,
    Command,
    DeviceArrived,
    DeviceGone,
    Effect,
    End,
    Input,
    Looked,
    Release,
    Resume,
    ShowClock,
    Start,
    Step,
    Suspend,
)
from firmware_bridge.board.journal import Journal, JournalError, Record
from firmware_bridge.board.session import Session
from firmware_bridge.board.telling import HOST_STARTED, Chronicle, Identity, Moment, Rows, state_payload
from firmware_bridge.board.timeline import Timeline
from firmware_bridge.layout import Seat, Wiring
from rules.clock import TimeControl, remaining_us
from rules.game import Phase, PressId, event_to_json
from rules.position import Side
from sensors.calibration import Calibration, to_loads
from sensors.link import ClockView, DeviceHello, Hello, Link, LinkLost, LinkRestored
from sensors.samples import Fault, Press, RawSample
from sensors.serial_port import PortState, SerialPort
from sensors.settle import Settler

log = logging.getLogger(__name__)

STATE_EVERY_S = 5.0
"""The retained state is published again this often, so that clocks stay right and silence means trouble."""

WATCH_EVERY_S = 0.2
"""What is seen of the hands is published at most this often."""

POLL_EVERY_S = 0.1
"""How often the link is asked for its timeouts and heartbeats."""


@dataclass(frozen=True, slots=True, kw_only=True)
class GamePlan:
    """The game a board without one is given: what `[game]` in the configuration says."""

    names: tuple[str, str]
    starter_seat: Seat
    control: TimeControl
    start_when_ready: bool = True


@dataclass(frozen=True, slots=True, kw_only=True)
class BoardSettings:
    """Everything a board's process needs to know.

    Attributes:
        event_id: Identifier of the event, as in topics.
        board_id: Identifier of the board, as in topics.
        state_dir: Folder of this board's journal, cursor and control socket.
        device_path: Serial device, or the link of an emulated board.
        baud: Line speed; USB devices ignore it.
        wiring: Channels and buttons.
        calibration: The cells' calibration.
        plan: The game to assign when the journal holds none under way.
        language: Language of texts that are made here.
    """

    event_id: str
    board_id: str
    state_dir: Path
    device_path: Path
    baud: int
    wiring: Wiring
    calibration: Calibration
    plan: GamePlan
    language: str = "kk"


class Board:
    """One running board."""

    def __init__(self, settings: BoardSettings, publisher: BoardPublisher) -> None:
        """Open the journal and set the table up again from it.

        Raises:
            JournalError: The journal cannot be opened or trusted.
        """
        self._settings = settings
        self._journal = Journal(settings.state_dir / "journal.jsonl")
        self._who = Identity(settings.event_id, settings.board_id, self._journal.host_boot)
        self._chronicle = Chronicle()
        self._rows = Rows()
        device = None
        for record in self._journal.records:
            self._chronicle.take(record)
            self._rows.add(record.seq, self._chronicle.row(self._who, record, 1.0))
            device = record.device or device
        self._timeline = Timeline(self._chronicle.at_us, device)
