"""What a run of the bench plays: the tasks of each lane, from what was asked for (pure but for the games)."""

from __future__ import annotations

from dataclasses import dataclass, replace
from pathlib import Path

from firmware_bridge.bench.games import names, real_games
from firmware_bridge.bench.lanes import Task, ends
from firmware_bridge.bench.made import MADE
from firmware_bridge.bench.scene import BEAMS_ONLY, CELLS
from firmware_bridge.bench.sweep import GRIDS, sweep_tasks
from firmware_bridge.bench.tasks import game_tasks, offence_tasks
from sensors.simulator.profile import NOMINAL

ALL_OFFENCES = 10_000
"""Offended scenes for each profile when everything is asked for."""

ALL_DEGRADED = 50
"""Games of each degraded lane then."""

DEGRADED = ("dead", "dying", "unplugged", "unseen")

OF_CELLS = ("dead", "dying")
"""Of these, what happens to load cells: a board without any is spared it."""

SWEPT_PLIES = 20_000
"""Quiet boards at each factor of a sweep: two wrong ones are a method that breaks."""

PIECE_PLIES = 1_000
"""Of these on one simulated board: more boards say more than more plies on one."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Wanted:
    """What was asked for.

    Attributes:
        profiles: Names of profiles.
        paces: Names of paces.
        manners: Names of manners.
        games: How many games; None: all of them.
        seeds: How many boards for each game.
        offences: How many offended scenes for each profile, watched, and as many unwatched.
        degraded: How many games for each degraded lane, and ends of games.
        sweep: Whether to sweep; the factors are times the nominal profile, whichever are played.
        path: File of tournament games; None: there is none.
        sensors: What the boards have, a key of `scene.WIRINGS`; a sweep is always of cells.
    """

    profiles: tuple[str, ...]
    paces: tuple[str, ...]
    manners: tuple[str, ...]
    games: int | None
    seeds: int = 1
    offences: int = 0
    degraded: int = 0
    sweep: bool = False
    path: Path | None = None
    sensors: str = CELLS


def plan(wanted: Wanted) -> list[Task]:
    """Return the tasks, lane after lane."""
    where = None if wanted.path is None else str(wanted.path)
    settings = [
        (profile, pace, how) for profile in wanted.profiles for pace in wanted.paces for how in wanted.manners
    ]
    seeds = range(1, wanted.seeds + 1)
    tasks = game_tasks("games", names(wanted.games, wanted.path, MADE), settings, seeds, where)
    for lane in ("offences", "unwatched"):
        tasks += offence_tasks(lane, wanted.offences, wanted.profiles, wanted.paces, where)
    some = names(min(wanted.degraded, MADE + real_games(wanted.path)), wanted.path, MADE)
    for lane in DEGRADED:
        if lane in OF_CELLS and wanted.sensors == BEAMS_ONLY:
            continue
        tasks += [
            task
            for number, name in enumerate(some)
            for task in game_tasks(lane, [name], settings, [number + 1], where)
        ]
    tasks += game_tasks("ends", ends(wanted.degraded) if wanted.degraded else [], settings, seeds, where)
    tasks = [replace(task, sensors=wanted.sensors) for task in tasks]
    if wanted.sweep:
        tasks += sweep_tasks(NOMINAL.name, GRIDS, SWEPT_PLIES, PIECE_PLIES, where)
    return tasks
