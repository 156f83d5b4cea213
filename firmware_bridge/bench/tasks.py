"""What is to be played, one task a scene, and how a task is done (a worker process imports this file)."""

from __future__ import annotations

import time
from collections.abc import Iterable
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from firmware_bridge import __version__
from firmware_bridge.bench.games import game
from firmware_bridge.bench.scene import Scene
from firmware_bridge.bench.score import score_to_json
from firmware_bridge.bench.table import BenchTable
from firmware_bridge.emulator.pace import PACES
from sensors.simulator.profile import PROFILES


@dataclass(frozen=True, slots=True, kw_only=True)
class Task:
    """One scene to be played.

    Attributes:
        lane: What it belongs to: `games`, or the name of a special lane.
        game: Name of the game.
        profile: Name of the profile.
        pace: Name of the pace.
        seed: Of everything random.
        games_file: File of tournament games; None: there is none.
    """

    lane: str
    game: str
    profile: str
    pace: str
    seed: int
    games_file: str | None = None

    @property
    def key(self) -> str:
        """Name this task for ever, so that a second run knows that it is done."""
        return f"{self.lane} {self.game} {self.profile} {self.pace} {self.seed}"


def scene_of(task: Task) -> Scene:
    """Return what a task plays."""
    path = None if task.games_file is None else Path(task.games_file)
    return Scene(
        name=task.game,
        sowings=game(task.game, path),
        profile=PROFILES[task.profile],
        pace=PACES[task.pace],
        seed=task.seed,
    )


def perform(task: Task) -> dict[str, Any]:
    """Do a task; return its line of the results."""
    began_s = time.process_time()
    score = BenchTable(scene_of(task)).run()
    score.cpu_s = round(time.process_time() - began_s, 4)
    return {"key": task.key, "version": __version__, "task": asdict(task), "score": score_to_json(score)}


def game_tasks(
    games: Iterable[str],
    profiles: Iterable[str],
    paces: Iterable[str],
    seeds: Iterable[int],
    games_file: Path | None,
) -> list[Task]:
    """Return a task for each game, profile, pace and seed; a run that is cut short has some of each."""
    where = None if games_file is None else str(games_file)
    profiles, paces, seeds = list(profiles), list(paces), list(seeds)
    return [
        Task(lane="games", game=name, profile=profile, pace=pace, seed=seed, games_file=where)
        for seed in seeds
        for name in games
        for profile in profiles
        for pace in paces
    ]
