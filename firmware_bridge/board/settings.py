"""What a board's process is told when it starts."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from firmware_bridge.layout import Seat, Wiring
from rules.time_control import TimeControl
from sensors.calibration import Calibration


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
