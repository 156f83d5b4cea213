"""What a board's process is told when it starts."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path

from firmware_bridge.layout import Seat, Wiring
from rules.conduct.options import Conducts
from rules.time_control import TimeControl
from sensors.calibration import Calibration


@dataclass(frozen=True, slots=True, kw_only=True)
class GamePlan:
    """The game a board without one is given: what `[game]` in the configuration says.

    Attributes:
        names: Bastaushy's and qostaushy's.
        starter_seat: Where bastaushy sits.
        control: Their clock.
        conducts: What the event has chosen, for this game and for whichever the hall assigns.
    """

    names: tuple[str, str]
    starter_seat: Seat
    control: TimeControl
    conducts: Conducts = field(default_factory=Conducts)


DEFAULT_FILE_BYTES = 64_000_000
"""Size at which the next trace is begun: about ten hours of a nominal board, small enough to be sent."""

DEFAULT_TOTAL_BYTES = 1_000_000_000
"""All traces of a board together: a week of play, on a card of 16 GB."""


@dataclass(frozen=True, slots=True, kw_only=True)
class TraceSettings:
    """What `[trace]` in the configuration says.

    Attributes:
        always: A trace is written from the start of the program.
        folder: Where those lie.
        file_bytes: Size at which the next one is begun once the board lies quiet; at twice it in any case.
        total_bytes: All of this board have at most so much together, the oldest are removed; also the size at
            which one that was asked for ends. At least a megabyte.
    """

    always: bool
    folder: Path
    file_bytes: int = DEFAULT_FILE_BYTES
    total_bytes: int = DEFAULT_TOTAL_BYTES


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
        calibration_file: Where a new one is written; None: the board cannot be calibrated.
        plan: The game to assign when the journal holds none under way.
        language: Language of texts that are made here.
        trace: How traces are written; None: only when asked for.
        routes: Who is told of what (`alerts.Kind` by value, `alerts.Route`), where not as in `alerts.ROUTES`.
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
    trace: TraceSettings | None = None
    routes: Mapping[str, frozenset[str]] = field(default_factory=dict)
    calibration_file: Path | None = None


def own_game(board: str, game: str) -> bool:
    """Tell whether a game's id is one that the board makes for what its configuration names."""
    name, _, number = game.rpartition("-")
    return name == board and number.isdecimal()
