"""What is played on the bench, and the simulated board it is played on (pure).

A scene is a whole game or a piece of one. A piece begins in the middle: the plies before it are folded into
the session's game without being played, and the stones are laid out as they stood.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from functools import lru_cache

from firmware_bridge.emulator.actions import BESIDE, Reach
from firmware_bridge.emulator.offences import Kind
from firmware_bridge.emulator.pace import Manners, Pace
from firmware_bridge.layout import PITS, PLACES, Seating, Wiring
from rules.game import (
    ClockPressed,
    GameAssigned,
    GameEvent,
    GameStarted,
    MovePlayed,
    PlayerReady,
    SetupChecked,
    SetupStarted,
)
from rules.notation.moves import format_short
from rules.position import START, Position, Side, Sowing, board_of, pit_index
from rules.time_control import Period, TimeControl
from sensors.calibration import COUNTER, Calibration
from sensors.simulator.measure import measure_calibration
from sensors.simulator.profile import Profile
from sensors.simulator.world import CellWorld, ChannelFault

WIRING = Wiring()
SEATING = Seating(WIRING, "a")
BEAMS = range(PLACES, 2 * PLACES)
"""The channels of the count sensors, where there are any: in the order of places, behind the cells."""

CELLS, BOTH, BEAMS_ONLY = "cells", "both", "beams"
"""What a board has: load cells alone, count sensors beside them, or count sensors alone."""

_BOTH = Wiring(
    beam_a=tuple(BEAMS[:9]),
    beam_b=tuple(BEAMS[9:PITS]),
    beam_kazan_a=BEAMS[PITS],
    beam_kazan_b=BEAMS[PITS + 1],
)

WIRINGS: Mapping[str, Wiring] = {
    CELLS: WIRING,
    BOTH: _BOTH,
    BEAMS_ONLY: replace(_BOTH, side_a=(), side_b=(), kazan_a=None, kazan_b=None),
}
"""By what the board has."""

REACH = Reach.of(SEATING.channel_of_place, SEATING)
"""The bench's board is soldered as plainly as can be: wiring is proved elsewhere."""

CONTROL = TimeControl((Period(time_ms=24 * 60 * 60 * 1000),))
"""A day for each player: what is measured is counting, no flag is to fall."""

STONES = 163
"""One more than a game has: it lies beside the board, in case somebody slips it in."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Broken:
    """A cell that cannot be read.

    Attributes:
        place: Whose cell.
        fault: How it is broken.
        from_ply: The ply at whose beginning it breaks, from 1.
        until_ply: The ply at whose beginning it is mended; None: never.
    """

    place: int
    fault: ChannelFault
    from_ply: int = 1
    until_ply: int | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Mishaps:
    """What happens to a board in a scene; plies are those of the game, from 1.

    Attributes:
        broken: Cells that break.
        unplugged: Plies in whose sowing the cable is pulled, and put back some seconds later.
        unwatched: Plies during which the board's process is down: nobody sees the hands, only what lies there
            when the process is back, and the press that the device kept.
    """

    broken: tuple[Broken, ...] = ()
    unplugged: frozenset[int] = frozenset()
    unwatched: frozenset[int] = frozenset()


@dataclass(frozen=True, slots=True, kw_only=True)
class Scene:
    """A game, or a piece of one, and how it is played.

    Attributes:
        name: Where it comes from, so that it can be found again: `real:17`, `made:3`.
        sowings: All plies of the game from its start position on.
        profile: Quality of the cells.
        pace: Tempo of the hands.
        manners: Their behaviour.
        seed: Of masses, cells, noise and hands.
        first: How many plies lie before the piece; 0: the game is set up and begun as at a real table.
        last: The ply after which the piece ends, counted from 1; None: the game's last.
        offences: What is done against the rules, by the ply of the game, from 1.
        mishaps: What happens to the board meanwhile.
        sensors: What the board has, a key of `WIRINGS`.
    """

    name: str
    sowings: tuple[Sowing, ...]
    profile: Profile
    pace: Pace
    manners: Manners = field(default_factory=Manners)
    seed: int = 1
    first: int = 0
    last: int | None = None
    offences: Mapping[int, Kind] = field(default_factory=dict)
    mishaps: Mishaps = field(default_factory=Mishaps)
    sensors: str = CELLS

    @property
    def played(self) -> tuple[Sowing, ...]:
        """The plies that the hands play."""
        return self.sowings[self.first : self.last]

    @property
    def start(self) -> Position:
        """The position that is laid out."""
        if self.first:
            return self.sowings[self.first - 1].after
        return self.sowings[0].before if self.sowings else START


@lru_cache(maxsize=4)
def board(profile: Profile, seed: int, sensors: str = CELLS) -> tuple[CellWorld, Calibration]:
    """Return a board and its honest calibration; callers play on copies of it."""
    beams = () if sensors == CELLS else SEATING.channel_of_place
    kinds = profile.kinds()
    world = CellWorld(kinds, profile, seed, stones=STONES, beams=beams, cells_read=sensors != BEAMS_ONLY)
    world.lay_out(dict.fromkeys(REACH.pits, 9))
    if sensors == BEAMS_ONLY:
        return world, Calibration("bench", profile.unit_g, 0.0, (COUNTER,) * (len(kinds) + len(beams)))
    calibration = measure_calibration(world, "bench", seed)
    return world, replace(calibration, channels=(*calibration.channels, *(COUNTER for _ in beams)))


def lay_out(world: CellWorld, position: Position) -> None:
    """Lay out the stones of a position, a mark on each tuzdyk, and one more stone beside the board."""
    channels = SEATING.channel_of_place
    stones = board_of(position)
    marks = [
        channels[pit_index(side.opponent, number)]
        for side, number in zip(Side, position.tuzdyks, strict=True)
        if number is not None
    ]
    laid = dict(zip(channels, stones, strict=True))
    laid[REACH.kazans[0]] += 1
    world.lay_out(laid, marks)
    world.lift(REACH.kazans[0], BESIDE, world.time_us)


def events_before(scene: Scene, at_us: int) -> list[GameEvent]:
    """Return the game's events until a piece of it begins; every ply before it was pressed for."""
    events: list[GameEvent] = [
        GameAssigned(at_us=at_us, game_id=scene.name, names=("", ""), starter_seat="a", control=CONTROL),
        SetupStarted(at_us=at_us),
        SetupChecked(at_us=at_us),
        PlayerReady(at_us=at_us, side=Side.QOSTAUSHY),
        PlayerReady(at_us=at_us, side=Side.BASTAUSHY),
        GameStarted(at_us=at_us),
    ]
    for sowing in scene.sowings[: scene.first]:
        events.append(ClockPressed(at_us=at_us, side=sowing.side, press=None))
        events.append(
            MovePlayed(
                at_us=at_us,
                side=sowing.side,
                number=sowing.number,
                text=format_short(sowing),
                confirmed_by="press",
                evidence={},
            )
        )
    return events
